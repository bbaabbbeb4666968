"""Energy landscape paving: a Metropolis walk on a landscape that is raised wherever the walk has been.

Source: U. H. E. Hansmann and L. T. Wille, Global optimization by energy landscape paving, Phys. Rev. Lett. 88 (2002),
in the form of algorithms.md 3.15: at a fixed low temperature T, with H(E, t) the histogram of the energies visited,

    a step is accepted with min(1, exp(-(E~_new - E~_old) / T)),   E~ = E + f(H(E, t))

so that a minimum fills up until the walk leaves it. Here energies lie in [0, 1] and have the bins of the Wang-Landau
crawler, and f is c H (``count``) or c H / t (``share``), t the steps so far, which stays bounded in a long crawl [R].
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
    """Where the walk stands, and the histogram of where it stood. A handle: ``step`` changes it."""

    def __init__(self, paving: str, c: float) -> None:
        """``c`` >= 0 is the height of the paving; 0 leaves a plain Metropolis walk."""
        self._paving, self._c = paving, c
        self.H: Ids = np.zeros(BINS, dtype=np.int64)
        self.E = -1.0
        """Energy of the present state; negative before the first."""

    def paved(self, E: float) -> float:
        """E~ = E + f(H(E, t)) for an energy in [0, 1]."""
        H = int(self.H[energy_bin(E)])
        return E + self._c * (H / max(int(self.H.sum()), 1) if self._paving == "share" else H)

    def acceptance(self, E: float, T: float) -> float:
        """Chance of a step to energy ``E`` at temperature ``T`` >= 0; 1 for the first."""
        rise = self.paved(E) - self.paved(self.E) if self.E >= 0.0 else 0.0
        if rise <= 0.0:
            return 1.0
        return math.exp(-rise / T) if T > 0.0 else 0.0

    def stand_at(self, E: float) -> None:
        """The walk stands at ``E``, and H(E) + 1."""
        self.E = E
        self.H[energy_bin(E)] += 1

    def step(self, E: float, T: float, u: float) -> bool:
        """Whether a proposed step to ``E`` is accepted, ``u`` being random in [0, 1); H grows where the walk stands."""
        accepted = u < self.acceptance(E, T)
        self.stand_at(E if accepted else self.E)
        return accepted

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs."""
        return {"H": self.H.copy(), "E": self.E}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back."""
        self.H, self.E = np.array(state["H"], dtype=np.int64), float(state["E"])
