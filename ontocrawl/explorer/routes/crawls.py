"""Crawls: the list, one crawl with its harvest curve, what it does now as events, and its pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from crawler.journal.judged_pages import last_pages
from crawler.metrics import FetchedPages, harvest_curve
from ontocrawl.base.options import CrawlSettings, declared
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.report.charts import Curve, harvest_chart
from ontocrawl.runs import run_files, run_status, runs
from ontocrawl.topics import topics

EVERY = 1.0
"""Seconds between two events about a running crawl."""
_LAST = 50
"""Pages that are listed unless the request says how many."""
_MOST = 1000
COLUMNS = {
    "run": "run", "topic": "topic", "strategy": "strategy", "state": "state", "pages": "fetched",
    "relevant": "relevant", "harvest": "accuracy",
}  # fmt: skip
"""Columns of the list of runs, by which it can be sorted -> key of the measures."""
STATES = ("running", "draining", "interrupted", "finished")
_KEPT = 8
_CURVES: dict[tuple[str, str], dict[str, list[int]]] = {}
"""Curves by the path and digest of their journals, so that the chart and the measures of a page read it once."""
MOVED = {"new": "/crawls/_new", "compare": "/crawls/_compare"}
"""Pages that had the addresses of runs of these names -> their addresses, which no run has: a name begins otherwise."""
_TEXTS = ("run", "topic", "strategy")
_NUMBERS = ("pages", "relevant", "harvest")


def curves(space: Workspace, name: str) -> dict[str, list[int]]:
    """Return the harvest curves of a run: running counts of relevant pages, after each page.

    Args:
        space: the workspace of the run.
        name: name of the run.

    Returns:
        ``judge``; and ``label`` where the run has labels.
    """
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        key = str(journal.path), run_files.measures_digest(journal)
        if key not in _CURVES:
            if len(_CURVES) >= _KEPT:
                _CURVES.clear()
            _CURVES[key] = _curves(runs.fetched_pages(journal))
        return _CURVES[key]


def _curves(pages: FetchedPages) -> dict[str, list[int]]:
    by = {"judge": pages.relevant} | ({} if pages.labelled is None else {"label": pages.labelled})
    return {judge: harvest_curve(relevant).tolist() for judge, relevant in by.items()}


def all_crawls(request: Request) -> Response:
    """Return the measures of all runs."""
    return JSONResponse({"crawls": run_status.listed(here.space(request))})


def one_crawl(request: Request) -> Response:
    """Return the measures of a run, what it does now, and its harvest curve."""
    space, name = here.space(request), request.path_params["run"]
    return JSONResponse({**run_status.document(space, name), "curves": curves(space, name)})


def pages_of_crawl(request: Request) -> Response:
    """Return the last pages of a run, the latest first."""
    space, name = here.space(request), request.path_params["run"]
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        return JSONResponse({"pages": last_pages(journal, here.number(request, "limit", _LAST, _MOST))})


def live(request: Request) -> Response:
    """Send what a run is doing now as server-sent events, until it has ended."""
    space, name = here.space(request), request.path_params["run"]
    run_status.now(space, name)  # an unknown run is an error before the first event
    return StreamingResponse(_events(request, space, name), media_type="text/event-stream")


async def _events(request: Request, space: Workspace, name: str) -> AsyncIterator[str]:
    while not await request.is_disconnected():
        now = await run_in_threadpool(run_status.now, space, name)
        yield f"event: now\ndata: {json.dumps(now.as_json(), ensure_ascii=False)}\n\n"
        if not now.running:
            return
        await asyncio.sleep(EVERY)


def chart(request: Request) -> Response:
    """Return the harvest curves of a run as an element of a page."""
    t = rendering.texts_in(rendering.language_of(request))
    found = curves(here.space(request), request.path_params["run"])
    named = {t[f"crawl_by_{by}"]: values for by, values in found.items()}
    return Response(drawn(named, t, "harvest"), media_type="text/html")


def drawn(named: Mapping[str, Sequence[int]], t: Mapping[str, str], id_: str) -> str:
    """Draw harvest curves by name, with the texts of a language, as an element of a page."""
    return harvest_chart(
        [Curve(name, values) for name, values in named.items()],
        id_=id_, title=t["crawl_curve"], y_name=t["crawls_relevant"], x_name=t["crawls_pages"],
    )  # fmt: skip


def arranged(
    found: Sequence[Mapping[str, Any]], *, text: str, state: str, by: str, falling: bool
) -> list[Mapping[str, Any]]:
    """Return the runs of a list that are wanted, in order.

    Args:
        found: runs, as of `listed`.
        text: what the name, the topic or the strategy contains; empty for all.
        state: running, draining, interrupted or finished; empty for all.
        by: a key of COLUMNS.
        falling: whether the largest is first.

    Returns:
        The runs; those that cannot be read are last, and left out where a state is asked for.
    """
    kept = [one for one in found if not state or one.get("state") == state]
    kept = [one for one in kept if any(text.casefold() in str(one.get(key, "")).casefold() for key in _TEXTS)]
    readable = [one for one in kept if "error" not in one]
    ordered = sorted(
        readable,
        key=lambda one: (one[COLUMNS[by]] or 0 if by in _NUMBERS else one[COLUMNS[by]], one["run"]),
        reverse=falling,
    )
    return [*ordered, *(one for one in kept if "error" in one)]


def crawls_page(request: Request) -> Response:
    """Show the runs that an address asks for, in its order."""
    given = request.query_params
    asked = {"text": given.get("text", ""), "state": given.get("state", ""), "by": given.get("by", "run")}
    if asked["by"] not in COLUMNS or asked["state"] not in ("", *STATES):
        raise UsageError(f"by: one of {', '.join(COLUMNS)}; state: one of {', '.join(STATES)}")
    falling = given.get("falling") == "yes"
    found = run_status.listed(here.space(request))
    values = {**asked, "falling": falling, "runs": arranged(found, **asked, falling=falling), "all": len(found)}
    return rendering.page(request, "crawls", {**values, "columns": COLUMNS, "states": STATES})


def crawl_page(request: Request) -> Response:
    """Show a run: its measures, its curve and its last pages; a running one as it goes on."""
    space, name = here.space(request), request.path_params["run"]
    if here.crawls(request).has_not_begun(name):
        return rendering.page(request, "crawl_begins", {"name": name})
    if name in MOVED and name not in space.run_names():
        return RedirectResponse(f"{request.scope['root_path']}{MOVED[name]}?{request.url.query}", 302)
    ontologies = list(runs.config_of(space, name).ontologies.values())
    values = {"run": run_status.document(space, name), "name": name, "ontologies": ontologies}
    shown = {**values, "known": topics.with_ontologies(space), "limits": declared(CrawlSettings)}
    return rendering.page(request, "crawl", shown)


ROUTES = (
    Route("/crawls", crawls_page),
    Route("/crawls/{run}", crawl_page),
    Route("/crawls/{run}/chart", chart),
    Route("/api/crawls", all_crawls),
    Route("/api/crawls/{run}", one_crawl),
    Route("/api/crawls/{run}/pages", pages_of_crawl),
    Route("/api/crawls/{run}/live", live),
)
