"""Tables of results, with conversion to JSON, CSV and DataFrames; and the one rule on what an answer leaves out.

An answer is complete, or says where it is cut: which part, at which number, of how many (`Cut`). Documents of JSON
carry ``complete``, and where that is false ``cut``; a document that is too large for its reader is cut by `within`.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from ontology.errors import Message
from ontology.extras import require
from ontology.printable import csv_cell, json_text

T = TypeVar("T")
_EXTRA = "frames"


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of an answer that was left out.

    >>> str(Cut("rows", 20, 134)), str(Cut("rows", 20, 1001, "gte"))
    ('rows cut at 20 of 134', 'rows cut at 20 of more than 1000')
    """

    part: str
    """What was cut: ``rows``, a column whose lists or texts were, or the name of a list of a document."""
    at: int
    """How many are given: rows, entries of the longest list, characters of the longest text."""
    total: int
    """How many there are."""
    relation: Literal["eq", "gte"] = "eq"
    """Whether ``total`` is exact, or the least that there can be."""

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """The cut in words."""
        total = Message("graph.cut_more", most=self.total - 1) if self.relation == "gte" else str(self.total)
        part = Message("graph.cut_rows") if self.part == "rows" else self.part
        return Message("graph.cut", part=part, at=self.at, total=total)

    def as_json(self) -> dict[str, Any]:
        """Return ``{part, at, total, relation}``."""
        return {"part": self.part, "at": self.at, "total": self.total, "relation": self.relation}


def extent(cuts: Sequence[Cut] = ()) -> dict[str, Any]:
    """Return what a document says of its completeness.

    >>> extent(), extent([Cut("rows", 2, 3)])["complete"]
    ({'complete': True}, False)
    """
    return {"complete": False, "cut": [one.as_json() for one in cuts]} if cuts else {"complete": True}


def first(values: Sequence[T], most: int, part: str) -> tuple[Sequence[T], list[Cut]]:
    """Return the first values of a list, and how it was cut.

    >>> first("abc", 2, "letters")
    ('ab', [Cut(part='letters', at=2, total=3, relation='eq')])
    """
    return values[:most], [Cut(part, most, len(values))] if len(values) > most else []


@dataclass(frozen=True, slots=True)
class Table:
    """A table of results. The values of each row are in the order of the columns: scalars, lists and maps.

    ``types`` are the declared types of columns (queries.columns), which their columns of a DataFrame have; for others
    the type of the name applies.

    >>> Table(("url", "relevance"), (("http://a.example/", 0.5), ("http://b.cn/", float("nan")))).as_json()
    {'columns': ['url', 'relevance'], 'rows': [['http://a.example/', 0.5], ['http://b.cn/', None]], 'complete': True}
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""
    types: Mapping[str, str] = field(default_factory=dict, compare=False)
    reasons: tuple[str, ...] = ()
    """Why there are no rows, where that is known."""
    cuts: tuple[Cut, ...] = ()
    """What was left out; empty for a complete answer."""
    caption: str = ""
    """Text below the table."""
    optional: tuple[str, ...] = ()
    """Columns to leave out where there is no room for all, from the last to the first."""

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return not self.cuts

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def __repr__(self) -> str:
        said = "".join(f"; {one}" for one in self.cuts)
        return f"<Table {self.title!r}: {len(self.rows)} rows of {', '.join(self.columns)}{said}>"

    def records(self) -> list[dict[str, Any]]:
        """Return the rows by the names of the columns.

        >>> Table(("host", "pages"), (("a.cn", 3),)).records()
        [{'host': 'a.cn', 'pages': 3}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def as_json(self) -> dict[str, Any]:
        """Return ``{columns, rows, complete}`` with JSON values; NaN and infinity become null.

        A cut table also has ``cut``, and one without rows ``reasons``.
        """
        document = {"columns": list(self.columns), "rows": [[_json_value(value) for value in row] for row in self.rows]}
        document |= extent(self.cuts)
        return document if self.rows or not self.reasons else {**document, "reasons": list(self.reasons)}

    def as_csv(self) -> str:
        """Return CSV with a header and CRLF line ends; None is empty, lists and maps are JSON.

        Text has no control characters, and an apostrophe in front where a spreadsheet program would run it.
        """
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(map(csv_cell, self.columns))
        writer.writerows([_csv_value(value) for value in row] for row in self.rows)
        return text.getvalue()

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame. Raises MissingExtra if pandas is not installed.

        Texts are of dtype ``string``, integers ``Int64``, flags ``boolean``, numbers ``float64`` and dates
        ``datetime64[us]`` (times in UTC, without a time zone), also in an empty table; lists and maps are objects.
        """
        from ontocrawl.graph import frames  # with numpy

        pandas = require("pandas", _EXTRA, "a table as a DataFrame")
        return frames.to_pandas(pandas, self.columns, self.rows, self.types)

    def to_polars(self) -> Any:
        """Return a polars DataFrame with columns of the same types. Raises MissingExtra if polars is not installed."""
        from ontocrawl.graph import frames

        polars = require("polars", _EXTRA, "a table as a DataFrame")
        return frames.to_polars(polars, self.columns, self.rows, self.types)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame, else a polars one. Raises MissingExtra if neither is installed."""
        only_polars = not _installed("pandas") and _installed("polars")
        return self.to_polars() if only_polars else self.to_pandas()


def limited(table: Table, limit: int | None) -> Table:
    """Return the first rows of a table that was read with a row more than its limit; all without a limit.

    >>> limited(Table(("n",), ((1,), (2,), (3,))), 2).cuts
    (Cut(part='rows', at=2, total=3, relation='gte'),)
    """
    if limit is None or len(table.rows) <= limit:
        return table
    return replace(table, rows=table.rows[:limit], cuts=(Cut("rows", limit, limit + 1, "gte"),))


def _installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _json_value(item) for key, item in value.items()}
    return value


