"""The registry of strategies: a new one is one file and one import here."""
