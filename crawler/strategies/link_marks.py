"""Marks that fetched pages set on their links before these are offered; the largest one counts."""

from __future__ import annotations

import numpy as np

from crawler.frontier import Column
from crawler.model import Floats, Ids
from crawler.strategies.base import State


class LinkMarks:
    """A number for each link. A part of a strategy; its state is one array.

    >>> marks = LinkMarks()
    >>> marks.raise_to(np.array([2, 5]), np.array([1.0, 2.0]))
    >>> marks.raise_to(np.array([5]), 1.0)
    >>> marks.get(np.array([2, 3, 5])).tolist()
    [1.0, 0.0, 2.0]
    """

    def __init__(self, name: str = "marks", unmarked: float = 0.0) -> None:
        """Create the part.

        Args:
            name: key of the saved state.
            unmarked: mark of a link that no page has marked; no mark may be smaller.
        """
        self._name, self._unmarked = name, unmarked
        self._mark, self._n = Column(unmarked), 0

    def get(self, links: Ids) -> Floats:
        """Return the marks of links, shape (m,)."""
        self._grow(links)
        return self._mark.get(links)

    def raise_to(self, links: Ids, mark: float | Floats) -> None:
        """Raise the marks of links; larger marks are kept.

        Args:
            links: distinct ids, shape (m,).
            mark: one mark for all, or of shape (m,).
        """
        self._grow(links)
        self._mark.set(links, np.maximum(self._mark.get(links), mark))

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {self._name: self._mark.dump(self._n)}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        marks = np.asarray(state[self._name], dtype=np.float64)
        self._mark, self._n = Column(self._unmarked), 0
        self.raise_to(np.arange(len(marks), dtype=np.int64), marks)

    def _grow(self, links: Ids) -> None:
        self._n = max(self._n, int(links.max(initial=-1)) + 1)
        self._mark.grow(self._n)
