"""What decisions come to: of all decisions about one thing, the last.

A move is a rejected and an accepted edge, a rename a label and another name. So a few kinds of facts say everything,
each with the decision that it is from:

* of a class: it is one, it is none, or others stand in its place
* of an edge, another name or a cross-reference: it is there, or it is not
* of a label, a definition or a field of the header: its text
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ontology.decisions.decision import CLASS, HEADER_FIELDS, IRI, NAMES, SCOPED, XREF, Decision, in_force
from ontology.model import RelationKind

Edge = tuple[RelationKind, str, str]
"""Kind, IRI of the source and IRI of the target of a relation."""
Resolve = Callable[[str], str]
"""Returns the IRI of the class that a label or an IRI names."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something is so, or the text that it has, with the decision."""

    decision: Decision
    holds: bool = True
    text: str = ""
    instead: tuple[str, ...] = ()
    """IRIs of the classes in place of one that is none."""


@dataclass
class Facts:
    """The facts of some decisions, by IRI.

    Attributes:
        classes: IRI -> whether it is a class, or what stands in its place.
        edges: kind, source and target -> whether the edge is there.
        names: IRI, language and text -> whether it is another name; the text of the verdict is its scope.
        xrefs: IRI and text -> whether it is a cross-reference.
        labels: IRI and language -> the label.
        definitions: IRI and language -> the definition.
        iris: IRI -> the IRI that a person gave the class.
        late: those of the edges whose target had been rejected as a class before.
        header: field of the ontology -> its text.
    """

    classes: dict[str, Verdict] = field(default_factory=dict)
    edges: dict[Edge, Verdict] = field(default_factory=dict)
    names: dict[tuple[str, str, str], Verdict] = field(default_factory=dict)
    xrefs: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    labels: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    definitions: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    iris: dict[str, Verdict] = field(default_factory=dict)
    header: dict[str, Verdict] = field(default_factory=dict)
    late: dict[Edge, Verdict] = field(default_factory=dict)

    @classmethod
    def of(cls, decisions: Iterable[Decision], resolve: Resolve, *, local: str | None = None) -> Facts:
        """Collect the facts of decisions.

        Args:
            decisions: in the order in which they were made; those that were withdrawn are left out here.
            resolve: returns the IRI of a class by label or IRI.
            local: name of a local ontology, to leave out the decisions about others; "" for the global ontology, None
                for all decisions.
        """
        facts = cls()
        for decision in in_force(decisions):
            if local is None or decision.ontology in ("", local):
                facts._add(decision, resolve)
        return facts

    def _add(self, d: Decision, resolve: Resolve) -> None:
        if d.relation in HEADER_FIELDS:
            self.header[d.relation] = Verdict(d, text=d.value)
            return
        term = resolve(d.term)
        holds = d.action != "reject"
        if d.is_edge:
            key = _edge(d.relation, term, resolve(d.value))
            self.edges[key] = Verdict(d, holds)
            self.late.pop(key, None)
            if self._is_none(key[2]):
                self.late[key] = self.edges[key]
            if d.action == "move" and d.old:
                self.edges[_edge(d.relation, term, resolve(d.old))] = Verdict(d, holds=False)
        elif d.relation == CLASS:
            self.classes[term] = Verdict(d, holds)
        elif d.relation in NAMES:
            label = self.labels.get((term, d.language or "zh"))
            if not holds and label and label.text == d.value:
                del self.labels[term, d.language or "zh"]
            self.names[term, d.language or "zh", d.value] = Verdict(d, holds, text=SCOPED.get(d.relation, ""))
        elif d.relation == XREF:
            self.xrefs[term, d.value] = Verdict(d, holds)
        elif d.relation == IRI:
            self.iris[term] = Verdict(d, text=d.value)
        elif d.action == "merge":
            self.classes[term] = Verdict(d, holds=False, instead=(resolve(d.value),))
        elif d.action == "split":
            self.classes[term] = Verdict(d, holds=False, instead=tuple(map(resolve, d.parts)))
        elif d.action == "define":
            self.definitions[term, d.language] = Verdict(d, text=d.value)
        else:
            self.names.pop((term, d.language, d.value), None)
            self.labels[term, d.language] = Verdict(d, text=d.value)

    def wanted(self) -> Mapping[str, Decision]:
        """Return the IRIs of the classes that stay, since a person said something of them -> the first decision.

        That an edge is not there says nothing against its source. A class that was placed under a rejected one only is
        set apart: it is not wanted before a person places it elsewhere.
        """
        wanted: dict[str, Decision] = {}
        apart = self._apart()
        for iri, verdict in self._positive():
            if iri not in apart and (iri not in self.classes or self.classes[iri].holds):
                wanted.setdefault(iri, verdict.decision)
        return wanted

    def _is_none(self, iri: str) -> bool:
        """Return whether a person said that it is no class, without others in its place."""
        return iri in self.classes and not self.classes[iri].holds and not self.classes[iri].instead

    def _apart(self) -> set[str]:
        """Return the IRIs of the classes that are placed under classes only which had been rejected before."""
        places: dict[str, set[bool]] = {}
        for key, verdict in self.edges.items():
            if key[0] == "subclass_of" and verdict.holds:
                places.setdefault(key[1], set()).add(key in self.late and self._is_none(key[2]))
        return {iri for iri, found in places.items() if found == {True} and iri not in self.classes}

    def _positive(self) -> Iterator[tuple[str, Verdict]]:
        for iri, verdict in self.classes.items():
            if verdict.holds:
                yield iri, verdict
            yield from ((other, verdict) for other in verdict.instead)
        for (_, source, target), verdict in self.edges.items():
            yield source, verdict
            if verdict.holds:
                yield target, verdict
        for texts in (self.labels, self.definitions):
            yield from ((iri, verdict) for (iri, _), verdict in texts.items())
        yield from ((iri, v) for (iri, _, _), v in self.names.items() if v.holds)
        yield from ((iri, v) for (iri, _), v in self.xrefs.items() if v.holds)


def _edge(kind: str, source: str, target: str) -> Edge:
    """Return the key of an edge; an equivalence has no direction."""
    ends = sorted((source, target)) if kind == "equivalent_to" else (source, target)
    return kind, ends[0], ends[1]  # type: ignore[return-value]  # a decision checks its relation
