"""Spreadsheets with verdicts into the decisions of a topic: all of them, or none."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import get_args

from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import exchange, proposals, reviewing, wording
from ontocrawl.enrichment.classes import DecidedClasses, classes_of
from ontocrawl.enrichment.exchange import ID, NEW_NAME, PARENT, REVIEWER, TERM, VERDICT, WHO, WHY, ExchangeError
from ontocrawl.enrichment.reviewing import VerdictError
from ontocrawl.errors import nearest
from ontocrawl.terminal.dialogue import meant
from ontocrawl.topics import reviewed
from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding
from ontology.compare.agreement import kappa
from ontology.corpus import workbook
from ontology.enrichment import Proposal, Verdict
from ontology.enrichment.verdicts import VERDICT_ACTIONS, VerdictAction
from ontology.files import read_text
from ontology.printable import one_line
from ontology.similarity.naming import folded_name

# ---- verdicts from spreadsheets of proposals: read, and checked against the proposals before any is taken


_REQUIRED = (ID, VERDICT, NEW_NAME, PARENT, TERM)
_LISTED = 10
"""Largest number of faults that a message lists."""
_HEADER_ROWS = 20
"""Number of rows within which the names of the columns are looked for."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A verdict of a file.

    Attributes:
        proposal: the proposal.
        verdict: the verdict, with the label of the class where there is one by that name.
        who: name of the reviewer.
        why: the reason.
        file, line: where it stands.
    """

    proposal: Proposal
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
class _Sheet:
    """The verdicts of one file, and the ids of its proposals without one."""

    file: str
    judged: tuple[_Judged, ...]
    left_open: tuple[str, ...]


def _read(path: Path, suggestions: Mapping[str, Proposal], classes: DecidedClasses, *, who: str) -> _Sheet:
    """Read the verdicts of a file.

    Args:
        path: a file that `exchange.write` wrote, filled in; .xlsx, .xls, .tsv or .csv in UTF-8, UTF-16 or GB18030.
        suggestions: id -> proposal, of all proposals for the topic.
        classes: the classes as they are decided now.
        who: name of the reviewer, for rows without one.

    Returns:
        The verdicts.

    Raises:
        ExchangeError: no such file, a missing column, or rows that cannot be taken; the message lists them.
        CorpusError: a damaged workbook.
        MissingExtra: a workbook, and openpyxl is not installed.
    """
    judged: dict[str, _Judged] = {}
    faults: list[str] = []
    left_open: list[str] = []
    for number, cells in _rows_of_sheet(path):
        try:
            one = _judged(cells, suggestions, classes, f"{path}", number, who)
        except ExchangeError as error:
            faults.append(f"line {number}: {error}")
            continue
        if one is None:
            left_open.append(cells[ID])
            continue
        before = judged.setdefault(one.proposal.id, one)
        if before.verdict != one.verdict:
            faults.append(f"line {number}: line {before.line} has another verdict about {one.proposal.id}")
    if faults:
        more = f"; and {len(faults) - _LISTED} more" if len(faults) > _LISTED else ""
        raise ExchangeError("enrichment.nothing_imported", path=path, faults="; ".join(faults[:_LISTED]), more=more)
    return _Sheet(str(path), tuple(judged.values()), tuple(left_open))


# ---- rows of a file -------------------------------------------------------------------------------------------------


def _rows_of_sheet(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
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
            missing = [name for name in _REQUIRED if name not in names]
            if missing:
                raise ExchangeError(
                    "enrichment.line_column_missing_export", path=path, number=number, missing=", ".join(missing)
                )
            return {name: names[name] for name in (*REVIEWER, TERM) if name in names}
        if number >= _HEADER_ROWS:
            break
    raise ExchangeError("enrichment.no_row_names_columns", path=path, required=", ".join(_REQUIRED))


def _is_workbook(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return workbook.kind(stream.read(4)) != "" or path.suffix.lower() in (".xlsx", ".xls")
    except OSError as error:
        raise ExchangeError("files.could_not_be_read", path=path, error=error.strerror) from error


def _workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of the rows of the first sheet."""
    name = workbook.XLS if path.suffix.lower() == ".xls" else workbook.XLSX
    for _, rows, *_ in workbook.sheets(path, name):
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
        raise ExchangeError(
            "enrichment.line_export_proposals_again", path=path, line_num=lines.line_num, error=error
        ) from error


