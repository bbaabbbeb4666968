"""Concepts that are one in the graph: which node each concept of an ontology is, by mappings.

A concept that is mapped exactly to one of another topic's ontology has no node of its own. It is that one's node: the
relationship IN_ONTOLOGY has the IRI that the ontology gives it (``iri``) and the mapping that joined it:
``predicate``, ``justification``, ``confidence``, ``match_string`` and ``match``, the reason in words. So all data of
both ontologies, the pages that mention the concept and its weights meet at one node.

A node never moves: what the graph has keeps its place, and what is loaded later joins it. Ontologies of one topic share
a register of IRIs, which says what is one; mappings between them are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import queries
from kg.store import GraphStore, Row
from ontology.mapping import TermMapping, align
from ontology.mapping.mappings import idle, joined_pairs, turned
from ontology.model import Concept, Ontology

_WHY = ("predicate", "justification", "confidence", "match_string", "match")


@dataclass(frozen=True, slots=True)
class Place:
    """The node of a concept, and the mapping by which it is that node.

    Attributes:
        iri: IRI of the node.
        why: properties of IN_ONTOLOGY that say why; all None for a concept with a node of its own.
    """

    iri: str
    why: Mapping[str, object]


_NO_REASON: Mapping[str, object] = dict.fromkeys(_WHY)


def nodes(store: GraphStore) -> dict[str, str]:
    """Return the IRI in an ontology -> IRI of the node, for the concepts for which these differ."""
    return {row["own"]: row["iri"] for row in store.read(queries.get("load/joined").text)}


def idle_rows(store: GraphStore, mappings: Sequence[TermMapping]) -> list[tuple[TermMapping, str]]:
    """Return the rows of mappings that join nothing in the graph, each with the reason.

    Args:
        store: an open graph, into which ontologies were loaded by the mappings.
        mappings: the rows.
    """
    members = store.read(queries.get("load/members_of_others").text)
    node_of = {row["own"]: row["iri"] for row in members}
    return list(idle(mappings, {row["iri"]: row["iri"] for row in members} | node_of))


def places(store: GraphStore, ontology: Ontology, mappings: Iterable[TermMapping] | None = None) -> dict[str, Place]:
    """Choose the node of each concept of an ontology. No two concepts of the ontology get the same node.

    Args:
        store: an open graph.
        ontology: the ontology that will be loaded.
        mappings: the mappings to join by, and no others; if None, those that are found between its names and the names
            of other topics' ontologies in the graph, after those of earlier loads.

    Returns:
        IRI of the concept -> its node; a new node has the IRI of the concept.
    """
    members = store.read(queries.get("load/members_of_others").text)
    if mappings is not None:
        members = [row for row in members if row["ontology"] != ontology.key]
    place_of = _earlier(ontology, members)
    left = [c for c in ontology.concepts if c.iri not in place_of]
    others = [row for row in members if row["topic"] != ontology.topic]
    rows = align(left, [_concept(row) for row in others], heads=False) if mappings is None else mappings
    node_of = {row["own"]: row["iri"] for row in others} | {row["iri"]: row["iri"] for row in others}
    waiting = {c.iri for c in left}
    used = {place.iri for place in place_of.values()}
    for row in joined_pairs(rows):
        mine = turned(row) if row.object in waiting else row
        node = node_of.get(mine.object)
        if mine.subject in waiting and node is not None and node not in used:
            waiting.discard(mine.subject)
            used.add(node)
            place_of[mine.subject] = Place(node, _why(mine))
    return place_of | {c.iri: Place(c.iri, _NO_REASON) for c in left if c.iri in waiting}


def _earlier(ontology: Ontology, members: Sequence[Row]) -> dict[str, Place]:
    """Return the places that earlier loads gave to the same IRIs; a node of the same IRI comes first."""
    own = {c.iri for c in ontology.concepts}
    place_of: dict[str, Place] = {}
    used: set[str] = set()
    for row in sorted((r for r in members if r["own"] in own), key=lambda r: r["own"] != r["iri"]):
        if row["own"] not in place_of and row["iri"] not in used:
            used.add(row["iri"])
            place_of[row["own"]] = Place(row["iri"], {name: row[name] for name in _WHY})
    return place_of


def _concept(row: Row) -> Concept:
    names = (tuple(row["alt_zh"] or ()), tuple(row["alt_en"] or ()))
    return Concept(row["iri"], row["label_zh"] or "", row["label_en"], *names)


def _why(mapping: TermMapping) -> dict[str, object]:
    return {
        "predicate": mapping.predicate,
        "justification": mapping.justification,
        "confidence": mapping.confidence,
        "match_string": mapping.match_string,
        "match": mapping.comment,
    }
