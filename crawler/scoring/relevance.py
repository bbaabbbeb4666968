"""Relevance functions by name: the relevance of a page or a short text to a topic, in [0, 1].

A crawl has one judge, and each strategy one guide; both are in ``RELEVANCE``. Those of the papers are cosines, which do
not depend on length, so that one stray topic word makes a page relevant. ``density`` is the reconstruction of
algorithms.md, section 6, which ranks real labelled pages better; ``saturated`` is for long topic vectors;
``evidence`` is a probability, fitted on labelled pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np

from crawler.model import Counts, Floats, TextFigures
from crawler.scoring.anchor import Reading, anchor_relevance, wang_landau_relevance, wang_landau_weights
from crawler.scoring.logistic_relevance import Evidence
from crawler.scoring.saturation import Saturated
from crawler.scoring.ssvsm import SemanticCosine
from crawler.scoring.statistics import Statistics
from crawler.scoring.tag_weight import TagWeightCosine
from crawler.scoring.vsm import PAPER_000, PAPER_003, Norm, TagGroups, cosine, page_weights
from ontology.errors import OntocrawlError


class RelevanceError(OntocrawlError, ValueError):
    """A relevance function that does not exist; the message names the nearest."""


class Relevance(Protocol):
    """A named relevance function."""

    @property
    def name(self) -> str:
        """Name in ``RELEVANCE``."""
        ...

    @property
    def title(self) -> str:
        """Description of the function and where it was published."""
        ...

    def page(
        self,
        counts: Counts,
        w: Floats,
        statistics: Statistics,
        vocabulary: str,
        length: int,
        text: TextFigures | None = None,
    ) -> float:
        """Compute R(P) of a page, in [0, 1].

        Args:
            counts: counts of the topic words by slot, shape (len(SLOTS), n).
            w: topic weights, shape (n,).
            statistics: document frequencies, those of this page included.
            vocabulary: name of the topic vector in the statistics.
            length: length of the page's text in characters.
            text: further figures of the text, for functions that read them (``reads_text``); None for others.
        """
        ...

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P).

        Args:
            counts: counts of the topic words by slot, shape (len(SLOTS), n).
            w: topic weights, shape (n,).
            statistics: document frequencies, those of this page included.
            vocabulary: name of the topic vector in the statistics.

        Returns:
            Shape (n,): the summands of the sum that R(P) is proportional to, or grows with; 0 for an absent word.
        """
        ...

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts.

        Args:
            F: counts of the topic words in m texts, shape (m, n).
            w: topic weights, shape (n,).
            statistics: document frequencies.
            vocabulary: name of the topic vector in the statistics.

        Returns:
            Shape (m,), in [0, 1]; 0 for a text without topic words.
        """
        ...


@dataclass(frozen=True, slots=True)
class TaggedCosine:
    """Paper 000: Eqs. (4) and (6) for pages, Eqs. (9) and (10) for anchors."""

    name: str = "paper_000"
    title: str = "Cosine of tag-weighted frequencies (FCOSA, Eqs. 4, 6, 9, 10)"
    groups: TagGroups = PAPER_000
    norm: Norm = "word"

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
        return _unit(cosine(w, self._weights(counts)))  # Eq. (6)

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        return w * self._weights(counts)

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return anchor_relevance(F, w, statistics.N, statistics.containing(vocabulary))  # Eqs. (9), (10)

    def _weights(self, counts: Counts) -> Floats:
        return page_weights(self.groups.term_frequencies(counts), self.groups.w, self.norm)  # Eq. (4)


@dataclass(frozen=True, slots=True)
class RawCosine:
    """Paper 001: Eq. (12) for pages and Eq. (16) for anchors, both of raw frequencies."""

    name: str = "paper_001"
    title: str = "Cosine of raw frequencies (temporal event crawler, Eqs. 12, 16)"

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
        return _unit(cosine(w, counts.sum(axis=0).astype(np.float64)))  # Eq. (12)

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        mass: Floats = w * counts.sum(axis=0)
        return mass

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return np.clip(cosine(w, F.astype(np.float64)), 0.0, 1.0)  # Eq. (16)


@dataclass(frozen=True, slots=True)
class WangLandauCosine:
    """Paper 002: Eqs. (3) and (4) for pages and anchors, clipped to [0, 1] (trap T20)."""

    name: str = "paper_002"
    title: str = "Cosine of TF-IDF, idf = ln((1+D)/(1+D_i)) + 1 (Wang-Landau crawler, Eqs. 3, 4; trap T20)"
    reading: Reading = "repaired"

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
        D, D_i = statistics.N, statistics.containing(vocabulary)
        w_dk: Floats = wang_landau_weights(counts.sum(axis=0)[np.newaxis], D, D_i, reading=self.reading)[0]
        return w * w_dk

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        D_i = statistics.containing(vocabulary)
        return np.clip(wang_landau_relevance(F, w, statistics.N, D_i, reading=self.reading), 0.0, 1.0)  # Eq. (4)


@dataclass(frozen=True, slots=True)
class Density:
    """Weighted topic words per length of text; a reconstruction (algorithms.md, section 6), not published.

    Pages: min(1, sum_i w_i c_i / (10 (L / 1000 + 1))) with L characters. Anchors are short and pooled over many pages,
    so a word counts once: min(1, sum_i w_i [f_i > 0]). For weights in [0, 1].
    """

    name: str = "density"
    title: str = "Weighted topic words per 1000 characters (reconstruction; not published)"
    per_thousand: float = 10.0

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
        mass = float(counts.sum(axis=0) @ w)
        return min(1.0, mass / (self.per_thousand * (length / 1000 + 1)))

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        mass: Floats = w * counts.sum(axis=0)
        return mass

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        mass: Floats = (F > 0).astype(np.float64) @ w
        return np.minimum(mass, 1.0)


@dataclass(frozen=True, slots=True)
class OverTraining:
    """A relevance function with the document frequencies of a training set: Eq. (1) of paper 003."""

    relevance: Relevance
    counted: Statistics

    @property
    def name(self) -> str:
        """Name of the wrapped function."""
        return self.relevance.name

    @property
    def title(self) -> str:
        """Description of the wrapped function."""
        return self.relevance.title

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
        return self.relevance.page(counts, w, self.counted, vocabulary, length, text)

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        return self.relevance.parts(counts, w, self.counted, vocabulary)

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return self.relevance.anchors(F, w, self.counted, vocabulary)


def _unit(R: Floats) -> float:
    return min(1.0, max(0.0, float(R)))


_ALL: tuple[Relevance, ...] = (
    TaggedCosine(),
    TaggedCosine("paper_000_page", "The same with the maximum over all words (trap T9)", norm="page"),
    RawCosine(),
    WangLandauCosine(),
    WangLandauCosine("paper_002_printed", "The same with the printed idf lg(D/(1+D_i)) (trap T20)", "printed"),
    TaggedCosine(
        "paper_003",
        "Cosine of tag-weighted frequencies (BCW_CC, Eqs. 2, 3; anchors by Eq. 1 over a classifier's training set)",
        PAPER_003,
    ),
    TagWeightCosine(),
    TagWeightCosine(
        "paper_004_sum", "The same, a word in several tags has the sum of their weights (trap T34)", several="sum"
    ),
    SemanticCosine(),
    Density(),
    Saturated(),
    Evidence(),
)
RELEVANCE: Mapping[str, Relevance] = {function.name: function for function in _ALL}


def reads_text(function: Relevance) -> bool:
    """Return whether a function needs the figures of a page's text, which cost a pass over it."""
    return isinstance(function, Evidence)


def relevance(name: str) -> Relevance:
    """Return a relevance function by its name.

    Raises:
        RelevanceError: there is none; the message names the nearest.

    >>> relevance("paper_001").title
    'Cosine of raw frequencies (temporal event crawler, Eqs. 12, 16)'
    """
    if name in RELEVANCE:
        return RELEVANCE[name]
    near = get_close_matches(name, RELEVANCE, n=1, cutoff=0.0)
    raise RelevanceError(
        f"no relevance function is called {name!r}; did you mean {near[0]}? All: {', '.join(RELEVANCE)}"
    )
