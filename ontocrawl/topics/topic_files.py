"""Write topic files: from words, or for a topic whose ontologies were just learned.

A file that the user has edited is never overwritten. A comment at the top of the file has a digest of its content:
if the two do not match, the file has been edited.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from ontocrawl.base.config import checked
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.topics import topics
from ontocrawl.topics.topic_words import TopicWordFound
from ontocrawl.topics.topics import TopicFile
from ontology import corpus, field_lists
from ontology.concept_graph import ConceptGraph
from ontology.files import write_atomically
from ontology.model import Concept, Document, Ontology, Relation
from ontology.reachable import reachable

_DIGEST = re.compile(r"^# digest: ([0-9a-f]{16})\n", re.MULTILINE)


def data_of_words(
    name: str, zh: str, en: str, source: str, words: Sequence[TopicWordFound], field: str = ""
) -> dict[str, Any]:
    """Make the data of a topic file from words.

    Args:
        name: name of the topic.
        zh: its Chinese label.
        en: its English label.
        source: where the words come from, as free text.
        words: the words with their weights.
        field: the field of the topic, whose bundled lists are used for it; empty for none.

    Returns:
        Keys and values of the topic file.

    Raises:
        UsageError: they are not a valid topic.
    """
    rows = [{"weight": round(w.weight, 6), "zh": list(w.zh), "en": list(w.en)} for w in words]
    data = {"name": name, "label": {"zh": zh, "en": en}, "source": source, "words": rows}
    if field:
        data["field"] = field
    checked(TopicFile, data, f"topic {name}")
    return data


def texts_of(documents: Sequence[Document]) -> list[str]:
    """Join titles, abstracts and keywords to one text per document."""
    return [" ".join((d.title, d.abstract, *d.keywords, d.title_en, d.abstract_en)) for d in documents]


def read_texts(paths: Sequence[Path]) -> tuple[list[str], int]:
    """Read the texts of literature exports; return them with the number of problems in the files."""
    records = corpus.read(list(paths))
    return texts_of(records.documents), len(records.problems)


def label_of(given: str) -> dict[str, str]:
    """Parse ``zh=..,en=..``; a missing language has the label of the other.

    Raises:
        UsageError: another form, another language, or an empty label.

    >>> label_of("zh=台风,en=typhoon")
    {'zh': '台风', 'en': 'typhoon'}
    >>> label_of("en=typhoon")
    {'zh': 'typhoon', 'en': 'typhoon'}
    """
    labels: dict[str, str] = {}
    for part in re.split(r"[,，](?=\s*\w+\s*=)", given):
        language, equals, label = part.partition("=")
        if not equals or language.strip() not in ("zh", "en") or not label.strip():
            raise UsageError(Option(f"--label {given!r}"), f": expected zh=LABEL,en=LABEL, found {part!r}")
        if language.strip() in labels:
            raise UsageError(Option(f"--label {given!r}"), f": {language.strip()} is given twice")
        labels[language.strip()] = label
    return complete_label(labels)


def complete_label(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of a topic in both languages; a missing one is that of the other.

    Raises:
        UsageError: no label, an empty one, or another language.
    """
    words = {language: " ".join(label.split()) for language, label in labels.items()}
    if not words or not all(words.values()) or not set(words) <= {"zh", "en"}:
        raise UsageError(f'a new topic needs a label such as {{"zh": "台风", "en": "typhoon"}}, not {dict(labels)}')
    default = words.get("zh") or words["en"]
    return {"zh": default, "en": default, **words}


def require_name(name: str) -> None:
    """Raise UsageError for an invalid topic name. Names are used in IRIs and file names."""
    if not re.fullmatch(topics.NAME, name):
        raise UsageError(
            Option(f"--topic {name!r}"),
            ": a topic's name begins with a Latin letter and has letters, digits, - and _ only; put other text into ",
            Option("--label", "label"),
        )


