"""The open questions as a table for a colleague, and the answers in it: tab-separated, one question a line."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from ontocrawl.settling.replies import parse
from ontocrawl.settling.session import Asked, Session
from ontocrawl.settling.state import Answer, SettleError
from ontocrawl.settling.wording import Wording, lines, reasons
from ontology.files import read_text, write_atomically
from ontology.lattice import ExplorationError
from ontology.printable import csv_cell

HEADER = ("about", "question", "choices", "ontology_says", "evidence", "how_to_answer", "answer")
_BETWEEN = " | "
_AND = " + "
_NUMBER = re.compile(r"^\d+\s+")


@dataclass(frozen=True)
class Read:
    """What came of a table of answers."""

    answers: tuple[Answer, ...]
    unanswered: int
    """Rows without an answer, or put off."""
    settled: int
    """Rows whose question had its answer already; theirs agrees with it."""


def write(session: Session, wording: Wording, path: Path) -> int:
    """Write the open questions to a file.

    Args:
        session: the session.
        wording: the language.
        path: the file.

    Returns:
        The number of questions.

    Raises:
        OSError: the file cannot be written.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow(HEADER)
    questions = session.open_questions()
    for asked in questions:
        writer.writerow([csv_cell(cell) for cell in _row(session, wording, asked)])
    write_atomically(path, stream.getvalue().encode())
    return len(questions)


def _row(session: Session, wording: Wording, asked: Asked) -> tuple[str, ...]:
    evidence = [
        f"{choice}: {line}"
        for choice in asked.suggested
        for line in lines(reasons(session.learned, asked.about, choice, wording))
    ]
    numbered = [f"{number} {choice}" for number, choice in enumerate(asked.choices, 1)]
    replies = wording.keys(asked.choices, asked.about, marked=False, may_be_none=asked.may_be_none)
    return (
        _AND.join(asked.about), wording.question(asked.about, asked.choices), _BETWEEN.join(numbered),
        _BETWEEN.join(asked.suggested), _BETWEEN.join(evidence), replies, "",
    )  # fmt: skip


def read(session: Session, path: Path) -> Read:
    """Read the answers of a file that `write` wrote, and record them in a session.

    Questions that the answers of earlier rows, or of someone else, have settled meanwhile are not recorded twice.

    Args:
        session: the session of the same folder.
        path: the file; `choices` and `about` are as they were written, `answer` is filled in.

    Returns:
        What was recorded.

    Raises:
        SettleError: another table, a reply that cannot be read, or one that contradicts what is known; answers of the
            rows above are kept. The message has file and line.
    """
    rows = list(csv.reader(io.StringIO(read_text(path, SettleError)), delimiter="\t"))
    if not rows or tuple(cell.strip() for cell in rows[0]) != HEADER:
        raise SettleError("settling.line_expected_header_tabs", path=path, header=" ".join(HEADER))
    answers: list[Answer] = []
    unanswered = settled = 0
    for number, row in enumerate(rows[1:], 2):
        cells = dict(zip(HEADER, (cell.strip() for cell in (*row, *[""] * len(HEADER))), strict=False))
        if not cells["answer"]:
            unanswered += any(cell.strip() for cell in row)
            continue
        try:
            kind, answer = _recorded(session, cells)
        except (SettleError, ExplorationError) as error:
            raise SettleError("files.line", path=path, line=number, error=error) from error
        unanswered += kind == "later"
        settled += kind == "settled"
        answers += [answer] if answer is not None else []
    return Read(tuple(answers), unanswered, settled)


def _recorded(session: Session, cells: dict[str, str]) -> tuple[str, Answer | None]:
    """Record the answer of a row; return what it was, and the answer if it was new."""
    about = tuple(part.strip() for part in cells["about"].split(_AND.strip()))
    choices = tuple(_NUMBER.sub("", part.strip(), count=1) for part in cells["choices"].split(_BETWEEN.strip()))
    reply = parse(cells["answer"], choices, session.names)
    if reply.kind not in ("answer", "nothing"):
        if reply.kind == "later":
            return "later", None
        raise SettleError("settling.no_answer_table_give", answer=cells["answer"])
    answer = session.answer_part(about, choices, reply)
    return ("settled" if answer is None else "new"), answer
