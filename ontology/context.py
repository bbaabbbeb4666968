"""The formal context: which document contains which term, as bitsets.

Source: paper 000 section 3.1 (formal context, derivation operators); Ganter and Wille, Formal Concept Analysis, 1999,
chapter 1. A context is K = (G, M, I) with objects G (documents), attributes M (terms) and incidence I; the derivation
operators are A' = {m : for all g in A, (g, m) in I} (`intent`) and B' = {g : for all m in B, (g, m) in I} (`extent`).

A set of objects or attributes is a Python int: bit i stands for the i-th name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]


class ContextError(ValueError):
    """A formal context, or the file of one, is not what it should be. The message says where and what to do."""


def bits_of(bitset: int) -> Iterator[int]:
    """The positions of the set bits of a non-negative int, ascending."""
    while bitset:
        low = bitset & -bitset
        yield low.bit_length() - 1
        bitset ^= low


def pack(table: Bools) -> Words:
    """Rows of a boolean table of shape (k, n) as little-endian words of shape (k, max(1, ceil(n / 64)))."""
    k, n = table.shape
    padded = np.zeros((k, max(1, -(-n // 64)) * 8), dtype=np.uint8)
    packed = np.packbits(table, axis=1, bitorder="little")
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(words: Words, n: int) -> Bools:
    """The inverse of `pack`: words of shape (k, W) as a boolean table of shape (k, n)."""
    octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n).view(np.bool_)


def bitsets(words: Words) -> list[int]:
    """Packed rows of shape (k, W) as k Python ints."""
    width = words.shape[1] * 8
    data = np.ascontiguousarray(words, dtype="<u8").tobytes()
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]


def words(sets: Sequence[int], n: int) -> Words:
    """The inverse of `bitsets`: k Python ints below 2^n as packed rows of shape (k, max(1, ceil(n / 64)))."""
    width = max(1, -(-n // 64)) * 8
    data = b"".join(s.to_bytes(width, "little") for s in sets)
    return np.frombuffer(data, dtype="<u8").reshape(len(sets), -1).astype(np.uint64)


@dataclass(frozen=True)
class FormalContext:
    """A finite formal context (G, M, I), frozen and identified by its content.

    Args:
        objects: names of the documents, distinct, at least one.
        attributes: names of the terms, distinct, at least one.
        rows: one bitset per object; bit j is set where the object has ``attributes[j]``.

    Raises:
        ContextError: no objects, no attributes, doubled names, a wrong number of rows, a row with bits beyond the
            attributes, or no incidence at all.
    """

    objects: tuple[str, ...]
    attributes: tuple[str, ...]
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        for kind, names in (("objects (documents)", self.objects), ("attributes (terms)", self.attributes)):
            if not names:
                raise ContextError(f"a formal context needs {kind}, found none: check the corpus and the term list")
            if len(set(names)) != len(names):
                raise ContextError(
                    f"a formal context has distinct {kind}, found doubled: {_doubled(names)}; rename them"
                )
        if len(self.rows) != len(self.objects):
            raise ContextError(f"expected one row per object ({len(self.objects)}), found {len(self.rows)} rows")
        m = len(self.attributes)
        for name, row in zip(self.objects, self.rows, strict=True):
            if row < 0 or row >> m:
                raise ContextError(f"object {name!r}: its row must be a bitset of {m} attributes, found {row:#x}")
        if not any(self.rows):
            raise ContextError(
                f"no object has any attribute ({len(self.objects)} objects, {m} attributes, no incidence): its lattice "
                "says nothing. Check that the terms were taken from these documents, or lower the minimal frequency"
            )

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[str, str]],
        objects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
    ) -> FormalContext:
        """From (object, attribute) pairs; a pair may repeat. Names not given in advance stand in order of appearance.

        Raises:
            ContextError: a pair names an object or attribute that the given names lack, or as the class says.
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
                raise ContextError(
                    f"pair ({g!r}, {m!r}): {name!r} is not one of the given {kind}s; add it or drop the pair"
                )
            rows[object_index[g]] |= 1 << attribute_index[m]
        return cls(G, M, tuple(rows))

    @classmethod
    def from_bools(cls, objects: Sequence[str], attributes: Sequence[str], table: Any) -> FormalContext:
        """From a boolean table of shape (objects, attributes): an array or rows of truth values.

        Raises:
            ContextError: the table is ragged or has another shape, or as the class says.
        """
        n, m = len(objects), len(attributes)
        if not isinstance(table, np.ndarray):
            rows = [list(row) for row in table]
            wrong = next((i for i, row in enumerate(rows) if len(row) != m), None)
            if wrong is not None:
                raise ContextError(f"row {wrong}: expected {m} cells (one per attribute), found {len(rows[wrong])}")
            table = np.array(rows, dtype=np.bool_).reshape(len(rows), m)
        if table.shape != (n, m):
            raise ContextError(f"expected a table of {n} objects x {m} attributes, found shape {table.shape}")
        packed = bitsets(pack(table.astype(np.bool_))) if n and m else []
        return cls(tuple(objects), tuple(attributes), tuple(packed))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """One bitset of objects per attribute: its extent."""
        return tuple(bitsets(pack(np.ascontiguousarray(self.bools().T))))

    @property
    def incidences(self) -> int:
        """The number of pairs in I."""
        return sum(row.bit_count() for row in self.rows)

    @property
    def density(self) -> float:
        """|I| / (|G| |M|), in (0, 1]."""
        return self.incidences / (len(self.objects) * len(self.attributes))

    def bools(self) -> Bools:
        """The incidence table, shape (objects, attributes)."""
        m = len(self.attributes)
        return unpack(words(self.rows, m), m)

    def extent(self, attribute_bits: int) -> int:
        """B' : the objects that have all the given attributes; all objects for the empty set."""
        self._check(attribute_bits, len(self.attributes), "attributes")
        return _common(self.columns, attribute_bits, len(self.objects))

    def intent(self, object_bits: int) -> int:
        """A' : the attributes that all the given objects have; all attributes for the empty set."""
        self._check(object_bits, len(self.objects), "objects")
        return _common(self.rows, object_bits, len(self.attributes))

    def object_names(self, object_bits: int) -> tuple[str, ...]:
        """Names of a bitset of objects, in the context's order."""
        return tuple(self.objects[i] for i in bits_of(object_bits))

    def attribute_names(self, attribute_bits: int) -> tuple[str, ...]:
        """Names of a bitset of attributes, in the context's order."""
        return tuple(self.attributes[j] for j in bits_of(attribute_bits))

    def object_bits(self, names: Iterable[str]) -> int:
        """The bitset of objects by name. Raises ContextError for a name that the context lacks."""
        return _bits(names, self.objects, "object")

    def attribute_bits(self, names: Iterable[str]) -> int:
        """The bitset of attributes by name. Raises ContextError for a name that the context lacks."""
        return _bits(names, self.attributes, "attribute")

    def restricted(self, object_bits: int | None = None, attribute_bits: int | None = None) -> FormalContext:
        """The subcontext of the given objects and attributes (None: all), in the same order.

        Raises:
            ContextError: nothing is left, or no incidence.
        """
        n, m = len(self.objects), len(self.attributes)
        G = list(range(n)) if object_bits is None else list(bits_of(object_bits))
        M = list(range(m)) if attribute_bits is None else list(bits_of(attribute_bits))
        table = self.bools()[np.ix_(G, M)] if G and M else np.zeros((len(G), len(M)), dtype=np.bool_)
        return FormalContext.from_bools([self.objects[i] for i in G], [self.attributes[j] for j in M], table)

    @staticmethod
    def _check(bitset: int, size: int, kind: str) -> None:
        if bitset < 0 or bitset >> size:
            raise ContextError(f"expected a bitset of the {size} {kind}, found {bitset:#x}")


def _common(rows: Sequence[int], chosen: int, size: int) -> int:
    """What the chosen rows have in common, of ``size`` bits: all where none is chosen."""
    common = (1 << size) - 1
    for i in bits_of(chosen):
        common &= rows[i]
    return common


def _bits(names: Iterable[str], known: tuple[str, ...], kind: str) -> int:
    index = {name: i for i, name in enumerate(known)}
    result = 0
    for name in names:
        if name not in index:
            raise ContextError(f"the context has no {kind} {name!r}; it has {len(known)} {kind}s, e.g. {known[0]!r}")
        result |= 1 << index[name]
    return result


def first_doubled(names: Sequence[str]) -> int | None:
    """The position of the first name that stood before; None where all are distinct."""
    seen: set[str] = set()
    return next((i for i, n in enumerate(names) if n in seen or seen.add(n)), None)  # type: ignore[func-returns-value]


def _doubled(names: tuple[str, ...]) -> str:
    seen: set[str] = set()
    doubled = list(dict.fromkeys(n for n in names if n in seen or seen.add(n)))  # type: ignore[func-returns-value]
    return ", ".join(repr(n) for n in doubled[:5]) + (f" and {len(doubled) - 5} more" if len(doubled) > 5 else "")
