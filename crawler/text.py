"""Topic words and their occurrences in text.

A vocabulary is one topic vector (TK, GTK, LTK_1 .. of paper 000, section 3): words with weights, each with surface
forms in Chinese and English. One pass over a text serves all vocabularies.

Forms are matched by ontology.terms.form_matcher; English forms match their singular and plurals too. The papers
segment Chinese text first; substrings need no dictionary and find the same words except inside of longer ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from crawler.model import SLOT, SLOTS, Counts, Floats, Ids
from ontology.errors import OntocrawlError
from ontology.terms.form_matcher import BREAK, FormMatcher, Span, with_inflections
from ontology.terms.wordforms import normal

LANGUAGES = ("zh", "en")


class TopicError(OntocrawlError, ValueError):
    """Error for a topic that cannot be used; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Word:
    """A topic word: its weight and its surface forms as (language, form), languages "zh" and "en"."""

    label: str
    weight: float
    forms: tuple[tuple[str, str], ...]
    iri: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """A topic vector. A form of several words counts for the first of them; ``shadowed`` lists those of the others.

    Raises:
        TopicError: no words, a word without forms, a form that is blank or in an unknown language, a weight that is
            negative or not finite, or no word with a positive weight.
    """

    name: str
    words: tuple[Word, ...]
    shadowed: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)
    """(label, form) of every form that counts for an earlier word of the vocabulary."""

    def __post_init__(self) -> None:
        if not self.words:
            raise TopicError("crawler.words_none", name=self.name)
        for word in self.words:
            self._check(word)
        if not any(word.weight > 0 for word in self.words):
            raise TopicError("crawler.words_zero", name=self.name)
        owner: dict[str, Word] = {}
        lost = [
            (w.label, form) for w in self.words for _, form in w.forms if owner.setdefault(normal(form), w) is not w
        ]
        object.__setattr__(self, "shadowed", tuple(lost))

    def _check(self, word: Word) -> None:
        where = f"vocabulary {self.name}, word {word.label!r}"
        if not word.forms:
            raise TopicError("crawler.no_surface_forms_give", where=where)
        for language, form in word.forms:
            if language not in LANGUAGES:
                raise TopicError("crawler.form_language_known_zh", where=where, form=form, language=language)
            if not normal(form):
                raise TopicError("crawler.blank_form_remove_write", where=where)
        if not (math.isfinite(word.weight) and word.weight >= 0):
            raise TopicError("crawler.weight_must_finite_number", where=where, weight=word.weight)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def weights(self) -> Floats:
        """W_TK of Eq. (6): weights of the words, shape (n,), read-only."""
        w: Floats = np.array([word.weight for word in self.words])
        w.setflags(write=False)
        return w

    def joined(self, other: Vocabulary, share: float) -> Vocabulary:
        """Return this vector with the words of another one, which have a part of their weights.

        Words of the other vector all of whose forms are here too are left out.

        Args:
            other: the other vector.
            share: the part, such as 0.5.

        >>> TK = Vocabulary("TK", (Word("flood", 1.0, (("en", "flood"),)),))
        >>> GTK = Vocabulary("GTK", (Word("flood", 0.9, (("en", "flood"),)), Word("dam", 0.8, (("en", "dam"),))))
        >>> [(word.label, word.weight) for word in TK.joined(GTK, 0.5).words]
        [('flood', 1.0), ('dam', 0.4)]
        """
        here = {normal(form) for word in self.words for _, form in word.forms}
        more = (word for word in other.words if not here.issuperset(normal(form) for _, form in word.forms))
        return Vocabulary(self.name, (*self.words, *(replace(word, weight=share * word.weight) for word in more)))


@dataclass(frozen=True, slots=True)
class Matches:
    """The words of several vocabularies that a `Matcher` found in several texts."""

    number: int
    """That of the matcher."""
    places: Mapping[str, tuple[Ids, Ids, int]]
    """Vocabulary -> number of the text and of the word of each match, shape (matches,) each, and number of words n."""

    def counts(self, row_of: Ids, rows: int) -> dict[str, Counts]:
        """Count the occurrences of each word: vocabulary -> shape (rows, n).

        Args:
            row_of: row of each text, shape (texts,); texts of one row are added, one of row -1 is left out.
            rows: number of rows.
        """
        counts = dict[str, Counts]()
        for name, (text, word, n) in self.places.items():
            row = row_of[text]
            cells = row * n + word
            cells = cells[row >= 0] if len(row) and row.min() < 0 else cells
            counts[name] = np.bincount(cells, minlength=rows * n).reshape(rows, n)
        return counts


