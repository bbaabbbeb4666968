"""How many concepts a context has, estimated without enumerating them.

Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), sections 2, 5:
a random walk down a search tree that takes a child with probability p and divides its weight by p gives, at every node,
an unbiased estimate of the number of nodes at that depth, whatever the p are. The tree is that of Close-by-One, in
which every concept is one node; all walks go down together.

Equal p would be poor: most of the tree is below few children. Here p is proportional to a guess S of the child's
subtree, mixed with a share `EQUAL` of equal p, so that a bad guess can't ruin the estimate (defensive importance
sampling, Hesterberg 1995). With r attributes left, s objects and density d, a further attribute still meets an
object with probability 1 - exp(-s d), the next with 1 - exp(-s d^2), and S = 1 + r (1 - exp(-s d)) (1 + (r - 1)/2 (1
- exp(-s d^2)) (1 + ..)). The estimate is a random number, and is used as advice only.

The one decision that rests on it, `surely_over`, has an error bound. The walks are split into `GROUPS` = 15
independent groups. The mean of each is unbiased and never negative, so by Markov's inequality it exceeds c times the
truth with probability 1/c at most, whatever the variance; their median does so with probability C(15, 8) c^-8 at most,
which for c = `SURE` = 10 is 6.4e-5.

>>> from ontology.context import FormalContext
>>> context = FormalContext(("d1", "d2", "d3"), ("rain", "storm", "flood"), (0b011, 0b001, 0b100))
>>> size = estimate_size(Tables.of(context))
>>> 3 < size.concepts < 5  # 4 have a non-empty extent
True
>>> size.surely_over(4)
False
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.context import Words
from ontology.lattice.closure import Ints, Nodes, Tables, expand, top

Floats = NDArray[np.float64]

_WALKS = 405
GROUPS = 15
SURE = 10
EQUAL = 0.2
NEGLIGIBLE = 20.0
SEED = 1975


@dataclass(frozen=True, eq=False)
class SizeEstimate:
    """Estimated numbers of concepts by support.

    Attributes:
        supports: supports in falling order, shape (k,).
        at_least: estimated numbers of concepts with at least that support, shape (k,).
        groups: estimated number of all concepts by each group of walks, shape (GROUPS,).
    """

    supports: Ints
    at_least: Floats
    groups: Floats

    @property
    def concepts(self) -> float:
        """Estimated number of all concepts with a non-empty extent."""
        return float(self.at_least[-1])

    def surely_over(self, limit: float) -> bool:
        """Return whether there are more than ``limit`` concepts; wrongly True with a probability of at most 6.4e-5."""
        return float(np.median(self.groups)) > SURE * limit

    def support_for(self, limit: float) -> int:
        """Return the smallest minimal support (in objects) for which the estimate is at most ``limit`` concepts.

        >>> size = SizeEstimate(np.array([3, 2, 1]), np.array([1.0, 4.0, 9.0]), np.full(GROUPS, 9.0))
        >>> size.support_for(5), size.support_for(10)
        (2, 1)
        """
        fits = self.at_least <= limit
        if fits.all():
            return 1
        first = int(np.flatnonzero(~fits)[0])
        return int(self.supports[first]) + 1


def estimate_size(tables: Tables, *, min_support: int = 0, walks: int = _WALKS) -> SizeEstimate:
    """Estimate the number of concepts with at least ``max(1, min_support)`` objects by random walks.

    Args:
        tables: the context.
        min_support: smallest extent, in objects.
        walks: number of walks, a multiple of `GROUPS`.

    Returns:
        The estimates; the same for the same context.
    """
    rng = np.random.default_rng(SEED)
    level = _Walks(top(tables), np.zeros(walks, dtype=np.int64), np.ones(walks), np.arange(walks))
    seen: list[tuple[Ints, Floats, Ints]] = []
    while len(level.walk):
        support = np.bitwise_count(level.nodes.A).sum(axis=1, dtype=np.int64)
        seen.append((support[level.at], level.weights, level.walk))
        level = _descend(tables, level, max(1, min_support), rng)
    support, weight, walk = (np.concatenate([s[k] for s in seen]) for k in range(3))
    values, place = np.unique(-support, return_inverse=True)
    groups = np.bincount(walk % GROUPS, weights=weight, minlength=GROUPS) * GROUPS / walks
    return SizeEstimate(-values, np.cumsum(np.bincount(place, weights=weight / walks)), groups)


@dataclass(frozen=True, eq=False)
class _Walks:
    """The k walks that have not ended.

    ``at`` are their positions in the distinct ``nodes``, ``walk`` their numbers; all arrays have shape (k,).
    """

    nodes: Nodes
    at: Ints
    weights: Floats
    walk: Ints


def _descend(tables: Tables, level: _Walks, min_support: int, rng: np.random.Generator) -> _Walks:
    """Move every walk to one of its node's children; walks at a leaf end."""
    nodes = [level.nodes.take(slice(0, 0))]
    at, weights, walk = [level.at[:0]], [level.weights[:0]], [level.walk[:0]]
    base = 0
    for step in expand(tables, level.nodes, min_support):
        owner = step.origin
        if not len(owner):
            continue
        p, parents, start = _chances(tables, step.children, owner)
        group = np.searchsorted(parents, level.at)
        going = np.flatnonzero(parents[np.minimum(group, len(parents) - 1)] == level.at)
        group = group[going]
        pick = np.searchsorted(np.cumsum(p), group + rng.random(len(going)))
        pick = np.clip(pick, start[group], start[group + 1] - 1)
        kept, place = np.unique(pick, return_inverse=True)
        nodes.append(step.children.take(kept))
        at.append(base + place)
        weights.append(level.weights[going] / p[pick])
        walk.append(level.walk[going])
        base += len(kept)
    joined = Nodes(*(np.concatenate([getattr(n, f) for n in nodes]) for f in ("A", "B", "y", "alive")))
    return _Walks(joined, np.concatenate(at), np.concatenate(weights), np.concatenate(walk))


