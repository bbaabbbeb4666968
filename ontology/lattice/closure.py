"""All formal concepts of a context: Close-by-One, level by level, whole levels at once in numpy.

Source: Kuznetsov 1993 (Close-by-One) in the form of Krajca, Outrata and Vychodil, "Advances in algorithms based on
CbO", CLA 2010. Concept (A, B) made by adding attribute y has the children (A n j', (A n j')') for j > y, j not in B;
a child is *canonical*, and only then new, if its intent agrees with B below j. Canonicity makes every concept appear
exactly once, so that no extent is ever recognised by a hash.

Not from the source: a level's candidates are made and closed together; the closure of an extent is the AND of one table
entry per non-empty octet of the extent (the "four Russians"); an attribute too rare in the parent is not tried in the
child (support shrinks downwards); where extents are sparse, an attribute that none of their objects has is not tried
either, by the OR of the same entries. Attributes are taken rarest first. Names as in the source: A extent, B intent.

>>> context = FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100))
>>> concepts = close_by_one(Tables.of(context), min_support=1, limit=100, memory=1 << 20)
>>> len(concepts), concepts.A.ravel().tolist()
(4, [7, 3, 4, 1])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontology.context import Bools, FormalContext, Words, pack, unpack

Ints = NDArray[np.int64]

CANDIDATE_WORDS = 1 << 20
"""Largest number of words of candidate extents held at once (8 MiB)."""
TABLE_BYTES = 64 << 20
"""Largest closure table; with a larger one rows are read object by object."""
_ONES = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


class TooManyConcepts(Exception):  # noqa: N818 - an outcome that the caller turns into advice
    """The enumeration exceeded its limit after ``found`` concepts."""

    def __init__(self, found: int) -> None:
        super().__init__(f"more than the limit: {found} concepts so far")
        self.found = found


@dataclass(frozen=True, eq=False)
class Tables:
    """A context prepared for computing closures. Attributes are in the order ``order``, rarest first.

    With W = ceil(n / 64) and V = ceil(m / 64):

    Attributes:
        n: number of objects.
        m: number of attributes.
        order: positions of the attributes in the context, shape (m,).
        columns: extents of the attributes, shape (m, W).
        rows: closure entries, shape (V, K); K = octets x 256, or objects if that would be too large.
        unions: the same with OR, shape (V, K).
        below: the attributes before each attribute, shape (m, V).
        by_octet: whether K = octets x 256.
    """

    n: int
    m: int
    order: Ints
    columns: Words
    rows: Words
    unions: Words
    below: Words
    by_octet: bool

    @classmethod
    def of(cls, context: FormalContext) -> Tables:
        """Prepare a context."""
        table = context.bools()
        n, m = table.shape
        order = np.argsort(table.sum(axis=0), kind="stable")
        table = np.ascontiguousarray(table[:, order])
        columns, intents = pack(np.ascontiguousarray(table.T)), pack(table)
        by_octet = columns.shape[1] * 8 * 256 * intents.shape[1] * 8 <= TABLE_BYTES
        padded = np.full((columns.shape[1] * 64, intents.shape[1]), _ONES)
        padded[:n] = intents
        rows = _octet_table(padded) if by_octet else np.ascontiguousarray(padded.T)
        unions = ~_octet_table(~padded) if by_octet else rows  # OR by De Morgan; objects beyond n are never used
        return cls(n, m, order, columns, rows, unions, pack(np.tri(m, k=-1, dtype=np.bool_)), by_octet)

    def close(self, A: Words) -> Words:
        """Return A' of non-empty extents: shape (k, W) -> (k, V)."""
        return self._folded(A, self.rows, np.bitwise_and)

    def met(self, A: Words) -> Bools:
        """Return the attributes that some object of each non-empty extent has: (k, W) -> (k, m), as in ``order``."""
        return self.members(self._folded(A, self.unions, np.bitwise_or))

    def _folded(self, A: Words, table: Words, fold: np.ufunc) -> Words:
        W = A.shape[1]
        flat = A.ravel()
        filled = np.flatnonzero(flat)
        octets = np.ascontiguousarray(flat[filled], dtype="<u8").view(np.uint8)
        digits = octets if self.by_octet else np.unpackbits(octets, bitorder="little")
        each, radix = (8, 256) if self.by_octet else (64, 1)
        used = np.flatnonzero(digits)
        word = filled[used // each]
        owner = word // W
        key = ((word - owner * W) * each + used % each) * radix
        if self.by_octet:
            key += digits[used]
        starts = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
        return np.stack([fold.reduceat(entries[key], starts) for entries in table], axis=1)

    @cached_property
    def density(self) -> float:
        """Share of the cells of the table that are incidences, in (0, 1]."""
        return float(np.bitwise_count(self.columns).sum()) / (self.n * self.m)

    def members(self, B: Words) -> Bools:
        """Convert intents of shape (k, V) to booleans of shape (k, m), in the order of ``order``."""
        return unpack(B, self.m)


def _octet_table(rows: Words) -> Words:
    """Return the AND of the rows for every subset of every block of eight rows: (8 K, V) -> (V, K * 256)."""
    blocks = rows.reshape(-1, 8, rows.shape[1])
    table = np.empty((rows.shape[1], len(blocks), 256), dtype=np.uint64)
    table[:, :, 0] = _ONES
    for b in range(8):
        table[:, :, 1 << b : 2 << b] = table[:, :, : 1 << b] & blocks[:, b, :].T[:, :, None]
    return table.reshape(rows.shape[1], -1)


@dataclass(frozen=True, eq=False)
class Nodes:
    """Concepts of one level of the search.

    Attributes:
        A: extents, shape (k, W).
        B: intents, shape (k, V).
        y: the attribute added last, shape (k,).
        alive: the attributes that may still be frequent below, shape (k, m).
    """

    A: Words
    B: Words
    y: Ints
    alive: Bools

    def __len__(self) -> int:
        return len(self.y)

    def take(self, which: Ints | slice) -> Nodes:
        """Return some of the nodes, in the order of the indices."""
        return Nodes(self.A[which], self.B[which], self.y[which], self.alive[which])


@dataclass(frozen=True, eq=False)
class Step:
    """The closed pairs (parent, attribute) with enough support below a batch of nodes.

    ``children`` are the canonical ones, ``origin`` (c,) their parents. ``failed_*`` are the others: parent, attribute
    and intent of a concept that another pair generates.
    """

    children: Nodes
    origin: Ints
    failed_parent: Ints
    failed_attribute: Ints
    failed_intent: Words


def top(tables: Tables) -> Nodes:
    """Return the top concept (all objects) as the only node of level 0."""
    A = pack(np.ones((1, tables.n), dtype=np.bool_))
    return Nodes(A, tables.close(A), np.array([-1]), np.ones((1, tables.m), dtype=np.bool_))


def expand(tables: Tables, nodes: Nodes, min_support: int) -> Iterator[Step]:
    """Yield the steps below some nodes, in batches that bound the memory.

    Args:
        tables: the context.
        nodes: concepts of one level.
        min_support: smallest extent, in objects.

    Yields:
        Steps; ``origin`` is an index into ``nodes``.
    """
    m, W = tables.columns.shape
    batch = max(1, CANDIDATE_WORDS // (W * min(m, 64)))
    for start in range(0, len(nodes), batch):
        step = _expand(tables, nodes.take(slice(start, start + batch)), min_support, start)
        if step is not None:
            yield step


def _expand(tables: Tables, nodes: Nodes, min_support: int, start: int) -> Step | None:
    later = np.arange(tables.m) > nodes.y[:, None]
    tried = nodes.alive & later & ~tables.members(nodes.B)
    if np.bitwise_count(nodes.A).sum() * tables.density < len(nodes):  # most attributes meet none of the objects
        tried &= tables.met(nodes.A)
    i, j = np.nonzero(tried)
    A = nodes.A[i]
    A &= tables.columns[j]
    enough = A.any(axis=1) if min_support <= 1 else np.bitwise_count(A).sum(axis=1) >= min_support
    if not enough.any():
        return None
    i, j, A = i[enough], j[enough], A[enough]
    B = tables.close(A)
    alive = np.zeros_like(tried)
    alive[i, j] = True
    canonical = ~(B & ~nodes.B[i] & tables.below[j]).any(axis=1)
    failed = ~canonical
    children = Nodes(A[canonical], B[canonical], j[canonical], alive[i[canonical]])
    return Step(children, i[canonical] + start, i[failed] + start, j[failed], B[failed])


@dataclass(frozen=True, eq=False)
class Enumeration:
    """All concepts with enough support, level by level; inside a level by falling y.

    ``parent`` is an index over all concepts; level l is ``starts[l]:starts[l + 1]``. ``failed_*`` as in Step.
    """

    A: Words
    B: Words
    y: Ints
    parent: Ints
    starts: tuple[int, ...]
    failed_parent: Ints
    failed_attribute: Ints
    failed_intent: Words

    def __len__(self) -> int:
        return len(self.y)


def bytes_per_concept(tables: Tables) -> int:
    """Return the approximate memory of one concept, in bytes, until its covers are known."""
    W, V = int(tables.columns.shape[1]), int(tables.below.shape[1])
    return 8 * (W + V) + 5 * tables.m + 24


def close_by_one(
    tables: Tables, *, min_support: int, limit: int, memory: int, watch: Callable[[int], None] | None = None
) -> Enumeration:
    """Enumerate the concepts whose extent has at least ``max(1, min_support)`` objects.

    Args:
        tables: the context.
        min_support: smallest extent, in objects.
        limit: largest number of concepts.
        memory: largest number of bytes for what is kept per concept and failed pair.
        watch: callback, called repeatedly with the number of concepts found so far; an exception it raises ends the
            enumeration.

    Returns:
        The concepts.

    Raises:
        TooManyConcepts: one of the limits was exceeded.
    """
    V = tables.below.shape[1]
    per_concept, per_failure = bytes_per_concept(tables), 8 * V + 16
    level = top(tables)
    A, B, y, parents, starts = [level.A], [level.B], [level.y], [np.zeros(1, dtype=np.int64)], [0, 1]
    failures: list[tuple[Ints, Ints, Words]] = []
    failed = 0
    while len(level):
        steps: list[Step] = []
        count = starts[-1]
        for step in expand(tables, level, min_support):
            steps.append(step)
            count += len(step.children)
            failed += len(step.failed_parent)
            if count > limit or count * per_concept + failed * per_failure > memory:
                raise TooManyConcepts(count)
            if watch is not None:
                watch(count)
        if not steps:
            break
        base = starts[-2]
        failures += [(s.failed_parent + base, s.failed_attribute, s.failed_intent) for s in steps]
        level = Nodes(*(np.concatenate([getattr(s.children, f) for s in steps]) for f in ("A", "B", "y", "alive")))
        falling = np.argsort(-level.y, kind="stable")
        level = level.take(falling)
        parents.append(np.concatenate([s.origin for s in steps])[falling] + base)
        A.append(level.A)
        B.append(level.B)
        y.append(level.y)
        starts.append(count)
    del steps, level
    joined = _joined(failures, V)
    return Enumeration(_drained(A), _drained(B), np.concatenate(y), np.concatenate(parents), tuple(starts), *joined)


def _drained(parts: list[Words]) -> Words:
    """Concatenate the parts; each is released when it is copied, so that the memory is not needed twice."""
    whole = np.empty((sum(map(len, parts)), parts[0].shape[1]), dtype=np.uint64)
    end = len(whole)
    while parts:
        part = parts.pop()
        whole[end - len(part) : end] = part
        end -= len(part)
    return whole


def _joined(failures: list[tuple[Ints, Ints, Words]], V: int) -> tuple[Ints, Ints, Words]:
    if not failures:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, V), dtype=np.uint64)
    first, second, third = zip(*failures, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(third)