# ---- one row --------------------------------------------------------------------------------------------------------


def _judged(
    cells: Mapping[str, str],
    suggestions: Mapping[str, Proposal],
    classes: DecidedClasses,
    file: str,
    line: int,
    who: str,
) -> _Judged | None:
    """Return the verdict of a row; None for a row without one.

    Raises:
        ExchangeError: the row cannot be taken; the message has no place.
    """
    one = suggestions.get(cells[ID])
    if one is None:
        near = nearest(cells[ID], suggestions) if cells[ID] and len(suggestions) < 200 else ""
        raise ExchangeError("enrichment.no_proposal_topic", cells=cells[ID], near=near)
    if _plain(cells[TERM]) != _plain(one.term):
        raise ExchangeError(
            "enrichment.term_found_leave_column", one_id=one.id, term=one.term, cells=cells[TERM], new_name=NEW_NAME
        )
    action = _action(cells)
    if action is None:
        return None
    verdict = _verdict(one, action, one_line(cells[NEW_NAME]), one_line(cells[PARENT]), classes)
    return _Judged(one, verdict, one_line(cells[WHO]) or who, one_line(cells[WHY]), file, line)


def _plain(term: str) -> str:
    """Return a term without what the export, or a spreadsheet program, put around it."""
    return one_line(term).removeprefix("'").replace("\\\\", "\\")


def _action(cells: Mapping[str, str]) -> VerdictAction | None:
    word = cells[VERDICT]
    step = meant(word, wording.COMMANDS) if word else "later"
    if step in get_args(VerdictAction):
        return step  # type: ignore[return-value]  # one of the actions
    if step != "later":
        raise ExchangeError(
            "enrichment.no_verdict_expected_nothing", word=word, verdict_actions=", ".join(VERDICT_ACTIONS)
        )
    if cells[NEW_NAME] or cells[PARENT]:
        filled = NEW_NAME if cells[NEW_NAME] else PARENT
        raise ExchangeError("enrichment.filled_not", filled=filled, verdict=VERDICT)
    return None


def _verdict(one: Proposal, action: VerdictAction, name: str, parent: str, classes: DecidedClasses) -> Verdict:
    """Return the verdict of a row: "accept" with a name is "rename", with a class alone "move"."""
    if action == "accept" and (name or parent):
        action = "rename" if name else "move"
    wanted = {"rename": NEW_NAME, "move": PARENT, "merge": PARENT}.get(action)
    filled = {NEW_NAME: name, PARENT: "" if action == "rename" else parent}  # a name may have a parent beside it
    if [column for column, text in filled.items() if text] != ([wanted] if wanted else []):
        other = f", and {NEW_NAME} empty" if wanted == PARENT else ""
        rest = f"{wanted} filled in{other}" if wanted else f"{NEW_NAME} and {PARENT} empty"
        raise ExchangeError("enrichment.needs", action=action, rest=rest)
    found = classes.find(parent) if parent else None
    if found is not None and one.kind == "concept" and action != "merge" and found == classes.find(one.target):
        parent = ""  # it is there already
    verdict = Verdict(action, name) if action != "move" or parent else Verdict("accept")
    return verdict.naming(found.label if found else parent) if parent else verdict


# ---- verdicts of several reviewers about the same proposals: what they agree on, and what not


LEAST = 10
"""Smallest number of proposals that two reviewers both judged for which kappa is computed."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two reviewers.

    Attributes:
        reviewers: their names.
        judged: number of proposals that both judged.
        agreed: number of these about which they say the same.
        kappa: Cohen's kappa of accept, reject, rename, move and merge, whatever the name; None if neither varies.
    """

    reviewers: tuple[str, str]
    judged: int
    agreed: int
    kappa: float | None


