"""Join several ontologies into one, in which concepts that are mapped to each other are one concept.

Reconstruction; the papers publish no procedure. Two ontologies that were written or learned separately have two IRIs
for one concept. Here concepts of different ontologies become one by their exact mappings:

* Equal IRIs are one concept and need no mapping.
* `ontology.mapping.align` finds the others, by equal labels first, and then by a label that is a synonym of one
  other concept, with a second name that both have; or a person gives them, in an SSSOM file.
* Two different Chinese labels with one English gloss do not match, nor do two groups of concepts that are one already
  and have different Chinese labels, by an English name.
* Concepts of the same ontology never become one.

`ontology.hierarchy.merge` then merges the later ontologies into the first one and reports where they disagree.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from ontology.hierarchy.merge import Conflict, merge
from ontology.mapping import align
from ontology.mapping.mappings import TermMapping, joined_pairs, turned
from ontology.model import Concept, Ontology, Relation


@dataclass(frozen=True)
class Joined:
    """One ontology made of several, with the matched concepts and the conflicts."""

    ontology: Ontology
    sources: Mapping[str, tuple[str, ...]]
    """Concept IRI -> keys (`Ontology.key`) of the ontologies that have the concept, in the order of joining."""
    matches: tuple[TermMapping, ...]
    """The mapping of each concept of a later ontology that is one with a concept of an earlier one, the object."""
    conflicts: tuple[Conflict, ...]


def join(ontologies: Sequence[Ontology], *, iri: str, mappings: Sequence[TermMapping] | None = None) -> Joined:
    """Join ontologies into one in which concepts that are mapped to each other are one concept.

    The root, the kind, the topic and the titles are those of the first ontology; its edges stay. The roots of the
    others become children of its root, unless they have a place there. A concept keeps its IRI in the first ontology
    that has it.

    Args:
        ontologies: one or more ontologies, each without a cycle. A single one is returned unchanged.
        iri: IRI of the joined ontology; not used for a single one.
        mappings: the mappings to join by; those that `matches` finds if None.

    Returns:
        The joined ontology, without a cycle; its version depends on the IRIs and versions of the parts, and on given
        mappings, and its licence is empty unless all parts have the same one. The sources, the matches, and the
        conflicts of `merge`.

    Raises:
        ValueError: ``ontologies`` is empty.

    >>> def ontology(iri, root, *labels):
    ...     concepts = tuple(Concept(f"{iri}#{label}", "", label) for label in (root, *labels))
    ...     edges = tuple(Relation(c.iri, "subclass_of", concepts[0].iri) for c in concepts[1:])
    ...     return Ontology(iri, "global", "t", "1", concepts[0].iri, concepts, edges)
    >>> joined = join([ontology("a", "disaster", "flood"), ontology("b", "hazard", "Floods", "drought")], iri="ab")
    >>> [concept.iri for concept in joined.ontology.concepts]
    ['a#disaster', 'a#flood', 'b#hazard', 'b#drought']
    >>> [(m.subject, m.object, m.match_string, m.comment) for m in joined.matches]
    [('b#Floods', 'a#flood', 'flood', 'equal labels')]
    >>> joined.sources["a#flood"]
    ('a', 'b')
    >>> joined.conflicts
    ()
    """
    if not ontologies:
        raise ValueError("expected at least one ontology to join, found none")
    if len(ontologies) == 1:
        return Joined(ontologies[0], _sources(ontologies), (), ())
    matched = matches(ontologies, mappings)
    parts = _parts(ontologies, matched)
    merged = merge(parts[0], parts[1:])
    given = () if mappings is None else tuple(sorted((m.subject, m.object) for m in joined_pairs(mappings)))
    whole = _headed(merged.ontology, ontologies, iri, given)
    return Joined(whole, _sources(parts), matched, merged.conflicts)


def matches(ontologies: Sequence[Ontology], mappings: Sequence[TermMapping] | None = None) -> tuple[TermMapping, ...]:
    """Choose the mappings by which concepts of each ontology are one with concepts of earlier ones.

    Args:
        ontologies: the ontologies, in the order in which they are joined.
        mappings: the mappings to choose from, read in both directions; those of `ontology.mapping.align` if None.

    Returns:
        At most one mapping for each concept of a later ontology, which is the subject. The object is the first concept
        of those that are one with it. A mapping that would make two concepts of one ontology the same is left out.
    """
    groups = _Groups(ontologies)
    chosen: list[TermMapping] = []
    earlier: list[Concept] = []
    for ontology in ontologies:
        new = {c.iri: c for c in ontology.concepts if c.iri not in groups.leader}
        rows = align(tuple(new.values()), earlier, heads=False) if mappings is None else mappings
        for row in joined_pairs(rows):
            mine = turned(row) if row.object in new else row
            if mine.subject in new and groups.unite(mine):
                chosen.append(mine)
        for concept in ontology.concepts:
            leader = groups.leader.setdefault(concept.iri, concept.iri)
            earlier.append(replace(concept, iri=leader))
    return tuple(chosen)


def renamed(ontology: Ontology, iris: Mapping[str, str]) -> Ontology:
    """Replace the IRIs of concepts, also in the root and in the ends of relations.

    Args:
        ontology: the ontology.
        iris: old IRI -> new IRI. Unlisted IRIs are kept; IRIs that the ontology lacks are ignored.

    Returns:
        The ontology with the new IRIs, in the same order.

    Raises:
        ValueError: two concepts get the same IRI.

    >>> flood = Concept("a#Flood", "洪水")
    >>> renamed(Ontology("a", "global", "t", "1", flood.iri, (flood,), ()), {"a#Flood": "b#Flood"}).root
    'b#Flood'
    """
    concepts = tuple(replace(c, iri=iris.get(c.iri, c.iri)) for c in ontology.concepts)
    live = {c.iri for c in concepts}
    return replace(
        ontology,
        root=iris.get(ontology.root, ontology.root),
        concepts=concepts,
        deprecated=tuple(
            replace(c, replaced_by=tuple(iris.get(iri, iri) for iri in c.replaced_by))
            for c in ontology.deprecated
            if c.iri not in live
        ),
        relations=tuple(_renamed_relation(r, iris) for r in ontology.relations),
    )


def _renamed_relation(relation: Relation, iris: Mapping[str, str]) -> Relation:
    ends = (iris.get(relation.source, relation.source), iris.get(relation.target, relation.target))
    source, target = sorted(ends) if relation.kind == "equivalent_to" else ends
    return replace(relation, source=source, target=target)


class _Groups:
    """Groups of concepts that are one concept, while ontologies are matched one after the other.

    Args:
        ontologies: all ontologies that will be matched. Two concepts of a later one are never put into one group.
    """

    def __init__(self, ontologies: Sequence[Ontology]) -> None:
        self.leader: dict[str, str] = {}
        """IRI -> the first IRI of its group."""
        self._ontologies: defaultdict[str, set[int]] = defaultdict(set)
        """First IRI of a group -> positions of the ontologies that have a concept of the group."""
        for position, ontology in enumerate(ontologies):
            for concept in ontology.concepts:
                self._ontologies[concept.iri].add(position)

    def unite(self, row: TermMapping) -> bool:
        """Put the row's subject, which is new, into the group of its object; return whether that is allowed."""
        leader = self.leader.get(row.object)
        if leader is None or row.subject in self.leader:
            return False
        if not self._ontologies[leader].isdisjoint(self._ontologies[row.subject]):
            return False  # two concepts of one ontology would become one
        self.leader[row.subject] = leader
        self._ontologies[leader] |= self._ontologies[row.subject]
        return True


