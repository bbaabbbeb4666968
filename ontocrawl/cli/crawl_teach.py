"""`ontocrawl crawl teach`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Answer, Folder, tabled, workspace
from ontology.errors import Message

_NEXT = {
    "running": "it takes what waits before its next choice",
    "draining": "it is ending, and takes what waits when it is resumed",
    "interrupted": "it takes what waits when it is resumed",
    "finished": "it takes what waits when it is extended: crawl resume --limit-pages N",
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
    said = {True: "liked", False: "disliked", None: "to be forgotten"}
    rows = [(said[one.liked], _taken(one.fetched), one.url) for one in found.taught]
    shown = tabled(Message("cli.of_taught", run=found.run), ("verdict", "taken", "URL"), rows)
    waits = any(one.fetched is None for one in found.taught)
    return Answer(asdict(found), [shown], [f"run {found.run} is {found.state}: {_NEXT[found.state]}"] if waits else [])


def _taken(fetched: int | None) -> str:
    if fetched is None:
        return "waits"
    return f"after {fetched} pages" if fetched else "at the start"
