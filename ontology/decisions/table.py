"""The file of decisions: tab-separated, one decision a line, appended to and never shortened.

A person may add lines in an editor or a spreadsheet: only ``action`` and ``term``, and mostly ``value``, are needed.
`append` and `completed` give them an id.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ontology.decisions.decision import Decision, DecisionError
from ontology.files import read_text, write_atomically

FILE = "decisions.tsv"
HEADER = ("id", "action", "term", "relation", "value", "old", "language", "ontology", "who", "when", "why")
_ID = re.compile(r"d(\d+)")


def read(path: str | Path) -> tuple[Decision, ...]:
    """Read the decisions of a file, in their order.

    Args:
        path: the file; it need not exist.

    Returns:
        The decisions, withdrawn ones included.

    Raises:
        DecisionError: a line that is no decision, or an id that is there twice; the message names file and line.
    """
    path = Path(path)
    if not path.exists():
        return ()
    rows = list(csv.reader(io.StringIO(read_text(path, DecisionError)), delimiter="\t"))
    if not rows or tuple(rows[0]) != HEADER:
        found = " ".join(rows[0]) if rows else "nothing"
        raise DecisionError("files.header", path=path, header=" ".join(HEADER), found=found)
    decisions: list[Decision] = []
    ids: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        decision = _decision(row, f"{path}, line {number}")
        if decision.id and ids.setdefault(decision.id, number) != number:
            raise DecisionError(
                "decisions.decisions_twice", path=path, number=number, decision_id=decision.id, ids=ids[decision.id]
            )
        decisions.append(decision)
    return tuple(decisions)


def _decision(row: Sequence[str], where: str) -> Decision:
    if len(row) > len(HEADER):
        raise DecisionError("decisions.decisions_cells", where=where, n_header=len(HEADER), n_row=len(row))
    cells = dict(zip(HEADER, (cell.strip() for cell in row), strict=False))
    cells |= {"action": cells.get("action", "").lower()}  # spreadsheets begin cells with a capital
    try:
        return Decision(**cells)  # type: ignore[arg-type]  # its action is checked when it is made
    except (DecisionError, TypeError) as error:
        reason = "expected an action and a term" if isinstance(error, TypeError) else error
        raise DecisionError("files.about", about=where, error=reason) from error


def numbered(decisions: Iterable[Decision], known: Iterable[Decision] = ()) -> tuple[Decision, ...]:
    """Give an id to each decision without one: the number after the largest.

    >>> [d.id for d in numbered([Decision("accept", "山洪", "洪水")], [Decision("reject", "山洪", "灾害", id="d7")])]
    ['d8']
    """
    decisions = tuple(decisions)
    numbers = [int(match[1]) for d in (*known, *decisions) if (match := _ID.fullmatch(d.id))]
    following = max(numbers, default=0) + 1
    ids = (f"d{number}" for number in itertools.count(following))
    return tuple(d if d.id else replace(d, id=next(ids)) for d in decisions)


def append(path: str | Path, decisions: Iterable[Decision], who: str = "", when: str = "") -> tuple[Decision, ...]:
    """Add decisions to a file, which is made if it is missing; rows that a person added without an id get one.

    Args:
        path: the file.
        decisions: the decisions, without ids.
        who: name of the person, for rows that a person added without one.
        when: date and time, for the same.

    Returns:
        The decisions with their ids.

    Raises:
        DecisionError: as for `read`.
        OSError: the file cannot be written.
    """
    path = Path(path)
    rows = (d if d.id else replace(d, who=d.who or who, when=d.when or when) for d in read(path))
    known = numbered(rows)
    added = numbered(decisions, known)
    write_atomically(path, text((*known, *added)).encode())
    return added


def text(decisions: Iterable[Decision]) -> str:
    """Return the content of a file of decisions."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow(HEADER)
    for decision in decisions:
        row = asdict(decision)
        writer.writerow([row[name] for name in HEADER])
    return stream.getvalue()
