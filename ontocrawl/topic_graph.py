"""A topic in the graph: its ontologies, the papers and lattices behind them, and the topic vectors that it gives.

The vectors of a crawl are TK, the topic's own words, and GTK, LTK_1 .. LTK_k, derived by query from its ontologies in
the graph. Where weights by key leave classes out of GTK, the vocabulary CLASSES still has all of them: no strategy
reads it, its words are only counted, so that the graph knows which page mentions which class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from crawler.text import Vocabulary, Word
from kg import key_weights, load, papers, weights
from kg.key_weights import Scheme
from kg.load import LoadReport
from kg.papers import FormalConceptRow
from kg.records import WeightedTerm
from kg.store import GraphStore
from ontocrawl import papers as paper_files
from ontocrawl import topics
from ontocrawl.errors import UsageError
from ontocrawl.topics import Level, Topic
from ontocrawl.workspace import Workspace
from ontology import formats
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.lattice import Lattice
from ontology.model import Ontology
from ontology.terms import document_frequencies
from ontology.terms.document_frequencies import DocumentFrequencies

CLASSES = "CLASSES"
"""Vocabulary of all classes of the global ontology, where GTK lacks some."""


@dataclass(frozen=True)
class TopicVectors:
    """The topic vectors of a crawl, and what they were derived from."""

    vocabularies: Mapping[str, Vocabulary]
    terms: Mapping[str, Sequence[WeightedTerm]]
    """Vector from an ontology -> its weighted terms, those with weight 0 included."""
    levels: Sequence[Level]
    scheme: Scheme

    def provenance(self) -> dict[str, Any]:
        """Vector -> its ontology with IRI, version and key, and the ontologies that were joined, as JSON values."""
        return {name: _provenance(level) for name, level in zip(self.terms, self.levels, strict=True)}


def _provenance(level: Level) -> dict[str, Any]:
    def named(ontology: Ontology) -> dict[str, str]:
        return {"iri": ontology.iri, "version": ontology.version, "key": ontology.key}

    parts = [source.ontology for source in level.sources]
    return named(level.ontology) | ({"joined": [named(part) for part in parts]} if len(parts) > 1 else {})


def load_ontologies(levels: Sequence[Level], graph: GraphStore) -> None:
    """Write the ontologies of a topic into the graph where it lacks them."""
    for level in levels:
        if not load.is_loaded(graph, level.ontology):
            load.load_ontology(graph, level.ontology)


OnStage = Callable[[str], None]
"""Receives a line for the reader before long work."""


def load_papers(levels: Sequence[Level], graph: GraphStore, on_stage: OnStage = lambda said: None) -> int:
    """Write the papers behind a topic's ontologies into the graph where it lacks them; return their number."""
    number = 0
    for level in levels:
        found = level.papers()
        if found is not None:
            paper_files.load(graph, found, on_stage)
            number += len(found.documents)
    return number


@dataclass(frozen=True)
class Loaded:
    """What of a topic is in the graph."""

    reports: Sequence[LoadReport]
    papers: int
    lattices: Mapping[str, int]
    """Name of a lattice -> number of its formal concepts."""


def load_topic(levels: Sequence[Level], graph: GraphStore) -> Loaded:
    """Write a topic's ontologies into the graph, in place of what their keys named, with papers and lattices."""
    reports = [load.load_ontology(graph, level.ontology) for level in levels]
    return Loaded(reports, load_papers(levels, graph), load_lattices(levels, graph))


def load_lattices(levels: Sequence[Level], graph: GraphStore) -> dict[str, int]:
    """Write the lattices of learned ontologies: that of the papers, and that of what the ontology claims.

    Args:
        levels: the topic's ontologies, loaded before, with their papers.
        graph: an open graph.

    Returns:
        Name of each lattice -> number of its formal concepts.
    """
    found = {}
    for level in levels:
        key = level.ontology.key
        for source in level.sources:
            if source.folder is not None:
                documents = context_lattice(formats.read(source.folder / "context.cxt"))[0]
                name = source.ontology.key
                found[name] = _write_lattice(graph, name, _document_rows(documents), documents, "documents", key)
        if "+" in level.ontology.version and len(level.ontology.concepts) > 1:
            claims = context_lattice(claims_context(level.ontology))[0]
            name = f"{key}/claims"
            found[name] = _write_lattice(graph, name, _claim_rows(claims, level.ontology), claims, "claims", key)
    return found


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


# ---- weights and vectors ----------------------------------------------------------------------------------------


