"""Contrastive terms: terms that relevant pages use and irrelevant ones do not.

Candidates, their counts and the exclusion rules are those of learning (ngrams.py, term_figures.py, term_rules.py).
The ranking differs, since pages have no keywords to learn from [R]:

    score = log2(1 + documents) * contrast * boundary * cohesion * variety * novelty
    contrast = (p1 - p0) / (p1 + p0),   p1, p0 = shares of the relevant, other documents, smoothed by the pooled share

boundary = min(1, smaller entropy of the neighbours / ln 4), each closed or weak neighbour a new word (Jin and
Tanaka-Ishii 2006); cohesion = (1 + NPMI) / 2 at the weakest split (Bouma 2009); variety = log(1 + contexts) /
log(1 + occurrences) lowers the score of a phrase that one template repeats; novelty is small for a common word of
general text. A candidate that occurs within a longer candidate in four of five documents is a fragment of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.form_matcher import AsWritten, in_simplified
from ontology.terms.keyness import general, general_english
from ontology.terms.lexicon import EMPTY, word_list
from ontology.terms.ngrams import Floats, Ints, NGrams
from ontology.terms.phrases import why_no_phrase
from ontology.terms.segment import NEW, Token, dictionary, segmenter
from ontology.terms.term_figures import Evidence
from ontology.terms.term_rules import Rules
from ontology.terms.token_stream import NUMBER
from ontology.terms.wordforms import has_han, plurals

_LEAST_ENTROPY = 0.5
"""Nats; 0.5 is one neighbour in four of five occurrences."""
_FRAGMENT = 0.8
_JUDGED = 10_000
"""Number of best candidates that the rules check."""
_COMMON = 1_000
"""Frequency in jieba's dictionary from which a single word is no technical term (效应 2,116, 台风 340, 内涝 20)."""
_VERBAL = 0.6
"""Novelty of an English phrase that begins or ends with a participle."""
_CLAUSE = 0.5
"""Factor of novelty for each verb within a Chinese compound."""
_LEAST_LOWER_CASE = 0.2
"""An English word that the texts spell in lower case less often is a name."""
_SHORTEST_WORD = 5
"""Letters of a single English word that is a term; shorter ones are mostly abbreviations and units."""
PLACES = "省市县区镇乡村"
"""Last characters of the names of places that are administered."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ContrastTerm:
    """A term with its score, the number of relevant documents that have it, and its quality.

    The quality is the part of the score that depends on no number of documents, as `significance` takes it.
    """

    text: str
    score: float
    documents: int
    quality: float = 1.0


def contrast_terms(
    documents: Sequence[Document],
    wanted: Bools,
    *,
    min_documents: int = 2,
    stop: Sequence[str] = (),
    is_known: Callable[[str], bool] = lambda text: False,
) -> list[ContrastTerm]:
    """Find terms that relevant documents have more often than the others.

    Args:
        documents: texts; their keywords are not read.
        wanted: whether each document is relevant, (len(documents),).
        min_documents: a term must occur in at least this many relevant documents.
        stop: words that no term contains, besides the bundled lists of words of web pages.
        is_known: returns True for a term to leave out.

    Returns:
        The terms by falling score, as the texts write them. An English term is in the singular.
    """
    if not wanted.any():
        return []
    plain = [replace(in_simplified(d), id=d.id) for d in documents]
    texts = (text for d in documents for text in (d.title, d.abstract))
    return AsWritten(texts).restored(_contrasted(plain, wanted, min_documents, stop, is_known))


def _contrasted(
    documents: Sequence[Document],
    wanted: Bools,
    min_documents: int,
    stop: Sequence[str],
    is_known: Callable[[str], bool],
) -> list[ContrastTerm]:
    """Return the terms of documents in simplified characters, by falling score."""
    closed = frozenset(stop) | word_list("stop_pages_zh") | word_list("stop_pages_en")
    evidence = Evidence(documents, EMPTY, general(), min_documents, stop=closed)
    scored = sorted(_scored(evidence, wanted, min_documents), key=lambda term: (-term.score, term.text))[:_JUDGED]
    judge = _Judge(evidence, closed)
    kept = {}
    for term in scored:
        novelty = judge.novelty(term.text)
        if novelty and not is_known(term.text):
            score = round(term.score * novelty, 6)
            kept[term.text] = ContrastTerm(term.text, score, term.documents, term.quality * novelty)
    longer = evidence.longer({text: term.documents for text, term in kept.items()})
    whole = (
        term
        for text, term in kept.items()
        if text not in longer or kept[longer[text]].documents < _FRAGMENT * term.documents
    )
    return sorted(whole, key=lambda term: (-term.score, term.text))


def _scored(evidence: Evidence, wanted: Bools, min_documents: int) -> Iterator[ContrastTerm]:
    """Yield the candidates with the part of their score that depends on counts."""
    grams = evidence.grams
    shape = _shape(grams)
    total = int(wanted.sum()), int((~wanted).sum())
    pages, others = _documents(grams, wanted)
    for text, types in evidence.types.items():
        relevant, elsewhere, main = int(pages[types[0]]), int(others[types[0]]), float(shape[types[0]])
        if len(types) > 1:
            records = wanted[grams.records(types)]
            relevant, elsewhere = int(records.sum()), int((~records).sum())
        if main > 0 and relevant >= min_documents:
            score = significance(relevant, elsewhere, *total, main)
            if score > 0:
                yield ContrastTerm(text, score, relevant, main)


def significance(relevant: int, elsewhere: int, relevant_total: int, others: int, quality: float) -> float:
    """Return the score of a term by the documents that have it.

    Args:
        relevant: relevant documents with the term.
        elsewhere: other documents with it, the background.
        relevant_total: all relevant documents.
        others: all other documents.
        quality: boundary * cohesion * variety * novelty, in [0, 1].

    >>> round(significance(8, 1, 10, 90, 1.0), 3), round(significance(1, 9, 10, 90, 1.0), 3)
    (3.068, 0.0)
    """
    return math.log2(1 + relevant) * _contrast(relevant, elsewhere, relevant_total, others) * quality


def _contrast(relevant: int, elsewhere: int, relevant_total: int, others: int) -> float:
    """Return (p1 - p0) / (p1 + p0), or 1 where there are no other documents.

    >>> round(_contrast(8, 1, 10, 90), 3), round(_contrast(1, 9, 10, 90), 3)
    (0.968, 0.0)
    """
    pooled = (relevant + elsewhere) / (relevant_total + others)
    p1, p0 = (relevant + pooled) / (relevant_total + 1), (elsewhere + pooled) / (others + 1)
    return (p1 - p0) / (p1 + p0) if others else 1.0


def _documents(grams: NGrams, wanted: Bools) -> tuple[Ints, Ints]:
    """Count the relevant and the other documents of each type, (t,) each."""
    types, starts = grams.occurrences
    pairs = np.unique(types * grams.stream.size + grams.stream.records[starts])
    owner, on = pairs // grams.stream.size, wanted[pairs % grams.stream.size]
    return np.bincount(owner[on], minlength=grams.size), np.bincount(owner[~on], minlength=grams.size)


def _shape(grams: NGrams) -> Floats:
    """Return boundary * cohesion * variety of each type, 0 where the neighbours are too few, (t,)."""
    entropy = grams.free_entropy
    information = np.maximum(-np.log(grams.frequency / max(grams.stream.tokens, 1)), 1e-12)
    cohesion = np.where(grams.length > 1, (1 + grams.cohesion / information) / 2, 1.0)
    boundary = np.minimum(1, entropy / math.log(4))
    return np.where(entropy >= _LEAST_ENTROPY, boundary * cohesion * _variety(grams), 0.0)


def _variety(grams: NGrams) -> Floats:
    """Return log(1 + different contexts) / log(1 + occurrences), (t,).

    A context is the two words before a type, or those after it, whichever varies less; all numbers count as equal.
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


