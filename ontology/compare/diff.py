"""Differences between two ontologies: concepts, names, positions in the hierarchy, relations, header.

Concepts are compared by IRI. A concept whose IRI is in one ontology only, and whose labels are those of exactly one
concept that is in the other only, is the same concept under another IRI ("reidentified"); relations of the two are then
compared as if it had kept its IRI. The order of concepts, relations, other names and documents never matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.terms.wordforms import fold

HEADER = ("iri", "kind", "topic", "version", "root", "title_zh", "title_en", "comment", "licence")
LABELS = ("label_zh", "label_en")
DETAILS = ("alt_zh", "alt_en", "definition", "definition_en", "xrefs")


@dataclass(frozen=True, slots=True)
class Change:
    """A field with its value before and after; other names are sorted."""

    field: str
    old: str | tuple[str, ...] | None
    new: str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ConceptChange:
    """A concept in both ontologies, with its new values and the fields that changed."""

    concept: Concept
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Reidentified:
    """A concept with the same labels and another IRI."""

    old: Concept
    new: Concept


@dataclass(frozen=True, slots=True)
class Moved:
    """A concept in both ontologies that lost or gained direct superclasses; IRIs as in the new ontology."""

    concept: Concept
    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationChange:
    """The same relation of the same two concepts with other evidence (support, confidence, documents, sentence ..)."""

    old: tuple[Relation, ...]
    new: tuple[Relation, ...]


@dataclass(frozen=True)
class Difference:
    """All differences, each tuple sorted by IRI. ``labels`` has every concept of both ontologies.

    ``moved`` repeats, for each concept that is in both, the subclass-of relations among ``relations_added`` and
    ``relations_removed``. Relations have the IRIs of the new ontology if a concept is reidentified.
    """

    old: str
    new: str
    header: tuple[Change, ...]
    added: tuple[Concept, ...]
    removed: tuple[Concept, ...]
    renamed: tuple[ConceptChange, ...]
    """Same IRI, other label."""
    reidentified: tuple[Reidentified, ...]
    """Same labels, other IRI."""
    described: tuple[ConceptChange, ...]
    """Other names or definitions changed."""
    moved: tuple[Moved, ...]
    relations_added: tuple[Relation, ...]
    relations_removed: tuple[Relation, ...]
    relations_changed: tuple[RelationChange, ...]
    labels: Mapping[str, str]

    @property
    def equal(self) -> bool:
        """Whether the two ontologies have the same content."""
        return not any(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return the number of differences of each kind."""
        return {f.name: len(getattr(self, f.name)) for f in fields(self) if f.name not in ("old", "new", "labels")}


def diff(old: Ontology, new: Ontology) -> Difference:
    """Compute the changes that turn one ontology into another.

    Args:
        old: the ontology before.
        new: the ontology after.
    """
    same = {iri: iri for iri in old.by_iri if iri in new.by_iri}
    gone = [c for c in old.concepts if c.iri not in same]
    come = [c for c in new.concepts if c.iri not in same]
    reidentified = _reidentified(gone, come)
    same |= {pair.old.iri: pair.new.iri for pair in reidentified}
    kept = [(old.by_iri[before], new.by_iri[after]) for before, after in sorted(same.items(), key=lambda p: p[1])]
    before, after = _by_ends(_renamed_ends(old.relations, same)), _by_ends(new.relations)
    both = before.keys() & after.keys()
    return Difference(
        old=old.iri,
        new=new.iri,
        header=_changes(old, new, HEADER),
        added=_sorted(c for c in come if c.iri not in same.values()),
        removed=_sorted(c for c in gone if c.iri not in same),
        renamed=_concept_changes(kept, LABELS),
        reidentified=reidentified,
        described=_concept_changes(kept, DETAILS),
        moved=tuple(_moved(kept, before, after)),
        relations_added=tuple(r for ends in sorted(after.keys() - both) for r in after[ends]),
        relations_removed=tuple(r for ends in sorted(before.keys() - both) for r in before[ends]),
        relations_changed=tuple(
            RelationChange(before[ends], after[ends]) for ends in sorted(both) if before[ends] != after[ends]
        ),
        labels={c.iri: c.label for ontology in (old, new) for c in ontology.concepts},
    )


