"""Output of commands: data on stdout (a table or one JSON document), progress and notes on stderr."""

from __future__ import annotations

import logging
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from ontocrawl.errors import CommandError, UsageError
from ontology.errors import Language, Message, catalogued, is_known, joined, said
from ontology.printable import json_text, one_line, printable

if TYPE_CHECKING:  # `--help` must not import rich and pydantic, which are slow to import
    from rich.console import Console, RenderableType
    from rich.progress import Progress, Task, TaskID

    from crawler.step import Step
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.graph.tables import Table
    from ontology.model import Problem

    Part: TypeAlias = "Table | Line | str | RenderableType"


# ---- `ontocrawl --log-format=json COMMAND`: the log as JSON, a line on stderr for each note, error and page


class _JsonLog(logging.Handler):
    """Writes the lines. As a handler it takes the records of Python's logging too, also those of libraries."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, Any] = {}
        """What each line has besides its own fields, such as the run."""

    def line(self, level: str, message: str, **fields: Any) -> None:
        """Write a line.

        Args:
            level: debug, info, warning, error or critical.
            message: what happened, for people.
            **fields: what it is about, as JSON values.
        """
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        document = {"time": now, "level": level, "message": message, **self.fields, **fields}
        sys.stderr.write(json_text(document) + "\n")
        sys.stderr.flush()

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line of a record of Python's logging."""
        failure = {} if record.exc_info is None else {"error": repr(record.exc_info[1])}
        self.line(record.levelname.lower(), record.getMessage(), logger=record.name, **failure)

    def page(self, step: Step) -> None:
        """Write the line of a page or a failure of a crawl."""
        failed = step.outcome.failure is not None
        self.line("warning" if failed else "info", "failure" if failed else "page", **_page_fields(step))


def _page_fields(step: Step) -> Mapping[str, Any]:
    """Return the fields of the line of a page: URL, status, how it was judged or why it failed, and the counts."""
    score, record = step.outcome.page_score, step.record
    what = (
        {"reason": step.outcome.failure} if score is None else {"relevance": score.judged, "relevant": score.relevant}
    )
    moved = {} if record.final_url == step.url else {"final_url": record.final_url}
    counts = {"fetched": step.fetched, "queued": step.queued, "in_flight": step.in_flight}
    return {"url": step.url, **moved, "status": record.status, **what, **counts}


def install(previous: _JsonLog | None, wanted: bool) -> _JsonLog | None:
    """Let Python's logging go to a new log, or no longer to one.

    Args:
        previous: the log of an earlier command of this process.
        wanted: whether there is to be one.

    Returns:
        The new log, or None.
    """
    root = logging.getLogger()
    if previous is not None:
        root.removeHandler(previous)
    if not wanted:
        return None
    log = _JsonLog()
    root.addHandler(log)
    return log


# ---- output of commands: data on stdout (a table or one JSON document), progress and notes on stderr


class Stream:
    """A standard stream, written by rich. Rich is imported at the first use. All text is cleaned (`printable`)."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.is_stderr = stderr
        self.log: _JsonLog | None = None
        """Where text goes as lines of JSON; None to print it."""

    @cached_property
    def console(self) -> Console:
        """The rich console of the stream."""
        from rich.console import Console

        return Console(stderr=self.is_stderr, highlight=False, emoji=False)

    def print(
        self,
        *objects: Any,
        style: str | None = None,
        markup: bool = False,
        soft_wrap: bool = False,
        level: str = "info",
    ) -> None:
        """Print text or rich renderables; the arguments are those of rich's ``Console.print``.

        Args:
            *objects: text or renderables.
            style: style of the text, such as "dim".
            markup: whether to interpret rich markup in text.
            soft_wrap: whether to leave long lines to the terminal.
            level: level of the line, if it is one of JSON.
        """
        if self.log is not None:
            self.log.line(level, " ".join(spoken(item) if isinstance(item, str) else str(item) for item in objects))
            return
        cleaned = (printable(spoken(item)) if isinstance(item, str) else item for item in objects)
        self.console.print(*cleaned, style=style, markup=markup, soft_wrap=soft_wrap)


stdout = Stream()
stderr = Stream(stderr=True)
language: Language = "en"
"""Language of messages (`ontocrawl --lang`)."""


def spoken(text: str) -> str:
    """Return a message in the language of the terminal, with options as on the command line; other text as it is."""
    return said(text, language, on_command_line=True)


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]
Folder = Annotated[
    Path | None,
    typer.Option("--workspace", help="Folder of the workspace; by default the nearest one at or above this folder."),
]


def workspace(given: Path | None, *, writes: bool = False) -> Workspace:
    """Find the workspace of a command.

    Args:
        given: value of --workspace.
        writes: whether the command writes into it; a note then announces a fallback folder that will be created.

    Returns:
        The workspace (`ontocrawl.base.workspace.find`).
    """
    from ontocrawl.base import workspace as workspaces

    space, fallback = workspaces.find(given)
    if fallback and writes and not space.root.exists():
        stderr.print(Message("cli.fallback", folder=space.root), style="dim")
    return space


def print_json(data: Any, indent: int | None = 2) -> None:
    """Print one JSON document; Chinese is not escaped, control and bidirectional characters are.

    Args:
        data: the document.
        indent: blanks of a level; None for a single line.
    """
    sys.stdout.write(json_text(data, indent=indent) + "\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Line:
    """Text on stdout."""

    text: str
    style: str = ""
    """Style of rich, such as "bold"."""
    wrap: bool = True
    """Whether it is wrapped between words; what is to be copied, such as a command or a URL, is not."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command returns. `show` prints it in the form that was asked for.

    A function of a command that is declared as ``-> Answer`` gets the options ``--format`` and ``--json``
    (`ontocrawl.cli.commands`).
    """

    document: Any
    """The answer as JSON values."""
    shown: Sequence[Part] = ()
    """The same for people: tables, lines and other renderables of rich."""
    notes: Sequence[str] = ()
    """What is said on stderr in every form."""
    next: str = ""
    """The command that goes on from here, for people."""
    failure: str = ""
    """Why the command fails though it has an answer, for a `CommandError`."""
    code: int = 0
    """The exit code, where the answer has findings."""


class Form(StrEnum):
    """Forms in which an answer is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


