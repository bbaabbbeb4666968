"""When a crawl saves a snapshot. The clock counts, because snapshots change no trace."""

from __future__ import annotations

from collections.abc import Callable

_WORTH = 50
"""Times the cost of a snapshot that have to pass before the next one, so that they take 2 % of the time at most."""
_PATIENCE = 4
"""Times the interval that a snapshot waits at most for a re-scoring of the queue, right after which it is small."""


class SnapshotTimer:
    """Tells after how many fetches, and how much time, a snapshot is due.

    >>> now = iter([0.0, 1.0, 5.0, 60.0])
    >>> timer = SnapshotTimer(250, lambda: next(now))
    >>> timer.is_due(100, cheap=True), timer.is_due(250, cheap=True)
    (False, True)
    >>> timer.taken(250, seconds=0.2)
    >>> timer.is_due(500, cheap=False)
    False
    """

    def __init__(self, every: int, clock: Callable[[], float]) -> None:
        """Start at the beginning of a crawl.

        Args:
            every: fetches between two snapshots.
            clock: function that returns seconds.
        """
        self._every, self._clock = every, clock
        self._fetches, self._at, self._cost = 0, clock(), 0.0

    def is_due(self, fetches: int, *, cheap: bool) -> bool:
        """Return whether to save now.

        Args:
            fetches: fetches of the crawl so far.
            cheap: whether a snapshot is small now, or will not become so.
        """
        since = fetches - self._fetches
        if since < self._every or self._clock() - self._at < _WORTH * self._cost:
            return False
        return cheap or since >= _PATIENCE * self._every

    def taken(self, fetches: int, seconds: float) -> None:
        """Note a snapshot after ``fetches`` fetches that took ``seconds``, or was restored (0)."""
        self._fetches, self._at, self._cost = fetches, self._clock(), seconds
