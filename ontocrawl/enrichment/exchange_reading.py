"""Verdicts from spreadsheets of proposals: read, and checked against the proposals before any is taken."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ontocrawl.enrichment.classes import Hierarchy
from ontocrawl.enrichment.exchange import ID, NEW_NAME, PARENT, REVIEWER, TERM, VERDICT, WHO, WHY, ExchangeError
from ontocrawl.enrichment.proposals import Suggestion
from ontocrawl.enrichment.wording import step_of
from ontocrawl.errors import nearest
from ontology.corpus import workbook
from ontology.enrichment import Verdict
from ontology.enrichment.verdicts import VERDICT_ACTIONS, VerdictAction
from ontology.files import read_text
from ontology.printable import one_line

REQUIRED = (ID, VERDICT, NEW_NAME, PARENT, TERM)
_LISTED = 10
"""Largest number of faults that a message lists."""
_HEADER_ROWS = 20
"""Number of rows within which the names of the columns are looked for."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict of a file.

    Attributes:
        suggestion: the proposal.
        verdict: the verdict, with the label of the class where there is one by that name.
        who: name of the reviewer.
        why: the reason.
        file, line: where it stands.
    """

    suggestion: Suggestion
    verdict: Verdict
    who: str
    why: str
    file: str
    line: int

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The verdicts of one file, and the ids of its proposals without one."""

    file: str
    judged: tuple[Judged, ...]
    left_open: tuple[str, ...]


def read(path: Path, suggestions: Mapping[str, Suggestion], hierarchy: Hierarchy, *, who: str) -> Sheet:
    """Read the verdicts of a file.

    Args:
        path: a file that `exchange.write` wrote, filled in; .xlsx, .xls, .tsv or .csv in UTF-8, UTF-16 or GB18030.
        suggestions: id -> proposal, of all proposals for the topic.
        hierarchy: the classes as they are decided now.
        who: name of the reviewer, for rows without one.

    Returns:
        The verdicts.

    Raises:
        ExchangeError: no such file, a missing column, or rows that cannot be taken; the message lists them.
        CorpusError: a damaged workbook.
        MissingExtra: a workbook, and openpyxl is not installed.
    """
    judged: dict[str, Judged] = {}
    faults: list[str] = []
    left_open: list[str] = []
    for number, cells in _rows(path):
        try:
            one = _judged(cells, suggestions, hierarchy, f"{path}", number, who)
        except ExchangeError as error:
            faults.append(f"line {number}: {error}")
            continue
        if one is None:
            left_open.append(cells[ID])
            continue
        before = judged.setdefault(one.suggestion.id, one)
        if before.verdict != one.verdict:
            faults.append(f"line {number}: line {before.line} has another verdict about {one.suggestion.id}")
    if faults:
        more = f"; and {len(faults) - _LISTED} more" if len(faults) > _LISTED else ""
        raise ExchangeError(f"{path}: nothing was imported: {'; '.join(faults[:_LISTED])}{more}")
    return Sheet(str(path), tuple(judged.values()), tuple(left_open))


# ---- rows of a file -------------------------------------------------------------------------------------------------


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and cells of each row below the names of the columns; all columns of the reviewer are there."""
    table = iter(_workbook(path) if _is_workbook(path) else _text(path))
    names = _header(table, path)
    for number, row in table:
        cells = {name: row[at].strip() if at < len(row) else "" for name, at in names.items()}
        if any(cells[name] for name in (ID, VERDICT, NEW_NAME, PARENT)):
            yield number, dict.fromkeys(REVIEWER, "") | cells


def _header(table: Iterable[tuple[int, Sequence[str]]], path: Path) -> dict[str, int]:
    """Return name -> number of the columns, from the first row that names them."""
    for number, row in table:
        names = {cell.strip().casefold(): at for at, cell in reversed(list(enumerate(row)))}
        if ID in names or VERDICT in names:
            missing = [name for name in REQUIRED if name not in names]
            if missing:
                raise ExchangeError(
                    f"{path}, line {number}: the column {', '.join(missing)} is missing: export the proposals again, "
                    "and keep the names of the columns"
                )
            return {name: names[name] for name in (*REVIEWER, TERM) if name in names}
        if number >= _HEADER_ROWS:
            break
    raise ExchangeError(
        f"{path}: no row names the columns {', '.join(REQUIRED)}: give a file that `ontocrawl enrich export` wrote"
    )


def _is_workbook(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return workbook.kind(stream.read(4)) != "" or path.suffix.lower() in (".xlsx", ".xls")
    except OSError as error:
        raise ExchangeError(f"{path} could not be read: {error.strerror}") from error


def _workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of the rows of the first sheet."""
    name = workbook.XLS if path.suffix.lower() == ".xls" else workbook.XLSX
    for _, rows in workbook.sheets(path, name):
        for number, row in enumerate(rows, 1):
            yield number, [workbook.cell_text(value) for value in row]
        return


