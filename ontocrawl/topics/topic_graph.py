"""Topics in the graph: load ontologies with their papers and lattices, and compute topic vectors by query.

The vectors of a crawl are TK, the words of the topic file, and GTK, LTK_1 .. LTK_k, computed by queries from the
ontologies in the graph. Where weights by key leave classes out of GTK, the vocabulary CLASSES has all of them. No
strategy uses it; its words are only counted, so that the graph can link pages to all classes they mention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from crawler.text import Vocabulary, Word
from crawler.weights import OntologyWord
from kg import key_weights, load, papers, weights
from kg.key_weights import PageCount, Scheme
from kg.load import LoadReport
from kg.papers import FormalConceptRow
from kg.records import WeightedTerm
from kg.sentences import ConceptNames
from kg.store import GraphStore
from kg.weights import WordRow
from ontocrawl.errors import Option, UsageError
from ontocrawl.topics import graph_record, reviewed
from ontocrawl.topics import papers as paper_files
from ontocrawl.topics.reviewed import Record
from ontocrawl.topics.topics import Level, Topic
from ontology import formats
from ontology.build import context_lattice
from ontology.claims_lattice import claims_context
from ontology.errors import Message
from ontology.lattice import Lattice
from ontology.mapping import TermMapping
from ontology.model import Ontology
from ontology.terms.wordforms import has_han, normal

CLASSES = "CLASSES"
"""Name of the vocabulary of all classes of the global ontology, present where GTK lacks some."""

OnStage = Callable[[str], None]
"""Callback called with a message before a long task."""


@dataclass(frozen=True)
class TopicVectors:
    """Topic vectors of a crawl, with the weighted terms behind them."""

    topic: Topic
    vocabularies: Mapping[str, Vocabulary]
    terms: Mapping[str, Sequence[WeightedTerm]]
    """Vector of an ontology -> its weighted terms, including those with weight 0."""
    scheme: Scheme
    classes: tuple[Mapping[str, Any], ...] = ()
    """The classes whose words TK has, as JSON values (`class_topics.steered`); empty for the words of the topic."""
    threshold: float | None = None
    """R above which a page is of one of the classes; None for the threshold of the topic."""

    def joined(self, share: float) -> TopicVectors:
        """Return the vectors with the words of GTK in TK, at a part of their weights.

        Raises:
            UsageError: the topic has no ontology.
        """
        if "GTK" not in self.vocabularies:
            raise UsageError("topics.weights_join", topic=self.topic.name)
        TK = self.vocabularies["TK"].joined(self.vocabularies["GTK"], share)
        return replace(self, vocabularies={**self.vocabularies, "TK": TK})


def provenance(topic: Topic) -> dict[str, Any]:
    """Return vector -> IRI, version and key of its ontology, and the joined ontologies, as JSON values."""
    return {name: _provenance(level) for name, level in topic.levels_by_vector.items()}


def concepts_of(vocabularies: Mapping[str, Vocabulary]) -> Vocabulary | None:
    """Return the vocabulary by which the graph links pages to classes: CLASSES, else GTK; None without ontologies."""
    return vocabularies.get(CLASSES) or vocabularies.get("GTK")


def words_only(topic: Topic, scheme: Scheme | None = None) -> TopicVectors:
    """Return the topic vectors that need no graph: TK alone.

    Args:
        topic: the topic.
        scheme: kind of weights that the vectors of the ontologies would have, as for `TopicGraph.vectors`.

    Returns:
        The vectors, without weighted terms.
    """
    return TopicVectors(topic, {"TK": topic.vocabulary}, {}, scheme or topic.scheme)


def _provenance(level: Level) -> dict[str, Any]:
    def named(ontology: Ontology) -> dict[str, str]:
        return {"iri": ontology.iri, "version": ontology.version, "key": ontology.key}

    parts = [source.ontology for source in level.sources]
    return named(level.ontology) | ({"joined": [named(part) for part in parts]} if len(parts) > 1 else {})


@dataclass(frozen=True)
class LoadedTopic:
    """The result of loading a topic into the graph."""

    reports: Sequence[LoadReport]
    papers: int
    lattices: Mapping[str, int]
    """Name of each lattice -> number of its formal concepts."""


@dataclass(frozen=True)
class TopicGraph:
    """A topic in an open graph: loads its ontologies, and computes weights and vectors by query."""

    topic: Topic
    graph: GraphStore
    on_stage: OnStage = lambda line: None
    """Called before papers are written, and with messages on the weights."""

    # ---- loading ----------------------------------------------------------------------------------------------------

    def load(
        self, mappings: Sequence[TermMapping] | None = None, files: Iterable[Path] | None = None
    ) -> LoadedTopic:  # fmt: skip
        """Load the topic's ontologies, papers and lattices; ontologies with the same keys are replaced.

        Args:
            mappings: the mappings that join concepts with those of other topics in the graph, and no others; None to
                find them by names.
            files: their files, for the record of what was loaded.
        """
        self.load_words()
        reports = [load.load_ontology(self.graph, ontology, mappings) for ontology in self.topic.ontologies]
        graph_record.note(self.topic.workspace, graph_record.of_topic(self.topic, mappings=files, whole=True))
        return LoadedTopic(reports, self.load_papers(), self.load_lattices())

    def load_changes(self) -> LoadedTopic:
        """Load what the graph lacks of the topic; an ontology that it has in this version, and its papers, stay."""
        self.load_words()
        reports = self.load_ontologies()
        loaded = LoadedTopic(reports, self.load_papers(), self.load_lattices(lacking=True))
        graph_record.note(self.topic.workspace, graph_record.of_topic(self.topic, whole=True))
        return loaded

    def load_ontologies(self) -> list[LoadReport]:
        """Load the ontologies of the topic that the graph lacks, and return what was written."""
        lacking = [ontology for ontology in self.topic.ontologies if not load.is_loaded(self.graph, ontology)]
        reports = [load.load_ontology(self.graph, ontology) for ontology in lacking]
        if reports:
            graph_record.note(self.topic.workspace, graph_record.of_topic(self.topic))
        return reports

    def load_papers(self) -> int:
        """Load the papers of the ontologies where the graph lacks them; return their number."""
        of_levels = [level.papers for level in self.topic.levels if level.papers is not None]
        for of_level in of_levels:
            paper_files.load(self.graph, of_level, self.on_stage)
        return sum(len(of_level.documents) for of_level in of_levels)

    def load_lattices(self, *, lacking: bool = False) -> dict[str, int]:
        """Load the lattices of learned ontologies: of the papers, and of the claims of each ontology.

        The ontologies and their papers must be loaded before.

        Args:
            lacking: whether only those that the graph lacks are computed.

        Returns:
            Name of each lattice -> number of its formal concepts.
        """
        sizes = {}
        for level in self.topic.levels:
            ontology = level.ontology
            known = papers.lattices_of(self.graph, ontology.key) if lacking and ontology.is_derived else ()
            for source in level.sources:
                if source.folder is not None and source.ontology.key not in known:
                    documents = context_lattice(formats.read(source.folder / "context.cxt"))
                    name, rows = source.ontology.key, _document_rows(documents)
                    sizes[name] = _write_lattice(self.graph, name, rows, documents, "documents", ontology.key)
            if ontology.is_derived and len(ontology.concepts) > 1 and f"{ontology.key}/claims" not in known:
                claims = context_lattice(claims_context(ontology))
                name, rows = f"{ontology.key}/claims", _claim_rows(claims, ontology)
                sizes[name] = _write_lattice(self.graph, name, rows, claims, "claims", ontology.key)
        return sizes

    # ---- weights and vectors ----------------------------------------------------------------------------------------

    def weighted_terms(self, scheme: Scheme = "sem") -> list[list[WeightedTerm]]:
        """Compute the weights of the ontologies by query, and store them in the graph with their factors.

        Ontologies and words that the graph lacks are loaded, and with a scheme that counts papers these too.

        Args:
            scheme: kind of weights, "sem", "key" or "sem_key" (kg.key_weights).

        Returns:
            The weighted terms of each level, the global one first. A local level without any positive weight by key
            has the weights Sem.

        Raises:
            UsageError: a scheme with key for a topic without an ontology learned from papers.
        """
        self.load_words()
        levels = self.computed_weights(scheme)
        self._save(levels, scheme)
        return levels

    def vectors(self, scheme: Scheme | None = None) -> TopicVectors:
        """Compute the topic vectors of a crawl: TK, and GTK, LTK_1 .. LTK_k from the ontologies in the graph.

        Args:
            scheme: kind of weights of the ontologies' vectors; words with weight 0 are left out. None means "key" for
                a topic with an ontology learned from papers, else "sem".

        Returns:
            The vectors and the weighted terms behind them; also the vocabulary CLASSES where GTK lacks a class.

        Raises:
            UsageError: as for `weighted_terms`, or an ontology has no class with a positive weight.
        """
        used = scheme or self.topic.scheme
        levels = self.computed_weights(used)
        if scheme is None:
            for lost in self.topic.missing_papers():
                self.on_stage(Message("topics.weights_by_sem", lost=lost))
            if levels and not any(term.weight > 0 for term in levels[0]):
                self.on_stage(Message("topics.weights_none_key"))
                used = "sem"
                levels = [key_weights.by_scheme(terms, "sem") for terms in levels]
        self._save(levels, used)
        vocabularies = {"TK": self.words()}
        terms_of = dict(zip(self.topic.levels_by_vector, levels, strict=True))
        for name, terms in terms_of.items():
            vocabularies[name] = self._vocabulary(name, [term for term in terms if term.weight > 0])
        if levels and len(vocabularies["GTK"]) < len(levels[0]):
            vocabularies[CLASSES] = self._vocabulary(CLASSES, levels[0])
        return TopicVectors(self.topic, vocabularies, terms_of, used)

    def words(self) -> Vocabulary:
        """Return the topic vector TK by query; words that the graph lacks, or has from another file, are loaded."""
        self.load_words()
        rows = weights.words_of(self.graph, self.topic.name)
        if not rows:
            raise UsageError("topics.no_words_in_graph", topic=self.topic.name)
        return Vocabulary("TK", tuple(Word(row.word, row.weight, _forms(row)) for row in rows))

    def load_words(self) -> None:
        """Load the words that steer crawls on the topic, unless the graph has those of its files."""
        listed = self.topic.words
        rows = [
            WordRow(one.word, one.zh, one.en, one.weight, (one.p, one.g, one.o), one.texts, one.source)
            for one in listed
        ] or [_row(word) for word in self.topic.vocabulary.words]
        weights.load_words(self.graph, self.topic.name, rows)

    def computed_weights(self, scheme: Scheme) -> list[list[WeightedTerm]]:
        """Compute the weights as `weighted_terms` does, and do not store them."""
        self.load_ontologies()
        if scheme != "sem":
            self.load_papers()
        weighted = []
        record = None if scheme == "sem" else reviewed.record_of(self.topic.workspace, self.topic.name)
        for level in self.topic.levels:
            terms = weights.topic_weights(self.graph, level.ontology.key)
            if record is not None:
                terms = self._keyed(level, terms, scheme, record)
            if len(level.sources) > 1:
                terms = [replace(term, sources=level.joined.sources[term.iri]) for term in terms]
            weighted.append(terms)
        return weighted

    def _save(self, levels: Sequence[Sequence[WeightedTerm]], scheme: Scheme) -> None:
        if levels:
            weights.save_weights(self.graph, self.topic.name, [term for terms in levels for term in terms])
        graph_record.note(self.topic.workspace, graph_record.of_topic(self.topic, scheme if levels else None))

    def _keyed(self, level: Level, terms: Sequence[WeightedTerm], scheme: Scheme, record: Record) -> list[WeightedTerm]:
        """Weight one level by key. Classes of curated ontologies only were not counted, and keep Sem."""
        global_level = self.topic.levels[0]
        try:
            shown = _page_counts(record, terms)
            papers_of = [global_level.ontology.key]
            keyed = key_weights.with_keys(self.graph, terms, papers_of, self.topic.background, shown)
        except key_weights.NoPapersError as error:
            lost = self.topic.missing_papers()
            raise UsageError(
                "topics.weights_papers",
                scheme=scheme,
                lost=lost or Message("topics.weights_not_learned", topic=self.topic.name),
                learn=Option("ontocrawl ontology build --corpus FILES --out DIR", "ontocrawl.learn"),
                take=Option("--topic DIR/TOPIC.toml", "learned.topic"),
            ) from error
        if not any(term.weight > 0 for term in keyed) and level is not global_level:
            return key_weights.by_scheme(keyed, "sem")
        learned = {source.ontology.key for source in level.sources if source.ontology.is_derived}
        counted = [
            term if learned & set(level.joined.sources[term.iri]) else replace(term, weight=term.sem or 0.0, key=None)
            for term in keyed
        ]
        return key_weights.by_scheme(counted, scheme)

    def _vocabulary(self, name: str, terms: Sequence[WeightedTerm]) -> Vocabulary:
        if not terms:
            raise UsageError("topics.weights_key", topic=self.topic.name, name=name)
        named = (t for t in terms if t.forms)  # an ontology of others names classes that it gives no label
        return Vocabulary(name, tuple(OntologyWord(t.word, t.weight, t.forms, t.iri, t.sources) for t in named))


def _row(word: Word) -> WordRow:
    """Return a word of a topic file without a list."""
    zh, en = (tuple(form for of, form in word.forms if of == language) for language in ("zh", "en"))
    return WordRow(word.label, zh, en, word.weight, source="topic")


def _forms(row: WordRow) -> tuple[tuple[str, str], ...]:
    return row.forms or (("zh" if has_han(row.word) else "en", row.word),)


# ---- lattices -------------------------------------------------------------------------------------------------------


def _write_lattice(
    graph: GraphStore, name: str, rows: Sequence[FormalConceptRow], lattice: Lattice, context: str, ontology: str
) -> int:
    covers = [(str(upper), str(lower)) for upper, lower in lattice.covers.tolist()]
    return papers.load_lattice(graph, name, rows, covers, context=context, ontology=ontology)


def _document_rows(lattice: Lattice) -> list[FormalConceptRow]:
    """Return the formal concepts of a lattice of documents and terms, in reduced labelling."""
    return [
        FormalConceptRow(str(i), int(n), None, lattice.own_attributes.get(i, ()), lattice.own_objects.get(i, ()))
        for i, n in enumerate(lattice.supports)
    ]


def _claim_rows(lattice: Lattice, ontology: Ontology) -> list[FormalConceptRow]:
    """Return the formal concepts of a lattice of claims, each with the classes that it introduces."""
    iri = {c.label: c.iri for c in reversed(ontology.concepts)}
    return [
        FormalConceptRow(str(i), int(n), own_classes=tuple(iri[label] for label in lattice.own_attributes.get(i, ())))
        for i, n in enumerate(lattice.supports)
    ]


# ---- the concepts that pages are searched for, as the words of a vocabulary


def concept_names(concepts: Vocabulary | None) -> ConceptNames:
    """Return the surface forms of the concepts of a vocabulary; none for None."""
    words = () if concepts is None else concepts.words
    return ConceptNames((word.iri, *form) for word in words for form in word.forms)


# ---- how many relevant pages showed the classes that a person accepted from pages, by the record of verdicts


def _page_counts(record: Record, terms: Iterable[WeightedTerm]) -> dict[str, PageCount]:
    """Return the number of relevant pages that showed the concepts of a topic.

    The numbers are those of the proposals as they were when they were accepted, so a graph that is filled again gives
    the same weights.

    Args:
        record: the record of the topic.
        terms: concepts of one of its ontologies.

    Returns:
        IRI of a concept -> the pages of its accepted proposal, of several that with the largest `PageCount.share`.
        Concepts that did not come from pages are left out.
    """
    shown: dict[str, PageCount] = {}
    for one in record.standing.values():
        p = one.proposal
        if one.status == "accepted" and p.kind != "relation" and p.of_pages:
            name, count = normal(p.term), PageCount(p.pages, p.of_pages)
            shown[name] = max(count, shown.get(name, count), key=attrgetter("share"))
    counts = {}
    for term in terms:
        found = [shown[name] for _, form in term.forms if (name := normal(form)) in shown]
        if found:
            counts[term.iri] = max(found, key=attrgetter("share"))
    return counts