@dataclass(frozen=True, slots=True)
class _Merged:
    """What comes of the verdicts of several files.

    Attributes:
        agreed: one verdict for each proposal that is to be decided.
        known: number of proposals about which the files say what was decided before.
        disagreements: the verdicts about each proposal about which the files, or a file and what was decided before,
            differ.
        agreements: of each two files with enough proposals in common.
    """

    agreed: tuple[_Judged, ...]
    known: int
    disagreements: tuple[tuple[_Judged, ...], ...]
    agreements: tuple[Agreement, ...]


def _merged(sheets: Sequence[_Sheet], standing: Mapping[str, Reviewed], *, replace: bool = False) -> _Merged:
    """Merge the verdicts of files.

    Args:
        sheets: the files.
        standing: id of a proposal -> the verdict about it that counts by now.
        replace: whether a verdict on which the files agree replaces another one of before.

    Returns:
        The verdicts to take, in the order of the files, and the disagreements.
    """
    about: dict[str, list[_Judged]] = {}
    for sheet in sheets:
        for one in sheet.judged:
            about.setdefault(one.proposal.id, []).append(one)
    agreed: list[_Judged] = []
    disagreements: list[tuple[_Judged, ...]] = []
    known = 0
    for id_, judged in about.items():
        before = standing.get(id_)
        if len({_key(one.verdict) for one in judged}) > 1:
            disagreements.append(tuple(judged))
        elif before is not None and _key(before.verdict) == _key(judged[0].verdict):
            known += 1
        elif before is not None and not replace:
            earlier = _Judged(judged[0].proposal, before.verdict, before.who, before.why, f"decided {before.when}", 0)
            disagreements.append((earlier, *judged))
        else:
            agreed.append(_joined(judged))
    return _Merged(tuple(agreed), known, tuple(disagreements), tuple(_agreements(sheets)))


def _reviewers(sheet: _Sheet) -> str:
    """Return the names of the reviewers of a file."""
    return ", ".join(dict.fromkeys(one.who for one in sheet.judged)) or sheet.file


def _in_order(judged: Sequence[_Judged]) -> list[_Judged]:
    """Sort verdicts so that a class that one of them makes comes before those that name it.

    Verdicts that name each other stay where they are; they are refused when they are taken.
    """
    makes = {
        folded_name(one.verdict.name or one.proposal.term): one for one in judged
        if one.verdict.action in ("accept", "rename", "move") and one.proposal.kind != "relation"
    }  # fmt: skip
    ordered: dict[str, _Judged] = {}

    def add(one: _Judged, above: frozenset[str]) -> None:
        before = makes.get(folded_name(one.verdict.named)) if one.verdict.named else None
        if before is not None and before.proposal.id not in above | ordered.keys():
            add(before, above | {one.proposal.id})
        ordered.setdefault(one.proposal.id, one)

    for one in judged:
        add(one, frozenset({one.proposal.id}))
    return list(ordered.values())


def _key(verdict: Verdict) -> tuple[str, str, str]:
    return verdict.action, folded_name(verdict.value), folded_name(verdict.parent)


def _joined(judged: Sequence[_Judged]) -> _Judged:
    """Return the verdict of all, with their names and reasons."""
    first = judged[0]
    who = ", ".join(dict.fromkeys(one.who for one in judged))
    why = "; ".join(dict.fromkeys(one.why for one in judged if one.why))
    return _Judged(first.proposal, first.verdict, who, why, first.file, first.line)


def _agreements(sheets: Sequence[_Sheet]) -> list[Agreement]:
    found = []
    for first, second in combinations(sheets, 2):
        one, other = ({j.proposal.id: j.verdict for j in sheet.judged} for sheet in (first, second))
        both = [(one[id_], other[id_]) for id_ in one if id_ in other]
        if len(both) >= LEAST:
            agreed = sum(_key(a) == _key(b) for a, b in both)
            names = (_reviewers(first), _reviewers(second))
            found.append(Agreement(names, len(both), agreed, kappa((a.action, b.action) for a, b in both)))
    return found


