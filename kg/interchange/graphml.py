"""The graph as GraphML (http://graphml.graphdrawing.org), for yEd, networkx and apoc.import.graphml; written, not read.

Labels and types are written as by APOC: `labels=":Page"` on a node, `label="LINKS_TO"` on an edge, and the same as
data. GraphML has no lists: a list is JSON text, and its key has the attribute `attr.list`.
"""

from __future__ import annotations

from typing import IO

from kg.interchange.elements import Edge, Node, ends
from kg.interchange.spool import Spool
from kg.interchange.xml_text import Column, Columns, cells, columns, distinct, escaped, identifier

_TYPES = {"boolean": "boolean", "integer": "long", "number": "double", "text": "string"}
_TAKEN = ("labels", "key", "label")
"""Names that other programs use for label, key and type; a property of that name is declared under another."""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write(graph: Spool, stream: IO[bytes]) -> None:
    """Write the file as UTF-8.

    Args:
        graph: all nodes and relationships.
        stream: a binary file.

    Raises:
        InterchangeError: a property has values of several kinds.
    """
    of_nodes = columns(graph, graph.labels(), "graphml")
    of_edges = columns(graph, graph.types(), "graphml")
    declared = [_key("labels", "node", Column("", "labels", "text")), _key("key", "node", Column("", "key", "text"))]
    declared += [_key(f"n.{column.id}", "node", column) for column in distinct(of_nodes)]
    declared.append(_key("label", "edge", Column("", "label", "text")))
    declared += [_key(f"e.{column.id}", "edge", column) for column in distinct(of_edges)]
    stream.write((_HEAD + "\n".join(declared) + '\n<graph id="G" edgedefault="directed">\n').encode())
    for node in graph.all_nodes():
        stream.write(_node(node, of_nodes).encode())
    for number, edge in enumerate(graph.all_edges(), 1):
        stream.write(_edge(number, edge, of_edges).encode())
    stream.write(b"</graph>\n</graphml>\n")


def _key(at: str, kind: str, column: Column) -> str:
    plain = _TYPES[column.kind.removesuffix("[]")]
    is_list = column.kind.endswith("[]")
    type_ = f'attr.type="string" attr.list="{plain}"' if is_list else f'attr.type="{plain}"'
    name = f"{column.name} (property)" if "." in at and column.name in _TAKEN else column.name
    return f'<key id="{at}" for="{kind}" attr.name="{name}" {type_}/>'


def _node(node: Node, of_nodes: Columns) -> str:
    values = f'<data key="labels">:{node.label}</data><data key="key">{escaped(node.key)}</data>'
    data = _data("n", node.label, node, of_nodes)
    return f'<node id="{identifier(node.label, node.key)}" labels=":{node.label}">{values}{data}</node>\n'


def _edge(number: int, edge: Edge, of_edges: Columns) -> str:
    source, target = ends(edge.type)
    return (
        f'<edge id="e{number}" source="{identifier(source, edge.source)}" target="{identifier(target, edge.target)}"'
        f' label="{edge.type}"><data key="label">{edge.type}</data>{_data("e", edge.type, edge, of_edges)}</edge>\n'
    )


def _data(prefix: str, name: str, element: Node | Edge, found: Columns) -> str:
    return "".join(f'<data key="{prefix}.{column_id}">{text}</data>' for column_id, text in cells(name, element, found))