def _text(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line and cells of a text; the sign between cells is the most frequent of the first line."""
    text = read_text(path, ExchangeError)
    first = text.partition("\n")[0]
    between = max("\t,;", key=first.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    try:
        for row in lines:
            yield lines.line_num, row
    except csv.Error as error:
        raise ExchangeError(f"{path}, line {lines.line_num}: {error}; export the proposals again") from error


# ---- one row --------------------------------------------------------------------------------------------------------


def _judged(
    cells: Mapping[str, str],
    suggestions: Mapping[str, Suggestion],
    hierarchy: Hierarchy,
    file: str,
    line: int,
    who: str,
) -> Judged | None:
    """Return the verdict of a row; None for a row without one.

    Raises:
        ExchangeError: the row cannot be taken; the message has no place.
    """
    one = suggestions.get(cells[ID])
    if one is None:
        near = nearest(cells[ID], suggestions) if cells[ID] and len(suggestions) < 200 else ""
        raise ExchangeError(f"there is no proposal {cells[ID]!r} for this topic{near}")
    if _plain(cells[TERM]) != _plain(one.term):
        raise ExchangeError(
            f"the term of {one.id} is {one.term!r}, found {cells[TERM]!r}: leave that column, and give another name "
            f"in {NEW_NAME}"
        )
    action = _action(cells)
    if action is None:
        return None
    verdict = _verdict(one, action, one_line(cells[NEW_NAME]), one_line(cells[PARENT]), hierarchy)
    return Judged(one, verdict, one_line(cells[WHO]) or who, one_line(cells[WHY]), file, line)


def _plain(term: str) -> str:
    """Return a term without what the export, or a spreadsheet program, put around it."""
    return one_line(term).removeprefix("'").replace("\\\\", "\\")


def _action(cells: Mapping[str, str]) -> VerdictAction | None:
    word = cells[VERDICT]
    step = step_of(word) if word else "later"
    if step in get_args(VerdictAction):
        return step  # type: ignore[return-value]  # one of the actions
    if step != "later":
        raise ExchangeError(f"{word!r} is no verdict: expected {', '.join(VERDICT_ACTIONS)}, or nothing")
    if cells[NEW_NAME] or cells[PARENT]:
        filled = NEW_NAME if cells[NEW_NAME] else PARENT
        raise ExchangeError(f"{filled} is filled in, and {VERDICT} is not")
    return None


def _verdict(one: Suggestion, action: VerdictAction, name: str, parent: str, hierarchy: Hierarchy) -> Verdict:
    """Return the verdict of a row: "accept" with a name is "rename", with a class "move"."""
    if action == "accept" and (name or parent):
        action = "rename" if name else "move"
    expected = {"rename": (True, False), "move": (False, True), "merge": (False, True)}.get(action, (False, False))
    if (bool(name), bool(parent)) != expected:
        wanted = {"rename": NEW_NAME, "move": PARENT, "merge": PARENT}.get(action)
        other = PARENT if wanted == NEW_NAME else NEW_NAME
        rest = f"{wanted} filled in, and {other} empty" if wanted else f"{NEW_NAME} and {PARENT} empty"
        raise ExchangeError(f"{action} needs {rest}")
    if action in ("move", "merge"):
        found = hierarchy.find(parent)
        target = hierarchy.find(one.target)
        if action == "move" and one.kind == "concept" and found is not None and found == target:
            return Verdict("accept")
        return Verdict(action, found.label if found else parent)
    return Verdict(action, name)
