"""From a formal context to a term hierarchy, and from that to one global and the local ontologies."""

from ontology.hierarchy.claims import Claim
from ontology.hierarchy.evidence import Unplaced, claims_of
from ontology.hierarchy.merge import Conflict, Merged, merge
from ontology.hierarchy.readings import term_hierarchy
from ontology.hierarchy.skeleton import EMPTY_SKELETON, Skeleton, SkeletonError, read_classes, skeleton
from ontology.hierarchy.term_dag import Reading, Rejected, TermEdge, TermHierarchy, TermNode

__all__ = [
    "EMPTY_SKELETON",
    "Claim",
    "Conflict",
    "Merged",
    "Reading",
    "Rejected",
    "Skeleton",
    "SkeletonError",
    "TermEdge",
    "TermHierarchy",
    "TermNode",
    "Unplaced",
    "claims_of",
    "merge",
    "read_classes",
    "skeleton",
    "term_hierarchy",
]
