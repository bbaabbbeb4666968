"""The Python interface: the verbs of the command line as functions and classes.

Import these names from `ontocrawl`; they keep their meaning from release to release (CONTRIBUTING). Each one does what
the command of its name does, in the same workspace, so that commands and Python can follow each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from crawler import rows as graph_rows
from crawler.crawl import Step
from crawler.journal import Journal
from kg import embedded
from kg.key_weights import Scheme
from kg.records import PageText
from kg.store import GraphStore
from ontocrawl import building, crawling, enrichment, graph_store, learning, plan, runs, topic_graph, topics
from ontocrawl import workspace as workspaces
from ontocrawl.building import BuildOptions
from ontocrawl.plan import CrawlOptions
from ontocrawl.runs import RunResult
from ontocrawl.tables import Table
from ontocrawl.workspace import Workspace
from ontology.extras import require
from ontology.learn_options import LearnOptions
from ontology.model import Ontology, Term

if TYPE_CHECKING:
    import networkx

Folder = str | Path
OnStage = Callable[[str], None]
"""Receives a line for the reader before each stage of long work."""


def _ignore(line: object) -> None:
    """Take no notice of progress."""


def _workspace(folder: Folder | None) -> Workspace:
    return workspaces.find(None if folder is None else Path(folder))[0]


_WEIGHT = (
    "word", "weight", "distance", "density", "depth", "coincidence", "relation", "key", "documents", "background",
    "path", "iri", "ontology",
)  # fmt: skip


# ---- topics and learning ----------------------------------------------------------------------------------------


class Topic:
    """A topic: the words by which pages are judged, and the ontologies that steer a crawl.

    Args:
        name: a topic's name, such as ``"rainstorm"``, or the path of a topic file, such as the one that `learn` writes.
        workspace: folder of the workspace; by default the nearest one above the current folder, else
            ``./ontocrawl-data``.

    Raises:
        UsageError: there is no such topic, or its file has an error.
    """

    def __init__(self, name: Folder, workspace: Folder | None = None) -> None:
        self._topic = topics.load(str(name), _workspace(workspace))

    def __repr__(self) -> str:
        return f"<Topic {self.name}: {self.label['zh']} / {self.label['en']}, {len(self.ontologies)} ontologies>"

    @property
    def name(self) -> str:
        """The name that stands in IRIs."""
        return self._topic.name

    @property
    def path(self) -> Path | None:
        """The topic file, of a topic that was given by its path."""
        return self._topic.path

    @property
    def label(self) -> dict[str, str]:
        """The label by language, ``zh`` and ``en``."""
        return {"zh": self._topic.file.label.zh, "en": self._topic.file.label.en}

    @property
    def words(self) -> dict[str, float]:
        """The topic's own words, each with its weight (vocabulary TK)."""
        return {word.label: word.weight for word in self._topic.file.vocabulary().words}

    @property
    def ontologies(self) -> tuple[Ontology, ...]:
        """The global ontology, then one for each local topic; several of one level are joined by equal labels."""
        return self._topic.ontologies

    def weights(self, scheme: Scheme | None = None) -> Table:
        """Derive the weights of the ontologies' concepts, by query on the workspace's graph.

        Args:
            scheme: ``"sem"`` (similarity to the root; paper 000, Eqs. 1 to 3), ``"key"`` (how particular a concept is
                to the papers that the ontology was learned from), or ``"sem_key"`` (both). By default what a crawl
                takes: key for a learned ontology, else sem.

        Returns:
            One row a concept, in the order of the levels and by falling weight, with the five factors of Sem.
        """
        by = scheme or topic_graph.default_scheme(self._topic)
        with graph_store.store(self._topic.workspace) as graph:
            levels = topic_graph.TopicGraph(self._topic, graph, _ignore).weighted_terms(by)
        rows = tuple(tuple(getattr(term, c) for c in _WEIGHT) for terms in levels for term in terms)
        return Table(_WEIGHT, rows, f"Weights of {self.name} by {by}")

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Return the hierarchy of the global ontology as a networkx graph.

        Returns:
            Nodes are labels of concepts (attributes ``iri``, ``label_en``). An edge of kind ``subclass_of`` leads from
            the narrower to the broader concept; each edge has its ``kind`` and what speaks for it (``evidence``).

        Raises:
            MissingExtra: networkx is not installed.
        """
        made = require("networkx", "frames", "an ontology as a graph of networkx").MultiDiGraph(name=self.name)
        ontology = self.ontologies[0]
        for concept in ontology.concepts:
            made.add_node(concept.label, iri=concept.iri, label_en=concept.label_en)
        for relation in ontology.relations:
            source, target = ontology.by_iri[relation.source], ontology.by_iri[relation.target]
            made.add_edge(source.label, target.label, kind=relation.kind, evidence=relation.evidence)
        return made


@dataclass(frozen=True)
class Learned:
    """What `learn` found, and the files that it wrote."""

    topic: Topic
    """Steers a crawl by what was learned: `crawl(learned.topic)`."""
    terms: tuple[Term, ...]
    """The terms, by falling score."""
    ontologies: tuple[Ontology, ...]
    """The global ontology, then the local ones."""
    summary: Mapping[str, Any]
    """Figures: documents, terms, formal concepts, classes, edges."""
    files: tuple[Path, ...]
    """What was written; the topic file first."""

    def to_frame(self) -> Any:
        """The terms as a DataFrame of pandas, else of polars."""
        columns = tuple(f.name for f in fields(Term))
        return Table(columns, tuple(tuple(getattr(t, c) for c in columns) for t in self.terms)).to_frame()


def learn(
    corpus: Folder | Sequence[Folder],
    topic: str = "rainstorm",
    *,
    out: Folder,
    label: Mapping[str, str] | None = None,
    options: LearnOptions | None = None,
    workspace: Folder | None = None,
    on_stage: OnStage = _ignore,
) -> Learned:
    """Learn the ontologies of a topic from papers' titles, abstracts and keywords (`ontology build`).

    Args:
        corpus: files or folders of literature exports; the format is found from the content (docs/corpus.md).
        topic: a topic's name or file. A new field needs ``label``.
        out: folder for the ontologies (Turtle, RDF/XML), the lattices and the topic file.
        label: ``{"zh": .., "en": ..}`` of a new topic; its words are taken from the corpus.
        options: how to learn.
        workspace: folder of the workspace, as for `Topic`.
        on_stage: called with a line for the reader before each stage.

    Returns:
        What was learned, with the topic to crawl by.

    Raises:
        UsageError: an unknown topic without a label, or a folder of another topic.
        CorpusError: files that cannot be read. LearnError, TermError: records from which nothing can be learned.
    """
    paths = [Path(p) for p in ([corpus] if isinstance(corpus, str | Path) else corpus)]
    named = None if label is None else ",".join(f"{language}={text}" for language, text in label.items())
    asked = BuildOptions(paths, Path(out), topic, named, learning=options or LearnOptions())
    space = _workspace(workspace)
    built = building.build(space, asked, on_stage)
    learned = built.learned.learned
    written = (built.written.topic, *(p for p in built.written.files if p != built.written.topic))
    return Learned(
        topic=Topic(built.written.topic, space.root),
        terms=learned.terms,
        ontologies=(learned.global_ontology, *learned.local_ontologies),
        summary=learning.summary(built.learned),
        files=tuple(written),
    )


# ---- crawling ---------------------------------------------------------------------------------------------------


class Run:
    """A crawl of a workspace, finished or not.

    Args:
        name: the run's name.
        workspace: folder of the workspace, as for `Topic`.

    Raises:
        UsageError: the workspace has no such run.
    """

    def __init__(self, name: str, workspace: Folder | None = None) -> None:
        self._space = _workspace(workspace)
        self.name = name
        self.result: RunResult = runs.result_of(self._space, name)
        """Its figures: accuracy, AR, SD, recall, milestones, why it stopped."""

    def __repr__(self) -> str:
        end = self.result.end
        return f"<Run {self.name}: {end.fetched} pages, {end.relevant} relevant, {self.result.strategy}>"

    @property
    def workspace(self) -> Path:
        """The folder of its workspace."""
        return self._space.root

    def pages(self) -> Table:
        """The fetched pages in the order of fetching: step, URL, title, relevance, the judge's decision, label."""
        columns = ("step", "url", "title", "relevance", "relevant", "label", "published")
        with closing(Journal(self._space.existing_run(self.name) / runs.JOURNAL)) as journal:
            labels = journal.get("labels")
            outcomes = graph_rows.outcomes(journal, labels=None if labels is None else frozenset(labels))
            rows = tuple(tuple(getattr(o, c) for c in columns) for o in outcomes if o.failure is None)
        return Table(columns, rows, f"Pages of {self.name}")

    def texts(self) -> list[PageText]:
        """The main text of each fetched page, in the order of fetching."""
        with closing(Journal(self._space.existing_run(self.name) / runs.JOURNAL)) as journal:
            return list(graph_rows.pages(journal))

    def to_frame(self) -> Any:
        """`pages` as a DataFrame of pandas, else of polars."""
        return self.pages().to_frame()


