"""Several crawls side by side: their curves in one chart, their measures at milestones, the pages in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.routes.crawls import curves, drawn
from ontocrawl.runs import run_status, runs

MOST = 6
"""Crawls that are compared at most: a chart has that many distinct marks."""


def _names(request: Request) -> list[str]:
    """Return the runs that an address names. Raises UsageError for none, or too many."""
    names = list(dict.fromkeys(request.query_params.getlist("run")))
    if not 1 <= len(names) <= MOST:
        raise UsageError("explorer.compare_runs", most=MOST, n_names=len(names))
    return names


def comparison(space: Workspace, names: list[str]) -> Mapping[str, Any]:
    """Return the document of ``crawl status A B --json``, with the harvest curves."""
    judges, remarks = runs.judged_alike(space, names)
    return {
        "judged_alike": judges,
        "remarks": remarks,
        "runs": [run_status.marked(space, name) for name in names],
        "superposition": runs.superpositions(space, names),
        "curves": {name: curves(space, name) for name in names},
    }


def compare(request: Request) -> Response:
    """Return measures, curves and superposition of runs."""
    found = comparison(here.space(request), _names(request))
    return JSONResponse(rendering.spoken(found, rendering.language_of(request)))


def compare_page(request: Request) -> Response:
    """Show runs side by side."""
    names, t = _names(request), rendering.texts_in(rendering.language_of(request))
    found = comparison(here.space(request), names)
    others = [name for name in here.space(request).run_names() if name not in names] if len(names) < MOST else []
    chart = drawn({name: found["curves"][name]["judge"] for name in names}, t, "compare")
    return rendering.page(request, "crawl_compare", {**found, "chart": chart, "others": others})


ROUTES = (Route("/crawls/_compare", compare_page), Route("/api/compare", compare))
