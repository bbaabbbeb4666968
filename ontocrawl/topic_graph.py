"""A topic in the graph: its ontologies, the papers and lattices behind them, and the topic vectors that it gives.

The vectors of a crawl are TK, the topic's own words, and GTK, LTK_1 .. LTK_k, derived by query from its ontologies in
the graph. Where weights by key leave classes out of GTK, the vocabulary CLASSES still has all of them: no strategy
reads it, its words are only counted, so that the graph knows which page mentions which class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawler.text import Vocabulary
from kg import key_weights, load, papers, weights
from kg.key_weights import Scheme
from kg.load import LoadReport
from kg.papers import FormalConceptRow
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl import papers as paper_files
from ontocrawl.errors import UsageError
from ontocrawl.run_config import OntologyWord
from ontocrawl.topics import Level, Topic
from ontology import formats
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.lattice import Lattice
from ontology.model import Ontology

CLASSES = "CLASSES"
"""Vocabulary of all classes of the global ontology, where GTK lacks some."""

OnStage = Callable[[str], None]
"""Receives a line for the reader before long work."""


@dataclass(frozen=True)
class TopicVectors:
    """The topic vectors of a crawl, and what they were derived from."""

    topic: Topic
    vocabularies: Mapping[str, Vocabulary]
    terms: Mapping[str, Sequence[WeightedTerm]]
    """Vector from an ontology -> its weighted terms, those with weight 0 included."""
    scheme: Scheme

    def provenance(self) -> dict[str, Any]:
        """Vector -> its ontology with IRI, version and key, and the ontologies that were joined, as JSON values."""
        return {name: _provenance(level) for name, level in zip(self.terms, self.topic.levels, strict=True)}


def _provenance(level: Level) -> dict[str, Any]:
    def named(ontology: Ontology) -> dict[str, str]:
        return {"iri": ontology.iri, "version": ontology.version, "key": ontology.key}

    parts = [source.ontology for source in level.sources]
    return named(level.ontology) | ({"joined": [named(part) for part in parts]} if len(parts) > 1 else {})


@dataclass(frozen=True)
class LoadedTopic:
    """What of a topic is in the graph."""

    reports: Sequence[LoadReport]
    papers: int
    lattices: Mapping[str, int]
    """Name of a lattice -> number of its formal concepts."""


@dataclass(frozen=True)
class TopicGraph:
    """A topic in an open graph: loads what is behind the topic, and derives its weights and vectors by query."""

    topic: Topic
    graph: GraphStore
    on_stage: OnStage = lambda line: None
    """Called before papers are written, and with what a reader should know of the weights."""

    # ---- loading ----------------------------------------------------------------------------------------------------

    def load(self) -> LoadedTopic:
        """Write the topic's ontologies, in place of what their keys named before, with papers and lattices."""
        reports = [load.load_ontology(self.graph, ontology) for ontology in self.topic.ontologies]
        return LoadedTopic(reports, self.load_papers(), self.load_lattices())

    def load_ontologies(self) -> None:
        """Write the topic's ontologies where the graph lacks them."""
        for ontology in self.topic.ontologies:
            if not load.is_loaded(self.graph, ontology):
                load.load_ontology(self.graph, ontology)

    def load_papers(self) -> int:
        """Write the papers behind the ontologies where the graph lacks them; return their number."""
        behind = [level.papers for level in self.topic.levels if level.papers is not None]
        for known in behind:
            paper_files.load(self.graph, known, self.on_stage)
        return sum(len(known.documents) for known in behind)

    def load_lattices(self) -> dict[str, int]:
        """Write the lattices of learned ontologies: that of the papers, and that of what the ontology claims.

        The ontologies are loaded before, with their papers.

        Returns:
            Name of each lattice -> number of its formal concepts.
        """
        sizes = {}
        for level in self.topic.levels:
            ontology = level.ontology
            for source in level.sources:
                if source.folder is not None:
                    documents = context_lattice(formats.read(source.folder / "context.cxt"))
                    name, rows = source.ontology.key, _document_rows(documents)
                    sizes[name] = _write_lattice(self.graph, name, rows, documents, "documents", ontology.key)
            if ontology.is_derived and len(ontology.concepts) > 1:
                claims = context_lattice(claims_context(ontology))
                name, rows = f"{ontology.key}/claims", _claim_rows(claims, ontology)
                sizes[name] = _write_lattice(self.graph, name, rows, claims, "claims", ontology.key)
        return sizes

    # ---- weights and vectors ----------------------------------------------------------------------------------------

    def weighted_terms(self, scheme: Scheme = "sem") -> list[list[WeightedTerm]]:
        """Derive the weights of the ontologies from the graph by query, and keep them there with their factors.

        The ontologies are loaded where the graph lacks them, and so are their papers where the scheme counts them.

        Args:
            scheme: what the weights are: "sem", "key" or "sem_key" (kg.key_weights).

        Returns:
            The weighted terms of each level, the global one first. A local level of which no class is particular to
            the papers has the weights Sem.

        Raises:
            UsageError: a scheme with key, and the topic has no ontology that was learned from papers.
        """
        of_level = self._derived(scheme)
        self._save(of_level)
        return of_level

    def vectors(self, scheme: Scheme | None = None) -> TopicVectors:
        """Derive the topic vectors of a crawl: TK, and GTK, LTK_1 .. LTK_k from the ontologies in the graph.

        Args:
            scheme: the weights of the ontologies' vectors; words of weight 0 are no words of a vector. None: "key"
                where the topic has an ontology that was learned from papers, else "sem".

        Returns:
            The vectors with what they were derived from. CLASSES is among the vocabularies where GTK lacks a class.

        Raises:
            UsageError: as `weighted_terms`, or no class of an ontology has a weight.
        """
        used = scheme or default_scheme(self.topic)
        of_level = self._derived(used)
        if scheme is None:
            for lost in self.topic.missing_papers():
                self.on_stage(f"{lost}: its classes are weighed by Sem")
            if of_level and not any(term.weight > 0 for term in of_level[0]):
                self.on_stage("no class is more frequent in the papers than in the background: weights are Sem")
                used = "sem"
                of_level = [key_weights.by_scheme(terms, "sem") for terms in of_level]
        self._save(of_level)
        vocabularies = {"TK": self.topic.file.vocabulary()}
        terms_of = {f"LTK_{number}" if number else "GTK": terms for number, terms in enumerate(of_level)}
        for name, terms in terms_of.items():
            vocabularies[name] = self._vocabulary(name, [term for term in terms if term.weight > 0])
        if of_level and len(vocabularies["GTK"]) < len(of_level[0]):
            vocabularies[CLASSES] = self._vocabulary(CLASSES, of_level[0])
        return TopicVectors(self.topic, vocabularies, terms_of, used)

    def _derived(self, scheme: Scheme) -> list[list[WeightedTerm]]:
        self.load_ontologies()
        if scheme != "sem":
            self.load_papers()
        of_level = []
        for level in self.topic.levels:
            terms = weights.topic_weights(self.graph, level.ontology.key)
            if scheme != "sem":
                terms = self._keyed(level, terms, scheme)
            if len(level.sources) > 1:
                terms = [replace(term, sources=level.joined.sources[term.iri]) for term in terms]
            of_level.append(terms)
        return of_level

    def _save(self, of_level: Sequence[Sequence[WeightedTerm]]) -> None:
        for terms in of_level:
            weights.save_weights(self.graph, self.topic.name, terms)

    def _keyed(self, level: Level, terms: Sequence[WeightedTerm], scheme: Scheme) -> list[WeightedTerm]:
        """Weights by key of one level. A class that no learned ontology has was not counted, and keeps Sem."""
        whole = self.topic.levels[0]
        try:
            keyed = key_weights.with_keys(self.graph, terms, [whole.ontology.key], self.topic.background)
        except key_weights.NoPapersError as error:
            lost = "; ".join(self.topic.missing_papers())
            raise UsageError(
                f"--weights {scheme} counts papers, and "
                + (lost or f"topic {self.topic.name} has no ontology that was learned from papers")
                + ": learn one (ontocrawl ontology build --corpus FILES --out DIR) and give --topic DIR/TOPIC.toml, "
                "or take --weights sem"
            ) from error
        if not any(term.weight > 0 for term in keyed) and level is not whole:
            return key_weights.by_scheme(keyed, "sem")
        learned = {source.ontology.key for source in level.sources if source.ontology.is_derived}
        counted = [
            term if learned & set(level.joined.sources[term.iri]) else replace(term, weight=term.sem or 0.0, key=None)
            for term in keyed
        ]
        return key_weights.by_scheme(counted, scheme)

    def _vocabulary(self, name: str, terms: Sequence[WeightedTerm]) -> Vocabulary:
        if not terms:
            raise UsageError(
                f"topic {self.topic.name}: no class of the ontology of {name} is more frequent in its papers than in "
                "the background, so --weights key leaves nothing: take --weights sem, or another background"
            )
        return Vocabulary(name, tuple(OntologyWord(t.word, t.weight, t.forms, t.iri, t.sources) for t in terms))


