"""`ontocrawl crawl teach`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Answer, Folder, tabled, workspace
from ontology.errors import Message

_SAID = {True: "cli.taught_verdict_liked", False: "cli.taught_verdict_disliked", None: "cli.taught_verdict_forgotten"}
_WHEN = {
    "running": "cli.taught_when_running",
    "draining": "cli.taught_when_draining",
    "interrupted": "cli.taught_when_interrupted",
    "finished": "cli.taught_when_finished",
}


def teach(
    run_name: RunName,
    like: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A page of the kind that is looked for, or its name in a corpus. May repeat."),
    ] = None,
    unlike: Annotated[list[str] | None, typer.Option(metavar="URL", help="A page of another kind. May repeat.")] = None,
    forget: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Take back what was said of a page. May repeat.")
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Teach a run by pages that you like or dislike, while it crawls or before it is resumed; or list them.

    A page that was fetched counts at once, another one is fetched first. A later verdict about a page replaces the
    earlier one. Without options, list what the run was taught.
    """
    from ontocrawl.runs import teaching

    space = workspace(folder)
    found = teaching.teach(space, run_name, like=like or (), unlike=unlike or (), forget=forget or ())
    rows = [(Message(_SAID[one.liked]), _taken(one.fetched), one.url) for one in found.taught]
    shown = tabled(Message("cli.of_taught", run=found.run), ("verdict", "taken", "URL"), rows)
    waits = any(one.fetched is None for one in found.taught)
    return Answer(asdict(found), [shown], [Message(_WHEN[found.state], run=found.run)] if waits else [])


def _taken(fetched: int | None) -> str:
    if fetched is None:
        return Message("cli.taught_waits")
    return Message("cli.taught_after", pages=fetched) if fetched else Message("cli.taught_at_start")
