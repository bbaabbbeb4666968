"""Sem(root, c) of every concept in memory: the reference for the weights that the graph computes by query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontology.concept_graph import ConceptGraph
from ontology.model import Ontology
from ontology.similarity import COEFFICIENTS, Definitions, Factors, sem
from ontology.similarity.five_factors import factor_arrays


@dataclass(frozen=True, slots=True)
class RootWeight:
    """The topic weight of one concept: Sem(root, concept), its factors, and the best path from the root (IRIs)."""

    iri: str
    factors: Factors[float]
    sem: float
    path: tuple[str, ...]


def root_weights(
    ontology: Ontology,
    *,
    alpha: float | None = None,
    definitions: Definitions = "default",
    coefficients: tuple[float, ...] = COEFFICIENTS,
) -> list[RootWeight]:
    """Compute Eqs. (2) and (3): one weight per concept, in the order of the ontology's concepts."""
    graph = ConceptGraph.of(ontology)
    root = graph.node[ontology.root]
    values = [v[0] for v in factor_arrays(graph, np.array([root]), alpha, definitions)]
    paths = graph.best_paths(root)
    weights = []
    for concept in ontology.concepts:
        c = graph.node[concept.iri]
        five = Factors(*(float(v[c]) for v in values))
        inner = tuple(graph.names[i] for i in paths.get(c, ())[1:-1])
        if c == root:
            path = tuple(dict.fromkeys((ontology.root, concept.iri)))
        else:
            path = (ontology.root, *inner, concept.iri) if c in paths else ()
        weights.append(RootWeight(concept.iri, five, sem(five, coefficients), path))
    return weights
