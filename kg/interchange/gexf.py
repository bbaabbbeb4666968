"""The graph as GEXF 1.3 (https://gexf.net), for Gephi, and back.

A node carries what to call it as `label`, its label as the attribute `kind`; an edge its type as `label` and `kind`,
which keeps parallel edges of several types apart. A list is JSON text in an attribute of a list type.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kg.interchange.elements import (
    Edge,
    InterchangeError,
    Node,
    caption,
    checked,
    converted,
    ends,
    known_label,
    known_type,
)
from kg.interchange.spool import Spool
from kg.interchange.xml_text import Column, Tag, cell, columns, escaped, identifier, named, parsed, tags, unescaped

_TYPES = {
    "boolean": "boolean",
    "integer": "long",
    "number": "double",
    "text": "string",
    "boolean[]": "listboolean",
    "integer[]": "listlong",
    "number[]": "listdouble",
    "text[]": "liststring",
}
_KINDS = {gexf: kind for kind, gexf in _TYPES.items()}
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<meta><creator>ontocrawl</creator></meta>
<graph mode="static" defaultedgetype="directed">
"""
_CAPTION = 80
"""Letters of a node's caption; the whole text is an attribute."""
Columns = dict[tuple[str, str], Column]


def write(graph: Spool, stream: IO[bytes]) -> None:
    """Write the file as UTF-8. Raises InterchangeError where a property has values of several kinds."""
    of_nodes, of_edges = (columns(graph, names, "gexf") for names in (graph.labels(), graph.types()))
    stream.write(_HEAD.encode())
    kind, key = Column(".kind", "kind of node", "text"), Column(".key", "key", "text")
    stream.write(_attributes("node", [kind, key, *_once(of_nodes)]).encode())
    stream.write(_attributes("edge", _once(of_edges)).encode())
    stream.write(b"<nodes>\n")
    for label in graph.labels():
        for node in graph.nodes(label):
            stream.write(_node(node, of_nodes).encode())
    stream.write(b"</nodes>\n<edges>\n")
    all_edges = (edge for edge_type in graph.types() for edge in graph.edges(edge_type))
    for number, edge in enumerate(all_edges, 1):
        stream.write(_edge(number, edge, of_edges).encode())
    stream.write(b"</edges>\n</graph>\n</gexf>\n")


def _once(found: Columns) -> list[Column]:
    return sorted(set(found.values()), key=lambda column: column.id)


def _attributes(kind: str, found: list[Column]) -> str:
    lines = [f'<attribute id="{c.id}" title="{c.name}" type="{_TYPES[c.kind]}"/>' for c in found]
    return "\n".join([f'<attributes class="{kind}" mode="static">', *lines, "</attributes>\n"])


def _node(node: Node, of_nodes: Columns) -> str:
    own = f'<attvalue for=".kind" value="{node.label}"/><attvalue for=".key" value="{escaped(node.key)}"/>'
    return (
        f'<node id="{identifier(node.label, node.key)}" label="{escaped(caption(node)[:_CAPTION])}">'
        f"<attvalues>{own}{_values(node.label, node, of_nodes)}</attvalues></node>\n"
    )


def _edge(number: int, edge: Edge, of_edges: Columns) -> str:
    source, target = ends(edge.type)
    return (
        f'<edge id="{number}" source="{identifier(source, edge.source)}" target="{identifier(target, edge.target)}"'
        f' label="{edge.type}" kind="{edge.type}">'
        f"<attvalues>{_values(edge.type, edge, of_edges)}</attvalues></edge>\n"
    )


def _values(name: str, element: Node | Edge, found: Columns) -> str:
    cells = ((found[name, prop], value) for prop, value in element.props.items())
    return "".join(f'<attvalue for="{c.id}" value="{escaped(cell(converted(v, c.kind)))}"/>' for c, v in cells)


def read(path: Path) -> Iterator[Node | Edge]:
    """The nodes and relationships of a file that ``write`` made. Raises InterchangeError with the line otherwise."""
    declared: dict[tuple[str, str], Column] = {}
    data: list[tuple[str, str]] = []
    of, closed = "", False
    for tag in tags(path):
        where = f"{path}, line {tag.line}"
        if tag.text is None:
            if tag.name in ("node", "edge"):
                data = []
            of = tag.attributes.get("class", "") if tag.name == "attributes" else of
        elif tag.name == "attribute":
            at = tag.attributes.get("id", "")
            declared[of, at] = _declared(tag, where)
        elif tag.name == "attvalue":
            data.append((tag.attributes.get("for", ""), unescaped(tag.attributes.get("value", ""))))
        elif tag.name in ("node", "edge"):
            yield _element(tag, data, declared, where)
        closed = tag.name == "gexf"
    if not closed:
        raise InterchangeError(f"{path} is no GEXF")


def _declared(tag: Tag, where: str) -> Column:
    kind = tag.attributes.get("type", "")
    if kind not in _KINDS:
        raise InterchangeError(f"{where}: an attribute of type {kind!r}; graph export writes {', '.join(_KINDS)}")
    return Column(tag.attributes.get("id", ""), tag.attributes.get("title", ""), _KINDS[kind])


def _element(tag: Tag, data: list[tuple[str, str]], declared: dict[tuple[str, str], Column], where: str) -> Node | Edge:
    props = {}
    for at, text in data:
        column = declared.get((tag.name, at))
        if column is None:
            raise InterchangeError(f"{where}: a value of the attribute {at!r}, which is not declared")
        if not at.startswith("."):
            props[column.name] = parsed(text, column.kind, where)
    checked(props, where)
    if tag.name == "node":
        label, key = named(tag.attributes.get("id", ""), where)
        return Node(known_label(label, where), key, props)
    edge_type = known_type(tag.attributes.get("kind", ""), where)
    found = [named(tag.attributes.get(end, ""), where) for end in ("source", "target")]
    if tuple(label for label, _ in found) != ends(edge_type):
        raise InterchangeError(f"{where}: {edge_type} leads from {ends(edge_type)[0]} to {ends(edge_type)[1]}")
    return Edge(edge_type, found[0][1], found[1][1], props)