Ends = tuple[RelationKind, str, str]


def _sorted(concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    return tuple(sorted(concepts, key=lambda c: c.iri))


def _changes(old: object, new: object, names: Sequence[str]) -> tuple[Change, ...]:
    pairs = ((name, _value(getattr(old, name)), _value(getattr(new, name))) for name in names)
    return tuple(Change(name, before, after) for name, before, after in pairs if before != after)


def _value(value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
    """Return a value whose order does not matter; no label and an empty one are equal."""
    return tuple(sorted(set(value))) if isinstance(value, tuple) else value or None


def _concept_changes(kept: Iterable[tuple[Concept, Concept]], names: Sequence[str]) -> tuple[ConceptChange, ...]:
    changed = ((after, _changes(before, after, names)) for before, after in kept)
    return tuple(ConceptChange(concept, changes) for concept, changes in changed if changes)


def _reidentified(gone: Sequence[Concept], come: Sequence[Concept]) -> tuple[Reidentified, ...]:
    """Return pairs of a lost and a new concept with the same labels, if there is one of each; also by one label alone.

    Both labels first, then the Chinese, then the English one: a label is compared folded.
    """
    matched: list[Reidentified] = []
    for names in (LABELS, LABELS[:1], LABELS[1:]):
        taken = {pair.old.iri for pair in matched} | {pair.new.iri for pair in matched}
        one, other = _by_labels(gone, names, taken), _by_labels(come, names, taken)
        for key in one.keys() & other.keys():
            if len(one[key]) == len(other[key]) == 1:
                matched.append(Reidentified(one[key][0], other[key][0]))
    return tuple(sorted(matched, key=lambda pair: pair.new.iri))


def _by_labels(
    concepts: Iterable[Concept], names: Sequence[str], taken: set[str]
) -> dict[tuple[str, ...], list[Concept]]:
    concepts_of: dict[tuple[str, ...], list[Concept]] = {}
    for concept in concepts:
        key = tuple(fold(getattr(concept, name) or "") for name in names)
        if all(key) and concept.iri not in taken:
            concepts_of.setdefault(key, []).append(concept)
    return concepts_of


def _renamed_ends(relations: Iterable[Relation], same: Mapping[str, str]) -> Iterator[Relation]:
    for relation in relations:
        source, target = same.get(relation.source, relation.source), same.get(relation.target, relation.target)
        yield replace(relation, source=source, target=target)


def _by_ends(relations: Iterable[Relation]) -> dict[Ends, tuple[Relation, ...]]:
    """Return relations by kind and ends; equivalence, which has no direction, by its sorted ends."""
    relations_of: dict[Ends, set[Relation]] = {}
    for relation in relations:
        ends = (relation.source, relation.target)
        source, target = sorted(ends) if relation.kind == "equivalent_to" else ends
        plain = replace(relation, source=source, target=target, documents=tuple(sorted(set(relation.documents))))
        relations_of.setdefault((relation.kind, source, target), set()).add(plain)
    return {ends: tuple(sorted(same, key=repr)) for ends, same in relations_of.items()}


def _moved(
    kept: Iterable[tuple[Concept, Concept]], before: Mapping[Ends, object], after: Mapping[Ends, object]
) -> Iterator[Moved]:
    parents: dict[str, tuple[set[str], set[str]]] = {concept.iri: (set(), set()) for _, concept in kept}
    for side, relations in enumerate((before, after)):
        for kind, source, target in relations:
            if kind == "subclass_of" and source in parents:
                parents[source][side].add(target)
    for _, concept in kept:
        lost, gained = parents[concept.iri]
        if lost != gained:
            yield Moved(concept, tuple(sorted(lost - gained)), tuple(sorted(gained - lost)))
