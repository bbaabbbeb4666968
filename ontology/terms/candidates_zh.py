"""Chinese candidates: the n-grams of the texts (ngrams.py) that can be terms, and why the others cannot.

Candidates that the authors give as keywords, and words of the lexicon, are accepted elsewhere (extraction.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ontology.terms.term_figures import Evidence, number_of_documents
from ontology.terms.term_rules import Rules
from ontology.terms.wordforms import has_han

MIN_COMPOUND_DOCUMENTS = 3
MIN_WORD_CHANCE = 0.06
"""Minimum mean probability to be a keyword, for a word of the texts that is in no author's keywords nor the lexicon."""
MIN_BOUND = 0.2
"""Minimum share of the occurrences of a compound of the texts that no noun follows (全国体育), or precedes (法分析)."""
_ALONE = 2
"""A part of a longer compound must be in at least this many documents more than the compound."""


def chinese_candidates(
    evidence: Evidence, rules: Rules, known: Collection[str], min_documents: int
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the candidates of the Chinese texts, and why other n-grams are none.

    Args:
        evidence: the n-grams and their figures.
        rules: the rules about words.
        known: folded terms that other sources have; they are candidates already.
        min_documents: a candidate is in this many documents, and in `MIN_COMPOUND_DOCUMENTS`.

    Returns:
        Candidate as spelled -> folded; n-gram that is none -> the reason.
    """
    least = max(min_documents, MIN_COMPOUND_DOCUMENTS)
    refused: dict[str, str] = {}
    spread: dict[str, int] = {}
    for text, often in evidence.n_grams():
        if often < least:
            continue
        reason = "" if text in known else rules.candidate(evidence.words(text))
        if reason:
            refused[text] = reason
        else:
            spread[text] = often
    fragments = _fragments(spread, evidence)
    kept: dict[str, str] = {}
    for text, often in spread.items():
        if text in known:
            continue
        reason = fragments.get(text, "") or _why_no_term(text, often, evidence)
        if reason:
            refused[text] = reason
        else:
            kept[evidence.spelled(text)] = text
    return kept, refused


def _fragments(spread: Mapping[str, int], evidence: Evidence) -> dict[str, str]:
    """Return why candidates (text -> documents) are dropped that are almost only part of one longer candidate."""
    return {
        part: f"almost only within {text} ({spread[text]} of {number_of_documents(spread[part])})"
        for part, text in evidence.longer(spread).items()
        if spread[part] - spread[text] < _ALONE
    }


def _why_no_term(text: str, often: int, evidence: Evidence) -> str:
    """Return the reason why a candidate is no term: part of phrases, too general, unlike a keyword."""
    if not has_han(text):
        return "" if " " in text else "a single English word that is no keyword"
    if len(evidence.words(text)) > 1:
        for share, where in zip(evidence.bounds_phrases(text), ("after", "before"), strict=True):
            if share < MIN_BOUND:
                return f"{where} a noun in {1 - share:.0%} of its occurrences: part of longer phrases"
    if len(text) >= 4:
        return ""
    figures = evidence.figures(text)
    if figures.keyness <= 0:
        return "as common in general text as here"
    chance = figures.expected / max(often, 1)
    return "" if chance >= MIN_WORD_CHANCE else f"seldom like a keyword (mean chance {chance:.3f})"
