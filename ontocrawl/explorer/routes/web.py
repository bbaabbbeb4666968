"""The web of a crawl: pages and links around a page, host or concept, hosts with their links, and one page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.store import GraphStore
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.graph import web_map
from ontocrawl.graph.web_map import MOST, Around

_LIMIT = 300
"""Pages of a map unless the request says how many."""


def pages(request: Request) -> Response:
    """Return the pages around what the address names, with positions, and the links between them."""
    given = request.query_params
    around = Around(
        given.get("around", ""), given.get("host", ""), given.get("concept", ""), tuple(given.getlist("expand")),
        tuple(given.getlist("also")), here.number(request, "limit", _LIMIT, MOST),
    )  # fmt: skip
    space, run = here.space(request), _run(request)

    def read(graph: GraphStore) -> bytes:
        return bytes(JSONResponse(web_map.pages_around(space, graph, run, around).as_json()).body)

    return Response(here.remembered(request, (run, around), read), media_type="application/json")


def hosts(request: Request) -> Response:
    """Return the hosts of a crawl, with positions, and the links between them."""
    limit = here.number(request, "limit", _LIMIT, MOST)
    space, run = here.space(request), _run(request)

    def read(graph: GraphStore) -> bytes:
        return bytes(JSONResponse(web_map.hosts_of(space, graph, run, limit).as_json()).body)

    return Response(here.remembered(request, (run, limit), read), media_type="application/json")


def page_of_web(request: Request) -> Response:
    """Return what a crawl knows of a page, and the path from a seed to it."""
    space, run = here.space(request), _run(request)
    with here.graph(request) as graph:
        return JSONResponse(web_map.page_of(space, graph, run, request.query_params.get("url", "")))


def web_page(request: Request) -> Response:
    """Show the map of a crawl; the browser reads it from the interface, by the same parameters."""
    run = _run(request)
    values = {"run": run, "hosts": request.query_params.get("view") == "hosts", "most": MOST, "limit": _LIMIT}
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
    Route("/api/web/{run}/page", page_of_web),
)
