"""`ontocrawl crawl export`: the pages of a run as a file for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message


class PageFormat(StrEnum):
    """Formats of `crawl export`; a test compares them with those of ontocrawl.runs.page_files."""

    JSONL = "jsonl"
    CSV = "csv"
    TEXT = "text"
    WARC = "warc"


def export(
    run_name: RunName,
    out: Annotated[
        Path, typer.Option("--out", help="Output file, - for standard output. An existing file is replaced.")
    ],
    form: Annotated[
        PageFormat | None,
        typer.Option(
            "--format",
            help="Format: jsonl (a JSON object a line), csv (links are JSON in a cell), text (one page after "
            "another) or warc (for tools of web archives, and --world archive:FILE); by default from the suffix of "
            "--out, else jsonl.",
        ),
    ] = None,
    relevant: Annotated[bool, typer.Option("--relevant", help="Only pages that are relevant by the judge.")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="Only URLs that could not be fetched.")] = False,
    links: Annotated[
        bool, typer.Option("--links", help="Also a row for each known link that was not fetched, with the reason.")
    ] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write the pages of a run with text, links and anchors, and failures with reasons, to a file."""
    from ontocrawl.runs import page_files

    to_stdout = str(out) == "-"
    if to_stdout and as_json:
        raise UsageError("cli.out_writes_pages_standard")
    space, selection = workspace(folder), page_files.Selection(relevant, failed, links)
    chosen = str(form) if form else page_files.format_of(out)
    with progress(Message("cli.doing_export"), None) as (bar, task):
        target = sys.stdout.buffer if to_stdout else out
        done = page_files.export(
            space, run_name, target, chosen, selection, lambda number: bar.update(task, completed=number)
        )
    if as_json:
        print_json({"path": str(out), "format": chosen, "rows": done.rows, "unrecorded": done.unrecorded})
    elif not to_stdout:
        note(Message("cli.rows_written", rows=done.rows, path=out, form=chosen))
    if done.unrecorded:
        note(Message("cli.pages_unrecorded", pages=done.unrecorded, folder=done.recording))
