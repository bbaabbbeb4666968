"""From exported records to ontology files and a topic file: learning on files, and what is written of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from ontocrawl import papers, topic_files
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.outlines import depth
from ontocrawl.papers import Papers
from ontocrawl.topics import TopicFile
from ontocrawl.workspace import make_folder
from ontology import formats, owl
from ontology.build import Learned, context_lattice, learn
from ontology.claims_lattice import claims_context
from ontology.corpus import Corpus
from ontology.draw import hierarchy_svg, lattice_svg
from ontology.iris import IriRegister, namespace
from ontology.lattice import Lattice
from ontology.learn_options import LearnOptions
from ontology.model import Document, Ontology, Problem
from ontology.terms.lexicon import HEADER, Lexicon
from ontology.terms.lexicon import load as load_lexicon
from ontology.terms.occurrences import term_counts, text_en, text_zh
from ontology.terms.wordforms import fold

REGISTER = "iris.tsv"
"""In the output folder: every label's IRI, so that the next learning keeps them."""
UNTRANSLATED = "untranslated.tsv"
"""In the output folder: classes without an English label, as a lexicon to fill in."""


@dataclass(frozen=True)
class LearnedFiles:
    """What was learned, and from what."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    learned: Learned
    register: IriRegister
    lexicon: Lexicon
    duplicates: int
    """Records that were merged into an earlier one of the same paper."""
    about_topic: int
    """Documents that have a word of the topic, or the topic's label."""

    @property
    def global_ontology(self) -> Ontology:
        return self.learned.global_ontology

    @cached_property
    def claims_lattice(self) -> Lattice | None:
        """The lattice of what the ontology claims; None for an ontology that is nothing but its root."""
        ontology = self.global_ontology
        return context_lattice(claims_context(ontology)) if len(ontology.concepts) > 1 else None


def learn_files(records: Corpus, topic: TopicFile, options: LearnOptions, *, register: Path) -> LearnedFiles:
    """Learn a topic's global and local ontologies from records.

    Args:
        records: the records, as `ontology.corpus.read` returned them.
        topic: the topic, with its labels and local topics.
        options: how to learn.
        register: a file that keeps the IRIs that were given before, where it exists.

    Returns:
        What was learned, and from what.

    Raises:
        UsageError: the register is of another topic or another base of IRIs.
        LearnError, TermError and others as of `ontology.build.learn`.
    """
    iris = _register(register, topic, options.base)
    learned = learn(records.documents, topic.spec(), options, iris)
    return LearnedFiles(
        tuple(records.documents), tuple(records.problems), learned, iris, options.lexicon, records.duplicates,
        _about(topic, records.documents),
    )  # fmt: skip


def _about(topic: TopicFile, documents: Sequence[Document]) -> int:
    """How many documents have a word of the topic."""
    labels = (topic.label.zh, topic.label.en)
    words = [fold(word) for word in (*labels, *(form for w in topic.words for form in (*w.zh, *w.en))) if word]
    texts = (fold(f"{text_zh(d)}\n{text_en(d)}") for d in documents)
    return sum(any(word in text for word in words) for text in texts)


def _register(path: Path, topic: TopicFile, base: str) -> IriRegister:
    """The register of an earlier learning, else that of the topic's curated ontologies, else an empty one."""
    names = namespace(topic.name, base)
    shipped = files("ontologies") / f"{topic.name}-iris.tsv"
    if path.exists() or not shipped.is_file():
        register = IriRegister.load(path, names)
        given = register.entries.values()
        if given and not any(iri.startswith(names) for iri in given):
            raise UsageError(f"{path.parent} holds an ontology of another topic or IRI base: choose another --out")
        return register
    with as_file(shipped) as curated:
        known = IriRegister.load(curated, names)
    return known if all(iri.startswith(names) for iri in known.entries.values()) else IriRegister(names)


def summary(result: LearnedFiles) -> dict[str, Any]:
    """The figures of a learned ontology, as JSON values."""
    learned = result.learned
    claims = result.claims_lattice
    return {
        "documents": len(result.documents),
        "duplicates": result.duplicates,
        "about_the_topic": result.about_topic,
        "problems": len(result.problems),
        "terms": len(learned.context.attributes),
        "formal_concepts": len(learned.lattice),
        "lattice_edges": len(learned.lattice.covers),
        "formal_concepts_of_claims": 0 if claims is None else len(claims),
        "version": learned.global_ontology.version,
        "classes": len(learned.global_ontology.concepts),
        "depth": depth(learned.global_ontology),
        "local": [{"iri": o.iri, "classes": len(o.concepts), "depth": depth(o)} for o in learned.local_ontologies],
        "without_english": list(learned.without_english),
        "unplaced": len(learned.unplaced),
        "notes": list(learned.notes),
    }


