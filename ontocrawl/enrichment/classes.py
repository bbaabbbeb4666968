"""The classes that a reviewer can name, with their places: those of a topic's ontologies with its decisions applied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ontology.model import Concept
from ontology.similarity.naming import nearest_names

if TYPE_CHECKING:
    from ontocrawl.enrichment.decided_classes import DecidedClasses

MOST_CHOICES = 6
"""Largest number of classes that are suggested to a reviewer."""
_DEEPEST = 30
"""Largest number of classes on a path, so that a cycle in a damaged file ends."""


@dataclass(frozen=True)
class Hierarchy:
    """The classes as they are decided now."""

    classes: DecidedClasses

    def find(self, name: str | None) -> Concept | None:
        """Return the class with an IRI, a label or another name; None if there is none."""
        return self.classes.find(name) if name else None

    @cached_property
    def _names(self) -> list[str]:
        return [form for ontology in self.classes.ontologies for c in ontology.concepts for _, form in c.forms()]

    def nearest(self, text: str, *, n: int = MOST_CHOICES) -> tuple[Concept, ...]:
        """Return the classes with the names most similar to a text, best first.

        Args:
            text: what a person typed, or a term.
            n: largest number of classes.
        """
        found = {c.iri: c for name in nearest_names(text, self._names, n=4 * n) if (c := self.find(name)) is not None}
        return tuple(found.values())[:n]

    def path(self, concept: Concept) -> tuple[str, ...]:
        """Return the labels of `way`."""
        return tuple(c.label for c in self.way(concept))

    def way(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the classes from a root to a class, itself included; of several parents the first counts."""
        way = [concept]
        while len(way) < _DEEPEST and (above := self._above(way[-1])) is not None and above not in way:
            way.append(above)
        return tuple(reversed(way))

    def _above(self, concept: Concept) -> Concept | None:
        found = (ontology.parents.get(concept.iri, ()) for ontology in self.classes.ontologies)
        return next((self.find(parents[0]) for parents in found if parents), None)

    def children(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the classes directly below a class."""
        iris = (iri for o in self.classes.ontologies for iri in o.children.get(concept.iri, ()))
        return tuple(c for iri in dict.fromkeys(iris) if (c := self.find(iri)) is not None)

    def siblings(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the other classes directly below the class above a class."""
        above = self._above(concept)
        return tuple(c for c in self.children(above) if c != concept) if above else ()

    def around(self, concept: Concept) -> tuple[Concept, ...]:
        """Return a class, those directly below it, and that above it: where a wrong place is put right most often."""
        above = self._above(concept)
        return (concept, *self.children(concept), *((above,) if above else ()))