def require_field(name: str) -> str:
    """Return the name of a field that has bundled lists, or "". Raises UsageError for another."""
    if name and name not in field_lists.fields():
        raise UsageError(
            Option(f"--field {name}", f"field {name!r}"),
            f": no lists come with ontocrawl for this field{nearest(name, field_lists.fields())}. Others need none;"
            " lists of your own are given with ",
            Option("--classes", "classes"),
            " and ",
            Option("--lexicon", "lexicons"),
        )
    return name


def unknown(name: str, workspace: Workspace) -> UsageError:
    """Return the error for a topic that does not exist, with the way to create one."""
    return UsageError(
        f"there is no topic {name!r}{nearest(name, topics.available(workspace))}; a new one is made with ",
        Option("--label zh=LABEL,en=LABEL", 'label={"zh": LABEL, "en": LABEL}'),
    )


def learned(topic: TopicFile, ontologies: Sequence[tuple[str, Ontology]], about: str) -> str:
    """Format the file of a topic with learned ontologies in place of its others.

    Args:
        topic: the topic, with words, labels, local topics, relevance function and seeds.
        ontologies: file name and value of each learned ontology, the global one first.
        about: what they were learned from, for the comment at the top.

    Returns:
        TOML with the digest of its content.
    """
    data = topic.model_dump(mode="json", exclude={"ontologies", "versions", "scope", *_empty(topic)})
    if topic.scope.model_fields_set:
        data["scope"] = topic.scope.model_dump(mode="json", exclude_unset=True)
    body = tomli_w.dumps(
        {
            **{key: value for key, value in data.items() if not _is_table(value)},
            "ontologies": [file for file, _ in ontologies],
            "versions": {file: ontology.version for file, ontology in ontologies},
            **{key: value for key, value in data.items() if _is_table(value)},
        }
    )
    head = (
        f"# Written by `ontocrawl ontology build` from {about}. Change what you like: the next build\n"
        f"# leaves a changed file alone and writes {topic.name}.learned.toml beside it.\n"
    )
    return f"{head}# digest: {_digest(head + body)}\n{body}"


def _empty(topic: TopicFile) -> set[str]:
    """Return the optional keys with default values, which are not written."""
    optional = ("field", "background", "local", "intent")
    return {key for key in optional if getattr(topic, key) == TopicFile.model_fields[key].default}


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _digest(body: str) -> str:
    return blake2b(body.encode(), digest_size=8).hexdigest()


def is_edited(path: Path) -> bool:
    """Return whether a topic file was edited, or written by other means than a command."""
    text = path.read_text(encoding="utf-8", errors="replace")
    match = _DIGEST.search(text)
    return match is None or _digest(text[: match.start()] + text[match.end() :]) != match.group(1)


def write(text: str, path: Path) -> tuple[Path, list[str]]:
    """Write a topic file; if the user has edited it, write NAME.learned.toml beside it.

    Args:
        text: the result of `learned`.
        path: the standard path, NAME.toml.

    Returns:
        The file that was written, and its unified diff from the edited one, in lines; empty if there is none.
    """
    alternatives = (path.with_name(f"{path.stem}.learned{f'-{n}' if n > 1 else ''}.toml") for n in count(1))
    free = next(place for place in chain([path], alternatives) if not place.exists() or not is_edited(place))
    write_atomically(free, text.encode())
    if free == path:
        return path, []
    before, after = (_without_comments(t) for t in (path.read_text(encoding="utf-8", errors="replace"), text))
    difference = list(difflib.unified_diff(before, after, path.name, free.name, lineterm="", n=1))
    return free, difference or ["(they differ in comments only)"]


def _without_comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


# ---- ontologies as text: an outline of the hierarchy, and single classes with their evidence


def depth(ontology: Ontology) -> int:
    """Count the classes on the longest path from the root down. Raises CycleError for a cyclic hierarchy."""
    below: dict[str, int] = {}
    for iri in TopologicalSorter(ontology.children).static_order():
        below[iri] = 1 + max((below[child] for child in ontology.children[iri]), default=0)
    return below[ontology.root]


