"""Contexts as tables: a header of attribute names, then one object a line with its name first; or pairs.

Separator (commas, semicolons, tabs, bars) and layout are inferred. Cells: X, x, 1, true, yes, ✓, 是 (has the
attribute); empty, 0, ., false, no, 否 (lacks it). The name in the header's corner is ignored. Read besides: tables
without names of objects, or without any names (both are numbered), empty columns and cells at the end, and two columns
of names, the object and the attribute of each pair. A comma between digits of a name (``2,4-D``) parts no columns where
the rows say so.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

from ontology.context import ContextError, FormalContext, first_doubled
from ontology.corpus.delimited import MARKS, Row, rows_of
from ontology.corpus.records import Line

_HAS = ("x", "1", "1.0", "true", "t", "yes", "y", "✓", "✔", "√", "×", "是", "有")
_LACKS = ("", "0", "0.0", ".", "-", "false", "f", "no", "n", "否", "无")
CELLS = {**dict.fromkeys(_HAS, True), **dict.fromkeys(_LACKS, False)}
_CORNERS = {"", "object", "objects", "obj", "g", "name", "names", "id", "no", "document", "documents", "item", "row",
            "对象", "物件", "名称", "编号", "序号", "文档"}  # fmt: skip
_PAIRS = {"attribute", "attributes", "property", "properties", "m", "term", "terms", "feature", "属性", "特征", "术语"}


def parse(text: str, file: str) -> FormalContext:
    r"""Parse the text of a table. Arguments and errors are those of every format (`ontology.formats`).

    >>> parse(",rain,flood\nd1,X,\nd2,,1\n", "a.csv").rows
    (1, 2)
    >>> parse("obj;rain;flood\nd1;1;0\nd2;0;1\n", "a.csv").objects
    ('d1', 'd2')
    >>> parse("d1,rain\nd1,flood\nd2,rain\n", "pairs.csv").rows
    (3, 1)
    """
    rows = _rows(text, file)
    if _is_pairs(rows):
        return _of_pairs(rows, file)
    table = _layout(rows)
    objects = [row.cells[0] if table.objects else str(number) for number, row in enumerate(table.body, start=1)]
    cells = [_cells(row.cells[table.objects :], table.attributes, f"{file}, line {row.line}") for row in table.body]
    try:
        return FormalContext.from_bools(objects, table.attributes, cells)
    except ContextError as error:
        doubled = first_doubled(objects)
        line = rows[0].line if doubled is None else table.body[doubled].line
        raise ContextError("files.line", path=file, line=line, error=error) from error


def described(text: str, file: str) -> str:
    """Return how a table is read: its separator, and what has no names. Arguments are those of `parse`."""
    rows = _rows(text, file)
    parted = f"parted by {MARKS[_mark(text)]}"
    if _is_pairs(rows):
        return f"{parted}; pairs of object and attribute"
    table = _layout(rows)
    without = [what for what, named in (("objects", table.objects), ("attributes", table.named)) if not named]
    return parted + (f"; without names of {' and '.join(without)}, which are numbered" if without else "")


def _mark(text: str) -> str:
    """Return the separator: that before the first name if the corner is empty, else the one that most rows agree on."""
    if text[:1] in MARKS:
        return text[0]
    lines = [line for line in text.split("\n")[:50] if line.strip()]

    def score(mark: str) -> tuple[float, int]:
        widths = [line.count(mark) for line in lines]
        most = max(set(widths), key=widths.count, default=0)
        return (widths.count(most) / len(widths) if most else 0.0, most)

    return max(MARKS, key=score)


def _rows(text: str, file: str) -> list[Row]:
    """Return the rows that are not empty, without empty columns at the end."""
    mark = _mark(text)
    plain = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = (Line(number, line) for number, line in enumerate(plain, start=1) if line)
    rows: list[Row] = []
    for row in rows_of(lines, mark, file):
        if not isinstance(row, Row):
            raise ContextError("formats.line_not_table", file=file, row_line=row.line, reason=row.reason)
        rows.append(row)
    if not rows:
        raise ContextError("formats.line_formal_context_needs", file=file)
    header = rows[0].cells
    width = len(header)
    longest = max((_used(row.cells) for row in rows[1:]), default=width)
    while width > max(longest, 1) and not header[width - 1] and all(len(r.cells) >= width for r in rows):
        width -= 1
    cut = [Row(row.line, _fitted(row.cells, width)) for row in rows]
    return _with_commas(cut) if mark == "," else cut


def _used(cells: Sequence[str]) -> int:
    return max((n for n, cell in enumerate(cells, start=1) if cell.strip()), default=0)


def _fitted(cells: list[str], width: int) -> list[str]:
    """Return a row without its empty cells behind the columns of the header."""
    return cells if "".join(cells[width:]).strip() else cells[:width]


def _with_commas(rows: list[Row]) -> list[Row]:
    """Return rows whose header, or first cell, is joined again at commas between digits, where all rows fit then."""
    widths = {len(row.cells) for row in rows}
    if len(widths) < 2:
        return rows
    joined = [Row(row.line, _joined(row.cells)) for row in rows]
    return joined if len({len(row.cells) for row in joined}) == 1 else rows


def _joined(cells: Sequence[str]) -> list[str]:
    """Return names with the commas within them: between a digit and another digit with more behind it."""
    names: list[str] = []
    for cell in cells:
        inside = names and re.search(r"(?:^|\D)\d{1,2}$", names[-1]) and re.match(r"\d{1,2}\D", cell)
        if inside and cell.strip().lower() not in CELLS:
            names[-1] += f",{cell}"
        else:
            names.append(cell)
    return names


def _is_pairs(rows: Sequence[Row]) -> bool:
    """Return whether rows are pairs of names: two columns, the second without a cell of a cross table."""
    body = rows[1:] if _is_pair_header(rows[0].cells) else rows
    if not body or any(len(row.cells) != 2 for row in rows) or not rows[0].cells[0].strip():
        return False
    return not any(_is_cell(row.cells[1]) for row in body)


def _is_pair_header(cells: Sequence[str]) -> bool:
    return len(cells) == 2 and cells[0].strip().lower() in _CORNERS and cells[1].strip().lower() in _PAIRS


def _of_pairs(rows: Sequence[Row], file: str) -> FormalContext:
    body = rows[1:] if _is_pair_header(rows[0].cells) else rows
    objects = {name: n for n, name in enumerate(dict.fromkeys(row.cells[0].strip() for row in body))}
    attributes = {name: n for n, name in enumerate(dict.fromkeys(row.cells[1].strip() for row in body))}
    bits = [0] * len(objects)
    for row in body:
        bits[objects[row.cells[0].strip()]] |= 1 << attributes[row.cells[1].strip()]
    try:
        return FormalContext(tuple(objects), tuple(attributes), tuple(bits))
    except ContextError as error:
        raise ContextError("files.line", path=file, line=rows[0].line, error=error) from error


def _is_cell(text: str) -> bool:
    return text.strip().lower() in CELLS


class _Layout(NamedTuple):
    """A cross table: its attributes, its rows of cells, and whether objects and attributes have names."""

    attributes: list[str]
    body: list[Row]
    objects: bool
    named: bool


def _layout(rows: Sequence[Row]) -> _Layout:
    """Return where the names of a cross table are: its first row, and mostly its first column."""
    header, body = rows[0].cells, list(rows[1:])
    if body and all(len(row.cells) == len(header) + 1 for row in body):
        return _Layout(header, body, True, True)
    corner = header[0].strip().lower()
    if corner and all(_is_cell(cell) for row in rows for cell in row.cells):
        return _Layout([str(number) for number in range(1, len(header) + 1)], list(rows), False, False)
    first = [row.cells[0] for row in body if row.cells]
    if corner not in _CORNERS and len(header) > 1 and first and all(map(_is_cell, first)):
        return _Layout(header, body, False, True)
    return _Layout(header[1:], body, True, True)


def render(context: FormalContext) -> str:
    r"""Format a context as the text of a .csv file; names are quoted if necessary.

    >>> render(FormalContext(("d1", "d2"), ("rain", "flood"), (1, 2)))
    ',rain,flood\nd1,X,\nd2,,X\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["", *context.attributes])
    for name, row in zip(context.objects, context.bools(), strict=True):
        writer.writerow([name, *("X" if cell else "" for cell in row)])
    return out.getvalue()


def _cells(cells: Sequence[str], attributes: Sequence[str], where: str) -> list[bool]:
    if len(cells) != len(attributes):
        raise ContextError(
            "formats.expected_cells_per_attribute", where=where, n_attributes=len(attributes), n_cells=len(cells)
        )
    values = [CELLS.get(cell.strip().lower()) for cell in cells]
    if None in values:
        j = values.index(None)
        raise ContextError(
            "formats.attribute_expected_x_empty", where=where, attributes=attributes[j], cells=cells[j][:40]
        )
    return [bool(v) for v in values]
