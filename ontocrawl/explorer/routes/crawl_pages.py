"""A page of a crawl: why it was fetched, or why it was not, with all parts of its score."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.runs import explaining, run_status


def _url(request: Request) -> str:
    url = request.query_params.get("url", "").strip()
    if not url:
        raise UsageError("explorer.page_url")
    return url


def explanation(request: Request) -> Response:
    """Return the document of `crawl explain RUN URL --json`; with ``replay=no`` without what the strategy saw."""
    space, run = here.space(request), request.path_params["run"]
    replays = request.query_params.get("replay", "yes") != "no"
    return JSONResponse({"run": run, **explaining.explain_url(space, run, _url(request), replays=replays).as_json()})


def explained_page(request: Request) -> Response:
    """Show the explanation of a page; the browser asks for the replay, which takes longer."""
    space, run = here.space(request), request.path_params["run"]
    answer = explaining.explain_url(space, run, _url(request), replays=False).as_json()
    values = {"run": run, "page": answer, "in_graph": run_status.begun(space, run)[1]}
    return rendering.page(request, "crawl_page", values)


ROUTES = (Route("/crawls/{run}/page", explained_page), Route("/api/crawls/{run}/page", explanation))
