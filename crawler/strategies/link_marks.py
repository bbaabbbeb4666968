"""Values that pages give to the links that they contain, before these are offered: the largest one counts."""

from __future__ import annotations

import numpy as np

from crawler.frontier import Column
from crawler.model import Floats, Ids
from crawler.strategies.base import State


class LinkMarks:
    """A number for each link. A part of a strategy: its state is one array."""

    def __init__(self, name: str = "marks", unmarked: float = 0.0) -> None:
        """Create marks.

        Args:
            name: key of the saved state.
            unmarked: value of a link that no page marked; no mark may be smaller.
        """
        self._name, self._unmarked = name, unmarked
        self._mark, self._n = Column(unmarked), 0

    def get(self, links: Ids) -> Floats:
        """Return the marks of links, shape (m,)."""
        self._grow(links)
        return self._mark.get(links)

    def raise_to(self, links: Ids, mark: float | Floats) -> None:
        """Give distinct links a mark, one for all or of shape (m,); a larger one stays."""
        self._grow(links)
        self._mark.set(links, np.maximum(self._mark.get(links), mark))

    def state(self) -> State:
        return {self._name: self._mark.dump(self._n)}

    def restore(self, state: State) -> None:
        marks = np.asarray(state[self._name], dtype=np.float64)
        self._mark, self._n = Column(self._unmarked), 0
        self.raise_to(np.arange(len(marks), dtype=np.int64), marks)

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._mark.grow(self._n)
