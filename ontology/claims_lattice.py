"""The formal context of what an ontology claims, whose concept lattice is the completion of its hierarchy.

Objects and attributes are both the classes; class a has attribute b where a is a b: a = b, or the claims of the
ontology lead from a up to b. The context is (P, P, <=) of an ordered set P, and its concept lattice is the
Dedekind-MacNeille completion of P, the smallest complete lattice that P is embedded in (Ganter and Wille 1999, Formal
Concept Analysis, section 1.1, theorem 4 there). So each class has a formal concept of its own: all that is below it,
all that is above it.

Beside it stands the lattice of the documents' context (ontology.context): there a term is above another if it stands in
all of its documents. Paper 000 reads the hierarchy from that; here, by default, evidence decides (trap T11b).
"""

from __future__ import annotations

from collections.abc import Mapping

from ontology.context import ContextError, FormalContext
from ontology.hierarchy.merge import ROOT_OF
from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.model import Ontology, Relation
from ontology.reachable import reachable


def claims_context(ontology: Ontology) -> FormalContext:
    """Return the formal context of an ontology's claims.

    Edges that only say that no broader class was found (evidence "topic root"), or that hang one root under another
    where ontologies were joined, are no claims. The root is in the
    context where something else is claimed to be a kind of it. Classes that the ontology calls equivalent have the
    same row.

    Args:
        ontology: an ontology without cycles but for equivalences.

    Returns:
        A context with the labels of the classes as objects and as attributes, in the order of the ontology's concepts.

    Raises:
        ContextError: no class beside the root.
    """
    claims = [r for r in ontology.relations if _is_claim(r)]
    named = {end for r in claims for end in (r.source, r.target)}
    classes = {c.label: c.iri for c in reversed(ontology.concepts) if c.iri != ontology.root or c.iri in named}
    labels = tuple(dict.fromkeys(c.label for c in ontology.concepts if c.label in classes))
    if not labels:
        raise ContextError(f"ontology {ontology.iri} has no class beside its root, so that nothing is claimed")
    place = {classes[label]: at for at, label in enumerate(labels)}
    above = _above(ontology, claims)
    rows = tuple(sum(1 << place[b] for b in above[a] if b in place) for a in (classes[label] for label in labels))
    return FormalContext(labels, labels, rows)


def _is_claim(relation: Relation) -> bool:
    if relation.kind == "equivalent_to":
        return True
    said = relation.evidence.split("; ")[0]
    return relation.kind == "subclass_of" and said != TOPIC_ROOT and not said.startswith(ROOT_OF)


def _above(ontology: Ontology, claims: list[Relation]) -> Mapping[str, set[str]]:
    """Each class and all classes above it, by claims in any number of steps."""
    direct: dict[str, set[str]] = {c.iri: set() for c in ontology.concepts}
    for r in claims:
        direct[r.source].add(r.target)
        if r.kind == "equivalent_to":
            direct[r.target].add(r.source)
    return {iri: reachable(iri, direct.__getitem__) for iri in direct}
