"""An answer on the terminal: a table where it fits the width, else one block a row. No lines between columns.

A header may break after an underscore and nowhere else; long text wraps between words (Chinese between characters);
numbers keep their width. What the web wrote cannot move the cursor: control characters become blanks.
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
"""Columns of the terminal that a text gets at least, where it has as many."""
MOST_LINES = 4
"""Lines that a row of a table takes at most; longer ones make blocks."""
_GAP = 2
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def render(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], *, width: int, title: str = "", caption: str = ""
) -> RenderableType:
    """A renderable of at most ``width`` columns of the terminal."""
    cells = [[cell(value) for value in row] for row in rows]
    numeric = [_is_numeric([row[at] for row in rows]) for at in range(len(columns))]
    widths = fit(columns, cells, numeric, width)
    body = _blocks(columns, cells, width) if widths is None else _table(columns, cells, numeric, widths)
    parts: list[RenderableType] = [Text(title, style="bold")] if title else []
    return Group(*parts, body, *([Text(caption, style="dim")] if caption else []))


def show(console: Console, columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str, caption: str) -> None:
    """Print an answer, as wide as the console."""
    console.print(render(columns, rows, width=console.width, title=title, caption=caption))


def cell(value: Any) -> str:
    """One value as a line of text: null is a dash, floats have four digits, lists are joined by commas."""
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
    """The width of each column, or None where no table of readable columns fits."""
    if not columns:
        return None
    natural, least, tallest = [], [], []
    for at, name in enumerate(columns):
        piece = max(cell_len(part) for part in _pieces(name))
        longest = max((cell_len(row[at]) for row in cells), default=0)
        natural.append(max(cell_len(name), longest))
        least.append(max(piece, longest if numeric[at] else min(longest, LEAST_TEXT)))
        tallest.append(longest)
    room = width - _GAP * (len(columns) - 1)
    if sum(least) > room:
        return None
    widths = _share_out(natural, least, room)
    lines = max(-(-longest // given) for longest, given in zip(tallest, widths, strict=True))
    return widths if lines <= MOST_LINES else None


def _share_out(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths from ``least`` up to ``natural`` that fill the room: what is left goes to the shortest text first."""
    widths, left = list(least), room - sum(least)
    wanting = sorted((at for at in range(len(widths)) if natural[at] > least[at]), key=lambda at: natural[at])
    for number, at in enumerate(wanting):
        more = min(natural[at] - widths[at], left // (len(wanting) - number))
        widths[at] += more
        left -= more
    return widths


def _table(
    columns: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], widths: Sequence[int]
) -> Table:
    padding = (0, _GAP - 1, 0, 0)  # the head's line of the box takes the last blank of the gap
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=padding, show_edge=False)
    for name, is_number, width in zip(columns, numeric, widths, strict=True):
        made.add_column(
            Text(_broken(name, width)), justify="right" if is_number else "left", width=width, overflow="fold"
        )
    for row in cells:
        made.add_row(*(Text(text) for text in row))
    return made


def _blocks(columns: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> RenderableType:
    """One block a row, a line for each column; long values go on below their beginning."""
    names = max((cell_len(name) for name in columns), default=0)
    parts: list[RenderableType] = []
    for number, row in enumerate(cells, start=1):
        made = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        made.add_column(width=names, no_wrap=True, style="cyan")
        made.add_column(max_width=max(10, width - names - _GAP), overflow="fold")
        for name, text in zip(columns, row, strict=True):
            made.add_row(Text(name), Text(text))
        parts += [Text(f"[{number}]", style="dim"), made]
    return Group(*parts)


def _pieces(name: str) -> list[str]:
    """The parts of a column's name between which a header may break."""
    return re.findall(r"[^_]*_+|[^_]+", name) or [name]


def _broken(name: str, width: int) -> str:
    """The name with line ends after underscores, where it is wider than its column."""
    lines = [""]
    for piece in _pieces(name):
        if lines[-1] and cell_len(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _is_numeric(values: Sequence[Any]) -> bool:
    found = [value for value in values if value is not None]
    return bool(found) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in found)
