"""The folder of tables while they are made, and what becomes of it at the end.

    OUT.unfinished/request.json    what was asked for: another question cannot continue the work
                   .lock           held by the command that works on it
                   counted/        pages of each part without relevance, PART.parquet
                   done/           a summary of each part that was read, PART.json
                   pages.parquet/  links.parquet/  failures.parquet/  texts.parquet/  with a file a part

A part is finished when its summary, or its page file with the relevance, is there: each file is written under another
name and renamed. At the end the whole folder is renamed to OUT. So whatever is killed, OUT is complete or missing, and
the next command goes on with the parts that are missing. The tables of terms are made in the same way, in folders of
another form.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from kg.engine.files import FileLock
from ontocrawl.base.workspace import make_folder
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.version import __version__
from ontology.files import open_atomically, write_atomically

TABLES = ("pages.parquet", "links.parquet", "failures.parquet")
TEXTS = "texts.parquet"
VERSION = 1
"""Version of the form of the tables."""
_COUNTED, _DONE, _REQUEST = "counted", "done", "request.json"
_LOCK = ".lock"
_OUT = Option("--out", "out")
_PART = "part-{:05}"


@dataclass(frozen=True)
class Form:
    """The form of a folder of tables.

    Attributes:
        tables: the folders of tables with a file for each part.
        temporary: the folders that are removed at the end.
        summary: name of the file that says what was asked for, and what was made.
        content: what it has, for messages.
    """

    tables: tuple[str, ...]
    temporary: tuple[str, ...]
    summary: str
    content: str


SCORES = Form((*TABLES, TEXTS), (_COUNTED, _DONE), "score.json", "tables")
WITHOUT_TEXTS = replace(SCORES, tables=TABLES)


@dataclass(frozen=True)
class Work:
    """The folder of tables that are being made. It can be sent to other processes, which have the same file system."""

    folder: Path

    def summary(self, number: int) -> dict[str, Any] | None:
        """Return the summary of a part that was read; None for one that was not."""
        return _json_of(self._done(number))

    def has_pages(self, number: int) -> bool:
        """Return whether the pages of a part with their relevance are there."""
        return self.table("pages.parquet", number).exists()

    def finish_part(self, number: int, summary: Mapping[str, Any]) -> None:
        """Write the summary of a part, whose tables are all written."""
        _write_json(self._done(number), summary)

    def counted(self, number: int) -> Path:
        """Return the path of the pages of a part without relevance."""
        return self.folder / _COUNTED / f"{_PART.format(number)}.parquet"

    def table(self, name: str, number: int) -> Path:
        """Return the path of the rows of a part in a folder of the form."""
        return self.folder / name / f"{_PART.format(number)}.parquet"

    @contextmanager
    def opened(self, *paths: Path) -> Iterator[list[IO[bytes]]]:
        """Open files that appear together at the end of the block, or not at all."""
        if not paths:
            yield []
            return
        with open_atomically(paths[0]) as first, self.opened(*paths[1:]) as others:
            yield [first, *others]

    def _done(self, number: int) -> Path:
        return self.folder / _DONE / f"{_PART.format(number)}.json"


def finished(out: Path, request: Mapping[str, Any], form: Form = SCORES) -> dict[str, Any] | None:
    """Return the summary of tables that were made before for the same request; None where there are none.

    Args:
        out: the folder.
        request: what determines the tables, as values of JSON.
        form: the form of the folder.

    Raises:
        UsageError: the folder has something else.
    """
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return None
    made = _json_of(out / form.summary) if out.is_dir() else None
    if made is None:
        raise UsageError("archives.exists_no_archive_name", out=out, content=form.content, option=_OUT)
    known = _request_in(made, out / form.summary)
    if _without_program(known) != _without_program(request):
        raise UsageError(
            "archives.another_archive_topic_setting",
            out=out,
            content=form.content,
            summary=out / form.summary,
            option=_OUT,
        )
    return {name: value for name, value in made.items() if name != "request"}


def made_in(folder: Path) -> dict[str, Any]:
    """Return what `archive score` wrote of finished tables: their numbers, and ``request``, what was asked for.

    Raises:
        UsageError: the folder has no finished tables, or they are damaged or of a newer version.
    """
    path = folder / SCORES.summary
    made = _json_of(path) if folder.is_dir() else None
    if made is None:
        raise UsageError("archives.no_tables_archive_make", folder=folder)
    request = _request_in(made, path)
    if not isinstance(made.get("pages"), int) or not isinstance(made.get("failed"), int) or "topic" not in request:
        raise _damaged(path)
    if request.get("version", 0) > VERSION:
        raise UsageError("archives.tables_made_newer_ontocrawl", folder=folder)
    return made


def request_of(folder: Path) -> dict[str, Any]:
    """Return what was asked for when finished tables were made, but for the program. Raises as `made_in`."""
    return _without_program(made_in(folder)["request"])


def request(**values: Any) -> dict[str, Any]:
    """Return a request: what determines some tables, with the version of their form and the program that makes them."""
    return {"version": VERSION, "program": __version__, **values}


def _without_program(request: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name != "program"}


def _request_in(made: Mapping[str, Any], path: Path) -> dict[str, Any]:
    request = made.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("version", 0), int):
        raise _damaged(path)
    return request


def _damaged(path: Path) -> UsageError:
    return UsageError("archives.damaged_remove_folder_make", path=path)


@contextmanager
def begun(out: Path, request: Mapping[str, Any], form: Form = SCORES) -> Iterator[Work]:
    """Begin the work on some tables, or go on with it; no other command can at the same time.

    Args:
        out: the folder to make.
        request: what determines the tables, as values of JSON.
        form: the form of the folder.

    Raises:
        UsageError: the work was begun for another request, or the folder has other files.
        CommandError: the folder cannot be made, or another command works on it.
        OSError: the folder cannot be written.
    """
    work = Work(out.absolute().with_name(f"{out.name}.unfinished"))
    make_folder(work.folder, _OUT)
    if not (work.folder / _REQUEST).exists() and any(path.name != _LOCK for path in work.folder.iterdir()):
        raise UsageError("archives.other_files_would_used", work_folder=work.folder, out=_OUT)
    lock = FileLock(work.folder / _LOCK, "choose a folder of a file system with locks")
    if not lock.try_acquire():
        raise CommandError("archives.another_command_writing_wait", out=out)
    try:
        known = _json_of(work.folder / _REQUEST)
        if known is None:
            _write_json(work.folder / _REQUEST, request)
        elif _without_program(known) != _without_program(request):
            raise UsageError("archives.begun_another_archive_topic", work_folder=work.folder, out=_OUT)
        elif known != request:
            raise UsageError(
                "archives.begun_version_ontocrawl_whose", work_folder=work.folder, program=known.get("program")
            )
        for name in (*form.tables, *form.temporary):
            (work.folder / name).mkdir(exist_ok=True)
        yield work
    finally:
        lock.release()


def complete(work: Work, out: Path, summary: Mapping[str, Any], form: Form = SCORES) -> None:
    """Make the folder of finished work the result.

    Args:
        work: the work; every part is finished.
        out: the folder to make.
        summary: what it has, as values of JSON.
        form: the form of the folder.
    """
    request = _json_of(work.folder / _REQUEST)
    for name in form.tables:  # what a killed process left
        for left in (work.folder / name).glob(".part-*"):
            left.unlink()
    _write_json(work.folder / form.summary, {**summary, "request": request})
    if out.is_dir():
        out.rmdir()
    work.folder.rename(out)
    for name in form.temporary:
        shutil.rmtree(out / name)
    for name in (_REQUEST, _LOCK):
        (out / name).unlink()


def _json_of(path: Path) -> dict[str, Any] | None:
    try:
        values = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise _damaged(path) from error
    if not isinstance(values, dict):
        raise _damaged(path)
    return values


def _write_json(path: Path, values: Mapping[str, Any]) -> None:
    write_atomically(path, (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode())
