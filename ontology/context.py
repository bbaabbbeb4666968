"""The formal context of documents and terms, stored as bitsets.

Source: paper 000 section 3.1 (formal context, derivation operators); Ganter and Wille, Formal Concept Analysis, 1999,
chapter 1. A context is K = (G, M, I) with objects G (documents), attributes M (terms) and incidence I; the derivation
operators are A' = {m : for all g in A, (g, m) in I} (`intent`) and B' = {g : for all m in B, (g, m) in I} (`extent`).

A set of objects or attributes is a Python int: bit i stands for the i-th name.

>>> context = FormalContext.from_pairs([("d1", "rain"), ("d1", "storm"), ("d2", "rain"), ("d3", "flood")])
>>> storm = context.attribute_bits(["storm"])
>>> context.object_names(context.extent(storm))
('d1',)
>>> context.attribute_names(context.intent(context.extent(storm)))
('rain', 'storm')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontology.errors import OntocrawlError

Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]
Counts = NDArray[np.int64]
_ROWS = 1_000
"""Rows of a context that are unpacked at once, a byte for each pair."""


class ContextError(OntocrawlError, ValueError):
    """A formal context, or a file of one, that is not valid. The message names the place and the remedy."""


def bits_of(bitset: int) -> Iterator[int]:
    """Yield the positions of the set bits of a non-negative int in ascending order.

    >>> list(bits_of(0b1101))
    [0, 2, 3]
    """
    while bitset:
        low = bitset & -bitset
        yield low.bit_length() - 1
        bitset ^= low


def pack(table: Bools) -> Words:
    """Pack the rows of a boolean table into 64-bit words.

    Args:
        table: booleans, shape (k, n).

    Returns:
        Little-endian words, shape (k, max(1, ceil(n / 64))); bit j of a row is column j.

    >>> pack(np.array([[True, False, True], [False, True, False]])).tolist()
    [[5], [2]]
    """
    k, n = table.shape
    padded = np.zeros((k, max(1, -(-n // 64)) * 8), dtype=np.uint8)
    packed = np.packbits(table, axis=1, bitorder="little")
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(words: Words, n: int) -> Bools:
    """Unpack 64-bit words into a boolean table, the inverse of `pack`.

    Args:
        words: packed rows, shape (k, W).
        n: number of columns, at most 64 W.

    Returns:
        Booleans, shape (k, n).

    >>> unpack(np.array([[5]], dtype=np.uint64), 3).tolist()
    [[True, False, True]]
    """
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n).view(np.bool_)


def bitsets(words: Words) -> list[int]:
    """Convert packed rows of shape (k, W) to k Python ints.

    >>> bitsets(np.array([[5], [2]], dtype=np.uint64))
    [5, 2]
    """
    width = words.shape[1] * 8
    data = np.ascontiguousarray(words, dtype="<u8").tobytes()
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]


def words(sets: Sequence[int], n: int) -> Words:
    """Convert Python ints to packed rows, the inverse of `bitsets`.

    Args:
        sets: k bitsets, each below 2^n.
        n: number of bits.

    Returns:
        Packed rows, shape (k, max(1, ceil(n / 64))).

    >>> words([5, 2], 3).tolist()
    [[5], [2]]
    """
    width = max(1, -(-n // 64)) * 8
    data = b"".join(s.to_bytes(width, "little") for s in sets)
    return np.frombuffer(data, dtype="<u8").reshape(len(sets), -1).astype(np.uint64)


@dataclass(frozen=True)
class FormalContext:
    """A finite formal context (G, M, I), immutable and compared by its content.

    Args:
        objects: names of the documents, distinct, at least one.
        attributes: names of the terms, distinct, at least one.
        rows: one bitset per object; bit j is set if the object has ``attributes[j]``.

    Raises:
        ContextError: no objects, no attributes, duplicate names, a wrong number of rows, a row with bits beyond the
            attributes, or no incidence at all.

    >>> context = FormalContext(("d1", "d2"), ("rain", "storm"), (0b11, 0b01))
    >>> context.incidences, context.density
    (3, 0.75)
    """

    objects: tuple[str, ...]
    attributes: tuple[str, ...]
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        for kind, names in (("objects (documents)", self.objects), ("attributes (terms)", self.attributes)):
            if not names:
                raise ContextError("ontology.formal_context_needs_found", kind=kind)
            if len(set(names)) != len(names):
                raise ContextError("ontology.formal_context_distinct_found", kind=kind, doubled=_doubled(names))
        if len(self.rows) != len(self.objects):
            raise ContextError("ontology.expected_row_per_object", n_objects=len(self.objects), n_rows=len(self.rows))
        m = len(self.attributes)
        for name, row in zip(self.objects, self.rows, strict=True):
            if row < 0 or row >> m:
                raise ContextError("ontology.object_row_must_bitset", name=name, m=m, row=row)
        if not any(self.rows):
            raise ContextError("ontology.no_object_any_attribute", n_objects=len(self.objects), m=m)

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[str, str]],
        objects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
    ) -> FormalContext:
        """Build a context from (object, attribute) pairs.

        Args:
            pairs: the incidences; a pair may repeat.
            objects: names of the objects in order; by default in order of appearance in ``pairs``.
            attributes: names of the attributes in order; by default in order of appearance in ``pairs``.

        Returns:
            The formal context.

        Raises:
            ContextError: a pair has an object or attribute that is not among the names passed, or the context is not
                valid (see the class).

        >>> context = FormalContext.from_pairs([("d1", "rain"), ("d2", "flood")], attributes=["flood", "rain"])
        >>> context.bools().tolist()
        [[False, True], [True, False]]
        """
        incidences = list(pairs)
        G = tuple(objects) if objects is not None else tuple(dict.fromkeys(g for g, _ in incidences))
        M = tuple(attributes) if attributes is not None else tuple(dict.fromkeys(m for _, m in incidences))
        object_index = {g: i for i, g in enumerate(G)}
        attribute_index = {m: j for j, m in enumerate(M)}
        rows = [0] * len(G)
        for g, m in incidences:
            if g not in object_index or m not in attribute_index:
                kind, name = ("object", g) if g not in object_index else ("attribute", m)
                raise ContextError("ontology.pair_not_s_passed", g=g, m=m, name=name, kind=kind)
            rows[object_index[g]] |= 1 << attribute_index[m]
        return cls(G, M, tuple(rows))

    @classmethod
    def from_bools(cls, objects: Sequence[str], attributes: Sequence[str], table: Any) -> FormalContext:
        """Build a context from a table of truth values.

        Args:
            objects: names of the rows.
            attributes: names of the columns.
            table: an array, or nested sequences, of truth values, shape (objects, attributes).

        Returns:
            The formal context.

        Raises:
            ContextError: the table is ragged or has another shape, or the context is not valid (see the class).

        >>> FormalContext.from_bools(["d1", "d2"], ["rain"], [[1], [0]]).rows
        (1, 0)
        """
        n, m = len(objects), len(attributes)
        if not isinstance(table, np.ndarray):
            rows = [list(row) for row in table]
            wrong = next((i for i, row in enumerate(rows) if len(row) != m), None)
            if wrong is not None:
                raise ContextError("ontology.row_expected_cells_per", wrong=wrong, m=m, n_rows=len(rows[wrong]))
            table = np.array(rows, dtype=np.bool_).reshape(len(rows), m)
        if table.shape != (n, m):
            raise ContextError("ontology.expected_table_objects_x", n=n, m=m, shape=table.shape)
        packed = bitsets(pack(table.astype(np.bool_))) if n and m else []
        return cls(tuple(objects), tuple(attributes), tuple(packed))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The extents of the attributes, one bitset of objects each."""
        return tuple(bitsets(pack(np.ascontiguousarray(self.bools().T))))

    @cached_property
    def supports(self) -> Counts:
        """The number of objects with each attribute, shape (attributes,)."""
        return np.asarray(sum(part.sum(axis=0) for part in self._parts(self.rows)), dtype=np.int64)

    def _parts(self, rows: Sequence[int]) -> Iterator[Bools]:
        """Yield the incidence of some rows, some of them at a time: a table of all may be larger than the memory."""
        m = len(self.attributes)
        for first in range(0, len(rows), _ROWS):
            yield unpack(words(rows[first : first + _ROWS], m), m)

    @property
    def incidences(self) -> int:
        """The number of pairs in I."""
        return sum(row.bit_count() for row in self.rows)

    @property
    def density(self) -> float:
        """|I| / (|G| |M|), in (0, 1]."""
        return self.incidences / (len(self.objects) * len(self.attributes))

    def bools(self) -> Bools:
        """Return the incidence table, shape (objects, attributes)."""
        m = len(self.attributes)
        return unpack(words(self.rows, m), m)

    def extent(self, attribute_bits: int) -> int:
        """Return B', the objects that have all of some attributes.

        Args:
            attribute_bits: bitset of attributes B.

        Returns:
            Bitset of objects; all objects for the empty set.

        Raises:
            ContextError: a bit beyond the attributes is set.

        >>> context = FormalContext(("d1", "d2"), ("rain", "storm"), (0b11, 0b01))
        >>> bin(context.extent(0b10)), bin(context.extent(0b01))
        ('0b1', '0b11')
        """
        self._check(attribute_bits, len(self.attributes), "attributes")
        return _common(self.columns, attribute_bits, len(self.objects))

    def intent(self, object_bits: int) -> int:
        """Return A', the attributes that all of some objects have.

        Args:
            object_bits: bitset of objects A.

        Returns:
            Bitset of attributes; all attributes for the empty set.

        Raises:
            ContextError: a bit beyond the objects is set.

        >>> context = FormalContext(("d1", "d2"), ("rain", "storm"), (0b11, 0b01))
        >>> bin(context.intent(0b11)), bin(context.intent(0))
        ('0b1', '0b11')
        """
        self._check(object_bits, len(self.objects), "objects")
        return _common(self.rows, object_bits, len(self.attributes))

    def object_names(self, object_bits: int) -> tuple[str, ...]:
        """Return the names of a bitset of objects in the order of the context."""
        return tuple(self.objects[i] for i in bits_of(object_bits))

    def attribute_names(self, attribute_bits: int) -> tuple[str, ...]:
        """Return the names of a bitset of attributes in the order of the context."""
        return tuple(self.attributes[j] for j in bits_of(attribute_bits))

    def object_bits(self, names: Iterable[str]) -> int:
        """Return the bitset of the named objects. Raises ContextError for an unknown name."""
        return _bits(names, self.objects, "object")

    def attribute_bits(self, names: Iterable[str]) -> int:
        """Return the bitset of the named attributes. Raises ContextError for an unknown name.

        >>> FormalContext(("d1",), ("rain", "storm", "hail"), (0b111,)).attribute_bits(["hail", "rain"])
        5
        """
        return _bits(names, self.attributes, "attribute")

    def restricted(self, object_bits: int | None = None, attribute_bits: int | None = None) -> FormalContext:
        """Return the subcontext of some objects and attributes, in the same order.

        Args:
            object_bits: bitset of the objects to keep; None keeps all.
            attribute_bits: bitset of the attributes to keep; None keeps all.

        Returns:
            The subcontext.

        Raises:
            ContextError: no object, attribute or incidence is left.

        >>> FormalContext(("d1", "d2"), ("rain", "storm"), (0b11, 0b01)).restricted(0b10).bools().tolist()
        [[True, False]]
        """
        n, m = len(self.objects), len(self.attributes)
        G = list(range(n)) if object_bits is None else list(bits_of(object_bits))
        M = list(range(m)) if attribute_bits is None else list(bits_of(attribute_bits))
        parts = [part[:, M] for part in self._parts([self.rows[i] for i in G])] if M else []
        table = np.concatenate(parts) if parts else np.zeros((len(G), len(M)), dtype=np.bool_)
        return FormalContext.from_bools([self.objects[i] for i in G], [self.attributes[j] for j in M], table)

    @staticmethod
    def _check(bitset: int, size: int, kind: str) -> None:
        if bitset < 0 or bitset >> size:
            raise ContextError("ontology.expected_bitset_found", size=size, kind=kind, bitset=bitset)


