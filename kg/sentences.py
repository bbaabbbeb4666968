"""Sentences as evidence: a text cut into sentences, each with the concepts that it names and where.

One form for pages and papers. ``ConceptNames`` matches the labels of concepts as the crawl counts them
(ontology.terms.form_matcher), and gives offsets in the sentence as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from kg.records import SENTENCE
from ontology.terms import sentence_spans
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.wordforms import normal, simplified, written_place

_KEPT = 2**15
"""Sentences whose key and names are kept: the pages of a site repeat many."""
_BREAKS = "，,、；;：: "
"""Where a sentence that is too long for the graph may be cut."""


@dataclass(frozen=True, slots=True)
class Name:
    """The first occurrence of a concept's label in a sentence."""

    iri: str
    start: int
    end: int
    """Offsets in the sentence."""


@dataclass(frozen=True, slots=True)
class NamingSentence:
    """A sentence of a text, with the concepts that it names."""

    text: str
    start: int
    end: int
    """Offsets in the text."""
    names: tuple[Name, ...] = ()
    """By their place; each concept once."""

    @property
    def id(self) -> str:
        """Key of the sentence in the graph: equal sentences are one node."""
        return _key(self.text)

    @property
    def folded(self) -> str | None:
        """The text in simplified characters; None where it is written in them."""
        return folded(self.text)


@lru_cache(_KEPT)
def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def folded(text: str) -> str | None:
    """Return a text in simplified characters, for a graph to find it by; None where it is written in them."""
    plain = simplified(text)
    return None if plain == text else plain


class ConceptNames:
    """The labels of concepts, to be found in sentences. Immutable.

    Args:
        forms: (IRI, language, form), languages "zh" and "en"; of equal forms the first counts.

    >>> names = ConceptNames([("#Flood", "en", "flood"), ("#Rain", "zh", "暴雨")])
    >>> [(s.text, s.names) for s in names.sentences("It rains. The Floods rose.")]
    [('It rains.', ()), ('The Floods rose.', (Name(iri='#Flood', start=4, end=10),))]
    """

    def __init__(self, forms: Iterable[tuple[str, str, str]]) -> None:
        number_of: dict[str, int] = {}
        numbered = [
            (form, number_of.setdefault(iri, len(number_of)), language == "en") for iri, language, form in forms
        ]
        self._iris = list(number_of)
        self._matcher = FormMatcher([with_inflections(numbered)])
        self._names = lru_cache(_KEPT)(self._names_in)

    def sentences(self, text: str) -> Iterator[NamingSentence]:
        """Yield the sentences of a text, in order; one longer than `SENTENCE` characters is cut into several."""
        for first, last in sentence_spans(text):
            for start, end in _bounded(text, first, last):
                sentence = text[start:end]
                yield NamingSentence(sentence, start, end, self._names(sentence))

    def _names_in(self, sentence: str) -> tuple[Name, ...]:
        first: dict[int, Name] = {}
        for start, end, number in self._matcher.spans(normal(sentence))[0]:
            if number not in first:
                place = written_place(sentence, start), written_place(sentence, end - 1) + 1
                first[number] = Name(self._iris[number], *place)
        return tuple(first.values())


NO_NAMES = ConceptNames(())


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a sentence into parts of at most `SENTENCE` characters, at a blank or a comma where there is one."""
    while end - start > SENTENCE:
        limit = start + SENTENCE
        cut = max(text.rfind(mark, start + SENTENCE // 2, limit) for mark in _BREAKS) + 1 or limit
        yield start, start + len(text[start:cut].rstrip())
        start = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
    if start < end:
        yield start, end