def weighted_terms(
    topic: Topic,
    levels: Sequence[Level],
    graph: GraphStore,
    scheme: Scheme = "sem",
    on_stage: OnStage = lambda said: None,
) -> list[list[WeightedTerm]]:
    """Derive the weights of a topic's ontologies from the graph by query, and keep them there with their factors.

    Args:
        topic: a topic.
        levels: its ontologies (`topics.levels`); they are loaded where the graph lacks them, and so are their papers
            where the scheme counts them.
        graph: an open graph.
        scheme: what the weights are: "sem", "key" or "sem_key" (kg.key_weights).
        on_stage: called before papers are written.

    Returns:
        The weighted terms of each level, the global one first. A local level of which no class is particular to the
        papers has the weights Sem.

    Raises:
        UsageError: a scheme with key, and the topic has no ontology that was learned from papers.
    """
    load_ontologies(levels, graph)
    if scheme != "sem":
        load_papers(levels, graph, on_stage)
    found = []
    for level in levels:
        terms = weights.topic_weights(graph, level.ontology.key)
        if scheme != "sem":
            terms = _keyed(topic, levels, level, graph, terms, scheme)
        if len(level.sources) > 1:
            terms = [replace(term, sources=level.joined.sources[term.iri]) for term in terms]
        weights.save_weights(graph, topic.name, terms)
        found.append(terms)
    return found


def _keyed(
    topic: Topic,
    levels: Sequence[Level],
    level: Level,
    graph: GraphStore,
    terms: Sequence[WeightedTerm],
    scheme: Scheme,
) -> list[WeightedTerm]:
    """Weights by key of one level. A class that no learned ontology has was not counted, and keeps Sem."""
    try:
        keyed = key_weights.with_keys(graph, terms, [levels[0].ontology.key], background_of(topic))
    except key_weights.NoPapersError as error:
        lost = "; ".join(missing_papers(levels))
        raise UsageError(
            f"--weights {scheme} counts papers, and "
            + (lost or f"topic {topic.name} has no ontology that was learned from papers")
            + ": learn one (ontocrawl ontology build --corpus FILES --out DIR) and give --topic DIR/TOPIC.toml, "
            "or take --weights sem"
        ) from error
    if not any(term.weight > 0 for term in keyed) and level is not levels[0]:
        return key_weights.by_scheme(keyed, "sem")
    learned = {source.ontology.key for source in level.sources if source.is_learned}
    counted = [
        term if learned & set(level.joined.sources[term.iri]) else replace(term, weight=term.sem or 0.0, key=None)
        for term in keyed
    ]
    return key_weights.by_scheme(counted, scheme)


def background_of(topic: Topic) -> DocumentFrequencies:
    """The background that a topic's papers are compared with: its own, else the shipped one."""
    if topic.background:
        return document_frequencies.load(Path(topic.background))
    return document_frequencies.shipped()


def default_scheme(levels: Sequence[Level]) -> Scheme:
    """The weights where none are asked for: key, where a global ontology has the papers that it was learned from."""
    known = any(source.papers is not None for level in levels[:1] for source in level.sources)
    return "key" if known else "sem"


def missing_papers(levels: Sequence[Level]) -> list[str]:
    """Say which learned global ontologies lack the file of their papers, one phrase each."""
    return [
        f"the papers of {source.file} are missing ({source.ontology.topic}.papers.jsonl beside it)"
        for level in levels[:1]
        for source in level.sources
        if source.is_learned and source.papers is None
    ]


def vectors(
    topic: Topic,
    workspace: Workspace,
    graph: GraphStore,
    scheme: Scheme | None = None,
    on_stage: OnStage = lambda said: None,
) -> TopicVectors:
    """Derive the topic vectors of a crawl: TK, and GTK, LTK_1 .. LTK_k from the topic's ontologies in the graph.

    Args:
        topic: a topic.
        workspace: where its ontologies are looked for.
        graph: an open graph.
        scheme: the weights of the ontologies' vectors; words of weight 0 are no words of a vector. None: "key" where
            the topic has an ontology that was learned from papers, else "sem".
        on_stage: called before papers are written into the graph.

    Returns:
        The vectors with what they were derived from. CLASSES is among the vocabularies where GTK lacks a class.

    Raises:
        UsageError: as `weighted_terms`, or no class of an ontology has a weight.
    """
    levels = topics.levels(topic, workspace)
    by = scheme or default_scheme(levels)
    of_level = weighted_terms(topic, levels, graph, by, on_stage)
    if scheme is None:
        for lost in missing_papers(levels):
            on_stage(f"{lost}: its classes are weighed by Sem")
    if scheme is None and of_level and not any(term.weight > 0 for term in of_level[0]):
        on_stage("no class is more frequent in the papers than in the background: weights are Sem")
        by = "sem"
        of_level = weighted_terms(topic, levels, graph, by)
    names = ["GTK", *(f"LTK_{number}" for number in range(1, len(levels)))]
    found = {"TK": topic.vocabulary()}
    for name, terms in zip(names, of_level, strict=False):
        found[name] = _vocabulary(name, [term for term in terms if term.weight > 0], topic)
    if of_level and len(found["GTK"]) < len(of_level[0]):
        found[CLASSES] = _vocabulary(CLASSES, of_level[0], topic)
    return TopicVectors(found, dict(zip(names, of_level, strict=False)), levels, by)


def _vocabulary(name: str, terms: Sequence[WeightedTerm], topic: Topic) -> Vocabulary:
    if not terms:
        raise UsageError(
            f"topic {topic.name}: no class of the ontology of {name} is more frequent in its papers than in the "
            "background, so --weights key leaves nothing: take --weights sem, or another background"
        )
    return Vocabulary(name, tuple(Word(t.word, t.weight, t.forms, t.iri) for t in terms))
