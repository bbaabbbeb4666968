"""Evidence for "every X is a Y": sources, each in its own module, that take documents and terms and return claims.

Topics (lda.py) and association rules (apriori.py) are off by default, and imported only on request.
"""

from ontology.evidence.claims import Claim
from ontology.evidence.collect import TEXT_SOURCES, collect, sources_of
from ontology.evidence.skeleton import EMPTY_SKELETON, Skeleton, SkeletonError, read_classes, skeleton
from ontology.evidence.source import EvidenceSource, TermCorpus

__all__ = [
    "EMPTY_SKELETON",
    "TEXT_SOURCES",
    "Claim",
    "EvidenceSource",
    "Skeleton",
    "SkeletonError",
    "TermCorpus",
    "collect",
    "read_classes",
    "skeleton",
    "sources_of",
]
