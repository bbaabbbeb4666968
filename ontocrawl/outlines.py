"""Ontologies as text: an outline of the hierarchy, and single classes with their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import Any

from ontology.concept_graph import ConceptGraph
from ontology.model import Concept, Ontology, Relation
from ontology.reachable import reachable


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
