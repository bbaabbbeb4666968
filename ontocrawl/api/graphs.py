"""The property graph of a workspace, and queries on it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kg.engine import embedded
from kg.interruption import interruptible
from kg.store import GraphStore
from ontocrawl import graph_store, graph_writing, query_parameters, topic_graph
from ontocrawl import workspace as workspaces
from ontocrawl.api import arguments
from ontocrawl.api.crawls import Run, name_of
from ontocrawl.api.topics import Topic
from ontocrawl.api.workspaces import Folder, ignore
from ontocrawl.errors import UsageError
from ontocrawl.tables import Table
from ontology.extras import require

if TYPE_CHECKING:
    import networkx


class Graph:
    """The property graph of a workspace: its embedded engine, or the Neo4j server that its settings name.

    Use it as a context manager, or call `close`.

    Args:
        workspace: folder of the workspace; by default the nearest one at or above the current folder.

    Raises:
        UsageError: there is no workspace, and no server is configured.
    """

    def __init__(self, workspace: Folder | None = None) -> None:
        arguments.require_path(workspace=workspace)
        self._space = workspaces.asked(None if workspace is None else Path(workspace).absolute())
        self._open = ExitStack()
        self._store: GraphStore | None = self._open.enter_context(graph_store.store(self._space))

    @property
    def store(self) -> GraphStore:
        """The open graph, for functions of the package `kg`. Raises UsageError after `close`."""
        if self._store is None:
            raise UsageError("this Graph is closed: open another one")
        return self._store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. The embedded engine keeps running for a while, so that it can be reopened quickly."""
        self._store = None
        self._open.close()

    def stop(self) -> None:
        """Close the connection and stop the workspace's embedded engine."""
        self.close()
        embedded.stop(self._space.graph)

    def ask(self, name: str, /, *, timeout: float | None = None, **parameters: Any) -> Table:
        """Run a query of the library (`query run`; docs/queries.md).

        Ctrl-C ends the statement on the server too.

        Args:
            name: name of the query, such as ``"pages/most_relevant"``.
            timeout: number of seconds after which the server ends a statement; by default it does not.
            **parameters: parameters of the query.

        Returns:
            The rows of the result; without rows, ``reasons`` says why.

        Raises:
            QueryError: an unknown query, or invalid parameters.
            StatementTimeout: the time is over.
            NotInGraphError: a parameter names a run or an ontology that the graph does not have, or the result is empty
                because the graph has no such concept. For an unknown page or host the result is empty.
        """
        arguments.require("name", name, str, "the name of a query")
        with interruptible(arguments.seconds(timeout=timeout)):
            result, unknown = query_parameters.ask(self._space, self.store, name, parameters)
        for error in unknown:
            if error.kind not in ("page", "host"):
                raise error
        return result

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> Table:
        """Run a Cypher statement (`query cypher`). Ctrl-C ends it on the server too.

        Args:
            statement: the statement, without ``;`` or with one at its end.
            parameters: values of its ``$parameters``, by name.
            write: whether the statement may change the graph.
            timeout: number of seconds after which the server ends the statement; by default it does not.

        Returns:
            The rows of the result; without rows the columns are unknown.

        Raises:
            UsageError: the text is no Cypher statement, the statement writes and ``write`` is False, or its parameters
                are not those in ``parameters``.
            StoreError: the graph engine rejects the statement.
            StatementTimeout: the time is over.
        """
        arguments.require("statement", statement, str, "text")
        arguments.require_mapping(parameters=parameters)
        arguments.require_flag(write=write)
        with interruptible(arguments.seconds(timeout=timeout)):
            return graph_store.cypher(self.store, statement, parameters, write=write)

    def load(self, topic: Topic | Folder) -> None:
        """Write a topic's ontologies into the graph, with the papers and lattices of learned ones (`graph load`)."""
        arguments.require("topic", topic, (Topic, str, Path), "a Topic, its name, or the path of its file")
        loaded = topic if isinstance(topic, Topic) else Topic(topic, self._space.root)
        topic_graph.TopicGraph(loaded._topic, self.store, ignore).load()

    def add(self, run: Run | str) -> None:
        """Write a run into the graph and rank its pages. A second call changes nothing."""
        graph_writing.project(self._space, name_of(run), self.store)

    def to_networkx(self, run: Run | str) -> networkx.DiGraph:
        """Convert the link graph of a run's fetched pages to a networkx graph.

        Returns:
            Nodes are URLs (attributes ``title``, ``relevance``, ``relevant``, ``pagerank``), edges are hyperlinks.

        Raises:
            MissingExtra: networkx is not installed.
            UsageError: the graph has no such run.
        """
        graph = require("networkx", "frames", "a crawl as a graph of networkx").DiGraph()
        name = name_of(run)
        if not self.cypher("MATCH (c:Crawl {id: $run}) RETURN c.id AS run", {"run": name}):
            raise UsageError(f"the graph has no run {name!r}: write it with Graph.add")
        pages = self.cypher(_FETCHED, {"run": name})
        for url, *values in pages.rows:
            graph.add_node(url, **dict(zip(pages.columns[1:], values, strict=True)))
        graph.add_edges_from(self.cypher(_LINKS, {"run": name}).rows)
        return graph

    def sparql(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        fresh: bool = False,
        timeout: float | None = None,
    ) -> Table:
        """Run a SPARQL 1.1 query on the graph (`query sparql`; docs/interchange.md).

        Args:
            query: the query, or the name of one of the library, such as ``"hosts_that_pay"``.
            parameters: values of its ``$parameters``, by name.
            fresh: export the graph anew, even if it has not changed since the last query.
            timeout: number of seconds after which the query ends; the export of the graph is not counted.

        Returns:
            The rows of the result.

        Raises:
            SparqlError: an unknown name, a query that is not SPARQL, or a parameter without a value.
            StatementTimeout: the time is over.
            MissingExtra: pyoxigraph is not installed.
        """
        from kg import sparql

        arguments.require("query", query, str, "text")
        arguments.require_mapping(parameters=parameters)
        arguments.require_flag(fresh=fresh)
        text, values, title = sparql.named(query, parameters or {})
        seconds = arguments.seconds(timeout=timeout)
        with interruptible():
            found = sparql.sparql(self.store, text, values, kept=self._space.sparql, fresh=fresh, seconds=seconds)
        return Table(found.columns, tuple(tuple(row.values()) for row in found.rows), title)


_FETCHED = (
    "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.failure IS NULL RETURN p.url AS url, f.title AS title, "
    "f.relevance AS relevance, f.relevant AS relevant, f.pagerank AS pagerank ORDER BY url"
)
_LINKS = (
    "MATCH (c:Crawl {id: $run})-[f:FETCHED]->(p:Page)-[:LINKS_TO]->(q:Page)<-[g:FETCHED]-(c) "
    "WHERE f.failure IS NULL AND g.failure IS NULL RETURN p.url AS source, q.url AS target ORDER BY source, target"
)


def ask(name: str, /, *, workspace: Folder | None = None, timeout: float | None = None, **parameters: Any) -> Table:
    """Run one query of the library on a workspace's graph.

    For several queries, `Graph.ask` keeps the connection open.

    Args:
        name: name of the query, such as ``"pages/most_relevant"``.
        workspace: folder of the workspace, as for `Graph`.
        timeout: as for `Graph.ask`.
        **parameters: parameters of the query.

    Returns:
        The rows of the result.

    Raises:
        UsageError: there is no workspace.
        QueryError, NotInGraphError, StatementTimeout: as for `Graph.ask`.
    """
    with Graph(workspace) as graph:
        return graph.ask(name, timeout=timeout, **parameters)
