"""The graph of a workspace for a server: opened by the first request that needs it, and shared by all threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from threading import Lock
from typing import Any, TypeVar

from kg.store import GraphStore, Revised, StoreUnavailable
from ontocrawl import graph_store
from ontocrawl.workspace import Workspace

T = TypeVar("T")
_REMEMBERED = 8
"""Answers that are kept; a map of 2,000 pages has about 2 MB as JSON."""


class SharedGraph:
    """One open graph for all threads of the server. A graph that is gone is opened again by the next request."""

    def __init__(self, space: Workspace) -> None:
        self._space, self._lock, self._opened = space, Lock(), ExitStack()
        self._graph: GraphStore | None = None
        self._remembered: OrderedDict[Hashable, Any] = OrderedDict()

    @contextmanager
    def open(self) -> Iterator[GraphStore]:
        """Give the open graph to a request. Raises StoreError where it cannot be opened."""
        with self._lock:
            if self._graph is None:
                self._graph = self._opened.enter_context(graph_store.store(self._space))
            graph = self._graph
        try:
            yield graph
        except StoreUnavailable:
            self.close()
            raise

    def remembered(self, key: Hashable, read: Callable[[GraphStore], T]) -> T:
        """Return what is read from the graph; what was read before by the same key, if the graph is the same.

        Args:
            key: all that the answer depends on, beside the graph.
            read: reads the open graph.

        Returns:
            The answer. It is read anew after each change of the graph, and on a server, whose changes are not known.
        """
        with self.open() as graph:
            revision = graph.revision() if isinstance(graph, Revised) else None
            with self._lock:
                if revision is not None and (key, revision) in self._remembered:
                    self._remembered.move_to_end((key, revision))
                    answer: T = self._remembered[key, revision]
                    return answer
            answer = read(graph)
        with self._lock:
            if revision is not None:
                self._remembered[key, revision] = answer
            while len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return answer

    def close(self) -> None:
        """Close the graph, if it is open."""
        with self._lock:
            self._graph = None
            self._opened.close()

    @asynccontextmanager
    async def while_open(self) -> AsyncIterator[None]:
        """Close the graph when the server ends."""
        try:
            yield
        finally:
            self.close()
