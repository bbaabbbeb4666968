"""The web of a crawl: pages and links, hosts or communities with the links between them, and one page."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here, queries
from ontocrawl.graph import web_map
from ontocrawl.graph.web_map import MOST, Around, WebMap

VIEWS = ("pages", "hosts", "communities")
"""What the nodes of a map are."""
_LIMIT = 300
"""Nodes of a map unless the request says how many."""
_COMMUNITIES = 10_000_000
"""Largest number of a community that is asked for."""


def pages(request: Request) -> Response:
    """Return the pages around what the address names, with positions, and the links between them."""
    given = request.query_params
    around = Around(
        given.get("around", ""), given.get("host", ""), given.get("concept", ""), tuple(given.getlist("expand")),
        tuple(given.getlist("also")), here.number(request, "limit", _LIMIT, MOST),
        tuple(queries.pages_of(request, given["rows"])[:MOST]) if given.get("rows") else (),
        here.number(request, "community", 0, _COMMUNITIES),
    )  # fmt: skip
    return _answer(request, around, lambda space, graph, run: web_map.pages_around(space, graph, run, around))


def hosts(request: Request) -> Response:
    """Return the hosts of a crawl, with positions, and the links between them."""
    return _groups(request, web_map.hosts_of)


def communities(request: Request) -> Response:
    """Return the communities of a crawl, with positions, and the links between them."""
    return _groups(request, web_map.communities_of)


def _groups(request: Request, map_of: Callable[[Workspace, GraphStore, str, int], WebMap]) -> Response:
    limit = here.number(request, "limit", _LIMIT, MOST)
    return _answer(request, (map_of.__name__, limit), lambda space, graph, run: map_of(space, graph, run, limit))


def _answer(request: Request, asked: Hashable, map_of: Callable[[Workspace, GraphStore, str], WebMap]) -> Response:
    space, run, language = here.space(request), _run(request), rendering.language_of(request)

    def written(graph: GraphStore) -> bytes:
        found = map_of(space, graph, run)
        reasons = [rendering.said(reason, language) for reason in found.reasons]
        return bytes(JSONResponse({**found.as_json(), "reasons": reasons}).body)

    key = (run, space.writes_into_graph(run), asked, language)
    return Response(here.remembered(request, key, written), media_type="application/json")


def page_of_web(request: Request) -> Response:
    """Return what a crawl knows of a page, and the path from a seed to it."""
    space, run = here.space(request), _run(request)
    with here.graph(request) as graph:
        return JSONResponse(web_map.page_of(space, graph, run, request.query_params.get("url", "")))


def web_page(request: Request) -> Response:
    """Show the map of a crawl; the browser reads it from the interface, by the same parameters."""
    run = _run(request)
    view = request.query_params.get("view", "pages")
    if view not in VIEWS:
        raise UsageError("explorer.web_view", views=", ".join(VIEWS), view=view[:40])
    values = {"run": run, "view": view, "most": MOST, "limit": _LIMIT}
    values["rows"] = request.query_params.get("rows", "")
    return rendering.page(request, "web", values)


def _run(request: Request) -> str:
    """Return the run of an address. Raises UsageError if the workspace has none of that name."""
    name = str(request.path_params["run"])
    here.space(request).existing_run(name)
    return name


ROUTES = (
    Route("/web/{run}", web_page),
    Route("/api/web/{run}", pages),
    Route("/api/web/{run}/hosts", hosts),
    Route("/api/web/{run}/communities", communities),
    Route("/api/web/{run}/page", page_of_web),
)