As = Annotated[Form, typer.Option("--format", help="Form of the answer: tables, one JSON document, or CSV.")]


def chosen(form: Form, *, as_json: bool) -> Form:
    """Return the form that two options ask for. Raises UsageError where they differ."""
    if as_json and form is Form.CSV:
        raise UsageError("cli.json_format_csv_exclude")
    return Form.JSON if as_json else form


def show(answer: Answer, form: Form = Form.TABLE) -> None:
    """Print an answer on stdout, and its notes on stderr.

    As CSV, the first table is printed, and a note names the others; for an answer without tables, its first list, or
    its figures.

    Raises:
        CommandError: the answer is that of a command that fails.
        typer.Exit: the answer has an exit code.
    """
    if form is Form.JSON:
        print_json(answer.document)
    elif form is Form.CSV:
        _print_csv(answer)
    else:
        for part in answer.shown:
            print_part(part)
    for text in answer.notes:
        note(text)
    if answer.next and form is Form.TABLE:
        note(Message("cli.next", command=answer.next))
    if answer.failure:
        raise CommandError(answer.failure)
    if answer.code:
        raise typer.Exit(answer.code)


def _print_csv(answer: Answer) -> None:
    from ontocrawl.graph.tables import Table

    tables = [part for part in answer.shown if isinstance(part, Table)] or [_as_table(answer.document)]
    sys.stdout.write(tables[0].as_csv().replace("\r\n", "\n"))
    for cut in tables[0].cuts:
        note(cut.message)
    if not tables[0].rows and tables[0].reasons:
        note(Message("cli.no_rows_why", reasons="; ".join(map(spoken, tables[0].reasons))))
    if tables[1:]:
        note(Message("cli.csv_left_out", tables=", ".join(spoken(one.title) for one in tables[1:])))