def crawl(
    topic: Topic | Folder,
    *,
    seeds: Sequence[str] = (),
    world: str = "live",
    strategy: str | None = None,
    pages: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    guide: str | None = None,
    weights: Scheme | None = None,
    target: str | None = None,
    labels: str | None = None,
    run: str | None = None,
    graph: bool = True,
    workspace: Folder | None = None,
    on_step: Callable[[Step], None] = _ignore,
    on_note: OnStage = _ignore,
) -> Run:
    """Crawl for pages on a topic, and write what was found into the workspace's graph (`crawl run`).

    Args:
        topic: a topic, its name, or the path of its file.
        seeds: URLs to begin at, or names of pages of a corpus; by default those of the world, else the topic's.
        world: ``"live"`` (the web), ``"synthetic:PRESET?pages=N&seed=S"``, or ``"corpus:DIR"``.
        strategy: a name of `ontocrawl crawl strategies`, ``"FILE.py:CLASS"``, or ``"MODULE:CLASS"``.
        pages: stop after so many pages; 0 for no limit.
        seconds: stop after so many seconds; 0 for no limit.
        seed: of the random generator.
        parameters: of the strategy, by name.
        guide: the relevance function that the strategy computes with; ``"published"`` is that of its paper.
        weights: the weights of the ontologies' words, as for `Topic.weights`.
        target: look-ahead at a link's target: ``"predict"``, ``"cached"`` or ``"oracle"``.
        labels: ``FILE#SET``, the pages that are relevant in truth; metrics alone see them.
        run: a name for the run; by default the day and the strategy.
        graph: whether to write the run into the graph.
        workspace: folder of the workspace, by default that of the topic.
        on_step: called after each fetch. on_note: called with what a reader should know.

    Returns:
        The run, when it has stopped.

    Raises:
        UsageError: an option that does not fit, no seeds, or a run's name that is taken.
        UnknownStrategyError, RelevanceError: an unknown strategy or guide.
    """
    space = _workspace(workspace)
    if isinstance(topic, Topic):
        loaded = topic._topic
        space = loaded.workspace if workspace is None else space
    else:
        loaded = topics.load(str(topic), space)
    settings = {
        "seed": seed, "target": target, "guide": guide, "weights": weights, "limit_pages": pages, "limit_time": seconds,
    }  # fmt: skip
    options = CrawlOptions(
        strategy=strategy, world=world, labels=labels, run=run, graph=graph, parameters=parameters or {},
        settings=settings,
    )  # fmt: skip
    config = plan.plan(space, loaded, options, on_note)
    result = crawling.start(space, loaded, config, seeds, on_step)
    runs.require_pages(space, result)
    if graph:
        with graph_store.store(space) as store:
            runs.project(space, result.run, store)
    return Run(result.run, space.root)


