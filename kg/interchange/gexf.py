"""The graph as GEXF 1.3 (https://gexf.net), for Gephi; written, not read.

A node has its caption as `label`, its label as the attribute `kind`; an edge its type as `label` and `kind`, which
keeps parallel edges of several types apart. A list is JSON text in an attribute of a list type.
"""

from __future__ import annotations

from typing import IO

from kg.interchange.elements import Edge, Node, caption, ends
from kg.interchange.spool import Spool
from kg.interchange.xml_text import Column, Columns, cells, columns, distinct, escaped, identifier

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
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<meta><creator>ontocrawl</creator></meta>
<graph mode="static" defaultedgetype="directed">
"""
_CAPTION = 80
"""Letters of a node's caption; the whole text is an attribute."""


def write(graph: Spool, stream: IO[bytes]) -> None:
    """Write the file as UTF-8.

    Args:
        graph: all nodes and relationships.
        stream: a binary file.

    Raises:
        InterchangeError: a property has values of several kinds.
    """
    of_nodes, of_edges = (columns(graph, names, "gexf") for names in (graph.labels(), graph.types()))
    stream.write(_HEAD.encode())
    kind, key = Column(".kind", "kind of node", "text"), Column(".key", "key", "text")
    stream.write(_attributes("node", [kind, key, *distinct(of_nodes)]).encode())
    stream.write(_attributes("edge", distinct(of_edges)).encode())
    stream.write(b"<nodes>\n")
    for node in graph.all_nodes():
        stream.write(_node(node, of_nodes).encode())
    stream.write(b"</nodes>\n<edges>\n")
    for number, edge in enumerate(graph.all_edges(), 1):
        stream.write(_edge(number, edge, of_edges).encode())
    stream.write(b"</edges>\n</graph>\n</gexf>\n")


def _attributes(kind: str, columns: list[Column]) -> str:
    lines = [f'<attribute id="{c.id}" title="{c.name}" type="{_TYPES[c.kind]}"/>' for c in columns]
    return "\n".join([f'<attributes class="{kind}" mode="static">', *lines, "</attributes>\n"])


def _node(node: Node, of_nodes: Columns) -> str:
    values = f'<attvalue for=".kind" value="{node.label}"/><attvalue for=".key" value="{escaped(node.key)}"/>'
    return (
        f'<node id="{identifier(node.label, node.key)}" label="{escaped(caption(node)[:_CAPTION])}">'
        f"<attvalues>{values}{_values(node.label, node, of_nodes)}</attvalues></node>\n"
    )


def _edge(number: int, edge: Edge, of_edges: Columns) -> str:
    source, target = ends(edge.type)
    return (
        f'<edge id="{number}" source="{identifier(source, edge.source)}" target="{identifier(target, edge.target)}"'
        f' label="{edge.type}" kind="{edge.type}">'
        f"<attvalues>{_values(edge.type, edge, of_edges)}</attvalues></edge>\n"
    )


def _values(name: str, element: Node | Edge, found: Columns) -> str:
    return "".join(f'<attvalue for="{column_id}" value="{text}"/>' for column_id, text in cells(name, element, found))
