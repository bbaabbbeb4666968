"""Pheromone on links: it evaporates with every generation of ants, and pages deposit some on the links they contain.

Source: M. Dorigo, T. Stuetzle, Ant Colony Optimization, 2004: tau <- (1 - rho) tau for all, then deposits. The lower
bound tau_min is that of the MAX-MIN ant system (Stuetzle, Hoos 2000). Evaporating every link in every generation would
cost O(queue). Instead each link stores its pheromone and the generation of its last deposit, and the factor
(1 - rho)^(generations since) is applied when it is read; the values are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier import Column
from crawler.model import Floats, Ids


class Pheromone:
    """Pheromone tau by link id; tau_0 for a link without deposit. Mutable: ``deposit`` changes it.

    >>> tau = Pheromone(tau_0=1.0, rho=0.5, tau_min=0.1)
    >>> tau.deposit(np.array([7]), 1.0, generation=0)
    >>> [tau.level(np.array([7, 8]), generation).tolist() for generation in (0, 1, 9)]
    [[2.0, 1.0], [1.0, 1.0], [0.1, 1.0]]
    """

    def __init__(self, tau_0: float, rho: float, tau_min: float) -> None:
        """Create an empty store.

        Args:
            tau_0: pheromone of a new link, above 0.
            rho: share that evaporates in each generation, in [0, 1].
            tau_min: lower bound of evaporation.
        """
        self._tau_0, self._rho, self._tau_min = tau_0, rho, tau_min
        self._tau, self._at, self._n = Column(np.nan), Column(), 0

    def level(self, links: Ids, generation: int) -> Floats:
        """Return the pheromone of links in a generation, shape (m,).

        Args:
            links: ids, shape (m,).
            generation: number of the generation, not before the last deposit on any of the links.

        Returns:
            At least tau_min, or tau_0 where that is smaller.
        """
        self._grow(links)
        tau = self._tau.get(links) * (1.0 - self._rho) ** (generation - self._at.get(links))
        return np.where(np.isnan(tau), self._tau_0, np.maximum(tau, min(self._tau_min, self._tau_0)))

    def deposit(self, links: Ids, amount: float, generation: int) -> None:
        """Add pheromone to links; a new link begins with tau_0 in this generation.

        Args:
            links: distinct ids, shape (m,).
            amount: pheromone added to each, at least 0.
            generation: number of the generation.
        """
        level = self.level(links, generation)
        self._tau.set(links, level + amount)
        self._at.set(links, np.full(len(links), float(generation)))

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._tau.grow(self._n)
        self._at.grow(self._n)

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs, as arrays."""
        return {"tau": self._tau.dump(self._n), "tau_at": self._at.dump(self._n)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; the object must be new."""
        rows = np.arange(len(state["tau"]), dtype=np.int64)
        self._grow(rows)
        self._tau.set(rows, np.asarray(state["tau"], dtype=np.float64))
        self._at.set(rows, np.asarray(state["tau_at"], dtype=np.float64))
