"""Scores of pages and links: vectors, relevance, document frequencies, feature columns, priorities."""
