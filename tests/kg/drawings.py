"""GraphML and GEXF back into nodes and relationships, by another parser and strictly, to check what was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

from kg.interchange.elements import Edge, Node, ends

_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
_GEXF = "{http://gexf.net/1.3}"
_PARSERS: dict[str, Any] = {"boolean": {"true": True, "false": False}.__getitem__, "long": int, "double": float}


def read(path: Path, name: str) -> Iterator[Node | Edge]:
    """All that a file of the format ``name`` holds, in its order; what does not follow the format is an error."""
    yield from (_graphml if name == "graphml" else _gexf)(path)


def _graphml(path: Path) -> Iterator[Node | Edge]:
    types = {}
    for tag in _tags(path, _GRAPHML, "key", "node", "edge"):
        if tag.tag == f"{_GRAPHML}key":
            plain, inner = tag.get("attr.type", ""), tag.get("attr.list", "")
            types[tag.get("id")] = f"list{inner}" if inner else plain
            continue
        data = {d.get("key", ""): d.text or "" for d in tag}
        props = {key.rpartition(".")[2]: _value(text, types[key]) for key, text in data.items() if "." in key}
        kind = (tag.get("labels") or tag.get("label") or "").removeprefix(":")
        assert data.get("labels", data.get("label", "")).removeprefix(":") == kind
        yield _element(tag, kind, data.get("key", ""), props)


def _gexf(path: Path) -> Iterator[Node | Edge]:
    declared: dict[tuple[str, str], tuple[str, str]] = {}
    for tag in _tags(path, _GEXF, "attributes", "node", "edge"):
        if tag.tag == f"{_GEXF}attributes":
            for a in tag:
                declared[tag.get("class", ""), a.get("id", "")] = (a.get("title", ""), a.get("type", ""))
            continue
        data = {v.get("for", ""): v.get("value", "") for v in tag.iter(f"{_GEXF}attvalue")}
        of = tag.tag.removeprefix(_GEXF)
        props = {}
        for at, text in data.items():
            title, type_ = declared[of, at]
            if not at.startswith("."):
                props[title] = _value(text, type_)
        yield _element(tag, tag.get("kind") or data.get(".kind", ""), data.get(".key", ""), props)


def _tags(path: Path, space: str, *names: str) -> Iterator[ElementTree.Element]:
    """The elements of these names, each dropped after use."""
    for _, tag in ElementTree.iterparse(path):
        if tag.tag in {space + name for name in names}:
            yield tag
            tag.clear()


def _element(tag: ElementTree.Element, kind: str, key: str, props: dict[str, Any]) -> Node | Edge:
    if tag.get("source") is None:
        key = _text(key)
        assert _named(tag.get("id", "")) == (kind, key)
        return Node(kind, key, props)
    (source_label, source), (target_label, target) = (_named(tag.get(end, "")) for end in ("source", "target"))
    assert (source_label, target_label) == ends(kind)
    return Edge(kind, source, target, props)


def _named(identifier: str) -> tuple[str, str]:
    label, _, rest = identifier.partition(":")
    assert re.fullmatch(r"(?:[A-Za-z0-9.-]|_[0-9A-F]{2})*", rest)
    return label, unquote(rest.replace("_", "%"), errors="strict")


def _value(text: str, type_: str) -> Any:
    text = _text(text)
    if type_.startswith("list"):
        inner = type_.removeprefix("list")
        return [float(item) if inner == "double" else item for item in json.loads(text)]
    return text if type_ == "string" else _PARSERS[type_](text)


def _text(text: str) -> str:
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)
