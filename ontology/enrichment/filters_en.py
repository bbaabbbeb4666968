"""What is no English term in a sentence: names, dates, units, clauses and fragments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ontology.terms.noun_phrases_en import ADJECTIVES, NOUNS, PARTICIPLES, words_of
from ontology.terms.tagger_en import tag_words
from ontology.terms.wordforms import normal, singular

NAME = "name: written with capitals"
_GRADED = frozenset(("JJR", "JJS"))
_OPEN = NOUNS | ADJECTIVES | PARTICIPLES
_VERBAL = PARTICIPLES | {"VBD"}
_BEFORE_NOUN = frozenset(("DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "CC", "TO", ",", "(", ":"))
"""Tags of words that a noun phrase follows. A participle that begins a phrase elsewhere is the verb of a clause."""
_SENTENCE_MARKS = frozenset(".!?:;\"“”'")
_MONTHS = "(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october"
_DATE = re.compile(rf"(?:\d+|{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?")


def why_no_term_in(sentence: str, forms: Sequence[str]) -> str:
    """Return the reason why a term is no noun phrase in a sentence, or "".

    Args:
        sentence: the sentence as written.
        forms: the spellings of the term.
    """
    spelled = words_of(sentence)
    span = _span([normal(word) for word in spelled], forms)
    if span is None:
        joined = next((form for form in forms if f"-{form.lower()}" in sentence.lower()), "")
        return f"fragment: a hyphen joins {joined} to a word" if joined else ""
    start, end = span
    tags = tag_words([w.lower() if start <= at < end else w for at, w in enumerate(spelled)])
    if _is_named(spelled, start, end):
        return NAME
    graded = next((w.lower() for w, tag in zip(spelled[start:end], tags[start:end], strict=True) if tag in _GRADED), "")
    if graded:
        return f"description: {graded} compares"
    before = tags[start - 1] if start else ""
    if tags[start] in _VERBAL and end > start + 1 and before not in _BEFORE_NOUN:
        return f"part of a clause: {spelled[start].lower()} is a verb"
    if before == "CD" and end == start + 1:
        return "unit: a number stands before it"
    if _DATE.fullmatch(spelled[start].lower()) or _DATE.fullmatch(spelled[end - 1].lower()):
        return "date"
    if tags[end - 1] not in NOUNS and not _is_gerund(tags, start, end):
        return f"ends with {spelled[end - 1].lower()}, which is no noun"
    odd = next((w.lower() for w, tag in zip(spelled[start:end], tags[start:end], strict=True) if tag not in _OPEN), "")
    if odd:
        return f"part of a clause: {odd}"
    after = tags[end] if end < len(tags) else ""
    if after in ("NN", "NNS") and spelled[end][0].isalpha():
        return "fragment: a noun follows it"
    return ""


def _is_gerund(tags: Sequence[str], start: int, end: int) -> bool:
    """Return whether a phrase ends with a gerund that is its noun: *localized flooding*, *the street ponding*."""
    before = tags[start - 1] if start else ""
    described = end - start > 1 and tags[end - 2] in ADJECTIVES | PARTICIPLES
    return tags[end - 1] == "VBG" and (described or before in ("DT", "PRP$"))


def _span(words: Sequence[str], forms: Iterable[str]) -> tuple[int, int] | None:
    """Return where the words of one of some forms stand in a sentence, the last one in any number."""
    for form in forms:
        parts = normal(form).split()
        for start in range(len(words)):
            joined: list[str] = []
            for end in range(start, min(start + len(parts), len(words))):
                joined += words[end].split()
                if len(joined) >= len(parts):
                    break
            same = joined[:-1] == parts[:-1] and bool(joined) and singular(joined[-1]) == singular(parts[-1])
            if same:
                return start, end + 1
    return None


def _is_named(spelled: Sequence[str], start: int, end: int) -> bool:
    """Return whether some words are written with capitals, although they do not begin a sentence."""
    begins = start == 0 or spelled[start - 1] in _SENTENCE_MARKS
    words = spelled[start + 1 : end] if begins else spelled[start:end]
    return bool(words) and all(word[0].isupper() for word in words)