def _common(rows: Sequence[int], chosen: int, size: int) -> int:
    """Return the bits that all chosen rows share; all ``size`` bits if none is chosen."""
    common = (1 << size) - 1
    for i in bits_of(chosen):
        common &= rows[i]
    return common


def _bits(names: Iterable[str], known: tuple[str, ...], kind: str) -> int:
    index = {name: i for i, name in enumerate(known)}
    result = 0
    for name in names:
        if name not in index:
            raise ContextError("ontology.context_no_s_e", kind=kind, name=name, n_known=len(known), known=known[0])
        result |= 1 << index[name]
    return result


def first_doubled(names: Sequence[str]) -> int | None:
    """Return the position of the first duplicate in a sequence of names, None if all are distinct.

    >>> first_doubled(["rain", "flood", "rain"])
    2
    """
    seen: set[str] = set()
    return next((i for i, n in enumerate(names) if n in seen or seen.add(n)), None)  # type: ignore[func-returns-value]


def _doubled(names: tuple[str, ...]) -> str:
    seen: set[str] = set()
    doubled = list(dict.fromkeys(n for n in names if n in seen or seen.add(n)))  # type: ignore[func-returns-value]
    return ", ".join(repr(n) for n in doubled[:5]) + (f" and {len(doubled) - 5} more" if len(doubled) > 5 else "")
