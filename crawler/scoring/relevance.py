"""Relevance functions by name: the relevance of a page or a short text to a topic, in [0, 1].

A crawl has one judge, and each strategy one guide; both are in ``RELEVANCE``. Those of the papers are cosines, which do
not depend on length, so that one stray topic word makes a page relevant. ``density`` is the reconstruction of
algorithms.md, section 6, which ranks real labelled pages better; ``saturated`` is for long topic vectors;
``evidence`` is a probability, fitted on labelled pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Literal, Protocol

import numpy as np

from crawler.model import Counts, Floats, TextFigures
from crawler.scoring.logistic_relevance import Evidence, Saturated
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import PAPER_000, PAPER_003, PAPER_004, Norm, TagGroups, cosine, page_weights
from ontology.errors import OntocrawlError

# ---- semantic similarity vector space model (SSVSM): texts and topic as vectors over pairs of terms
#
# Source: Du, Liu, Lv, Peng 2015, of which the abstract was read: TF-IDF of terms and semantic similarities among terms
# build the vectors of a document and of the topic over the same double terms, and their cosine is the relevance. So a
# text without topic words is relevant if it has a word that is similar to one. The entries are a reconstruction [R]
# (algorithms.md 3.15); for terms t_i of the vocabulary and topic terms k_j
#
#     d_ij = w(t_i) Sem(t_i, k_j),   q_ij = w(k_j) Sem(t_i, k_j)
#
# with w(t_i) the TF-IDF of the text and w(k_j) the weight of the topic word. The terms of both are those of the
# topic's vocabulary, as the crawl counts no others. If every term is similar only to itself, Sem = I, this is the
# plain cosine. If some terms are similar, no text has R = 1, not even one with the weights of the topic, because d_ij
# has the weight of t_i and q_ij that of k_j. TF-IDF is the repaired Eq. (3) of paper 002 [R].


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
        w_d = _wang_landau_weights(counts.sum(axis=0)[np.newaxis], statistics.N, statistics.containing(vocabulary))
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
        w_d = _wang_landau_weights(F, statistics.N, statistics.containing(vocabulary))
        return double_term_cosine(w_d, w, Sem)


# ---- TF-IDF vectors of short texts over the crawled pages
#
# Paper 000 (FCOSA), section 4.3, Eqs. (9) and (10), for anchors; paper 002 (Wang-Landau), section 1, Eq. (3), for
# pages and anchors. Both divide by numbers that are 0 early in a crawl; traps T6 and T20 give the readings.


_Reading = Literal["repaired", "printed"]


def anchor_weights(F: Counts, N: int, N_i: Counts, *, base: float = np.e) -> Floats:
    """Compute w_ak of Eq. (9): f_i / sum_m f_m * log_s(N / N_i + .01).

    Args:
        F: frequencies f_i of the n topic words in m anchors, shape (m, n).
        N: number of crawled pages; 0 counts as 1 (trap T6).
        N_i: number of crawled pages that contain each word, shape (n,); 0 counts as 1 (trap T6).
        base: s, any number above 1; it cancels in Eq. (10).

    Returns:
        Shape (m, n); a row of zeros for an anchor without topic words.

    >>> anchor_weights(np.array([[1, 1], [0, 0]]), 10, np.array([10, 1])).round(3).tolist()
    [[0.005, 1.152], [0.0, 0.0]]
    """
    idf = np.log(max(N, 1) / np.maximum(N_i, 1) + 0.01) / np.log(base)
    w_ak: Floats = _tf(F) * idf  # Eq. (9)
    return w_ak


def _anchor_relevance(F: Counts, w_tk: Floats, N: int, N_i: Counts) -> Floats:
    """Compute R(A) of Eq. (10), the cosine of the topic vector and each anchor's vector.

    Args:
        F: frequencies f_i of the n topic words in m anchors, shape (m, n).
        w_tk: topic weights, shape (n,).
        N: number of crawled pages.
        N_i: number of crawled pages that contain each word, shape (n,).

    Returns:
        Shape (m,), in [0, 1]; 0 for an anchor without topic words.

    >>> _anchor_relevance(np.array([[1, 1], [0, 0]]), np.ones(2), 10, np.array([5, 5])).round(3).tolist()
    [1.0, 0.0]
    """
    return np.clip(cosine(w_tk, anchor_weights(F, N, N_i)), 0.0, 1.0)  # Eq. (10)


def _wang_landau_weights(F: Counts, D: int, D_i: Counts, *, reading: _Reading = "repaired") -> Floats:
    """Compute w_dk of Eq. (3) of paper 002: n_ji / sum_k n_jk * idf.

    Args:
        F: frequencies n_ji of the n topic words in m texts, shape (m, n).
        D: number of crawled pages, those of these texts included; 0 counts as 1.
        D_i: number of crawled pages that contain each word, shape (n,).
        reading: "printed", lg(D / (1 + D_i)), is negative for the first pages and falls as more pages contain the word
            (trap T20); "repaired" is ln((1 + D) / (1 + D_i)) + 1, always positive.

    Returns:
        Shape (m, n); a row of zeros for a text without topic words.

    >>> F, D_i = np.array([[1, 1]]), np.array([1, 3])
    >>> _wang_landau_weights(F, 3, D_i).round(3).tolist()
    [[0.847, 0.5]]
    >>> _wang_landau_weights(F, 3, D_i, reading="printed").round(3).tolist()
    [[0.088, -0.062]]
    """
    D = max(D, 1)
    idf = np.log10(D / (1.0 + D_i)) if reading == "printed" else np.log((1.0 + D) / (1.0 + D_i)) + 1.0
    w_dk: Floats = _tf(F) * idf  # Eq. (3)
    return w_dk


def _wang_landau_relevance(F: Counts, w_tk: Floats, D: int, D_i: Counts, *, reading: _Reading = "repaired") -> Floats:
    """Compute the cosine of the topic vector and Eq. (3), Eq. (4) of paper 002.

    Args:
        F: frequencies of the n topic words in m texts, shape (m, n).
        w_tk: topic weights, shape (n,).
        D: number of crawled pages.
        D_i: number of crawled pages that contain each word, shape (n,).
        reading: of Eq. (3), as in ``_wang_landau_weights``.

    Returns:
        Shape (m,), in [-1, 1] for the printed reading and in [0, 1] for the repaired one.

    >>> _wang_landau_relevance(np.array([[1, 1], [0, 1]]), np.ones(2), 3, np.array([3, 3])).round(3).tolist()
    [1.0, 0.707]
    """
    return cosine(w_tk, _wang_landau_weights(F, D, D_i, reading=reading))


def _tf(F: Counts) -> Floats:
    tf: Floats = F / np.maximum(F.sum(axis=-1, keepdims=True), 1)
    return tf


# ---- topic relevance of the niche genetic algorithm: the frequency of a word times the weight of its tag
#
# Source: Fan, Zeng, Li (paper 004), section III.B (golden numbers G13):
#
#     beta_i = x_i W(i),   S = cos(alpha, beta)
#
# with x_i the count of word i over the largest count of all words, and W(i) = 5 in the title, 3 in <a>, 2 in <meta>, 1
# elsewhere. The paper has no rule for a word in several tags: here it has the
# largest of their weights, or their sum (trap T34).


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
class _TagWeightCosine:
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


# ---- relevance functions by name: the relevance of a page or a short text to a topic, in [0, 1]


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
        return _anchor_relevance(F, w, statistics.N, statistics.containing(vocabulary))  # Eqs. (9), (10)

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
    reading: _Reading = "repaired"

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
        w_dk: Floats = _wang_landau_weights(counts.sum(axis=0)[np.newaxis], D, D_i, reading=self.reading)[0]
        return w * w_dk

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        D_i = statistics.containing(vocabulary)
        return np.clip(_wang_landau_relevance(F, w, statistics.N, D_i, reading=self.reading), 0.0, 1.0)  # Eq. (4)


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


_DENSITY = Density()


@dataclass(frozen=True, slots=True)
class WordDensity:
    """Topic weight per word of a page, for long lists of words in any language; not published.

    Pages: R = min(1, sum_i w_i c_i / (.06 (n + 170))) with n words, of which a text without blanks has one for two
    characters (`crawler.pages.words`). On English pages it is about ``density``: 170 words have 1,000 characters.
    Anchors as for ``density``.
    """

    name: str = "word_density"
    title: str = "Weighted topic words per word (not published)"
    full: float = 0.06
    """Topic weight per word that makes R = 1 on a long page."""
    short: float = 170.0
    """Words that are added to a page, so that a short one has no large R."""

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
        if text is None:
            raise ValueError("the relevance function word_density needs the figures of a page's text")
        return self.of(float(counts.sum(axis=0) @ w), text.words)

    def of(self, weight: float, words: float) -> float:
        """Return R(P) by the topic weight of a page and the number of its words.

        >>> WordDensity().of(15.0, 330)
        0.5
        """
        return min(1.0, weight / (self.full * (words + self.short)))

    def parts(self, counts: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute the part of each word in R(P), shape (n,)."""
        return _DENSITY.parts(counts, w, statistics, vocabulary)

    def anchors(self, F: Counts, w: Floats, statistics: Statistics, vocabulary: str) -> Floats:
        """Compute R(A) of short texts, shape (m,), in [0, 1]."""
        return _DENSITY.anchors(F, w, statistics, vocabulary)


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
    _TagWeightCosine(),
    _TagWeightCosine(
        "paper_004_sum", "The same, a word in several tags has the sum of their weights (trap T34)", several="sum"
    ),
    SemanticCosine(),
    Density(),
    WordDensity(),
    Saturated(),
    Evidence(),
)
RELEVANCE: Mapping[str, Relevance] = {function.name: function for function in _ALL}


def reads_text(function: Relevance) -> bool:
    """Return whether a function needs the figures of a page's text, which cost a pass over it."""
    return isinstance(function, Evidence | WordDensity)


def reads_frequencies(function: Relevance) -> bool:
    """Return whether the part of a word depends on the number of pages with it, which takes a pass over all pages."""
    return isinstance(function, WangLandauCosine | SemanticCosine)


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
    raise RelevanceError("scoring.guide_none", name=name, near=near[0], relevance=", ".join(RELEVANCE))
