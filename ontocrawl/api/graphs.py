"""The property graph of a workspace, and queries on it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kg import networks as kg_networks
from kg.engine import embedded
from kg.interruption import interruptible
from kg.store import GraphStore
from ontocrawl.api import arguments
from ontocrawl.api.arguments import Folder, ignore
from ontocrawl.api.crawls import Run, name_of
from ontocrawl.api.topics import Topic
from ontocrawl.base import workspace as workspaces
from ontocrawl.errors import NotInGraphError, UsageError
from ontocrawl.graph import graph_store, networks, query_parameters
from ontocrawl.graph.tables import Table, limited
from ontocrawl.runs import graph_writing
from ontocrawl.topics import graph_record, topic_graph

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
            raise UsageError("api.graph_closed_open_another")
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
        if not self._space.graph_is_read_only:  # its copy has been stopped
            embedded.stop(self._space.graph)

    def ask(self, name: str, /, *, timeout: float | None = None, **parameters: Any) -> Table:
        """Run a query of the library (`query run`; docs/queries.md).

        Ctrl-C ends the statement on the server too.

        Args:
            name: name of the query, such as ``"pages/most_relevant"``.
            timeout: number of seconds after which the server ends a statement; by default it does not.
            **parameters: parameters of the query. A date may be text or a date or time of Python, NumPy or pandas; one
                with a zone becomes UTC.

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
            parameters: values of its ``$parameters``, by name. Dates and times of Python, NumPy and pandas become those
                of Cypher, with a zone in UTC; the graph has its own as texts, so compare ``date(f.published)``.
            write: whether the statement may change the graph.
            timeout: number of seconds after which the server ends the statement; by default it does not.

        Returns:
            The rows of the result; without rows the columns are unknown. Nodes, relationships, paths and points are
            maps, times ISO-8601 texts, bytes bytes (docs/queries.md). Of EXPLAIN and PROFILE the plan, with the columns
            ``depth``, ``operator`` and ``details``.

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
            rows = graph_store.cypher(self.store, statement, parameters, write=write)
        if write:
            graph_record.note(self._space, graph_record.of_statement(statement, workspaces.now()))
        return rows

    def load(self, topic: Topic | Folder) -> None:
        """Write a topic's ontologies into the graph, with the papers and lattices of learned ones (`graph load`)."""
        arguments.require("topic", topic, (Topic, str, Path), "a Topic, its name, or the path of its file")
        loaded = topic if isinstance(topic, Topic) else Topic(topic, self._space.root)
        topic_graph.TopicGraph(loaded._topic, self.store, ignore).load()

    def add(self, run: Run | str) -> None:
        """Write a run into the graph with its proposals, and rank its pages. A second call changes nothing."""
        report = graph_writing.project(self._space, name_of(run), self.store)
        graph_writing.written_again(self._space, report.crawl, self.store)

    def frame(self, query: str, /, **parameters: Any) -> Any:
        """Run a query of the library or a Cypher statement, and return the rows as a DataFrame.

        Args:
            query: name of a query, such as ``"pages/most_relevant"``, or a Cypher statement. A text of letters, digits,
                ``_``, ``-`` and ``/`` alone is a name.
            **parameters: parameters of the query, or values of the statement's ``$parameters``.

        Returns:
            A pandas DataFrame, or a polars one where pandas is not installed, as of `Table.to_frame`: a column of a
            query has the same type whatever its rows. For polars in any case: ``graph.ask(..).to_polars()``.

        Raises:
            MissingExtra: neither pandas nor polars is installed.
            QueryError, NotInGraphError: as for `ask`.
            UsageError, StoreError: as for `cypher`.
        """
        arguments.require("query", query, str, "the name of a query, or a Cypher statement")
        is_name = _NAME.fullmatch(query.strip()) is not None
        return (self.ask(query.strip(), **parameters) if is_name else self.cypher(query, parameters)).to_frame()

    def network(self, run: Run | str, *, known: bool = False, texts: bool = False) -> networkx.DiGraph:
        """Return the link graph of a run's fetched pages as a networkx graph.

        Args:
            run: a run that is in the graph, or its name.
            known: also the pages that the run knows and did not fetch.
            texts: also long texts: ``snippet`` and ``evidence``.

        Returns:
            Nodes are URLs. Their attributes are ``label`` (the title, or else the URL), ``host``, ``fetched``, and all
            that the run saw of the page (docs/graph.md, FETCHED and KNOWS): ``title``, ``step``, ``published``,
            ``relevance``, ``relevant``, ``pagerank``, ``authority``, ``hub`` and others; the true label is
            ``relevant_by_label``. Edges are the links that the run saw, with ``anchor`` and its ``relevance``. What has
            no value is absent, so that `networkx.write_graphml` and `networkx.write_gexf` can write the graph.

        Raises:
            MissingExtra: networkx is not installed.
            UsageError: the graph has no such run.
        """
        name = name_of(run)
        arguments.require_flag(known=known, texts=texts)
        if not self.cypher("MATCH (c:Crawl {id: $run}) RETURN c.id AS run", {"run": name}):
            raise UsageError("api.graph_no_run_write", name=name)
        return networks.pages(self.store, name, known=known, texts=texts)

    def concept_network(self, of: Topic | str = "", *, texts: bool = False) -> networkx.MultiDiGraph:
        """Return concepts and their relations as a networkx graph.

        Args:
            of: a topic, its name, or the IRI of an ontology, with or without its version; by default all ontologies.
            texts: also long texts: ``definition``, ``definition_en`` and ``sentence``.

        Returns:
            Nodes are IRIs of concepts, with the attributes ``label``, ``label_zh``, ``label_en`` and ``ontologies`` (in
            how many of these the concept is). Edges are relations, from the narrower to the broader concept, from part
            to whole, from cause to effect, with the attributes ``relation`` (such as ``SUBCLASS_OF``), ``ontology``,
            ``support`` and ``confidence``; two ontologies that assert the same have an edge each.

        Raises:
            MissingExtra: networkx is not installed.
            NotInGraphError: the graph has no such ontology.
        """
        arguments.require("of", of, (Topic, str), "a Topic, its name, or the IRI of an ontology")
        arguments.require_flag(texts=texts)
        named = of.name if isinstance(of, Topic) else of
        keys = kg_networks.ontologies_named(self.store, named)
        if named and not keys:
            raise NotInGraphError("api.graph_no_ontology_topic", named=named)
        return networks.concepts(self.store, keys, texts=texts)

    def to_networkx(self, run: Run | str) -> networkx.DiGraph:
        """Return `network` of a run, with None where a page has no value. Deprecated: use `network`.

        Returns:
            Nodes are URLs (attributes ``title``, ``relevance``, ``relevant``, ``pagerank``), edges are hyperlinks.

        Raises:
            MissingExtra: networkx is not installed.
            UsageError: the graph has no such run.
        """
        warnings.warn("Graph.to_networkx is deprecated: use Graph.network", DeprecationWarning, stacklevel=2)
        graph = self.network(run)
        for attributes in graph.nodes.values():
            for name in ("title", "relevance", "relevant", "pagerank"):
                attributes.setdefault(name, None)
        return graph

    def sparql(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        fresh: bool = False,
        timeout: float | None = None,
    ) -> Table:
        """Run a SPARQL 1.1 query on the graph (`query sparql`; docs/graph.md).

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
        limit = values.get("limit") if title else None  # a query of the library has a title
        if limit is not None:  # with one row more it is known whether there are more
            values["limit"] = limit + 1
        seconds = arguments.seconds(timeout=timeout)
        with interruptible():
            found = sparql.sparql(self.store, text, values, kept=self._space.sparql, fresh=fresh, seconds=seconds)
        return limited(Table(found.columns, tuple(tuple(row.values()) for row in found.rows), title), limit)


_NAME = re.compile(r"[\w/-]+")
"""A text that is the name of a query: a Cypher statement has blanks or brackets."""


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
