"""Enrichment: what the pages of a crawl say that an ontology lacks, as proposals for a person to decide about."""

from ontology.enrichment.extraction import propose
from ontology.enrichment.page_text import PageText
from ontology.enrichment.proposal import STATUSES, Kind, PageSentence, Proposal, Rule, Status, Support
from ontology.enrichment.verdicts import Verdict, decisions_of

__all__ = [
    "STATUSES", "Kind", "PageSentence", "PageText", "Proposal", "Rule", "Status", "Support", "Verdict", "decisions_of",
    "propose",
]  # fmt: skip
