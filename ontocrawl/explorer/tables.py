"""Tables of the pages: the rows of any source, sorted, filtered, counted by value and paged by the address alone.

Parameters of an address that begin with ``_`` say what is seen of a table; the others are those of its source, such as
the run whose pages it has.

    _text=WORDS            rows with all of these words; ``COLUMN>=VALUE`` and the like compare (`with_text`)
    _is.COLUMN=VALUE       rows with this value
    _sort=COLUMN           ascending; descending with ``-`` in front
    _column=NAME           columns to show, repeated; by default all but those that the source hides
    _skip=N, _size=N       the page
    _chart=bar|line|scatter, _x=COLUMN, _y=COLUMN    a chart of the rows, of a source with charts; ``_y`` may repeat
    _format=html|json|csv  the form of the answer of ``/api/tables``
"""

from __future__ import annotations

import json
import math
import operator
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request

from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.graph.tables import Cut, Table
from ontocrawl.report.charts import BARS, POINTS, SERIES, bar_chart, point_chart
from ontology.printable import printable

MOST = 100_000
"""Rows of a table; it says so where there are more."""
SIZES = (25, 50, 100, 500)
"""Rows of a page."""
_SIZE = 50
_LARGEST_FACET = 12
"""Different values of a column that is offered as a choice."""
_LONGEST = 400
"""Characters of a cell on a page."""
_LONGEST_NAME = 160
"""Characters of a cell that is a link."""
_SHORT, _LONG = 20, 24
"""Characters up to which a cell's words are not broken, and from which it is given the room of a line."""
_IS = "_is."
CHARTS = ("bar", "line", "scatter")
_LARGEST = 1e300
"""Numbers from which none is drawn; NaN is not below it."""
_CONDITION = re.compile(r"(\w+)(<=|>=|!=|=|<|>)(.*)")
_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Source:
    """Where the rows of a table come from, and how its cells are shown.

    Attributes:
        read: reads the rows that the address asks for.
        links: column -> function that returns the address of a row below the path of the session; "" for none.
        drawn: column -> function that returns the picture of a value.
        words: column -> beginning of the keys of the texts of its values.
        hidden: columns that are shown if they are chosen.
        sort: column by which the rows are ordered unless the address says otherwise; "" for their own order.
        choice: column whose values a form sends to ``action``, as checkboxes; "" for none.
        action: address of that form, below the path of the session.
        charts: whether its rows are shown as a chart too.
        map: function that returns the address of a map of the rows, below the path of the session; "" for none.
        notes: returns what is said above the rows in the texts of a language: a sentence, the text of a link, and its
            address, which begins with ``?`` for the same table.
    """

    read: Callable[[Request], Table]
    links: Mapping[str, Callable[[Request, Mapping[str, Any]], str]] = field(default_factory=dict)
    drawn: Mapping[str, Callable[[Any], Markup]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    sort: str = ""
    choice: str = ""
    action: str = ""
    charts: bool = False
    map: Callable[[Request, Table], str] = lambda request, table: ""
    notes: Callable[[Request, Mapping[str, str]], Sequence[tuple[str, str, str]]] = lambda request, t: ()


@dataclass(frozen=True)
class View:
    """What an address asks to see of a table."""

    text: str = ""
    sort: str = ""
    """A column, with ``-`` in front for descending order; "" for the order of the source."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Column -> the value that the rows have there, as text."""
    columns: tuple[str, ...] = ()
    """The columns to show."""
    skip: int = 0
    size: int = _SIZE
    """Rows of a page."""


def view_of(given: QueryParams, table: Table, source: Source) -> View:
    """Return what an address asks to see.

    Args:
        given: the parameters of the address.
        table: the table.
        source: where its rows come from.

    Raises:
        UsageError: the table lacks a column that the address names, or a number is invalid.
    """
    sort = given.get("_sort", "")
    chosen = {name.removeprefix(_IS): value for name, value in given.items() if name.startswith(_IS) and value}
    columns = given.getlist("_column")
    for name in (sort.removeprefix("-"), *chosen, *columns):
        if name and name not in table.columns:
            raise UsageError("explorer.table_no_column", name=name[:100], columns=", ".join(table.columns))
    shown = tuple(name for name in table.columns if name in columns or (not columns and name not in source.hidden))
    if not sort and source.sort.removeprefix("-") in table.columns:
        sort = source.sort
    skip, size = (
        rendering.number(given, name, default, MOST) if given.get(name) else default
        for name, default in (("_skip", 0), ("_size", _SIZE))
    )
    return View(given.get("_text", ""), sort, chosen, shown, skip, size)


def as_text(value: Any) -> str:
    """Return a value as a cell shows it.

    >>> [as_text(value) for value in (None, True, 3, 2 / 3, ["a", "b"], {"n": 1})]
    ['', 'true', '3', '0.6667', 'a, b', '{"n": 1}']
    """
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple) and not any(isinstance(one, dict | list | tuple) for one in value):
        return ", ".join(map(as_text, value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | tuple) else str(value)


# ---- which rows, in which order


def with_text(table: Table, text: str) -> Sequence[Row]:
    """Return the rows that fit a text.

    Words of the text must occur in a row, in any column and in letters of any case. A word of the form
    ``COLUMN=VALUE``, with one of the signs = != < > <= >=, compares: as numbers where the cell is one.

    >>> runs = Table(("run", "pages"), (("first", 120), ("second", 9), ("third", None)))
    >>> with_text(runs, "pages>=9 IR")
    [('first', 120)]
    """
    rows: Sequence[Row] = table.rows
    words = []
    for word in text.split():
        condition = _CONDITION.fullmatch(word)
        if condition and condition[1] in table.columns:
            at, sign, value = table.columns.index(condition[1]), condition[2], condition[3]
            rows = [row for row in rows if _compares(row[at], sign, value)]
        else:
            words.append(word.casefold())
    if not words:
        return rows
    return [row for row in rows if all(word in text for text in [_folded(row)] for word in words)]


def _folded(row: Row) -> str:
    return "\n".join(map(as_text, row)).casefold()


def _compares(cell: Any, sign: str, value: str) -> bool:
    if _is_number(cell):
        try:
            return _SIGNS[sign](cell, float(value))
        except ValueError:
            return sign == "!="
    if cell is None and sign in "<>=":
        return sign == "=" and not value
    return _SIGNS[sign](as_text(cell).casefold(), value.casefold())


def _with_values(rows: Sequence[Row], columns: Sequence[str], chosen: Mapping[str, str]) -> list[Row]:
    wanted = [(columns.index(name), value) for name, value in chosen.items()]
    return [row for row in rows if all(as_text(row[at]) == value for at, value in wanted)]


def ordered(rows: Iterable[Row], columns: Sequence[str], sort: str) -> list[Row]:
    """Return rows in the order of a column: numbers before texts, and those without a value last.

    >>> ordered([(2,), (None,), ("a",), (10,)], ("n",), "-n")
    [('a',), (10,), (2,), (None,)]
    """
    if not sort:
        return list(rows)
    at = columns.index(sort.removeprefix("-"))
    known: list[Row] = []
    unknown: list[Row] = []
    for row in rows:
        (unknown if as_text(row[at]) == "" else known).append(row)
    known.sort(key=lambda row: _rank(row[at]), reverse=sort.startswith("-"))
    return known + unknown


def _rank(value: Any) -> tuple[int, float, bytes]:
    return (0, value, b"") if isinstance(value, int | float) else (1, 0.0, rendering.in_order(as_text(value)))


def counted(table: Table, view: View, rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """Count the values of each column with few values among the rows that all but its own choice leave.

    Args:
        table: the table.
        view: what is seen of it.
        rows: its rows that fit the text of the view.

    >>> states = Table(("run", "state"), tuple((str(n), "finished" if n % 3 else "running") for n in range(6)))
    >>> counted(states, View(), states.rows)
    {'state': Counter({'finished': 4, 'running': 2})}
    """
    found = {}
    for at, name in enumerate(table.columns):
        if name in view.chosen or _has_few_values(table.rows, at):
            others = {column: value for column, value in view.chosen.items() if column != name}
            left = _with_values(rows, table.columns, others) if others else rows
            found[name] = Counter(text for row in left if (text := as_text(row[at])))
            if name in view.chosen:
                found[name].setdefault(view.chosen[name], 0)
    return found


def _has_few_values(rows: Sequence[Row], at: int) -> bool:
    """Return whether a column has so few values that each stands for several rows."""
    most, seen = min(_LARGEST_FACET, len(rows) // 2), set()
    for row in rows:
        if row[at] is not None:
            if not isinstance(row[at], str | int):
                return False
            seen.add(row[at])
            if len(seen) > most:
                return False
    return len(seen) > 1


# ---- what is seen, for programs and for pages


_KEPT = 4
_TABLES: OrderedDict[Hashable, Table] = OrderedDict()
_LOCK = Lock()


def kept(key: Hashable, read: Callable[[], Table]) -> Table:
    """Return a table that was read before by the same key, or read it; the last few are kept, for paging.

    Args:
        key: all that the table depends on.
        read: reads it.
    """
    with _LOCK:
        if key in _TABLES:
            _TABLES.move_to_end(key)
            return _TABLES[key]
    table = bounded(read())
    with _LOCK:
        _TABLES[key] = table
        while len(_TABLES) > _KEPT:
            _TABLES.popitem(last=False)
    return table


def _seen(table: Table, view: View, fitting: Sequence[Row]) -> list[Row]:
    return ordered(_with_values(fitting, table.columns, view.chosen), table.columns, view.sort)


def bounded(table: Table) -> Table:
    """Return a table with at most ``MOST`` rows."""
    if len(table.rows) <= MOST:
        return table
    return replace(table, rows=table.rows[:MOST], cuts=(*table.cuts, Cut("rows", MOST, len(table.rows))))


def all_fitting(request: Request, source: Source) -> tuple[Table, View]:
    """Return all columns of the rows that an address leaves, in its order and on all pages; and what it asks to see."""
    table = bounded(source.read(request))
    view = view_of(request.query_params, table, source)
    return replace(table, rows=tuple(_seen(table, view, with_text(table, view.text)))), view


def seen(request: Request, source: Source) -> Table:
    """Return the rows and columns that an address asks for; all rows that fit where it names no page."""
    table, view = all_fitting(request, source)
    rows = table.rows
    if "_size" in request.query_params or view.skip:
        rows = rows[view.skip : view.skip + view.size]
    places = [table.columns.index(name) for name in view.columns]
    return replace(table, columns=view.columns, rows=tuple(tuple(row[at] for at in places) for row in rows))


def shown(request: Request, source: Source, name: str) -> dict[str, Any]:
    """Return what the template of a table shows: its rows with links, its columns, choices and pages.

    Args:
        request: the request, whose address says what is seen.
        source: where the rows come from.
        name: name of the source.
    """
    table, t = bounded(source.read(request)), rendering.texts_in(rendering.language_of(request))
    view = view_of(request.query_params, table, source)
    fitting = with_text(table, view.text)
    rows = _seen(table, view, fitting)
    size = view.size or _SIZE
    skip = min(view.skip, max(len(rows) - 1, 0) // size * size)
    given = request.query_params
    heads = [
        {"name": one, "title": t.get(f"column_{one}", one), "sorted": _direction(one, view.sort),
         "is_number": any(_is_number(row[table.columns.index(one)]) for row in rows[skip : skip + size]),
         "address": "" if one in source.drawn else query(given, "_skip", _sort=f"-{one}" if view.sort == one else one)}
        for one in view.columns
    ]  # fmt: skip
    facets = [
        {"name": f"{_IS}{column}", "title": t.get(f"column_{column}", column), "chosen": view.chosen.get(column, ""),
         "values": [(value, _word(source, t, column, value), number) for value, number in sorted(counts.items())]}
        for column, counts in counted(table, view, fitting).items()
        if column in view.columns or column in view.chosen
    ]  # fmt: skip
    return {
        "source": name, "heads": heads, "facets": facets, "text": view.text, "size": size, "sizes": SIZES,
        "rows": [_cells(request, row, table.columns, view.columns, source, t) for row in rows[skip : skip + size]],
        "number": len(rows), "all": len(table.rows), "first": skip + 1 if rows else 0,
        "last": min(skip + size, len(rows)), "columns": [(one, t.get(f"column_{one}", one)) for one in table.columns],
        "before": query(given, _skip=max(skip - size, 0)) if skip else "",
        "after": query(given, _skip=skip + size) if skip + size < len(rows) else "",
        "kept": _kept(given, "_text", "_size", "_skip", "_column", _IS), "reset": query(given, "_text", "_skip", _IS),
        "saved": {form: query(given, "_skip", "_size", _format=form) for form in ("csv", "json")},
        "cuts": table.cuts, "reasons": table.reasons, "caption": table.caption,
        "choice": source.choice if source.choice in table.columns else "", "action": source.action,
        "notes": source.notes(request, t),
        "chart": _chart(request, source, replace(table, rows=tuple(rows)), t) if source.charts and rows else None,
    }  # fmt: skip


def _chart(request: Request, source: Source, table: Table, t: Mapping[str, str]) -> dict[str, Any]:
    """Return what the template shows of a chart of rows: its columns and kinds, the drawing, the way to a map.

    Raises:
        UsageError: there is no such kind, or no such column.
    """
    given, columns, rows = request.query_params, table.columns, table.rows
    kind, numbers = given.get("_chart", ""), [name for at, name in enumerate(columns) if any(map(_number_at(at), rows))]
    if kind and kind not in CHARTS:
        raise UsageError("explorer.table_no_chart", kinds=", ".join(CHARTS))
    names = [name for name in columns if name not in numbers]
    default = next(iter(numbers if kind == "scatter" or not names else names), "")
    x, ys = given.get("_x") or default, given.getlist("_y")
    for name in (one for one in (x, *ys) if one and one not in columns):
        raise UsageError("explorer.table_no_column", name=name[:100], columns=", ".join(columns))
    ys = [name for name in numbers if name in ys][:SERIES] or [name for name in numbers if name != x][:1] or numbers[:1]
    drawn, number = _drawn(kind, table, x, ys, t) if kind and ys else (Markup(""), 0)
    return {
        "kinds": CHARTS, "kind": kind, "x": x, "ys": ys, "drawn": drawn, "shown": number, "number": len(rows),
        "columns": [(name, t.get(f"column_{name}", name)) for name in columns],
        "numbers": [(name, t.get(f"column_{name}", name)) for name in numbers],
        "kept": _kept(given, "_chart", "_x", "_y"), "map": source.map(request, table),
    }  # fmt: skip


def _drawn(kind: str, table: Table, x: str, ys: Sequence[str], t: Mapping[str, str]) -> tuple[Markup, int]:
    """Draw columns of a table over another one; return the drawing, and the number of its rows."""
    across, places = table.columns.index(x), [table.columns.index(name) for name in ys]
    rows = [row for row in table.rows if any(_number_at(at)(row) for at in places)]
    rows = [row for row in rows if kind == "bar" or as_text(row[across])][: BARS if kind == "bar" else POINTS]
    if not rows:
        return Markup(""), 0
    title = {name: printable(t.get(f"column_{name}", name)) for name in (x, *ys)}
    if len({title[name] for name in ys}) < len(ys):
        title = {name: printable(name) for name in title}
    values = {
        title[name]: [row[at] if _number_at(at)(row) else None for row in rows]
        for name, at in zip(ys, places, strict=True)
    }
    about = f"{', '.join(values)} / {title[x]}"
    texts = [printable(as_text(row[across])) for row in rows]
    if kind == "bar":
        return Markup(bar_chart(texts, values, id_="chart", title=about)), len(rows)  # noqa: S704 - texts are escaped
    xs = [row[across] for row in rows] if all(map(_number_at(across), rows)) else texts
    drawn = point_chart(xs, values, joined=kind == "line", id_="chart", title=about, x_name=title[x])
    return Markup(drawn), len(rows)  # noqa: S704 - texts are escaped


def _number_at(at: int) -> Callable[[Row], bool]:
    """Return whether a row has a number at a place that an axis can have."""
    return lambda row: _is_number(row[at]) and abs(row[at]) < _LARGEST


def _kept(given: QueryParams, *left_out: str) -> list[tuple[str, str]]:
    """Return the parameters of an address without some, which are named whole or by a beginning with a dot."""
    whole, beginnings = ("_format", "lang", *left_out), tuple(name for name in left_out if name.endswith("."))
    return [
        (name, value)
        for name, value in given.multi_items()
        if value and name not in whole and not (beginnings and name.startswith(beginnings))
    ]


def query(given: QueryParams, *left_out: str, **changed: str | int) -> str:
    """Return the query of an address without some of its parameters (`_kept`), and with other values."""
    return f"?{urlencode([*_kept(given, *left_out, *changed), *changed.items()])}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _direction(column: str, sort: str) -> str:
    return "" if sort.removeprefix("-") != column else "descending" if sort.startswith("-") else "ascending"


def _word(source: Source, t: Mapping[str, str], column: str, value: str) -> str:
    key = f"table_{value}" if value in ("true", "false") else f"{source.words.get(column, '?')}{value}"
    return t.get(key, value)


def _cells(
    request: Request, row: Row, columns: Sequence[str], wanted: Sequence[str], source: Source, t: Mapping[str, str]
) -> dict[str, Any]:
    of = dict(zip(columns, row, strict=True))
    cells = []
    for name in wanted:
        link = source.links[name](request, of) if name in source.links else ""
        text = source.drawn[name](of[name]) if name in source.drawn else _word(source, t, name, as_text(of[name]))
        if not isinstance(text, Markup):
            most = _LONGEST_NAME if link else _LONGEST
            text = text if len(text) <= most else f"{text[: most - 1]}…"
        kind = "n" if _is_number(of[name]) else "" if name in source.drawn else _kind(text)
        cells.append({"text": text, "link": link, "kind": kind})
    return {"cells": cells, "choice": of.get(source.choice, "")}


def _kind(text: str) -> str:
    return "brief" if len(text) <= _SHORT else "long" if len(text) > _LONG else ""
