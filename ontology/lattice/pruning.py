"""Reductions of a lattice: the iceberg that fits a limit, and the stable part.

Stable part: Kuznetsov, Obiedkov and Roth 2007 (Reducing the representation complexity of lattice-based taxonomies): the
concepts above a threshold of stability. They are ordered as before, but are no longer closed under meets and joins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ontology.context import ContextError, FormalContext, Words, bitsets
from ontology.errors import Message
from ontology.lattice.closure import Ints
from ontology.lattice.concept_lattice import LIMIT, MEMORY, Lattice, LatticeTooLarge, lattice
from ontology.lattice.concept_stability import Stability


@dataclass(frozen=True)
class Cut:
    """The part that `lattice_that_fits` has cut off: the concepts with less than ``min_support`` objects.

    Attributes:
        min_support: smallest extent of the iceberg, in objects.
        estimate: estimated number of concepts of the lattice asked for.
        limit: largest number of concepts allowed.

    >>> str(Cut(min_support=3, estimate=2.5e6, limit=1000))
    'cut: about 2,500,000 concepts are more than the 1,000 allowed; kept are those with at least 3 objects'
    """

    min_support: int
    estimate: float
    limit: int

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> Message:
        """How the lattice was cut, as a message."""
        return Message("lattice.cut", estimate=self.estimate, limit=self.limit, support=self.min_support)


def lattice_that_fits(
    context: FormalContext,
    *,
    min_support: int = 0,
    limit: int = LIMIT,
    memory: int = MEMORY,
    watch: Callable[[int], None] | None = None,
) -> tuple[Lattice, Cut | None]:
    """Compute the lattice or, if it is too large, the iceberg of the minimal support that `LatticeTooLarge` suggests.

    The support is raised until the iceberg fits (the suggestion is an estimate); the top alone always fits.

    Args:
        context: the formal context.
        min_support: smallest extent in objects to begin with.
        limit: largest number of concepts.
        memory: approximate largest number of bytes for them.
        watch: callback, called repeatedly with the number of concepts found so far.

    Returns:
        The lattice, and what was cut off (None for nothing).

    Raises:
        ContextError: ``min_support`` is out of range.

    >>> context = FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100))
    >>> iceberg, cut = lattice_that_fits(context, limit=4)
    >>> len(iceberg), cut.min_support
    (2, 2)
    """
    n = len(context.objects)
    cut: Cut | None = None
    while True:
        try:
            iceberg = lattice(context, min_support=min_support, limit=limit, memory=memory, watch=watch)
        except LatticeTooLarge as error:
            raised = min_support + max(1, (n - min_support) // 8) if cut else min_support + 1
            min_support = min(n, max(error.min_support, raised))
            cut = Cut(min_support, cut.estimate if cut else error.estimate, limit)
        else:
            return iceberg, cut


@dataclass(frozen=True)
class StablePart(Lattice):
    """The concepts of a lattice with at least ``min_stability``, and the top, with the covers among them.

    ``kept`` are their indices in the lattice. An attribute whose attribute concept was removed is listed at each
    greatest remaining concept that has it, an object at each smallest one.
    """

    min_stability: float = 0.0
    kept: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False, compare=False)

    @cached_property
    def attribute_concepts(self) -> Ints:
        """Index of the attribute concept of each attribute, -1 if it was removed."""
        first = super().attribute_concepts
        return np.where((first >= 0) & (self.supports[first] == self.context.supports), first, -1)

    @cached_property
    def own_attributes(self) -> dict[int, tuple[str, ...]]:
        """Concept index -> the attributes that no concept above it has."""
        unique = _only_here(self.intents, self.covers[:, 0], self.covers[:, 1])
        return {i: self.context.attribute_names(bits) for i, bits in unique.items()}

    @cached_property
    def own_objects(self) -> dict[int, tuple[str, ...]]:
        """Concept index -> the objects that no concept below it has."""
        unique = _only_here(self.extents, self.covers[:, 1], self.covers[:, 0])
        return {i: self.context.object_names(bits) for i, bits in unique.items()}

    def iceberg(self, min_support: int) -> StablePart:
        """Return the concepts of this part with at least ``min_support`` objects; raises as `Lattice.iceberg`."""
        cut = super().iceberg(min_support)
        return StablePart(**_fields(cut), min_stability=self.min_stability, kept=self.kept[: len(cut)])


def stable_part(lattice: Lattice, stabilities: Stability, minimum: float) -> StablePart:
    """Select the concepts of a lattice with a minimal stability, and the top, with the covers among them.

    Args:
        lattice: the lattice.
        stabilities: the stability of its concepts.
        minimum: smallest stability, in [0, 1].

    Returns:
        The selected concepts.

    Raises:
        ContextError: the minimum is not in [0, 1], or the stability is not that of this lattice.

    >>> from ontology.lattice import lattice, stability
    >>> whole = lattice(FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100)))
    >>> part = stable_part(whole, stability(whole), 0.6)
    >>> part.kept.tolist(), part.covers.tolist()
    ([0, 4], [[0, 1]])
    """
    if not 0 <= minimum <= 1:
        raise ContextError("lattice.minimal_stability_expected_found", minimum=minimum)
    if len(stabilities.values) != len(lattice):
        raise ContextError(
            "lattice.expected_stability_concepts_found", n_lattice=len(lattice), n_values=len(stabilities.values)
        )
    stable = stabilities.values >= minimum
    stable[lattice.top] = True
    kept = np.flatnonzero(stable)
    part = replace(lattice, extents=lattice.extents[kept], intents=lattice.intents[kept],
                   covers=order_reduction(lattice.intents[kept]))  # fmt: skip
    return StablePart(**_fields(part), min_stability=minimum, kept=kept)


def order_reduction(intents: Words) -> Ints:
    """Compute the covering relation (upper, lower) of any concepts, ordered by falling support; (k, V) -> (edges, 2).

    Below a concept, the first of the remaining ones is always maximal; it and all below it are removed, and so on.

    >>> order_reduction(np.array([[0b000], [0b001], [0b011], [0b111]], dtype=np.uint64)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    pairs: list[tuple[int, int]] = []
    for upper in range(len(intents)):
        below = np.arange(upper + 1, len(intents))
        below = below[~(intents[upper] & ~intents[below]).any(axis=1)]
        while len(below):
            lower = int(below[0])
            pairs.append((upper, lower))
            below = below[(intents[lower] & ~intents[below]).any(axis=1)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _fields(lattice: Lattice) -> dict[str, Any]:
    return {f.name: getattr(lattice, f.name) for f in fields(Lattice)}


def _only_here(sets: Words, neighbours: Ints, concepts: Ints) -> dict[int, int]:
    """Return concept index -> the bits of its set that no neighbour has, if any; pairs are parallel arrays."""
    elsewhere = np.zeros_like(sets)
    np.bitwise_or.at(elsewhere, concepts, sets[neighbours])
    return {i: bits for i, bits in enumerate(bitsets(sets & ~elsewhere)) if bits}
