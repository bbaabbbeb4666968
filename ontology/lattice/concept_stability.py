"""Stability of formal concepts: how much a concept depends on single documents (or terms).

Source: Kuznetsov 1990 and 2007 (On stability of a formal concept). The *intensional* stability of (A, B) is the share
of the subsets C of A with C' = B: the probability that the intent remains if every object is kept or lost by the toss
of a coin. The *extensional* one is the same for subsets of B. Counting them is #P-complete in general (Kuznetsov 2007).

C' is not B exactly where C lies in the extent of a lower neighbour (A_i, B_i): where it misses D_i = A - A_i. So

    sigma(A, B) = P(C misses no D_i) = sum over sets S of lower neighbours of (-1)^|S| 2^-|union of D_i, i in S|     (1)

by inclusion and exclusion. Equal unions are added up, so that there are no more terms than concepts below; a D_i of
more than `NEGLIGIBLE` objects changes no digit of a double and is left out. Where (1) has too many terms, but all
concepts below are known, the count of Roth, Obiedkov and Kourie 2008 (On succinct representation of knowledge community
taxonomies with formal concept analysis) is used, from the bottom up:

    sigma(A, B) = 1 - sum over (C, D) < (A, B) of sigma(C, D) 2^(|C| - |A|)                                      (2)

Else sigma is estimated with its standard error: with s = sum of 2^-|D_i| below 1 by Karp, Luby and Madras 1989
(Monte-Carlo approximation algorithms for enumeration problems), a relative error of the *in*stability; otherwise by
tossing the coins.

>>> from ontology.context import FormalContext
>>> from ontology.lattice.concept_lattice import lattice
>>> whole = lattice(FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100)))
>>> whole.supports.tolist()
[3, 2, 1, 1, 0]
>>> stability(whole).values.tolist()  # of the top: 3 of the 8 subsets of objects have no common attribute
[0.375, 0.5, 0.5, 0.5, 1.0]
>>> stability(whole, kind="extensional").values.tolist()
[1.0, 0.5, 0.5, 0.5, 0.375]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontology.context import ContextError, Words, bits_of, bitsets, pack, unpack
from ontology.lattice.closure import Ints
from ontology.lattice.concept_lattice import Lattice

Floats = NDArray[np.float64]
Kind = Literal["intensional", "extensional"]

NEGLIGIBLE = 48
"""Number of objects above which a union adds less than 2^-48 to (1)."""
TOLERANCE = 1e-9
FEW_TERMS, MANY_TERMS = 256, 1 << 13
"""Terms of (1) up to which it is tried before and after (2)."""
SCAN_WORDS = 1 << 23
"""Words of intents that (2) may scan for one concept."""
SAMPLES = 1000
_CELLS = 1 << 22


class StabilityNeedsSampling(ContextError):  # noqa: N818 - says what to do, as ContextError's callers expect
    """The stability of a concept can't be counted exactly within bounds, and no random generator was passed."""


@dataclass(frozen=True, eq=False)
class Stability:
    """Stability of every concept of a lattice, in its order.

    Attributes:
        kind: "intensional" or "extensional".
        values: stabilities in [0, 1], shape (concepts,).
        exact: whether each is exact (to 1e-9), shape (concepts,).
        standard_error: of the estimated ones, 0 for the others, shape (concepts,).
    """

    kind: Kind
    values: Floats
    exact: NDArray[np.bool_]
    standard_error: Floats

    def of(self, concepts: Ints) -> Stability:
        """Return the stability of some of the concepts, by their indices."""
        return Stability(self.kind, self.values[concepts], self.exact[concepts], self.standard_error[concepts])


def stability(
    lattice: Lattice,
    *,
    kind: Kind = "intensional",
    rng: np.random.Generator | None = None,
    samples: int = SAMPLES,
    watch: Callable[[int], None] | None = None,
) -> Stability:
    """Compute the stability of all concepts of a lattice or iceberg.

    For an iceberg, too, it is that of the whole lattice: the part below is derived from the context.

    Args:
        lattice: the lattice.
        kind: subsets of the extent (intensional) or of the intent (extensional).
        rng: random generator for concepts whose stability can't be counted; without it they raise.
        samples: number of random subsets for each of those concepts.
        watch: callback, called repeatedly with the number of concepts done.

    Returns:
        The stabilities, in the order of the concepts.

    Raises:
        StabilityNeedsSampling: ``rng`` is None and a concept's stability has to be estimated.
        ContextError: the lattice is a stable part: its neighbours are not those of the lattice.
    """
    if type(lattice) is not Lattice:
        raise ContextError("lattice.expected_lattice_iceberg_found")
    todo = _Counting(lattice, kind)
    n = len(lattice)
    values, error, exact = np.zeros(n), np.zeros(n), np.ones(n, dtype=np.bool_)
    order = range(n - 1, -1, -1) if kind == "intensional" else range(n)
    for done, i in enumerate(order):
        if watch is not None and done % 1024 == 0:
            watch(done)
        events = todo.events(i)
        value = by_inclusion_exclusion(events, FEW_TERMS)
        if value is None:
            value = todo.from_the_others(i, values, exact)
        if value is None:
            value = by_inclusion_exclusion(events, MANY_TERMS)
        if value is None:
            if rng is None:
                raise StabilityNeedsSampling("lattice.concept_neighbours_too_many", i=i, n=n, n_events=len(events))
            value, error[i] = by_sampling(events, rng, samples)
            exact[i] = False
        values[i] = value
    return Stability(kind, np.clip(values, 0.0, 1.0), exact, error)


