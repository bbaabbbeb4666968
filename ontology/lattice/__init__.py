"""The concept lattice of a formal context: all formal concepts, their covering relation, and what is made of them.

`lattice` computes it, `lattice_that_fits` cuts it where it is too large, `GrowingLattice` adds objects one by one;
`stability` and `separation` say how much a concept is worth, `stable_part` keeps the stable ones; `canonical_basis` has
the implications between attributes.
"""

from __future__ import annotations

from ontology.lattice.concept_lattice import FormalConcept, Lattice, LatticeTooLarge, lattice
from ontology.lattice.concept_stability import Stability, StabilityNeedsSampling, separation, stability
from ontology.lattice.implications import Basis, BasisTooLarge, Implication, canonical_basis
from ontology.lattice.incremental import GrowingLattice, Growth
from ontology.lattice.pruning import Cut, StablePart, lattice_that_fits, stable_part

__all__ = [
    "Basis",
    "BasisTooLarge",
    "Cut",
    "FormalConcept",
    "GrowingLattice",
    "Growth",
    "Implication",
    "Lattice",
    "LatticeTooLarge",
    "Stability",
    "StabilityNeedsSampling",
    "StablePart",
    "canonical_basis",
    "lattice",
    "lattice_that_fits",
    "separation",
    "stability",
    "stable_part",
]
