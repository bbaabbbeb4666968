"""The application: routes of pages and of the interface for programs, over one workspace."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ontocrawl.base.exit_codes import code_of
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import DEPENDENCY, FAILURE, USAGE, UnknownNameError
from ontocrawl.explorer import messages, rendering
from ontocrawl.explorer.access import Access
from ontocrawl.explorer.guard import Guard
from ontocrawl.explorer.jobs import Jobs
from ontocrawl.explorer.routes import (
    classes,
    crawl_comparison,
    crawl_control,
    crawl_pages,
    crawl_start,
    crawl_teaching,
    crawls,
    exploration,
    home,
    lattices,
    ontologies,
    proposals,
    queries,
    review,
    tasks,
    versions,
    web,
)
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.runs.crawl_process import CrawlProcesses
from ontology.errors import OntocrawlError

_MODULES = (
    home, crawl_start, crawl_comparison, crawl_control, crawl_pages, crawl_teaching, crawls, ontologies, classes,
    versions, exploration, lattices, web, proposals, review, queries, tasks,
)  # fmt: skip
"""In the order in which their addresses are tried: those with a name before those with a place for one."""
ROUTES = tuple(route for module in _MODULES for route in module.ROUTES)


def create(space: Workspace, access: Access) -> ASGIApp:
    """Make the application.

    Args:
        space: the workspace that is shown.
        access: who may read and change it.

    Returns:
        The ASGI application. It holds the workspace's graph open from the first request that needs it.
    """
    graph, jobs = SharedGraph(space), Jobs()
    app = Starlette(
        routes=[Route("/session", _session), Mount("/static", _static()), *ROUTES],
        exception_handlers={OntocrawlError: _failed, HTTPException: _failed, Exception: _broken},
        lifespan=lambda app: graph.while_open(),
    )
    app.state.space, app.state.access, app.state.graph, app.state.jobs = space, access, graph, jobs
    app.state.crawls = CrawlProcesses(space)
    return Guard(app, access)  # around the handler of unexpected errors too


def _static() -> StaticFiles:
    return StaticFiles(directory=Path(str(resources.files("ontocrawl.explorer") / "static")))


def _session(request: Request) -> Response:
    """Begin a session for a browser that shows the token, and go on to the page it asks for."""
    access: Access = request.app.state.access
    if not access.is_token(request.query_params.get("token", "")):
        raise HTTPException(401, "this is not the token of the server: open the address that it printed last")
    response = RedirectResponse("/", 303)
    response.set_cookie(access.cookie, access.session, httponly=True, samesite="strict")
    return response


def _failed(request: Request, error: Exception) -> Response:
    """Answer an error in the form of the request: JSON, or a page.

    Errors of the user's are 400; the name of a run, topic or task in the path that none has is 404.
    """
    if isinstance(error, HTTPException):
        status, text = error.status_code, error.detail
    elif isinstance(error, UnknownNameError) and error.name in request.path_params.values():
        status, text = 404, str(error)
    else:
        status, text = {USAGE: 400, DEPENDENCY: 503}.get(code_of(error) or FAILURE, 500), str(error)
    access: Access = request.app.state.access
    for_programs = request.scope["path"].startswith(("/api/", "/static/"))
    if for_programs or not access.may_read(request.headers):  # a page says what is in the workspace
        return rendering.error(request, text, status)
    said = messages.said(text, rendering.language_of(request))
    return rendering.page(request, "error", {"error": said, "status": status}, status)


def _broken(request: Request, error: Exception) -> Response:
    """Answer an unexpected error, which is a bug; uvicorn writes it to the log."""
    return rendering.error(request, f"{type(error).__name__}: see what the server printed", 500)
