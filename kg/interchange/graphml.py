"""The graph as GraphML (http://graphml.graphdrawing.org), for yEd, networkx, Gephi and apoc.import.graphml, and back.

Labels and types stand as APOC writes them: `labels=":Page"` on a node, `label="LINKS_TO"` on an edge, and the same as
data. GraphML has no lists: a list is JSON text, and its key says so by `attr.list`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kg.interchange.elements import Edge, InterchangeError, Node, checked, converted, ends, known_label, known_type
from kg.interchange.spool import Spool
from kg.interchange.xml_text import Column, Tag, cell, columns, escaped, identifier, named, parsed, tags, unescaped

_TYPES = {"boolean": "boolean", "integer": "long", "number": "double", "text": "string"}
_KINDS = {graphml: kind for kind, graphml in _TYPES.items()}
_TAKEN = ("labels", "key", "label")
"""Names that other programs know as the label, key and type; a property of that name is declared by another."""
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write(graph: Spool, stream: IO[bytes]) -> None:
    """Write the file as UTF-8. Raises InterchangeError where a property has values of several kinds."""
    of_nodes = columns(graph, graph.labels(), "graphml")
    of_edges = columns(graph, graph.types(), "graphml")
    declared = [_key("labels", "node", Column("", "labels", "text")), _key("key", "node", Column("", "key", "text"))]
    declared += [_key(f"n.{column.id}", "node", column) for column in _once(of_nodes)]
    declared.append(_key("label", "edge", Column("", "label", "text")))
    declared += [_key(f"e.{column.id}", "edge", column) for column in _once(of_edges)]
    stream.write((_HEAD + "\n".join(declared) + '\n<graph id="G" edgedefault="directed">\n').encode())
    for label in graph.labels():
        for node in graph.nodes(label):
            stream.write(_node(node, of_nodes).encode())
    all_edges = (edge for edge_type in graph.types() for edge in graph.edges(edge_type))
    for number, edge in enumerate(all_edges, 1):
        stream.write(_edge(number, edge, of_edges).encode())
    stream.write(b"</graph>\n</graphml>\n")


def _once(found: dict[tuple[str, str], Column]) -> list[Column]:
    return sorted(set(found.values()), key=lambda column: column.id)


def _key(at: str, kind: str, column: Column) -> str:
    plain = _TYPES[column.kind.removesuffix("[]")]
    is_list = column.kind.endswith("[]")
    type_ = f'attr.type="string" attr.list="{plain}"' if is_list else f'attr.type="{plain}"'
    name = f"{column.name} (property)" if "." in at and column.name in _TAKEN else column.name
    return f'<key id="{at}" for="{kind}" attr.name="{name}" {type_}/>'


def _node(node: Node, of_nodes: dict[tuple[str, str], Column]) -> str:
    own = f'<data key="labels">:{node.label}</data><data key="key">{escaped(node.key)}</data>'
    data = _data("n", node.label, node, of_nodes)
    return f'<node id="{identifier(node.label, node.key)}" labels=":{node.label}">{own}{data}</node>\n'


def _edge(number: int, edge: Edge, of_edges: dict[tuple[str, str], Column]) -> str:
    source, target = ends(edge.type)
    return (
        f'<edge id="e{number}" source="{identifier(source, edge.source)}" target="{identifier(target, edge.target)}"'
        f' label="{edge.type}"><data key="label">{edge.type}</data>{_data("e", edge.type, edge, of_edges)}</edge>\n'
    )


def _data(prefix: str, name: str, element: Node | Edge, found: dict[tuple[str, str], Column]) -> str:
    cells = ((found[name, prop], value) for prop, value in element.props.items())
    return "".join(f'<data key="{prefix}.{c.id}">{escaped(cell(converted(v, c.kind)))}</data>' for c, v in cells)


def read(path: Path) -> Iterator[Node | Edge]:
    """The nodes and relationships of a file that ``write`` made. Raises InterchangeError with the line otherwise."""
    keys: dict[str, Column] = {}
    data: list[tuple[str, str]] = []
    closed = False
    for tag in tags(path):
        where = f"{path}, line {tag.line}"
        if tag.text is None:
            if tag.name in ("node", "edge"):
                data = []
        elif tag.name == "key":
            keys[tag.attributes.get("id", "")] = _declared(tag, where)
        elif tag.name == "data":
            data.append((tag.attributes.get("key", ""), unescaped(tag.text)))
        elif tag.name in ("node", "edge"):
            yield _element(tag, data, keys, where)
        closed = tag.name == "graphml"
    if not closed:
        raise InterchangeError(f"{path} is no GraphML")


def _declared(tag: Tag, where: str) -> Column:
    list_of = tag.attributes.get("attr.list")
    plain = list_of or tag.attributes.get("attr.type", "")
    if plain not in _KINDS:
        raise InterchangeError(f"{where}: a key of type {plain!r}; graph export writes {', '.join(_KINDS)}")
    at = tag.attributes.get("id", "")
    return Column(at, at.rpartition(".")[2], _KINDS[plain] + "[]" * bool(list_of))


def _element(tag: Tag, data: list[tuple[str, str]], keys: dict[str, Column], where: str) -> Node | Edge:
    props = {}
    for key, text in data:
        if key not in keys:
            raise InterchangeError(f"{where}: data of the key {key!r}, which is not declared")
        if "." in key:
            props[keys[key].name] = parsed(text, keys[key].kind, where)
    if tag.name == "node":
        label, key = named(tag.attributes.get("id", ""), where)
        return Node(known_label(label, where), key, checked(props, where))
    edge_type = known_type(tag.attributes.get("label", ""), where)
    found = [named(tag.attributes.get(end, ""), where) for end in ("source", "target")]
    if tuple(label for label, _ in found) != ends(edge_type):
        raise InterchangeError(f"{where}: {edge_type} leads from {ends(edge_type)[0]} to {ends(edge_type)[1]}")
    return Edge(edge_type, found[0][1], found[1][1], checked(props, where))
