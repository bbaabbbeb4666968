"""Topics, and learning their ontologies from papers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.scoring.relevance import relevance as relevance_of
from kg.key_weights import SCHEMES, Scheme
from ontocrawl.api import arguments
from ontocrawl.api.arguments import Folder, OnStage, ignore, workspace_of
from ontocrawl.base.config import checked
from ontocrawl.base.options import BuildSettings, CrawlSettings
from ontocrawl.enrichment import gaps
from ontocrawl.enrichment.gaps import Gaps
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontocrawl.runs import page_scoring, topic_card
from ontocrawl.runs.page_scoring import ScoredPage
from ontocrawl.runs.topic_card import TopicCard
from ontocrawl.topics import class_topics, topic_graph, topics
from ontocrawl.topics.class_topics import ClassTopic
from ontocrawl.versions import building, learning
from ontocrawl.versions.building import BuildOptions
from ontology.extras import require
from ontology.learn_options import LearnOptions
from ontology.model import Ontology, Term

if TYPE_CHECKING:
    import networkx

_WEIGHT = (
    "word", "weight", "distance", "density", "depth", "coincidence", "relation", "key", "documents", "background",
    "path", "iri", "series", "version", "sem",
)  # fmt: skip


class Topic:
    """A topic: weighted words to judge pages by, and the ontologies that steer a crawl.

    Args:
        name: name of a topic, such as ``"rainstorm"``, or the path of a topic file, such as one written by `learn`.
        workspace: folder of the workspace; by default the nearest one at or above the current folder, else
            ``./ontocrawl-data``.

    Raises:
        UsageError: there is no such topic, or its file has an error.
    """

    def __init__(self, name: Folder, workspace: Folder | None = None) -> None:
        arguments.require("name", name, (str, Path), "a topic's name, or the path of its file")
        self._topic = topics.load(str(name), workspace_of(workspace))

    def __repr__(self) -> str:
        number = len(self.ontologies)
        ontologies = f"{number} {'ontology' if number == 1 else 'ontologies'}"
        return f"<Topic {self.name}: {self.label['zh']} / {self.label['en']}, {ontologies}>"

    @property
    def name(self) -> str:
        """Name of the topic, as used in IRIs."""
        return self._topic.name

    @property
    def path(self) -> Path | None:
        """Path of the topic file; None for a topic that was loaded by name."""
        return self._topic.path

    @property
    def label(self) -> dict[str, str]:
        """Labels by language, ``zh`` and ``en``."""
        return {"zh": self._topic.file.label.zh, "en": self._topic.file.label.en}

    @property
    def words(self) -> dict[str, float]:
        """Words of the topic file with their weights (vocabulary TK)."""
        return {word.label: word.weight for word in self._topic.vocabulary.words}

    @property
    def ontologies(self) -> tuple[Ontology, ...]:
        """The global ontology, then one per local topic; ontologies of one level are joined by mappings."""
        return self._topic.ontologies

    def score(
        self,
        page: str | bytes | Path,
        *,
        relevance: str | None = None,
        judge: str | None = None,
        threshold: float | None = None,
    ) -> ScoredPage:
        """Score a page by the judge of a crawl on the topic, and show its parts (`crawl score FILE`).

        >>> topic = Topic("rainstorm")
        >>> page = topic.score("<title>暴雨预警</title><p>暴雨引发洪涝灾害</p>")
        >>> round(page.R, 2), page.relevant, [(word.word, word.count) for word in page.parts.words]
        (0.94, True, [('暴雨', 2), ('灾害', 1)])

        Args:
            page: HTML as text or as bytes, or the path of a file. The encoding of bytes is detected.
            relevance: deprecated until 2.0: use ``judge``.
            judge: another judge, as of `crawl`; by default that of the workspace's settings.
            threshold: another threshold, in [0, 1]; by default that of the settings, the topic or the judge.

        Returns:
            The page with R, the judge's decision and the part of each word. Document frequencies, where the function
            uses them, are those of this page alone.

        Raises:
            RelevanceError: an unknown function of ``relevance``.
            UsageError: an unknown judge, or a file that cannot be read.
            CommandError: a page without text, or bytes that are no text.
        """
        arguments.require("page", page, (str, bytes, Path), "HTML as text or bytes, or the Path of a file")
        arguments.require_text(relevance=relevance, judge=judge)
        if relevance is not None:
            warnings.warn("relevance is deprecated, and goes in 2.0: use judge", DeprecationWarning, stacklevel=2)
            judge = judge or relevance_of(relevance).name
        settings = {key: value for key, value in (("judge", judge), ("threshold", threshold)) if value is not None}
        checked(CrawlSettings, settings, "score", strict=True)
        chosen = page_scoring.judge_of(self._topic, judge, threshold)
        if isinstance(page, Path):
            return page_scoring.score_file(self._topic, page, judge=chosen)
        body, kind = (page, "") if isinstance(page, bytes) else (page.encode(), "text/html; charset=utf-8")
        return page_scoring.score_body(self._topic, body, source="page", content_type=kind, judge=chosen)

    def check(self, pages: str | Path | Sequence[str | Path] = ()) -> TopicCard:
        """Show what the topic is made of and what its judge finds, with warnings (`topic check`).

        >>> card = Topic("rainstorm").check()
        >>> card.words[0].word, card.records, [(one.name, one.relevant) for one in card.groups][:1]
        ('暴雨', 0, [('general language', 0.0)])

        Args:
            pages: files and URLs of pages to judge; URLs are fetched as in a crawl.

        Returns:
            The card: the first words, the shares that the judge calls relevant, the records that it finds best and
            those that it rejects first, the pages, and warnings.

        Raises:
            UsageError: a file that cannot be read, or a malformed URL.
        """
        given = arguments.require_texts("pages", pages, "a file or URL, or a list of them") if pages else ()
        return topic_card.check(self._topic, [str(page) for page in given])

    def weights(self, scheme: Scheme | None = None) -> Table:
        """Compute the weights of the ontologies' concepts by queries on the workspace's graph.

        Args:
            scheme: ``"sem"`` (similarity to the root; paper 000, Eqs. 1 to 3), ``"key"`` (keyness of a concept in the
                papers that the ontology was learned from), or ``"sem_key"`` (their product). The default is that of a
                crawl: key for a learned ontology, else sem.

        Returns:
            One row per concept with the five factors of Sem, by level, then by descending weight.

        Raises:
            UsageError: an unknown scheme, or weights by key of a topic without papers.
        """
        arguments.require_text(scheme=scheme)
        if scheme is not None and scheme not in SCHEMES:
            raise UsageError("api.no_weights_choose", scheme=scheme, schemes=", ".join(SCHEMES))
        used = scheme or self._topic.scheme
        with graph_store.store(self._topic.workspace) as graph:
            levels = topic_graph.TopicGraph(self._topic, graph, ignore).weighted_terms(used)
        records = (asdict(term) | asdict(term.factors) for terms in levels for term in terms)
        rows = tuple(tuple(record[c] for c in _WEIGHT) for record in records)
        return Table(_WEIGHT, rows, f"Weights of {self.name} by {used}")

    def of_class(
        self, *classes: str, cover: int | str | None = None, words: Mapping[str, float] | None = None
    ) -> list[ClassTopic]:
        """Return classes as topics of crawls, by the papers that have them (`crawl run --class`).

        Args:
            *classes: labels, other names or IRIs of classes, or words of the papers.
            cover: also the classes so many levels below the root, or the ``"local"`` ontologies.
            words: words of yours for all of them, with weights above 0 to 1.

        Returns:
            Each with its words and weights, the numbers of papers, and a remark where it may not be crawled for well.

        Raises:
            UsageError: a name that is neither a class nor a word of the papers, or a topic without an ontology.
        """
        arguments.require_texts("classes", list(classes), "labels or IRIs of classes")
        arguments.require_mapping(words=words)
        with graph_store.store(self._topic.workspace) as graph:
            in_graph = topic_graph.TopicGraph(self._topic, graph, ignore)
            terms = in_graph.vectors().terms
            return class_topics.of_classes(in_graph, terms, classes, "" if cover is None else str(cover), words)

    def gaps(self, *, limit: int = 20) -> Gaps:
        """Find what the ontologies lack by all crawls of the topic in the graph (`enrich gaps`).

        Args:
            limit: maximum number of rows of each list; the totals count all.

        Returns:
            Classes without pages, each with the command that crawls for it; pages that no class explains, new terms,
            and branches that grow.

        Raises:
            UsageError: the topic has no ontology, or the graph has no crawl of it.
        """
        arguments.require_number(1, limit=limit)
        with graph_store.store(self._topic.workspace) as graph:
            return gaps.find(self._topic.workspace, graph, self._topic, limit=limit, on_stage=ignore)

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Convert the global ontology to a networkx graph.

        Returns:
            Nodes are labels of concepts (attributes ``iri``, ``label_en``). An edge of kind ``subclass_of`` points from
            the narrower to the broader concept; each edge has the attributes ``kind`` and ``evidence``.

        Raises:
            MissingExtra: networkx is not installed.
            UsageError: the topic names no ontology.
        """
        if not self.ontologies:
            raise UsageError("api.topic_names_no_ontology", name=self.name)
        graph = require("networkx", "frames", "an ontology as a graph of networkx").MultiDiGraph(name=self.name)
        ontology = self.ontologies[0]
        for concept in ontology.concepts:
            graph.add_node(concept.label, iri=concept.iri, label_en=concept.label_en)
        for relation in ontology.relations:
            source, target = ontology.by_iri[relation.source], ontology.by_iri[relation.target]
            graph.add_edge(source.label, target.label, kind=relation.kind, evidence=relation.evidence)
        return graph


