"""The classes of a topic's ontologies, as one hierarchy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ontology.enrichment.labels import Labels
from ontology.model import Concept, Ontology
from ontology.reachable import reachable
from ontology.terms import word_novelty
from ontology.terms.wordforms import has_han, normal


def is_loose(form: str, concept: Concept) -> bool:
    """Return whether a name of a class is a common word of the language, and no part of the label.

    >>> convection = Concept("#C", "强对流天气", "severe convective weather", alt_en=("storm", "thunderstorm"))
    >>> [form for _, form in convection.forms() if is_loose(form, convection)]
    ['storm']
    """
    label = (concept.label_zh if has_han(form) else concept.label_en) or concept.label
    return " " not in form and normal(form) not in normal(label) and word_novelty(normal(form)) == 0


class Classes:
    """The classes of some ontologies; one that several ontologies have is one class.

    Args:
        ontologies: the ontologies of a topic, the global one first.
    """

    def __init__(self, ontologies: Sequence[Ontology]) -> None:
        self.ontologies = tuple(ontologies)
        self.concepts: dict[str, Concept] = {c.iri: c for o in ontologies for c in o.concepts}
        self.roots = frozenset(o.root for o in ontologies)
        self._parents: defaultdict[str, set[str]] = defaultdict(set)
        for o in ontologies:
            for iri, parents in o.parents.items():
                self._parents[iri].update(parents)
        self._above: dict[str, frozenset[str]] = {}

    @cached_property
    def labels(self) -> Labels:
        """The labels of all classes."""
        return Labels(self.concepts.values())

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """Language -> surface form -> class, without loose names; of equal forms that of the smallest IRI counts.

        A loose name is a common word of the language that is an other name of a class and no part of its label, as
        *storm* of severe convective weather: it stands for more than the class.
        """
        forms: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
        for concept in sorted(self.concepts.values(), key=lambda c: c.iri):
            for language, form in concept.forms():
                if not is_loose(form, concept):
                    forms[language].setdefault(form, concept.iri)
        return forms

    def label(self, iri: str | None) -> str | None:
        """Return the preferred label of a class, None for no class."""
        return self.concepts[iri].label if iri is not None else None

    def above(self, iri: str) -> frozenset[str]:
        """Return a class and all its superclasses."""
        if iri not in self._above:
            self._above[iri] = frozenset(reachable(iri, lambda node: sorted(self._parents[node])))
        return self._above[iri]

    def are_kinds(self, one: str, other: str) -> bool:
        """Return whether one of two classes is a kind of the other."""
        return other in self.above(one) or one in self.above(other)

    def depth(self, iri: str) -> int:
        """Return the number of superclasses of a class, which is larger for a more specific one."""
        return len(self.above(iri)) - 1

    @cached_property
    def related(self) -> frozenset[tuple[str, str, str]]:
        """(source, kind, target) of the relations that the ontologies have besides is-a."""
        return frozenset(
            (r.source, r.kind, r.target)
            for ontology in self.ontologies
            for r in ontology.relations
            if r.kind != "subclass_of"
        )

    def has_relation(self, source: str, kind: str, target: str) -> bool:
        """Return whether a relation is stated of two classes, or of superclasses of theirs."""
        return any((s, kind, t) in self.related for s in self.above(source) for t in self.above(target))
