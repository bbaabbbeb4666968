"""Learn ontologies from exported records, and write them to files together with a topic file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ontocrawl.base.workspace import make_folder
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.topics import papers, topic_files
from ontocrawl.topics.papers import Papers
from ontocrawl.topics.topic_files import depth
from ontocrawl.topics.topics import TopicFile
from ontocrawl.versions.deciding import NOTHING_DECIDED, REGISTER, Decided, file_stem
from ontocrawl.versions.hand_edits import SUFFIXES
from ontology import formats, owl
from ontology.build import Learned, context_lattice, learn
from ontology.claims_lattice import claims_context
from ontology.corpus import Corpus
from ontology.corpus.statistics import examine
from ontology.draw import hierarchy_svg, lattice_page, lattice_svg
from ontology.evidence.definitions import ranked
from ontology.hierarchy.term_dag import SuggestedEdge
from ontology.iris import IriRegister, namespace
from ontology.lattice import Lattice
from ontology.learn_options import LearnOptions
from ontology.model import Document, Ontology, Problem
from ontology.names_lattice import classes_table
from ontology.owl import Header
from ontology.owl.additions import NO_ADDITIONS
from ontology.owl.triples import Triples
from ontology.terms.lexicon import HEADER, Lexicon
from ontology.terms.lexicon import load as load_lexicon
from ontology.terms.occurrences import term_counts
from ontology.terms.sentences import sentences
from ontology.terms.token_stream import document_text
from ontology.terms.wordforms import fold

UNTRANSLATED = "untranslated.tsv"
"""File in the output folder with the classes that lack an English label, as a lexicon to fill in."""
DEFINITIONS = "definitions.tsv"
"""File in the output folder with sentences that may define classes, for a reviewer."""
_SUGGESTED = "suggested.tsv"
"""File in the output folder with classes that names suggest, as upper classes to choose from."""
SUGGESTED_EDGES = "suggested_edges.tsv"
"""File in the output folder with edges that have too little evidence for what they would move."""
SUMMARY = "summary.json"
"""File in the output folder with the figures of the build, and the terms that wait for a place."""
GENERAL = "general.tsv"
"""File in the output folder with the general words of the corpus, which are no terms, each with the reason."""
OUT = Option("--out")
NO_HEADERS: Mapping[str, Header] = MappingProxyType({})
_NO_TRIPLES: Mapping[str, Triples] = MappingProxyType({})


@dataclass(frozen=True)
class LearnedFiles:
    """Learned ontologies, with the records behind them."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    learned: Learned
    register: IriRegister
    lexicon: Lexicon
    duplicates: int
    """Number of records merged into an earlier record of the same paper."""
    about_topic: int
    """Number of documents with a word or the label of the topic."""
    curated: frozenset[str]
    """Labels of the curated classes."""
    decided: Decided = NOTHING_DECIDED
    """The decisions of persons, and what became of them."""
    moved: tuple[str, ...] = ()
    """What is in another place than in the version before, one line for each class, with the evidence."""
    held: tuple[SuggestedEdge, ...] = ()
    """Edges that would have moved so many classes that they are suggested."""

    @property
    def suggested_edges(self) -> tuple[SuggestedEdge, ...]:
        """Edges for a person to decide about, those that would move most classes first; nothing is above the topic."""
        topic = {form for _, form in self.global_ontology.by_iri[self.global_ontology.root].forms()}
        suggested = (edge for edge in (*self.learned.hierarchy.suggested, *self.held) if edge.child not in topic)
        found = {(edge.child, edge.parent): edge for edge in suggested}
        return tuple(sorted(found.values(), key=lambda edge: (-edge.below, edge.child, edge.parent)))

    @property
    def global_ontology(self) -> Ontology:
        """The global ontology."""
        return self.learned.global_ontology

    def with_global(self, ontology: Ontology) -> LearnedFiles:
        """Return the same with another global ontology."""
        return replace(self, learned=replace(self.learned, global_ontology=ontology))

    @cached_property
    def claims_lattice(self) -> Lattice | None:
        """Concept lattice of the claims of the ontology; None for an ontology with only a root."""
        ontology = self.global_ontology
        return context_lattice(claims_context(ontology)) if len(ontology.concepts) > 1 else None


