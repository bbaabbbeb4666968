"""Ontologies as text for the reader: an outline of the hierarchy, one class with what speaks for its place."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import Any

from ontology.concept_graph import ConceptGraph
from ontology.model import Ontology, Relation
from ontology.reachable import reachable


def depth(ontology: Ontology) -> int:
    """Count the nodes on the longest path down from the root. Raises CycleError where there is a cycle."""
    below: dict[str, int] = {}
    for iri in TopologicalSorter(ontology.children).static_order():
        below[iri] = 1 + max((below[child] for child in ontology.children[iri]), default=0)
    return below[ontology.root]


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


def _sizes(ontology: Ontology) -> Mapping[str, int]:
    """Number of classes at and below each class, shared ones counted once."""
    return {c.iri: len(reachable(c.iri, ontology.children.__getitem__)) for c in ontology.concepts}