class _Counting:
    """The data that the stability of one kind is counted from: ``sets`` are extents (intensional) or intents."""

    def __init__(self, lattice: Lattice, kind: Kind) -> None:
        self.lattice, self.kind = lattice, kind
        inner = kind == "intensional"
        self.sets = bitsets(lattice.extents if inner else lattice.intents)
        self.sizes = np.array([s.bit_count() for s in self.sets], dtype=np.int64)
        self.intents = np.ascontiguousarray(lattice.intents.T)
        self.complete = not inner or lattice.min_support == 0
        self.lacks = np.zeros((0, 0), dtype=np.bool_) if self.complete else ~lattice.context.bools()

    def events(self, i: int) -> list[int]:
        """Return the sets D of (1) that matter: minimal, not negligible, smallest first."""
        whole = self.sets[i]
        if self.complete:
            near = self.lattice.lower(i) if self.kind == "intensional" else self.lattice.upper(i)
            differences: Iterable[int] = (whole & ~self.sets[j] for j in near.tolist())
        else:
            differences = self._from_attributes(i)
        kept: list[int] = []
        for D in sorted((D for D in differences if D.bit_count() <= NEGLIGIBLE), key=int.bit_count):
            if self.complete or not any(d & D == d for d in kept):
                kept.append(D)
        return kept

    def _from_attributes(self, i: int) -> set[int]:
        """Return the extent without that of each further attribute, as bitsets of the extent's objects alone."""
        inside = np.flatnonzero(unpack(self.lattice.extents[i : i + 1], len(self.lacks))[0])
        lacks = self.lacks[inside]
        number = lacks.sum(axis=0)
        few = (number > 0) & (number <= NEGLIGIBLE)
        return set(bitsets(pack(np.ascontiguousarray(lacks[:, few].T)))) if len(inside) else set()

    def from_the_others(self, i: int, values: Floats, exact: NDArray[np.bool_]) -> float | None:
        """Evaluate equation (2), or its dual with the concepts above; None if not all of them are known exactly."""
        inner = self.kind == "intensional"
        others = slice(i + 1, None) if inner else slice(0, i)
        part = self.intents[:, others]
        if not self.complete or part.size > SCAN_WORDS:
            return None
        beyond = np.ones(part.shape[1], dtype=np.bool_)
        for words, word in zip(part, self.intents[:, i], strict=True):
            beyond &= (word & ~words) == 0 if inner else (words & ~word) == 0
        known = np.flatnonzero(beyond) + (i + 1 if inner else 0)
        if not exact[known].all():
            return None
        return float(1.0 - np.sum(np.ldexp(values[known], self.sizes[known] - self.sizes[i])))


def by_inclusion_exclusion(events: Sequence[int], limit: int) -> float | None:
    """Compute P(a random set meets all of some sets) by (1).

    A negligible union is left out with all that would follow it: the sum over its supersets alternates, and is not
    larger than its own term.

    Args:
        events: the sets, as bitsets.
        limit: largest number of terms.

    Returns:
        The probability; None if there are more terms than ``limit``, or too much was left out.

    >>> by_inclusion_exclusion([0b011, 0b100], 10)  # 3/4 of all sets meet the first, 1/2 the second
    0.375
    """
    terms = {0: 1}
    lost = 0
    for D in events:
        for U, sign in list(terms.items()):
            union = U | D
            if union.bit_count() > NEGLIGIBLE:
                lost += abs(sign)
                continue
            left = terms.get(union, 0) - sign
            if left:
                terms[union] = left
            else:
                del terms[union]
        if len(terms) > limit:
            return None
    if lost > TOLERANCE * (1 << NEGLIGIBLE):
        return None
    return float(sum(sign << (NEGLIGIBLE - U.bit_count()) for U, sign in terms.items()) / (1 << NEGLIGIBLE))


def by_sampling(events: Sequence[int], rng: np.random.Generator, samples: int) -> tuple[float, float]:
    """Estimate P(a random set meets all of some sets).

    Args:
        events: the sets, as bitsets.
        rng: random generator.
        samples: number of random sets.

    Returns:
        The estimate and its standard error.
    """
    inside, width = _packed(events)
    share = 0.5 ** np.array([D.bit_count() for D in events])
    s = float(share.sum())
    luby = s < 1.0
    drawn: list[Ints] = []
    step = max(1, _CELLS // inside.size)
    for start in range(0, samples, step):
        k = min(step, samples - start)
        C = pack(rng.random((k, width)) < 0.5)
        if luby:
            C &= ~inside[rng.choice(len(events), k, p=share / s)]
        missed = ~(C[:, None, :] & inside[None, :, :]).any(axis=2)
        drawn.append(missed.sum(axis=1))
    hits = np.concatenate(drawn)
    seen = s / hits if luby else (hits > 0).astype(np.float64)
    return float(1.0 - seen.mean()), float(seen.std(ddof=1) / np.sqrt(samples)) if samples > 1 else float("inf")


def _packed(events: Sequence[int]) -> tuple[Words, int]:
    """Return the sets as packed rows over the elements of their union only, and the number of these."""
    union = 0
    for D in events:
        union |= D
    place = {g: k for k, g in enumerate(bits_of(union))}
    table = np.zeros((len(events), len(place)), dtype=np.bool_)
    for k, D in enumerate(events):
        table[k, [place[g] for g in bits_of(D)]] = True
    return pack(table), len(place)
