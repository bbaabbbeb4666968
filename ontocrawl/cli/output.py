"""What commands print: data on stdout (tables, or one JSON document), progress and logs on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:  # rich and pydantic take longer to import than all the rest: `--help` does without them
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from ontocrawl.workspace import Workspace


class Stream:
    """A standard stream, printed on by rich, which is imported at the first print."""

    def __init__(self, *, stderr: bool = False) -> None:
        self._stderr = stderr

    @cached_property
    def console(self) -> Console:
        """The console of rich."""
        from rich.console import Console

        return Console(stderr=self._stderr, highlight=False, emoji=False)

    def print(self, *objects: Any, style: str | None = None, markup: bool = True, soft_wrap: bool = False) -> None:
        """Print texts or renderables of rich."""
        self.console.print(*objects, style=style, markup=markup, soft_wrap=soft_wrap)


stdout = Stream()
stderr = Stream(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout instead of a table.")]
Folder = Annotated[
    Path | None,
    typer.Option("--workspace", help="The workspace's folder; by default the nearest one above this folder."),
]


def workspace(given: Path | None, *, writes: bool = False) -> Workspace:
    """The workspace of a command; a line on stderr says so where none was found and one is about to be made."""
    from ontocrawl import workspace as workspaces

    found, fallback = workspaces.find(given)
    if fallback and writes and not found.root.exists():
        stderr.print(f"No workspace here: using {found.root} (`ontocrawl init` makes one of your own).", style="dim")
    return found


def print_json(data: Any) -> None:
    """One JSON document; Chinese is not escaped."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "") -> None:
    """A table on stdout; numbers stand right, floats with four digits."""
    from rich.table import Table
    from rich.text import Text

    kept = [[_cell(value) for value in row] for row in rows]
    shown = Table(title=title, caption=caption or None, title_justify="left", caption_justify="left")
    for at, name in enumerate(columns):
        numeric = bool(kept) and all(isinstance(row[at][1], int | float) or row[at][1] is None for row in kept)
        shown.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        shown.add_row(*(Text(text) for text, _ in row))
    stdout.print(shown)


def _cell(value: Any) -> tuple[str, Any]:
    if value is None:
        return "-", None
    if isinstance(value, bool):
        return "yes" if value else "no", "bool"
    if isinstance(value, float):
        return f"{value:.4f}", value
    if isinstance(value, list | tuple):
        return " › ".join(str(v) for v in value), "list"
    return str(value), value


def note(text: str) -> None:
    """One line for the reader, on stderr."""
    stderr.print(text, style="dim", markup=False, soft_wrap=True)


@contextmanager
def progress(description: str, total: int | None) -> Iterator[tuple[Progress, TaskID]]:
    """A bar on stderr, shown on a terminal only."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[info]}"),
    )
    with Progress(*columns, console=stderr.console, disable=not stderr.console.is_terminal) as bar:
        yield bar, bar.add_task(description, total=total, info="")
