"""Hierarchies of terms, read from a formal context or from claims, and the global and local ontologies made of them."""

from ontology.hierarchy.from_claims import found_labels
from ontology.hierarchy.merge import Conflict, Merged, merge
from ontology.hierarchy.readings import term_hierarchy
from ontology.hierarchy.term_dag import Rejected, TermEdge, TermHierarchy, TermNode

__all__ = [
    "Conflict", "Merged", "Rejected", "TermEdge", "TermHierarchy", "TermNode", "found_labels", "merge",
    "term_hierarchy",
]  # fmt: skip
