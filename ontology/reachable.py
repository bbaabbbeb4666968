"""What can be reached from a node of a graph over any number of edges."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(start: Node, neighbours: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Collect a node and all nodes that edges lead to from it.

    Args:
        start: the node to begin with.
        neighbours: returns the nodes that the edges of a node lead to.

    Returns:
        The nodes, ``start`` included. Cycles are followed once.

    >>> broader = {"flash flood": ["flood"], "flood": ["disaster"], "disaster": []}
    >>> sorted(reachable("flood", broader.__getitem__))
    ['disaster', 'flood']
    """
    seen = {start}
    waiting = [start]
    while waiting:
        for node in neighbours(waiting.pop()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen
