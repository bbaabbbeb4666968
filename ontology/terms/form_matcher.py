"""Matching of surface forms in text, all in one pass (Aho and Corasick 1975).

Text and forms are compared as `normal` folds them, so that "Heavy-Rain" equals "heavy rain". A form that begins or
ends with a letter of an alphabet or a digit must do so at a word boundary ("rain" is not in "train"); Chinese
characters have no boundaries, so Chinese forms match as substrings. Overlapping matches are resolved leftmost, then
longest, within each group of forms separately, so that one group never changes the matches of another.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import ahocorasick

from ontology.errors import Message
from ontology.terms.wordforms import has_han, inflections, normal, simplified

BREAK = "\x00"
"""Separator of texts that are matched in one pass; no form contains it."""

Span = tuple[int, int, int]
"""Start, end, and number of the matched form."""


class FormMatcher:
    """An immutable matcher of several groups of forms in one pass.

    Args:
        groups: for each group its forms, folded by `normal` and not empty, with their numbers.

    >>> rain, place = FormMatcher([{"heavy rain": 0, "rain": 1}, {"china": 7}]).spans("heavy rain in china, no train")
    >>> list(rain), list(place)
    ([(0, 10, 0)], [(14, 19, 7)])
    """

    def __init__(self, groups: Sequence[Mapping[str, int]]) -> None:
        self._size = len(groups)
        self._automaton = ahocorasick.Automaton()
        entries: dict[str, list[tuple[int, int]]] = {}
        for group, forms in enumerate(groups):
            for form, number in forms.items():
                entries.setdefault(form, []).append((group, number))
        self._uses = list(entries.values())
        for form_number, (form, uses) in enumerate(entries.items()):
            number = uses[0][1] if self._size == 1 else form_number
            self._automaton.add_word(form, (len(form), _bounds(form[0]), _bounds(form[-1]), number))
        self._automaton.make_automaton()

    def spans(self, text: str) -> list[Iterator[Span]]:
        """Find the forms in a text folded by `normal`; for each group its spans, leftmost-longest, in order."""
        return [_leftmost_longest(matches) for matches in self._matches(text)]

    def spans_within(self, text: str) -> list[list[Span]]:
        """Find the forms in a text folded by `normal`, those within or across others too; for each group in order.

        >>> FormMatcher([{"storm surge": 0, "surge": 1}]).spans_within("storm surge")
        [[(0, 11, 0), (6, 11, 1)]]
        """
        return [
            [(start, start - minus_length, number) for start, minus_length, number in sorted(matches)]
            for matches in self._matches(text)
        ]

    def _matches(self, text: str) -> list[list[Span]]:
        """Return all matches at word boundaries as (start, -length, number), per group."""
        found, last = list[Span](), len(text) - 1
        for end, (length, opens, closes, number) in self._automaton.iter(text) if self._automaton else ():
            start = end + 1 - length
            if opens and start > 0 and _bounds(text[start - 1]):
                continue  # the word begins before the form
            if closes and end < last and _bounds(text[end + 1]):
                continue
            found.append((start, -length, number))
        if self._size == 1:
            return [found]
        matches: list[list[Span]] = [[] for _ in range(self._size)]
        for start, minus_length, form_number in found:
            for group, number in self._uses[form_number]:
                matches[group].append((start, minus_length, number))
        return matches


def with_inflections(forms: Iterable[tuple[str, int, bool]]) -> dict[str, int]:
    """Fold forms for a `FormMatcher`, and add the singular and plurals of English ones.

    Args:
        forms: (form, number, whether it is English). Of equal forms the first one counts; a form of the list takes
            precedence over an inflection of another.

    Returns:
        Folded form -> number.

    >>> with_inflections([("Flood", 0, True), ("内涝", 1, False)])
    {'flood': 0, 'floods': 0, '内涝': 1}
    """
    written: dict[str, int] = {}
    implied: dict[str, int] = {}
    for form, number, english in forms:
        folded = normal(form)
        if folded:
            written.setdefault(folded, number)
            for other in inflections(folded) if english else ():
                implied.setdefault(other, number)
    return implied | written


def leftmost_longest(spans: Iterable[Span]) -> list[Span]:
    """Return spans that do not overlap: the earliest first, of several that begin there the longest."""
    return list(_leftmost_longest([(start, start - end, number) for start, end, number in spans]))


def _leftmost_longest(matches: list[Span]) -> Iterator[Span]:
    """Yield matches that do not overlap: the earliest first, of several that begin there the longest."""
    free = 0
    for start, minus_length, number in sorted(matches):
        if start >= free:
            free = start - minus_length
            yield start, free, number


@lru_cache(maxsize=1 << 12)
def _bounds(character: str) -> bool:
    """Return whether a character is part of an alphabetic word or number, so that no match may end beside it."""
    if character.isascii():
        return character.isalnum()
    return character.isalnum() and not _is_ideographic(character)


def _is_ideographic(character: str) -> bool:
    """Return whether a character belongs to a script that is written without blanks between words."""
    code = ord(character)
    return 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or code >= 0x20000


# ---- texts in traditional characters: read in simplified ones, shown as they were written
#
# Segmenter, word lists, curated classes and sentence patterns are in simplified characters, so that texts are made
# simplified before they are read (`in_simplified`). Since no place in a text changes by that, what was found is looked
# for in the texts afterwards, and gets the characters that are there (`AsWritten`).


_T = TypeVar("_T")
_ADDRESS = "://"
"""Texts with it are URLs and IRIs, which are nobody's words."""


