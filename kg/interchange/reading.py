"""Reading of the graph in parts: nodes by label and relationships by type, in a fixed order, in bounded memory.

Keys are read in order by scans of at most 100,000 each (on the embedded engine a range of keys is a scan of its label);
properties and relationships are read for a few hundred keys at a time. Both engines order text by code point, so the
order does not depend on the engine. Concurrent changes of another command may be included or not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from kg import schema
from kg.interchange.elements import Edge, Node, anchored_at_target, checked, ends
from kg.store import GraphStore, Row

KEYS_PER_SCAN = 100_000
NODES_PER_READ = 1_000
ANCHORS_PER_READ = 250


def read_nodes(store: GraphStore, label: str) -> Iterator[Node]:
    """Yield the nodes of a label, by key.

    Args:
        store: an open graph.
        label: a label of the schema.

    Raises:
        InterchangeError: no format can hold a value.
    """
    key = schema.KEYS[label]
    statement = f"UNWIND $keys AS key MATCH (n:{label} {{{key}: key}}) RETURN key, properties(n) AS props ORDER BY key"
    for keys in _batches(keys_of(store, label), NODES_PER_READ):
        for row in store.read(statement, keys=keys):
            props = checked(row["props"], f"{label} {row['key']!r}")
            props.pop(key, None)
            yield Node(label, row["key"], props)


def keys_of(store: GraphStore, label: str) -> Iterator[str]:
    """Yield the keys of the nodes of a label, in order.

    Args:
        store: an open graph.
        label: a label of the schema.
    """
    key = schema.KEYS[label]
    first = f"MATCH (n:{label}) WHERE n.{key} IS NOT NULL RETURN n.{key} AS key ORDER BY key LIMIT $limit"
    after = f"MATCH (n:{label}) WHERE n.{key} > $after RETURN n.{key} AS key ORDER BY key LIMIT $limit"
    rows = store.read(first, limit=KEYS_PER_SCAN)
    while rows:
        yield from (row["key"] for row in rows)
        if len(rows) < KEYS_PER_SCAN:
            return
        rows = store.read(after, after=rows[-1]["key"], limit=KEYS_PER_SCAN)


def anchor_label(edge_type: str) -> str:
    """Return the label whose keys ``read_edges`` needs: the end with few relationships."""
    return ends(edge_type)[1 if anchored_at_target(edge_type) else 0]


def read_edges(store: GraphStore, edge_type: str, anchors: Iterable[str]) -> Iterator[Edge]:
    """Yield the relationships of a type at some nodes, by anchor, other end and owner.

    Args:
        store: an open graph.
        edge_type: a type of the schema.
        anchors: keys of nodes of its ``anchor_label``.
    """
    (source, target), at_target = ends(edge_type), anchored_at_target(edge_type)
    source_key, target_key = schema.KEYS[source], schema.KEYS[target]
    here = f"(b:{target} {{{target_key}: key}})" if at_target else f"(a:{source} {{{source_key}: key}})"
    there = f"(a:{source})" if at_target else f"(b:{target})"
    pattern = f"{here}<-[r:{edge_type}]-{there}" if at_target else f"{here}-[r:{edge_type}]->{there}"
    statement = (
        f"UNWIND $keys AS key MATCH {pattern} "
        f"RETURN a.{source_key} AS source, b.{target_key} AS target, properties(r) AS props"
    )
    for keys in _batches(anchors, ANCHORS_PER_READ):
        edges = [_edge(edge_type, row) for row in store.read(statement, keys=keys)]
        edges.sort(key=lambda e: (e.target, e.source, _order(e)) if at_target else (e.source, e.target, _order(e)))
        yield from edges


def _edge(edge_type: str, row: Row) -> Edge:
    what = f"{edge_type} from {row['source']!r} to {row['target']!r}"
    return Edge(edge_type, row["source"], row["target"], checked(row["props"], what))


def _order(edge: Edge) -> tuple[str, str]:
    """Return the sort key of parallel relationships: the owner, then all properties."""
    return edge.owner, json.dumps(edge.props, ensure_ascii=True)


def left_out(store: GraphStore, exported: Mapping[str, int]) -> dict[str, int]:
    """Count what an export lacks, by label and type.

    These are labels and types that the schema does not have, nodes without their key, relationships without their owner
    or between other labels than those of their type.

    Args:
        store: an open graph.
        exported: label or type -> number of its nodes or relationships in the export.
    """
    there: Counter[str] = Counter()
    for row in store.read("MATCH (n) RETURN labels(n) AS names, count(*) AS n"):
        there.update(dict.fromkeys(row["names"], row["n"]))
    for row in store.read("MATCH ()-[r]->() RETURN type(r) AS name, count(*) AS n"):
        there[row["name"]] += row["n"]
    del there["GraphSchema"]
    return dict(there - Counter(exported))


def _batches(keys: Iterable[str], size: int) -> Iterator[list[str]]:
    waiting = iter(keys)
    while batch := list(islice(waiting, size)):
        yield batch
