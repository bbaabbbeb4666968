"""Rows of the queries of the library. Walks along the hierarchy go on until they reach nothing new.

A statement of the library writes such a walk as one pattern without a bound (queries.header.WALK), which Neo4j prunes
and the embedded engine does not: it would go along every path, of which a DAG of n levels has 2^n. So a walk is made
here, a few levels at a time, breadth first, and the statement goes on from the concepts that it reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import queries
from kg.batches import batches
from kg.cypher import refusal
from kg.store import GraphStore, Row
from queries import Query
from queries.header import WALK, without_comments

_LEVELS = 4
"""Levels that queries/walk goes at once: among so few, even all paths of a DAG are not many."""
_PER_READ = 2_000
"""Concepts from which one read goes on."""
_STARTS = "RETURN DISTINCT start.iri AS start, o.iri AS ontology\nORDER BY start, ontology"
_WALKS = "walks"
"""The parameter with which a statement goes on; one that has it already is sent as it is."""
_GOES_ON = """UNWIND $walks AS walk
MATCH (start:Concept {{iri: walk.start}})
MATCH (o:Ontology {{iri: walk.ontology}})
UNWIND walk.reached AS step
MATCH (reached:Concept {{iri: step.iri}})
WITH {kept}, step.distance AS distance
"""


def rows(store: GraphStore, query: Query | str, values: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a query of the library, or of a statement, which may have such a walk too.

    Args:
        store: an open graph.
        query: the query, or the statement.
        values: values of all its parameters.
    """
    text = query if isinstance(query, str) else query.text
    statement = without_comments(text)
    walk = WALK.match(statement)
    if walk is None or _WALKS in values:
        return store.read(text, **values)
    crawl = walk["crawl"] or ""
    begins = crawl + walk["starts"] + _STARTS
    goes_on = crawl + _GOES_ON.format(kept=walk["kept"]) + statement[walk.end() :]
    if refusal(begins) is not None or refusal(goes_on) is not None:  # of a statement with the walk in a string
        return store.read(text, **values)
    starts = store.read(begins, **values)
    reached = _reached(store, starts, "walk/down" if walk["down"] else "walk/up")
    return store.read(goes_on, **{_WALKS: reached}, **values)


def _reached(store: GraphStore, starts: Sequence[Row], step: str) -> list[Row]:
    """Return ``starts`` with ``reached``: each concept of the walk with its shortest distance, the start with 0."""
    text = queries.get(step).text
    found: list[dict[str, int]] = [{row["start"]: 0} for row in starts]
    level, distance = [(at, row["start"]) for at, row in enumerate(starts)], 0
    while level:
        further: dict[tuple[int, str], int] = {}
        for some in batches(level, _PER_READ):
            given = [
                {"at": at, "iri": iri, "ontology": starts[at]["ontology"], "distance": distance} for at, iri in some
            ]
            for row in store.read(text, rows=given):
                place = row["at"], row["iri"]
                further[place] = min(row["distance"], further.get(place, row["distance"]))
        distance += _LEVELS
        level = []
        for (at, iri), far in further.items():
            if iri not in found[at]:
                found[at][iri] = far
                level += [(at, iri)] if far == distance else []
    return [
        {**row, "reached": [{"iri": iri, "distance": far} for iri, far in reached.items()]}
        for row, reached in zip(starts, found, strict=True)
    ]