class Matcher:
    """Counter of the words of several vocabularies, in one pass over a text. Immutable.

    Args:
        vocabularies: the vocabularies.
        number: number of the weights of a crawl that they belong to: 0 for those with which it began.

    Raises:
        TopicError: two vocabularies have the same name.

    >>> flood = Vocabulary("TK", (Word("洪水", 1.0, (("zh", "洪水"), ("en", "flood"))),))
    >>> Matcher([flood]).count("Floods: 洪水")["TK"].tolist()
    [2]
    """

    def __init__(self, vocabularies: Sequence[Vocabulary], number: int = 0) -> None:
        names = [v.name for v in vocabularies]
        if len(set(names)) != len(names):
            raise TopicError(
                "crawler.vocabularies_same_name", names=", ".join(sorted(n for n in names if names.count(n) > 1))
            )
        self.vocabularies, self.number = tuple(vocabularies), number
        self._forms = FormMatcher([with_inflections(_forms(v)) for v in self.vocabularies])

    def count(self, text: str) -> dict[str, Counts]:
        """Count the occurrences of each word in a text: vocabulary -> shape (n,)."""
        return {name: rows[0] for name, rows in self.count_many([text]).items()}

    def count_many(self, texts: Sequence[str]) -> dict[str, Counts]:
        """Count the occurrences in each of several texts: vocabulary -> shape (len(texts), n). No match spans two."""
        return self.matches(texts).counts(np.arange(len(texts)), len(texts))

    def count_segments(self, segments: Iterable[tuple[str, str]]) -> dict[str, Counts]:
        """Count the occurrences per slot of a page's (slot, text) segments: vocabulary -> shape (len(SLOTS), n)."""
        pairs = tuple(segments)
        slots = np.array([SLOT[slot] for slot, _ in pairs], dtype=np.int64)
        return self.matches([text for _, text in pairs]).counts(slots, len(SLOTS))

    def spans(self, folded: str) -> dict[str, list[Span]]:
        """Return (start, end, number of the word) of each match in a folded text, by vocabulary, in order."""
        found = self._forms.spans(folded)
        return {v.name: [*spans] for v, spans in zip(self.vocabularies, found, strict=True)}

    def matches(self, texts: Sequence[str]) -> Matches:
        """Find the words in each of several texts, to be counted later. No match spans two texts."""
        whole, ends = joined(texts)
        found = self.spans(whole)
        starts = [start for spans in found.values() for start, _, _ in spans]
        text_of = np.searchsorted(ends, np.asarray(starts, dtype=np.int64), side="right")
        places, first = dict[str, tuple[Ids, Ids, int]](), 0
        for v, spans in zip(self.vocabularies, found.values(), strict=True):
            words = np.asarray([word for _, _, word in spans], dtype=np.int64)
            places[v.name] = text_of[first : first + len(spans)], words, len(v)
            first += len(spans)
        return Matches(self.number, places)


def joined(texts: Sequence[str]) -> tuple[str, Ids]:
    """Join texts for one pass over all, with breaks that are no letters and in no form.

    Returns:
        The folded text, and where the next one begins after each of the texts, shape (max(1, len(texts)),).
    """
    whole = f"{BREAK} ".join(texts)
    if whole.count(BREAK) >= max(1, len(texts)):
        whole = f"{BREAK} ".join(text.replace(BREAK, " ") for text in texts)
    folded = normal(whole)
    return folded, np.cumsum([len(text) + 1 for text in folded.split(BREAK)])


def _forms(vocabulary: Vocabulary) -> Iterator[tuple[str, int, bool]]:
    for number, word in enumerate(vocabulary.words):
        for language, form in word.forms:
            yield form, number, language == "en"
