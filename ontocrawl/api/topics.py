"""Topics, and learning them from papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.key_weights import Scheme
from ontocrawl import building, graph_store, learning, topic_graph, topics
from ontocrawl.api.workspaces import Folder, OnStage, ignore, workspace_of
from ontocrawl.building import BuildOptions
from ontocrawl.tables import Table
from ontology.extras import require
from ontology.learn_options import LearnOptions
from ontology.model import Ontology, Term

if TYPE_CHECKING:
    import networkx

_WEIGHT = (
    "word", "weight", "distance", "density", "depth", "coincidence", "relation", "key", "documents", "background",
    "path", "iri", "ontology",
)  # fmt: skip


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
        self._topic = topics.load(str(name), workspace_of(workspace))

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
            levels = topic_graph.TopicGraph(self._topic, graph, ignore).weighted_terms(by)
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
    on_stage: OnStage = ignore,
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
    space = workspace_of(workspace)
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
