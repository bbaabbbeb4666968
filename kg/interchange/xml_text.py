"""Text in XML 1.0, for GraphML and GEXF: what XML cannot hold is escaped as _xHHHH_, and read back.

XML 1.0 has no control characters but tab, line feed and carriage return, not even as references. _xHHHH_ is the escape
of ECMA-376 (ST_Xstring), which spreadsheets use; a text that holds _xHHHH_ itself gets its underscore escaped.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.parsers import expat

from kg.interchange.elements import InterchangeError, kind_of
from kg.interchange.spool import Spool

_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_MARKUP = re.compile('[&<>"\t\n\r\x7f-\x9f\u2028]')
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_NAME_TOKEN = re.compile(r"[^A-Za-z0-9.-]")
_ENCODED = re.compile(r"(?:[A-Za-z0-9.-]|_[0-9A-F]{2})*")


def escaped(text: str) -> str:
    """Text as it may stand in an element or between double quotes; line ends as references, which no parser changes."""
    whole = _REFUSED.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return _MARKUP.sub(lambda found: _NAMED.get(found[0]) or f"&#{ord(found[0])};", whole)


def unescaped(text: str) -> str:
    """What ``escaped`` was given, from what the XML parser gives."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def identifier(label: str, key: str) -> str:
    """A node's id made of its label and key, with _HH for each byte that an XML name token cannot hold."""
    return f"{label}:" + _NAME_TOKEN.sub(lambda found: "".join(f"_{b:02X}" for b in found[0].encode()), key)


def named(identifier: str, where: str) -> tuple[str, str]:
    """Label and key of an id. Raises InterchangeError for one that ``identifier`` does not make."""
    label, colon, rest = identifier.partition(":")
    if colon and _ENCODED.fullmatch(rest):
        with contextlib.suppress(UnicodeDecodeError):
            return label, unquote_to_bytes(rest.replace("_", "%")).decode()
    raise InterchangeError(f"{where}: {identifier[:60]!r} is no id that graph export writes")


def cell(value: Any) -> str:
    """A value as text: booleans in lower case, lists as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "INF", "-inf": "-INF"}[repr(value)]
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value) if isinstance(value, str) else repr(value)


def parsed(text: str, kind: str, where: str) -> Any:
    """What ``cell`` was given. Raises InterchangeError where the text is none of that kind."""
    try:
        if kind.endswith("[]"):
            items = json.loads(text)
            return [_item(item, kind.removesuffix("[]")) for item in items]
        if kind == "boolean":
            return {"true": True, "false": False}[text]
        if kind == "integer":
            return int(text)
        return float(text) if kind == "number" else text
    except (ValueError, KeyError, TypeError) as error:
        raise InterchangeError(f"{where}: {text[:40]!r} is no {kind}") from error


def _item(item: Any, kind: str) -> Any:
    if kind == "number" and isinstance(item, int | float):
        return float(item)
    if kind_of(item) != kind:
        raise ValueError(item)
    return item


@dataclass(frozen=True, slots=True)
class Column:
    """A declared property: its id in the file, its name, and the kind of its values."""

    id: str
    name: str
    kind: str


def columns(graph: Spool, names: Sequence[str], file_format: str) -> dict[tuple[str, str], Column]:
    """(label or type, property) -> its column; one column for a name that has the same kind everywhere.

    Raises InterchangeError where a property of a label or type has values of several kinds.
    """
    kinds = {(name, prop): kind for name in names for prop, kind in graph.columns(name, file_format).items()}
    of_name: dict[str, set[str]] = {}
    for (_, prop), kind in kinds.items():
        of_name.setdefault(prop, set()).add(kind)
    return {
        (name, prop): Column(prop if len(of_name[prop]) == 1 else f"{name}.{prop}", prop, kind)
        for (name, prop), kind in kinds.items()
    }


@dataclass(frozen=True, slots=True)
class Tag:
    """An element that begins, or ends with the text that stood directly in it (None: it begins)."""

    name: str
    attributes: Mapping[str, str]
    text: str | None
    line: int


def tags(path: Path) -> Iterator[Tag]:
    """The elements of a file as they begin and end, by local name, in bounded memory.

    Raises InterchangeError with the line for a file that is not well-formed, and for one that declares a document
    type: its entities could name other files or grow without bound.
    """
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    found: list[Tag] = []
    opened: list[tuple[str, dict[str, str], list[str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition("}")[2]
        plain = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        opened.append((local, plain, []))
        found.append(Tag(local, plain, None, parser.CurrentLineNumber))

    def end(_: str) -> None:
        local, attributes, text = opened.pop()
        found.append(Tag(local, attributes, "".join(text), parser.CurrentLineNumber))

    def character_data(text: str) -> None:
        opened[-1][2].append(text)

    def refuse(*_: object) -> None:
        raise InterchangeError(f"{path}: declares a document type, which graph export does not write")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = character_data
    parser.StartDoctypeDeclHandler = refuse
    with path.open("rb") as stream:
        try:
            while chunk := stream.read(1 << 16):
                parser.Parse(chunk, False)
                yield from found
                found.clear()
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise InterchangeError(
                f"{path}, line {error.lineno}: not well-formed XML: {expat.ErrorString(error.code)}"
            ) from error
    yield from found