# ---- spreadsheets with verdicts into the decisions of a topic: all of them, or none


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Attributes:
        merged: the verdicts, and the disagreements.
        left_open: number of proposals without a verdict in any of the files.
    """

    merged: _Merged
    left_open: int


def export(
    space: Workspace, graph: GraphStore, topic: Topic, path: Path, *, run: str = "", kind: str = "", status: str = ""
) -> int:
    """Write proposals to a spreadsheet.

    Args:
        space: the workspace.
        graph: the open graph.
        topic: the topic.
        path: the file, .xlsx or .tsv.
        run: only proposals of this run; empty for all.
        kind: only proposals of this kind; empty for all.
        status: only proposals of this status; empty for all.

    Returns:
        The number of proposals.

    Raises:
        ExchangeError: another suffix.
        MissingExtra: a workbook, and openpyxl is not installed.
        OSError: the file cannot be written.
    """
    found = proposals.find(space, graph, topic.name, status=status, run=run, kind=kind)
    standing = reviewed.record_of(space, topic.name).standing
    exchange.write(path, exchange.rows(found, standing, classes_of(space, topic)))
    return len(found)


def import_files(
    space: Workspace,
    graph: GraphStore,
    topic: Topic,
    paths: Sequence[Path],
    *,
    who: str,
    when: str,
    replaces: bool = False,
    disagreements: Path | None = None,
) -> Imported:
    """Take the verdicts of spreadsheets on which they agree.

    Args:
        space: the workspace.
        graph: the open graph.
        topic: the topic.
        paths: the files, one for each reviewer.
        who: name of the reviewer for rows without one; empty for the login name, of several files their names.
        when: date and time, ISO 8601.
        replaces: whether a verdict replaces another one of before; otherwise that is a disagreement.
        disagreements: file to which the proposals are written about which the files differ; None for none.

    Returns:
        What was taken, and what not.

    Raises:
        ExchangeError, CorpusError: a file that cannot be read, or rows that cannot be taken; nothing is written.
        VerdictError: a verdict that cannot be carried out; nothing is written.
        OSError: a file cannot be written.
    """
    classes = classes_of(space, topic)
    known = {one.id: one for one in proposals.find(space, graph, topic.name, status="")}
    names = [who or (path.stem if len(paths) > 1 else deciding.person()) for path in paths]
    sheets = [_read(path, known, classes, who=name) for path, name in zip(paths, names, strict=True)]
    standing = reviewed.record_of(space, topic.name).standing
    before = {id_: replace(one, verdict=_resolved(one, classes)) for id_, one in standing.items()}
    result = _merged(sheets, before, replace=replaces)
    if disagreements is not None and result.disagreements:
        exchange.write(disagreements, _rows(result, classes), more=(exchange.SAID,))
    _take(space, graph, topic, result, when)
    return Imported(result, _left_open(sheets))


def _left_open(sheets: Sequence[_Sheet]) -> int:
    judged = {one.proposal.id for sheet in sheets for one in sheet.judged}
    return len({id_ for sheet in sheets for id_ in sheet.left_open} - judged)


def _take(space: Workspace, graph: GraphStore, topic: Topic, result: _Merged, when: str) -> None:
    taken = _in_order(result.agreed)
    places = {one.proposal.id: one.place for one in taken}
    try:
        reviewing.decide_all(
            space, topic, [(one.proposal, one.verdict) for one in taken], who="", when=when, graph=graph,
            signed={one.proposal.id: (one.who, one.why) for one in taken},
        )  # fmt: skip
    except VerdictError as error:
        raise VerdictError("enrichment.nothing_imported_2", about=places.get(error.about, ""), error=error) from error


def _resolved(one: Reviewed, classes: DecidedClasses) -> Verdict:
    """Return a verdict with the present label of the class that it names."""
    found = classes.find(one.verdict.named) if one.verdict.named else None
    return one.verdict.naming(found.label) if found else one.verdict


def _rows(result: _Merged, classes: DecidedClasses) -> list[dict[str, str | float]]:
    """Return the rows of the proposals about which files differ, with what each said."""
    listed = exchange.rows([judged[0].proposal for judged in result.disagreements], {}, classes)
    for row, judged in zip(listed, result.disagreements, strict=True):
        said = (f"{one.who}: {wording.verdict(one.verdict)}" for one in judged)
        row[exchange.SAID] = "; ".join(said)
    return listed
