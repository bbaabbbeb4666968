"""Latent Dirichlet allocation: topics of a corpus, each a distribution over terms.

Source: Blei, Ng, Jordan 2003, Latent Dirichlet allocation (J. Mach. Learn. Res. 3); estimated by scikit-learn's batch
variational Bayes. phi_kt is the probability of term t in topic k, and with w_k the share of topic k in the corpus

    P(k | t) = w_k phi_kt / sum_j w_j phi_jt.

Two terms are alike as far as their P(. | t) point the same way (cosine) [R]. OLMOACO (Liu, Dong, Liu et al. 2022) finds
topic concepts by LDA; with how many topics, and how a topic gives a concept, was not found. A document is the multiset
of the terms that it contains, nothing else, so that a topic is made of terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from ontology.extras import require

Floats = NDArray[np.float64]

PASSES = 50
"""Passes of variational Bayes over the corpus, at most."""
SEED = 0


class TopicError(ValueError):
    """Topics cannot be found: what was given, and what is needed."""


@dataclass(frozen=True, eq=False)
class Topics:
    """Topics by falling share of the corpus.

    ``phi`` has shape (topics, terms), rows sum to 1; ``weight`` has shape (topics,), sums to 1.
    """

    terms: tuple[str, ...]
    phi: Floats
    weight: Floats

    def top(self, topic: int, count: int) -> tuple[tuple[str, float], ...]:
        """The ``count`` most probable terms of a topic with their phi; ties in code point order."""
        row = self.phi[topic].tolist()
        best = sorted(range(len(row)), key=lambda t: (-row[t], self.terms[t]))[:count]
        return tuple((self.terms[t], row[t]) for t in best)

    @cached_property
    def given_term(self) -> Floats:
        """P(k | t), shape (terms, topics); rows sum to 1."""
        joint = (self.phi * self.weight[:, None]).T
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))

    @cached_property
    def _at(self) -> dict[str, int]:
        return {term: t for t, term in enumerate(self.terms)}

    def topic_of(self, term: str) -> tuple[int, float]:
        """The most probable topic of a term and its P(k | t). Raises KeyError for a term without topics."""
        row = self.given_term[self._at[term]]
        return int(row.argmax()), float(row.max())

    def probability(self, topic: int, term: str) -> float:
        """phi of a term in a topic. Raises KeyError for a term without topics."""
        return float(self.phi[topic, self._at[term]])

    def similarity(self, a: str, b: str) -> float:
        """Cosine of P(. | a) and P(. | b), in [0, 1]. Raises KeyError for a term without topics."""
        u, v = self.given_term[self._at[a]], self.given_term[self._at[b]]
        return min(float(u @ v / np.sqrt((u @ u) * (v @ v))), 1.0)


def find_topics(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int, *, seed: int = SEED) -> Topics:
    """The topics of a corpus. The same input gives the same topics.

    Args:
        terms: distinct names of the columns.
        counts: occurrences, shape (documents, terms), none below 0, sparse or not; documents without a term say
            nothing.
        topics: how many; at least 2.
        seed: of the random start.

    Raises:
        TopicError: a wrong shape, a negative count, fewer than ``topics`` documents or terms with an occurrence.
        MissingExtra: scikit-learn is not installed.
    """
    table = _checked(terms, counts, topics)
    model = require("sklearn.decomposition", "topics", "--evidence lda (topics of terms)").LatentDirichletAllocation(
        n_components=topics, learning_method="batch", max_iter=PASSES, random_state=seed, n_jobs=1
    )
    share = np.asarray(model.fit_transform(table), dtype=np.float64)  # documents x topics, rows sum to 1
    phi = np.asarray(model.components_, dtype=np.float64)
    phi /= phi.sum(axis=1, keepdims=True)
    weight = np.asarray(table.sum(axis=1)).ravel() @ share
    order = np.argsort(-weight, kind="stable")
    return Topics(tuple(terms), phi[order], weight[order] / weight.sum())


def _checked(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int) -> csr_matrix:
    """The rows with an occurrence, as numbers."""
    if counts.ndim != 2 or counts.shape[1] != len(terms):
        raise TopicError(f"counts: expected one column for each of {len(terms)} terms, found shape {counts.shape}")
    table = csr_matrix(counts, dtype=np.float64, copy=True)
    table.eliminate_zeros()
    if (table.data < 0).any():
        raise TopicError(f"counts: expected none below 0, found {table.data.min():g}")
    filled = np.flatnonzero(table.getnnz(axis=1))
    rows, columns = len(filled), len(np.flatnonzero(table.getnnz(axis=0)))
    if topics < 2 or min(rows, columns) < topics:
        raise TopicError(
            f"topics: expected from 2 to the {min(rows, columns)} that {rows} documents with {columns} terms can have, "
            f"found {topics}; give more documents"
        )
    return table[filled]
