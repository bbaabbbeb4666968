"""A window of past predictions: the parts of the priorities of the latest picks, and R of their fetched pages.

The criterion of CMCFC 2014, the root mean square error of estimated against observed similarities, is used by both
methods that learn the weights of a priority during the crawl (crawler.strategies.particle_swarm and .membrane).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.model import Floats, Outcome


def rmse(X: Floats, F: Floats, R: Floats) -> Floats:
    """Compute the root mean square error of n weight vectors, sqrt(mean_m (F x - R)^2).

    Args:
        X: weights, shape (n, d).
        F: parts of each of m > 0 observations, shape (m, d).
        R: observed relevance, shape (m,).

    Returns:
        Shape (n,), at least 0.

    >>> rmse(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, 0.0])).tolist()
    [0.0, 0.5]
    """
    error: Floats = np.sqrt(np.square(F @ X.T - R[:, np.newaxis]).mean(axis=0))
    return error


class Window:
    """The latest observations, first in, first out. Mutable; late outcomes find their pick by its tag.

    >>> from crawler.model import PageScore
    >>> window = Window(size=2, d=2)
    >>> window.sent(0, np.array([1.0, 0.0]))
    >>> window.tell([Outcome(link=9, page_score=PageScore({"TK": 0.8}, 0.8, True), tag=0)], "TK")
    >>> window.seen, window.R.tolist(), window.F.tolist()
    (1, [0.8], [[1.0, 0.0]])
    """

    def __init__(self, size: int, d: int) -> None:
        """Create an empty window for ``size`` > 0 observations of ``d`` parts."""
        self._size = size
        self.F: Floats = np.empty((0, d))
        self.R: Floats = np.empty(0)
        self.seen = 0
        """Number of observations in the whole crawl."""
        self._out: dict[int, Floats] = {}
        """Tag of a pick in flight -> its parts."""

    def error(self, X: Floats) -> Floats:
        """Return ``rmse`` of weight vectors, shape (n, d), on the window, which must not be empty; shape (n,)."""
        return rmse(X, self.F, self.R)

    def sent(self, tag: int, parts: Floats) -> None:
        """Remember a pick.

        Args:
            tag: its tag.
            parts: the parts of its priority, shape (d,).
        """
        self._out[tag] = parts

    def tell(self, outcomes: Sequence[Outcome], V: str) -> None:
        """Add the outcomes of picks; failures and unknown tags are left out.

        Args:
            outcomes: outcomes in the order in which they arrived.
            V: vocabulary of the observed R.
        """
        for outcome in outcomes:
            parts = self._out.pop(outcome.tag, None)
            if parts is not None and outcome.page_score is not None:
                self.F = np.vstack([self.F, parts])[-self._size :]
                self.R = np.append(self.R, outcome.page_score.relevance[V])[-self._size :]
                self.seen += 1

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        tags = np.array(list(self._out), dtype=np.int64)
        out = np.array(list(self._out.values()), dtype=np.float64).reshape(-1, self.F.shape[1])
        return {"window_F": self.F, "window_R": self.R, "seen": self.seen, "out_tags": tags, "out_F": out}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        d = self.F.shape[1]
        self.F = np.array(state["window_F"], dtype=np.float64).reshape(-1, d)
        self.R = np.array(state["window_R"], dtype=np.float64)
        self.seen = int(state["seen"])
        out = np.array(state["out_F"], dtype=np.float64).reshape(-1, d)
        self._out = dict(zip(np.asarray(state["out_tags"]).tolist(), out, strict=True))


class LearnedWeights:
    """Weights of a priority, and the number of observations they were learned from. A part of a strategy."""

    def __init__(self, name: str, first: Floats) -> None:
        """Create the part.

        Args:
            name: key of the weights in the saved state.
            first: initial weights, shape (d,).
        """
        self._name, self.w = name, first
        self.seen = 0

    def learn(self, w: Floats, seen: int) -> None:
        """Store weights ``w`` that were learned from ``seen`` observations."""
        self.w, self.seen = w, seen

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {self._name: self.w.copy(), "learned": self.seen}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self.w, self.seen = np.array(state[self._name], dtype=np.float64), int(state["learned"])
