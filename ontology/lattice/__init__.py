"""The concept lattice of a formal context: its formal concepts, their covering relation, and measures of both.

`lattice` computes it, `lattice_that_fits` cuts it to an iceberg where it is too large; `stability` rates concepts,
`stable_part` keeps the stable ones; `canonical_basis` computes the implications between attributes; `Exploration` asks
an expert for them.
"""

from __future__ import annotations

from ontology.lattice.concept_lattice import FormalConcept, Lattice, LatticeTooLarge, lattice
from ontology.lattice.concept_stability import Stability, StabilityNeedsSampling, stability
from ontology.lattice.exploration import Example, Exploration, ExplorationError, Question
from ontology.lattice.implications import Basis, BasisTooLarge, Implication, canonical_basis
from ontology.lattice.pruning import Cut, StablePart, lattice_that_fits, stable_part

__all__ = [
    "Basis",
    "BasisTooLarge",
    "Cut",
    "Example",
    "Exploration",
    "ExplorationError",
    "FormalConcept",
    "Implication",
    "Lattice",
    "LatticeTooLarge",
    "Question",
    "Stability",
    "StabilityNeedsSampling",
    "StablePart",
    "canonical_basis",
    "lattice",
    "lattice_that_fits",
    "stability",
    "stable_part",
]
