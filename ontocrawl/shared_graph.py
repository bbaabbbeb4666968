"""The graph of a workspace for a server: opened by the first request that needs it, and shared by all threads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from threading import Lock

from kg.store import GraphStore, StoreUnavailable
from ontocrawl import graph_store
from ontocrawl.workspace import Workspace


class SharedGraph:
    """One open graph for all threads of the server. A graph that is gone is opened again by the next request."""

    def __init__(self, space: Workspace) -> None:
        self._space, self._lock, self._opened = space, Lock(), ExitStack()
        self._graph: GraphStore | None = None

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
