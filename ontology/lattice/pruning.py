"""Smaller pictures of a lattice: the iceberg that fits a limit, and the stable part.

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
from ontology.lattice.closure import Ints
from ontology.lattice.concept_lattice import LIMIT, MEMORY, Lattice, LatticeTooLarge, lattice
from ontology.lattice.concept_stability import Stability


@dataclass(frozen=True)
class Cut:
    """What `lattice_that_fits` has cut off: the concepts with less than ``min_support`` objects.

    ``estimate`` is about the number of concepts that was asked for, ``limit`` what was allowed.
    """

    min_support: int
    estimate: float
    limit: int

    def __str__(self) -> str:
        return (
            f"cut: about {self.estimate:,.0f} concepts are more than the {self.limit:,} allowed; kept are those with "
            f"at least {self.min_support} objects"
        )


def lattice_that_fits(
    context: FormalContext,
    *,
    min_support: int = 0,
    limit: int = LIMIT,
    memory: int = MEMORY,
    watch: Callable[[int], None] | None = None,
) -> tuple[Lattice, Cut | None]:
    """The lattice, or where it is too large the iceberg of the support that the refusal advises; it says which.

    The support is raised until the iceberg fits (the advice rests on an estimate); the concept of all objects always
    does. Arguments as of `lattice`.

    Raises:
        ContextError: ``min_support`` is out of range.
    """
    n = len(context.objects)
    cut: Cut | None = None
    while True:
        try:
            found = lattice(context, min_support=min_support, limit=limit, memory=memory, watch=watch)
        except LatticeTooLarge as error:
            raised = min_support + max(1, (n - min_support) // 8) if cut else min_support + 1
            min_support = min(n, max(error.min_support, raised))
            cut = Cut(min_support, cut.estimate if cut else error.estimate, limit)
        else:
            return found, cut


@dataclass(frozen=True)
class StablePart(Lattice):
    """The concepts of a lattice with at least ``min_stability``, and the top; ``covers`` is their order's reduction.

    ``kept`` are their indices in the lattice. An attribute whose own concept is gone stands at each greatest concept
    that is left with it, an object at each smallest one.
    """

    min_stability: float = 0.0
    kept: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False, compare=False)

    @cached_property
    def attribute_concepts(self) -> Ints:
        """Index of the attribute concept of each attribute, -1 where it is gone."""
        first = super().attribute_concepts
        size = np.array([column.bit_count() for column in self.context.columns])
        return np.where((first >= 0) & (self.supports[first] == size), first, -1)

    @cached_property
    def own_attributes(self) -> dict[int, tuple[str, ...]]:
        """Concept index -> the attributes that no concept above it has."""
        own = _only_here(self.intents, self.covers[:, 0], self.covers[:, 1])
        return {i: self.context.attribute_names(bits) for i, bits in own.items()}

    @cached_property
    def own_objects(self) -> dict[int, tuple[str, ...]]:
        """Concept index -> the objects that no concept below it has."""
        own = _only_here(self.extents, self.covers[:, 1], self.covers[:, 0])
        return {i: self.context.object_names(bits) for i, bits in own.items()}

    def iceberg(self, min_support: int) -> StablePart:
        """The concepts of this part with at least ``min_support`` objects; errors as of `Lattice.iceberg`."""
        cut = super().iceberg(min_support)
        return StablePart(**_fields(cut), min_stability=self.min_stability, kept=self.kept[: len(cut)])


def stable_part(lattice: Lattice, found: Stability, minimum: float) -> StablePart:
    """The concepts of a lattice with a stability of at least ``minimum``, and the top, with the covers among them.

    Raises:
        ContextError: the minimum is not in [0, 1], or the stability is not that of this lattice.
    """
    if not 0 <= minimum <= 1:
        raise ContextError(f"minimal stability: expected 0 to 1, found {minimum}")
    if len(found.values) != len(lattice):
        raise ContextError(f"expected the stability of {len(lattice)} concepts, found that of {len(found.values)}")
    wanted = found.values >= minimum
    wanted[lattice.top] = True
    kept = np.flatnonzero(wanted)
    part = replace(lattice, extents=lattice.extents[kept], intents=lattice.intents[kept],
                   covers=order_reduction(lattice.intents[kept]))  # fmt: skip
    return StablePart(**_fields(part), min_stability=minimum, kept=kept)


def order_reduction(intents: Words) -> Ints:
    """The covers (upper, lower) of any set of concepts, ordered by falling support; shapes (k, V) -> (edges, 2).

    Of what lies below a concept the first is always maximal; it and all below it are taken away, and so on.
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


def _fields(found: Lattice) -> dict[str, Any]:
    return {f.name: getattr(found, f.name) for f in fields(Lattice)}


def _only_here(sets: Words, neighbours: Ints, concepts: Ints) -> dict[int, int]:
    """Concept index -> the bits of its set that no neighbour has, where there are any; pairs run side by side."""
    elsewhere = np.zeros_like(sets)
    np.bitwise_or.at(elsewhere, concepts, sets[neighbours])
    return {i: bits for i, bits in enumerate(bitsets(sets & ~elsewhere)) if bits}
