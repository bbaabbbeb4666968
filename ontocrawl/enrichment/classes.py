"""The classes that a reviewer can name: those of a topic's ontologies, and those accepted since the last version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ontology.decisions import Decision, in_force
from ontology.decisions.decision import CLASS
from ontology.model import Concept, Ontology
from ontology.similarity.naming import folded_name, nearest_names

MOST_CHOICES = 9
"""Largest number of classes that are suggested: one key chooses among them."""
_DEEPEST = 30
"""Largest number of classes on a path, so that a cycle in a damaged file ends."""


@dataclass(frozen=True)
class Classes:
    """The classes of a topic.

    Attributes:
        ontologies: the ontologies, the global one first.
        accepted: label of each class that is accepted and in no ontology yet -> label of its parent, empty for none.
    """

    ontologies: Sequence[Ontology]
    accepted: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, ontologies: Sequence[Ontology], decisions: Iterable[Decision]) -> Classes:
        """Collect the classes of ontologies, and those of the decisions in force that no ontology has yet."""
        known = cls(ontologies)
        accepted: dict[str, str] = {}
        for decision in in_force(decisions):
            if decision.relation not in ("subclass_of", CLASS) or known.named(decision.term) is not None:
                continue
            if decision.action in ("accept", "move"):
                accepted[decision.term] = decision.value
            elif decision.relation == CLASS:
                accepted.pop(decision.term, None)
        return cls(ontologies, accepted)

    @cached_property
    def _by_iri(self) -> Mapping[str, Concept]:
        return {c.iri: c for ontology in reversed(self.ontologies) for c in ontology.concepts}

    @cached_property
    def _by_name(self) -> Mapping[str, Concept]:
        """Class by folded name; a label takes precedence over another name of a different class."""
        concepts = sorted(self._by_iri.values(), key=lambda c: c.iri, reverse=True)
        names = {folded_name(form): c for c in concepts for _, form in c.forms()}
        return names | {folded_name(c.label): c for c in concepts}

    @cached_property
    def _accepted_by_name(self) -> Mapping[str, str]:
        return {folded_name(label): label for label in self.accepted}

    def has(self, iri: str) -> bool:
        """Return whether an IRI is that of a class of the ontologies."""
        return iri in self._by_iri

    def iri(self, label: str) -> str:
        """Return the IRI of a class of the ontologies by its label or another name; empty for any other text."""
        found = self._by_name.get(folded_name(label))
        return found.iri if found else ""

    def named(self, name: str) -> str | None:
        """Return the label of the class with a name: a label, another name or an IRI; None if there is none."""
        if name in self._by_iri:
            return self._by_iri[name].label
        found = self._by_name.get(folded_name(name))
        return found.label if found else self._accepted_by_name.get(folded_name(name))

    def english(self, label: str) -> str:
        """Return the English label of a class; empty if it has none, or no other."""
        found = self._by_name.get(folded_name(label))
        return found.label_en or "" if found and found.label_en != found.label else ""

    def nearest(self, text: str, *, n: int = MOST_CHOICES) -> tuple[str, ...]:
        """Return the labels of the classes with the names most similar to a text, best first.

        Args:
            text: what a person typed, or a term.
            n: largest number of labels.
        """
        names = [form for c in self._by_iri.values() for _, form in c.forms()]
        near = nearest_names(text, [*names, *self.accepted], n=4 * n)
        labels = dict.fromkeys(label for name in near if (label := self.named(name)) is not None)
        return tuple(labels)[:n]

    def path(self, label: str) -> tuple[str, ...]:
        """Return the labels from a root to a class, itself included; of several ways up the first of each class."""
        way = [label]
        while len(way) < _DEEPEST and (above := self._above(way[-1])) and above not in way:
            way.append(above)
        return tuple(reversed(way))

    def _above(self, label: str) -> str:
        iri = self.iri(label)
        if not iri:
            parent = self.accepted.get(self._accepted_by_name.get(folded_name(label), ""), "")
            return self.named(parent) or ""
        parents = (ontology.parents.get(iri, ()) for ontology in self.ontologies)
        return next((self._by_iri[above[0]].label for above in parents if above), "")

    def children(self, label: str) -> tuple[str, ...]:
        """Return the labels of the classes directly below one; those that are only accepted come last."""
        iri = self.iri(label)
        below = dict.fromkeys(
            self._by_iri[child].label for ontology in self.ontologies for child in ontology.children.get(iri, ())
        )
        waiting = (new for new, parent in self.accepted.items() if (self.named(parent) or parent) == label)
        return tuple(dict.fromkeys((*below, *waiting)))
