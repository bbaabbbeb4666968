"""Similarity by shared information: Resnik, Lin, Jiang and Conrath.

With IC the information content (information_content.py) and IC(mica) the largest content of a common ancestor:

    Resnik            IC(mica)                                  Resnik 1995, IJCAI
    Lin               2 IC(mica) / (IC(c1) + IC(c2))            Lin 1998, ICML
    Jiang, Conrath    dist = IC(c1) + IC(c2) - 2 IC(mica)       Jiang and Conrath 1997, ROCLING X; a distance

Jiang and Conrath's distance becomes a similarity in two usual ways: 1 / (1 + dist), and, with contents divided by the
largest one, 1 - dist / 2 (Seco, Veale and Hayes 2004). NLTK's 1 / dist is infinite for identical concepts.

Concepts without a common ancestor share no information, as if under a virtual root: IC(mica) = 0. Lin's ratio is 0/0 if
both contents are 0; it is then 1 if the two have a common ancestor, else 0. A concept has 1 to itself.

>>> from ontology.similarity.information_content import intrinsic
>>> graph = ConceptGraph.from_edges([("flood", "disaster"), ("flash flood", "flood"), ("drought", "disaster")])
>>> graph.names
('disaster', 'drought', 'flash flood', 'flood')
>>> flash_flood, content = np.array([2]), intrinsic(graph)
>>> resnik(graph, content, flash_flood).tolist()
[[0.0, 0.0, 1.0, 0.5]]
>>> lin(graph, content, flash_flood).round(3).tolist()
[[0.0, 0.0, 1.0, 0.667]]
>>> jiang_conrath_distance(graph, content, flash_flood).tolist()
[[1.0, 2.0, 0.0, 0.5]]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontology.concept_graph import ConceptGraph, Ints
from ontology.similarity.information_content import InformationContent

Floats = NDArray[np.float64]


def resnik(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute IC(mica) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, largest IC].
    """
    return np.maximum(_mica(graph, content, rows), 0.0)


def lin(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute 2 IC(mica) / (IC(c1) + IC(c2)) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Similarities, shape (r, k), in [0, 1].
    """
    mica = _mica(graph, content, rows)
    both = content.values[rows][:, None] + content.values[None, :]
    ratio: Floats = np.divide(2 * np.maximum(mica, 0.0), both, out=(mica >= 0).astype(np.float64), where=both > 0)
    return ratio


def jiang_conrath_distance(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Compute IC(c1) + IC(c2) - 2 IC(mica) from some nodes to all.

    Args:
        graph: the concept graph on k nodes.
        content: the information content of its nodes.
        rows: indices of the nodes c1, shape (r,).

    Returns:
        Distances, shape (r, k), in [0, 2 largest IC].
    """
    both = content.values[rows][:, None] + content.values[None, :]
    return both - 2 * resnik(graph, content, rows)


def _mica(graph: ConceptGraph, content: InformationContent, rows: Ints) -> Floats:
    """Return IC(mica), or -1 if there is no common ancestor."""
    return graph.best_common(content.values, rows, nothing=-1.0)
