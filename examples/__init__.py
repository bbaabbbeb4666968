"""An example for each family of strategies, and a user-defined strategy."""
