"""Energy landscape paving: a Metropolis walk on a landscape that is raised where the walk has been.

Source: U. H. E. Hansmann and L. T. Wille, Global optimization by energy landscape paving, Phys. Rev. Lett. 88 (2002),
as given in algorithms.md 3.15: at a fixed low temperature T, with H(E, t) the histogram of the energies visited,

    a step is accepted with min(1, exp(-(E~_new - E~_old) / T)),   E~ = E + f(H(E, t))

so that a minimum fills up until the walk leaves it. Energies are in [0, 1], with the bins of the Wang-Landau crawler;
f is c H (``count``) or c H / t (``share``), t the number of steps, which stays bounded in a long crawl [R].
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.kernels.density import BINS, energy_bin
from crawler.model import Ids

PAVINGS = ("share", "count")


class Landscape:
    """Current energy of the walk and the histogram of the energies visited. Mutable: ``step`` changes it.

    >>> land = Landscape("count", 0.5)
    >>> land.stand_at(0.2)
    >>> land.stand_at(0.2)
    >>> land.paved(0.2), land.paved(0.9)
    (1.2, 0.9)
    >>> land.acceptance(0.9, 0.1)  # downhill once the visited bin is raised
    1.0
    """

    def __init__(self, paving: str, c: float) -> None:
        """Create a flat landscape.

        Args:
            paving: one of PAVINGS.
            c: height of the paving, at least 0; 0 is a plain Metropolis walk.
        """
        self._paving, self._c = paving, c
        self.H: Ids = np.zeros(BINS, dtype=np.int64)
        self.E = -1.0
        """Current energy; negative before the first step."""

    def paved(self, E: float) -> float:
        """Return E~ = E + f(H(E, t)) for an energy in [0, 1]."""
        H = int(self.H[energy_bin(E)])
        return E + self._c * (H / max(int(self.H.sum()), 1) if self._paving == "share" else H)

    def acceptance(self, E: float, T: float) -> float:
        """Return the probability of a step to energy ``E`` at temperature ``T`` >= 0; 1 for the first step."""
        rise = self.paved(E) - self.paved(self.E) if self.E >= 0.0 else 0.0
        if rise <= 0.0:
            return 1.0
        return math.exp(-rise / T) if T > 0.0 else 0.0

    def stand_at(self, E: float) -> None:
        """Set the current energy and count it in H."""
        self.E = E
        self.H[energy_bin(E)] += 1

    def step(self, E: float, T: float, u: float) -> bool:
        """Accept or reject a proposed step, and count the resulting energy in H.

        Args:
            E: proposed energy, in [0, 1].
            T: temperature, at least 0.
            u: a random number in [0, 1).

        Returns:
            Whether the step is accepted.
        """
        accepted = u < self.acceptance(E, T)
        self.stand_at(E if accepted else self.E)
        return accepted

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {"H": self.H.copy(), "E": self.E}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self.H, self.E = np.array(state["H"], dtype=np.int64), float(state["E"])
