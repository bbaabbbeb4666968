"""The classes that a reviewer can name, with their places: those of a topic's ontologies with its decisions applied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment.decided_classes import DecidedClasses
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding
from ontology.decisions import table
from ontology.enrichment import Proposal
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


# ---- what is around the place that a proposal names, and the classes that a reviewer may mean instead


def hierarchy_of(space: Workspace, topic: Topic) -> Hierarchy:
    """Return the classes of a topic with all decisions of the workspace so far."""
    decisions = table.numbered(table.read(deciding.of_workspace(space, topic.name)))
    return Hierarchy(DecidedClasses(topic, decisions))


@dataclass(frozen=True)
class Neighbours:
    """The place that a proposal names.

    Attributes:
        target: the class that it names: a parent, the class of a name, or the other end of a relation; None if it
            names none, or if it is no class any more.
        path: labels from the root to that class.
        names: other names of that class.
        below: the classes directly below it; those beside a new class.
        is_gone: whether the class is no class any more.
    """

    target: Concept | None
    path: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    below: tuple[Concept, ...] = ()
    is_gone: bool = False


def neighbours(hierarchy: Hierarchy, one: Proposal) -> Neighbours:
    """Return what is around the place that a proposal names, as the classes are decided now."""
    target = hierarchy.find(one.target) or hierarchy.find(one.target_label)
    if target is None:
        return Neighbours(None, is_gone=one.target is not None)
    names = tuple(dict.fromkeys(form for _, form in target.forms() if form != target.label))
    return Neighbours(target, hierarchy.path(target), names, hierarchy.children(target))


def choices(hierarchy: Hierarchy, one: Proposal, step: str, typed: str = "") -> tuple[Concept, ...]:
    """Return the classes that a reviewer may mean while a text is typed, best first.

    Args:
        hierarchy: the classes.
        one: the proposal.
        step: "move" or "merge"; for "rename", which needs a name and no class, there are none.
        typed: what is typed so far. Without a text, or with a number, the classes are those that the build found for a
            term that waits for a place, those near the term, then those around the suggested class.
    """
    text = typed.strip()
    if step == "rename":
        return ()
    if text and not text.isdecimal():
        return hierarchy.nearest(text)
    target = hierarchy.find(one.target) or hierarchy.find(one.target_label)
    around = hierarchy.around(target) if target else ()
    places = (c for place in one.places if (c := hierarchy.find(place)) is not None)
    near = hierarchy.nearest(one.term, n=MOST_CHOICES // 2)
    found = {c.iri: c for c in (*places, *near, *around) if step == "merge" or c != target}
    return tuple(found.values())[:MOST_CHOICES]
