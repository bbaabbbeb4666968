"""Common parts of GraphML and GEXF: declared columns, and XML 1.0 text with other characters escaped as _xHHHH_.

XML 1.0 has no control characters but tab, line feed and carriage return, not even as references. _xHHHH_ is the escape
of ECMA-376 (ST_Xstring), which spreadsheets use; in a text that contains _xHHHH_ the underscore is escaped.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kg.interchange.elements import Edge, Node, converted
from kg.interchange.spool import Spool

_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_MARKUP = re.compile('[&<>"\t\n\r\x7f-\x9f\u2028]')
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_NAME_TOKEN = re.compile(r"[^A-Za-z0-9.-]")


def escaped(text: str) -> str:
    """Return text for an element or an attribute in double quotes; line ends become references, which parsers keep.

    >>> escaped("a < b"), escaped(chr(1))
    ('a &lt; b', '_x0001_')
    """
    whole = _REFUSED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    return _MARKUP.sub(lambda match: _NAMED.get(match[0]) or f"&#{ord(match[0])};", whole)


def identifier(label: str, key: str) -> str:
    """Return a node's id made of its label and key, with _HH for each byte that an XML name token cannot hold.

    Args:
        label: label of the node.
        key: its key.
    """
    return f"{label}:" + _NAME_TOKEN.sub(lambda match: "".join(f"_{b:02X}" for b in match[0].encode()), key)


def _cell(value: Any) -> str:
    """Return a value as text: booleans in lower case, lists as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "INF", "-inf": "-INF"}[repr(value)]
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value) if isinstance(value, str) else repr(value)


@dataclass(frozen=True, slots=True)
class Column:
    """A declared property: its id in the file, its name, and the kind of its values."""

    id: str
    name: str
    kind: str


Columns = Mapping[tuple[str, str], Column]
"""(label or type, property) -> its column."""


def columns(graph: Spool, names: Sequence[str], file_format: str) -> Columns:
    """Return (label or type, property) -> its column; one column for a name that has the same kind everywhere.

    Args:
        graph: all nodes and relationships.
        names: labels or types.
        file_format: the format to write, for messages.

    Raises:
        InterchangeError: a property of a label or type has values of several kinds.
    """
    kinds = {(name, prop): kind for name in names for prop, kind in graph.columns(name, file_format).items()}
    of_name: dict[str, set[str]] = {}
    for (_, prop), kind in kinds.items():
        of_name.setdefault(prop, set()).add(kind)
    return {
        (name, prop): Column(prop if len(of_name[prop]) == 1 else f"{name}.{prop}", prop, kind)
        for (name, prop), kind in kinds.items()
    }


def distinct(found: Columns) -> list[Column]:
    """Return every column once, by id."""
    return sorted(set(found.values()), key=lambda column: column.id)


def cells(name: str, element: Node | Edge, found: Columns) -> Iterator[tuple[str, str]]:
    """Yield column id and escaped text of each property of an element.

    Args:
        name: its label or type.
        element: the element.
        found: the columns.
    """
    for prop, value in element.props.items():
        column = found[name, prop]
        yield column.id, escaped(_cell(converted(value, column.kind)))
