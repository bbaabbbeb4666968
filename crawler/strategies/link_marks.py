"""Marks on links that the pages which contain them give before they are offered: the largest one counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from crawler.frontier import Column
from crawler.model import Floats, Ids
from crawler.strategies.base import State
from crawler.strategies.breadth_first import BreadthFirst


class LinkMarks:
    """A number of each link, 0 where no page gave one. A handle; its state is one array."""

    def __init__(self) -> None:
        self._mark, self._n = Column(), 0

    def of(self, links: Ids) -> Floats:
        """Marks of links, shape (m,)."""
        self._grow(links)
        return self._mark.get(links)

    def raise_to(self, links: Ids, mark: float | Floats) -> None:
        """Give distinct links a mark, one for all or of shape (m,); a larger one stays."""
        self._grow(links)
        self._mark.set(links, np.maximum(self._mark.get(links), mark))

    def state(self) -> State:
        """All that ``restore`` needs."""
        return {"marks": self._mark.dump(self._n)}

    def restore(self, state: State) -> None:
        """Take a saved state back."""
        marks = np.asarray(state["marks"], dtype=np.float64)
        self._mark, self._n = Column(), 0
        self.raise_to(np.arange(len(marks), dtype=np.int64), marks)

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._mark.grow(self._n)


class Marking(BreadthFirst):
    """A queue by priority, with marks that pages give to their links."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._marks = LinkMarks()

    def state(self) -> State:
        return {**super().state(), **self._marks.state()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._marks.restore(state)
