"""`ontocrawl crawl bin` and `ontocrawl crawl remove`."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message


def bin_(
    run_names: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]...", help="Names of runs; in the bin also RUN~N.")
    ] = None,
    restore: Annotated[bool, typer.Option("--restore", help="Bring the runs back, into the graph too.")] = False,
    empty: Annotated[bool, typer.Option("--empty", help="Delete the runs for good; without a name all.")] = False,
    folder: Folder = None,
) -> Answer:
    """Move runs into the bin of the workspace, bring them back, or delete them for good; or list the bin.

    A run in the bin is in no list, and out of the graph with what it proposes; what persons decided stays. --restore
    brings all of it back.
    """
    from rich.filesize import decimal

    from ontocrawl.graph import graph_store
    from ontocrawl.runs import removed_runs

    space, names = workspace(folder), list(dict.fromkeys(run_names or ()))
    if restore and (empty or not names):
        raise UsageError("cli.bin_restore_name")
    open_graph, done = partial(graph_store.store, space), {}
    if empty:
        done["deleted"] = removed_runs.empty(space, names)
    elif restore:
        done["restored"] = removed_runs.restore(space, names, open_graph)
    elif names:
        done["moved"] = removed_runs.remove(space, names, open_graph)
    left = removed_runs.listed(space)
    plain = {
        what: [asdict(one) for one in runs] for what, runs in {**done, "bin": left}.items() if runs or what == "bin"
    }
    rows = [
        (one.id, one.removed, one.topic, one.strategy, decimal(one.disk), ", ".join(one.tags), one.note) for one in left
    ]
    columns = ("run", "removed", "topic", "strategy", "disk", "tags", "note")
    codes = {"deleted": "cli.bin_deleted", "restored": "cli.bin_restored", "moved": "cli.bin_moved"}
    said = [Message(codes[what], runs=", ".join(one.id for one in runs)) for what, runs in done.items()]
    return Answer(plain, [*said, tabled("Bin", columns, rows, optional=columns[2:])])


def remove(
    crawl: Annotated[str, typer.Argument(metavar="CRAWL", help="Id of a crawl, as shown by `query run crawl/list`.")],
    folder: Folder = None,
) -> Answer:
    """Remove a crawl from the graph with its links, mentions and proposals.

    Its journal is kept; `graph rebuild CRAWL` writes it into the graph again. Pages of other crawls are kept. `crawl
    bin` removes a run from the workspace too.
    """
    from ontocrawl.graph import graph_store
    from ontocrawl.runs import graph_writing

    space = workspace(folder)
    with graph_store.store(space) as graph:
        pages = graph_writing.remove(space, crawl, graph)
    said = Message("cli.removed_from_graph", crawl=crawl, pages=pages)
    return Answer({"crawl": crawl, "pages": pages}, [said])
