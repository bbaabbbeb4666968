"""English sentences that state what is a kind of what, or that two names are the same.

Source: Hearst 1992 for the lists; *X is a Y* is the form of definitions, which entries of encyclopaedias and many
abstracts begin with. X, X1, .. are the narrower names:

    Y such as X1, X2     such Y as X1, X2     X1, X2 and other Y     Y including X1, X2     Y, especially X1
    Y (e.g. X1, X2)      Y (X1, X2)           Ys like X1, X2         Like other Ys, Xs ..
    X is a Y             X is a kind of Y     Xs are Ys              a Y called X
    X, also called Y     X (also known as Y)                         both are the same

The narrower one must be the whole noun phrase: *large dogs* states nothing about dogs. Of the broader one only the head
counts: a *small passerine bird* is a bird (english_sentence.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ontology.evidence.english_sentence import (
    QUOTES,
    EnglishNames,
    EnglishSentence,
    is_kind,
    is_plural,
    without_parentheses,
)
from ontology.evidence.statement import DEFINITION, Statement
from ontology.terms.wordforms import singular

TRIGGER = re.compile(
    r"\b(?:such|other|including|especially|particularly|e\.g|like|called|termed|known|is|are|was|were)\b|\(",
    re.IGNORECASE,
)
_COPULAS = {"is": False, "was": False, "are": True, "were": True}
"""Copula -> whether it is plural."""
_NO_SUBJECT = frozenset((
    "it", "they", "this", "these", "those", "there", "he", "she", "we", "which", "that", "who", "what", "you",
    "one", "some", "many", "most", "several", "few", "other", "another", "no", "its", "their", "our", "his",
    "her", "such",
))  # fmt: skip
"""A sentence that begins with one of these states nothing about every X."""
_RELATIONAL = frozenset((
    "part", "result", "number", "set", "lot", "end", "capital", "centre", "center", "site", "home", "head",
    "cause", "source", "product", "subject", "symbol", "piece", "amount", "combination", "collection",
    "cornerstone", "basis", "study", "use", "reason", "origin", "loss", "lack", "branch", "majority", "state",
    "degree", "field", "series", "component", "element",
))  # fmt: skip
"""Nouns that with *of* name a relation and no class: *a part of the brain*, *a source of protein*."""
_WORDS = frozenset(
    ("name", "term", "word", "phrase", "expression", "abbreviation", "acronym", "contraction", "synonym", "title")
)
"""Nouns of sentences about a word, not about what it means."""
_BEFORE_LIST = {"including": "Y including X", "especially": "Y, especially X", "particularly": "Y, especially X"}
"""Word before a list -> name of the pattern."""
_ALSO = frozenset(("also", "sometimes", "often", "commonly", "otherwise", "alternatively", "usually", "simply"))


def statements(text: str, names: EnglishNames, *, first: bool = False) -> Iterator[Statement]:
    """Find what a sentence states to be a kind of what, or the same.

    Args:
        text: an English sentence.
        names: the names of the corpus; the narrower one is always one of them, the broader one need not be.
        first: whether the sentence begins a text: *the heart is an organ* is a definition there; elsewhere *the city
            is a port* tells of one city.

    Yields:
        The statements.
    """
    sentence = EnglishSentence(text, names)
    for at, word in enumerate(sentence.words):
        if word in _BEFORE_LIST:
            yield from _class_and_list(sentence, at, at + 1, _BEFORE_LIST[word])
        elif word in _READERS:
            yield from _READERS[word](sentence, at)
    if "(" in text or "[" in text:
        sentence = EnglishSentence(without_parentheses(text), names)
    yield from _definition(sentence, names, first=first)


def _class_and_list(sentence: EnglishSentence, end: int, start: int, pattern: str) -> Iterator[Statement]:
    end -= any(sentence.at(end - 1, mark) for mark in (",", "(", "-", "–", "—"))
    broader = sentence.class_of(sentence.phrase_before(end), plural=True)
    if broader:
        for item in _items(sentence, start)[0]:
            yield Statement(item, broader, pattern)


def _such(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *Y such as X1, X2* and *such Y as X1, X2*."""
    if sentence.at(at + 1, "as"):
        yield from _class_and_list(sentence, at, at + 2, "Y such as X")
        return
    span = sentence.phrase_after(at + 1)
    broader = sentence.class_of(span, plural=True) if sentence.at(span[1], "as") else None
    if broader:
        for item in _items(sentence, span[1] + 1)[0]:
            yield Statement(item, broader, "such Y as X")


