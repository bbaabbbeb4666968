"""Merging local ontologies into the global one: what agrees is joined, what does not is shown.

Source: paper 000 section 3 has one global and k local ontologies of a topic, each learned from other documents. How
they are brought together is not published; this is our own reading. Concepts are the same if their IRIs are. A local
ontology's edges are taken one by one, in the order given, and a conflict is

* "reversed"    the local ontology has narrower and broader the other way round
* "cycle"       its edge would lead back to where it began, over others
* "label"       a concept has a label of another concept, in the same language, under another IRI
* "parents"     both place a concept, under different classes; the merged ontology has both places

Of the first two the local edge is left out; of the others nothing is left out. Nothing is resolved by guessing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.model import Concept, Ontology, Relation

ConflictKind = Literal["reversed", "cycle", "label", "parents"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """One disagreement: the concept that it is about, what the merged ontology has, and what the local one says."""

    kind: ConflictKind
    local: str
    """IRI of the local ontology."""
    concept: str
    """Label of the concept."""
    ours: str
    theirs: str
    advice: str


@dataclass(frozen=True)
class Merged:
    """The merged ontology and the conflicts, in the order in which they were met."""

    ontology: Ontology
    conflicts: tuple[Conflict, ...]


def merge(whole: Ontology, locals_: Sequence[Ontology]) -> Merged:
    """Merge local ontologies into a global one; the global one's header, root and edges stay.

    A local root that the global ontology lacks comes in as a class below the global root. A learned edge to the local
    root ("topic root": no broader class was found) is left out where the merged ontology has a place for the concept.
    Relations that both have keep the global one's figures. Raises nothing; conflicts are values.
    """
    made, conflicts = whole, list[Conflict]()
    for local in locals_:
        made, found = _joined(made, local)
        conflicts += found
    return Merged(made, tuple(conflicts))


def _joined(whole: Ontology, local: Ontology) -> tuple[Ontology, list[Conflict]]:
    names = {**{c.iri: c.label for c in local.concepts}, **{c.iri: c.label for c in whole.concepts}}
    conflicts = [*_labels(whole, local)]
    concepts = {c.iri: c for c in whole.concepts}
    for c in local.concepts:
        concepts[c.iri] = _united(concepts[c.iri], c) if c.iri in concepts else c
    above = {iri: set(parents) for iri, parents in whole.parents.items()}
    relations = {(r.kind, r.source, r.target): r for r in whole.relations}
    for r in _hung(whole, local):
        key = (r.kind, r.source, r.target)
        if key in relations or (_is_stopgap(r, local.root) and above.get(r.source)):
            continue
        if r.kind == "subclass_of":
            conflict = _edge_conflict(r, above, names, whole, local)
            if conflict:
                conflicts.append(conflict)
                if conflict.kind in ("reversed", "cycle"):
                    continue
            above.setdefault(r.source, set()).add(r.target)
        relations[key] = r
    kept = tuple(r for r in relations.values() if not (_is_stopgap(r, whole.root) and len(above.get(r.source, ())) > 1))
    return replace(whole, concepts=tuple(concepts.values()), relations=kept), conflicts


def _hung(whole: Ontology, local: Ontology) -> list[Relation]:
    """The local relations, with an edge that hangs the local root under the global one where it hangs nowhere."""
    if local.root == whole.root or whole.parents.get(local.root):
        return list(local.relations)
    root = Relation(local.root, "subclass_of", whole.root, evidence=f"root of {local.iri}")
    return [root, *local.relations]


def _is_stopgap(r: Relation, root: str) -> bool:
    """Whether an edge only says that no broader class was found."""
    return r.kind == "subclass_of" and r.target == root and r.evidence.split("; ")[0] == TOPIC_ROOT


def _edge_conflict(
    r: Relation, above: dict[str, set[str]], names: dict[str, str], whole: Ontology, local: Ontology
) -> Conflict | None:
    child, parent = names[r.source], names[r.target]
    theirs = f"{child} is a {parent}"
    if r.source in above.get(r.target, ()):
        advice = "leave one of the two edges out, or declare the classes equivalent"
        return Conflict("reversed", local.iri, child, f"{parent} is a {child}", theirs, advice)
    path = _path(r.target, r.source, above)
    if path or r.source == r.target:
        way = " is a ".join(names[iri] for iri in path)
        return Conflict("cycle", local.iri, child, way, theirs, "leave one of these edges out")
    before = set(whole.parents.get(r.source, ())) - {whole.root, local.root}
    if not before or r.target in (whole.root, local.root) or _related(r.target, before, above):
        return None
    ours = f"{child} is a {', '.join(sorted(names[iri] for iri in before))}"
    return Conflict(
        "parents", local.iri, child, ours, theirs, "both are kept; strike out the one that is no kind of it"
    )


def _related(parent: str, before: set[str], above: dict[str, set[str]]) -> bool:
    """Whether a new parent is above or below one that the concept has: then the two agree."""
    return any(parent == b or _path(b, parent, above) or _path(parent, b, above) for b in before)


def _path(start: str, end: str, above: dict[str, set[str]]) -> tuple[str, ...]:
    """A way up from one concept to another, both included; empty if there is none."""
    waiting: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for way in waiting:
        for parent in sorted(above.get(way[-1], ())):
            if parent == end:
                return (*way, parent)
            if parent not in seen:
                seen.add(parent)
                waiting.append((*way, parent))
    return ()


def _labels(whole: Ontology, local: Ontology) -> Iterable[Conflict]:
    ours = {form: c for c in whole.concepts for form in _label_forms(c)}
    for c in local.concepts:
        for form in _label_forms(c):
            other = ours.get(form)
            if other is not None and other.iri != c.iri:
                advice = "give one of them another label, or use one IRI for both"
                yield Conflict(
                    "label", local.iri, form[1], f"{form[1]} is {other.iri}", f"{form[1]} is {c.iri}", advice
                )


def _label_forms(c: Concept) -> tuple[tuple[str, str], ...]:
    pairs = (("zh", c.label_zh), ("en", (c.label_en or "").casefold()))
    return tuple(pair for pair in pairs if pair[1])


def _united(a: Concept, b: Concept) -> Concept:
    """The first with what it lacks from the second; other labels of both."""
    zh = (*a.alt_zh, b.label_zh, *b.alt_zh)
    en = (*a.alt_en, *([b.label_en] if b.label_en else []), *b.alt_en)
    label_zh, label_en = a.label_zh or b.label_zh, a.label_en or b.label_en
    return replace(
        a,
        label_zh=label_zh,
        label_en=label_en,
        alt_zh=tuple(dict.fromkeys(f for f in zh if f and f != label_zh)),
        alt_en=tuple(dict.fromkeys(f for f in en if f != label_en)),
        definition=a.definition or b.definition,
        definition_en=a.definition_en or b.definition_en,
    )
