"""Base classes of strategies: numbered picks, a state made of parts, and choosing the top of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Ids, Picks
from crawler.strategies.base import State, Strategy


class Part(Protocol):
    """A component of a strategy with a state, such as a memory of hosts; no two parts share a key of the state."""

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        ...

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        ...


P = TypeVar("P", bound=Part)


class NumberedPicks(Strategy):
    """A strategy that tags picks with their number in the crawl, so that late outcomes find their pick."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._picked = 0
        """Number of picks so far, and tag of the next one."""
        self._parts: list[Part] = []

    def keeps(self, part: P) -> P:
        """Register a part to be saved and restored with the strategy, and return it."""
        self._parts.append(part)
        return part

    def numbered(self, links: Sequence[int] | Ids, moves: Iterable[Mapping[str, Any]]) -> Picks:
        """Return picks with the next numbers as their tags.

        Args:
            links: ids, shape (k,).
            moves: an explanation of each choice.
        """
        first = self._picked
        self._picked += len(links)
        return Picks(np.asarray(links, dtype=np.int64), tuple(range(first, self._picked)), tuple(moves))

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {"picked": self._picked} | {name: value for part in self._parts for name, value in part.state().items()}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        self._picked = int(state["picked"])
        for part in self._parts:
            part.restore(state)


class TopOfQueue(NumberedPicks):
    """A strategy that chooses the queued links of the highest priority, the oldest among equals."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return the ``n`` best queued links, or all if there are fewer."""
        links = view.top(n)
        return self.numbered(links, [{"queued": len(view), "priority": p} for p in view.priority(links).tolist()])
