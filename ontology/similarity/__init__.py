"""Similarity of concepts: the five factors and Sem of paper 000, and the usual measures of the literature.

`Similarities.of(ontology)` compares concepts by any measure of `MEASURES`; `matrix` computes Sem of all pairs.
"""

from __future__ import annotations

from ontology.model import Factors
from ontology.similarity.five_factors import (
    ALPHA,
    COEFFICIENTS,
    Definitions,
    SimilarityMatrix,
    factors,
    matrix,
    sem,
)
from ontology.similarity.information_content import CountError, Counts, InformationContent, read_counts
from ontology.similarity.measures import MEASURES, SEM, Measure, Similarities, UnknownMeasure, tversky
from ontology.similarity.naming import UnknownConcept, concept_named

__all__ = [
    "ALPHA",
    "COEFFICIENTS",
    "MEASURES",
    "SEM",
    "CountError",
    "Counts",
    "Definitions",
    "Factors",
    "InformationContent",
    "Measure",
    "Similarities",
    "SimilarityMatrix",
    "UnknownConcept",
    "UnknownMeasure",
    "concept_named",
    "factors",
    "matrix",
    "read_counts",
    "sem",
    "tversky",
]