# ---- the graph --------------------------------------------------------------------------------------------------


class Graph:
    """The property graph of a workspace: its embedded engine, or the Neo4j server that its settings name.

    Use it as a context manager, or call `close`.

    Args:
        workspace: folder of the workspace; by default the nearest one above the current folder.

    Raises:
        UsageError: there is no workspace, and no server is named either.
    """

    def __init__(self, workspace: Folder | None = None) -> None:
        self._space = workspaces.asked(None if workspace is None else Path(workspace))
        self._open = ExitStack()
        self.store: GraphStore = self._open.enter_context(graph_store.store(self._space))
        """What the package `kg` works on."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection. The embedded engine goes on for a while, ready for the next one."""
        self._open.close()

    def stop(self) -> None:
        """End the connection and the workspace's embedded engine."""
        self.close()
        embedded.stop(self._space.graph)

    def ask(self, name: str, /, **parameters: Any) -> Table:
        """Run a query of the library (`query run`; docs/queries.md).

        Args:
            name: of the query, such as ``"pages/most_relevant"``.
            **parameters: its parameters.

        Returns:
            Its rows.

        Raises:
            QueryError: an unknown query, or parameters that do not fit.
        """
        return graph_store.ask(self.store, name, **parameters)

    def cypher(self, statement: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> Table:
        """Run a Cypher statement; it may change the graph with ``write`` only.

        Raises:
            UsageError: it would write without leave, or its parameters are not those given.
            StoreError: the graph refuses it.
        """
        return graph_store.cypher(self.store, statement, parameters, write=write)

    def load(self, topic: Topic) -> None:
        """Write a topic's ontologies into the graph, with the papers and lattices of learned ones (`graph load`)."""
        topic_graph.TopicGraph(topic._topic, self.store, _ignore).load()

    def add(self, run: Run) -> None:
        """Write a run into the graph and rank its pages; doing it again changes nothing."""
        runs.project(self._space, run.name, self.store)

    def to_networkx(self, run: Run | str) -> networkx.DiGraph:
        """Return the fetched pages of a run with the links between them as a networkx graph.

        Returns:
            Nodes are URLs (attributes ``title``, ``relevance``, ``relevant``, ``pagerank``), edges are hyperlinks.

        Raises:
            MissingExtra: networkx is not installed.
        """
        made = require("networkx", "frames", "a crawl as a graph of networkx").DiGraph()
        name = run if isinstance(run, str) else run.name
        pages = self.cypher(_FETCHED, {"run": name})
        for url, *values in pages.rows:
            made.add_node(url, **dict(zip(pages.columns[1:], values, strict=True)))
        made.add_edges_from(self.cypher(_LINKS, {"run": name}).rows)
        return made


_FETCHED = (
    "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.failure IS NULL RETURN p.url AS url, f.title AS title, "
    "f.relevance AS relevance, f.relevant AS relevant, f.pagerank AS pagerank ORDER BY url"
)
_LINKS = (
    "MATCH (c:Crawl {id: $run})-[f:FETCHED]->(p:Page)-[:LINKS_TO]->(q:Page)<-[g:FETCHED]-(c) "
    "WHERE f.failure IS NULL AND g.failure IS NULL RETURN p.url AS source, q.url AS target ORDER BY source, target"
)


def ask(name: str, /, *, workspace: Folder | None = None, **parameters: Any) -> Table:
    """Run one query of the library on a workspace's graph; `Graph.ask` asks several on one connection.

    Args:
        name: of the query, such as ``"pages/most_relevant"``.
        workspace: folder of the workspace, as for `Graph`.
        **parameters: of the query.

    Returns:
        Its rows.

    Raises:
        UsageError: there is no workspace. QueryError: an unknown query, or parameters that do not fit.
    """
    with Graph(workspace) as graph:
        return graph.ask(name, **parameters)


def propose(run: Run | str, *, limit: int = 30, workspace: Folder | None = None) -> Table:
    """Propose terms that relevant pages of a run use and the topic's ontologies lack (`enrich propose`).

    Args:
        run: a run, or its name.
        limit: at most so many, the best first.
        workspace: folder of the workspace, by default that of the run.

    Returns:
        One row a term, with score, number of pages, the concept that it is suggested under, a page and a sentence.
        The proposals are in the graph, too.

    Raises:
        UsageError: no such run, or its topic has no ontology.
    """
    space = run._space if isinstance(run, Run) and workspace is None else _workspace(workspace)
    with graph_store.store(space) as graph:
        found = enrichment.propose(space, run if isinstance(run, str) else run.name, graph, limit=limit)
    columns = ("term", "score", "pages", "under_label", "sentence", "page", "kind", "under", "status", "id")
    return Table(columns, tuple(tuple(getattr(s, c) for c in columns) for s in found), "Proposed terms")