def word_novelty(word: str) -> float:
    """Return the novelty of a single word by its frequency in general text, that of an English plural included.

    0 is a common word of the language, 1 one that general text lacks.

    >>> [round(word_novelty(word), 2) for word in ("house", "blizzard", "floodplain", "效应", "内涝")]
    [0.0, 0.37, 0.5, 0.0, 0.81]
    """
    if has_han(word):
        known = dictionary().get(word)
        times = float(known.frequency) if known else 0.0
    else:
        english = general_english()
        counted = sum(english.frequency.get(form, 0) for form in (word, *plurals(word)))
        times = counted * general().total / english.total  # in as many words as jieba's dictionary was counted on
    return max(0.0, 1 - (math.log1p(times) / math.log1p(_COMMON)) ** 2)


class _Judge:
    """Novelty of candidates: whether they are terms at all, and how rare they are in a general dictionary."""

    def __init__(self, evidence: Evidence, stop: frozenset[str]) -> None:
        self._evidence = evidence
        self._rules = Rules(EMPTY)
        self._stop = stop

    def novelty(self, text: str) -> float:
        """Return the novelty of a candidate in [0, 1]; 0 for one that is no term."""
        words = self._evidence.words(text)
        if self._rules.candidate(words):
            return 0.0
        return self._chinese(text, words) if has_han(text) else self._english(words)

    def _chinese(self, text: str, words: Sequence[Token]) -> float:
        last = words[-1]
        if last.text[-1] in PLACES and (len(last.text) == 1 or last.tag == NEW):
            return 0.0
        tagged = segmenter().cut(text)  # tags in the term; the rules use the tags of single words
        if any(word.text in self._stop for word in tagged) or why_no_phrase(tagged, text):
            return 0.0
        if len(words) > 1:
            return _CLAUSE ** sum(word.tag == "v" and len(word.text) > 1 for word in tagged)
        return word_novelty(text)

    def _english(self, words: Sequence[Token]) -> float:
        """Return the novelty of a compound or a word that the texts do not spell as a name."""
        names = (word for word in words if self._evidence.lower_case(word.text) < _LEAST_LOWER_CASE)
        if next(names, None):
            return 0.0
        if len(words) < 2:
            word = words[0].text
            return word_novelty(word) if len(word) >= _SHORTEST_WORD and word.isalpha() else 0.0
        verbal = words[0].text.endswith(("ing", "ed")) or words[-1].text.endswith("ing")
        return _VERBAL if verbal else 1.0
