"""Topic words and their occurrences in text.

A vocabulary is one topic vector (TK, GTK, LTK_1 .. of paper 000, section 3): words with weights, each with surface
forms in Chinese and English. One pass of an Aho-Corasick automaton over a text serves all vocabularies; overlapping
matches are resolved within each vocabulary alone (leftmost, then longest), so that one never changes the counts of
another.

Matching: text and forms are compared after Unicode NFKC, case folding, and folding of hyphens and white space to one
blank, so that "Heavy-Rain" is "heavy rain". A form that begins or ends with a letter of an alphabet or a digit must do
so at a word boundary ("rain" is not in "train"); Chinese characters bound nothing, so Chinese forms match as
substrings. English forms match their simple plurals too. The papers segment Chinese text first; substrings need no
dictionary and find the same words except inside of longer ones.
"""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import ahocorasick
import numpy as np

from crawler.model import SLOT, SLOTS, Counts, Floats

LANGUAGES = ("zh", "en")
_BLANKS = "-\u2010\u2011\u2012\u2013_"
_NOTHING = "\u00ad\u200b\ufeff"
_WIDE = tuple(
    (c, unicodedata.normalize("NFKC", c))
    for c in "\uff0c\uff1a\uff1b\uff01\uff1f\uff08\uff09\uff05\uff0e\uff0f\uff5e\u2026\u3000"
)
"""Punctuation of Chinese text that NFKC changes. To replace it first is 30 times faster than to let NFKC do it."""
_BREAK = "\x00"
"""Stands between texts that are matched in one pass; no form contains it."""


class TopicError(ValueError):
    """A topic that cannot be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Word:
    """One topic word: its weight and its surface forms as (language, form), languages "zh" and "en"."""

    label: str
    weight: float
    forms: tuple[tuple[str, str], ...]
    iri: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """One topic vector. Where two words have the same form the first one has it; ``shadowed`` lists what others lost.

    Raises:
        TopicError: no words, a word without forms, a form that is blank or in an unknown language, a weight that is
            negative or not finite, or no word with a positive weight.
    """

    name: str
    words: tuple[Word, ...]
    shadowed: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)
    """(label, form) of forms that belong to an earlier word of the vocabulary."""

    def __post_init__(self) -> None:
        if not self.words:
            raise TopicError(f"vocabulary {self.name} has no words: give the topic at least one")
        for word in self.words:
            self._check(word)
        if not any(word.weight > 0 for word in self.words):
            raise TopicError(f"vocabulary {self.name}: all weights are 0, so every page would have R = 0")
        owner: dict[str, Word] = {}
        lost = [
            (w.label, form) for w in self.words for _, form in w.forms if owner.setdefault(normal(form), w) is not w
        ]
        object.__setattr__(self, "shadowed", tuple(lost))

    def _check(self, word: Word) -> None:
        where = f"vocabulary {self.name}, word {word.label!r}"
        if not word.forms:
            raise TopicError(f"{where} has no surface forms: give it at least one, in zh or en")
        for language, form in word.forms:
            if language not in LANGUAGES:
                raise TopicError(f"{where}: form {form!r} has the language {language!r}; known are zh and en")
            if not normal(form):
                raise TopicError(f"{where} has a blank form: remove it or write the word")
        if not (math.isfinite(word.weight) and word.weight >= 0):
            raise TopicError(f"{where} has the weight {word.weight!r}; it must be a finite number, 0 or more")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def weights(self) -> Floats:
        """W_TK of Eq. (6): weights of the words, shape (n,)."""
        w: Floats = np.array([word.weight for word in self.words])
        w.setflags(write=False)
        return w


def normal(text: str) -> str:
    """Text as it is matched: NFKC, case folded, hyphens and runs of white space as one blank, none at the ends."""
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    text = unicodedata.normalize("NFKC", text).casefold()
    for hyphen in _BLANKS:
        text = text.replace(hyphen, " ")
    for invisible in _NOTHING:
        text = text.replace(invisible, "")
    return " ".join(text.split())


def plurals(form: str) -> tuple[str, ...]:
    """Simple English plurals of a normal form's last word; none where its last character is not a Latin letter."""
    last = form[-1]
    if not ("a" <= last <= "z"):
        return ()
    if last == "y" and len(form) > 1 and form[-2] not in "aeiou ":
        return (f"{form[:-1]}ies",)
    if last in "sxz" or form.endswith(("ch", "sh")):
        return (f"{form}es",)
    return (f"{form}s",)


