"""The topic vectors of a lab's cells: of a topic's own ontologies, of others in their place, or of none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ontocrawl.base.config import CrawlSettings, checked
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph.graph_store import store
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.lab_ontologies import CURATED, NONE
from ontocrawl.topics import topic_graph, topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import building
from ontology import files, owl

_OF_THE_TOPIC = ("name", "label", "relevance", "sigma", "strict", "seeds", "words", "intent", "scope")
"""What a topic keeps when ontologies of another one steer its crawls: what its pages are judged by."""


@dataclass
class Steering:
    """Topic vectors by topic, ontology and weights; each is computed once."""

    lab: Lab
    space: Workspace
    """Workspace in whose graph the weights are computed."""
    on_note: Callable[[str], None] = lambda line: None
    _topics: dict[tuple[str, str], Topic] = field(default_factory=dict)
    _vectors: dict[tuple[str, str, str | None], TopicVectors] = field(default_factory=dict)

    def words(self, topic: str) -> TopicVectors:
        """Return the vectors of a topic without an ontology."""
        return self.vectors(topic, NONE, None)

    def vectors(self, topic: str, ontology: str, weights: str | None) -> TopicVectors:
        """Return the vectors of a topic.

        Args:
            topic: name or path of the topic.
            ontology: `CURATED`, `NONE` or a name of the lab's ontologies.
            weights: kind of weights, as the crawl setting; None for the topic's default.

        Raises:
            UsageError: there is no such topic, or it lacks what its weights need.
        """
        key = topic, ontology, weights
        if key not in self._vectors:
            steering = self.topic(topic, ontology)
            scheme = checked(CrawlSettings, {"weights": weights}, "the axis weights").weights
            if not steering.levels:
                self._vectors[key] = topic_graph.words_only(steering, scheme)
            else:
                with store(self.space) as graph:
                    self._vectors[key] = TopicGraph(steering, graph, self.on_note).vectors(scheme)
        return self._vectors[key]

    def topic(self, name: str, ontology: str) -> Topic:
        """Return a topic with the ontologies that steer its crawls."""
        key = name, ontology
        if key not in self._topics:
            self._topics[key] = self._topic(name, ontology)
        return self._topics[key]

    def _topic(self, name: str, ontology: str) -> Topic:
        own = topics.load(name, self.space)
        if ontology == CURATED:
            return own
        if ontology == NONE:
            return Topic(own.file.model_copy(update={"ontologies": (), "versions": {}}), self.space, own.path)
        given = self.lab.ontologies[ontology]
        if given.file is not None:
            steered = {"ontologies": (str(self._converted(ontology, Path(given.file))),), "versions": {}, "local": ()}
            return Topic(own.file.model_copy(update=steered), self.space, own.path)
        other = topics.load(given.topic or self._learned(name, str(given.abstracts)), self.space)
        kept = {field_: getattr(own.file, field_) for field_ in _OF_THE_TOPIC}
        return Topic(other.file.model_copy(update=kept), self.space, other.path)

    def _converted(self, name: str, source: Path) -> Path:
        """Return an ontology as a file of ours, which is written once."""
        folder = (self.space.root / "converted").resolve()  # a relative path in a topic is one of the workspace
        path = folder / f"{name}-{files.digest(source)[:16]}.ttl"
        if not path.exists():
            loaded = owl.load(source)
            self.on_note(f"{source.name}: {len(loaded.ontology.concepts)} classes")
            folder.mkdir(exist_ok=True)
            files.write_atomically(path, owl.text(loaded.ontology, "turtle", loaded.header).encode())
        return path

    def _learned(self, topic: str, abstracts: str) -> str:
        """Return the topic file of the ontologies that are learned from abstracts; they are learned once."""
        corpus = Path(abstracts)
        folder = self.space.root / "learned" / f"{Path(topic).stem}-{files.digest(corpus)[:16]}"
        done = folder / "topic.txt"
        if not done.exists():
            self.on_note(f"learning an ontology from {corpus.name}")
            built = building.build(self.space, building.BuildOptions([corpus], folder, topic=topic), self.on_note)
            files.write_atomically(done, str(built.written.topic).encode())
        return done.read_text(encoding="utf-8")
