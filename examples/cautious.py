"""A user-defined strategy: best-first search that spreads its choices over hosts.

python -m examples.cautious
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Ids, Picks
from crawler.parameters import CheckedParameters, Range, parameter
from crawler.strategies.base import State, Strategy, with_seeds
from crawler.testing import CHECKS, ConformanceError, check_strategy


@dataclass(frozen=True)
class CautiousParameters(CheckedParameters):
    """Penalty of the host chosen last."""

    patience: float = parameter(0.5, "Factor of the priority of links of the host chosen last.", Range(0, 1))


class Cautious(Strategy):
    """Best-first search among the ten best links, in which the host chosen last loses priority."""

    name = "cautious"
    title = "Best-first search that spreads over hosts"
    paper = "Written for the page docs/python.md"
    Parameters = CautiousParameters
    features = ("anchor:TK", "parents:TK")
    parameters: CautiousParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._last = -1
        self._picked = 0

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the mean of the relevance of the anchor and of the pages that contain the link."""
        R = 0.5 * view.feature("anchor:TK", links) + 0.5 * view.feature("parents:TK", links)
        return with_seeds(view, links, R)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return the ``n`` best links after links of the host chosen last have lost a part of their priority."""
        top = view.top(max(10, n))
        value = view.priority(top) * np.where(view.host(top) == self._last, self.parameters.patience, 1.0)
        links = top[np.argsort(-value, kind="stable")][:n]
        if len(links):
            self._last = int(view.host(links[-1:])[0])
        tag = tuple(range(self._picked, self._picked + len(links)))
        self._picked += len(links)
        return Picks(links, tag, tuple({"host": int(host)} for host in view.host(links)))

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {"last": self._last, "picked": self._picked}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        self._last, self._picked = int(state["last"]), int(state["picked"])


def main() -> str:
    """Check the class with the conformance suite; raises ConformanceError if it fails."""
    check_strategy(Cautious)
    return f"{Cautious.name} meets all requirements of a strategy: {len(CHECKS)} checks passed"


if __name__ == "__main__":
    try:
        print(main())
    except ConformanceError as error:
        sys.exit(str(error))
