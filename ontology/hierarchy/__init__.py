"""From a formal context to a term hierarchy, and from that to one global and the local ontologies."""

from ontology.hierarchy.term_dag import Reading, Rejected, TermEdge, TermHierarchy, TermNode, term_hierarchy

__all__ = ["Reading", "Rejected", "TermEdge", "TermHierarchy", "TermNode", "term_hierarchy"]