def in_simplified(value: _T) -> _T:
    """Return a text, or a value with texts, in simplified characters; the same object where nothing changes.

    Args:
        value: a text, a tuple, list, set, dict or dataclass, nested as deep as need be; other objects stay as they are.

    >>> in_simplified({"a": ("颱風", "flood")})
    {'a': ('台风', 'flood')}
    """
    result: _T = _mapped(value, simplified)
    return result


def _mapped(value: Any, text_of: Callable[[str], str]) -> Any:
    if isinstance(value, Message):
        values = _mapped(value.values, text_of)
        return value if values is value.values else Message(value.code, **values)
    if isinstance(value, str):
        return value if _ADDRESS in value else text_of(value)
    if is_dataclass(value) and not isinstance(value, type):
        before = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        after = {name: _mapped(part, text_of) for name, part in before.items()}
        changed = {name: part for name, part in after.items() if part is not before[name]}
        return replace(value, **changed) if changed else value
    if isinstance(value, Mapping):
        pairs = [(_mapped(k, text_of), _mapped(v, text_of)) for k, v in value.items()]
        same = all(k is a and v is b for (a, b), (k, v) in zip(value.items(), pairs, strict=True))
        return value if same else dict(pairs)
    if isinstance(value, tuple | list | frozenset | set):
        parts = [_mapped(part, text_of) for part in value]
        same = all(one is part for one, part in zip(value, parts, strict=True))
        return value if same else type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, each once."""
    found: dict[str, None] = {}

    def text_of(text: str) -> str:
        found[text] = None
        return text

    _mapped(value, text_of)
    yield from found


class AsWritten:
    """The spelling of names and sentences in some texts.

    Args:
        texts: the texts as they are written.
        labels: names that are written like this whatever the texts have.
        kept: what is no text, such as ids of documents, and stays as it is.
        words: a value with names that are written like this where no text has them, such as a lexicon's entries.
        cased: whether names of Han characters with Latin letters get the capitals of the texts, whatever the script.

    >>> AsWritten(["溶液的pH值"], cased=True).restored(("ph值", "溶液"))
    ('pH值', '溶液')
    >>> AsWritten(["颱風過後的積水", "颱風警報", "台风"], words=["內澇"]).restored(("台风", "积水", "内涝", "flood"))
    ('颱風', '積水', '內澇', 'flood')
    """

    def __init__(
        self,
        texts: Iterable[str],
        labels: Iterable[str] = (),
        words: Any = (),
        kept: Iterable[str] = (),
        *,
        cased: bool = False,
    ) -> None:
        self._pairs = [(text, simplified(text)) for text in texts]
        self._labels = {simplified(label): label for label in labels}
        self._words = {plain: word for word in _texts(words) if (plain := simplified(word)) != word}
        self._kept = {one: one for one in kept}
        self._cased = cased
        self._differ = bool(self._words) or any(a != b for a, b in (*self._pairs, *self._labels.items()))

    def restored(self, value: _T) -> _T:
        """Return a value with its texts as they are most often written.

        Of what is not in the texts, such as a message or the name of a curated class, each character is restored.

        Args:
            value: anything that `in_simplified` takes, found in simplified texts.
        """
        names = [text for text in _texts(value) if has_han(text)]
        if not self._differ:
            names = [text for text in names if self._cased and text != text.upper()]
        if not names:
            return value
        spelled = self._words | self._spelled(names) | self._labels | self._kept
        characters = self._characters()
        result: _T = _mapped(value, lambda text: spelled.get(text) or text.translate(characters))
        return result

    def _spelled(self, names: Sequence[str]) -> dict[str, str]:
        """Return name -> its most common spelling, for the names in the texts."""
        matcher = FormMatcher([{self._folded(name): number for number, name in enumerate(names)}])
        counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for text, plain in self._pairs:
            folded = " ".join(unicodedata.normalize("NFKC", text).split())
            for written, read in {(text, plain), (folded, simplified(folded))}:
                for start, end, number in matcher.spans_within(self._folded(read))[0]:
                    counts[number][written[start:end]] += 1
        return {names[number]: _most_common(of) for number, of in sorted(counts.items())}

    def _folded(self, text: str) -> str:
        """Return a text without capitals, where these count and every character keeps its place."""
        lower = text.lower() if self._cased else text
        return lower if len(lower) == len(text) else text

    def _characters(self) -> dict[int, str]:
        """Return the code of a simplified character -> the one that the texts mostly have in its place."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text, plain in self._pairs:
            if text != plain:
                for written, read in zip(text, plain, strict=True):
                    if written != read:
                        counts[read][written] += 1
        for text, _ in self._pairs:
            for read in counts.keys() & set(text):
                counts[read][read] += text.count(read)
        return {ord(read): _most_common(of) for read, of in counts.items()}


def _most_common(counts: Counter[str]) -> str:
    return min(counts, key=lambda one: (-counts[one], one))