def _parts(ontologies: Sequence[Ontology], matched: Sequence[TermMapping]) -> list[Ontology]:
    """Return the ontologies with one IRI for each group of matched concepts."""
    iris: dict[str, str] = {}
    for row in matched:  # an object is of an earlier ontology, so that its match came before
        iris[row.subject] = iris.get(row.object, row.object)
    return [renamed(ontology, iris) for ontology in ontologies]


def _sources(ontologies: Sequence[Ontology]) -> dict[str, tuple[str, ...]]:
    keys: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for ontology in ontologies:
        for concept in ontology.concepts:
            keys[concept.iri][ontology.key] = None
    return {iri: tuple(names) for iri, names in keys.items()}


def _headed(merged: Ontology, ontologies: Sequence[Ontology], iri: str, given: Sequence[tuple[str, str]]) -> Ontology:
    """Return the merged ontology with its IRI, version, comment and licence."""
    parts = [(o.iri, o.version) for o in ontologies]
    deciding = [*parts, *given]
    licences = {o.licence for o in ontologies}
    return replace(
        merged,
        iri=iri,
        version=f"0.1.0+{blake2b(json.dumps(deciding).encode(), digest_size=6).hexdigest()}",
        comment=f"Joined by mappings of names from {', '.join(f'{name} {version}' for name, version in parts)}.",
        licence=licences.pop() if len(licences) == 1 else "",
    )
