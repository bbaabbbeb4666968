"""Results on the terminal: a table if it fits the width, else one block per row. No lines between columns.

A header may break only after an underscore; long text wraps between words (Chinese between characters); numbers and
short names are never cut. URLs are shortened in the middle where a column is too narrow for them. All text is cleaned
by `ontology.printable`, so that what the web wrote cannot move the cursor.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ontocrawl.terminal.cell_width import cut, cut_in_the_middle
from ontology.errors import Message
from ontology.printable import one_line

_LEAST_TEXT = 16
"""Minimum width of a column of text, unless all its texts are shorter."""
_LEAST_WORDS = 12
"""The same where no word is broken."""
LEAST_URL = 32
"""Minimum width of a column of URLs, unless all of them are shorter."""
LONGEST_WORD = 40
"""Words of up to this width are not broken, where the table can do without."""
MOST_LINES = 4
"""Maximum number of lines of a table row on average; with longer rows, blocks are shown."""
TALLEST = 12
"""Maximum number of lines of any row."""
LONGEST_BEGINNING = 96
"""Width to which texts of columns that may be left out are cut where they do not fit as a whole."""
_GAP = 2
_URL = re.compile(r"https?://\S+")
_CHINESE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]")


def render(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    width: int,
    title: str = "",
    caption: str = "",
    optional: Sequence[str] = (),
    say: Callable[[str], str] = str,
) -> RenderableType:
    """Lay out a result as a table or as blocks.

    Args:
        columns: names of the columns.
        rows: the rows.
        width: width of the terminal in characters.
        title: text above the rows.
        caption: text below the rows.
        optional: columns to leave out, from the last to the first, if the table does not fit; the caption names them.
        say: returns a message, such as the remark on what is left out, in the language of the reader.

    Returns:
        A rich renderable, at most ``width`` wide.
    """
    rows = [[_said(value, say) for value in row] for row in rows]
    left_out = _left_out(columns, rows, width, optional) if optional else ()
    if left_out:  # the beginning of a long text says more than no text
        may_go = [name in optional for name in columns]
        short_rows = [[_begun(v) if may else v for may, v in zip(may_go, row, strict=True)] for row in rows]
        if len(fewer := _left_out(columns, short_rows, width, optional)) < len(left_out):
            left_out, rows = fewer, short_rows
    names, kept = _without(columns, rows, left_out)
    cells = [[cell(value) for value in row] for row in kept]
    numeric, urls = _numeric(names, kept), _urls(names, cells)
    widths = fit(names, cells, numeric, width, urls=urls)
    short = cells if widths is None else [_shortened(row, urls, widths) for row in cells]
    body = _blocks(names, cells, width) if widths is None else _table(names, short, numeric, widths)
    notes = [one_line(caption)] if caption else []
    if left_out:
        notes.append(say(Message("cli.width_left_out", columns=", ".join(left_out))))
    if short != cells:
        notes.append(say(Message("cli.urls_shortened")))
    heading: list[RenderableType] = [Text(one_line(title), style="bold")] if title else []
    return Group(*heading, body, *(Text(note, style="dim") for note in notes))


def show(
    console: Console,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    title: str,
    caption: str,
    optional: Sequence[str] = (),
    say: Callable[[str], str] = str,
) -> None:
    """Print a result in the width of a console.

    Args:
        console: the console.
        columns: names of the columns.
        rows: the rows.
        title: text above the rows.
        caption: text below the rows.
        optional: as for `render`.
        say: as for `render`.
    """
    console.print(render(columns, rows, width=console.width, title=title, caption=caption, optional=optional, say=say))


def _said(value: Any, say: Callable[[str], str]) -> Any:
    if isinstance(value, bool):
        return say(Message("cli.yes" if value else "cli.no"))
    if isinstance(value, list | tuple):
        return [_said(item, say) for item in value]
    return say(value) if isinstance(value, str) else value


def cell(value: Any) -> str:
    r"""Format a value as one line: None is a dash, floats have four digits, lists are joined by commas, maps are JSON.

    >>> cell([True, 0.5, None]), cell({"labels": ["Page"]}), cell(b"\x01")
    ('yes, 0.5000, -', '{"labels": ["Page"]}', '01')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list | tuple):
        return ", ".join(cell(item) for item in value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return one_line(json.dumps(value, ensure_ascii=False, default=bytes.hex))
    return one_line(str(value))


def fit(
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    width: int,
    *,
    urls: Sequence[bool] | None = None,
    breaks: Sequence[bool] = (False, True),
) -> list[int] | None:
    """Compute the widths of the columns of a table.

    Args:
        columns: names of the columns.
        cells: formatted values, by row.
        numeric: for each column, whether it is numeric and thus cannot wrap.
        width: width of the terminal in characters.
        urls: for each column, whether it consists of URLs, which can be shortened; None for no such column.
        breaks: whether words may be broken, in the order to try; words of more than LONGEST_WORD always may.

    Returns:
        The width of each column; None if no readable table fits.

    >>> fit(["step", "title"], [["1", "Flood"]], [True, False], 80)
    [4, 5]
    >>> fit(["step", "title"], [["1", "Flood"]], [True, False], 10) is None
    True
    """
    if not columns:
        return None
    url = urls or [False] * len(columns)
    longest = [max((cell_len(row[column]) for row in cells), default=0) for column in range(len(columns))]
    natural = [max(cell_len(name), most) for name, most in zip(columns, longest, strict=True)]
    room = width - _GAP * (len(columns) - 1)
    for may_break in breaks:
        least = []
        for at, name in enumerate(columns):
            text = min(longest[at], LEAST_URL if url[at] else _LEAST_TEXT if may_break else _LEAST_WORDS)
            word = 0 if may_break or url[at] else _widest_word(row[at] for row in cells)
            least.append(max(longest[at] if numeric[at] else text, word, *map(cell_len, _pieces(name))))
        if sum(least) <= room:
            widths = _share_out(natural, least, room)
            if _is_readable(cells, widths, url):
                return widths
    return None


def _is_readable(cells: Sequence[Sequence[str]], widths: Sequence[int], urls: Sequence[bool]) -> bool:
    """Return whether rows have no more than MOST_LINES lines on average, and none of them more than TALLEST."""
    places = [at for at, is_url in enumerate(urls) if not is_url]
    lines = [max((-(-cell_len(row[at]) // widths[at]) for at in places), default=1) for row in cells]
    return sum(lines) <= MOST_LINES * len(lines) and max(lines, default=0) <= TALLEST


def _widest_word(texts: Iterable[str]) -> int:
    """Return the width of the widest word that should not be broken; Chinese breaks between any two characters."""
    words = (cell_len(word) for text in texts for word in text.split() if not _CHINESE.search(word))
    return max((word for word in words if word <= LONGEST_WORD), default=0)


def _left_out(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int, optional: Sequence[str]
) -> tuple[str, ...]:
    """Return the optional columns to leave out: as few as possible, and rather these than broken words."""
    there = [name for name in optional if name in columns]
    choices = [tuple(there[kept:]) for kept in range(len(there), -1, -1)]
    for may_break in (False, True):
        for left_out in choices:
            names, kept = _without(columns, rows, left_out)
            cells = [[cell(value) for value in row] for row in kept]
            if fit(names, cells, _numeric(names, kept), width, urls=_urls(names, cells), breaks=[may_break]):
                return left_out
    return ()


def _begun(value: Any) -> Any:
    return cut(one_line(value), LONGEST_BEGINNING) if isinstance(value, str) and len(value) > LEAST_URL else value


def _without(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], left_out: Sequence[str]
) -> tuple[list[str], list[list[Any]]]:
    places = [at for at, name in enumerate(columns) if name not in left_out]
    return [columns[at] for at in places], [[row[at] for at in places] for row in rows]


def _numeric(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bool]:
    return [_is_numeric([row[column] for row in rows]) for column in range(len(columns))]


def _urls(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> list[bool]:
    """Return for each column whether all its cells are URLs, or missing."""
    return [
        any(row[column] != "-" for row in cells)
        and all(row[column] in ("-", "") or _URL.fullmatch(row[column]) for row in cells)
        for column in range(len(columns))
    ]


def _shortened(row: Sequence[str], urls: Sequence[bool], widths: Sequence[int]) -> list[str]:
    return [
        cut_in_the_middle(text, width) if is_url else text
        for text, is_url, width in zip(row, urls, widths, strict=True)
    ]


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
