"""Page vectors and the cosine: paper 000 (FCOSA), section 4.1, Eqs. (4) to (6); the same as paper 003, Eqs. (2), (3).

Pages are counted by slot (crawler.model.SLOTS); a weighting groups the slots:

    Table 2 of paper 000    title, keywords, description, h1 | h2, h3 | h4, h5, h6, strong | p, td, li | the rest
    Table 1 of paper 003    the same without h6, which falls to the rest
    paper 004, section 3    title | a | meta | the rest
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from crawler.model import SLOTS, Counts, Floats, Ids

Norm = Literal["word", "page"]


@dataclass(frozen=True)
class TagGroups:
    """J groups of slots with their weights w_j; slots in no group belong to the last one."""

    name: str
    weights: tuple[float, ...]
    members: tuple[tuple[str, ...], ...]
    """For each group elements of TAGS, or "a" for all text in links; a slot belongs to the first group that fits."""

    @cached_property
    def w(self) -> Floats:
        """Weights w_j, shape (J,)."""
        return np.array(self.weights)

    @cached_property
    def group(self) -> Ids:
        """Group number of each slot, shape (len(SLOTS),)."""
        return np.array([self._group(slot) for slot in SLOTS], dtype=np.int64)

    def _group(self, slot: str) -> int:
        tag, _, anchor = slot.partition("/")
        fits = (j for j, names in enumerate(self.members) if tag in names or (anchor and anchor in names))
        return next(fits, len(self.weights) - 1)

    def term_frequencies(self, counts: Counts) -> Counts:
        """Compute TF_ij of Eq. (4): counts by slot, shape (len(SLOTS), n), summed by group, shape (J, n)."""
        TF: Counts = np.zeros((len(self.weights), counts.shape[1]), dtype=np.int64)
        np.add.at(TF, self.group, counts)
        return TF


_HEADLINES = (("title", "meta_keywords", "meta_description", "h1"), ("h2", "h3"))
_BODY = ("p", "td", "li")

PAPER_000 = TagGroups("000", (2.0, 1.5, 1.2, 1.0, 0.2), (*_HEADLINES, ("h4", "h5", "h6", "strong"), _BODY))
PAPER_003 = TagGroups("003", (2.0, 1.5, 1.2, 1.0, 0.2), (*_HEADLINES, ("h4", "h5", "strong"), _BODY))
PAPER_004 = TagGroups("004", (5.0, 3.0, 2.0, 1.0), (("title",), ("a",), ("meta_keywords", "meta_description")))


def page_weights(TF: Counts, w: Floats | Sequence[float], norm: Norm = "word") -> Floats:
    """Compute w_dk of a page, Eq. (4): sum_j TF_ij / max TF_ij * w_j.

    Args:
        TF: term frequencies by tag group, shape (J, n).
        w: weights of the tag groups, shape (J,).
        norm: the set over which the maximum is taken. "word", as printed: the groups of the same word, which discards
            how often a word occurs (trap T9). "page": the groups of all words.

    Returns:
        Shape (n,), in [0, sum w]; 0 for an absent word.

    >>> TF, w = np.array([[1, 0], [4, 2]]), [2.0, 1.0]
    >>> page_weights(TF, w).tolist(), page_weights(TF, w, "page").tolist()
    ([1.5, 1.0], [1.5, 0.5])
    """
    top = TF.max(axis=0, initial=0) if norm == "word" else np.full(TF.shape[1], TF.max(initial=0))
    tf = TF / np.maximum(top, 1)
    w_dk: Floats = np.asarray(w, dtype=np.float64) @ tf  # Eq. (4)
    return w_dk


def cosine(w_tk: Floats, w_dk: Floats) -> Floats:
    """Compute Sim of Eq. (6), also Eqs. (10) and (11): the cosine of the topic vector and each feature vector.

    Args:
        w_tk: topic weights, shape (n,).
        w_dk: feature weights, shape (n,) or (m, n).

    Returns:
        Shape () or (m,), in [-1, 1], in [0, 1] for weights that are not negative; 0 where a norm is 0.

    >>> cosine(np.array([1.0, 1.0]), np.array([[2.0, 2.0], [1.0, 0.0], [0.0, 0.0]])).round(3).tolist()
    [1.0, 0.707, 0.0]
    """
    norms = np.linalg.norm(w_tk) * np.linalg.norm(w_dk, axis=-1)
    dot = w_dk @ w_tk
    R: Floats = np.divide(dot, norms, out=np.zeros_like(dot, dtype=np.float64), where=norms > 0)  # Eq. (6)
    return np.clip(R, -1.0, 1.0)
