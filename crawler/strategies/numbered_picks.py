"""What strategies share besides their rules: numbered picks, a state made of parts, and taking the top of the queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Ids, Picks
from crawler.strategies.base import State, Strategy


class Part(Protocol):
    """Something that a strategy remembers by, such as a memory of hosts; the keys of its state are its own."""

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...


P = TypeVar("P", bound=Part)


class NumberedPicks(Strategy):
    """A strategy that tags its picks with their number in the crawl, so that late outcomes find their pick."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._picked = 0
        """Picks of the whole crawl; the tag of the next one."""
        self._parts: list[Part] = []

    def keeps(self, part: P) -> P:
        """Save and restore a part with the strategy, and return it."""
        self._parts.append(part)
        return part

    def numbered(self, links: Sequence[int] | Ids, moves: Iterable[Mapping[str, Any]]) -> Picks:
        """Return the picks of links with the next numbers as their tags, one move for each."""
        first = self._picked
        self._picked += len(links)
        return Picks(np.asarray(links, dtype=np.int64), tuple(range(first, self._picked)), tuple(moves))

    def state(self) -> State:
        return {"picked": self._picked} | {name: value for part in self._parts for name, value in part.state().items()}

    def restore(self, state: State) -> None:
        self._picked = int(state["picked"])
        for part in self._parts:
            part.restore(state)


class TopOfQueue(NumberedPicks):
    """A strategy that fetches the queued links of the highest priority, the first come among equals."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return the ``n`` best queued links, or all where fewer wait."""
        links = view.top(n)
        return self.numbered(links, [{"queued": len(view), "priority": p} for p in view.priority(links).tolist()])