def learn_files(
    records: Corpus, topic: TopicFile, options: LearnOptions, register: IriRegister, about: int
) -> LearnedFiles:
    """Learn the global and local ontologies of a topic from records.

    Args:
        records: the records, as returned by `ontology.corpus.read`.
        topic: the topic, with its labels and local topics.
        options: options of the learning method.
        register: the IRIs assigned by an earlier build, and those of this one.
        about: number of records with the label or a word of the topic (`topic_card.about_topic`).

    Returns:
        The learned ontologies, with the records behind them.

    Raises:
        LearnError, TermError: as for `ontology.build.learn`.
    """
    learned = learn(records.documents, topic.spec(), options, register)
    return LearnedFiles(
        tuple(records.documents), tuple(records.problems), learned, register, options.guided.lexicon,
        records.duplicates, about, frozenset(options.upper_classes.by_label),
    )  # fmt: skip


def iri_register(path: Path, topic: TopicFile, base: str) -> IriRegister:
    """Load the IRI register of an earlier build, else that of the topic's curated ontologies, else an empty one.

    Args:
        path: file of the register; it need not exist.
        topic: the topic.
        base: prefix of the IRIs.

    Raises:
        UsageError: the register belongs to another topic or another base of IRIs.
    """
    names = namespace(topic.name, base)
    shipped = files("ontologies") / f"{topic.name}-iris.tsv"
    if path.exists() or not shipped.is_file():
        register = IriRegister.load(path, names)
        iris = register.entries.values()
        if iris and not any(iri.startswith(names) for iri in iris):
            raise UsageError("versions.holds_ontology_another_topic", parent=path.parent, out=OUT)
        return register
    with as_file(shipped) as curated:
        known = IriRegister.load(curated, names)
    return known if all(iri.startswith(names) for iri in known.entries.values()) else IriRegister(names)


def summary(result: LearnedFiles) -> dict[str, Any]:
    """Return counts and other figures of a learned ontology, as JSON values."""
    learned, examined = result.learned, examine(result.documents, result.duplicates)
    claims = result.claims_lattice
    return {
        "records": examined.records,
        "documents": examined.with_abstract,
        "with_keywords": examined.with_keywords,
        "languages": examined.languages,
        "duplicates": result.duplicates,
        "about_the_topic": result.about_topic,
        "problems": len(result.problems),
        "terms": len(learned.context.attributes),
        "general_words": len(learned.general),
        "placed": len(learned.placed),
        "below_topic": len(learned.context.attributes) - len(learned.placed) - len(learned.left_out),
        "formal_concepts": len(learned.lattice),
        "lattice_edges": len(learned.lattice.covers),
        "formal_concepts_of_claims": 0 if claims is None else len(claims),
        "version": learned.global_ontology.version,
        "classes": len(learned.global_ontology.concepts),
        "depth": depth(learned.global_ontology),
        "edges_by_rule": learned.hierarchy.edges_by_rule,
        "suggested": len(learned.suggested),
        "suggested_edges": len(result.suggested_edges),
        "moved": list(result.moved),
        "definition_candidates": sum(len(c.candidates) for c in learned.global_ontology.concepts),
        "local": [{"iri": o.iri, "classes": len(o.concepts), "depth": depth(o)} for o in learned.local_ontologies],
        "decisions": len(result.decided.decisions),
        "idle_decisions": [[r.decision.id, r.reason] for r in result.decided.idle],
        "conflicts": [[r.decision.id, r.reason] for r in result.decided.conflicts],
        "without_english": list(learned.without_english),
        "unplaced": len(learned.unplaced),
        "waiting": _waiting(result),
        "notes": list(learned.notes),
        "verification": None if learned.verification is None else learned.verification.figures,
    }


_SENTENCES = 2
"""Largest number of sentences that are kept of a term that waits for a place, each of another document."""


def _waiting(result: LearnedFiles) -> list[dict[str, Any]]:
    """Return the terms that wait for a place, with the classes that they may be below and sentences that have them."""
    found: dict[str, list[dict[str, str]]] = {term: [] for term, _ in result.learned.waiting}
    folded = {term: fold(term) for term in found}
    for document in result.documents if found else ():
        text = document_text(document)
        whole = fold(text)
        wanted = [t for t, listed in found.items() if len(listed) < _SENTENCES and folded[t] in whole]
        parts = [(sentence, fold(sentence)) for sentence in sentences(text)] if wanted else []
        for term in wanted:
            shown = next((sentence for sentence, part in parts if folded[term] in part), "")
            if shown:
                found[term].append({"document": document.id, "text": " ".join(shown.split())})
    return [{"term": term, "places": list(places), "sentences": found[term]} for term, places in result.learned.waiting]


@dataclass(frozen=True)
class WaitingTerm:
    """A term of a learned ontology that waits for a place.

    Attributes:
        term: the term.
        places: labels of the classes that it may be below, best first.
        sentences: id of a document and a sentence of it that has the term.
    """

    term: str
    places: tuple[str, ...]
    sentences: tuple[tuple[str, str], ...] = ()


