"""The formal context of an ontology's claims; its concept lattice is the completion of the hierarchy.

Objects and attributes are both the classes; class a has attribute b if a is a b: a = b, or the claims of the
ontology lead from a up to b. The context is (P, P, <=) of an ordered set P, and its concept lattice is the
Dedekind-MacNeille completion of P, the smallest complete lattice that P is embedded in (Ganter and Wille 1999, Formal
Concept Analysis, section 1.1, theorem 4). So each class has a formal concept: all classes below it, all above it.

In the lattice of the documents' context (ontology.context), on the other hand, a term is above another if it is in all
of its documents. Paper 000 reads the hierarchy from that; here, by default, evidence decides (trap T11b).
"""

from __future__ import annotations

from collections.abc import Mapping

from ontology.context import ContextError, FormalContext
from ontology.hierarchy.merge import ROOT_OF
from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.model import Ontology, Relation
from ontology.reachable import reachable


def claims_context(ontology: Ontology) -> FormalContext:
    """Build the formal context of an ontology's claims.

    Edges that only state that no broader class was found (evidence "topic root"), or that connect the roots of joined
    ontologies, are no claims. The root is included only if some class is claimed to be a kind of it. Equivalent classes
    have the same row.

    Args:
        ontology: an ontology without cycles but for equivalences.

    Returns:
        A context with the labels of the classes as objects and as attributes, in the order of the ontology's concepts.

    Raises:
        ContextError: no class beside the root.

    >>> from ontology.model import Concept
    >>> iris = ("topic", "disaster", "flood")
    >>> edges = (Relation("disaster", "subclass_of", "topic", evidence="topic root"),
    ...          Relation("flood", "subclass_of", "disaster", evidence="head noun"))
    >>> ontology = Ontology("o", "global", "t", "1", "topic", tuple(Concept(i, i) for i in iris), edges)
    >>> context = claims_context(ontology)
    >>> context.objects, context.bools().astype(int).tolist()
    (('disaster', 'flood'), [[1, 0], [1, 1]])
    """
    claims = [r for r in ontology.relations if _is_claim(r)]
    named = {end for r in claims for end in (r.source, r.target)}
    classes = {c.label: c.iri for c in reversed(ontology.concepts) if c.iri != ontology.root or c.iri in named}
    labels = tuple(dict.fromkeys(c.label for c in ontology.concepts if c.label in classes))
    if not labels:
        raise ContextError("ontology.ontology_no_class_beside", ontology_iri=ontology.iri)
    place = {classes[label]: position for position, label in enumerate(labels)}
    above = _above(ontology, claims)
    rows = tuple(sum(1 << place[b] for b in above[a] if b in place) for a in (classes[label] for label in labels))
    return FormalContext(labels, labels, rows)


def _is_claim(relation: Relation) -> bool:
    if relation.kind == "equivalent_to":
        return True
    evidence = relation.evidence.split("; ")[0]
    return relation.kind == "subclass_of" and evidence != TOPIC_ROOT and not evidence.startswith(ROOT_OF)


def _above(ontology: Ontology, claims: list[Relation]) -> Mapping[str, set[str]]:
    """Return each class and all classes above it, by claims in any number of steps."""
    direct: dict[str, set[str]] = {c.iri: set() for c in ontology.concepts}
    for r in claims:
        direct[r.source].add(r.target)
        if r.kind == "equivalent_to":
            direct[r.target].add(r.source)
    return {iri: reachable(iri, direct.__getitem__) for iri in direct}
