"""Opening the graph of a workspace: this alone, so that a question to the graph loads no crawler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kg import embedded, schema
from kg.bolt import BoltStore
from kg.store import GraphStore
from ontocrawl.workspace import Workspace, make_folder


@contextmanager
def store(workspace: Workspace, *, migrate: bool = True) -> Iterator[GraphStore]:
    """The workspace's graph: the Neo4j server of its settings, else the embedded engine; with the schema applied."""
    graph = workspace.settings.graph
    if graph.uri:
        opened: GraphStore = BoltStore(graph.uri, (graph.username, graph.password), graph.database)
    else:
        opened = embedded.open_embedded(make_folder(workspace.graph))
    try:
        if migrate:
            schema.apply(opened)
        yield opened
    finally:
        opened.close()
