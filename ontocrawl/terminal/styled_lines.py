"""Lines of a screen on a terminal: texts with styles, rules, the list of keys, the line that is typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len

from ontocrawl.terminal.cell_width import cut, longest_end, padded
from ontology.printable import one_line

WIDTH, HEIGHT = 80, 24
"""Size of a screen where that of the terminal is not known."""
PLAIN, BOLD, TERM, DIM = 0, 1, 2, 3
_ANSI = {BOLD: "\x1b[1m", TERM: "\x1b[1;7m", DIM: "\x1b[2m"}
Line = list[tuple[str, int]]
"""Texts with their styles."""


def drawn(line: Line, *, colour: bool) -> str:
    """Return the text of a line, with escape sequences for its styles if these are wanted."""
    if not colour:
        return "".join(text for text, _ in line).rstrip()
    return "".join(f"{_ANSI[style]}{text}\x1b[0m" if style in _ANSI and text else text for text, style in line)


def ends(left: str, right: str, width: int, style: int) -> Line:
    """Return a line with a text at its beginning and one at its end, which has the style."""
    room = max(0, width - cell_len(right) - 2)
    return [(padded(left, room), BOLD), ("  ", PLAIN), (cut(right, width), style)]


def rule(width: int) -> Line:
    """Return a horizontal rule."""
    return [("-" * width, DIM)]


def joined(characters: Iterable[tuple[str, int]]) -> Line:
    """Join characters of the same style."""
    line: Line = []
    for character, style in characters:
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + character, style)
        else:
            line.append((character, style))
    return line


def key_lines(keys: Iterable[tuple[str, str]], width: int) -> Iterator[Line]:
    """Yield the lines that list keys.

    Args:
        keys: each key and what it does.
        width: width of the terminal in cells.
    """
    line: Line = []
    for key, name in keys:
        used = sum(cell_len(text) for text, _ in line)
        if line and used + 3 + len(key) + cell_len(name) > width:
            yield line
            line = []
        line += [("  " if line else "", PLAIN), (key, BOLD), (f" {name}", PLAIN)]
    yield line


def typed_line(typed: str, cursor: int, width: int) -> Line:
    """Return the line in which a text is typed.

    Args:
        typed: what is typed so far.
        cursor: number of characters before the cursor.
        width: width of the terminal in cells; a longer text is cut at its beginning.
    """
    before = _before_cursor(typed, cursor, width)
    rest = cut(one_line(typed[cursor:]), max(2, width - 2 - cell_len(before)))
    return [(f"> {before}{rest}".rstrip(), PLAIN)]


def cursor_cell(typed: str, cursor: int, width: int) -> int:
    """Return the number of cells before the cursor in the line of `typed_line`, for the same arguments."""
    return min(cell_len(f"> {_before_cursor(typed, cursor, width)}"), width - 1)


def _before_cursor(typed: str, cursor: int, width: int) -> str:
    return longest_end(typed[:cursor], width - 4)
