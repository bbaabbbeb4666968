"""Topic relevance of the niche genetic algorithm: the frequency of a word times the weight of its tag.

Source: Fan, Zeng, Li (paper 004), section III.B (golden numbers G13):

    beta_i = x_i W(i),   S = cos(alpha, beta)

with x_i the count of word i over the largest count of all words, and W(i) = 5 in the title, 3 in <a>, 2 in <meta>, 1
elsewhere. The paper has no rule for a word in several tags: here it has the
largest of their weights, or their sum (trap T34).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from crawler.model import Counts, Floats, TextFigures
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import PAPER_004, TagGroups, cosine

Several = Literal["largest", "sum"]


def tag_weights(TF: Counts, W: Floats, several: Several = "largest") -> Floats:
    """Compute beta_i = x_i W(i) of a page.

    Args:
        TF: counts by tag group, shape (J, n).
        W: weights of the tag groups, shape (J,).
        several: whether W of a word in several tags is the largest of their weights or their sum (trap T34).

    Returns:
        Shape (n,), at least 0.

    >>> TF, W = np.array([[1, 0], [1, 1]]), np.array([5.0, 1.0])
    >>> tag_weights(TF, W).tolist(), tag_weights(TF, W, "sum").tolist()
    ([5.0, 0.5], [6.0, 0.5])
    """
    count = TF.sum(axis=0)
    largest = max(int(count.max(initial=0)), 1)
    of_tags = np.where(TF > 0, W[:, np.newaxis], 0.0)
    beta: Floats = count / largest * (of_tags.sum(axis=0) if several == "sum" else of_tags.max(axis=0))
    return beta


@dataclass(frozen=True, slots=True)
class TagWeightCosine:
    """Section III.B for pages. An anchor is in one tag, whose weight cancels, so R(A) is the cosine of its counts."""

    name: str = "paper_004"
    title: str = "Cosine of relative frequencies times the weight of the tag (GAFC, section III.B)"
    groups: TagGroups = PAPER_004
    several: Several = "largest"

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
        return min(1.0, max(0.0, float(cosine(w, self._weights(counts)))))

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        return w * self._weights(counts)

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return np.clip(cosine(w, F.astype(np.float64)), 0.0, 1.0)

    def _weights(self, counts: Counts) -> Floats:
        return tag_weights(self.groups.term_frequencies(counts), self.groups.w, self.several)
