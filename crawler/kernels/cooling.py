"""Cooling schedules of the annealing family, an option of all its members.

T_0 is the start temperature, C the factor, and K the number of temperatures above T_min in the geometric schedule, so
that all schedules cost the same number of proposals:

    geometric    T_k = C T_{k-1}                      step 7 of Algorithm 1 of paper 000, the only published one
    linear       T_k = T_0 (1 - k / K)
    logarithmic  T_k = T_0 ln 2 / ln(k + 2)           the form of Geman and Geman 1984, scaled so that it starts at T_0
    adaptive     T_k = T_{k-1} / (1 + T_{k-1} ln(1 + delta) / (3 s))   van Laarhoven and Aarts 1987: s is the standard
                 deviation of the values visited at T_{k-1}; at most K temperatures, and C T where s = 0 [R]
    constant     T_k = T_0                            Metropolis at a fixed temperature

Offering all of them to the crawlers is a reconstruction [R]; paper 000 (section 7) names the study of schedules as
future work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.parameters import CheckedParameters, Choice, Range, parameter

COOLINGS = ("geometric", "linear", "logarithmic", "adaptive", "constant")
_DELTA = 0.1
"""delta of the adaptive schedule: the distance from equilibrium that one step may cause."""
WINDOW = 10
"""Latest pages over which s of the adaptive schedule is computed in ``PageByPage``: M of paper 000 [R]."""


@dataclass(frozen=True)
class CoolingParameters(CheckedParameters):
    """T and C of Table 3 of paper 000, the last temperature of its step 8, and the schedule."""

    T: float = parameter(1.0, "Start temperature T_0, in units of Priority.", Range(1e-9, 1e9))
    C: float = parameter(0.9, "Factor of the geometric schedule.", Range(0.0, 0.999))
    T_min: float = parameter(0.01, "The schedule ends at the last temperature above this.", Range(1e-9, 1e9))
    cooling: str = parameter(
        "geometric", "``geometric``, ``linear``, ``logarithmic``, ``adaptive`` or ``constant``.", Choice(*COOLINGS)
    )


def temperatures(p: CoolingParameters, start: float) -> list[float]:
    """Return the temperatures T_0 .. T_{K-1} of a schedule.

    Args:
        p: the schedule and its constants.
        start: T_0, above 0.

    Returns:
        At least one temperature; for ``adaptive`` the geometric ones, whose number is its upper bound.

    >>> temperatures(CoolingParameters(C=0.5, T_min=0.2), 1.0)
    [1.0, 0.5, 0.25]
    >>> [round(T, 3) for T in temperatures(CoolingParameters(C=0.5, T_min=0.2, cooling="linear"), 1.0)]
    [1.0, 0.667, 0.333]
    """
    levels = [start]
    while (T := p.C * levels[-1]) > p.T_min:  # steps 7 and 8
        levels.append(T)
    K = len(levels)
    if p.cooling == "linear":
        return [start * (1.0 - k / K) for k in range(K)]
    if p.cooling == "logarithmic":
        return [start * math.log(2.0) / math.log(k + 2.0) for k in range(K)]
    return [start] * K if p.cooling == "constant" else levels


def adapted(T: float, spread: float, C: float) -> float:
    """Return T_k of the adaptive schedule.

    Args:
        T: T_{k-1}, at least 0.
        spread: s, the standard deviation of the values visited at T_{k-1}, at least 0.
        C: factor of the geometric schedule, which is used where ``spread`` is 0.

    >>> round(adapted(1.0, 0.1, 0.9), 4), adapted(1.0, 0.0, 0.9)
    (0.7589, 0.9)
    """
    if spread <= 0.0:
        return C * T
    return T / (1.0 + T * math.log1p(_DELTA) / (3.0 * spread))


class PageByPage:
    """The temperature of a crawler that takes one step of its schedule for each page it picks. Mutable."""

    def __init__(self, p: CoolingParameters) -> None:
        self._p = p
        self._plan = temperatures(p, p.T)
        self._k = 0
        self._recent = list[float]()
        """Values of the latest picks, at most WINDOW."""
        self.T = p.T

    def cool(self, value: float) -> None:
        """Take one step after a pick of this value; the last temperature above T_min is kept."""
        self._k += 1
        if self._p.cooling != "adaptive":
            self.T = self._plan[min(self._k, len(self._plan) - 1)]
            return
        self._recent = [*self._recent[1 - WINDOW :], value]
        T = adapted(self.T, float(np.std(self._recent)), self._p.C)
        self.T = T if self._p.T_min < T else self.T

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {"cooling_k": self._k, "cooling_T": self.T, "cooling_recent": list(self._recent)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self._k, self.T = int(state["cooling_k"]), float(state["cooling_T"])
        self._recent = [float(value) for value in state["cooling_recent"]]
