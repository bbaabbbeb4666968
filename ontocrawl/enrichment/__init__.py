"""Enrichment of a topic's ontologies from crawled pages: propose, review, decide, apply."""
