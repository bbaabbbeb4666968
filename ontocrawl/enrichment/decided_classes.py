"""The classes of a topic as they will be: its ontologies with the decisions in force applied."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding, hand_edits
from ontology.decisions import Decision
from ontology.decisions.applying import UP, apply
from ontology.decisions.facts import Facts
from ontology.model import Concept, Ontology
from ontology.reachable import reachable
from ontology.terms.wordforms import normal


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

    def find(self, name: str) -> Concept | None:
        """Return the class with an IRI, a label or another name; None if there is none."""
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
