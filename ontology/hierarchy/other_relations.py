"""Relations beside is-a in a learned ontology: which claims of sentences (ontology/evidence/relations.py) become edges.

* None between a class and its own superclass or subclass, however far: a kind of a thing is neither its part nor its
  cause.
* If both directions are stated the better supported one is kept, and none of two equal ones.
* A part-of edge that would close a cycle of is-a and part-of edges is left out; better supported edges come first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ontology.model import Ontology, Relation
from ontology.reachable import reachable


def with_relations(ontology: Ontology, claims: Iterable[Relation]) -> Ontology:
    """Add the relations between an ontology's classes that sentences state.

    Args:
        ontology: an ontology of is-a edges.
        claims: the statements; those with another class are ignored.

    Returns:
        The ontology with further relations: by support, then in the order of the claims.
    """
    above = {iri: reachable(iri, ontology.parents.__getitem__) for iri in ontology.by_iri}
    known = [c for c in claims if c.source in above and c.target in above]
    support = {(c.kind, c.source, c.target): _support(c) for c in known}
    candidates = [
        claim
        for claim in known
        if _support(claim) > support.get((claim.kind, claim.target, claim.source), 0)
        and claim.source not in above[claim.target]
        and claim.target not in above[claim.source]
    ]
    up = {iri: set(parents) for iri, parents in ontology.parents.items()}
    added: list[Relation] = []
    for claim in sorted(candidates, key=lambda c: -_support(c)):
        if claim.kind == "part_of":
            if claim.source in reachable(claim.target, up.__getitem__):
                continue
            up[claim.source].add(claim.target)
        added.append(claim)
    return replace(ontology, relations=(*ontology.relations, *added))


def _support(claim: Relation) -> int:
    return claim.support or 0
