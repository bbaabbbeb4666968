"""The concept lattice of a formal context: all formal concepts and their covering relation."""

from ontology.lattice.concept_lattice import FormalConcept, Lattice, LatticeTooLarge, lattice

__all__ = ["FormalConcept", "Lattice", "LatticeTooLarge", "lattice"]
