"""Join several ontologies into one, in which concepts with equal labels are one concept.

Reconstruction; the papers publish no procedure. Two ontologies that were written or learned separately have two IRIs
for one concept. Here concepts of different ontologies are matched by their preferred labels:

* Equal IRIs are one concept and need no match.
* Equal Chinese labels match. If one of the two concepts has no Chinese label, equal English labels match. Two
  different Chinese labels with one English gloss do not.
* Labels are compared as NFKC, case-folded, with white space collapsed. Chinese labels are matched before English ones.
* Concepts of the same ontology never become one.

`ontology.hierarchy.merge` then merges the later ontologies into the first one and reports where they disagree.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal

from ontology.hierarchy.merge import Conflict, merge
from ontology.model import Concept, Ontology, Relation
from ontology.terms.wordforms import fold

_LANGUAGES: tuple[Literal["zh", "en"], ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Match:
    """A concept of a later ontology that is the same as one of an earlier ontology, and the label that they share."""

    source: str
    """IRI of the concept in the later ontology."""
    target: str
    """IRI of the concept in the earlier ontology. It may be the source of a match with a still earlier one."""
    label: str
    """The shared label, as the later ontology writes it."""
    language: str
    """Language of the label, "zh" or "en"."""


@dataclass(frozen=True)
class Joined:
    """One ontology made of several, with the matched concepts and the conflicts."""

    ontology: Ontology
    sources: Mapping[str, tuple[str, ...]]
    """Concept IRI -> keys (`Ontology.key`) of the ontologies that have the concept, in the order of joining."""
    matches: tuple[Match, ...]
    conflicts: tuple[Conflict, ...]


def join(ontologies: Sequence[Ontology], *, iri: str) -> Joined:
    """Join ontologies into one in which concepts with equal labels are one concept.

    The root, the kind, the topic and the titles are those of the first ontology; its edges stay. The roots of the
    others become children of its root, unless they have a place there. A concept keeps its IRI in the first ontology
    that has it.

    Args:
        ontologies: one or more ontologies, each without a cycle. A single one is returned unchanged.
        iri: IRI of the joined ontology; not used for a single one.

    Returns:
        The joined ontology, without a cycle; its version depends on the IRIs and versions of the parts, and its licence
        is empty unless all parts have the same one. The sources, the matches, and the conflicts of `merge`.

    Raises:
        ValueError: ``ontologies`` is empty.

    >>> def ontology(iri, root, *labels):
    ...     concepts = tuple(Concept(f"{iri}#{label}", "", label) for label in (root, *labels))
    ...     edges = tuple(Relation(c.iri, "subclass_of", concepts[0].iri) for c in concepts[1:])
    ...     return Ontology(iri, "global", "t", "1", concepts[0].iri, concepts, edges)
    >>> joined = join([ontology("a", "disaster", "flood"), ontology("b", "hazard", "Flood", "drought")], iri="ab")
    >>> [concept.iri for concept in joined.ontology.concepts]
    ['a#disaster', 'a#flood', 'b#hazard', 'b#drought']
    >>> joined.matches
    (Match(source='b#Flood', target='a#flood', label='Flood', language='en'),)
    >>> joined.sources["a#flood"]
    ('a', 'b')
    >>> joined.conflicts
    ()
    """
    if not ontologies:
        raise ValueError("expected at least one ontology to join, found none")
    if len(ontologies) == 1:
        return Joined(ontologies[0], _sources(ontologies), (), ())
    matches = equal_labels(ontologies)
    parts = _parts(ontologies, matches)
    merged = merge(parts[0], parts[1:])
    whole = _headed(merged.ontology, ontologies, iri)
    return Joined(whole, _sources(parts), matches, merged.conflicts)


def equal_labels(ontologies: Sequence[Ontology]) -> tuple[Match, ...]:
    """Match the concepts of each ontology with those of earlier ones by their preferred labels.

    Args:
        ontologies: the ontologies, in the order in which they are joined.

    Returns:
        At most one match for each concept, with the first earlier concept that fits; by ontology, matches by Chinese
        labels first. A match that would make two concepts of one ontology the same is left out.
    """
    groups = _Groups(ontologies)
    matches = []
    for ontology in ontologies:
        known = [c for c in ontology.concepts if c.iri in groups.leader]
        new = [c for c in ontology.concepts if c.iri not in groups.leader]
        for concept in known:
            groups.add_labels(concept)
        for language in _LANGUAGES:
            matches += [match for concept in new if (match := groups.match(concept, language))]
        for concept in new:
            groups.leader.setdefault(concept.iri, concept.iri)
            groups.add_labels(concept)
    return tuple(matches)


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
        self._chinese: defaultdict[str, set[str]] = defaultdict(set)
        """First IRI of a group -> its Chinese labels."""
        self._labelled: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        """(language, label) -> the IRIs with this label, in order."""
        for position, ontology in enumerate(ontologies):
            for concept in ontology.concepts:
                self._ontologies[concept.iri].add(position)

    def match(self, concept: Concept, language: Literal["zh", "en"]) -> Match | None:
        """Put a new concept into the first group that fits by a label of this language; None if there is none."""
        label = _label(concept, language)
        if concept.iri in self.leader or not _compared(label):
            return None
        has_chinese = bool(_compared(concept.label_zh))
        for target in self._labelled[language, _compared(label)]:
            leader = self.leader[target]
            if language == "en" and has_chinese and self._chinese[leader]:
                continue  # the Chinese labels differ
            if not self._ontologies[leader].isdisjoint(self._ontologies[concept.iri]):
                return None  # two concepts of one ontology would become one
            self.leader[concept.iri] = leader
            self._ontologies[leader] |= self._ontologies[concept.iri]
            return Match(concept.iri, target, label, language)
        return None

    def add_labels(self, concept: Concept) -> None:
        """Let later concepts match this one by its labels."""
        for language in _LANGUAGES:
            compared = _compared(_label(concept, language))
            if compared:
                self._labelled[language, compared].append(concept.iri)
        chinese = _compared(concept.label_zh)
        if chinese:
            self._chinese[self.leader[concept.iri]].add(chinese)


def _label(concept: Concept, language: Literal["zh", "en"]) -> str:
    return concept.label_zh if language == "zh" else concept.label_en or ""


def _compared(label: str) -> str:
    """Return the form of a label in which labels are compared."""
    return " ".join(fold(label).split())


def _parts(ontologies: Sequence[Ontology], matches: Sequence[Match]) -> list[Ontology]:
    """Return the ontologies with one IRI for each group of matched concepts."""
    iris: dict[str, str] = {}
    for match in matches:  # a target is of an earlier ontology, so that its match came before
        iris[match.source] = iris.get(match.target, match.target)
    return [renamed(ontology, iris) for ontology in ontologies]


def _sources(ontologies: Sequence[Ontology]) -> dict[str, tuple[str, ...]]:
    keys: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for ontology in ontologies:
        for concept in ontology.concepts:
            keys[concept.iri][ontology.key] = None
    return {iri: tuple(names) for iri, names in keys.items()}


def _headed(merged: Ontology, ontologies: Sequence[Ontology], iri: str) -> Ontology:
    """Return the merged ontology with its IRI, version, comment and licence."""
    parts = [(o.iri, o.version) for o in ontologies]
    licences = {o.licence for o in ontologies}
    return replace(
        merged,
        iri=iri,
        version=f"0.1.0+{blake2b(json.dumps(parts).encode(), digest_size=6).hexdigest()}",
        comment=f"Joined by equal labels from {', '.join(f'{name} {version}' for name, version in parts)}.",
        licence=licences.pop() if len(licences) == 1 else "",
    )
