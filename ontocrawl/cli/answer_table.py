"""Results on the terminal: a table if it fits the width, else one block per row. No lines between columns.

A header may break only after an underscore; long text wraps between words (Chinese between characters); numbers keep
their width. Control characters in text from the web are replaced by blanks, so that they cannot move the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

LEAST_TEXT = 16
"""Minimum width of a column of text, unless all its texts are shorter."""
MOST_LINES = 4
"""Maximum number of lines of a table row; with longer rows, blocks are shown."""
_GAP = 2
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def render(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], *, width: int, title: str = "", caption: str = ""
) -> RenderableType:
    """Lay out a result as a table or as blocks.

    Args:
        columns: names of the columns.
        rows: the rows.
        width: width of the terminal in characters.
        title: text above the rows.
        caption: text below the rows.

    Returns:
        A rich renderable, at most ``width`` wide.
    """
    cells = [[cell(value) for value in row] for row in rows]
    numeric = [_is_numeric([row[column] for row in rows]) for column in range(len(columns))]
    widths = fit(columns, cells, numeric, width)
    body = _blocks(columns, cells, width) if widths is None else _table(columns, cells, numeric, widths)
    parts: list[RenderableType] = [Text(title, style="bold")] if title else []
    return Group(*parts, body, *([Text(caption, style="dim")] if caption else []))


def show(console: Console, columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str, caption: str) -> None:
    """Print a result in the width of a console.

    Args:
        console: the console.
        columns: names of the columns.
        rows: the rows.
        title: text above the rows.
        caption: text below the rows.
    """
    console.print(render(columns, rows, width=console.width, title=title, caption=caption))


def cell(value: Any) -> str:
    """Format a value as one line: None is a dash, floats have four digits, lists are joined by commas.

    >>> cell([True, 0.5, None])
    'yes, 0.5000, -'
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list | tuple):
        return ", ".join(cell(item) for item in value)
    return _BLANK.sub(" ", str(value)).strip()


def fit(
    columns: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], width: int
) -> list[int] | None:
    """Compute the widths of the columns of a table.

    Args:
        columns: names of the columns.
        cells: formatted values, by row.
        numeric: for each column, whether it is numeric and thus cannot wrap.
        width: width of the terminal in characters.

    Returns:
        The width of each column; None if no readable table fits.

    >>> fit(["step", "title"], [["1", "Flood"]], [True, False], 80)
    [4, 5]
    >>> fit(["step", "title"], [["1", "Flood"]], [True, False], 10) is None
    True
    """
    if not columns:
        return None
    natural, least, tallest = [], [], []
    for column, name in enumerate(columns):
        piece = max(cell_len(part) for part in _pieces(name))
        longest = max((cell_len(row[column]) for row in cells), default=0)
        natural.append(max(cell_len(name), longest))
        least.append(max(piece, longest if numeric[column] else min(longest, LEAST_TEXT)))
        tallest.append(longest)
    room = width - _GAP * (len(columns) - 1)
    if sum(least) > room:
        return None
    widths = _share_out(natural, least, room)
    lines = max(-(-longest // allotted) for longest, allotted in zip(tallest, widths, strict=True))
    return widths if lines <= MOST_LINES else None


def _share_out(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widen columns from ``least`` towards ``natural`` until the room is filled, narrow columns first."""
    widths, left = list(least), room - sum(least)
    narrow = sorted((i for i in range(len(widths)) if natural[i] > least[i]), key=lambda i: natural[i])
    for number, column in enumerate(narrow):
        more = min(natural[column] - widths[column], left // (len(narrow) - number))
        widths[column] += more
        left -= more
    return widths


def _table(
    columns: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], widths: Sequence[int]
) -> Table:
    padding = (0, _GAP - 1, 0, 0)  # the box adds the last blank of the gap
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_edge=False)
    for name, is_number, width in zip(columns, numeric, widths, strict=True):
        table.add_column(
            Text(_broken(name, width)), justify="right" if is_number else "left", width=width, overflow="fold"
        )
    for row in cells:
        table.add_row(*(Text(text) for text in row))
    return table


def _blocks(columns: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> RenderableType:
    """Lay out one block per row with one line per column; long values are indented."""
    names = max((cell_len(name) for name in columns), default=0)
    parts: list[RenderableType] = []
    for number, row in enumerate(cells, start=1):
        block = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        block.add_column(width=names, no_wrap=True, style="cyan")
        block.add_column(max_width=max(10, width - names - _GAP), overflow="fold")
        for name, text in zip(columns, row, strict=True):
            block.add_row(Text(name), Text(text))
        parts += [Text(f"[{number}]", style="dim"), block]
    return Group(*parts)


def _pieces(name: str) -> list[str]:
    """Split a column name into the parts between which a header may break."""
    return re.findall(r"[^_]*_+|[^_]+", name) or [name]


def _broken(name: str, width: int) -> str:
    """Break a name after underscores if it is wider than its column."""
    lines = [""]
    for piece in _pieces(name):
        if lines[-1] and cell_len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _is_numeric(values: Sequence[Any]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
