"""Changes of a graph in its RDF form: which nodes and relationships have other digests, and their triples in a store.

Relationships are compared in groups, at the node by which they are read (`kg.interchange.reading.anchor_label`). No
triple comes from two groups: each has its own node as subject, or as object of a predicate of its own type. So the
triples of a group can be removed without a look at the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.interchange import rdf
from kg.interchange.elements import LABELS, TYPES, Edge, Node, anchored_at_target
from kg.interchange.reading import anchor_label
from kg.interchange.spool import Spool

MOST = 0.25
"""Share of changed groups from which it is quicker to write all triples anew."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between a graph and an earlier state of it."""

    gone: Mapping[str, frozenset[str]]
    """Label or type -> keys of nodes whose own triples, or those of their relationships, are to be removed."""
    new: Mapping[str, frozenset[str]]
    """Label or type -> keys of nodes whose own triples, or those of their relationships, are to be written."""
    many: bool
    """Whether so much differs that it is quicker to write all anew."""

    @classmethod
    def between(cls, graph: Spool, before: Path | None, now: Path) -> Changes:
        """Compare a graph with the digests of an earlier state, and write its own.

        Args:
            graph: the graph.
            before: folder with the earlier digests; None without an earlier state.
            now: folder for the new ones, which is made.
        """
        now.mkdir()
        gone, new, total = {}, {}, 0
        for name in (*LABELS, *TYPES):
            earlier = _read_digests(before / name) if before is not None else {}
            other = set()
            with (now / name).open("w", encoding="ascii") as stream:
                for key, digest in graph.groups(name):
                    stream.write(f"{digest.hex()} {json.dumps(key)}\n")
                    total += 1
                    if earlier.get(key) == digest:
                        del earlier[key]
                    else:
                        other.add(key)
            gone[name], new[name] = frozenset(earlier), frozenset(other)
        changed = sum(len(gone[name] | new[name]) for name in gone)
        return cls(gone, new, changed > MOST * total)


def _read_digests(path: Path) -> dict[str, bytes]:
    with path.open(encoding="ascii") as stream:
        rows = (line.split(" ", 1) for line in stream)
        return {json.loads(key): bytes.fromhex(digest) for digest, key in rows}


def write(ox: Any, loaded: Any, graph: Spool, names: rdf.Names) -> Any:
    """Write all triples of a graph into an empty store, and return the store.

    Args:
        ox: the module pyoxigraph.
        loaded: the store.
        graph: the graph.
        names: names of its nodes.
    """
    _load(ox, loaded, graph, names, graph.elements())
    return loaded


def apply(ox: Any, loaded: Any, graph: Spool, names: rdf.Names, changes: Changes) -> None:
    """Bring a store with the triples of an earlier state up to date.

    Args:
        ox: the module pyoxigraph.
        loaded: the store.
        graph: the graph.
        names: names of its nodes, which are also those of the earlier state.
        changes: what differs.
    """
    for name, keys in changes.gone.items():
        for key in keys:
            for quad in _triples(ox, loaded, name, key, names):
                loaded.remove(quad)
    _load(ox, loaded, graph, names, _elements(graph, changes.new))


def _load(ox: Any, loaded: Any, graph: Spool, names: rdf.Names, elements: Iterable[Node | Edge]) -> None:
    path = graph.folder / "export.nt"
    with path.open("wb") as stream:
        rdf.write_elements(stream, names, elements)
    loaded.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    path.unlink()


def _elements(graph: Spool, keys: Mapping[str, frozenset[str]]) -> Iterator[Node | Edge]:
    """Yield the nodes with some keys, and the relationships at some nodes."""
    for label in graph.labels():
        if keys[label]:
            yield from (node for node in graph.nodes(label) if node.key in keys[label])
    for edge_type in graph.types():
        if keys[edge_type]:
            at_target = anchored_at_target(edge_type)
            for edge in graph.edges(edge_type):
                if (edge.target if at_target else edge.source) in keys[edge_type]:
                    yield edge


def _triples(ox: Any, loaded: Any, name: str, key: str, names: rdf.Names) -> list[Any]:
    """Return the triples of a node, or of the relationships of a type at a node."""
    if name in LABELS:
        return _of_node(ox, loaded, ox.NamedNode(names(name, key)[1:-1]))
    return _of_edges(ox, loaded, name, ox.NamedNode(names(anchor_label(name), key)[1:-1]))


def _of_node(ox: Any, loaded: Any, node: Any) -> list[Any]:
    """Return the triples of a node itself: its types and texts, and not those that come from relationships."""
    kind, alternative = _named(ox, "rdf:type"), _named(ox, "skos:altLabel")
    return [
        quad
        for quad in loaded.quads_for_pattern(node, None, None)
        if quad.predicate == kind or (isinstance(quad.object, ox.Literal) and quad.predicate != alternative)
    ]


def _of_edges(ox: Any, loaded: Any, edge_type: str, node: Any) -> list[Any]:
    at_target = anchored_at_target(edge_type)
    kind, type_name = _named(ox, "rdf:type"), _named(ox, f"og:{edge_type}")
    end = _named(ox, "rdf:object" if at_target else "rdf:subject")
    resources = [quad.subject for quad in loaded.quads_for_pattern(None, end, node)]
    found = [
        quad
        for resource in resources
        if any(loaded.quads_for_pattern(resource, kind, type_name))
        for quad in loaded.quads_for_pattern(resource, None, None)
    ]
    for short in filter(None, (f"og:{edge_type}", rdf.RELATIONS.get(edge_type))):
        ends = (None, _named(ox, short), node) if at_target else (node, _named(ox, short), None)
        found += (quad for quad in loaded.quads_for_pattern(*ends) if isinstance(quad.object, ox.NamedNode))
    if edge_type == "IN_ONTOLOGY":
        found += loaded.quads_for_pattern(node, _named(ox, "skos:altLabel"), None)
    return found


def _named(ox: Any, short: str) -> Any:
    prefix, _, name = short.partition(":")
    return ox.NamedNode(f"{rdf.PREFIXES[prefix]}{name}")
