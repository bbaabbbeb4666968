"""The short-term memory of tabu search, and the choice of a move from a neighbourhood.

Source: F. Glover and M. Laguna, Tabu Search, 1997: attributes of recent moves are tabu for a tenure; the best move that
is not tabu is taken, or a tabu one that is better than all before (aspiration); where every move is tabu and none is
admitted, the least tabu one is taken (aspiration by default), which is the one that became tabu first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crawler.model import Floats, Ids


class TabuList:
    """The attributes of the last moves, first in, first out. A handle."""

    def __init__(self, length: int) -> None:
        """``length`` moves are remembered; 0 remembers none."""
        self._length = length
        self._moves = list[int]()

    def __len__(self) -> int:
        return len(self._moves)

    def add(self, attribute: int) -> None:
        """A move with this attribute was made. It counts again if it is in the list, and so stays for longer."""
        self._moves.append(attribute)
        del self._moves[: max(0, len(self._moves) - self._length)]

    def tenure(self, attributes: Ids) -> Ids:
        """Moves after which each attribute is free, in [0, length]: 0 for one that is not tabu; shape (m,)."""
        age = self._length - len(self._moves)
        latest = {attribute: age + row + 1 for row, attribute in enumerate(self._moves)}
        return np.array([latest.get(attribute, 0) for attribute in attributes.tolist()], dtype=np.int64)

    def state(self) -> list[int]:
        """All that ``restore`` needs."""
        return list(self._moves)

    def restore(self, moves: Sequence[int]) -> None:
        """Take a saved state back."""
        self._moves = [int(move) for move in moves]


def best_move(value: Floats, tenure: Ids, best: float) -> int:
    """The row of the move to make, the first among equals.

    Args:
        value: of each move, larger is better, shape (k,), k > 0; -inf for one that cannot be made.
        tenure: of each move's attribute, 0 if it is free, shape (k,).
        best: value of the best move so far; a tabu move of a higher one is admitted (aspiration).
    """
    possible = value > -np.inf
    admitted = possible & ((tenure == 0) | (value > best))
    if not admitted.any():
        admitted = possible & (tenure == tenure[possible].min(initial=np.iinfo(np.int64).max))  # aspiration by default
    return int(np.argmax(np.where(admitted, value, -np.inf)))
