"""The seed-link library of web space evolution: links that represent regions of the objective space.

Source: Liu, Li, Jiang 2019 (WSE), of which the abstract was read: the library is updated by comparing the shortest
distance between a test link and the links of the library with the mean distance among all links of the library. The
update that follows is reconstructed [R] after the bank of conformational space annealing (algorithms.md 3.8):
    near, d_min <= D_avg:   the test link replaces its nearest member if it dominates that member
    far, a new region:      it is added while there is room, and then replaces the most dominated member
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.kernels.pareto import domination
from crawler.model import Floats, Ids


class SeedLibrary:
    """Links with their objective vectors. Mutable: ``offer`` and ``learn`` change it.

    >>> library = SeedLibrary(size=2, objectives=2)
    >>> [library.offer(link, np.array(f)) for link, f in ((1, [0.0, 0.0]), (2, [1.0, 1.0]), (3, [0.9, 0.9]))]
    [True, True, False]
    >>> round(library.mean_distance(), 3), library.links.tolist()
    (1.414, [1, 2])
    """

    def __init__(self, size: int, objectives: int) -> None:
        """Create an empty library for ``size`` > 0 links with vectors of ``objectives`` numbers."""
        self._size = size
        self.links: Ids = np.empty(0, dtype=np.int64)
        """Shape (m,), m <= size."""
        self.F: Floats = np.empty((0, objectives))
        """Shape (m, objectives)."""

    def mean_distance(self) -> float:
        """Return D_avg, the mean Euclidean distance over all pairs of members; 0 for fewer than two."""
        m = len(self.F)
        if m < 2:
            return 0.0
        return float(np.linalg.norm(self.F[:, np.newaxis] - self.F[np.newaxis], axis=2).sum() / (m * (m - 1)))

    def plant(self, link: int, f: Floats) -> None:
        """Add a seed of the crawl while there is room; then it is offered as any test link.

        Args:
            link: its id.
            f: its objectives, shape (objectives,).
        """
        if len(self.links) < self._size:
            self._join(link, f)
        else:
            self.offer(link, f)

    def offer(self, link: int, f: Floats) -> bool:
        """Offer a test link to the library; a member does not enter again.

        Args:
            link: its id.
            f: its objectives, shape (objectives,).

        Returns:
            Whether it entered.
        """
        if link in self.links:
            return False
        if len(self.links) == 0:
            return self._join(link, f)
        distance = np.linalg.norm(self.F - f, axis=1)
        nearest = int(np.argmin(distance))
        if distance[nearest] <= self.mean_distance():
            return bool(domination(np.stack([f, self.F[nearest]]))[0, 1]) and self._replace(nearest, link, f)
        if len(self.links) < self._size:
            return self._join(link, f)
        return self._replace(self._most_dominated(), link, f)

    def learn(self, link: int, objective: int, value: float) -> None:
        """Update one objective of a member, by its column number; ignore a link that is not a member."""
        self.F[self.links == link, objective] = value

    def _most_dominated(self) -> int:
        """Return the row of the member that most others dominate; among equals that of the smallest sum."""
        by_others = domination(self.F).sum(axis=0)
        total = np.where(by_others == by_others.max(), self.F.sum(axis=1), np.inf)
        return int(np.argmin(total))

    def _join(self, link: int, f: Floats) -> bool:
        self.links = np.append(self.links, np.int64(link))
        self.F = np.vstack([self.F, f])
        return True

    def _replace(self, row: int, link: int, f: Floats) -> bool:
        self.links[row], self.F[row] = link, f
        return True

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs, as arrays."""
        return {"library": self.links.copy(), "library_F": self.F.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self.links = np.array(state["library"], dtype=np.int64)
        self.F = np.array(state["library_F"], dtype=np.float64).reshape(-1, self.F.shape[1])
