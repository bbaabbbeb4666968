"""What a crawl has seen of its own predictions: the parts of the latest picks, and R of the pages that they led to.

The criterion of CMCFC 2014, the root mean square error of estimates against observed similarities, is that of both
methods that learn the weights of a priority while they crawl (crawler.strategies.particle_swarm and .membrane).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.model import Floats, Outcome


def rmse(X: Floats, F: Floats, R: Floats) -> Floats:
    """Root mean square error of n weight vectors.

    Args:
        X: weights, shape (n, d).
        F: parts of each of m > 0 observations, shape (m, d).
        R: what was observed, shape (m,).

    Returns:
        Shape (n,), at least 0.
    """
    error: Floats = np.sqrt(np.square(F @ X.T - R[:, np.newaxis]).mean(axis=0))
    return error


class Window:
    """The latest observations, first in, first out. A handle; a pick is credited by its tag, however late it is."""

    def __init__(self, size: int, d: int) -> None:
        """Room for ``size`` > 0 observations of ``d`` parts."""
        self._size = size
        self.F: Floats = np.empty((0, d))
        self.R: Floats = np.empty(0)
        self.seen = 0
        """Observations of the whole crawl."""
        self._out: dict[int, Floats] = {}
        """Tag of a pick whose outcome has not come -> its parts."""

    def error(self, X: Floats) -> Floats:
        """``rmse`` of weight vectors on the window, which is not empty; shape (n,)."""
        return rmse(X, self.F, self.R)

    def sent(self, tag: int, parts: Floats) -> None:
        """A pick goes out; ``parts`` of its priority as they are now, shape (d,)."""
        self._out[tag] = parts

    def tell(self, outcomes: Sequence[Outcome], V: str) -> None:
        """Outcomes with R under vocabulary ``V``. A failure, or a tag that was never sent, is no observation."""
        for outcome in outcomes:
            parts = self._out.pop(outcome.tag, None)
            if parts is not None and outcome.page_score is not None:
                self.F = np.vstack([self.F, parts])[-self._size :]
                self.R = np.append(self.R, outcome.page_score.relevance[V])[-self._size :]
                self.seen += 1

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs."""
        tags = np.array(list(self._out), dtype=np.int64)
        out = np.array(list(self._out.values()), dtype=np.float64).reshape(-1, self.F.shape[1])
        return {"window_F": self.F, "window_R": self.R, "seen": self.seen, "out_tags": tags, "out_F": out}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back."""
        d = self.F.shape[1]
        self.F = np.array(state["window_F"], dtype=np.float64).reshape(-1, d)
        self.R = np.array(state["window_R"], dtype=np.float64)
        self.seen = int(state["seen"])
        out = np.array(state["out_F"], dtype=np.float64).reshape(-1, d)
        self._out = dict(zip(np.asarray(state["out_tags"]).tolist(), out, strict=True))


class LearnedWeights:
    """Weights of a priority, and how many observations there were when they were learned. A part of a strategy."""

    def __init__(self, name: str, first: Floats) -> None:
        """Start with the weights ``first``, shape (d,); ``name`` is their key in the saved state."""
        self._name, self.w = name, first
        self.seen = 0

    def learn(self, w: Floats, seen: int) -> None:
        """Take weights that were learned from so many observations."""
        self.w, self.seen = w, seen

    def state(self) -> dict[str, Any]:
        return {self._name: self.w.copy(), "learned": self.seen}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.w, self.seen = np.array(state[self._name], dtype=np.float64), int(state["learned"])
