"""Features of a candidate in the whole corpus: its shape, its neighbours, its frequencies; see term_features.py."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontology.terms.keyness import Background, word_keyness
from ontology.terms.ngrams import MAX_CHARACTERS, Ints, NGrams, distinct
from ontology.terms.segment import NEW
from ontology.terms.wordforms import has_han

Columns = dict[str, NDArray[np.generic]]

OF_TYPE = (
    "one_word", "two_words", "three_words", "four_words", "log_characters", "one_character", "two_characters",
    "three_characters", "four_characters", "single_characters", "new_words", "log_documents", "log_documents_squared",
    "one_document", "title_share", "usually_free_left", "usually_free_right", "usually_free", "usually_enumerated",
    "usually_after_verb", "usually_before_of", "left_entropy", "right_entropy", "least_entropy", "log_longer_types",
    "log_nested", "log_c_value", "cohesion", "least_keyness", "mean_keyness", "greatest_keyness", "last_keyness",
    "log_commonest_word", "log_rarest_word", "log_first_word", "log_last_word",
)  # fmt: skip


class TypeFeatures:
    """The features of each n-gram type, t of them, that are the same in every document.

    Args:
        grams: the n-grams of the corpus.
        background: word frequencies for keyness.
    """

    def __init__(self, grams: NGrams, background: Background) -> None:
        self.grams = grams
        self._stream = grams.stream
        self._keyness = word_keyness(grams.stream, background)
        self._length = np.array([len(w) for w in self._stream.words])

    @cached_property
    def keyness(self) -> NDArray[np.float64]:
        """Mean log ratio of the words of each type, (t,)."""
        return self._over_words(self._keyness, "sum", 0.0) / self.grams.length

    @cached_property
    def candidate(self) -> NDArray[np.bool_]:
        """Mask of the candidate types: 2 to MAX_CHARACTERS characters, or a noun of one Han character, (t,)."""
        characters = self._over_words(self._length, "sum", 0)
        noun = np.array(
            [t in ("n", "ng") and has_han(w) for w, t in zip(self._stream.words, self._stream.tags, strict=True)]
        )
        single = (self.grams.length == 1) & noun[self.grams.first_word]
        return np.asarray((characters <= MAX_CHARACTERS) & ((characters >= 2) | single))

    @cached_property
    def documents(self) -> Ints:
        """Number of documents of each type, (t,)."""
        return self.grams.document_frequency

    @cached_property
    def titled(self) -> Ints:
        """Number of documents that have each type in the title, (t,)."""
        types, starts = self.grams.occurrences
        there = self._stream.in_title[starts]
        pairs = distinct(types[there] * self._stream.size + self._stream.records[starts[there]])
        return np.bincount(pairs // self._stream.size, minlength=self.grams.size)

    @cached_property
    def values(self) -> NDArray[np.float32]:
        """The columns OF_TYPE, (t, len(OF_TYPE))."""
        columns = self._shape() | self._company() | self._contrast()
        return np.stack([np.asarray(columns[name], np.float32) for name in OF_TYPE], axis=1)

    def _shape(self) -> Columns:
        g = self.grams
        characters = self._over_words(self._length, "sum", 0)
        return {
            "one_word": g.length == 1,
            "two_words": g.length == 2,
            "three_words": g.length == 3,
            "four_words": g.length == 4,
            "log_characters": np.log(characters),
            "one_character": characters == 1,
            "two_characters": characters == 2,
            "three_characters": characters == 3,
            "four_characters": characters == 4,
            "single_characters": self._over_words(self._length == 1, "sum", 0),
            "new_words": self._over_words(np.array([t == NEW for t in self._stream.tags]), "sum", 0),
        }

    def _company(self) -> Columns:
        """Return the frequency of each type and features of the words beside it."""
        g, stream = self.grams, self._stream
        types, starts = g.occurrences
        left, right = stream.ids[starts - 1], stream.ids[starts + g.length[types]]
        verb = np.array([t.startswith("v") and t != "vn" for t in stream.tags])
        comma, possessive = stream.number("、"), stream.number("的")

        def share(flag: NDArray[np.bool_]) -> NDArray[np.float64]:
            return np.bincount(types, flag, g.size) / g.frequency

        log_documents = np.log(self.documents)
        longer_types, longer_frequency = g.nested
        return {
            "log_documents": log_documents,
            "log_documents_squared": log_documents**2,
            "one_document": self.documents == 1,
            "title_share": self.titled / self.documents,
            "usually_free_left": share(stream.weak[left]),
            "usually_free_right": share(stream.weak[right]),
            "usually_free": share(stream.weak[left] & stream.weak[right]),
            "usually_enumerated": share((left == comma) | (right == comma)),
            "usually_after_verb": share(verb[left]),
            "usually_before_of": share(right == possessive),
            "left_entropy": g.left_entropy,
            "right_entropy": g.right_entropy,
            "least_entropy": np.minimum(g.left_entropy, g.right_entropy),
            "log_longer_types": np.log1p(longer_types),
            "log_nested": np.log1p(longer_frequency) - np.log(g.frequency),
            "log_c_value": np.sign(g.c_value) * np.log1p(np.abs(g.c_value)),
            "cohesion": g.cohesion,
        }

    def _contrast(self) -> Columns:
        g = self.grams
        common = np.log(np.maximum(self._word_documents, 1))
        return {
            "least_keyness": self._over_words(self._keyness, "min", np.inf),
            "mean_keyness": self.keyness,
            "greatest_keyness": self._over_words(self._keyness, "max", -np.inf),
            "last_keyness": self._keyness[g.last_word],
            "log_commonest_word": self._over_words(common, "max", -np.inf),
            "log_rarest_word": self._over_words(common, "min", np.inf),
            "log_first_word": common[g.first_word],
            "log_last_word": common[g.last_word],
        }

    def _over_words(self, of_word: NDArray[np.generic], how: str, missing: float) -> NDArray[np.float64]:
        """Return the sum, minimum or maximum of a value over the words of each type, (t,)."""
        ids, first, length = self._stream.ids, self.grams.first, self.grams.length
        last = len(ids) - 1
        columns = [
            np.where(length > k, of_word[ids[np.minimum(first + k, last)]], missing) for k in range(len(self.grams.at))
        ]
        stacked = np.stack(columns).astype(np.float64)
        fold: np.ufunc = {"sum": np.add, "min": np.minimum, "max": np.maximum}[how]
        return np.asarray(fold.reduce(stacked, axis=0), np.float64)

    @cached_property
    def _word_documents(self) -> Ints:
        stream = self._stream
        pairs = distinct(stream.ids.astype(np.int64) * stream.size + stream.records)
        return np.bincount(pairs // stream.size, minlength=len(stream.words))