def outline(ontology: Ontology, *, depth: int) -> str:
    """Format the upper levels of an ontology as indented text: the largest classes first, then those in most documents.

    Args:
        ontology: the ontology.
        depth: number of levels; a branch that is cut off has the number of hidden classes after it.

    Returns:
        One line per class, without a final line end.

    Raises:
        OntologyCycle: the hierarchy is cyclic.
    """
    ConceptGraph.of(ontology)
    lines: list[str] = []

    def walk(iri: str, level: int) -> None:
        concept = ontology.by_iri[iri]
        children = sorted(
            ontology.children[iri], key=lambda c: (-size[c], -documents.get((c, iri), 0), ontology.by_iri[c].label)
        )
        english = f"  {concept.label_en}" if concept.label_en and concept.label_zh else ""
        cut = f"  (+{size[iri] - 1})" if level == depth and children else ""
        lines.append("  " * (level - 1) + concept.label + english + cut)
        if level < depth:
            for child in children:
                walk(child, level + 1)

    size = _sizes(ontology)
    documents = {(r.source, r.target): r.support or 0 for r in ontology.edges("subclass_of")}
    walk(ontology.root, 1)
    return "\n".join(lines)


def class_entry(ontology: Ontology, name: str) -> dict[str, Any] | None:
    """Look up a class by any of its names.

    Args:
        ontology: the ontology.
        name: a label or a synonym.

    Returns:
        The class with its relations and their evidence, as JSON values; None if the ontology has no such class.
    """
    concept = next((c for c in ontology.concepts if name in (form for _, form in c.forms())), None)
    return None if concept is None else entry_of(ontology, concept)


def entry_of(ontology: Ontology, concept: Concept) -> dict[str, Any]:
    """Return a class with its relations and their evidence, as JSON values."""

    def entry(relation: Relation, other: str) -> dict[str, Any]:
        figures = {"support": relation.support, "confidence": relation.confidence, "evidence": relation.evidence}
        sources = {"documents": list(relation.documents), "sentence": relation.sentence}
        return {"relation": relation.kind, "class": ontology.by_iri[other].label, "iri": other} | figures | sources

    return {
        "ontology": ontology.iri,
        "iri": concept.iri,
        "zh": concept.label_zh,
        "en": concept.label_en,
        "above": [entry(r, r.target) for r in ontology.relations if r.source == concept.iri],
        "below": [entry(r, r.source) for r in ontology.relations if r.target == concept.iri],
    }


def way(ontology: Ontology, iri: str) -> tuple[str, ...]:
    """Return the IRIs of the classes from the root to a class, itself included; of several parents the first counts."""
    found = [iri]
    while (above := ontology.parents[found[-1]][:1]) and above[0] not in found:
        found.append(above[0])
    return tuple(reversed(found))


CONFIDENCE = (
    "confidence: share of the narrower term's documents that contain the broader term; no probability of being right"
)
"""Explanation of the figure, for people."""


def class_text(entry: Mapping[str, Any]) -> str:
    """Format a `class_entry` as text: the classes above and below with their evidence."""
    lines = ["  ".join(filter(None, (entry["zh"], entry["en"], entry["iri"])))]
    for side in ("above", "below"):
        for row in entry[side]:
            share = "" if row["confidence"] is None else f"confidence {row['confidence']:.2f}"
            support = "" if row["support"] is None else f"{row['support']} documents"
            figures = ", ".join(filter(None, (support, share)))
            lines.append(f"  {side}: {row['class']} ({row['relation']})" + f" {figures}" * bool(figures))
            lines += [f"    {text}" for text in (*row["evidence"].split("; "), row["sentence"]) if text]
    if any(row["confidence"] is not None for side in ("above", "below") for row in entry[side]):
        lines.append(CONFIDENCE)
    return "\n".join(lines)


def _sizes(ontology: Ontology) -> Mapping[str, int]:
    """Return the number of classes at and below each class, shared ones counted once."""
    return {c.iri: len(reachable(c.iri, ontology.children.__getitem__)) for c in ontology.concepts}
