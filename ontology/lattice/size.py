"""How many concepts a context has, estimated without enumerating them.

Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), sections 2, 5:
a random walk down a search tree that takes a child with probability p and divides its weight by p gives, at every node,
an unbiased estimate of the number of nodes at that depth, whatever the p are. The tree is that of Close-by-One, in
which every concept is one node; all walks go down together.

Equal p would be poor: most of the tree hangs on few children. Ours: p is proportional to a guess S of the child's
subtree, mixed with a share `EQUAL` of equal p, so that a bad guess can't ruin the estimate (defensive importance
sampling, Hesterberg 1995). With r attributes left, s objects and density d, a further attribute still meets an
object with probability 1 - exp(-s d), the next with 1 - exp(-s d^2), and S = 1 + r (1 - exp(-s d)) (1 + (r - 1)/2 (1
- exp(-s d^2)) (1 + ..)). The estimate stays a random number: advice, never a decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontology.context import Words
from ontology.lattice.closure import Ints, Nodes, Tables, expand, top

Floats = NDArray[np.float64]

WALKS = 400
EQUAL = 0.2
SEED = 1975


@dataclass(frozen=True, eq=False)
class SizeEstimate:
    """Estimated numbers of concepts by support.

    ``supports`` (k,) falling; ``at_least`` (k,) estimated number of concepts with at least that support.
    """

    supports: Ints
    at_least: Floats

    @property
    def concepts(self) -> float:
        """Estimated number of all concepts with a non-empty extent."""
        return float(self.at_least[-1])

    def support_for(self, limit: float) -> int:
        """The smallest minimal support (in objects) for which the estimate stays within ``limit`` concepts."""
        fits = self.at_least <= limit
        if fits.all():
            return 1
        first = int(np.flatnonzero(~fits)[0])
        return int(self.supports[first]) + 1


def estimate_size(tables: Tables, *, walks: int = WALKS) -> SizeEstimate:
    """Estimate the number of concepts of a context by ``walks`` random walks; the same context, the same answer."""
    rng = np.random.default_rng(SEED)
    nodes = top(tables).take(np.zeros(walks, dtype=np.int64))
    weights = np.ones(walks)
    seen: list[tuple[Ints, Floats]] = []
    while len(nodes):
        seen.append((np.bitwise_count(nodes.A).sum(axis=1, dtype=np.int64), weights))
        nodes, weights = _descend(tables, nodes, weights, rng)
    support = np.concatenate([s for s, _ in seen])
    share = np.concatenate([w for _, w in seen]) / walks
    values, place = np.unique(-support, return_inverse=True)
    return SizeEstimate(-values, np.cumsum(np.bincount(place, weights=share)))


def _descend(tables: Tables, nodes: Nodes, weights: Floats, rng: np.random.Generator) -> tuple[Nodes, Floats]:
    """Every walk goes to one of its node's children; walks at a leaf end."""
    chosen: list[Nodes] = []
    heavier = []
    for step in expand(tables, nodes, 1):
        owner = step.origin
        if not len(owner):
            continue
        guess = _log_subtree(_remaining(tables, step.children), step.children.A, tables)
        start = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
        group = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(owner))))
        p = np.exp(guess - np.maximum.reduceat(guess, start)[group])
        size = np.bincount(group)
        p = (1 - EQUAL) * p / np.add.reduceat(p, start)[group] + EQUAL / size[group]
        pick = np.searchsorted(np.cumsum(p), np.arange(len(start)) + rng.random(len(start)))
        pick = np.clip(pick, start, np.append(start[1:], len(owner)) - 1)
        chosen.append(step.children.take(pick))
        heavier.append(weights[owner[pick]] / p[pick])
    if not chosen:
        return nodes.take(slice(0, 0)), weights[:0]
    joined = Nodes(*(np.concatenate([getattr(c, f) for c in chosen]) for f in ("A", "B", "y", "alive")))
    return joined, np.concatenate(heavier)


def _remaining(tables: Tables, nodes: Nodes) -> Ints:
    """How many attributes may still be added to each node, shape (k,)."""
    later = np.arange(tables.m) > nodes.y[:, None]
    left = nodes.alive & later & ~tables.members(nodes.B)
    return np.asarray(left.sum(axis=1), dtype=np.int64)


def _log_subtree(r: Ints, A: Words, tables: Tables) -> Floats:
    """log S of the module's docstring for nodes with extents A and r attributes left, shape (k,)."""
    d = np.bitwise_count(tables.columns).sum() / (tables.n * tables.m)
    s = np.bitwise_count(A).sum(axis=1, dtype=np.int64)
    total = step = np.zeros(len(r))
    with np.errstate(divide="ignore"):  # log 0 = -inf: no attribute left, or none meets an object
        for k in range(int(r.max(initial=0))):
            meets = np.log(-np.expm1(-s * d ** (k + 1)))
            step = step + np.log(np.maximum(r - k, 0) / (k + 1)) + meets
            total = np.logaddexp(total, step)
    return total
