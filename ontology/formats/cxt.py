"""Burmeister's .cxt: B, a name line, the two sizes, an empty line, the names one a line, rows of X and dots.

Source: the ConImp format as written by ConExp and the package `concepts`.
"""

from __future__ import annotations

import numpy as np

from ontology.context import ContextError, FormalContext, first_doubled

MOST_DIGITS = 18
"""Largest number of digits of a size: a longer number is a damaged file (and Python refuses thousands of digits)."""


def parse(text: str, file: str) -> FormalContext:
    r"""Parse the text of a .cxt file. Arguments and errors are those of every format (`ontology.formats`).

    >>> parse("B\n\n2\n1\n\nd1\nd2\nrain\nX\n.\n", "rain.cxt").rows
    (1, 0)
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0].strip() != "B":
        raise ContextError("formats.line_expected_b_burmeister", file=file, lines=lines[0][:40])
    n, start = _size(lines, _first_number(lines, file), "number of objects", file)
    m, start = _size(lines, start, "number of attributes", file)
    if start < len(lines) and not lines[start].strip():
        start += 1
    needed = start + n + m + n
    if len(lines) < needed:
        raise ContextError("formats.line_file_ends_early", file=file, n_lines=len(lines), n=n, m=m, needed=needed)
    first_row = start + n + m
    rows = [_row(lines[i], m, i + 1, file) for i in range(first_row, needed)]
    for i, line in enumerate(lines[needed:], needed + 1):
        if line.strip():
            raise ContextError("formats.line_expected_end_after", file=file, i=i, n=n, line=line[:40])
    table = np.array(rows, dtype=np.bool_).reshape(n, m)
    objects, attributes = lines[start : start + n], lines[start + n : first_row]
    try:
        return FormalContext.from_bools(objects, attributes, table)
    except ContextError as error:
        names = first_doubled(objects), first_doubled(attributes)
        place = start if names == (None, None) else start + (n + (names[1] or 0) if names[0] is None else names[0])
        raise ContextError("files.line", path=file, line=place + 1, error=error) from error


def render(context: FormalContext) -> str:
    r"""Format a context as the text of a .cxt file. Raises ContextError for a name with a line break.

    >>> render(FormalContext(("d1", "d2"), ("rain",), (1, 0)))
    'B\n\n2\n1\n\nd1\nd2\nrain\nX\n.\n'
    """
    for name in (*context.objects, *context.attributes):
        if "\n" in name or "\r" in name:
            raise ContextError("formats.name_cxt_file_name", name=name)
    head = ["B", "", str(len(context.objects)), str(len(context.attributes)), ""]
    rows = ["".join("X" if cell else "." for cell in row) for row in context.bools()]
    return "\n".join([*head, *context.objects, *context.attributes, *rows, ""])


def _first_number(lines: list[str], file: str) -> int:
    """Return the line of the first size: the third by the format, the second if a writer left out the name line."""
    numeric = [line.strip().isdecimal() for line in lines[:4]]
    if numeric[1:3] == [True, True] and numeric[3:] != [True]:
        return 1
    if len(lines) > 2 and numeric[2]:
        return 2
    found = lines[2][:40] if len(lines) > 2 else "the end of the file"
    raise ContextError("formats.line_expected_number_objects", file=file, found=found)


def _size(lines: list[str], at: int, what: str, file: str) -> tuple[int, int]:
    """Return the number in line `at` and the position of the next line; empty lines before it are skipped."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    found = lines[at].strip() if at < len(lines) else "the end of the file"
    if not (found.isascii() and found.isdecimal() and len(found) <= MOST_DIGITS):
        raise ContextError("formats.line_expected_found", file=file, at=at + 1, what=what, found=found[:40])
    return int(found), at + 1


def _row(line: str, m: int, number: int, file: str) -> list[bool]:
    cells = line.rstrip()
    if len(cells) != m:
        raise ContextError("formats.line_expected_cells_per", file=file, number=number, m=m, n_cells=len(cells))
    wrong = next((c for c in cells if c not in "Xx."), None)
    if wrong is not None:
        raise ContextError("formats.line_expected_cells_x", file=file, number=number, wrong=wrong)
    return [c != "." for c in cells]
