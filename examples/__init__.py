"""A short example for each family of strategies, and a strategy of one's own."""
