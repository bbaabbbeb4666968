"""Which cell a process crawls next: one of the web that it has open, so that few pages are made by two processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """Items that wait, by web. An item is given out once.

    >>> turns = Turns({"a": "web 1", "b": "web 1", "c": "web 2", "d": "web 2"})
    >>> one = turns.next(None, ())
    >>> two = turns.next(None, ["web 1"])
    >>> one, two, turns.next("web 2", ["web 1"]), turns.next("web 2", ["web 1"]), turns.next(None, ())
    ('a', 'c', 'd', 'b', None)
    """

    def __init__(self, web_of: Mapping[T, str]) -> None:
        """Queue the items, each with its web, in their order."""
        self._waiting: dict[str, deque[T]] = {}
        for item, web in web_of.items():
            self._waiting.setdefault(web, deque()).append(item)

    def next(self, web: str | None, taken: Iterable[str]) -> T | None:
        """Give out an item.

        Args:
            web: the web that the process has open; None for none.
            taken: the webs of the items that other processes have.

        Returns:
            An item of the same web, else of the first web that no other process has, else of the one with most items
            left; None where nothing waits.
        """
        left = {name: items for name, items in self._waiting.items() if items}
        if not left:
            return None
        if web not in left:
            others = set(taken)
            web = next((name for name in left if name not in others), None)
        return self._waiting[web if web is not None else max(left, key=lambda name: len(left[name]))].popleft()
