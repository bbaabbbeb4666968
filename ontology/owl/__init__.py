"""Ontologies as OWL files: read, write, and one canonical order."""

from ontology.owl.rdf import OwlError, canonical, read, write

__all__ = ["OwlError", "canonical", "read", "write"]
