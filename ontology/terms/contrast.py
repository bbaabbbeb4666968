"""Terms that set some documents apart from others: what relevant pages speak of and irrelevant ones do not.

Candidates, their counts and the rules that say no are those of learning (ngrams.py, term_figures.py, term_rules.py).
The ranking is another, since pages have no keywords to learn from [R]:

    score = log2(1 + documents) * contrast * boundary * cohesion * variety * novelty
    contrast = (p1 - p0) / (p1 + p0),   p1, p0 = shares of the relevant, other documents, smoothed by the pooled share

boundary = min(1, smaller entropy of the neighbours / ln 4), each closed or weak neighbour a new word (Jin and
Tanaka-Ishii 2006); cohesion = (1 + NPMI) / 2 at the weakest joint (Bouma 2009); variety = log(1 + surroundings) /
log(1 + occurrences) holds down what one formula repeats; novelty is small for a common word of general text. What
stands in four of five documents within a longer candidate is a fragment of that one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.keyness import general
from ontology.terms.lexicon import EMPTY, word_list
from ontology.terms.ngrams import Floats, Ints, NGrams
from ontology.terms.phrases import why_no_phrase
from ontology.terms.segment import Token, dictionary, segmenter
from ontology.terms.term_figures import Evidence
from ontology.terms.term_rules import Rules
from ontology.terms.token_stream import NEW, NUMBER
from ontology.terms.wordforms import has_han

_LEAST_ENTROPY = 0.5
"""Nats; 0.5 is one neighbour in four of five occurrences."""
_FRAGMENT = 0.8
_JUDGED = 10_000
"""Candidates, best first, that the rules judge."""
_COMMON = 1_000
"""From this frequency in jieba's dictionary on, a single word is no technical term (效应 2,116, 台风 340, 内涝 20)."""
_VERBAL = 0.6
"""Novelty of an English phrase that begins or ends with a participle."""
_CLAUSE = 0.5
"""Factor of novelty for each verb within a Chinese compound."""
_LEAST_LOWER_CASE = 0.2
"""An English word that the texts spell in lower case less often is a name."""
_PLACES = "省市县区镇乡村"

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ContrastTerm:
    """A term with the number of wanted documents that have it."""

    text: str
    score: float
    documents: int


def contrast_terms(
    documents: Sequence[Document],
    wanted: Bools,
    *,
    min_documents: int = 2,
    stop: Sequence[str] = (),
    is_known: Callable[[str], bool] = lambda text: False,
) -> list[ContrastTerm]:
    """Find terms that wanted documents have more often than the others.

    Args:
        documents: texts; their keywords are not read.
        wanted: which documents the terms are wanted of, (len(documents),).
        min_documents: wanted documents that must have a term.
        stop: words that no term holds, besides the bundled lists of words of web pages.
        is_known: terms that are left out.

    Returns:
        The terms by falling score. An English term is in the singular.
    """
    if not wanted.any():
        return []
    closed = frozenset(stop) | word_list("stop_pages_zh") | word_list("stop_pages_en")
    evidence = Evidence(documents, EMPTY, general(), min_documents, stop=closed)
    scored = sorted(_scored(evidence, wanted, min_documents), key=lambda term: (-term.score, term.text))[:_JUDGED]
    judge = _Judge(evidence, closed)
    kept = {}
    for term in scored:
        novelty = judge.novelty(term.text)
        if novelty and not is_known(term.text):
            kept[term.text] = ContrastTerm(term.text, round(term.score * novelty, 6), term.documents)
    longer = evidence.longer({text: term.documents for text, term in kept.items()})
    whole = (
        term
        for text, term in kept.items()
        if text not in longer or kept[longer[text]].documents < _FRAGMENT * term.documents
    )
    return sorted(whole, key=lambda term: (-term.score, term.text))


def _scored(evidence: Evidence, wanted: Bools, min_documents: int) -> Iterator[ContrastTerm]:
    """The candidates with their scores, as far as the counts tell."""
    grams = evidence.grams
    shape = _shape(grams)
    total = int(wanted.sum()), int((~wanted).sum())
    pages, others = _documents(grams, wanted)
    for text, types in evidence.types.items():
        found, elsewhere, main = int(pages[types[0]]), int(others[types[0]]), float(shape[types[0]])
        if len(types) > 1:
            records = wanted[grams.records(types)]
            found, elsewhere = int(records.sum()), int((~records).sum())
        if main > 0 and found >= min_documents:
            score = math.log2(1 + found) * _contrast(found, elsewhere, *total) * main
            if score > 0:
                yield ContrastTerm(text, score, found)


