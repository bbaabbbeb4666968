"""Contexts as .json with the keys of the package `concepts`: objects, properties, context (attribute numbers).

`attributes` is read as another name of `properties`. A stored `lattice` is ignored: it is computed. The JSON of
conexp-clj is read too: `attributes` and an `adjacency-list` of `object` and its `attributes`, also within
`formal_context`; its objects and attributes may be numbers.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ontology.context import ContextError, FormalContext, bits_of, first_doubled


def parse(text: str, file: str) -> FormalContext:
    """Parse the text of a .json file. Arguments and errors are those of every format (`ontology.formats`).

    >>> parse('{"objects": ["d1"], "properties": ["rain", "flood"], "context": [[1]]}', "a.json").rows
    (2,)
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: JSONDecodeError, or a number of thousands of digits
        line = getattr(error, "lineno", 1)
        raise ContextError("files.line_not_json", path=file, line=line, error=error) from error
    if not isinstance(data, dict):
        raise ContextError("formats.line_expected_object_objects", file=file, name=type(data).__name__)
    data = next((data[k] for k in ("formal_context", "formal-context") if isinstance(data.get(k), dict)), data)
    if "adjacency-list" in data:
        data = _of_lists(data, file)
    objects = _names(data, ("objects",), file)
    attributes = _names(data, ("properties", "attributes"), file)
    lists = data.get("context")
    if not isinstance(lists, list):
        raise ContextError("formats.line_expected_list_under", file=file, name=type(lists).__name__)
    rows = tuple(_row(row, len(attributes), f"{file}, line 1: context[{i}]") for i, row in enumerate(lists))
    try:
        return FormalContext(tuple(objects), tuple(attributes), rows)
    except ContextError as error:
        raise ContextError(
            "files.line", path=file, line=_line_of_doubled(text, objects, attributes), error=error
        ) from error


def _of_lists(data: dict[str, Any], file: str) -> dict[str, Any]:
    """Return the context of a conexp-clj file with the keys of the package `concepts`."""
    entries = data["adjacency-list"]
    if not isinstance(entries, list) or not all(
        isinstance(e, dict) and "object" in e and isinstance(e.get("attributes"), list) for e in entries
    ):
        raise ContextError("formats.line_expected_objects_object", file=file)
    declared = data.get("attributes")
    listed = declared if isinstance(declared, list) else []
    used = (name for entry in entries for name in entry["attributes"])
    attributes = {_plain(name): None for name in (*listed, *used)}
    position = {name: j for j, name in enumerate(attributes)}
    return {
        "objects": [_plain(entry["object"]) for entry in entries],
        "properties": list(attributes),
        "context": [[position[_plain(name)] for name in entry["attributes"]] for entry in entries],
    }


def _plain(name: Any) -> str:
    return name if isinstance(name, str) else json.dumps(name, ensure_ascii=False)


def _line_of_doubled(text: str, *lists: list[str]) -> int:
    """Return the line of the second occurrence of a duplicate name in its list; 1 if none is duplicate."""
    for names in lists:
        position = first_doubled(names)
        if position is not None:
            spellings = {json.dumps(names[position]), json.dumps(names[position], ensure_ascii=False)}
            places = sorted(match.end() for s in spellings for match in re.finditer(re.escape(s), text))
            before = sum(name == names[position] for other in lists[: lists.index(names)] for name in other)
            if len(places) > before + 1:
                return text.count("\n", 0, places[before + 1]) + 1
    return 1


def render(context: FormalContext) -> str:
    """Format a context as the text of a .json file, one row per line."""
    rows = ",\n  ".join(json.dumps(list(bits_of(row))) for row in context.rows)
    objects = json.dumps(list(context.objects), ensure_ascii=False)
    attributes = json.dumps(list(context.attributes), ensure_ascii=False)
    return f'{{"objects": {objects},\n "properties": {attributes},\n "context": [\n  {rows}\n ]}}\n'


def _names(data: dict[str, Any], keys: tuple[str, ...], file: str) -> list[str]:
    value = next((data[k] for k in keys if k in data), None)
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ContextError("formats.line_expected_list_names", file=file, keys=keys[0], value=str(value)[:40])
    return value


def _row(row: Any, m: int, where: str) -> int:
    if not isinstance(row, list):
        raise ContextError("formats.expected_list_attribute_numbers", where=where, row=str(row)[:40])
    result = 0
    for j in row:
        if not isinstance(j, int) or isinstance(j, bool) or not 0 <= j < m:
            raise ContextError("formats.expected_attribute_numbers_found", where=where, m=m - 1, j=j)
        result |= 1 << j
    return result
