"""Similarity of concepts: the five factors and Sem of paper 000."""

from ontology.similarity.five_factors import (
    ALPHA,
    COEFFICIENTS,
    Factors,
    RootWeight,
    SimilarityMatrix,
    factors,
    matrix,
    root_weights,
    sem,
)

__all__ = [
    "ALPHA",
    "COEFFICIENTS",
    "Factors",
    "RootWeight",
    "SimilarityMatrix",
    "factors",
    "matrix",
    "root_weights",
    "sem",
]
