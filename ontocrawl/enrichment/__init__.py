"""Enrichment of a topic's ontologies from crawled pages: propose, review, decide, apply."""

from ontocrawl.enrichment.proposals import Suggestion, find
from ontocrawl.enrichment.proposing import Proposed, propose

__all__ = ["Proposed", "Suggestion", "find", "propose"]