def _csv_value(value: Any) -> Any:
    plain = _json_value(value)
    return csv_cell(json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict | bool) else plain)


# ---- a document that is larger than its reader takes


def within(document: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Return a document that is at most so large as JSON: the longest lists and texts in it are cut, and it says so.

    Args:
        document: JSON values; the result adds ``complete``, if it lacks that, and to its ``cut``.
        most: maximum number of characters, 10,000 or more.

    >>> found = within({"names": ["flood"] * 9_000}, 10_000)
    >>> found["complete"], len(found["names"]) == found["cut"][0]["at"], found["cut"][0]["total"]
    (False, True, 9000)
    """
    plain = {name: value for name, value in document.items() if name not in ("complete", "cut")}
    known = [Cut(**one) for one in document.get("cut", ())]
    cuts: dict[str, Cut] = {}
    shown = _fitting(plain, most - _ROOM, (), plain.get("columns", ()), cuts)
    found = {one.part: one for one in known}
    for part, one in cuts.items():
        earlier = found.get(part)
        found[part] = replace(earlier, at=one.at) if earlier else one
    return {**shown, **extent(list(found.values()))}


_ROOM = 5_000
"""Characters that are kept free for what is said of the cuts."""
_SHARE = 4
"""One entry of a list has at most this part of the room, if there are several."""


def _size(value: Any) -> int:
    return len(json_text(value))


def _fitting(value: Any, room: int, path: tuple[str, ...], columns: Sequence[str], cuts: dict[str, Cut]) -> Any:
    """Return a value that takes at most so many characters, as far as it consists of lists, maps and texts."""
    if _size(value) <= room:
        return value
    if isinstance(value, str):
        at = max(room // 6 if _size(value) > 2 * len(value) else room // 2, 1)  # an escape takes up to six characters
        _note(cuts, path, at, len(value))
        return f"{value[:at]}…"
    if isinstance(value, dict):
        return _fitting_map(value, room, path, columns, cuts)
    if not isinstance(value, list):
        return value
    is_row = path == ("rows", "")
    if is_row:
        fitted = _fitting_map(dict(enumerate(value)), room, ("rows",), columns, cuts)
        return [fitted[at] for at in range(len(value))]
    each = room // _SHARE if len(value) > 1 else room - 2
    entries: list[Any] = []
    left = room - 2
    for one in value:
        shown = _fitting(one, each, (*path, ""), columns, cuts)
        left -= _size(shown) + 2
        if left < 0:
            break
        entries.append(shown)
    if len(entries) < len(value):
        _note(cuts, path, len(entries), len(value))
    return entries


def _fitting_map(
    value: Mapping[Any, Any], room: int, path: tuple[str, ...], columns: Sequence[str], cuts: dict[str, Cut]
) -> dict[Any, Any]:
    """Return a map whose largest values share what the smaller ones leave of the room."""
    shown: dict[Any, Any] = {}
    left = room - sum(len(str(name)) + 6 for name in value)
    for number, name in enumerate(sorted(value, key=lambda name: _size(value[name]))):
        part = columns[name] if isinstance(name, int) else name
        shown[name] = _fitting(value[name], left // (len(value) - number), (*path, part), columns, cuts)
        left -= _size(shown[name])
    return {name: shown[name] for name in value}


def _note(cuts: dict[str, Cut], path: tuple[str, ...], at: int, total: int) -> None:
    """Note a cut, by the path to it without the places in lists; of several at one path, that of the longest."""
    names = [name for name in path if name]
    part = ".".join(names[1:] if names[0] == "rows" and len(names) > 1 else names)
    if part not in cuts or total > cuts[part].total:
        cuts[part] = Cut(part, at, total)
