"""An answer of the graph is kept as long as the graph is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.graph.graph_store import SharedGraph


class Counted:
    """A graph with a revision that counts how often it is read."""

    revised: str | None = "a"
    reads = 0

    def revision(self) -> str | None:
        return self.revised

    def read(self, query: str, **params: Any) -> list[Any]:
        self.reads += 1
        return [self.reads]


@pytest.fixture
def shared(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[SharedGraph, Counted]:
    counted = Counted()

    @contextmanager
    def store(_: Workspace) -> Iterator[Counted]:
        yield counted

    monkeypatch.setattr(graph_store, "store", store)
    return SharedGraph(space), counted


def ask(store: GraphStore) -> list[Any]:
    return store.read("RETURN 1 AS one")


def test_an_answer_is_read_once_for_each_state_of_the_graph(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    assert [found.remembered("key", ask) for _ in range(3)] == [[1]] * 3
    assert found.remembered("other", ask) == [2]
    counted.revised = "b"
    assert [found.remembered("key", ask) for _ in range(2)] == [[3]] * 2


def test_a_graph_whose_changes_are_not_known_is_read_each_time(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    counted.revised = None
    assert [found.remembered("key", ask) for _ in range(2)] == [[1], [2]]


def test_few_answers_are_kept(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    for key in range(2 * graph_store._REMEMBERED):
        found.remembered(key, ask)
    assert len(found._remembered) == graph_store._REMEMBERED
    reads = counted.reads
    found.remembered(2 * graph_store._REMEMBERED - 1, ask)
    assert counted.reads == reads
    found.remembered(0, ask)
    assert counted.reads == reads + 1
