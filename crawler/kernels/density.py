"""The Wang-Landau walk over energies: density of states g, histogram H, and the factor f that shrinks.

Source: Liu, Chen, Zhao 2023 (paper 002), sections 2.1 and 2.2, steps 1, 2, 5, 6, 10 and 11, after Wang and Landau 2001.
Energies lie in [0, 1], in 50 bins [0, .02), [.02, .04) .. [.98, 1]; [E] is the bin of E, and g is stored as ln g.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.model import Bools, Floats, Ids
from crawler.parameters import CheckedParameters, Choice, Range, parameter

BINS = 50


@dataclass(frozen=True)
class WalkParameters(CheckedParameters):
    """Constants of the walk and the readings of traps T24 and T25."""

    T: int = parameter(1000, "Proposals between two tests of flatness.", Range(1, 10**9))
    L_max: int = parameter(
        1_000_000, "The walk ends at the first flat histogram after so many proposals.", Range(1, 10**12)
    )
    histogram: str = parameter(
        "paper", "H of a new bin: 1 as printed (``paper``), or 0 (``clean``).", Choice("paper", "clean")
    )
    flatness: str = parameter(
        "box",
        "``box``: H >= ln 2 / ln f_i in every bin of S; ``mean``: H >= k <H>, as the text has it.",
        Choice("box", "mean"),
    )
    k: float = parameter(0.8, "Of flatness ``mean``; the text says 0 < k < 1 only.", Range(0.0, 1.0))
    reachable: bool = parameter(False, "Ask for flatness only in bins of S that some queued link has.")


def energy_bins(E: Floats) -> Ids:
    """Return the bin number of each energy in [0, 1], shape (m,).

    E = 1 belongs to the last bin, and .58 to bin 29 in spite of rounding (trap T27).

    >>> energy_bins(np.array([0.0, 0.58, 1.0])).tolist()
    [0, 29, 49]
    """
    return np.minimum(BINS - 1, np.floor(BINS * E + 1e-9)).astype(np.int64)


def energy_bin(E: float) -> int:
    """Return the bin number of one energy in [0, 1].

    >>> energy_bin(0.58)
    29
    """
    return min(BINS - 1, math.floor(BINS * E + 1e-9))


class Walk:
    """State of a Wang-Landau walk: current energy, density of states and histogram. Mutable: ``step`` changes it.

    >>> walk = Walk(WalkParameters())
    >>> walk.stand_at(0.5)
    >>> walk.step(0.5, 0.7), walk.ln_g[energy_bin(0.5)].item()  # ln g grows by ln f
    (True, 1.0)
    >>> walk.stand_at(0.9)
    >>> round(walk.acceptance(0.5), 3)  # e^(0 - 1)
    0.368
    """

    def __init__(self, parameters: WalkParameters) -> None:
        self.parameters = parameters
        self.ln_g = np.zeros(BINS)
        self.H = np.zeros(BINS, dtype=np.int64)
        self.S: Bools = np.zeros(BINS, dtype=np.bool_)
        self.i = 0
        self.L = 0
        self.E1 = -1.0
        """Energy of the current link X1; negative before the first."""
        self.finished = False

    @property
    def ln_f(self) -> float:
        """The modification factor ln f_i = 2^-i, as f_0 = e and f_{i+1} = sqrt(f_i); in (0, 1]."""
        return math.ldexp(1.0, -self.i)

    def stand_at(self, E: float) -> None:
        """Set the energy of the current link and add its bin to S (step 2)."""
        self.E1 = E
        self._discover(energy_bin(E))

    def acceptance(self, E2: float) -> float:
        """Return P(X1 -> X2) = min(e^(ln g(E1) - ln g(E2)), 1) of step 5, always computed (trap T23)."""
        return math.exp(min(0.0, float(self.ln_g[energy_bin(self.E1)] - self.ln_g[energy_bin(E2)])))

    def step(self, E2: float, u: float) -> bool:
        """Run steps 4 to 6 for one proposal.

        Args:
            E2: energy of the proposed link, in [0, 1].
            u: a random number in [0, 1).

        Returns:
            Whether the proposal is accepted.
        """
        self.L += 1  # step 4
        self._discover(energy_bin(E2))  # step 5
        accepted = u < self.acceptance(E2)
        if accepted:
            self.E1 = E2
        bin_ = energy_bin(self.E1)
        self.ln_g[bin_] += self.ln_f  # step 6: ln g(E) + ln f_i and H + 1 at the current energy
        self.H[bin_] += 1
        return accepted

    def is_due(self, since: int) -> bool:
        """Return whether a multiple of T was passed after proposal number ``since``."""
        return since // self.parameters.T != self.L // self.parameters.T

    def refine(self, since: int, E: Floats) -> None:
        """Run steps 10 and 11 where they are due: reduce f if the histogram is flat.

        Args:
            since: number of the proposal after which flatness was tested last.
            E: energies of the queued links, shape (k,); used with ``reachable`` only.
        """
        p = self.parameters
        if not self.is_due(since) or not self.is_flat(E):
            return
        self.i += 1
        if p.L_max > self.L:
            self.H[:] = 0
        else:
            self.finished = True

    def is_flat(self, E: Floats) -> bool:
        """Return whether the histogram is flat (trap T25), given the energies of the queued links, shape (k,)."""
        tested = self.S.copy()
        if self.parameters.reachable:
            tested &= np.bincount(energy_bins(E), minlength=BINS) > 0
        H = self.H[tested]
        if self.parameters.flatness == "mean":
            return bool((self.parameters.k * H.mean() <= H).all()) if len(H) else True
        return bool((math.log(2.0) / self.ln_f <= H).all())

    def _discover(self, bin_: int) -> None:
        if not self.S[bin_]:
            self.S[bin_] = True
            self.H[bin_] = 1 if self.parameters.histogram == "paper" else 0  # trap T24; ln g = 0

    def state(self) -> Mapping[str, Any]:
        """Return everything that ``restore`` needs."""
        names = ("ln_g", "H", "S", "i", "L", "E1", "finished")
        return {name: value.copy() if isinstance(value := getattr(self, name), np.ndarray) else value for name in names}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self.ln_g = np.array(state["ln_g"], dtype=np.float64)
        self.H = np.array(state["H"], dtype=np.int64)
        self.S = np.array(state["S"], dtype=np.bool_)
        self.i, self.L = int(state["i"]), int(state["L"])
        self.E1, self.finished = float(state["E1"]), bool(state["finished"])
