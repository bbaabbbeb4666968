"""The parts of the relevance of a page: its topic words, where they occur, and what each contributes to R."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from crawler.crawl_options import Judge
from crawler.model import SLOTS, Counts, Floats, TextFigures
from crawler.scoring.relevance import Relevance
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary


@dataclass(frozen=True, slots=True)
class WordPart:
    """A topic word that occurs in a page."""

    word: str
    iri: str
    """The class of an ontology that the word stands for; empty for a plain word."""
    weight: float
    count: int
    slots: Mapping[str, int]
    """Position in the page (crawler.model.SLOTS) -> number of occurrences."""
    contribution: float
    """Share of R; the contributions of all words add up to R."""


@dataclass(frozen=True, slots=True)
class RelevanceParts:
    """R of a page by one relevance function under one vocabulary, and its words, greatest contribution first."""

    function: str
    title: str
    vocabulary: str
    R: float
    words: tuple[WordPart, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """The judge's decision about a page: R over TK against the threshold sigma."""

    R: float
    sigma: float
    strict: bool
    """Whether R must be greater than sigma; else it may be equal."""
    relevant: bool


def contributions(parts: Floats, R: float) -> Floats:
    """Divide R among the words of a page, in proportion to their parts of the sum that R is a function of.

    Args:
        parts: part of each word, as `Relevance.parts` returns it, shape (n,).
        R: relevance of the page.

    Returns:
        Shape (n,), of sum R; zeros where the parts have no positive sum, as R is 0 there.

    >>> contributions(np.array([3.0, 0.0, 1.0]), 0.8).round(3).tolist()
    [0.6, 0.0, 0.2]
    """
    total = float(parts.sum())
    shares: Floats = parts * (R / total) if total > 0.0 else np.zeros(len(parts))
    return shares


def relevance_parts(
    function: Relevance,
    vocabulary: Vocabulary,
    counts: Counts,
    statistics: Statistics,
    length: int,
    text: TextFigures | None = None,
) -> RelevanceParts:
    """Compute R of a page and the parts of it.

    Args:
        function: the relevance function.
        vocabulary: the topic vector.
        counts: counts of its words by slot, shape (len(SLOTS), n).
        statistics: document frequencies, those of the page included.
        length: length of the page's text in characters.
        text: further figures of the text, for functions that read them.
    """
    w = vocabulary.weights
    R = function.page(counts, w, statistics, vocabulary.name, length, text)
    shares = contributions(function.parts(counts, w, statistics, vocabulary.name), R)
    total = counts.sum(axis=0)
    present = np.flatnonzero(total)
    order = present[np.lexsort((present, -shares[present]))].tolist()
    words = tuple(
        WordPart(
            word=vocabulary.words[i].label,
            iri=vocabulary.words[i].iri,
            weight=float(w[i]),
            count=int(total[i]),
            slots={SLOTS[slot]: int(counts[slot, i]) for slot in np.flatnonzero(counts[:, i]).tolist()},
            contribution=float(shares[i]),
        )
        for i in order
    )
    return RelevanceParts(function.name, function.title, vocabulary.name, R, words)


def decision(judge: Judge, R: float) -> Decision:
    """Return the judge's decision about a page of relevance R."""
    return Decision(R, judge.threshold, judge.strict, judge.verdict(R))
