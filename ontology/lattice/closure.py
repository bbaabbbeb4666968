"""All formal concepts of a context: Close-by-One, level by level, whole levels at once in numpy.

Source: Kuznetsov 1993 (Close-by-One) in the form of Krajca, Outrata and Vychodil, "Advances in algorithms based on
CbO", CLA 2010. Concept (A, B) made by adding attribute y has the children (A n j', (A n j')') for j > y, j not in B;
a child is *canonical*, and only then new, if its intent agrees with B below j. Canonicity makes every concept appear
exactly once, so that no extent is ever recognised by a hash.

Three things are ours: a level's candidates are made and closed together; the closure of an extent is the AND of one
table entry per non-empty octet of the extent (the "four Russians"); an attribute too rare in the parent is not tried in
the child (support shrinks downwards); where extents are sparse, one that meets no object of it is not tried either, by
the OR of the same entries. Attributes are taken rarest first. Names as in the source: A extent, B intent.
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
"""Words of candidate extents that are held at once (8 MiB)."""
TABLE_BYTES = 64 << 20
"""Largest closure table; beyond it rows are read object by object."""
ONES = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


class TooManyConcepts(Exception):  # noqa: N818 - an outcome that the caller turns into advice
    """The enumeration passed its limit after ``found`` concepts."""

    def __init__(self, found: int) -> None:
        super().__init__(f"more than the limit: {found} concepts so far")
        self.found = found


@dataclass(frozen=True, eq=False)
class Tables:
    """A context prepared for closing. Attributes stand in the order ``order``, rarest first.

    Shapes, with W = ceil(n / 64), V = ceil(m / 64): ``columns`` (m, W) extents of the attributes; ``rows`` (V, K)
    closure entries, K = octets x 256, or objects where that would be too large; ``unions`` (V, K) the same with OR;
    ``below`` (m, V) the attributes before each.
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
        padded = np.full((columns.shape[1] * 64, intents.shape[1]), ONES)
        padded[:n] = intents
        rows = _octet_table(padded) if by_octet else np.ascontiguousarray(padded.T)
        unions = ~_octet_table(~padded) if by_octet else rows  # OR by De Morgan; no object beyond n is ever asked for
        return cls(n, m, order, columns, rows, unions, pack(np.tri(m, k=-1, dtype=np.bool_)), by_octet)

    def close(self, A: Words) -> Words:
        """A' for non-empty extents: shape (k, W) -> (k, V)."""
        return self._folded(A, self.rows, np.bitwise_and)

    def met(self, A: Words) -> Bools:
        """Which attributes some object of each non-empty extent has: (k, W) -> (k, m), in the order of ``order``."""
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
        """Incidences over cells."""
        return float(np.bitwise_count(self.columns).sum()) / (self.n * self.m)

    def members(self, B: Words) -> Bools:
        """Intents of shape (k, V) as booleans of shape (k, m), in the order of ``order``."""
        return unpack(B, self.m)


def _octet_table(rows: Words) -> Words:
    """For every block of eight rows and every subset of it the AND of its rows: (8 K, V) -> (V, K * 256)."""
    blocks = rows.reshape(-1, 8, rows.shape[1])
    table = np.empty((rows.shape[1], len(blocks), 256), dtype=np.uint64)
    table[:, :, 0] = ONES
    for b in range(8):
        table[:, :, 1 << b : 2 << b] = table[:, :, : 1 << b] & blocks[:, b, :].T[:, :, None]
    return table.reshape(rows.shape[1], -1)


@dataclass(frozen=True, eq=False)
class Nodes:
    """Concepts of one level of the search: extents A (k, W), intents B (k, V), last attribute y (k,), and the
    attributes ``alive`` (k, m) that may still be frequent below them."""

    A: Words
    B: Words
    y: Ints
    alive: Bools

    def __len__(self) -> int:
        return len(self.y)

    def take(self, which: Ints | slice) -> Nodes:
        """Some of the nodes, in the given order."""
        return Nodes(self.A[which], self.B[which], self.y[which], self.alive[which])


@dataclass(frozen=True, eq=False)
class Step:
    """What a batch of nodes leads to: the pairs (parent, attribute) with enough support, closed.

    ``children`` are the canonical ones, ``origin`` (c,) their parents. ``failed_*`` are the others: parent, attribute
    and intent of a concept that some other pair makes.
    """

    children: Nodes
    origin: Ints
    failed_parent: Ints
    failed_attribute: Ints
    failed_intent: Words


def top(tables: Tables) -> Nodes:
    """The top concept (all objects) as the only node of level 0."""
    A = pack(np.ones((1, tables.n), dtype=np.bool_))
    return Nodes(A, tables.close(A), np.array([-1]), np.ones((1, tables.m), dtype=np.bool_))


def expand(tables: Tables, nodes: Nodes, min_support: int) -> Iterator[Step]:
    """The steps below some nodes, in batches that bound the memory; ``origin`` counts within ``nodes``."""
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

    ``parent`` counts over all concepts; level l is ``starts[l]:starts[l + 1]``. ``failed_*`` as in Step.
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
    """About what one concept takes in memory until its covers are known."""
    W, V = int(tables.columns.shape[1]), int(tables.below.shape[1])
    return 8 * (W + V) + 5 * tables.m + 24


def close_by_one(
    tables: Tables, *, min_support: int, limit: int, memory: int, watch: Callable[[int], None] | None = None
) -> Enumeration:
    """Every concept whose extent has at least ``max(1, min_support)`` objects.

    Args:
        tables: the context.
        min_support: smallest extent, in objects.
        limit: largest number of concepts.
        memory: largest number of bytes for what is kept per concept and failed pair.
        watch: is told the number of concepts found so far, again and again; what it raises ends the enumeration.

    Raises:
        TooManyConcepts: one of the limits was passed.
    """
    V = tables.below.shape[1]
    per_concept, per_failure = bytes_per_concept(tables), 8 * V + 16
    level = top(tables)
    A, B, y, parents, starts = [level.A], [level.B], [level.y], [np.zeros(1, dtype=np.int64)], [0, 1]
    failures: list[tuple[Ints, Ints, Words]] = []
    failed = 0
    while len(level):
        steps: list[Step] = []
        found = starts[-1]
        for step in expand(tables, level, min_support):
            steps.append(step)
            found += len(step.children)
            failed += len(step.failed_parent)
            if found > limit or found * per_concept + failed * per_failure > memory:
                raise TooManyConcepts(found)
            if watch is not None:
                watch(found)
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
        starts.append(found)
    del steps, level
    joined = _joined(failures, V)
    return Enumeration(_drained(A), _drained(B), np.concatenate(y), np.concatenate(parents), tuple(starts), *joined)


def _drained(parts: list[Words]) -> Words:
    """The parts one below the other; each is given up when it is copied, so that the sum is not held twice."""
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