def summary_of(folder: Path) -> Mapping[str, Any]:
    """Return the summary of a build; empty for a folder without one. Raises UsageError for a damaged one."""
    path = folder / SUMMARY
    try:
        told: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if "waiting" in told:
            _terms(told["waiting"])
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError("versions.damaged_build_topic_again", path=path, error=error) from error
    return told


def waiting_terms(folder: Path) -> list[WaitingTerm]:
    """Return the terms of a learned ontology that wait for a place.

    Args:
        folder: what `write` wrote; a folder without a summary has none.

    Raises:
        UsageError: a damaged summary.
    """
    return _terms(summary_of(folder).get("waiting", ()))


def _terms(rows: Iterable[Mapping[str, Any]]) -> list[WaitingTerm]:
    return [
        WaitingTerm(row["term"], tuple(row["places"]), tuple((s["document"], s["text"]) for s in row["sentences"]))
        for row in rows
    ]


@dataclass(frozen=True)
class Written:
    """The files written by `write`."""

    files: tuple[Path, ...]
    topic: Path
    """Topic file to crawl with."""
    edited: Path | None
    """Topic file that the user has edited and that was therefore kept; None if there is none."""
    difference: tuple[str, ...]
    """Unified diff from ``edited`` to ``topic``, in lines."""


def write(
    result: LearnedFiles,
    topic: TopicFile,
    out: Path,
    *,
    headers: Mapping[str, Header] = NO_HEADERS,
    additions: Mapping[str, Triples] = _NO_TRIPLES,
    card: Mapping[str, Any] | None = None,
) -> Written:
    """Write learned ontologies into a folder, with a topic file to crawl with.

    The files are Turtle, RDF/XML and a picture of each ontology; the papers with their terms; the formal contexts of
    documents, of claims and of names with a picture and a page of their lattices; a lexicon of untranslated labels;
    suggested classes and edges; candidates of definitions; general words; summary.json; TOPIC.toml.

    Args:
        result: the result of `learn_files`.
        topic: the topic; the new topic file has its words, relevance function and seeds.
        out: the folder; it is created if missing.
        headers: dates and people, by stem of the file.
        additions: statements of a person beyond the model, by stem of the file.
        card: the card of the topic as values of JSON, for summary.json.

    Returns:
        The files written, and the topic file to crawl with.

    Raises:
        CommandError: the folder or a file cannot be written.
        OwlError: an ontology of an earlier build cannot be read.
    """
    make_folder(out, OUT)
    result.register.save(out / REGISTER)
    written = [out / REGISTER]
    for ontology in result.learned.ontologies:
        name = file_stem(ontology)
        header, more = headers.get(name, owl.NO_HEADER), additions.get(name, NO_ADDITIONS)
        for suffix in SUFFIXES:
            owl.write(ontology, out / f"{name}{suffix}", header, additions=more, sealed=True)
            written.append(out / f"{name}{suffix}")
        written.append(write_text(out / f"{name}.svg", hierarchy_svg(ontology)))
    written += _write_lattices(result, out)
    papers_file = papers.path_beside(out / f"{topic.name}.ttl", result.global_ontology)
    papers.write(Papers(result.global_ontology.key, result.documents, _term_frequencies(result)), papers_file)
    written.append(papers_file)
    if result.learned.without_english:
        written.append(write_text(out / UNTRANSLATED, _untranslated(result, out / UNTRANSLATED)))
    if result.learned.suggested:
        written.append(write_text(out / _SUGGESTED, classes_table(result.learned.suggested, result.curated)))
    if result.suggested_edges or (out / SUGGESTED_EDGES).exists():
        written.append(write_text(out / SUGGESTED_EDGES, _edges_table(result.suggested_edges)))
    if result.learned.general or (out / GENERAL).exists():
        written.append(write_text(out / GENERAL, general_table(result.learned.general)))
    if candidates := _table(result.learned.ontologies):
        written.append(write_text(out / DEFINITIONS, candidates))
    report = summary(result) | {
        "unplaced_list": [list(pair) for pair in result.learned.unplaced],
        "problem_list": [[p.file, p.line, p.reason] for p in result.problems],
        "card": card,
    }
    written.append(write_text(out / SUMMARY, json.dumps(report, ensure_ascii=False, indent=2) + "\n"))
    learned = [(f"{file_stem(o)}.ttl", o) for o in result.learned.ontologies]
    text = topic_files.learned(topic, learned, f"{len(result.documents)} records")
    standard = out / f"{topic.name}.toml"
    path, difference = topic_files.write(text, standard)
    return Written((*written, path), path, standard if path != standard else None, tuple(difference))