def _chances(tables: Tables, children: Nodes, owner: Ints) -> tuple[Floats, Ints, Ints]:
    """Return the probability of each child, the parents, and the positions where their children begin.

    A child's probability is that with which a walk at its parent takes it. The last position is the end.
    """
    guess = _log_subtree(_remaining(tables, children), children.A, tables)
    start = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
    size = np.diff(start, append=len(owner))
    group = np.repeat(np.arange(len(start)), size)
    p = np.exp(guess - np.maximum.reduceat(guess, start)[group])
    p = (1 - EQUAL) * p / np.add.reduceat(p, start)[group] + EQUAL / size[group]
    return p, owner[start], np.append(start, len(owner))


def _remaining(tables: Tables, nodes: Nodes) -> Ints:
    """Return the number of attributes that may still be added to each node, shape (k,)."""
    later = np.arange(tables.m) > nodes.y[:, None]
    left = nodes.alive & later & ~tables.members(nodes.B)
    return np.asarray(left.sum(axis=1), dtype=np.int64)


def _log_subtree(r: Ints, A: Words, tables: Tables) -> Floats:
    """Return ln S (see the module's docstring) for nodes with extents A and r attributes left, shape (k,)."""
    d = tables.density
    s = np.bitwise_count(A).sum(axis=1, dtype=np.int64)
    total = step = np.zeros(len(r))
    with np.errstate(divide="ignore"):  # log 0 = -inf: no attribute left, or none meets an object
        for k in range(int(r.max(initial=0))):
            meets = np.log(-np.expm1(-s * d ** (k + 1)))
            step = step + np.log(np.maximum(r - k, 0) / (k + 1)) + meets
            total = np.logaddexp(total, step)
            if (step < total - NEGLIGIBLE).all():  # the steps only fall from here
                break
    return total
