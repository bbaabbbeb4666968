"""Reachability in a graph: all nodes that any number of edges lead to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(start: Node, neighbours: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Collect a node and all nodes that can be reached from it.

    Args:
        start: the node to begin with.
        neighbours: returns the direct successors of a node.

    Returns:
        The reachable nodes, ``start`` included. Cycles are followed once.

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