class Matcher:
    """Counts the words of several vocabularies in one pass. Immutable; build once per crawl."""

    def __init__(self, vocabularies: Sequence[Vocabulary]) -> None:
        names = [v.name for v in vocabularies]
        if len(set(names)) != len(names):
            raise TopicError(
                f"vocabularies of the same name: {', '.join(sorted(n for n in names if names.count(n) > 1))}"
            )
        self.vocabularies = tuple(vocabularies)
        self._automaton = ahocorasick.Automaton()
        entries: dict[str, list[tuple[int, int]]] = {}
        for v, vocabulary in enumerate(self.vocabularies):
            for form, word in _forms(vocabulary).items():
                entries.setdefault(form, []).append((v, word))
        for form, uses in entries.items():
            bounded = (_bounds(form[0]), _bounds(form[-1]))
            self._automaton.add_word(form, (len(form), *bounded, tuple(uses)))
        self._automaton.make_automaton()

    def count(self, text: str) -> dict[str, Counts]:
        """Occurrences of each word in a text; vocabulary -> shape (n,)."""
        return {name: rows[0] for name, rows in self.count_many([text]).items()}

    def count_many(self, texts: Sequence[str]) -> dict[str, Counts]:
        """Occurrences in each of several texts; no match spans two. Vocabulary -> shape (len(texts), n)."""
        return self._count(texts, range(len(texts)), len(texts))

    def count_segments(self, segments: Iterable[tuple[str, str]]) -> dict[str, Counts]:
        """Occurrences per slot of a document's (slot, text) segments; vocabulary -> shape (len(SLOTS), n)."""
        pairs = tuple(segments)
        return self._count([text for _, text in pairs], [SLOT[slot] for slot, _ in pairs], len(SLOTS))

    def _count(self, texts: Sequence[str], rows: Sequence[int], height: int) -> dict[str, Counts]:
        counts = [np.zeros((height, len(v)), dtype=np.int64) for v in self.vocabularies]
        # One pass over all texts; the break is no letter, and forms do not contain it.
        joined = f"{_BREAK} ".join(text.replace(_BREAK, " ") for text in texts)
        whole = normal(joined)
        starts = _starts(whole) if len(texts) > 1 else [0]
        for v, found in enumerate(self._found(whole)):
            table = counts[v]
            for at, _, word in _leftmost_longest(found):
                table[rows[bisect_right(starts, at) - 1], word] += 1
        return {v.name: table for v, table in zip(self.vocabularies, counts, strict=True)}

    def _found(self, text: str) -> list[list[tuple[int, int, int]]]:
        """All matches at word boundaries as (start, -length, word), per vocabulary."""
        found: list[list[tuple[int, int, int]]] = [[] for _ in self.vocabularies]
        size = len(text)
        for end, (length, left, right, uses) in self._automaton.iter(text):
            start = end + 1 - length
            if left and start > 0 and _bounds(text[start - 1]):
                continue
            if right and end + 1 < size and _bounds(text[end + 1]):
                continue
            for v, word in uses:
                found[v].append((start, -length, word))
        return found


def _forms(vocabulary: Vocabulary) -> dict[str, int]:
    """Normal form -> index of the word that has it. A form that is written beats a plural that is only implied."""
    written: dict[str, int] = {}
    implied: dict[str, int] = {}
    for i, word in enumerate(vocabulary.words):
        for language, form in word.forms:
            written.setdefault(normal(form), i)
            for plural in plurals(normal(form)) if language == "en" else ():
                implied.setdefault(plural, i)
    return {**implied, **written}


def _leftmost_longest(found: list[tuple[int, int, int]]) -> Iterable[tuple[int, int, int]]:
    """The matches that remain where each takes the text it covers: the earliest first, of these the longest."""
    free = 0
    for match in sorted(found):
        if match[0] >= free:
            free = match[0] - match[1]
            yield match


def _starts(whole: str) -> list[int]:
    """Where each of the joined texts begins."""
    starts, at = [0], whole.find(_BREAK)
    while at >= 0:
        starts.append(at + 1)
        at = whole.find(_BREAK, at + 1)
    return starts


def _bounds(character: str) -> bool:
    """Whether a character is part of an alphabetic word or number, and so must not stand next to a match's end."""
    if character.isascii():
        return character.isalnum()
    return character.isalnum() and not _is_ideographic(character)


def _is_ideographic(character: str) -> bool:
    """Scripts that are written without blanks between words."""
    code = ord(character)
    return 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or code >= 0x20000


def word_table(vocabularies: Mapping[str, Vocabulary]) -> dict[str, tuple[str, ...]]:
    """Vocabulary -> labels of its words, in the order of every count vector."""
    return {name: tuple(word.label for word in vocabulary.words) for name, vocabulary in vocabularies.items()}
