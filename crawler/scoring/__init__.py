"""What pages and links are worth: vectors, relevance, document frequencies, feature columns, priorities."""