@dataclass(frozen=True)
class Learned:
    """The result of `learn`, with the files that it wrote.

    Attributes:
        topic: the topic with the learned ontologies, for ``crawl(learned.topic)``.
        terms: the terms, by descending score.
        ontologies: the global ontology, then the local ones.
        summary: counts: documents, terms, formal concepts, classes, edges.
        files: the files written; the topic file first.
    """

    topic: Topic
    terms: tuple[Term, ...]
    ontologies: tuple[Ontology, ...]
    summary: Mapping[str, Any]
    files: tuple[Path, ...]

    def to_frame(self) -> Any:
        """Return the terms as a pandas DataFrame, or a polars one where pandas is not installed."""
        columns = tuple(f.name for f in fields(Term))
        return Table(columns, tuple(tuple(getattr(t, c) for c in columns) for t in self.terms)).to_frame()


def learn(
    corpus: Folder | Sequence[Folder],
    topic: Folder = "rainstorm",
    *,
    out: Folder,
    options: LearnOptions | None = None,
    workspace: Folder | None = None,
    on_stage: OnStage = ignore,
    **settings: Any,
) -> Learned:
    """Learn the ontologies of a topic from titles, abstracts and keywords of papers (`ontology build`).

    Args:
        corpus: files or folders of literature exports; the format is detected from the content (docs/learn.md).
        topic: name or file of a topic. A new topic needs ``label``.
        out: folder for the ontologies (Turtle, RDF/XML), the lattices and the topic file.
        options: options of the learning method, for what the arguments below do not give.
        workspace: folder of the workspace, as for `Topic`.
        on_stage: called with a description of each stage when it begins.
        **settings: options of `ontology build`; ``label`` is ``{"zh": .., "en": ..}``, where a missing language has the
            label of the other, and ``words`` has for each word a weight above 0 to 1. Those of the command are:

    Returns:
        The learned terms and ontologies, and the topic to crawl with.

    Raises:
        WrongTypeError: an argument of another type.
        UsageError: an unknown topic without a label, or an ``out`` folder that belongs to another topic.
        CorpusError, WordnetError: files that cannot be read.
        LearnError, TermError: records from which nothing can be learned.
    """
    paths = [Path(p) for p in arguments.require_texts("corpus", corpus, "a path, or a list of paths")]
    arguments.require("topic", topic, (str, Path), "a topic's name, or the path of its file")
    arguments.require("out", out, (str, Path), "the path of a folder")
    label, words = settings.get("label"), settings.get("words")
    arguments.require_mapping(label=label, words=words)
    for language, text in (label or {}).items():
        arguments.require(f"label[{language!r}]", text, str, "text")
    arguments.require_text(field=settings.get("field"))
    arguments.require_path(wordnet=settings.get("wordnet"))
    arguments.require("options", options, (LearnOptions, type(None)), "an ontocrawl.LearnOptions")
    arguments.require_callbacks(on_stage=on_stage)
    for word, weight in (words or {}).items():
        arguments.require(f"words[{word!r}]", weight, (int, float), "a weight above 0 to 1")
        if not 0 < weight <= 1:
            raise UsageError("api.words_expected_weight_above", word=word, weight=weight)
    given = {name: value for name, value in settings.items() if value is not None} | {"topic": str(topic)}
    for name in {"skeleton", "lexicons"} & given.keys():
        given[name] = arguments.require_texts(name, given[name], "a path, or a list of paths")
    asked = BuildOptions(paths, Path(out), checked(BuildSettings, given, "learn"), options or LearnOptions())
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


arguments.documented(learn, BuildSettings)
