"""The elements of an export: nodes and relationships with their properties, and the kinds of values.

Names of labels, types and properties come from kg/schema.py or are checked here before they are written to a statement
or a file; everything else is a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from kg import schema
from ontology.errors import OntocrawlError

LABELS: tuple[str, ...] = tuple(label for label in schema.KEYS if label != "GraphSchema")
"""Labels of an export, in order. The schema itself is applied by the importing graph, not exported."""
TYPES: tuple[str, ...] = tuple(schema.RELATIONSHIPS)
"""Relationship types of an export, in order."""
OWNER: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            ("SUBCLASS_OF", "PART_OF", "EQUIVALENT_TO", "CAUSES", "MEASURED_BY", "WEIGHTS", "HAS_TERM"), "ontology"
        ),
        **dict.fromkeys(("LINKS_TO", "LED_TO", "LINKS_TO_HOST", "MENTIONS", "ON_PAGE", "FOUND_IN"), "crawl"),
    }
)
"""Type -> the property that is part of its identity: two crawls' links between the same pages are two relationships."""
UNOWNED = frozenset({"HAS_TERM", "FOUND_IN"})
"""Types whose owner may be empty: papers without an ontology, those of version 0.1, proposals of version 0.2."""
_BUSY = frozenset({"Crawl", "Topic", "Ontology"})
"""Labels of few nodes with very many relationships: these are reached from their other end (docs/graph.md, rule 3)."""
_LETTERS = "A-Za-z_\u00c0-\u02ff\u0370-\u1fff\u3001-\ud7ff\U00010000-\U000effff"
_NAME = re.compile(f"(?!\\d)(?:(?=[{_LETTERS}0-9])\\w)+")
"""Names that all formats have room for without quotes: Turtle leaves out some letters of other scripts."""
_INT64 = 2**63
Props = Mapping[str, Any]


class InterchangeError(OntocrawlError, ValueError):
    """A graph that a format cannot hold, or a file that is no export; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its label, the value of the label's key, and its other properties without nulls."""

    label: str
    key: str
    props: Props

    @property
    def is_whole(self) -> bool:
        """Whether its key is a text that an import can look up."""
        return isinstance(self.key, str) and self.key != ""


@dataclass(frozen=True, slots=True)
class Edge:
    """One relationship: its type, the keys of its ends, and its properties without nulls, the owner's among them."""

    type: str
    source: str
    target: str
    props: Props

    @property
    def owner(self) -> str:
        """IRI of its ontology or id of its crawl; empty if its type has no owner."""
        return str(self.props.get(OWNER.get(self.type, ""), ""))

    @property
    def is_whole(self) -> bool:
        """Whether it has the keys of both ends, and the owner that its type needs."""
        keys = [self.source, self.target]
        if self.type in OWNER and self.type not in UNOWNED:
            keys.append(self.props.get(OWNER[self.type], ""))
        return all(isinstance(key, str) and key for key in keys)


def caption(node: Node) -> str:
    """Return the caption of a node in a drawing: its label or title, or else its key."""
    names = (node.props.get(name) for name in ("label_zh", "label_en", "title_zh", "title_en", "title", "term"))
    return next((text for text in names if isinstance(text, str) and text), node.key)


def ends(edge_type: str) -> tuple[str, str]:
    """Return the labels of the start and the end of a type."""
    return schema.RELATIONSHIPS[edge_type]


def anchored_at_target(edge_type: str) -> bool:
    """Return whether a statement should begin at the target, because its source has very many relationships."""
    return ends(edge_type)[0] in _BUSY


def checked(props: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return properties without nulls after a check of names and values.

    Args:
        props: properties by name.
        what: element that has them, for messages.

    Raises:
        InterchangeError: a name or value is not allowed.
    """
    kept = {}
    for name in sorted(props):
        value = props[name]
        if value is None:
            continue
        if not _NAME.fullmatch(name):
            raise InterchangeError("interchange.property_name_not_made", what=what, name=name)
        try:
            kind_of(value)
        except InterchangeError as error:
            raise InterchangeError("interchange.property", what=what, name=name, error=error) from None
        kept[name] = list(value) if isinstance(value, list | tuple) else value
    return kept


def kind_of(value: Any) -> str:
    """Return the kind of a value: boolean, integer, number or text, with [] appended for a list; [] if it is empty.

    Raises:
        InterchangeError: the value has none of these kinds.

    >>> kind_of(3), kind_of("x"), kind_of([1.5]), kind_of([])
    ('integer', 'text', 'number[]', '[]')
    """
    if isinstance(value, list | tuple):
        kinds = {kind_of(item) for item in value}
        if any(kind.endswith("[]") for kind in kinds):
            raise InterchangeError("interchange.holds_list_list_neo")
        return f"{common_kind(kinds)}[]" if kinds else "[]"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        if not -_INT64 <= value < _INT64:
            raise InterchangeError("interchange.holds_beyond_bits", value=value)
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        if re.search(r"[\ud800-\udfff]", value):
            raise InterchangeError("interchange.holds_half_surrogate_pair")
        return "text"
    raise InterchangeError("interchange.holds_expected_text_number", name=type(value).__name__)


def common_kind(kinds: Iterable[str]) -> str:
    """Return the kind that can hold all: integers become numbers, an empty list fits any list.

    Raises:
        InterchangeError: there is none.

    >>> common_kind(["integer", "number"]), common_kind(["[]", "text[]"])
    ('number', 'text[]')
    """
    remaining = set(kinds)
    for narrow, wide in (("integer", "number"), ("integer[]", "number[]")):
        if wide in remaining:
            remaining.discard(narrow)
    if len(remaining) > 1 and all(kind.endswith("[]") for kind in remaining):
        remaining.discard("[]")
    if len(remaining) != 1:
        raise InterchangeError("interchange.holds_values_several_kinds", remaining=", ".join(sorted(remaining)))
    kind = remaining.pop()
    return "text[]" if kind == "[]" else kind


def converted(value: Any, kind: str) -> Any:
    """Convert a value to the kind of its column: integers among numbers become numbers.

    Args:
        value: the value.
        kind: kind of the column.
    """
    if kind == "number":
        return float(value)
    if kind == "number[]":
        return [float(item) for item in value]
    return value
