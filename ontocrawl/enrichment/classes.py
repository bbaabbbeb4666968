"""The classes of a topic as they will be, with the decisions in force applied: their names and their places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding, hand_edits
from ontology.decisions import Decision, table
from ontology.decisions.applying import UP, apply
from ontology.decisions.facts import Facts
from ontology.enrichment import Proposal
from ontology.model import Concept, Ontology
from ontology.reachable import reachable
from ontology.similarity.naming import nearest_names
from ontology.terms.wordforms import normal

_MOST_CHOICES = 6
"""Largest number of classes that are suggested to a reviewer."""
_DEEPEST = 30
"""Largest number of classes on a path, so that a cycle in a damaged file ends."""


class DecidedClasses:
    """The classes of a topic's ontologies after its decisions.

    Args:
        topic: the topic.
        decisions: all decisions about it, withdrawn ones included.
    """

    def __init__(self, topic: Topic, decisions: Iterable[Decision]) -> None:
        self._decisions = tuple(decisions)
        self._before = topic.ontologies
        self.register = deciding.register_of(topic.workspace.ontologies / topic.name, self._before)

    @cached_property
    def ontologies(self) -> tuple[Ontology, ...]:
        """The ontologies as decided."""
        present = {c.label: c.iri for o in self._before for c in o.concepts}
        resolve = hand_edits.resolver(self.register, self._decisions, present)
        made = []
        for ontology in self._before:
            local = deciding.local_name(ontology)
            facts = Facts.of(self._decisions, resolve, local=local)
            made.append(apply(ontology, facts, local=local, label_of=self.register.label).ontology)
        return tuple(made)

    @cached_property
    def _by_iri(self) -> dict[str, Concept]:
        return {c.iri: c for o in reversed(self.ontologies) for c in o.concepts}

    @cached_property
    def _by_name(self) -> dict[str, Concept]:
        """Normalised name -> the class that it names; labels precede further names."""
        concepts = list(self._by_iri.values())
        names = {normal(form): c for c in reversed(concepts) for _, form in reversed(list(c.forms()))}
        return names | {normal(text): c for c in reversed(concepts) for text in (c.label_en, c.label) if text}

    @property
    def labels(self) -> list[str]:
        """The labels of all classes."""
        return [c.label for c in self._by_iri.values()]

    def find(self, name: str | None) -> Concept | None:
        """Return the class with an IRI, a label or another name; None if there is none."""
        if not name:
            return None
        return self._by_iri.get(name) or self._by_name.get(normal(" ".join(name.split())))

    def is_below(self, low: str, high: str) -> bool:
        """Return whether a class is another, or a kind or a part of it; both are given by IRI."""
        return low in reachable(high, lambda iri: self._narrower.get(iri, ()))

    @cached_property
    def _narrower(self) -> dict[str, list[str]]:
        below: defaultdict[str, list[str]] = defaultdict(list)
        for ontology in self.ontologies:
            for r in ontology.relations:
                if r.kind in UP:
                    below[r.target].append(r.source)
        return dict(below)

    @cached_property
    def _names(self) -> list[str]:
        return [form for ontology in self.ontologies for c in ontology.concepts for _, form in c.forms()]

    def nearest(self, text: str, *, n: int = _MOST_CHOICES) -> tuple[Concept, ...]:
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
        found = (ontology.parents.get(concept.iri, ()) for ontology in self.ontologies)
        return next((self.find(parents[0]) for parents in found if parents), None)

    def children(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the classes directly below a class."""
        iris = (iri for o in self.ontologies for iri in o.children.get(concept.iri, ()))
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


def classes_of(space: Workspace, topic: Topic) -> DecidedClasses:
    """Return the classes of a topic with all decisions of the workspace so far."""
    return DecidedClasses(topic, table.numbered(table.read(deciding.of_workspace(space, topic.name))))


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


def neighbours(classes: DecidedClasses, one: Proposal) -> Neighbours:
    """Return what is around the place that a proposal names, as the classes are decided now."""
    target = classes.find(one.target) or classes.find(one.target_label)
    if target is None:
        return Neighbours(None, is_gone=one.target is not None)
    names = tuple(dict.fromkeys(form for _, form in target.forms() if form != target.label))
    return Neighbours(target, classes.path(target), names, classes.children(target))


def choices(classes: DecidedClasses, one: Proposal, step: str, typed: str = "") -> tuple[Concept, ...]:
    """Return the classes that a reviewer may mean while a text is typed, best first.

    Args:
        classes: the classes.
        one: the proposal.
        step: "move" or "merge"; for "rename", which needs a name and no class, there are none.
        typed: what is typed so far. Without a text, or with a number, the classes are those that the build found for a
            term that waits for a place, those near the term, then those around the suggested class.
    """
    text = typed.strip()
    if step == "rename":
        return ()
    if text and not text.isdecimal():
        return classes.nearest(text)
    target = classes.find(one.target) or classes.find(one.target_label)
    around = classes.around(target) if target else ()
    places = (c for place in one.places if (c := classes.find(place)) is not None)
    near = classes.nearest(one.term, n=_MOST_CHOICES // 2)
    found = {c.iri: c for c in (*places, *near, *around) if step == "merge" or c != target}
    return tuple(found.values())[:_MOST_CHOICES]
