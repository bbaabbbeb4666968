"""The embedded graph engine: its Java process, its files, its supervisor, and the store that connects to it."""
