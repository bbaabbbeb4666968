"""`ontocrawl crawl status RUN --watch`: a run as it goes on."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ontocrawl.cli import crawl_view, measures
from ontocrawl.cli.output import note, stdout
from ontology.printable import json_text

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.runs.run_status import Now

ON_TERMINAL, IN_PIPE = 1.0, 10.0
"""Seconds between two looks, where the user gives none."""


def watch(space: Workspace, name: str, every: float | None, *, as_json: bool) -> None:
    """Show a run until no process crawls it any more, or until Ctrl-C, which ends the view and not the crawl.

    On a terminal the view is refreshed in place. Elsewhere, and with ``as_json``, a line is printed at each look.

    Args:
        space: the workspace of the run.
        name: name of the run.
        every: seconds between two looks.
        as_json: whether to print a JSON document a line.
    """
    from ontocrawl.runs import run_status

    in_place = stdout.console.is_terminal and not as_json
    pause = every or (ON_TERMINAL if in_place else IN_PIPE)

    def looks() -> Iterator[Now]:
        while (now := run_status.now(space, name)).running:
            yield now
            time.sleep(pause)
        if in_place:
            yield now

    try:
        if in_place:
            _refresh(looks())
        for now in () if in_place else looks():
            document = {"run": name, **now.as_json()}
            _write(json_text(document) if as_json else crawl_view.line(document))
    except KeyboardInterrupt:
        note("the view has ended, the crawl goes on")
        return
    end = run_status.document(space, name)
    if in_place:
        measures.show_run(end)
    else:
        _write(json_text(end) if as_json else crawl_view.last_line(end))


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _refresh(looks: Iterator[Now]) -> None:
    from rich.live import Live

    with Live(console=stdout.console, auto_refresh=False) as live:
        for now in looks:
            live.update(crawl_view.view(now.run, now.as_json()), refresh=True)
