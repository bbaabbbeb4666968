"""Rules about single axioms: undeclared, redundant, doubled, contradicting edges, notes on absent axioms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ontology.lint.facts import Edge, Facts, local_part
from ontology.lint.hierarchy_shape import some, tangled
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]
_NOT_COUNTED = re.compile(r"head noun|ending of|pattern|top class|own class|curated")
"""Evidence that is no count of documents."""


@rule("OC020", "undeclared-class", "error")
def undeclared_class(facts: Facts, _limits: Limits) -> Found:
    """An edge to a class that is not declared.

    A misspelt or deleted name goes unseen: the edge leads to a class without a label, and OWL 2 DL demands the
    declaration. Where the file imports others it may be declared there; lint doesn't fetch them and only hints.

    Example: :Flood rdfs:subClassOf :Disastre
    Mend: correct the name, or declare the class (a owl:Class) with a label
    """
    users: dict[str, dict[str, None]] = defaultdict(dict)
    for e in facts.edges:
        for end, other in ((e.source, e.target), (e.target, e.source)):
            if end not in facts.by_iri:
                users[end][other] = None
    for iri, others in sorted(users.items()):
        by = f"named by {len(others)} {'edge' if len(others) == 1 else 'edges'} of {some(facts, others)}"
        outside = facts.is_foreign(iri)
        yield Spot(iri, f"{by}, not declared here" + ("; an import may declare it" if outside else ""),
                   "info" if outside else None)  # fmt: skip


@rule("OC021", "redundant-edge", "warning")
def redundant_edge(facts: Facts, _limits: Limits) -> Found:
    """An edge that follows from others.

    What is below a subclass is below its superclass anyway. A stated shortcut hides the level between, and
    makes depth and distance ambiguous.

    Example: 城市内涝 < 内涝 < 灾害, and 城市内涝 < 灾害 besides
    Mend: remove the shortcut; the longer path says the same
    """
    knot = {iri for group in tangled(facts, "subclass_of") for iri in group}
    above: dict[str, frozenset[str]] = {}
    for iri in _upwards(facts):
        parents = facts.parents[iri]
        above[iri] = frozenset(parents).union(*(above.get(p, frozenset()) for p in parents))
        if iri in knot:
            continue  # on a cycle everything follows from everything: OC001 says so
        for parent in parents:
            over = [p for p in parents if p != parent and parent in above.get(p, frozenset()) and p not in knot]
            if over:
                yield Spot(iri, f"below {facts.label(parent)} anyway, by {some(facts, over)}")


def _upwards(facts: Facts) -> list[str]:
    """Return the classes with superclasses before their subclasses (on cycles: some order), by depth-first search."""
    order: list[str] = []
    state: dict[str, int] = {}
    for start in facts.parents:
        stack = [(start, False)]
        while stack:
            iri, done = stack.pop()
            if done:
                order.append(iri)
            elif iri not in state:
                state[iri] = 1
                stack.append((iri, True))
                stack += [(p, False) for p in facts.parents[iri] if p not in state]
    return order


@rule("OC022", "self-edge", "error")
def self_edge(facts: Facts, _limits: Limits) -> Found:
    """An edge from a class to itself.

    It says nothing where it is a subclass edge, and nonsense where it is another; programs that walk edges may
    never come back.

    Example: :Flood rdfs:subClassOf :Flood
    Mend: remove the edge, or correct the end that was meant
    """
    for e in facts.edges:
        if e.source == e.target:
            yield Spot(e.source, f"{_said(e)} itself")


@rule("OC023", "doubled-edge", "warning")
def doubled_edge(facts: Facts, _limits: Limits) -> Found:
    """The same edge twice.

    Its figures are counted twice, and of two different supports nobody knows which holds. An equivalence that
    is stated in both directions is one edge said twice.

    Example: 洪水 subclass of 灾害 with support 5, and again with support 7
    Mend: keep one edge, with the evidence of both
    """
    number: dict[tuple[str, str, str], int] = defaultdict(int)
    for e in facts.edges:
        source, target = sorted((e.source, e.target)) if e.kind == "equivalent_to" else (e.source, e.target)
        number[source, e.kind, target] += source != target
    for (source, kind, target), count in sorted(number.items()):
        if count > 1:
            yield Spot(source, f"{_said(Edge(source, kind, target))} {facts.label(target)}: stated {count} times")


@rule("OC024", "contradicting-edges", "warning")
def contradicting_edges(facts: Facts, _limits: Limits) -> Found:
    """Two relations between the same classes that exclude each other.

    A kind of a thing is no part of it, and what is the same is neither. Mostly one of the two was a guess.

    Example: 台风眼 subclass of 台风, and part of 台风
    Mend: decide for one of the relations
    """
    kinds: dict[frozenset[str], dict[str, Edge]] = defaultdict(dict)
    for e in facts.edges:
        if e.kind in ("subclass_of", "part_of", "equivalent_to") and e.source != e.target:
            kinds[frozenset((e.source, e.target))].setdefault(e.kind, e)
    for found in kinds.values():
        for one, other in combinations(found.values(), 2):
            yield Spot(one.source, f"{_said(one)} {facts.label(one.target)}, and "
                       f"{facts.label(other.source)} {_said(other)} {facts.label(other.target)}")  # fmt: skip


@rule("OC025", "undeclared-property", "warning")
def undeclared_property(facts: Facts, _limits: Limits) -> Found:
    """A property that is not declared.

    OWL 2 DL demands the declaration; without it readers can't tell an object property from a misspelling.

    Example: owl:onProperty oc:partof
    Mend: declare it (a owl:ObjectProperty) with a label, or correct its name
    """
    for iri, users in facts.undeclared_properties.items():
        yield Spot(iri, f"used by {some(facts, users) or 'an anonymous class'}, not declared here",
                   "info" if facts.imports else None)  # fmt: skip


@rule("OC026", "note-on-absent-axiom", "warning")
def note_on_absent_axiom(facts: Facts, _limits: Limits) -> Found:
    """Evidence for an axiom that is not stated.

    Someone removed an edge and left its evidence behind, or mistyped an end: the evidence proves nothing now.

    Example: an owl:Axiom about 洪水 subclass of 灾害, in a file without that edge
    Mend: state the axiom, or remove the note
    """
    for source, property_, target in facts.loose_notes:
        relation = local_part(property_)
        yield Spot(source, f"a note on {facts.label(source)} {relation} {facts.label(target)}, which is not stated")


@rule("OC027", "weak-edge", "info")
def weak_edge(facts: Facts, limits: Limits) -> Found:
    """A subclass edge that documents hardly support.

    The confidence is the share of the narrower term's documents that contain the broader one. Where it is low
    the edge may be chance. Edges to the root, and by words' forms, sentences and curated classes, don't rest on
    it.

    Example: WRF subclass of 暴雨, confidence .31
    Mend: read the documents behind the edge, then keep or remove it
    """
    for e in facts.edges:
        counted = e.confidence is not None and e.target != facts.root and not _NOT_COUNTED.search(e.evidence)
        if e.kind == "subclass_of" and counted and e.confidence is not None and e.confidence < limits.confidence:
            yield Spot(e.source, f"below {facts.label(e.target)} with confidence {e.confidence:.2f} "
                       f"(support {e.support if e.support is not None else 'unknown'})")  # fmt: skip


def _said(edge: Edge) -> str:
    words = {"subclass_of": "subclass of", "part_of": "part of", "equivalent_to": "equivalent to",
             "measured_by": "measured by"}  # fmt: skip
    return words.get(edge.kind, local_part(edge.kind))
