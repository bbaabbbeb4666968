"""`ontocrawl crawl rescore`."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, named, tabled, workspace
from ontology.errors import Message

_NEXT = {
    "running": "cli.rescore_running", "draining": "cli.rescore_draining", "interrupted": "cli.rescore_interrupted",
    "finished": "cli.rescore_finished",
}  # fmt: skip


def rescore(
    run_names: Annotated[list[str], typer.Argument(metavar="RUN...", help="Names of runs.")],
    folder: Folder = None,
) -> Answer:
    """Offer runs the present weights of their topic's ontologies: a crawl that goes on scores its queue by them.

    A run that was interrupted takes them when it is resumed with --rescore.
    """
    from ontocrawl.graph.graph_store import store
    from ontocrawl.runs import rescoring

    space = workspace(folder)
    names = list(dict.fromkeys(run_names))
    for name in names:
        space.existing_run(name)
    with store(space) as graph:
        offered = [rescoring.offer_to(space, name, rescoring.weights_for(space, name, graph)) for name in names]
    rows = [
        (r.run, named("state", r.state), Message(_NEXT[r.state] if r.new else "cli.rescore_none", run=r.run))
        for r in offered
    ]
    shown = tabled("Runs and the present weights of their topics", ("run", "state", "weights"), rows)
    waits = any(one.new and one.state == "running" for one in offered)
    said = [Message("cli.rescore_shown")] if waits else []
    return Answer({"runs": [one.as_json() for one in offered]}, [shown], said)
