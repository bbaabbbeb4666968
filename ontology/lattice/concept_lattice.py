"""The concept lattice of a formal context: all concepts, the covering relation, icebergs, reduced labelling.

Source: paper 000 section 3.1; Ganter and Wille 1999, chapter 1; icebergs: Stumme et al., "Computing iceberg concept
lattices with Titanic", 2002. The concepts are computed in closure.py, the covers in covers.py.

>>> context = FormalContext.from_pairs([("d1", "rain"), ("d1", "storm"), ("d2", "rain"), ("d3", "flood")])
>>> concepts = lattice(context)
>>> [(context.object_names(c.extent), context.attribute_names(c.intent)) for c in concepts.concepts]
[(('d1', 'd2', 'd3'), ()), (('d1', 'd2'), ('rain',)), (('d1',), ('rain', 'storm')), (('d3',), ('flood',)),
 ((), ('rain', 'storm', 'flood'))]
>>> concepts.covers.tolist()
[[0, 1], [0, 3], [1, 2], [2, 4], [3, 4]]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ontology.context import ContextError, FormalContext, Words, bitsets, pack, unpack
from ontology.lattice.closure import Enumeration, Ints, Tables, TooManyConcepts, bytes_per_concept, close_by_one
from ontology.lattice.covers import covering_pairs
from ontology.lattice.order import listed
from ontology.lattice.size import SizeEstimate, estimate_size

LIMIT = 2_000_000
MEMORY = 4 << 30
CHECK = 1 << 16
"""Number of concepts after which the size of the whole lattice is estimated."""


class LatticeTooLarge(ContextError):  # noqa: N818 - says what is wrong, as ContextError's callers expect
    """The context has more concepts than allowed.

    Attributes:
        found: number of concepts counted before stopping.
        estimate: estimated number of all concepts.
        limit: largest number allowed.
        min_support: minimal support (in objects) with which, by the same estimate, the lattice fits.
    """

    def __init__(self, found: int, estimate: float, limit: int, min_support: int, size: tuple[int, int]) -> None:
        n, m = size
        super().__init__(
            "lattice.too_large", n=n, m=m, estimate=estimate, found=found, limit=limit, min_support=min_support
        )
        self.found, self.estimate, self.limit, self.min_support = found, estimate, limit, min_support


@dataclass(frozen=True, slots=True)
class FormalConcept:
    """A pair (extent, intent) as bitsets of the context's objects and attributes.

    >>> FormalConcept(extent=0b11, intent=0b1).support
    2
    """

    extent: int
    intent: int

    @property
    def support(self) -> int:
        """Number of objects in the extent."""
        return self.extent.bit_count()


@dataclass(frozen=True)
class Lattice:
    """The concepts of a context with at least ``min_support`` objects, and their covering relation.

    Concepts are ordered by falling extent size, then by their lists of object numbers; index 0 is the top. Two lattices
    are equal if their context and minimal support are.

    Attributes:
        context: the formal context.
        min_support: smallest extent, in objects; 0 for the whole lattice.
        extents: packed, shape (concepts, ceil(objects / 64)); see `ontology.context.pack`.
        intents: packed, shape (concepts, ceil(attributes / 64)).
        covers: (upper, lower) index pairs, shape (edges, 2), sorted; ``lower`` is directly below ``upper``.

    >>> whole = lattice(FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100)))
    >>> len(whole), whole.top, whole.bottom
    (5, 0, 4)
    >>> whole.supports.tolist()
    [3, 2, 1, 1, 0]
    >>> whole.lower(0).tolist(), whole.upper(4).tolist()
    ([1, 3], [2, 3])
    >>> whole.own_attributes
    {1: ('rain',), 2: ('storm',), 3: ('flood',)}
    >>> whole.own_objects
    {1: ('d2',), 2: ('d1',), 3: ('d3',)}
    >>> len(whole.iceberg(2))
    2
    """

    context: FormalContext
    min_support: int
    extents: Words = field(repr=False, compare=False)
    intents: Words = field(repr=False, compare=False)
    covers: Ints = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.extents)

    @cached_property
    def concepts(self) -> tuple[FormalConcept, ...]:
        """All concepts as values, in order."""
        return tuple(map(FormalConcept, bitsets(self.extents), bitsets(self.intents)))

    @cached_property
    def supports(self) -> Ints:
        """Extent sizes, shape (concepts,)."""
        return np.asarray(np.bitwise_count(self.extents).sum(axis=1), dtype=np.int64)

    @property
    def top(self) -> int:
        """Index of the concept of all objects."""
        return 0

    @property
    def bottom(self) -> int | None:
        """Index of the concept of all attributes; None in an iceberg without it."""
        last = len(self) - 1
        full = int(np.bitwise_count(self.intents[last]).sum()) == len(self.context.attributes)
        return last if full else None

    @cached_property
    def _below(self) -> tuple[Ints, Ints]:
        return self.covers[:, 1], np.searchsorted(self.covers[:, 0], np.arange(len(self) + 1))

    @cached_property
    def _above(self) -> tuple[Ints, Ints]:
        order = np.lexsort((self.covers[:, 0], self.covers[:, 1]))
        return self.covers[order, 0], np.searchsorted(self.covers[order, 1], np.arange(len(self) + 1))

    def lower(self, concept: int) -> Ints:
        """Return the indices of the lower neighbours of a concept in ascending order."""
        values, start = self._below
        return values[start[concept] : start[concept + 1]]

    def upper(self, concept: int) -> Ints:
        """Return the indices of the upper neighbours of a concept in ascending order."""
        values, start = self._above
        return values[start[concept] : start[concept + 1]]

    @cached_property
    def attribute_concepts(self) -> Ints:
        """Index of the attribute concept (m', m'') of each attribute, shape (attributes,); -1 if cut off."""
        concepts = np.full(len(self.context.attributes), -1, dtype=np.int64)
        for m in range(len(concepts)):
            has = (self.intents[:, m >> 6] >> np.uint64(m & 63)) & np.uint64(1) == 1
            if has.any():
                concepts[m] = int(has.argmax())
        return concepts

    @cached_property
    def object_concepts(self) -> Ints:
        """Index of the object concept (g'', g') of each object, shape (objects,); -1 if cut off."""
        width = self.intents.shape[1] * 8
        data = np.ascontiguousarray(self.intents, dtype="<u8").tobytes()
        index = {data[i * width : (i + 1) * width]: i for i in range(len(self))}
        return np.array([index.get(row.to_bytes(width, "little"), -1) for row in self.context.rows], dtype=np.int64)

    @cached_property
    def own_attributes(self) -> dict[int, tuple[str, ...]]:
        """Reduced labelling: concept index -> attributes whose attribute concept it is."""
        return _grouped(self.attribute_concepts, self.context.attributes)

    @cached_property
    def own_objects(self) -> dict[int, tuple[str, ...]]:
        """Reduced labelling: concept index -> objects whose object concept it is."""
        return _grouped(self.object_concepts, self.context.objects)

    def iceberg(self, min_support: int) -> Lattice:
        """Return the concepts with at least ``min_support`` objects, and the covers among them.

        Raises:
            ContextError: ``min_support`` is negative or more than the number of objects.
        """
        _check_support(min_support, len(self.context.objects))
        kept = int(np.count_nonzero(self.supports >= min_support))
        among = (self.covers < kept).all(axis=1)
        support = max(self.min_support, min_support)
        return Lattice(self.context, support, self.extents[:kept], self.intents[:kept], self.covers[among])


def lattice(
    context: FormalContext,
    *,
    min_support: int = 0,
    limit: int = LIMIT,
    memory: int = MEMORY,
    watch: Callable[[int], None] | None = None,
) -> Lattice:
    """Compute all formal concepts of a context, or its iceberg, with the covering relation.

    Args:
        context: the formal context.
        min_support: smallest extent in objects; 0 for the whole lattice with its bottom.
        limit: largest number of concepts.
        memory: approximate largest number of bytes for them.
        watch: callback, called repeatedly with the number of concepts found so far.

    Returns:
        The lattice.

    Raises:
        LatticeTooLarge: more concepts than allowed; the message has an estimate and a minimal support that fits. A
            context that is far too large raises before the limit is reached (`size.SURE`).
        ContextError: ``min_support`` is negative or more than the number of objects.

    >>> context = FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100))
    >>> len(lattice(context)), len(lattice(context, min_support=1))
    (5, 4)
    >>> lattice(context, limit=2)
    Traceback (most recent call last):
        ...
    ontology.lattice.concept_lattice.LatticeTooLarge: the context of 3 objects x 3 attributes has about ... concepts ...
    """
    _check_support(min_support, len(context.objects))
    tables = Tables.of(context)
    guard = _Guard(tables, min_support, min(limit, memory // bytes_per_concept(tables)), watch)
    try:
        enumeration = close_by_one(tables, min_support=min_support, limit=limit, memory=memory, watch=guard)
    except TooManyConcepts as stop:
        raise _refusal(tables, min_support, limit, stop.found, guard) from stop
    everything = int(np.bitwise_count(enumeration.B).sum(axis=1).max()) == tables.m
    with_bottom = min_support == 0 and not everything
    if with_bottom and len(enumeration) == limit:
        raise _refusal(tables, min_support, limit, limit + 1, guard)
    covers = covering_pairs(tables, enumeration, with_bottom=with_bottom)
    return _ordered(context, min_support, tables, enumeration, covers, with_bottom=with_bottom)


@dataclass
class _Guard:
    """A callback of an enumeration: after `CHECK` concepts it estimates whether the whole can fit."""

    tables: Tables
    min_support: int
    room: int
    watch: Callable[[int], None] | None
    size: SizeEstimate | None = None

    def __call__(self, count: int) -> None:
        if self.watch is not None:
            self.watch(count)
        if count > CHECK and self.size is None:
            self.size = estimate_size(self.tables, min_support=self.min_support)
            if self.size.surely_over(self.room):
                raise TooManyConcepts(count)


def _refusal(tables: Tables, min_support: int, limit: int, count: int, guard: _Guard) -> LatticeTooLarge:
    size = guard.size or estimate_size(tables, min_support=min_support)
    early = size.surely_over(guard.room)
    allowed = min(limit, guard.room if early else count)
    total = max(size.concepts, float(count))
    fit = max(size.support_for(allowed / 2), min_support + 1)
    return LatticeTooLarge(count, total, min(limit, guard.room), fit, (tables.n, tables.m))


def _ordered(
    context: FormalContext,
    min_support: int,
    tables: Tables,
    concepts: Enumeration,
    covers: Ints,
    *,
    with_bottom: bool,
) -> Lattice:
    """Return the lattice in its documented order, attributes in the context's order."""
    A, B = concepts.A, _in_context_order(concepts.B, tables)
    if with_bottom:
        A = np.concatenate([A, np.zeros((1, A.shape[1]), dtype=np.uint64)])
        B = np.concatenate([B, pack(np.ones((1, tables.m), dtype=np.bool_))])
    order = listed(A)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    pairs = place[covers]
    pairs = pairs[np.argsort(pairs[:, 0] * len(order) + pairs[:, 1])]
    return Lattice(context, min_support, A[order], B[order], pairs)


def _in_context_order(B: Words, tables: Tables) -> Words:
    back = np.argsort(tables.order)
    parts = [pack(unpack(B[i : i + 65536], tables.m)[:, back]) for i in range(0, len(B), 65536)]
    return np.concatenate(parts)


def _check_support(min_support: int, n: int) -> None:
    if not 0 <= min_support <= n:
        raise ContextError("lattice.minimal_support_expected_number", n=n, min_support=min_support)


def _grouped(place: Ints, names: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    groups: dict[int, list[str]] = {}
    for concept, name in zip(place.tolist(), names, strict=True):
        if concept >= 0:
            groups.setdefault(concept, []).append(name)
    return {concept: tuple(own) for concept, own in sorted(groups.items())}
