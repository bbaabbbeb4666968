"""Proposals as a spreadsheet, .xlsx or .tsv: columns for the verdict, columns for ROBOT, the evidence.

The first row names the columns; the second has ROBOT's template strings, and nothing in the columns that ROBOT is to
leave alone. No cell is ever a formula. `ontocrawl.enrichment.importing` reads the file with its verdicts.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ontocrawl.enrichment.classes import DecidedClasses
from ontocrawl.topics.reviewed import Reviewed
from ontology.enrichment import Proposal, Verdict, decisions_of
from ontology.enrichment.verdicts import VERDICT_ACTIONS
from ontology.errors import OntocrawlError
from ontology.extras import require
from ontology.files import open_atomically, write_atomically
from ontology.model import RelationKind
from ontology.owl.robot_template import cell as robot_cell
from ontology.owl.vocabulary import RESTRICTED
from ontology.printable import csv_cell, one_line
from ontology.terms.wordforms import has_han

# ---- the columns of a spreadsheet of proposals that are a ROBOT template (robot.obolibrary.org/template)
#
# A row says what its proposal comes to once it is accepted: a class with label, other name and parent; another name
# of a class; a relation of a class. A rejected one says nothing, so that ROBOT makes nothing of it.


_ID, _TYPE, _PARENT, _EQUIVALENT = "ID", "Type", "Parents", "Equivalent class"
_RELATIONS: Mapping[RelationKind, str] = {"part_of": "Part of", "causes": "May cause", "measured_by": "Measured by"}
_TEMPLATE: Mapping[str, str] = {
    _ID: "ID",
    _TYPE: "TYPE",
    "Label (zh)": "AL rdfs:label@zh",
    "Label (en)": "AL rdfs:label@en",
    "Exact synonyms (zh)": "AL oboInOwl:hasExactSynonym@zh",
    "Exact synonyms (en)": "AL oboInOwl:hasExactSynonym@en",
    _PARENT: "SC %",
    **{name: f"SC ('{RESTRICTED[kind]}' some '%')" for kind, name in _RELATIONS.items()},
    _EQUIVALENT: "EC %",
}
"""Name of a column -> its template string."""


def _cells(proposal: Proposal, verdict: Verdict, classes: DecidedClasses) -> dict[str, str]:
    """Return the cells of a proposal for ROBOT.

    Args:
        proposal: the proposal.
        verdict: the verdict about it; "accept" for one that nobody decided about.
        classes: the classes as they are decided now.

    Returns:
        Name of a column -> text; nothing for a rejected proposal, or one whose class is none any more.
    """
    if verdict.action == "reject":
        return {}
    row: dict[str, str] = {}
    for decision in decisions_of(proposal, verdict):
        found = classes.find(decision.term)
        if found is None and decision.relation == "synonym" and not row:
            return {}
        row |= {_ID: found.iri if found else classes.register.iri(decision.term), _TYPE: "owl:Class"}
        if decision.relation == "synonym":
            row[f"Exact synonyms ({_language(decision.value)})"] = decision.value
            continue
        if proposal.kind != "relation":
            row[f"Label ({_language(decision.term)})"] = decision.term
        if decision.value:
            other = classes.find(decision.value)
            if other is None:
                return {}
            row[_column(decision.relation)] = other.iri
    return row


def _column(relation: str) -> str:
    columns = {"subclass_of": _PARENT, "equivalent_to": _EQUIVALENT, **{str(kind): c for kind, c in _RELATIONS.items()}}
    return columns[relation]


def _language(text: str) -> str:
    return "zh" if has_han(text) else "en"


# ---- proposals as a spreadsheet, .xlsx or .tsv: columns for the verdict, columns for ROBOT, the evidence


SUFFIXES = (".xlsx", ".tsv")
ID, VERDICT, NEW_NAME, PARENT, WHY, WHO, TERM = "proposal", "verdict", "new_name", "parent", "why", "who", "term"
REVIEWER = (ID, VERDICT, NEW_NAME, PARENT, WHY, WHO)
SENTENCES = 3
"""Number of sentences of a proposal in the file; `enrich review` shows all."""
EVIDENCE = (TERM, "kind", "relation", "suggested_class", "reason", "score", "pages", "crawls")
_PLACES = tuple(f"{name}_{n}" for n in range(1, SENTENCES + 1) for name in ("sentence", "url", "fetched"))
COLUMNS = (*REVIEWER, *EVIDENCE, *_PLACES, *_TEMPLATE)
SAID = "verdicts"
"""Column of a file of disagreements: who said what."""
_WIDTHS = {ID: 24, VERDICT: 10, NEW_NAME: 18, PARENT: 18, WHY: 24, WHO: 12, TERM: 18, "reason": 28, SAID: 40}
_WIDE, _USUAL = 60, 14
_LARGEST_CELL = 32_767
"""Maximum number of characters of a cell in a workbook."""


class ExchangeError(OntocrawlError, ValueError):
    """A spreadsheet of proposals that cannot be written or read; the message has file and line."""


Row = Mapping[str, str | float]


def rows(
    suggestions: Sequence[Proposal], standing: Mapping[str, Reviewed], classes: DecidedClasses
) -> list[dict[str, str | float]]:
    """Return the rows of proposals, by name of column.

    Args:
        suggestions: the proposals.
        standing: id of a proposal -> the verdict about it.
        classes: the classes as they are decided now.
    """
    return [_row(one, standing.get(one.id), classes) for one in suggestions]


def _row(one: Proposal, known: Reviewed | None, classes: DecidedClasses) -> dict[str, str | float]:
    verdict = known.verdict if known else Verdict("accept")
    row: dict[str, str | float] = {ID: one.id}
    if known:
        row |= {VERDICT: verdict.action, NEW_NAME: verdict.name, PARENT: verdict.named, WHY: known.why, WHO: known.who}
    row |= {
        TERM: one_line(one.term), "kind": one.kind, "relation": one.relation,
        "suggested_class": one.target_label or one.target or "", "reason": one.reason,
        "score": round(one.score, 4), "pages": one.pages,
        "crawls": ", ".join(f"{run} ({support.pages})" for run, support in sorted(one.crawls.items())),
    }  # fmt: skip
    for number, sentence in enumerate(one.sentences[:SENTENCES], 1):
        row |= {
            f"sentence_{number}": sentence.text,
            f"url_{number}": sentence.url,
            f"fetched_{number}": sentence.fetched,
        }
    return row | _cells(one, verdict, classes)


def write(path: Path, listed: Sequence[Row], *, more: Sequence[str] = ()) -> None:
    """Write a spreadsheet.

    Args:
        path: the file; its suffix is the format.
        listed: the rows, by name of column.
        more: further columns, which come before the evidence.

    Raises:
        ExchangeError: another suffix.
        MissingExtra: a workbook, and openpyxl is not installed.
        OSError: the file cannot be written.
    """
    names = (*REVIEWER, *more, *COLUMNS[len(REVIEWER) :])
    templates = [_TEMPLATE.get(name, "") for name in names]
    table = [[row.get(name, "") for name in names] for row in listed]
    if path.suffix.lower() == ".tsv":
        lines = [list(names), templates, *([_tsv(value) for value in row] for row in table)]
        text = "".join("\t".join(map(robot_cell, line)) + "\n" for line in lines)
        write_atomically(path, text.encode())
    elif path.suffix.lower() == ".xlsx":
        _write_workbook(path, names, templates, table)
    else:
        raise ExchangeError("enrichment.expected_name_ends", path=path, suffixes=" or ".join(SUFFIXES))


def _tsv(value: str | float) -> str:
    return str(csv_cell(one_line(value))) if isinstance(value, str) else f"{value:g}"


def _write_workbook(path: Path, names: Sequence[str], templates: Sequence[str], table: Sequence[Sequence[Any]]) -> None:
    openpyxl = require("openpyxl", "readers", "writing XLSX")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "proposals"
    for number, line in enumerate([names, templates, *table], 1):
        for column, value in enumerate(line, 1):
            if value != "":
                _fill(sheet.cell(number, column), value, is_header=number == 1)
    sheet.freeze_panes = sheet.cell(3, len(REVIEWER[:2]) + 1)
    sheet.auto_filter.ref = f"A2:{sheet.cell(2, len(names)).column_letter}{max(2, len(table) + 2)}"
    for column, name in enumerate(names, 1):
        letter = sheet.cell(1, column).column_letter
        sheet.column_dimensions[letter].width = _WIDTHS.get(name, _WIDE if name.startswith("sentence") else _USUAL)
    if table:
        _add_choices(sheet, names, len(table))
    stream = io.BytesIO()
    book.save(stream)
    with open_atomically(path) as file:
        file.write(stream.getvalue())


def _fill(cell: Any, value: str | float, *, is_header: bool) -> None:
    """Write a value into a cell; a text stays a text, whatever it begins with, also when somebody edits the cell."""
    from openpyxl.styles import Alignment, Font

    if isinstance(value, str):
        cell.value = one_line(value)[:_LARGEST_CELL]
        cell.data_type = "s"
        cell.quotePrefix = cell.value[:1] in "=+-@"
        cell.number_format = "@"
        cell.alignment = Alignment(vertical="top", wrap_text=True)
    else:
        cell.value = value
        cell.alignment = Alignment(vertical="top")
    if is_header:
        cell.font = Font(bold=True)


def _add_choices(sheet: Any, names: Sequence[str], count: int) -> None:
    """Let the cells of the verdict be chosen from a list."""
    from openpyxl.worksheet.datavalidation import DataValidation

    choices = DataValidation(type="list", formula1=f'"{",".join(VERDICT_ACTIONS)}"', allow_blank=True)
    choices.error, choices.errorTitle = f"one of {', '.join(VERDICT_ACTIONS)}, or nothing", "verdict"
    choices.prompt = "rename: new_name is the name of the class; move and merge: parent is the class"
    letter = sheet.cell(1, names.index(VERDICT) + 1).column_letter
    choices.add(f"{letter}3:{letter}{count + 2}")
    sheet.add_data_validation(choices)