def _write_lattices(result: LearnedFiles, out: Path) -> list[Path]:
    """Write the contexts of documents, of claims and of names, with a picture and a page of each lattice."""
    titles = {d.id: d.title or d.title_en for d in result.documents}
    written = []
    for name, lattice in _lattices(result):
        of_documents = lattice is result.learned.lattice
        stem = "lattice" if of_documents else f"{name}-lattice"
        formats.write(lattice.context, out / f"{name}.cxt")
        picture = lattice_svg(lattice, of_documents=of_documents)
        page = lattice_page(lattice, titles=titles if of_documents else None, of_documents=of_documents)
        written += [
            out / f"{name}.cxt", write_text(out / f"{stem}.svg", picture), write_text(out / f"{stem}.html", page)
        ]  # fmt: skip
    return written


def _lattices(result: LearnedFiles) -> list[tuple[str, Lattice]]:
    """Return the lattices of a build by the names of their contexts."""
    further = (("claims", result.claims_lattice), ("names", result.learned.names_lattice))
    return [("context", result.learned.lattice), *((name, found) for name, found in further if found is not None)]


def _untranslated(result: LearnedFiles, path: Path) -> str:
    """Return the classes without an English label as a lexicon; rows that the user filled in are kept."""
    known = load_lexicon(path).entries if path.exists() else ()
    filled = [e for e in known if e.en or e.synonyms_zh or e.synonyms_en]
    rows = [(e.zh, e.en, " | ".join(e.synonyms_zh), " | ".join(e.synonyms_en)) for e in filled]
    done = {e.zh for e in filled}
    rows += [(label, "", "", "") for label in result.learned.without_english if label not in done]
    return "".join("\t".join(row) + "\n" for row in (HEADER, *rows))


def _term_frequencies(result: LearnedFiles) -> Mapping[str, Mapping[str, int]]:
    """Count the occurrences of each term of the formal context; return document id -> term -> count."""
    counts = term_counts(result.documents, result.learned.context.attributes, result.lexicon)
    return {document.id: count for document, count in zip(result.documents, counts, strict=True)}


def write_text(path: Path, text: str) -> Path:
    """Write a text file as UTF-8, atomically.

    Args:
        path: the file.
        text: its content.

    Returns:
        The path.

    Raises:
        CommandError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise CommandError(
            "versions.cannot_written_choose_another", path=path, strerror=error.strerror, out=OUT
        ) from error
    return path


_EDGE_COLUMNS = ("narrower", "broader", "reason", "classes_below", "evidence", "documents", "sentence")


def _edges_table(edges: Sequence[SuggestedEdge]) -> str:
    """Return suggested edges as tab-separated values with a head."""
    rows = [
        (e.child, e.parent, e.reason, str(e.below), e.evidence, " | ".join(e.documents), " ".join(e.sentence.split()))
        for e in edges
    ]
    return "".join("\t".join(row) + "\n" for row in (_EDGE_COLUMNS, *rows))


def general_table(words: Sequence[tuple[str, str]]) -> str:
    """Return general words as tab-separated values with a head: the word, and why it is no term."""
    return "".join("\t".join(row) + "\n" for row in (("term", "why"), *words))


# ---- the table of candidate definitions of a learned ontology, for a reviewer to go through


COLUMNS = ("label", "label_en", "language", "rank", "pattern", "document", "sentence", "iri")


def _table(ontologies: Sequence[Ontology]) -> str:
    """Return the candidates of all classes as tab-separated values with a head, by label and rank; "" without any.

    A class of several ontologies has the candidates of each, and a sentence is listed once.

    Args:
        ontologies: the learned ontologies.
    """
    rows: dict[tuple[str, str], tuple[str, ...]] = {}
    for concept in (c for o in ontologies for c in o.concepts):
        for rank, candidate in ranked(concept.candidates):
            row = (
                concept.label_zh, concept.label_en or "", candidate.language, str(rank), candidate.pattern,
                candidate.document, candidate.sentence, concept.iri,
            )  # fmt: skip
            rows.setdefault((concept.iri, candidate.sentence), tuple(" ".join(cell.split()) for cell in row))
    lines = sorted(rows.values(), key=lambda row: (row[0], row[1], row[2] != "zh", int(row[3])))
    return "".join("\t".join(row) + "\n" for row in (COLUMNS, *lines)) if lines else ""
