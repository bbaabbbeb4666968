"""The classes and edges that decisions add to an ontology, with their evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ontology.model import Concept, Ontology, Relation
from ontology.terms.wordforms import has_han

BY_DECISION = "decision"
"""Evidence of an accepted edge, before the id of the decision."""
OF_VERSION = "version "
"""Evidence of an edge that was taken over from an earlier version, before the version."""


def named(iri: str, label: str) -> Concept:
    """Return a class by the label under which it was first known; it has none if that is its IRI."""
    if label == iri or not label:
        return Concept(iri, "")
    return Concept(iri, label) if has_han(label) else Concept(iri, "", label)


def subclass_edge(source: str, target: str, evidence: str) -> Relation:
    """Return a subclass-of edge.

    Args:
        source: IRI of the narrower class.
        target: IRI of the broader class.
        evidence: where it comes from.
    """
    return Relation(source, "subclass_of", target, evidence=evidence)


def taken_over(iri: str, version: Ontology, live: Collection[str]) -> Iterator[Relation]:
    """Yield the edges of a class of an earlier version to the nearest classes that are still there.

    An edge that only a decision made is not taken over: the decision makes it again while it is in force.

    Args:
        iri: the class.
        version: the earlier version.
        live: the classes that are still there.

    Yields:
        The edges; their evidence names the version in which rules found them.
    """
    found = {r.target: r.evidence for r in version.edges("subclass_of") if r.source == iri}
    seen, waiting = {iri}, list(version.parents[iri])
    while waiting:
        high = waiting.pop(0)
        known = found.get(high, "")
        if is_decided(known):
            continue
        if high in live:
            yield subclass_edge(iri, high, known if known.startswith(OF_VERSION) else f"{OF_VERSION}{version.version}")
        elif high not in seen:
            seen.add(high)
            waiting += version.parents[high]


def is_decided(evidence: str) -> bool:
    """Return whether an edge is there by decisions alone.

    >>> is_decided("decision d1"), is_decided("head noun; decision d1"), is_decided("")
    (True, False, False)
    """
    return bool(evidence) and all(part.startswith(f"{BY_DECISION} ") for part in evidence.split("; "))


def with_mark(evidence: str, mark: str) -> str:
    """Return the evidence of an edge with a further part.

    Args:
        evidence: the evidence so far.
        mark: the part; it is added once.
    """
    return evidence if mark in evidence.split("; ") else "; ".join(filter(None, (evidence, mark)))
