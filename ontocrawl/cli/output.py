"""What commands print: data on stdout (tables, or one JSON document), progress and logs on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:  # settings and progress bars take as long to import as all the rest: only what needs them waits
    from rich.progress import Progress, TaskID

    from ontocrawl.workspace import Workspace

stdout = Console(highlight=False, soft_wrap=False)
stderr = Console(stderr=True, highlight=False)

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
    stderr.print(Text(text, style="dim"), soft_wrap=True)


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
    with Progress(*columns, console=stderr, disable=not stderr.is_terminal) as bar:
        yield bar, bar.add_task(description, total=total, info="")
