"""Importance of pages by links: PageRank, batch and incremental, and HITS."""
