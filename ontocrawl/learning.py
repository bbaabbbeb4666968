"""From exported records to ontology files: the learning pipeline on files, and what is shown and written of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from kg.load import FormalConceptRow
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.topics import Topic
from ontocrawl.workspace import make_folder
from ontology import corpus, formats, owl
from ontology.build import Learned, learn
from ontology.concept_graph import ConceptGraph
from ontology.draw import hierarchy_svg, lattice_svg
from ontology.evidence import FCA_ONLY, Kind
from ontology.hierarchy import Reading, Skeleton, Unplaced
from ontology.iris import IriRegister, namespace
from ontology.lattice import Lattice
from ontology.model import Document, Ontology, Problem, Relation
from ontology.terms.lexicon import HEADER, Lexicon
from ontology.terms.lexicon import load as load_lexicon
from ontology.terms.occurrences import fold, term_counts, text_zh

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

    @property
    def without_english(self) -> tuple[str, ...]:
        return self.learned.without_english


def learn_files(
    paths: Sequence[Path],
    topic: Topic,
    *,
    base: str,
    register: Path,
    min_documents: int,
    max_terms: int,
    on_stage: Callable[[str], None],
    top: Skeleton | None = None,
    reading: Reading = "evidence",
    unplaced: Unplaced = "drop",
    evidence: Sequence[Kind] = FCA_ONLY,
    lexicon: Lexicon | None = None,
    licence: str = "",
) -> LearnedFiles:
    """Read records and learn the topic's global and local ontologies from them.

    ``base`` starts every IRI; the file ``register``, where it exists, keeps those that were given before. ``lexicon``
    is the bundled one if None. The others are those of `ontology.build.learn`.
    """
    on_stage("reading records")
    read = corpus.read(paths)
    on_stage(f"learning from {len(read.documents)} records")
    iris = _register(register, topic, base)
    words = load_lexicon() if lexicon is None else lexicon
    learned = learn(
        read.documents,
        topic.spec(),
        words,
        min_documents=min_documents,
        max_terms=max_terms,
        reading=reading,
        top=top,
        unplaced=unplaced,
        evidence=evidence,
        base=base,
        licence=licence,
        register=iris,
    )
    return LearnedFiles(
        tuple(read.documents), tuple(read.problems), learned, iris, words, read.duplicates,
        _about(topic, read.documents),
    )  # fmt: skip


def _about(topic: Topic, documents: Sequence[Document]) -> int:
    """How many documents have a word of the topic."""
    words = [fold(word) for word in (topic.label.zh, *(form for w in topic.words for form in w.zh)) if word]
    return sum(any(word in text for word in words) for text in (fold(text_zh(d)) for d in documents))


def _register(path: Path, topic: Topic, base: str) -> IriRegister:
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


def ontologies(found: LearnedFiles) -> tuple[Ontology, ...]:
    """The global ontology, then the local ones."""
    return (found.learned.global_ontology, *found.learned.local_ontologies)


def summary(found: LearnedFiles) -> dict[str, Any]:
    """The figures of a learned ontology, as JSON values."""
    learned = found.learned
    return {
        "documents": len(found.documents),
        "duplicates": found.duplicates,
        "about_the_topic": found.about_topic,
        "problems": len(found.problems),
        "terms": len(learned.context.attributes),
        "formal_concepts": len(learned.lattice.concepts),
        "lattice_edges": len(learned.lattice.covers),
        "classes": len(learned.global_ontology.concepts),
        "depth": depth(learned.global_ontology),
        "local": [{"iri": o.iri, "classes": len(o.concepts), "depth": depth(o)} for o in learned.local_ontologies],
        "without_english": list(learned.without_english),
        "unplaced": len(learned.unplaced),
        "notes": list(learned.notes),
    }


def write(found: LearnedFiles, out: Path) -> list[Path]:
    """Turtle and RDF/XML of every ontology, pictures, the formal context, what lacks English, and summary.json."""
    make_folder(out, "--out")
    found.register.save(out / REGISTER)
    written = [out / REGISTER]
    for ontology in ontologies(found):
        local = "" if ontology.kind == "global" else "-" + ontology.iri.rsplit("/", 1)[-1]
        name = ontology.topic + local
        for suffix in (".ttl", ".rdf"):
            owl.write(ontology, out / f"{name}{suffix}")
            written.append(out / f"{name}{suffix}")
        written.append(write_text(out / f"{name}.svg", hierarchy_svg(ontology)))
    written.append(write_text(out / "lattice.svg", picture(found.learned.lattice)))
    formats.write(found.learned.context, out / "context.cxt")
    written.append(out / "context.cxt")
    if found.without_english:
        written.append(write_text(out / UNTRANSLATED, _untranslated(found, out / UNTRANSLATED)))
    report = summary(found) | {
        "unplaced_list": [list(pair) for pair in found.learned.unplaced],
        "problem_list": [[p.file, p.line, p.reason] for p in found.problems],
    }
    written.append(write_text(out / "summary.json", json.dumps(report, ensure_ascii=False, indent=2) + "\n"))
    return written


def _untranslated(found: LearnedFiles, path: Path) -> str:
    """The classes without English as a lexicon; rows that somebody has filled in stay."""
    filled = [e for e in load_lexicon(path).entries if e.en] if path.exists() else []
    rows = [(e.zh, e.en, " | ".join(e.synonyms_zh), " | ".join(e.synonyms_en)) for e in filled]
    done = {e.zh for e in filled}
    rows += [(label, "", "", "") for label in found.without_english if label not in done]
    return "".join("\t".join(row) + "\n" for row in (HEADER, *rows))


def term_frequencies(found: LearnedFiles) -> Mapping[str, Mapping[str, int]]:
    """Document id -> occurrences of each term of the formal context."""
    counts = term_counts(found.documents, found.learned.context.attributes, found.lexicon)
    return {document.id: count for document, count in zip(found.documents, counts, strict=True)}


def formal_concepts(lattice: Lattice) -> list[FormalConceptRow]:
    """A lattice in reduced labelling, as the graph keeps it."""
    return [
        FormalConceptRow(str(i), int(support), None, lattice.own_attributes.get(i, ()), lattice.own_objects.get(i, ()))
        for i, support in enumerate(lattice.supports)
    ]


def picture(lattice: Lattice) -> str:
    """The line diagram of a lattice; a large one is drawn as an iceberg, and says so."""
    return lattice_svg(lattice)


def depth(ontology: Ontology) -> int:
    """Nodes on the longest path down from the root."""
    longest: dict[str, int] = {}

    def below(iri: str) -> int:
        if iri not in longest:
            longest[iri] = 1 + max((below(child) for child in ontology.children[iri]), default=0)
        return longest[iri]

    return below(ontology.root)


def outline(ontology: Ontology, *, depth: int) -> str:
    """The first levels as indented text; the number of classes that are not shown stands behind a cut branch.

    Raises OntologyCycle for an ontology that is no hierarchy.
    """
    ConceptGraph.of(ontology)
    lines: list[str] = []

    def walk(iri: str, level: int) -> None:
        concept = ontology.by_iri[iri]
        children = sorted(ontology.children[iri], key=lambda c: (-size[c], ontology.by_iri[c].label))
        english = f"  {concept.label_en}" if concept.label_en and concept.label_zh else ""
        cut = f"  (+{size[iri] - 1})" if level == depth and children else ""
        lines.append("  " * (level - 1) + concept.label + english + cut)
        if level < depth:
            for child in children:
                walk(child, level + 1)

    size = _sizes(ontology)
    walk(ontology.root, 1)
    return "\n".join(lines)


def class_entry(ontology: Ontology, name: str) -> dict[str, Any] | None:
    """A class by any of its names, with its relations and what speaks for each, as JSON values; None if it has none."""
    concept = next((c for c in ontology.concepts if name in (form for _, form in c.forms())), None)
    if concept is None:
        return None

    def told(relation: Relation, other: str) -> dict[str, Any]:
        figures = {"support": relation.support, "confidence": relation.confidence, "evidence": relation.evidence}
        said = {"documents": list(relation.documents), "sentence": relation.sentence}
        return {"relation": relation.kind, "class": ontology.by_iri[other].label} | figures | said

    return {
        "ontology": ontology.iri,
        "iri": concept.iri,
        "zh": concept.label_zh,
        "en": concept.label_en,
        "above": [told(r, r.target) for r in ontology.relations if r.source == concept.iri],
        "below": [told(r, r.source) for r in ontology.relations if r.target == concept.iri],
    }


def class_text(entry: Mapping[str, Any]) -> str:
    """A `class_entry` as text: what is above and below, each with its evidence."""
    lines = ["  ".join(filter(None, (entry["zh"], entry["en"], entry["iri"])))]
    for side in ("above", "below"):
        for row in entry[side]:
            share = "" if row["confidence"] is None else f"confidence {row['confidence']:.2f}"
            support = "" if row["support"] is None else f"{row['support']} documents"
            figures = ", ".join(filter(None, (support, share)))
            lines.append(f"  {side}: {row['class']} ({row['relation']})" + f" {figures}" * bool(figures))
            lines += [f"    {said}" for said in (*row["evidence"].split("; "), row["sentence"]) if said]
    return "\n".join(lines)


def write_text(path: Path, text: str) -> Path:
    """Write a file as UTF-8, whole or not at all. Raises CommandError with advice."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror}): choose another place with --out") from error
    return path


def _sizes(ontology: Ontology) -> Mapping[str, int]:
    """Number of classes at and below each class, shared ones counted once."""
    below: dict[str, set[str]] = {}

    def collect(iri: str) -> set[str]:
        if iri not in below:
            below[iri] = {iri}.union(*(collect(child) for child in ontology.children[iri]))
        return below[iri]

    for concept in ontology.concepts:
        collect(concept.iri)
    return {iri: len(found) for iri, found in below.items()}
