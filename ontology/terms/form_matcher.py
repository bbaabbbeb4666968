"""Matching of surface forms in text, all in one pass (Aho and Corasick 1975).

Text and forms are compared as `normal` folds them, so that "Heavy-Rain" equals "heavy rain". A form that begins or
ends with a letter of an alphabet or a digit must do so at a word boundary ("rain" is not in "train"); Chinese
characters have no boundaries, so Chinese forms match as substrings. Overlapping matches are resolved leftmost, then
longest, within each group of forms separately, so that one group never changes the matches of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import ahocorasick

from ontology.terms.wordforms import inflections, normal

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
            bounded = _bounds(form[0]) or _bounds(form[-1])
            number = uses[0][1] if self._size == 1 else form_number
            self._automaton.add_word(form, (len(form), bounded, number))
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
        found = [
            (end + 1 - length, -length, number)
            for end, (length, bounded, number) in (self._automaton.iter(text) if self._automaton else ())
            if not bounded or _at_bounds(text, end + 1 - length, end + 1)
        ]
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


def _at_bounds(text: str, start: int, end: int) -> bool:
    """Return whether no alphabetic word or number goes on across the start or the end of a part of a text."""
    if start > 0 and _bounds(text[start]) and _bounds(text[start - 1]):
        return False
    return end == len(text) or not (_bounds(text[end - 1]) and _bounds(text[end]))


def _bounds(character: str) -> bool:
    """Return whether a character is part of an alphabetic word or number, so that no match may end beside it."""
    if character.isascii():
        return character.isalnum()
    return character.isalnum() and not _is_ideographic(character)


def _is_ideographic(character: str) -> bool:
    """Return whether a character belongs to a script that is written without blanks between words."""
    code = ord(character)
    return 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7FF or 0xF900 <= code <= 0xFAFF or code >= 0x20000