def _contrast(found: int, elsewhere: int, wanted: int, others: int) -> float:
    pooled = (found + elsewhere) / (wanted + others)
    p1, p0 = (found + pooled) / (wanted + 1), (elsewhere + pooled) / (others + 1)
    return (p1 - p0) / (p1 + p0) if others else 1.0


def _documents(grams: NGrams, wanted: Bools) -> tuple[Ints, Ints]:
    """Wanted documents and others of each type, (t,) each."""
    types, starts = grams.occurrences
    pairs = np.unique(types * grams.stream.size + grams.stream.records[starts])
    owner, on = pairs // grams.stream.size, wanted[pairs % grams.stream.size]
    return np.bincount(owner[on], minlength=grams.size), np.bincount(owner[~on], minlength=grams.size)


def _shape(grams: NGrams) -> Floats:
    """boundary * cohesion * variety of each type, 0 where the neighbours are too few, (t,)."""
    entropy = grams.free_entropy
    information = np.maximum(-np.log(grams.frequency / max(grams.stream.tokens, 1)), 1e-12)
    cohesion = np.where(grams.length > 1, (1 + grams.cohesion / information) / 2, 1.0)
    boundary = np.minimum(1, entropy / math.log(4))
    return np.where(entropy >= _LEAST_ENTROPY, boundary * cohesion * _variety(grams), 0.0)


def _variety(grams: NGrams) -> Floats:
    """log(1 + different surroundings) / log(1 + occurrences), (t,).

    A surrounding is the two words before a type, and those behind it, whichever is less varied; numbers are alike.
    """
    types, starts = grams.occurrences
    stream = grams.stream
    alike = np.arange(len(stream.words))
    numbers = np.flatnonzero([tag == NUMBER for tag in stream.tags])
    alike[numbers] = numbers[:1]
    words, last = alike[stream.ids], len(stream.ids) - 1
    ends = starts + grams.length[types]
    least = np.full(grams.size, np.inf)
    for near, far in ((starts - 1, np.maximum(starts - 2, 0)), (ends, np.minimum(ends + 1, last))):
        _, around = np.unique(words[near] * len(alike) + words[far], return_inverse=True)
        pairs = np.unique(types * (int(around.max(initial=0)) + 1) + around)
        least = np.minimum(least, np.bincount(pairs // (int(around.max(initial=0)) + 1), minlength=grams.size))
    return np.asarray(np.log1p(least) / np.log1p(grams.frequency), np.float64)


class _Judge:
    """Judges candidates as words: whether they are terms at all, and how much a general dictionary lacks them."""

    def __init__(self, evidence: Evidence, stop: frozenset[str]) -> None:
        self._evidence = evidence
        self._rules = Rules(EMPTY)
        self._stop = stop

    def novelty(self, text: str) -> float:
        """In [0, 1]; 0: not a term."""
        words = self._evidence.words(text)
        if self._rules.candidate(words):
            return 0.0
        return self._chinese(text, words) if has_han(text) else self._english(words)

    def _chinese(self, text: str, words: Sequence[Token]) -> float:
        last = words[-1]
        if last.text[-1] in _PLACES and (len(last.text) == 1 or last.tag == NEW):
            return 0.0
        tagged = segmenter().cut(text)  # the rules know the classes of words in general, this the ones in the term
        if any(word.text in self._stop for word in tagged) or why_no_phrase(tagged, text):
            return 0.0
        if len(words) > 1:
            return _CLAUSE ** sum(word.tag == "v" and len(word.text) > 1 for word in tagged)
        known = dictionary().get(text)
        return max(0.0, 1 - (math.log1p(known.frequency) / math.log1p(_COMMON)) ** 2) if known else 1.0

    def _english(self, words: Sequence[Token]) -> float:
        """Compounds that the texts do not spell as names."""
        names = (word for word in words if self._evidence.lower_case(word.text) < _LEAST_LOWER_CASE)
        if len(words) < 2 or next(names, None):
            return 0.0
        verbal = words[0].text.endswith(("ing", "ed")) or words[-1].text.endswith("ing")
        return _VERBAL if verbal else 1.0
