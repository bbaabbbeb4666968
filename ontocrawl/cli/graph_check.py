"""`ontocrawl graph check`: faults of the graph, each with the commands that lead back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ontocrawl.cli.output import Folder, Json, note, print_json, progress, stdout, table, workspace
from ontocrawl.errors import DEPENDENCY, FINDINGS

if TYPE_CHECKING:
    from ontocrawl.health.graph_health import Health


def check(folder: Folder = None, as_json: Json = False) -> None:
    """Check the graph completely: files, keys, versions, missing runs; each fault with the commands to mend it.

    It changes nothing, and reads everything. An embedded engine that no command uses is stopped first, so that its
    files can be compared with what it wrote. Ends with code 3 if there are problems, 4 if no engine answers.
    """
    from ontocrawl.health import graph_health

    space = workspace(folder, writes=True)
    with progress("reading", None) as (bar, task):
        found = graph_health.check(space, lambda name, count: bar.update(task, completed=count, info=name))
    if as_json:
        print_json(_document(found))
    else:
        _show(found)
    if not found.ok:
        unreachable = any(problem.kind == "unreachable" for problem in found.problems)
        raise typer.Exit(DEPENDENCY if unreachable else FINDINGS)


def _document(found: Health) -> dict[str, Any]:
    return {
        "ok": found.ok,
        "engine": found.engine,
        "version": found.version,
        "files": found.files,
        "counts": found.counts,
        "problems": [problem.as_json() for problem in found.problems],
        "remarks": [remark.as_json() for remark in found.remarks],
    }


def _show(found: Health) -> None:
    if found.problems:
        rows = [(number, problem.kind, problem.what) for number, problem in enumerate(found.problems, 1)]
        table(found.engine, ("", "kind", "problem"), rows)
        for number, problem in enumerate(found.problems, 1):
            stdout.print(f"To mend {number}:")
            stdout.print("\n".join(f"  {line}" for line in problem.mend), soft_wrap=True)
    else:
        table(found.engine, ("", "count"), [(name, count) for name, count in found.counts.items() if count])
    for remark in found.remarks:
        note(remark.what)
    note(f"files: {found.files}")
    count = len(found.problems)
    one = count == 1
    again = f"{count} problem{'' if one else 's'}; when {'it is' if one else 'they are'} mended: ontocrawl graph check"
    note("healthy" if found.ok else again)
