"""`ontocrawl graph check`: faults of the graph, each with the commands that lead back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontocrawl.cli.output import Answer, Folder, Line, progress, tabled, workspace
from ontocrawl.errors import DEPENDENCY, FINDINGS
from ontology.errors import Message, below

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table
    from ontocrawl.health.graph_health import Health


def check(folder: Folder = None) -> Answer:
    """Check the graph completely: files, keys, versions, missing runs; each fault with the commands to mend it.

    It changes nothing, and reads everything. An embedded engine that no command uses is stopped first, so that its
    files can be compared with what it wrote. Ends with code 3 if there are problems, 4 if no engine answers.
    """
    from ontocrawl.health import graph_health

    space = workspace(folder, writes=True)
    with progress(Message("cli.doing_read"), None) as (bar, task):
        found = graph_health.check(space, lambda name, count: bar.update(task, completed=count, info=name))
    count = len(found.problems)
    again = Message("cli.graph_problem" if count == 1 else "cli.graph_problems", n=count)
    unreachable = any(problem.kind == "unreachable" for problem in found.problems)
    return Answer(
        {
            "ok": found.ok,
            "engine": found.engine,
            "version": found.version,
            "files": found.files,
            "counts": found.counts,
            "problems": [problem.as_json() for problem in found.problems],
            "remarks": [remark.as_json() for remark in found.remarks],
        },
        _shown(found),
        [
            *(remark.what for remark in found.remarks),
            Message("cli.graph_files", files=found.files),
            Message("cli.graph_healthy") if found.ok else again,
        ],
        code=0 if found.ok else DEPENDENCY if unreachable else FINDINGS,
    )


def _shown(found: Health) -> list[Table | Line]:
    if not found.problems:
        counts = [(name, count) for name, count in found.counts.items() if count]
        return [tabled(found.engine, ("", "count"), counts)]
    rows = [(number, problem.kind, problem.what) for number, problem in enumerate(found.problems, 1)]
    ways = [
        Line(below([Message("cli.graph_mend", number=number), *problem.mend]), wrap=False)
        for number, problem in enumerate(found.problems, 1)
    ]
    return [tabled(found.engine, ("", "kind", "problem"), rows), *ways]
