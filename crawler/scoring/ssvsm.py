"""Semantic similarity vector space model (SSVSM): texts and topic as vectors over pairs of terms.

Source: Du, Liu, Lv, Peng 2015, of which the abstract was read: TF-IDF of terms and semantic similarities among terms
build the vectors of a document and of the topic over the same double terms, and their cosine is the relevance. So a
text without topic words is relevant if it has a word that is similar to one. The entries are a reconstruction [R]
(algorithms.md 3.15); for terms t_i of the vocabulary and topic terms k_j

    d_ij = w(t_i) Sem(t_i, k_j),   q_ij = w(k_j) Sem(t_i, k_j)

with w(t_i) the TF-IDF of the text and w(k_j) the weight of the topic word. The terms of both are those of the topic's
vocabulary, as the crawl counts no others. If every term is similar only to itself, Sem = I, this is the plain
cosine. If some terms are similar, no text has R = 1, not even one with the weights of the topic, because d_ij has the
weight of t_i and q_ij that of k_j. TF-IDF is the repaired Eq. (3) of paper 002 [R].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from crawler.model import Counts, Floats, TextFigures
from crawler.scoring.anchor import wang_landau_weights
from crawler.scoring.statistics import Statistics


def double_term_cosine(w_d: Floats, w_k: Floats, Sem: Floats) -> Floats:
    """Compute the cosine of D and Q over all pairs of terms, without building the vectors.

    Args:
        w_d: weights w(t_i) of m texts, shape (m, n), at least 0.
        w_k: weights w(k_j) of the topic, shape (n,), at least 0.
        Sem: semantic similarity of each two terms, shape (n, n), in [0, 1].

    Returns:
        Shape (m,), in [0, 1]; 0 where a norm is 0.

    >>> w_d, w_k = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([1.0, 0.0])
    >>> double_term_cosine(w_d, w_k, np.eye(2)).tolist()
    [0.0, 0.0]
    >>> double_term_cosine(w_d, w_k, np.array([[1.0, 0.5], [0.5, 1.0]])).tolist()
    [0.2, 0.0]
    """
    squared = Sem * Sem
    dot = w_d @ squared @ w_k  # sum_ij d_ij q_ij
    D = np.square(w_d) @ squared.sum(axis=1)  # sum_ij d_ij^2
    Q = squared.sum(axis=0) @ np.square(w_k)  # sum_ij q_ij^2
    norms = np.sqrt(D * Q)
    R: Floats = np.divide(dot, norms, out=np.zeros_like(dot), where=norms > 0)
    return np.clip(R, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SemanticCosine:
    """SSVSM for pages and anchors. HTML positions are not used."""

    name: str = "ssvsm"
    title: str = "Semantic similarity vector space model over pairs of terms (SSVSM; entries reconstructed)"
    similarities: Mapping[str, Floats] = field(default_factory=dict, compare=False)
    """Vocabulary -> Sem of its words, shape (n, n); a vocabulary without one has the plain cosine of TF-IDF."""

    def knowing(self, similarities: Mapping[str, Floats]) -> SemanticCosine:
        """Return this function with the semantic similarities of some vocabularies."""
        return replace(self, similarities=dict(similarities))

    def page(
        self,
        counts: Counts,
        w: Floats,
        statistics: Statistics,
        vocabulary: str,
        length: int,
        text: TextFigures | None = None,
    ) -> float:
        """Compute R(P) of a page, in [0, 1]."""
        return float(self.anchors(counts.sum(axis=0)[np.newaxis], w, statistics, vocabulary)[0])

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        Sem = self.similarities.get(vocabulary, np.eye(len(w)))
        w_d = wang_landau_weights(counts.sum(axis=0)[np.newaxis], statistics.N, statistics.containing(vocabulary))
        dot: Floats = w_d[0] * (np.square(Sem) @ w)  # sum_j d_ij q_ij of each i
        return dot

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1].

        Raises:
            ValueError: the similarities are not those of this vocabulary's words.
        """
        Sem = self.similarities.get(vocabulary, np.eye(len(w)))
        if Sem.shape != (len(w), len(w)):
            raise ValueError(
                f"ssvsm: vocabulary {vocabulary} has {len(w)} words, and its similarities have the shape {Sem.shape}: "
                "give one row and one column for each word, in the order of the vocabulary"
            )
        w_d = wang_landau_weights(F, statistics.N, statistics.containing(vocabulary))
        return double_term_cosine(w_d, w, Sem)
