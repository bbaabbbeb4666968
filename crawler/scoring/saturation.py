"""Relevance by saturated counts: the sum of the evidence for the topic, not divided by a norm.

    R = M / (M + h)
    short text   M = sum of u_i over the words that occur,               h = half of the largest u
    page         M = sum of u_i 2.2 f_i / (f_i + 1.2),                   h = three times the largest u

u are the topic weights, f_i the occurrences of word i. Not published. 2.2 f / (f + 1.2) is the factor of BM25 for term
frequencies (k1 = 1.2, without length). The cosines of the papers divide by the norm of the topic vector, which grows
with the vocabulary: under 81 words of an ontology an anchor of one relevant word has R = .12 and a relevant page .49,
so that in a sum of both the page outweighs the anchor. Here an anchor with the heaviest word has R = 2/3 for any
vocabulary. Factors of 1/3 to 4 on h change crawls little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crawler.model import Counts, Floats, TextFigures
from crawler.scoring.statistics import Statistics

K1 = 1.2
ANCHOR_HALF, PAGE_HALF = 0.5, 3.0
"""h in units of the largest weight."""


@dataclass(frozen=True, slots=True)
class Saturated:
    """R = M / (M + h). Uses no statistics, so that R of a text does not change during a crawl.

    >>> from crawler.scoring.statistics import Statistics
    >>> F, w = np.array([[3, 0], [0, 1], [0, 0]]), np.array([1.0, 0.5])
    >>> Saturated().anchors(F, w, Statistics({}), "TK").round(3).tolist()
    [0.667, 0.5, 0.0]
    """

    name: str = "saturated"
    title: str = "Saturated sum of weights, M / (M + h), for vectors of any length (not published)"

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
        f = counts.sum(axis=0)
        M = float(((K1 + 1) * f / (f + K1)) @ w)
        return float(_saturated(np.array([M]), PAGE_HALF * w.max(initial=0.0))[0])

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        f = counts.sum(axis=0)
        u: Floats = w * ((K1 + 1) * f / (f + K1))
        return u

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        M = (F > 0).astype(np.float64) @ w
        return _saturated(M, ANCHOR_HALF * w.max(initial=0.0))


def _saturated(M: Floats, h: float) -> Floats:
    R: Floats = np.divide(M, M + h, out=np.zeros_like(M), where=M > 0)
    return R