def _as_table(document: Mapping[str, Any]) -> Table:
    """Return the first list of objects in a document as a table, or its figures where it has none."""
    lists = [value for value in document.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if lists:
        columns = list(dict.fromkeys(name for row in lists[0] for name in row))
        return tabled("", columns, [[row.get(name) for name in columns] for row in lists[0]])
    figures = [(name, value) for name, value in document.items() if not isinstance(value, list | dict)]
    return tabled("", ("name", "value"), figures)


def print_part(part: Part) -> None:
    """Print a part of an answer at once: for commands that print while they work."""
    from ontocrawl.graph.tables import Table

    if isinstance(part, Line | str):
        line = part if isinstance(part, Line) else Line(part)
        stdout.print(line.text, style=line.style, soft_wrap=not line.wrap)
    elif not isinstance(part, Table):
        stdout.print(part)
    elif part.rows:
        from ontocrawl.cli import answer_table

        columns, optional = ([spoken(name) for name in names] for names in (part.columns, part.optional))
        title, caption = spoken(part.title), spoken(part.caption)
        answer_table.show(stdout.console, columns, part.rows, title, caption, optional, spoken)
        stdout.print("")
    elif part.reasons:
        note(Message("cli.no_rows_why", reasons="; ".join(map(spoken, part.reasons))))
    else:
        note(Message("cli.no_rows_of", title=part.title) if part.title else Message("cli.no_rows"))


def of_result(result: Table, notes: Sequence[str] = ()) -> Answer:
    """Return the result of a query as an answer."""
    count = len(result.rows)
    cuts = joined([cut.message for cut in result.cuts], "; ") or Message("cli.complete")
    shown = Message("cli.rows", rows=count, cuts=cuts)
    reasons = tuple(said(reason, "en", on_command_line=True) for reason in result.reasons)
    titled = replace(result, title=catalogued(result.title, language), caption=shown)
    return Answer(replace(result, reasons=reasons).as_json(), [titled], notes)


def tabled(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    caption: str = "",
    optional: Sequence[str] = (),
) -> Table:
    """Return a table of an answer.

    Args:
        title: text above the table.
        columns: names of the columns.
        rows: the rows.
        caption: text below the table.
        optional: columns to leave out where the terminal is too narrow for all, from the last to the first.
    """
    from ontocrawl.graph.tables import Table

    names, left_out = (tuple(named("heading", name) for name in of) for of in (columns, optional))
    told = tuple(map(tuple, rows))
    if columns and columns[0] in _OF_NAMES:
        told = tuple((named("heading", one[0]), *one[1:]) if isinstance(one[0], str) else one for one in told)
    return Table(names, told, named("title", title), caption=caption, optional=left_out)


_OF_NAMES = {"", "figure", "check", "fate"}
"""Headings of first columns that hold names of figures, each with a heading of its own."""


def named(what: str, text: str) -> str:
    """Return a heading or a title as a message, where there is one: that of ``stopped_by`` is cli.heading_stopped_by.

    The columns of the result of a query are names, and are no messages.

    Args:
        what: "heading", "title" or another family, such as "way" for kinds of links.
        text: the text in English.
    """
    if isinstance(text, Message):
        return text
    code = f"cli.{what}_{re.sub('[^a-z0-9]+', '_', text.lower())}"
    return message if is_known(code) and (message := Message(code)) == text else text


def note(text: str) -> None:
    """Print one line on stderr."""
    stderr.print(text, style="dim", soft_wrap=True)


def quoted(*words: object) -> str:
    """Join words of a command line for printing; words with blanks or other special characters are quoted.

    >>> quoted("ontocrawl", "crawl", "run", "--topic", Path("my papers/rainstorm.toml"))
    "ontocrawl crawl run --topic 'my papers/rainstorm.toml'"
    """
    return shlex.join(map(str, words))


def note_next(command: str, space: Workspace) -> None:
    """Print a command that goes on from here."""
    note(Message("cli.next", command=in_workspace(command, space)))


def in_workspace(command: str, space: Workspace) -> str:
    """Return a command with its workspace, where that would not be found from this folder."""
    from ontocrawl.base import workspace as workspaces

    found, _ = workspaces.find(None)
    elsewhere = found.root.resolve() != space.root.resolve()
    return f"{command}{' ' + quoted('--workspace', space.root) if elsewhere else ''}"


def notes_of(problems: Sequence[Problem], more: Message | None = None) -> list[str]:
    """Return the first problems of files, in the language of the terminal, and how many there are (``more``)."""
    from ontology.corpus import records

    more = more or Message("cli.corpus_problems", problems=len(problems))
    return [one_line(spoken(one)) for one in records.shown(problems, more)]


LINE_SECONDS = 30.0
"""Seconds between two lines of long work that is shown by no bar."""


@contextmanager
def progress(description: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    """Show a progress bar on stderr, or a line each `LINE_SECONDS` where that is no terminal.

    Args:
        description: text beside the bar.
        total: number of steps; None if unknown.

    Yields:
        The bar and its task, whose field ``info`` is shown after the bar.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[info]}", markup=False),
    )
    shown = stderr.console.is_terminal and stderr.log is None
    with Progress(*columns, console=stderr.console, disable=not shown) as bar:
        task = bar.add_task(spoken(description), total=total, info="")
        ended = Event()
        if not shown and stderr.log is None:
            Thread(target=_print_lines, args=(bar.tasks[0], ended), daemon=True).start()
        try:
            yield bar, task
        finally:
            ended.set()


def stages(bar: Progress, task: TaskID) -> Callable[[str], None]:
    """Return a function that shows a stage of the work beside its bar."""
    return lambda stage: bar.update(task, description=spoken(stage))


def _print_lines(task: Task, ended: Event) -> None:
    while not ended.wait(LINE_SECONDS):
        values = {"what": task.description, "done": task.completed, "seconds": task.elapsed or 0}
        values["info"] = f"; {task.fields['info']}" if task.fields["info"] else ""
        if task.total is not None:
            note(Message("cli.doing_of", total=task.total, **values))
        else:
            note(Message("cli.doing_done" if task.completed else "cli.doing", **values))
