"""Ontologies that several tests use: Table 1 of paper 000, and random DAGs."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ontology.model import Concept, Ontology, Relation
from tests.ontology.contexts import TERM_COVERS


def ontology(names: str | Sequence[str], edges: Sequence[tuple[str, str, str]]) -> Ontology:
    """Edges as (source, kind, target); the first name is the root."""
    concepts = tuple(Concept(n, n) for n in names)
    relations = tuple(Relation(s, k, t) for s, k, t in edges)  # type: ignore[arg-type]
    return Ontology("test", "global", "topic", "1", names[0], concepts, relations)


TABLE1 = ontology("12345678", [(str(u), "subclass_of", str(t)) for t, u in TERM_COVERS])


@st.composite
def dags(draw: st.DrawFn, *, rooted: bool = False, twins: bool = True, most: int = 9) -> Ontology:
    """DAGs with is-a and part-of edges, whose concepts stand in any order; node i hangs under smaller ones.

    ``rooted``: every node but the first has a parent. ``twins``: sometimes with an equivalent of the last node.
    """
    n = draw(st.integers(1, most))
    names = [f"c{i}" for i in draw(st.permutations(range(n)))]
    kinds = st.sampled_from(["subclass_of", "subclass_of", "part_of"])
    edges = []
    for i in range(1, n):
        for p in sorted(draw(st.sets(st.integers(0, i - 1), min_size=int(rooted), max_size=3))):
            edges.append((names[i], draw(kinds), names[p]))
    if twins and n > 2 and draw(st.booleans()):  # of a leaf, so that contracting them makes no cycle
        edges.append((names[-1], "equivalent_to", "twin"))
        names.append("twin")
    return ontology(names, edges)
