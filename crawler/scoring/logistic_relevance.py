"""The judge J: the probability that a page is relevant, from eight figures of its text and a logistic regression.

    J = sigma(a + sum_k b_k x_k)

u are the topic weights in units of the largest, c_i the occurrences of word i in the page, t of its title, l in its
first 80 words, L the number of words of the page and T that of different ones, N pages read, N_i of them with word i:

    x_1  ln(sum u_i c_i / L + .003)                                   density
    x_2  ln(sum u_i l_i / L_80 + .003)                                density of the first 80 words
    x_3  min(1, sum u_i [t_i > 0])                                    title
    x_4  ln(sum u_i [c_i > 0] / T + .003)                             share of the different words
    x_5  M / (M + 3), M = sum u_i 2.2 c_i / (c_i + 1.2)               saturated counts
    (crawler.scoring.logistic_relevance) x_6  ln(1 + sum u_i idf_i 2.2 c_i / (c_i + 1.2 (1/4 + 3/4 L / mean L)))
    BM25 x_7  cosine of u and c                                            Eq. (12) of paper 001
    x_8  ln(1 + L)                                                    length

idf_i = ln(1 + (N - N_i + 1/2) / (N_i + 1/2)) as in Robertson and Zaragoza, "The probabilistic relevance framework"
(2009). a and b were fitted on labelled webs by `python -m tools.fit_judge` (crawler.scoring.logistic_weights). Not
published. A page without any topic word has J = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crawler.model import SLOT, Counts, Floats, TextFigures
from crawler.scoring.logistic_weights import INTERCEPT, WEIGHTS
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import cosine

# ---- relevance by saturated counts: the sum of the evidence for the topic, not divided by a norm
#
#     R = M / (M + h)
#     short text   M = sum of u_i over the words that occur,               h = half of the largest u
#     page         M = sum of u_i 2.2 f_i / (f_i + 1.2),                   h = three times the largest u
#
# u are the topic weights, f_i the occurrences of word i. Not published. 2.2 f / (f + 1.2) is the factor of BM25 for
# term frequencies (k1 = 1.2, without length). The cosines of the papers divide by the norm of the topic vector, which
# grows with the vocabulary: under 81 words of an ontology an anchor of one relevant word has R = .12 and a relevant
# page .49, so that in a sum of both the page outweighs the anchor. Here an anchor with the heaviest word has R = 2/3
# for any vocabulary. Factors of 1/3 to 4 on h change crawls little.


_K1 = 1.2
ANCHOR_HALF, _PAGE_HALF = 0.5, 3.0
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
        M = float(((_K1 + 1) * f / (f + _K1)) @ w)
        return float(_saturated(np.array([M]), _PAGE_HALF * w.max(initial=0.0))[0])

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        f = counts.sum(axis=0)
        u: Floats = w * ((_K1 + 1) * f / (f + _K1))
        return u

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        M = (F > 0).astype(np.float64) @ w
        return _saturated(M, ANCHOR_HALF * w.max(initial=0.0))


def _saturated(M: Floats, h: float) -> Floats:
    R: Floats = np.divide(M, M + h, out=np.zeros_like(M), where=M > 0)
    return R


# ---- the judge J: the probability that a page is relevant, from eight figures of its text and a logistic regression


FIGURES = ("density", "lead", "title", "distinct", "saturated", "bm25", "cosine", "length")
"""Names of x_1 to x_8."""
LEAD = 80
"""Number of words at the beginning of a page's main text."""
FLOOR = 0.003
"""Density that is added before the logarithm: a topic word of weight 1 on 333 words."""
B = 0.75
"""Part of BM25's length that is relative to the mean length."""
_TITLE = [SLOT["title"], SLOT["title/a"]]
_SHORT = Saturated()


@dataclass(frozen=True, slots=True)
class Evidence:
    """J of pages. Short texts have none of the eight figures but their words: R(A) is that of ``saturated``."""

    name: str = "evidence"
    title: str = "Probability of relevance by eight figures of a page, fitted on labelled webs (not published)"

    def page(
        self,
        counts: Counts,
        w: Floats,
        statistics: Statistics,
        vocabulary: str,
        length: int,
        text: TextFigures | None = None,
    ) -> float:
        """Compute R(P) of a page, in [0, 1]. Raises ValueError without the figures of its text."""
        if not counts.any():
            return 0.0
        if text is None:
            raise ValueError("the relevance function evidence needs the figures of a page's text")
        z = INTERCEPT + float(figures(counts, w, statistics, vocabulary, text) @ np.array(WEIGHTS))
        return float(1.0 / (1.0 + np.exp(-z)))

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,): its saturated count."""
        return _SHORT.parts(counts, w, statistics, vocabulary)

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return _SHORT.anchors(F, w, statistics, vocabulary)


def figures(counts: Counts, w: Floats, statistics: Statistics, vocabulary: str, text: TextFigures) -> Floats:
    """Compute x_1 to x_8 of a page.

    Args:
        counts: counts of the topic words by slot, shape (len(SLOTS), n).
        w: topic weights, shape (n,), of any scale.
        statistics: document frequencies and mean length, those of this page included.
        vocabulary: name of the topic vector in the statistics.
        text: figures of the page's text.

    Returns:
        Shape (8,), in the order of ``FIGURES``.
    """
    u = w / w.max()
    c, L = counts.sum(axis=0).astype(np.float64), max(text.words, 1)
    t = counts[_TITLE].any(axis=0)
    M = float(u @ ((_K1 + 1) * c / (c + _K1)))
    relative = L / statistics.mean_words if statistics.mean_words > 0.0 else 1.0
    tf = (_K1 + 1) * c / (c + _K1 * (1 - B + B * relative))
    return np.array([
        np.log(u @ c / L + FLOOR),
        np.log(u @ text.lead / max(text.lead_words, 1) + FLOOR),
        min(1.0, float(u @ t)),
        np.log(u @ (c > 0) / max(text.distinct, 1) + FLOOR),
        M / (M + _PAGE_HALF),
        np.log1p(u @ (_idf(statistics, vocabulary) * tf)),
        float(cosine(u, c)),
        np.log1p(text.words),
    ])  # fmt: skip


def _idf(statistics: Statistics, vocabulary: str) -> Floats:
    N_i = np.minimum(statistics.containing(vocabulary), statistics.N)
    idf: Floats = np.log1p((statistics.N - N_i + 0.5) / (N_i + 0.5))
    return idf
