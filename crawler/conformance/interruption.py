"""Crawls that are saved, killed and resumed, and the attributes of a strategy that are lost by that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.conformance.rehearsal import Rehearsal, revived
from crawler.strategies.base import Strategy

KILLED_AFTER = (0, 1, 6, 30, 40)
"""Steps between the moments at which a crawl is killed, the first of them before any step."""


class Interrupted(Rehearsal):
    """A rehearsal whose strategy is saved and restored at every possible moment."""

    def between_calls(self) -> None:
        """Replace the strategy by one restored from its state."""
        self.strategy = revived(self.strategy)


class Watched(Rehearsal):
    """An uninterrupted rehearsal that collects the attributes that a restored strategy would lose."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.forgotten: set[str] = set()
        """Attributes of the strategy that differ in a restored one."""

    def between_calls(self) -> None:
        """Compare the strategy with one restored from its state."""
        self.forgotten.update(unrestored(self.strategy))


def killed_now_and_then(crawl: Rehearsal) -> Rehearsal:
    """Run the whole crawl, saved and restored completely at a few moments."""
    for steps in KILLED_AFTER:
        crawl = crawl.run(steps).reborn()
    return crawl.run()


def unrestored(strategy: Strategy) -> list[str]:
    """Return the names of the attributes that differ after ``restore`` of the strategy's ``state``."""
    before, restored = vars(strategy), vars(revived(strategy))
    return [name for name in before if name not in restored or not _alike(before[name], restored[name])]


def advice(forgotten: set[str]) -> str:
    """Return advice to the author of a strategy, as a sentence."""
    mend = "put into state() all that its choices depend on, and take it back in restore()"
    if forgotten:
        return f"after restore() these attributes are not what they were: {', '.join(sorted(forgotten))}; {mend}"
    return f"{mend}; all attributes come back, so look for what it keeps elsewhere, as in its class or its module"


def _alike(one: object, other: object, depth: int = 10) -> bool:
    """Return whether two values are equal; objects without ``__eq__`` are compared by their attributes."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if depth == 0:
        return True  # objects that hold each other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key], depth - 1) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_alike(a, b, depth - 1) for a, b in zip(one, other, strict=True))
    if type(one).__eq__ is object.__eq__ and hasattr(one, "__dict__"):
        return _alike(vars(one), vars(other), depth - 1)
    return bool(one == other)
