"""Short-term memory of tabu search, and the choice of a move from a neighbourhood.

Source: F. Glover and M. Laguna, Tabu Search, 1997: attributes of recent moves are tabu for a tenure; the best move that
is not tabu is chosen, or a tabu one that is better than all before (aspiration). Where all moves are tabu and none is
admitted, the least tabu one is chosen (aspiration by default), that is the one that became tabu first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crawler.model import Floats, Ids


class TabuList:
    """Attributes of the latest moves, first in, first out. Mutable.

    >>> tabu = TabuList(2)
    >>> for attribute in (5, 6, 7):
    ...     tabu.add(attribute)
    >>> tabu.tenure(np.array([5, 6, 7])).tolist()
    [0, 1, 2]
    """

    def __init__(self, length: int) -> None:
        """Create an empty list that keeps the last ``length`` >= 0 moves."""
        self._length = length
        self._moves = list[int]()

    def __len__(self) -> int:
        return len(self._moves)

    def add(self, attribute: int) -> None:
        """Add the attribute of a move; one that is in the list already gets its full tenure again."""
        self._moves.append(attribute)
        del self._moves[: max(0, len(self._moves) - self._length)]

    def tenure(self, attributes: Ids) -> Ids:
        """Return the moves after which each attribute is free, in [0, length], 0 if it is not tabu; shape (m,)."""
        age = self._length - len(self._moves)
        latest = {attribute: age + row + 1 for row, attribute in enumerate(self._moves)}
        return np.array([latest.get(attribute, 0) for attribute in attributes.tolist()], dtype=np.int64)

    def state(self) -> list[int]:
        """Return everything that ``restore`` needs."""
        return list(self._moves)

    def restore(self, moves: Sequence[int]) -> None:
        """Restore a state that ``state`` returned."""
        self._moves = [int(move) for move in moves]


def best_move(value: Floats, tenure: Ids, best: float) -> int:
    """Return the row of the move to make, the first among equals.

    Args:
        value: value of each move, larger is better, shape (k,), k > 0; -inf for one that cannot be made.
        tenure: tenure of each move's attribute, 0 if it is free, shape (k,).
        best: value of the best move so far; a tabu move of a higher value is admitted (aspiration).

    >>> value, tenure = np.array([0.9, 0.5]), np.array([3, 0])
    >>> best_move(value, tenure, best=1.0), best_move(value, tenure, best=0.8)
    (1, 0)
    """
    possible = value > -np.inf
    admitted = possible & ((tenure == 0) | (value > best))
    if not admitted.any():
        admitted = possible & (tenure == tenure[possible].min(initial=np.iinfo(np.int64).max))  # aspiration by default
    return int(np.argmax(np.where(admitted, value, -np.inf)))
