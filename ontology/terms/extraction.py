"""Candidate terms of a corpus and their ranking.

Sources of candidates: the authors' keywords, the words of the domain lexicon, and noun compounds (phrases.py). Synonyms
of the lexicon count for their preferred word. The ranking is our own (papers 000 and Zhu 2017 filter by hand):

    score(t) = log2(1 + |t|) * df(t) * (1 + [author keyword] + [lexicon])            |t| in characters

which is C-value's length factor (Frantzi, Ananiadou and Mima 2000, Eq. 2) times the number of documents. Its other
part, taking the occurrences inside longer terms away, is done by the leftmost-longest matching that df is counted with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ontology.model import Document, Term
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.occurrences import fold, term_counts
from ontology.terms.phrases import (
    MAX_LENGTH,
    chinese_phrases,
    is_class_name,
    is_place,
    names_region,
    sentences,
)
from ontology.terms.segment import Segmenter, Token, segmenter

MAX_TERMS = 400
MIN_DOCUMENTS = 2
MIN_COMPOUND_DOCUMENTS = 3
_TIME_OR_NAME = ("t", "m", "nrt", "q")


class TermError(ValueError):
    """No term, or a term that no document contains: what was asked, what was found, what to do."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The terms kept, by falling score, and the reason for each candidate that was dropped."""

    terms: tuple[Term, ...]
    dropped: tuple[tuple[str, str], ...]


def extract_terms(
    documents: Sequence[Document],
    lexicon: Lexicon = EMPTY,
    *,
    wanted: Iterable[str] = (),
    min_documents: int = MIN_DOCUMENTS,
    max_terms: int = MAX_TERMS,
) -> tuple[Term, ...]:
    """The terms of a corpus by falling score; see `explain_terms`."""
    return explain_terms(documents, lexicon, wanted=wanted, min_documents=min_documents, max_terms=max_terms).terms


def explain_terms(
    documents: Sequence[Document],
    lexicon: Lexicon = EMPTY,
    *,
    wanted: Iterable[str] = (),
    min_documents: int = MIN_DOCUMENTS,
    max_terms: int = MAX_TERMS,
) -> Selection:
    """The terms of a corpus by falling score, and why the other candidates were dropped.

    Args:
        documents: the corpus.
        lexicon: adds its words as candidates and joins synonyms.
        wanted: terms that the caller names; kept whatever their rank.
        min_documents: a term must be in at least so many documents (compounds that no author gave as a keyword: in
            one more).
        max_terms: the best so many are kept; wanted terms come on top.

    Raises:
        TermError: a wanted term is in no document, or nothing is left.
    """
    keywords, dropped = _keywords(documents, lexicon)
    asked = tuple(dict.fromkeys(lexicon.canonical(w) for w in wanted))
    sure = dict.fromkeys((*asked, *keywords, *(e.zh for e in lexicon.entries)))
    compounds = _compounds(documents, lexicon, sure)
    found = _measured(documents, (*sure, *compounds), lexicon, frozenset(keywords))
    _check_wanted(asked, found)
    least = {t: min_documents if t in sure else max(min_documents, MIN_COMPOUND_DOCUMENTS) for t in found}
    kept = [t for t in found.values() if t.document_frequency >= least[t.text] or t.text in asked]
    dropped += [
        (t.text, f"in {t.document_frequency} documents, fewer than {least[t.text]}")
        for t in found.values()
        if t.document_frequency < least[t.text] and t.text not in asked
    ]
    kept.sort(key=lambda t: (t.text not in asked, -t.score, t.text))
    cut = max(max_terms, len(asked))
    dropped += [(t.text, f"rank {n}, below the best {cut}") for n, t in enumerate(kept[cut:], cut + 1)]
    if not kept:
        raise TermError(
            f"{len(documents)} documents give no term that {min_documents} of them share; add documents or lower the "
            "smallest number of documents"
        )
    return Selection(tuple(sorted(kept[:cut], key=lambda t: (-t.score, t.text))), tuple(sorted(dropped)))


def _keywords(documents: Sequence[Document], lexicon: Lexicon) -> tuple[dict[str, None], list[tuple[str, str]]]:
    """Author keywords that can name a class, and the others with the reason."""
    words = segmenter(tuple(lexicon.by_zh))
    kept: dict[str, None] = {}
    dropped: dict[str, str] = {}
    for keyword in dict.fromkeys(k for d in documents for k in d.keywords):
        reason = "" if keyword in lexicon.by_zh else _why_no_class(keyword, words)
        if reason:
            dropped[keyword] = reason
        else:
            kept[lexicon.canonical(keyword)] = None
    return kept, sorted(dropped.items())


def _why_no_class(keyword: str, words: Segmenter) -> str:
    """Why a keyword names no class of the domain; empty if it may."""
    folded = fold(keyword)
    if not 2 <= len(folded) <= MAX_LENGTH or folded.isascii():
        return f"not a Chinese word of 2 to {MAX_LENGTH} characters"
    if any(c in ";|\t\"'“”‘’/\\%<>" for c in folded):
        return "has marks that no term has"
    tokens = [t for t in words.cut(keyword) if t.text.strip()]
    last = Token("", "x") if not tokens else tokens[-1]
    if not is_class_name(keyword, last.text):
        return "generic word or description"
    if names_region(keyword) or is_place(last) or all(t.tag.startswith("ns") for t in tokens):
        return "place"
    if all(t.tag.startswith(_TIME_OR_NAME) for t in tokens):
        return "time, number or foreign name"
    return ""


def _compounds(documents: Sequence[Document], lexicon: Lexicon, sure: dict[str, None]) -> list[str]:
    """Noun compounds in enough documents that do not occur almost only inside one longer compound."""
    words = segmenter(tuple(lexicon.by_zh))
    spread: Counter[str] = Counter()
    for document in documents:
        phrases = (p for s in sentences(f"{document.title}\n{document.abstract}") for p in chinese_phrases(s, words))
        spread.update({p for p in phrases if len(p) >= 4 and lexicon.canonical(p) not in sure and not names_region(p)})
    often = {p: n for p, n in spread.items() if n >= MIN_COMPOUND_DOCUMENTS}
    longer: dict[str, int] = {}
    for phrase, n in often.items():
        for part in {phrase[i:j] for i in range(len(phrase)) for j in range(i + 4, len(phrase) + 1)} - {phrase}:
            longer[part] = max(longer.get(part, 0), n)
    return sorted(p for p, n in often.items() if n - longer.get(p, 0) >= 2 or not longer.get(p))


def _measured(
    documents: Sequence[Document], texts: Sequence[str], lexicon: Lexicon, keywords: frozenset[str]
) -> dict[str, Term]:
    """Every candidate with its figures, in the given order; candidates without an occurrence have zeros."""
    spread: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for counts in term_counts(documents, texts, lexicon):
        spread.update(counts.keys())
        total.update(counts)
    known = {e.zh for e in lexicon.entries}
    measured = {}
    for text in texts:
        factor = 1 + (text in keywords) + (text in known)
        score = math.log2(1 + len(text)) * spread[text] * factor
        measured[text] = Term(text, spread[text], total[text], score, text in keywords)
    return measured


def _check_wanted(asked: Sequence[str], found: dict[str, Term]) -> None:
    missing = [t for t in asked if found[t].document_frequency == 0]
    if missing:
        raise TermError(
            f"no document contains {', '.join(missing)}; take the word out, or add documents or synonyms that have it"
        )
