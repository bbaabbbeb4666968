"""Explanation of a term: its figures and rank, why it was kept or dropped, and sentences that contain it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ontology.model import Document
from ontology.terms.extraction import MAX_TERMS, Selection, TermStudy
from ontology.terms.ngrams import MAX_WORDS
from ontology.terms.occurrences import TermMatcher, surface_forms, text_en, text_zh
from ontology.terms.sentences import sentences
from ontology.terms.term_figures import TermFigures, number_of_documents
from ontology.terms.wordforms import fold, has_han, inflections

Status = Literal["kept", "dropped", "no candidate"]
_SENTENCES = 3
_LONGER = 5
_NEIGHBOURS = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything known about one term.

    Attributes:
        asked: the term as the user wrote it.
        term: its preferred word in the lexicon, or else the term itself.
        status: "kept", "dropped", or "no candidate".
        reasons: why it is a candidate if it is kept, or else why it is not among the terms.
        rank: position among the terms that pass the rules, from 1; None if it does not pass.
        of: number of terms that pass.
        score: the score that terms are ranked by.
        document_frequency, frequency: documents that have it and its occurrences, as the formal context counts them
            (synonyms joined, occurrences inside longer terms only where it is their head).
        figures: figures of the term as an n-gram of title and abstract.
        in_lexicon: whether the lexicon has it.
        synonyms: other words of the lexicon that count for it.
        parts: contribution of each family of features to the log odds that it is a keyword, the mean over its
            documents.
        longer: longer candidates that contain it, (text, documents), the most common first.
        sentences: some sentences that have it or a synonym, (document id, sentence).
    """

    asked: str
    term: str
    status: Status
    reasons: tuple[str, ...]
    rank: int | None
    of: int
    score: float
    document_frequency: int
    frequency: int
    figures: TermFigures
    in_lexicon: bool
    synonyms: tuple[str, ...]
    parts: tuple[tuple[str, float], ...]
    longer: tuple[tuple[str, int], ...]
    sentences: tuple[tuple[str, str], ...]


def explain_term(study: TermStudy, asked: str, max_terms: int = MAX_TERMS) -> Explanation:
    """Explain why a term is, or is not, among the best terms of a study.

    Args:
        study: the candidates of a corpus.
        asked: a term, in any spelling.
        max_terms: number of terms that are kept.
    """
    selection = study.best(max_terms)
    term = _candidate(study, study.canonical(asked.strip()))
    measured = study.measured.get(term)
    passed, _ = study.ranked
    ranks = {t.text: n for n, t in enumerate(passed, 1)}
    forms = _forms(study, term)
    status, reasons = _verdict(study, selection, term, forms)
    entry = study.lexicon.entry(term)
    return Explanation(
        asked=asked,
        term=term,
        status=status,
        reasons=reasons,
        rank=ranks.get(term),
        of=len(passed),
        score=measured.score if measured else 0.0,
        document_frequency=measured.document_frequency if measured else 0,
        frequency=measured.frequency if measured else 0,
        figures=study.evidence.figures(term),
        in_lexicon=study.given.entry(term) is not None,
        synonyms=tuple(dict.fromkeys(entry.words))[1:] if entry else (),
        parts=study.evidence.parts(term),
        longer=_longer(study, term),
        sentences=_sentences(study, term, forms),
    )


def _candidate(study: TermStudy, term: str) -> str:
    """Return the candidate equal to a term when folded, or the term itself if there is none."""
    if term in study.measured:
        return term
    folded = fold(term)
    return next((t for t in study.measured if fold(t) == folded), term)


def _forms(study: TermStudy, term: str) -> tuple[str, ...]:
    entry = study.lexicon.entry(term)
    forms = entry.words if entry else (term,)
    return tuple(fold(f) for f in forms if f)


def _verdict(study: TermStudy, selection: Selection, term: str, forms: Sequence[str]) -> tuple[Status, tuple[str, ...]]:
    if term in selection.why:
        return "kept", selection.why[term]
    folded = fold(term)
    why = tuple(dict.fromkeys(reason for text, reason in selection.dropped if fold(text) == folded))
    holding = [d for d in study.documents if _holds(d, forms)]
    if why and (holding or study.lexicon.entry(term) is None):
        return "dropped", why
    if folded in study.black:
        return "dropped", ("on the black list",)
    if not holding:
        return "no candidate", (f"none of {number_of_documents(len(study.documents))} has it",)
    return "no candidate", (_why_no_candidate(study, folded, len(holding)),)


def _why_no_candidate(study: TermStudy, folded: str, documents: int) -> str:
    """Return the reason why a text that documents contain is no candidate n-gram."""
    often = f"in {number_of_documents(documents)}"
    tokens = study.rules.tokens(folded)
    if len(folded) < 2:
        return f"{often}, but a term has 2 characters or more"
    if len(tokens) > MAX_WORDS:
        return f"{often}, but longer than {MAX_WORDS} words: {'|'.join(t.text for t in tokens)}"
    stream = study.evidence.grams.stream
    closed = [t.text for t in tokens if (n := stream.number(t.text)) >= 0 and stream.closed[n]]
    if closed:
        return f"{often}, but no noun compound: {'|'.join(t.text for t in tokens)} holds {closed[0]}"
    within = sorted(
        ((int(n), w) for w, n in zip(stream.words, stream.counts, strict=True) if folded in w and w != folded),
        reverse=True,
    )
    words = ", ".join(f"{w} ({n})" for n, w in within[:_NEIGHBOURS])
    if words and not study.evidence.types.get(folded):
        return f"{often}, but never as a separate noun compound: inside longer words only, {words}"
    least = study.min_documents
    return f"{often}, but as a separate noun compound in fewer than {least}"


def _longer(study: TermStudy, term: str) -> tuple[tuple[str, int], ...]:
    folded = fold(term)
    held = {
        t.text: t.document_frequency
        for t in study.measured.values()
        if t.document_frequency and folded != fold(t.text) and _in(folded, fold(t.text))
    }
    return tuple(sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))[:_LONGER])


def _in(form: str, text: str) -> bool:
    if has_han(form):
        return form in text
    forms = "|".join(map(re.escape, inflections(form)))
    return re.search(rf"(?<![a-z0-9])(?:{forms})(?![a-z0-9])", text) is not None


def _holds(document: Document, forms: Sequence[str]) -> bool:
    text = fold(f"{text_zh(document)}\n{text_en(document)}")
    return any(_in(form, text) for form in forms)


def _sentences(study: TermStudy, term: str, forms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return a sentence with the term from each of the first documents that have one outside their keywords.

    Sentences where the formal context counts the term come first; only if there are none, any with its characters.
    """
    chinese, english = surface_forms([term], study.lexicon)
    zh, en = TermMatcher(chinese), TermMatcher(english, english=True)
    matched = _first(study.documents, lambda s: term in zh.count(s) or term in en.count(s))
    return matched or _first(study.documents, lambda s: any(_in(form, fold(s)) for form in forms))


def _first(documents: Sequence[Document], has: Callable[[str], bool]) -> tuple[tuple[str, str], ...]:
    examples: list[tuple[str, str]] = []
    for document in documents:
        fields = (document.title, document.abstract, document.title_en, document.abstract_en)
        hit = next((s for f in fields for s in sentences(f) if has(s)), None)
        if hit is not None:
            examples.append((document.id, hit))
        if len(examples) == _SENTENCES:
            break
    return tuple(examples)
