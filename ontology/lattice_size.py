"""How many concepts a context has, estimated without enumerating them.

Source: Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975): a random walk
down a search tree that multiplies the numbers of children it passes gives, at every node, an unbiased estimate of the
number of nodes at that depth. The tree is that of Close-by-One, in which every concept is one node; all walks go down
together. The estimate is unbiased, its spread is not small: it is for advice, never for a decision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ontology.closure import Ints, Nodes, Tables, expand, top

WALKS = 400
SEED = 1975


@dataclass(frozen=True, eq=False)
class SizeEstimate:
    """Estimated numbers of concepts by support.

    ``supports`` (k,) falling; ``at_least`` (k,) estimated number of concepts with at least that support.
    """

    supports: Ints
    at_least: np.typing.NDArray[np.float64]

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
    seen: list[tuple[Ints, np.typing.NDArray[np.float64]]] = []
    while len(nodes):
        seen.append((np.bitwise_count(nodes.A).sum(axis=1, dtype=np.int64), weights))
        nodes, weights = _descend(tables, nodes, weights, rng)
    support = np.concatenate([s for s, _ in seen])
    share = np.concatenate([w for _, w in seen]) / walks
    values, place = np.unique(-support, return_inverse=True)
    return SizeEstimate(-values, np.cumsum(np.bincount(place, weights=share)))


def _descend(
    tables: Tables, nodes: Nodes, weights: np.typing.NDArray[np.float64], rng: np.random.Generator
) -> tuple[Nodes, np.typing.NDArray[np.float64]]:
    """Every walk goes to one of its node's children, each equally likely; walks at a leaf end."""
    chosen: list[Nodes] = []
    heavier = []
    for step in expand(tables, nodes, 1):
        children = np.bincount(step.origin, minlength=len(nodes))
        walkers = np.flatnonzero(children)
        first = np.cumsum(children)[walkers] - children[walkers]
        pick = first + (rng.random(len(walkers)) * children[walkers]).astype(np.int64)
        chosen.append(step.children.take(pick))
        heavier.append(weights[walkers] * children[walkers])
    if not chosen:
        return nodes.take(slice(0, 0)), weights[:0]
    joined = Nodes(*(np.concatenate([getattr(c, f) for c in chosen]) for f in ("A", "B", "y", "alive")))
    return joined, np.concatenate(heavier)