@dataclass(frozen=True)
class Written:
    """What `write` wrote."""

    files: tuple[Path, ...]
    topic: Path
    """The topic file to crawl with."""
    edited: Path | None
    """The topic file that a person has changed, and that was left alone; None where there is none."""
    difference: tuple[str, ...]
    """How ``topic`` differs from ``edited``, as lines of a unified diff."""


def write(result: LearnedFiles, topic: TopicFile, out: Path) -> Written:
    """Write what was learned into a folder, with a topic file to crawl by it.

    Turtle, RDF/XML and a picture of every ontology; the papers with their terms; the formal contexts of documents and
    of claims, and a picture of each lattice; a lexicon of what lacks English; summary.json; TOPIC.toml.

    Args:
        result: what `learn_files` returned.
        topic: the topic that it was learned for, whose words, judge and seeds the new topic file takes over.
        out: the folder; it is made where it is missing.

    Returns:
        The files, and which topic file to crawl with.

    Raises:
        CommandError: the folder or a file cannot be written.
    """
    make_folder(out, "--out")
    result.register.save(out / REGISTER)
    written = [out / REGISTER]
    for ontology in result.learned.ontologies:
        name = _file_name(ontology)
        for suffix in (".ttl", ".rdf"):
            owl.write(ontology, out / f"{name}{suffix}")
            written.append(out / f"{name}{suffix}")
        written.append(write_text(out / f"{name}.svg", hierarchy_svg(ontology)))
    written += _write_lattices(result, out)
    behind = papers.path_beside(out / f"{topic.name}.ttl", result.global_ontology)
    papers.write(Papers(result.global_ontology.key, result.documents, term_frequencies(result)), behind)
    written.append(behind)
    if result.learned.without_english:
        written.append(write_text(out / UNTRANSLATED, _untranslated(result, out / UNTRANSLATED)))
    report = summary(result) | {
        "unplaced_list": [list(pair) for pair in result.learned.unplaced],
        "problem_list": [[p.file, p.line, p.reason] for p in result.problems],
    }
    written.append(write_text(out / "summary.json", json.dumps(report, ensure_ascii=False, indent=2) + "\n"))
    learned = [(f"{_file_name(o)}.ttl", o) for o in result.learned.ontologies]
    text = topic_files.learned(topic, learned, f"{len(result.documents)} records")
    place = out / f"{topic.name}.toml"
    path, difference = topic_files.write(text, place)
    return Written((*written, path), path, place if path != place else None, tuple(difference))


def _file_name(ontology: Ontology) -> str:
    return ontology.topic + ("" if ontology.kind == "global" else "-" + ontology.iri.rsplit("/", 1)[-1])


def _write_lattices(result: LearnedFiles, out: Path) -> list[Path]:
    """The contexts of documents and of claims with the pictures of their lattices."""
    written = []
    lattices = [("context.cxt", "lattice.svg", result.learned.lattice)]
    if result.claims_lattice is not None:
        lattices.append(("claims.cxt", "claims-lattice.svg", result.claims_lattice))
    for context_file, picture_file, lattice in lattices:
        formats.write(lattice.context, out / context_file)
        written += [out / context_file, write_text(out / picture_file, picture(lattice))]
    return written


def _untranslated(result: LearnedFiles, path: Path) -> str:
    """The classes without English as a lexicon; rows that somebody has filled in stay."""
    filled = [e for e in load_lexicon(path).entries if e.en] if path.exists() else []
    rows = [(e.zh, e.en, " | ".join(e.synonyms_zh), " | ".join(e.synonyms_en)) for e in filled]
    done = {e.zh for e in filled}
    rows += [(label, "", "", "") for label in result.learned.without_english if label not in done]
    return "".join("\t".join(row) + "\n" for row in (HEADER, *rows))


def term_frequencies(result: LearnedFiles) -> Mapping[str, Mapping[str, int]]:
    """Document id -> occurrences of each term of the formal context."""
    counts = term_counts(result.documents, result.learned.context.attributes, result.lexicon)
    return {document.id: count for document, count in zip(result.documents, counts, strict=True)}


def picture(lattice: Lattice) -> str:
    """The line diagram of a lattice; a large one is drawn as an iceberg, and says so."""
    return lattice_svg(lattice)


def write_text(path: Path, text: str) -> Path:
    """Write a file as UTF-8, whole or not at all. Raises CommandError with advice."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror}): choose another place with --out") from error
    return path
