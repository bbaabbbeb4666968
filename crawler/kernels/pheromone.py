"""Pheromone on links: it evaporates with every generation of ants, and pages leave some on the links that they contain.

Source: M. Dorigo, T. Stuetzle, Ant Colony Optimization, 2004: tau <- (1 - rho) tau for all, then deposits. The lower
bound tau_min is that of the MAX-MIN ant system (Stuetzle, Hoos 2000). To evaporate all links at every generation would
cost the whole queue. So a link keeps its pheromone and the generation at which it was right, and (1 - rho)^(generations
since) is taken when it is read: the same values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier import Column
from crawler.model import Floats, Ids


class Pheromone:
    """tau by link number; a link that nothing was left on has tau_0. A handle: ``deposit`` changes it."""

    def __init__(self, tau_0: float, rho: float, tau_min: float) -> None:
        """``tau_0`` > 0 of a new link, ``rho`` in [0, 1] evaporates at each generation, but not below ``tau_min``."""
        self._tau_0, self._rho, self._tau_min = tau_0, rho, tau_min
        self._tau, self._at, self._n = Column(np.nan), Column(), 0

    def level(self, links: Ids, generation: int) -> Floats:
        """tau of the links at a generation, at least tau_min unless tau_0 is smaller; shape (m,)."""
        self._grow(links)
        tau = self._tau.get(links) * (1.0 - self._rho) ** (generation - self._at.get(links))
        return np.where(np.isnan(tau), self._tau_0, np.maximum(tau, min(self._tau_min, self._tau_0)))

    def deposit(self, links: Ids, amount: float, generation: int) -> None:
        """Leave an ``amount`` >= 0 on different links; a new link begins with tau_0 at this generation."""
        level = self.level(links, generation)
        self._tau.set(links, level + amount)
        self._at.set(links, np.full(len(links), float(generation)))

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._tau.grow(self._n)
        self._at.grow(self._n)

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs, as arrays."""
        return {"tau": self._tau.dump(self._n), "tau_at": self._at.dump(self._n)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back into a new handle."""
        rows = np.arange(len(state["tau"]), dtype=np.int64)
        self._grow(rows)
        self._tau.set(rows, np.asarray(state["tau"], dtype=np.float64))
        self._at.set(rows, np.asarray(state["tau_at"], dtype=np.float64))
