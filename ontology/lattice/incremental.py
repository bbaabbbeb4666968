"""A lattice that grows by one object at a time.

Source: van der Merwe, Obiedkov and Kourie 2004 (AddIntent: a new incremental algorithm for constructing concept
lattices). A new object with intent B keeps every intent and adds those intersections with B that are no intents yet.
Such an intersection X has a *generator*, the greatest old concept whose intent contains X: the new concept is inserted
directly above the generator, and below the intersections of B with the generator's upper neighbours.

The source is recursive; here the new intersections are found first, without a change, and are then inserted by rising
size, so that the concepts above each are in place. Sets are Python ints, as in `ontology.context`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ontology.context import ContextError, FormalContext, bitsets, words
from ontology.lattice.closure import Tables
from ontology.lattice.concept_lattice import LIMIT, Lattice, LatticeTooLarge
from ontology.lattice.order import listed
from ontology.lattice.size import estimate_size


@dataclass(frozen=True, slots=True)
class Growth:
    """The effect of adding one object: ``added`` new concepts; ``containing`` concepts have it in their extent."""

    added: int
    containing: int


ALL = -1
"""Intent of the concept without objects: all attributes, future ones included (-1 has all bits set)."""


class GrowingLattice:
    """All concepts and covers of the objects added so far.

    New attributes are added with the object that has them. The object is mutable; the method `lattice` returns a value
    equal to that of `ontology.lattice.lattice` for the same context.

    >>> growing = GrowingLattice()
    >>> growing.add("d1", ["rain", "storm"])
    Growth(added=0, containing=1)
    >>> growing.add("d2", ["rain"])
    Growth(added=1, containing=1)
    >>> growing.add("d3", ["flood"])
    Growth(added=3, containing=2)
    >>> len(growing), growing.lattice().supports.tolist()
    (5, [3, 2, 1, 1, 0])
    """

    def __init__(self, *, limit: int = LIMIT) -> None:
        self.limit = limit
        self._objects: dict[str, int] = {}
        """Name -> its row."""
        self._attributes: dict[str, int] = {}
        self._extents, self._intents = [0], [ALL]
        self._upper: list[set[int]] = [set()]
        self._at = {ALL: 0}
        self._bottom = 0

    @classmethod
    def of(cls, lattice: Lattice, *, limit: int = LIMIT) -> GrowingLattice:
        """Continue from a finished lattice.

        Args:
            lattice: a whole lattice.
            limit: largest number of concepts.

        Returns:
            A growing lattice with the same concepts.

        Raises:
            ContextError: the lattice is an iceberg or a stable part, which lack concepts.
        """
        if type(lattice) is not Lattice or lattice.min_support > 0 or lattice.bottom is None:
            raise ContextError("expected a whole lattice, found an iceberg or a stable part: "
                               "compute it with min_support=0")  # fmt: skip
        self = cls(limit=limit)
        self._objects = dict(zip(lattice.context.objects, lattice.context.rows, strict=True))
        self._attributes = {name: j for j, name in enumerate(lattice.context.attributes)}
        self._extents, self._intents = bitsets(lattice.extents), bitsets(lattice.intents)
        self._upper = [set(lattice.upper(i).tolist()) for i in range(len(lattice))]
        if self._extents[lattice.bottom]:
            self._extents.append(0)
            self._intents.append(ALL)
            self._upper.append({lattice.bottom})
        self._bottom = len(self._intents) - 1
        self._intents[self._bottom] = ALL
        self._at = {intent: i for i, intent in enumerate(self._intents)}
        return self

    def __len__(self) -> int:
        return len(self._intents) - self._empty_is_extra()

    def _empty_is_extra(self) -> bool:
        """Return whether some object has all attributes: then no concept is without objects."""
        return (1 << len(self._attributes)) - 1 in self._at

    def add(self, name: str, attributes: Iterable[str]) -> Growth:
        """Add an object with its attributes.

        Args:
            name: name of the object.
            attributes: names of its attributes.

        Returns:
            The numbers of new concepts and of concepts that contain the object.

        Raises:
            ContextError: an object has this name already.
            LatticeTooLarge: there would be more concepts than ``limit``. Nothing is changed.
        """
        if name in self._objects:
            raise ContextError(f"object {name!r} is there already: objects of a context have distinct names")
        before, known = len(self), dict(self._attributes)
        B = 0
        for m in attributes:
            B |= 1 << known.setdefault(m, len(known))
        generators = self._new_intersections(B)
        if len(self._intents) + len(generators) > self.limit:
            self._refuse(len(self._intents) + len(generators), name, B, known)
        self._attributes = known
        g = 1 << len(self._objects)
        self._objects[name] = B
        for X in sorted(generators, key=int.bit_count):
            self._insert(X, generators[X], B)
        containing = self._gain(self._at[B], g)
        return Growth(len(self) - before, containing)

    def _new_intersections(self, B: int) -> dict[int, int]:
        """Return the intersections of intents with B that are no intents yet, each with its generator."""
        generators: dict[int, int] = {}
        waiting = [(B, self._bottom)]
        while waiting:
            X, concept = waiting.pop()
            if X in self._at or X in generators:
                continue
            generators[X] = concept = self._generator(X, concept)
            waiting += [(self._intents[p] & B, p) for p in self._upper[concept]]
        return generators

    def _generator(self, X: int, concept: int) -> int:
        """Return the greatest concept whose intent contains X, upwards from one whose intent does."""
        while True:
            higher = next((p for p in self._upper[concept] if not X & ~self._intents[p]), None)
            if higher is None:
                return concept
            concept = higher

    def _insert(self, X: int, generator: int, B: int) -> None:
        """Insert the concept of intent X between its generator and the concepts above."""
        above = {self._at[self._intents[p] & B] for p in self._upper[generator]}
        upper: set[int] = set()
        for c in sorted(above, key=lambda c: -self._intents[c].bit_count()):
            if all(self._intents[c] & ~self._intents[u] for u in upper):
                upper.add(c)
        new = len(self._intents)
        self._extents.append(self._extents[generator])
        self._intents.append(X)
        self._upper.append(upper)
        self._at[X] = new
        self._upper[generator] -= upper
        self._upper[generator].add(new)

    def _gain(self, concept: int, g: int) -> int:
        """Add object bit g to the extents of a concept and all above; return how many there are."""
        seen, waiting = {concept}, [concept]
        while waiting:
            c = waiting.pop()
            self._extents[c] |= g
            new = self._upper[c] - seen
            seen |= new
            waiting += new
        return len(seen)

    def _refuse(self, count: int, name: str, B: int, known: dict[str, int]) -> NoReturn:
        rows = {**self._objects, name: B}
        context = FormalContext(tuple(rows), tuple(known), tuple(rows.values()))
        size = estimate_size(Tables.of(context))
        shape = len(context.objects), len(context.attributes)
        raise LatticeTooLarge(count, max(size.concepts, count), self.limit, size.support_for(self.limit / 2), shape)

    def context(self) -> FormalContext:
        """Return the context of the objects so far. Raises ContextError if no object has an attribute."""
        return FormalContext(tuple(self._objects), tuple(self._attributes), tuple(self._objects.values()))

    def lattice(self) -> Lattice:
        """Return the lattice of the objects so far. Raises ContextError if no object has an attribute."""
        context = self.context()
        n, m = len(context.objects), len(context.attributes)
        intents = self._intents.copy()
        intents[self._bottom] = (1 << m) - 1
        kept = [c for c in range(len(intents)) if c != self._bottom or not self._empty_is_extra()]
        A = words([self._extents[c] for c in kept], n)
        order = listed(A)
        place = np.full(len(intents), -1)
        place[np.array(kept)[order]] = np.arange(len(kept))
        pairs = [(u, c) for c in kept for u in self._upper[c]]
        covers = place[np.array(pairs, dtype=np.int64).reshape(-1, 2)]
        covers = covers[np.lexsort((covers[:, 1], covers[:, 0]))]
        return Lattice(context, 0, A[order], words([intents[c] for c in kept], m)[order], covers)
