"""Cross tables as .csv: a header of attribute names, then one object a line with its name first.

Cells: X, x, 1, true (has the attribute); empty, 0, ., false (lacks it). The name in the header's corner is ignored.
"""

from __future__ import annotations

import csv
import io

from ontology.context import ContextError, FormalContext, first_doubled

CELLS = {"x": True, "1": True, "true": True, "": False, "0": False, ".": False, "false": False}


def parse(text: str, file: str) -> FormalContext:
    r"""Parse the text of a .csv file. Arguments and errors are those of every format (`ontology.formats`).

    >>> parse(",rain,flood\nd1,X,\nd2,,1\n", "a.csv").rows
    (1, 2)
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    objects: list[str] = []
    lines: list[int] = []
    table: list[list[bool]] = []
    attributes: list[str] | None = None
    try:
        for record in reader:
            if attributes is None:
                attributes = record[1:]
            elif record:
                objects.append(record[0])
                lines.append(reader.line_num)
                table.append(_cells(record[1:], attributes, f"{file}, line {reader.line_num}"))
    except csv.Error as error:
        raise ContextError(f"{file}, line {reader.line_num}: not a CSV table: {error}") from error
    try:
        return FormalContext.from_bools(objects, attributes or [], table)
    except ContextError as error:
        doubled = first_doubled(objects)
        raise ContextError(f"{file}, line {1 if doubled is None else lines[doubled]}: {error}") from error


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


def _cells(cells: list[str], attributes: list[str], where: str) -> list[bool]:
    if len(cells) != len(attributes):
        raise ContextError(f"{where}: expected {len(attributes)} cells (one per attribute), found {len(cells)}")
    values = [CELLS.get(cell.strip().lower()) for cell in cells]
    if None in values:
        j = values.index(None)
        raise ContextError(
            f"{where}: attribute {attributes[j]!r}: expected X or an empty cell, found {cells[j][:40]!r}"
        )
    return [bool(v) for v in values]
