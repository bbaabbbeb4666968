"""Candidate n-grams of a corpus with the measures of automatic term recognition.

C-value: Frantzi, Ananiadou and Mima 2000, "Automatic recognition of multi-word terms: the C-value/NC-value method",
International Journal on Digital Libraries 3, section 2 (the measure itself; log2|a| is log2(1 + |a|) here, so that
single words get a value too [R]). Left and right entropy: the entropy of the words beside a candidate, in nats; it is
low for a fragment of a longer term. Cohesion: the pointwise mutual information of a candidate's two parts, at the split
where it is lowest [R].

N-grams are numbered by pairs: an n-gram of n words is the pair (n-gram of its first n - 1 words, last word). There are
no hashes, so two n-grams never collide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology.terms.token_stream import TokenStream, joined

MAX_WORDS = 4
MAX_CHARACTERS = 24
_NONE = -1

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NGrams:
    """Every n-gram of a corpus without a closed word; t types, o occurrences, n tokens.

    Attributes:
        stream: the corpus.
        at: for each length 1 .. MAX_WORDS the type of the n-gram that begins at a token, -1 if there is none; each
            (n,).
        length: number of words of each type, (t,).
        first: token at which each type occurs first, (t,).
        frequency: occurrences of each type, (t,).

    >>> from ontology.model import Document
    >>> from ontology.terms.token_stream import token_stream
    >>> texts = ("urban flood", "urban flood", "river flood")
    >>> grams = ngrams(token_stream([Document(text, text, "") for text in texts]))
    >>> [grams.text(i) for i in range(grams.size)]
    ['urban', 'flood', 'river', 'urban flood', 'river flood']
    >>> grams.frequency.tolist(), grams.left_entropy.round(3).tolist()
    ([2, 3, 1, 2, 1], [0.0, 0.637, 0.0, 0.0, 0.0])
    >>> grams.c_value.round(2).tolist(), grams.cohesion.round(3).tolist()
    ([0.0, 1.0, 1.0, 3.17, 1.58], [0.0, 0.0, 0.0, 0.693, 0.693])
    """

    stream: TokenStream
    at: tuple[NDArray[np.int32], ...]
    length: Ints
    first: Ints
    frequency: Ints

    @property
    def size(self) -> int:
        """Number of types."""
        return len(self.length)

    @cached_property
    def occurrences(self) -> tuple[Ints, Ints]:
        """Type and first token of each occurrence, by length, then by token; each (o,)."""
        starts = [np.flatnonzero(types != _NONE) for types in self.at]
        return np.concatenate([types[s] for types, s in zip(self.at, starts, strict=True)]).astype(
            np.int64
        ), np.concatenate(starts)

    def text(self, ngram: int) -> str:
        """Return the text of a type."""
        return joined([self.stream.words[i] for i in self.word_ids(ngram)])

    def word_ids(self, ngram: int) -> list[int]:
        """Return the word numbers of a type."""
        start = int(self.first[ngram])
        return [int(i) for i in self.stream.ids[start : start + int(self.length[ngram])]]

    @cached_property
    def last_word(self) -> Ints:
        """Number of the last word of each type, (t,)."""
        ids: Ints = self.stream.ids[self.first + self.length - 1].astype(np.int64)
        return ids

    @cached_property
    def first_word(self) -> Ints:
        """Number of the first word of each type, (t,)."""
        return self.stream.ids[self.first].astype(np.int64)

    @cached_property
    def document_frequency(self) -> Ints:
        """Number of documents of each type, (t,)."""
        types, starts = self.occurrences
        pairs = distinct(types * self.stream.size + self.stream.records[starts])
        return np.bincount(pairs // max(self.stream.size, 1), minlength=self.size)

    def records(self, types: Sequence[int]) -> NDArray[np.int32]:
        """Return the numbers of the documents that have any of some types, in order, without repetition."""
        order, edges = self._by_type
        per_type = [self.stream.records[order[edges[t] : edges[t + 1]]] for t in types]
        return np.unique(np.concatenate(per_type)) if per_type else np.zeros(0, np.int32)

    @cached_property
    def _by_type(self) -> tuple[Ints, Ints]:
        """First tokens of all occurrences, grouped by type, and the start of each group; (o,) and (t + 1,)."""
        types, starts = self.occurrences
        return starts[np.argsort(types, kind="stable")], np.concatenate([[0], np.cumsum(self.frequency)])

    @cached_property
    def left_entropy(self) -> Floats:
        """Entropy of the words before each type, in nats, (t,)."""
        types, starts = self.occurrences
        return self._entropy(types, self.stream.ids[starts - 1])

    @cached_property
    def right_entropy(self) -> Floats:
        """Entropy of the words after each type, in nats, (t,)."""
        types, starts = self.occurrences
        return self._entropy(types, self.stream.ids[starts + self.length[types]])

    @cached_property
    def free_entropy(self) -> Floats:
        """The smaller of both entropies, each closed or weak word beside a type counted as a different one; (t,)."""
        types, starts = self.occurrences
        sides = (self.stream.ids[starts - 1], self.stream.ids[starts + self.length[types]])
        new = len(self.stream.words) + np.arange(len(types))
        left, right = (self._entropy(types, np.where(self.stream.weak[side], new, side)) for side in sides)
        return np.minimum(left, right)

    def _entropy(self, types: Ints, beside: NDArray[np.integer[Any]]) -> Floats:
        """Return H = ln f - (sum of c ln c) / f over the counts c of the words beside a type with f occurrences."""
        width = int(beside.max(initial=0)) + 1
        pairs, counts = np.unique(types * width + beside, return_counts=True)
        weighted = np.bincount(pairs // width, counts * np.log(counts), self.size)
        return np.maximum(np.log(self.frequency) - weighted / self.frequency, 0.0)

    @cached_property
    def nested(self) -> tuple[Ints, Ints]:
        """For each type the number of longer types that contain it, and the sum of their frequencies; each (t,).

        Longer types that occur once are no evidence and are not counted.
        """
        inner: list[Ints] = []
        outer: list[Ints] = []
        for n in range(2, len(self.at) + 1):
            longer = np.flatnonzero((self.length == n) & (self.frequency > 1))
            for m in range(1, n):
                for offset in range(n - m + 1):
                    inner.append(self.at[m - 1][self.first[longer] + offset].astype(np.int64))
                    outer.append(longer)
        codes = np.concatenate(inner) * self.size + np.concatenate(outer) if inner else np.zeros(0, np.int64)
        pairs = distinct(codes)
        held, holder = pairs // max(self.size, 1), pairs % max(self.size, 1)
        count = np.bincount(held, minlength=self.size)
        total = np.bincount(held, self.frequency[holder], self.size).astype(np.int64)
        return count, total

    @cached_property
    def c_value(self) -> Floats:
        """C-value log2(1 + |a|) (f(a) - sum of f(b) / P), P the number of longer types b that contain a; (t,)."""
        count, total = self.nested
        alone = self.frequency - np.where(count > 0, total / np.maximum(count, 1), 0.0)
        return np.log2(1 + self.length) * alone

    @cached_property
    def cohesion(self) -> Floats:
        """Minimum over splits a = bc of ln(p(a) / (p(b) p(c))), 0 for single words; (t,)."""
        least = np.where(self.length > 1, np.inf, 0.0)
        tokens = max(self.stream.tokens, 1)
        for n in range(2, len(self.at) + 1):
            mine = np.flatnonzero(self.length == n)
            start = self.first[mine]
            for cut in range(1, n):
                left = self.frequency[self.at[cut - 1][start]]
                right = self.frequency[self.at[n - cut - 1][start + cut]]
                bond = np.log(self.frequency[mine] * tokens / (left * right))
                least[mine] = np.minimum(least[mine], bond)
        return least


def ngrams(stream: TokenStream) -> NGrams:
    """Collect all n-grams of a corpus, of up to MAX_WORDS words, that no closed word interrupts."""
    open_ = ~stream.closed[stream.ids]
    types, first, frequency = _numbered(np.where(open_, stream.ids, _NONE).astype(np.int64))
    at, length, firsts, frequencies = [types], [np.ones(len(first), np.int64)], [first], [frequency]
    for n in range(2, MAX_WORDS + 1):
        shifted = np.concatenate([stream.ids, np.zeros(n, np.int32)])[n - 1 :][: len(stream.ids)].astype(np.int64)
        before = at[-1].astype(np.int64)
        goes_on = (before != _NONE) & ~stream.closed[shifted]
        types, first, frequency = _numbered(np.where(goes_on, before * len(stream.words) + shifted, _NONE))
        offset = sum(map(len, firsts))
        at.append(np.where(types == _NONE, _NONE, types + offset).astype(np.int32))
        length.append(np.full(len(first), n, np.int64))
        firsts.append(first)
        frequencies.append(frequency)
    return NGrams(stream, tuple(at), np.concatenate(length), np.concatenate(firsts), np.concatenate(frequencies))


def distinct(codes: Ints) -> Ints:
    """Return the different codes in ascending order, as np.unique does, which hashes them and takes much longer.

    >>> distinct(np.array([7, 2, 7, 5])).tolist()
    [2, 5, 7]
    """
    in_order = np.sort(codes)
    return in_order[np.flatnonzero(np.diff(in_order, prepend=in_order[:1] - 1))]


def _numbered(codes: Ints) -> tuple[NDArray[np.int32], Ints, Ints]:
    """Number codes 0, 1, .. (-1 stays); return also the place of each number's first occurrence, and its frequency."""
    places = np.flatnonzero(codes != _NONE)
    _, first, inverse, counts = np.unique(codes[places], return_index=True, return_inverse=True, return_counts=True)
    numbers = np.full(len(codes), _NONE, np.int32)
    numbers[places] = inverse
    return numbers, places[first], counts