def default_scheme(topic: Topic) -> Scheme:
    """Return the weights where none are asked for: key, where a global ontology has the papers behind it, else sem."""
    return "key" if any(level.papers is not None for level in topic.levels[:1]) else "sem"


# ---- lattices -------------------------------------------------------------------------------------------------------


def _write_lattice(
    graph: GraphStore, name: str, rows: Sequence[FormalConceptRow], made: Lattice, context: str, of: str
) -> int:
    covers = [(str(upper), str(lower)) for upper, lower in made.covers.tolist()]
    return papers.load_lattice(graph, name, rows, covers, context=context, ontology=of)


def _document_rows(made: Lattice) -> list[FormalConceptRow]:
    """A lattice of documents and terms in reduced labelling."""
    return [
        FormalConceptRow(str(i), int(n), None, made.own_attributes.get(i, ()), made.own_objects.get(i, ()))
        for i, n in enumerate(made.supports)
    ]


def _claim_rows(made: Lattice, ontology: Ontology) -> list[FormalConceptRow]:
    """A lattice of claims: each class stands at its own formal concept."""
    iri = {c.label: c.iri for c in reversed(ontology.concepts)}
    return [
        FormalConceptRow(str(i), int(n), own_classes=tuple(iri[label] for label in made.own_attributes.get(i, ())))
        for i, n in enumerate(made.supports)
    ]
