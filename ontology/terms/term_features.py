"""Features of a candidate in a document: its position, its construction, its behaviour in the corpus.

Every feature is one column with a name (`NAMES`), so that a score is a sum that can be printed. None of them depends on
the authors' keywords. The choice of features is not from a paper [R]; position, frequency and document frequency are
those of KEA (Witten et al. 1999), the others come from ngrams.py, keyness.py and the words beside the candidate.

Rows are computed block by block of documents: all of them at once would need a gigabyte for 18,000 abstracts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontology.terms.keyness import Background, word_keyness
from ontology.terms.ngrams import MAX_CHARACTERS, Ints, NGrams, distinct
from ontology.terms.segment import NEW
from ontology.terms.token_stream import LATIN
from ontology.terms.wordforms import has_han

# ---- features of a candidate in the whole corpus: its shape, its neighbours, its frequencies; see term_features.py


_Columns = dict[str, NDArray[np.generic]]

_OF_TYPE = (
    "one_word", "two_words", "three_words", "four_words", "log_characters", "one_character", "two_characters",
    "three_characters", "four_characters", "single_characters", "new_words", "log_documents", "log_documents_squared",
    "one_document", "title_share", "usually_free_left", "usually_free_right", "usually_free", "usually_enumerated",
    "usually_after_verb", "usually_before_of", "left_entropy", "right_entropy", "least_entropy", "log_longer_types",
    "log_nested", "log_c_value", "cohesion", "least_keyness", "mean_keyness", "greatest_keyness", "last_keyness",
    "log_commonest_word", "log_rarest_word", "log_first_word", "log_last_word",
)  # fmt: skip


class _TypeFeatures:
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
        return np.stack([np.asarray(columns[name], np.float32) for name in _OF_TYPE], axis=1)

    def _shape(self) -> _Columns:
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

    def _company(self) -> _Columns:
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

    def _contrast(self) -> _Columns:
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


# ---- features of a candidate in a document: its position, its construction, its behaviour in the corpus


_BLOCK = 2_000
Array = NDArray[np.float32]

TAGS = (
    "n", "v", "vn", NEW, LATIN, "l", "i", "j", "a", "an", "b", "m", "f", "t", "d", "q", "s",
    "nz", "ns", "nr", "nt", "nrt", "g", "ng", "vg", "k", "h", "z", "zg", "ad",
)  # fmt: skip
"""Word classes that have a column each, as first and as last word; all others share one more."""

IN_DOCUMENT = (
    "in_title", "in_both", "log_frequency", "log_title_frequency", "log_abstract_frequency", "title_log_frequency",
    "log_first", "first_share", "last_share", "spread", "free_left", "free_right", "free_both", "ever_free",
    "enumerated", "verb_left", "of_left", "bond_left", "bond_right", "pair_left", "pair_right", "longer_left",
    "longer_right", "longer", "not_in_longer", "log_longer_documents", "log_tokens", "title_share_elsewhere",
)  # fmt: skip
_PRODUCTS = (
    ("least_entropy", "least_entropy"), ("least_entropy", "one_word"), ("least_entropy", "log_c_value"),
    ("log_frequency", "log_c_value"), ("log_longer_documents", "log_c_value"), ("least_entropy", "cohesion"),
    ("in_title", "title_share_elsewhere"), ("log_commonest_word", "least_entropy"), ("three_words", "cohesion"),
    ("cohesion", "log_longer_documents"), ("longer", "one_word"), ("usually_free", "log_c_value"),
    ("longer", "log_first_word"), ("log_documents", "least_entropy"), ("longer", "cohesion"),
    ("log_longer_types", "log_longer_types"), ("title_share", "longer"), ("longer", "log_c_value"),
    ("log_documents", "one_word"), ("longer", "log_last_word"), ("log_longer_documents", "log_longer_types"),
    ("title_share", "log_longer_types"), ("longer", "usually_free"), ("longer", "longer"),
    ("title_share_elsewhere", "log_longer_documents"), ("log_frequency", "cohesion"), ("in_both", "title_share"),
    ("log_documents", "pair_right"), ("one_word", "log_longer_documents"), ("title_share", "log_longer_documents"),
    ("in_title", "title_share"), ("three_words", "log_last_word"), ("in_both", "log_longer_types"),
    ("in_title", "log_frequency"), ("log_documents", "log_longer_documents"), ("usually_free", "not_in_longer"),
    ("log_commonest_word", "log_commonest_word"), ("log_frequency", "least_entropy"), ("three_words", "log_first_word"),
    ("log_characters", "one_word"), ("log_first", "log_first"), ("usually_free", "one_word"),
    ("log_tokens", "log_documents"), ("log_frequency", "log_commonest_word"), ("in_title", "log_c_value"),
    ("log_frequency", "one_word"), ("in_both", "log_documents"), ("in_both", "log_tokens"),
    ("log_tokens", "in_title"), ("spread", "log_documents"), ("log_frequency", "log_documents"),
    ("log_tokens", "log_frequency"), ("log_tokens", "log_first"),
)  # fmt: skip
"""Pairs of features whose product is a column too: interactions."""
NAMES = (
    *IN_DOCUMENT,
    *_OF_TYPE,
    *(f"{a} x {b}" for a, b in _PRODUCTS),
    *(f"first_{t}" for t in (*TAGS, "other")),
    *(f"last_{t}" for t in (*TAGS, "other")),
)
_COLUMN = {name: index for index, name in enumerate(NAMES)}
_FACTORS = tuple((_COLUMN[a], _COLUMN[b]) for a, b in _PRODUCTS)
_ROWS = 1_000
"""Number of rows that are written together: so many stay in the cache of the processor while columns are added."""


FAMILIES = {
    "frequency": ("log_frequency", "log_title_frequency", "log_abstract_frequency", "title_log_frequency", "spread"),
    "place": ("in_title", "in_both", "log_first", "first_share", "last_share", "log_tokens"),
    "neighbours": (
        "free_left", "free_right", "free_both", "ever_free", "enumerated", "verb_left", "of_left", "bond_left",
        "bond_right", "pair_left", "pair_right", "usually_free_left", "usually_free_right", "usually_free",
        "usually_enumerated", "usually_after_verb", "usually_before_of", "left_entropy", "right_entropy",
        "least_entropy",
    ),
    "nesting": (
        "longer_left", "longer_right", "longer", "not_in_longer", "log_longer_documents", "log_longer_types",
        "log_nested", "log_c_value", "cohesion",
    ),
    "documents": (
        "log_documents", "log_documents_squared", "one_document", "title_share", "title_share_elsewhere",
    ),
    "contrast": (
        "least_keyness", "mean_keyness", "greatest_keyness", "last_keyness", "log_commonest_word", "log_rarest_word",
        "log_first_word", "log_last_word",
    ),
}  # fmt: skip
"""Families of features, for explanations. Features that are not listed belong to the family "shape": length and
word classes. Half of a product counts for the family of each factor."""


@dataclass(frozen=True)
class Rows:
    """Candidates of a block of documents, one row for each document and n-gram type in it; r rows.

    Attributes:
        records: document number, (r,).
        types: n-gram type, (r,).
        values: a column for each of NAMES, (r, len(NAMES)) float32.
    """

    records: Ints
    types: Ints
    values: Array


class CandidateFeatures:
    """The features of every candidate of a corpus.

    Args:
        grams: the n-grams of the corpus.
        background: word frequencies for keyness.
    """

    def __init__(self, grams: NGrams, background: Background) -> None:
        self._grams = grams
        self._stream = grams.stream
        self.of_type = _TypeFeatures(grams, background)
        self._verb = np.array([t.startswith("v") and t != "vn" for t in self._stream.tags])
        self._comma, self._of = self._stream.number("、"), self._stream.number("的")
        tag = {t: i for i, t in enumerate(TAGS)}
        self._tag = np.array([tag.get(t, len(TAGS)) for t in self._stream.tags])

    def blocks(self, wanted: NDArray[np.bool_] | None = None, among: NDArray[np.bool_] | None = None) -> Iterator[Rows]:
        """Yield the features of all candidates, block by block of documents.

        Args:
            wanted: mask of the n-gram types to include, (t,); all if None.
            among: mask of the documents to include, (number of documents,); all if None.
        """
        types, starts = self._grams.occurrences
        kept = self.of_type.candidate[types]
        if among is not None:
            kept &= among[self._stream.records[starts]]
        types, starts = types[kept], starts[kept]
        order = np.argsort(starts, kind="stable")
        types, starts = types[order], starts[order]
        records = self._stream.records[starts]
        for low in range(0, self._stream.size, _BLOCK):
            a, b = np.searchsorted(records, (low, low + _BLOCK))
            if b > a:
                yield self._rows(self._block(types[a:b], starts[a:b]), wanted)

    def _block(self, types: Ints, starts: Ints) -> _Block:
        size = self._grams.size
        pairs, row = np.unique(self._stream.records[starts].astype(np.int64) * size + types, return_inverse=True)
        return _Block(types, starts, pairs, row.ravel(), pairs // size, pairs % size)

    def _rows(self, block: _Block, wanted: NDArray[np.bool_] | None) -> Rows:
        here = self._place(block) | self._beside(block) | self._longer(block)
        kept = np.ones(len(block.pairs), bool) if wanted is None else wanted[block.mine]
        mine = block.mine[kept]
        columns = [here[name][kept] for name in IN_DOCUMENT]
        values = np.zeros((len(mine), len(NAMES)), np.float32)
        for low in range(0, len(mine), _ROWS):
            some = slice(low, low + _ROWS)
            self._fill(values[some], [column[some] for column in columns], mine[some])
        return Rows(block.record[kept], mine, values)

    def _fill(self, values: Array, columns: Sequence[NDArray[np.generic]], mine: Ints) -> None:
        """Write the features of some rows, whose columns IN_DOCUMENT and types are given."""
        for index, numbers in enumerate(columns):
            values[:, index] = numbers
        after = len(IN_DOCUMENT) + len(_OF_TYPE)
        values[:, len(IN_DOCUMENT) : after] = self.of_type.values[mine]
        for index, (a, b) in enumerate(_FACTORS, after):
            values[:, index] = values[:, a] * values[:, b]
        rows = np.arange(len(mine))
        values[rows, _COLUMN["first_n"] + self._tag[self._grams.first_word[mine]]] = 1
        values[rows, _COLUMN["last_n"] + self._tag[self._grams.last_word[mine]]] = 1

    def _place(self, block: _Block) -> _Columns:
        """Return the frequency of each candidate in its document, and its positions."""
        n, stream = len(block.pairs), self._stream
        frequency, titled = block.frequency, np.bincount(block.row, stream.in_title[block.starts], len(block.pairs))
        tokens = self._tokens_of[block.record]
        place = block.starts - self._first_of[stream.records[block.starts]]
        first, last = np.full(n, np.iinfo(np.int64).max), np.zeros(n, np.int64)
        np.minimum.at(first, block.row, place)
        np.maximum.at(last, block.row, place)
        in_title, documents = titled > 0, self.of_type.documents[block.mine]
        return {
            "in_title": in_title,
            "in_both": in_title & (frequency > titled),
            "log_frequency": np.log(frequency),
            "log_title_frequency": np.log1p(titled),
            "log_abstract_frequency": np.log1p(frequency - titled),
            "title_log_frequency": in_title * np.log(frequency),
            "log_first": np.log1p(first),
            "first_share": first / tokens,
            "last_share": last / tokens,
            "spread": (last - first) / tokens,
            "log_tokens": np.log(tokens),
            "title_share_elsewhere": (self.of_type.titled[block.mine] - in_title + 0.3) / documents,
        }

    def _beside(self, block: _Block) -> _Columns:
        """Return features of the words beside a candidate in the document, as shares or means over its occurrences."""
        stream, starts = self._stream, block.starts
        ends = starts + self._grams.length[block.types]
        left, right = stream.ids[starts - 1], stream.ids[ends]
        free = block.mean(stream.weak[left] & stream.weak[right])
        bond_left, pair_left = self._bond(starts - 1, left, stream.ids[starts])
        bond_right, pair_right = self._bond(ends - 1, stream.ids[ends - 1], right)
        return {
            "free_left": block.mean(stream.weak[left]),
            "free_right": block.mean(stream.weak[right]),
            "free_both": free,
            "ever_free": free > 0,
            "enumerated": block.mean((left == self._comma) | (right == self._comma)),
            "verb_left": block.mean(self._verb[left]),
            "of_left": block.mean(left == self._of),
            "bond_left": block.mean(bond_left),
            "bond_right": block.mean(bond_right),
            "pair_left": block.mean(np.log1p(pair_left)),
            "pair_right": block.mean(np.log1p(pair_right)),
        }

    def _bond(
        self, positions: Ints, first: NDArray[np.int32], second: NDArray[np.int32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the pointwise mutual information of two neighbours, and the number of other occurrences of the two."""
        pair = self._grams.at[1][positions]
        often = np.where(pair >= 0, self._grams.frequency[np.maximum(pair, 0)], 0).astype(np.float64)
        counts = self._stream.counts
        information = np.log(np.maximum(often, 1) * max(self._stream.tokens, 1) / (counts[first] * counts[second]))
        return np.where(pair >= 0, information, 0.0), np.maximum(often - 1, 0.0)

    def _longer(self, block: _Block) -> _Columns:
        """Return features of the candidates that are one word longer in the same document.

        They are the largest share of a candidate's occurrences that one of them covers there, and the largest number of
        documents that one of them is in.
        """
        n = len(block.pairs)
        sides, most = (np.zeros(n), np.zeros(n)), np.zeros(n)
        records = self._stream.records[block.starts].astype(np.int64)
        length = self._grams.length[block.types]
        for words in range(1, len(self._grams.at)):
            shorter = np.flatnonzero(length == words)
            for side, offset in zip(sides, (-1, 0), strict=True):
                outer = self._grams.at[words][block.starts[shorter] + offset].astype(np.int64)
                there = np.flatnonzero(outer >= 0)
                code = records[shorter[there]] * self._grams.size + outer[there]
                nearest = np.minimum(np.searchsorted(block.pairs, code), n - 1)
                real = block.pairs[nearest] == code
                inner, holder = block.row[shorter[there[real]]], nearest[real]
                np.maximum.at(side, inner, block.frequency[holder] / block.frequency[inner])
                np.maximum.at(most, inner, self.of_type.documents[outer[there[real]]])
        return {
            "longer_left": sides[0],
            "longer_right": sides[1],
            "longer": np.maximum(*sides),
            "not_in_longer": most == 0,
            "log_longer_documents": np.log(np.maximum(most, 1) / self.of_type.documents[block.mine]),
        }

    @cached_property
    def _first_of(self) -> Ints:
        return np.searchsorted(self._stream.records, np.arange(self._stream.size))

    @cached_property
    def _tokens_of(self) -> Ints:
        return np.bincount(self._stream.records, minlength=self._stream.size)


@dataclass(frozen=True)
class _Block:
    """Occurrences (type, first token) of a block of documents, and the rows (document, type) that they belong to."""

    types: Ints
    starts: Ints
    pairs: Ints
    row: Ints
    record: Ints
    mine: Ints

    @cached_property
    def frequency(self) -> Ints:
        """Occurrences of each row."""
        return np.bincount(self.row, minlength=len(self.pairs))

    def mean(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Return the mean over each row's occurrences."""
        return np.bincount(self.row, values, len(self.pairs)) / self.frequency
