"""Similarity of concepts: the five factors and Sem of paper 000, and the usual measures of the literature.

`Similarities.of(ontology)` compares concepts by any measure of `MEASURES`. `root_weights` gives a topic's weights.
"""

from __future__ import annotations

from ontology.similarity.count_files import Counts, read_counts
from ontology.similarity.five_factors import (
    ALPHA,
    COEFFICIENTS,
    Definitions,
    Factors,
    RootWeight,
    SimilarityMatrix,
    factors,
    matrix,
    root_weights,
    sem,
)
from ontology.similarity.information_content import CountError, InformationContent
from ontology.similarity.measures import MEASURES, SEM, Measure, UnknownMeasure, tversky
from ontology.similarity.naming import UnknownConcept, concept_named
from ontology.similarity.similarities import Similarities

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
    "RootWeight",
    "Similarities",
    "SimilarityMatrix",
    "UnknownConcept",
    "UnknownMeasure",
    "concept_named",
    "factors",
    "matrix",
    "read_counts",
    "root_weights",
    "sem",
    "tversky",
]
