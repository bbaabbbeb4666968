"""Import of nodes and relationships from a file into the graph, in batches; idempotent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kg import schema
from kg.interchange.elements import OWNER, UNOWNED, Edge, InterchangeError, Node, anchored_at_target, ends
from kg.interchange.spool import Progress
from kg.store import GraphStore

_ROWS = 1_000
_CHARACTERS = 4_000_000
"""Maximum rows and approximate maximum characters of a batch."""


@dataclass
class Filled:
    """Counts of an import, by label and type."""

    counts: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Relationships that were not written: an end is missing, or the page that a crawl KNOWS has been FETCHED."""


def node_statement(label: str) -> str:
    """Return the statement that writes nodes of a label from rows {key, props}."""
    return f"UNWIND $rows AS row MERGE (n:{label} {{{schema.KEYS[label]}: row.key}}) SET n += row.props"


def edge_statement(edge_type: str) -> str:
    """Return the statement that writes relationships of a type from rows {source, target, props}; matched by owner."""
    source, target = ends(edge_type)
    match = (
        f"MATCH (a:{source} {{{schema.KEYS[source]}: row.source}}) "
        f"MATCH (b:{target} {{{schema.KEYS[target]}: row.target}})"
    )
    owner_value = f"row.props.{OWNER.get(edge_type)}"
    value = f"coalesce({owner_value}, '')" if edge_type in UNOWNED else owner_value
    owner = f" {{{OWNER[edge_type]}: {value}}}" if edge_type in OWNER else ""
    pattern = (
        f"(b)<-[r:{edge_type}{owner}]-(a)" if anchored_at_target(edge_type) else f"(a)-[r:{edge_type}{owner}]->(b)"
    )
    unless = " WITH row, a, b WHERE NOT EXISTS { MATCH (b)<-[:FETCHED]-(a) }" if edge_type == "KNOWS" else ""
    return f"UNWIND $rows AS row {match}{unless} MERGE {pattern} SET r += row.props"


_FORGET_KNOWN = (
    "UNWIND $rows AS row MATCH (:Page {url: row.target})<-[k:KNOWS]-(:Crawl {id: row.source}) "
    "DELETE k RETURN count(*) AS removed"
)


def fill(store: GraphStore, elements: Iterable[Node | Edge], progress: Progress | None = None) -> Filled:
    """Write nodes and relationships; existing ones get the values of the file, and keep their other properties.

    Args:
        store: an open graph.
        elements: nodes before the relationships between them.
        progress: callback, see `Progress`.

    Raises:
        InterchangeError: a key is empty; everything before it remains written.
        StoreError: the store fails.
    """
    filled = Filled()
    name, batch, size = "", list[Node | Edge](), 0
    for element in elements:
        kind = element.label if isinstance(element, Node) else element.type
        if batch and (kind != name or len(batch) >= _ROWS or size > _CHARACTERS):
            _write(store, name, batch, filled, progress)
            batch, size = [], 0
        _need_keys(element)
        name = kind
        batch.append(element)
        size += sum(len(value) for value in element.props.values() if isinstance(value, str | list))
    if batch:
        _write(store, name, batch, filled, progress)
    return filled


def _need_keys(element: Node | Edge) -> None:
    if element.is_whole:
        return
    if isinstance(element, Node):
        raise InterchangeError(
            "interchange.without_key", element_label=element.label, dict=str(dict(element.props))[:200]
        )
    raise InterchangeError(
        "interchange.expected_both_ends",
        type=element.type,
        source=element.source,
        target=element.target,
        part=f" and the property {OWNER[element.type]!r}" if element.type in OWNER else "",
    )


def _write(store: GraphStore, name: str, batch: list[Node | Edge], filled: Filled, progress: Progress | None) -> None:
    if isinstance(batch[0], Node):
        statement, rows = node_statement(name), [_node_row(e) for e in batch if isinstance(e, Node)]
    else:
        statement, rows = edge_statement(name), [_edge_row(e) for e in batch if isinstance(e, Edge)]
    if name == "FETCHED":
        store.write(_FORGET_KNOWN, rows)
    answers = store.write(f"{statement} RETURN count(*) AS written", rows)
    written = sum(int(answer["written"]) for answer in answers)
    filled.counts[name] += written
    if written < len(rows):
        filled.skipped[name] += len(rows) - written
    if progress is not None:
        progress(name, filled.counts[name])


def _node_row(node: Node) -> Mapping[str, Any]:
    return {"key": node.key, "props": dict(node.props)}


def _edge_row(edge: Edge) -> Mapping[str, Any]:
    return {"source": edge.source, "target": edge.target, "props": dict(edge.props)}