def _for_example(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *Y (e.g. X1, X2)*; one example alone is often one of the whole clause."""
    start = at + 1 + sentence.at(at + 1, ".")
    start += sentence.at(start, ",")
    if len(_items(sentence, start)[0]) > 1:
        yield from _class_and_list(sentence, at, start, "Y, e.g. X")


def _like(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *Ys like X1, X2*, and *Like other Ys, Xs ..*; but *dogs, like humans* compares."""
    if at > 0:
        if not sentence.at(at - 1, ",") and not sentence.determined(at + 1):
            yield from _class_and_list(sentence, at, at + 1, "Y like X")
        return
    start = at + 1 + sentence.at(at + 1, "most")
    if not (start > at + 1 or sentence.at(start, "other") or sentence.at(start, "all")):
        return
    span = sentence.phrase_after(start + (sentence.at(start, "other") or sentence.at(start, "all")))
    broader = sentence.class_of(span, plural=True) if sentence.at(span[1], ",") else None
    item = sentence.name_after(span[1] + 1)
    if broader and item and not sentence.determined(span[1] + 1):
        yield Statement(item[0], broader, "like other Y, X")


def _in_parentheses(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *Ys (X1, X2 and X3)*; the parenthesis has a list and nothing else."""
    items, end = _items(sentence, at + 1)
    if len(items) > 1 and sentence.at(end, ")") and not sentence.at(at + 1, "one"):
        yield from _class_and_list(sentence, at, at + 1, "Y (X1, X2)")


def _list_and_class(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *X1, X2 and other Y*; a verb may follow the class and look like a noun, so it ends with a plural."""
    if not (sentence.at(at - 1, "and") or sentence.at(at - 1, "or")):
        return
    start, end = sentence.phrase_after(at + 1)
    if start < end and sentence.compares(start):  # seals, cod and other larger fish
        return
    while end > start and not is_plural(sentence.words[end - 1]):
        end -= 1
    broader = sentence.class_of((start, end), plural=True)
    if broader:
        for item in _items_before(sentence, at - 1):
            yield Statement(item, broader, "X and other Y")


def _items(sentence: EnglishSentence, start: int) -> tuple[list[str], int]:
    """Return the names of the list that begins at a position, up to the first item that is none, and where it ends."""
    names: list[str] = []
    end = start
    while item := sentence.name_after(start):
        names.append(item[0])
        end = item[1]
        start = end + (sentence.at(end, ",", "and") or sentence.at(end, ",", "or"))
        if not any(sentence.at(start, joint) for joint in (",", "and", "or")):
            break
        start += 1
    return names, end


def _items_before(sentence: EnglishSentence, end: int) -> Iterator[str]:
    """Yield the names of the list that ends at a position, from right to left, up to the first item that is none."""
    while item := sentence.name_before(end - sentence.at(end - 1, ",")):
        name, end = item
        yield name
        if not any(sentence.at(end - 1, joint) for joint in (",", "and", "or")):
            return
        end -= 1


def _called(sentence: EnglishSentence, at: int) -> Iterator[Statement]:
    """Read *a Y called X*, *a Y known as X*, and *X, also called Y*."""
    if sentence.at(at, "known") and not sentence.at(at + 1, "as"):
        return
    start = at + 1 + sentence.at(at, "known")
    item = sentence.name_after(start)
    if item is None:
        return
    also = at > 0 and sentence.words[at - 1] in _ALSO
    if also and (sentence.at(at - 2, ",") or sentence.at(at - 2, "(")):
        same = sentence.name_before(at - 2)
        if same and same[0] != item[0]:
            yield Statement(item[0], same[0], "X, also called Y", "synonym")
        return
    span = sentence.phrase_before(at - also)
    broader = sentence.class_of(span) if sentence.at(span[0] - 1, "a") or sentence.at(span[0] - 1, "an") else None
    if broader:
        yield Statement(item[0], broader, "a Y called X")


_READERS: Mapping[str, Callable[[EnglishSentence, int], Iterator[Statement]]] = {
    "such": _such,
    "other": _list_and_class,
    "e.g": _for_example,
    "like": _like,
    "(": _in_parentheses,
    "called": _called,
    "termed": _called,
    "known": _called,
}
"""Word or mark -> the function that reads the pattern that it is part of."""


def _definition(sentence: EnglishSentence, names: EnglishNames, *, first: bool) -> Iterator[Statement]:
    """Read *X is a Y*, *X is a kind of Y* and *Xs are Ys*."""
    at = next((i for i, word in enumerate(sentence.words) if word in _COPULAS), 0)
    subjects = _subjects(sentence.words[:at], names, first=first)
    if subjects:
        start = at + 1 + sentence.at(at + 1, "also")
        broader = _predicate(sentence, start, names, plural=_COPULAS[sentence.words[at]])
        for subject in subjects if broader else ():
            yield Statement(subject, str(broader), DEFINITION)


def _subjects(words: list[str], names: EnglishNames, *, first: bool) -> list[str]:
    """Return the names that the words before the copula are: *the heart*, *cats and dogs*."""
    if ":" in words:  # Background: ..
        words = words[len(words) - words[::-1].index(":") :]
    if words and words[0] == "in" and "," in words:  # In computing, a byte is ..
        words = words[words.index(",") + 1 :]
    if not words or words[0] in _NO_SUBJECT or (words[0] == "the" and not first):
        return []
    subjects = _names_of(words, names)
    if not subjects and "," in words:  # The firecrest, Regulus ignicapillus, is ..
        subjects = _names_of(words[: words.index(",")], names)
    return subjects


def _names_of(words: list[str], names: EnglishNames) -> list[str]:
    """Return the names in a list of names: *cats, dogs and the bear*; none if one of the items is no name."""
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in (",", "and", "or"):
            pieces.append([])
        elif word not in QUOTES:
            pieces[-1].append(word)
    items = [piece[1:] if piece[:1] in (["a"], ["an"], ["the"]) else piece for piece in pieces if piece]
    found = [names.name(item) for item in items]
    return [name for name in found if name] if all(found) else []


def _predicate(sentence: EnglishSentence, start: int, names: EnglishNames, *, plural: bool) -> str | None:
    """Return the class that the words after a copula name."""
    if sentence.at(start, "one", "of", "the"):
        start, plural = start + 3, True
    elif not plural and not any(sentence.at(start, article) for article in ("a", "an", "the", "any")):
        return None
    span = sentence.phrase_after(start)
    while span[0] < span[1] and is_kind(sentence.words[span[1] - 1]) and sentence.at(span[1], "of"):
        if sentence.at(span[1] + 1, "the"):  # a member of the family Felidae
            return None
        span, plural = sentence.phrase_after(span[1] + 1), False
    head = singular(sentence.words[span[1] - 1]) if span[0] < span[1] else ""
    related = any(sentence.at(span[1], word) for word in ("of", "in", "for", "to"))
    activities = sentence.at(start, "the") and sentence.at(span[1], ",")  # engineering is the design, construction ..
    if head in _WORDS or activities or (related and head in _RELATIONAL):
        return None
    return sentence.class_of(span, plural=plural)
