"""`ontocrawl crawl rescore`."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, tabled, workspace

_NEXT = {
    "running": "it takes them before its next choice",
    "draining": "it is ending: resume it with --rescore",
    "interrupted": "resume it with --rescore",
    "finished": "extend it by crawl resume --limit-pages N --rescore",
}


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
    rows = [(one.run, one.state, _NEXT[one.state] if one.new else "it has these weights already") for one in offered]
    shown = tabled("Runs and the present weights of their topics", ("run", "state", "weights"), rows)
    waits = any(one.new and one.state == "running" for one in offered)
    said = ["`ontocrawl crawl status RUN --watch` shows when they are taken"] if waits else []
    return Answer({"runs": [one.as_json() for one in offered]}, [shown], said)
