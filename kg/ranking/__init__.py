"""Importance of pages by links: PageRank, whole and incremental, and HITS."""
