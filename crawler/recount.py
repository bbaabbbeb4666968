"""Counting the words of other vocabularies in pages that were counted before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crawler.model import SLOTS, Counts
from crawler.text import Matcher, Vocabulary, Word


class Recount:
    """Counter of the words of vocabularies in pages that were counted with earlier ones.

    A page is counted in its (slot, text) segments, as when it was fetched. Where these are not kept, words that the
    earlier vocabulary has keep their counts, and those of others are estimated: they are counted in the title, and in
    the main text as if it were paragraphs.
    """

    def __init__(self, before: Mapping[str, Vocabulary], after: Matcher) -> None:
        """Compare vocabularies; those with the same words and forms keep all counts, whatever the weights.

        Args:
            before: the earlier vocabularies.
            after: counter of the new ones.
        """
        self._after = {v.name: v for v in after.vocabularies}
        self._other = {
            name: v for name, v in self._after.items() if name not in before or _words(before[name]) != _words(v)
        }
        self._matcher = Matcher(tuple(self._other.values()))
        self._kept = {
            name: _places(_words(before[name]), _words(v)) for name, v in self._other.items() if name in before
        }

    def is_exact(self, segments: Sequence[tuple[str, str]] | None) -> bool:
        """Return whether the counts of a page are those that it would have had when it was fetched."""
        return segments is not None or not self._other

    def counts(
        self, earlier: Mapping[str, Counts], segments: Sequence[tuple[str, str]] | None, title: str, text: str
    ) -> dict[str, Counts]:
        """Return the counts of a page by slot, vocabulary -> shape (len(SLOTS), n).

        Args:
            earlier: its counts by the earlier vocabularies.
            segments: its (slot, text) segments; None where they are not kept.
            title: its title.
            text: its main text.
        """
        placed = (("title", title), ("p", text)) if segments is None else segments
        counted = self._matcher.count_segments(placed) if self._other else {}
        if segments is None:
            counted = {name: self._with_kept(name, earlier, matrix) for name, matrix in counted.items()}
        return {name: counted[name] if name in counted else earlier[name] for name in self._after}

    def _with_kept(self, name: str, earlier: Mapping[str, Counts], counted: Counts) -> Counts:
        if name not in self._kept:
            return counted
        now, then = self._kept[name]
        mixed = counted.reshape(len(SLOTS), -1).copy()
        mixed[:, now] = earlier[name][:, then]
        return mixed


def _words(vocabulary: Vocabulary) -> list[tuple[str, tuple[tuple[str, str], ...], str]]:
    return [_identity(word) for word in vocabulary.words]


def _identity(word: Word) -> tuple[str, tuple[tuple[str, str], ...], str]:
    return word.label, word.forms, word.iri


def _places(before: Sequence[object], after: Sequence[object]) -> tuple[list[int], list[int]]:
    """Return the places of the words of both lists, in ``after`` and in ``before``."""
    then = {word: place for place, word in enumerate(before)}
    both = [(place, then[word]) for place, word in enumerate(after) if word in then]
    return [now for now, _ in both], [place for _, place in both]
