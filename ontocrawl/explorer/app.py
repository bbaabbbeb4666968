"""The application: routes of pages and of the interface for programs, over one workspace."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ontocrawl.base.exit_codes import code_of
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import DEPENDENCY, FAILURE, USAGE, Option, UnknownNameError, UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.access import OPEN, SAFE, Access
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
    return _Guard(app, access)  # around the handler of unexpected errors too


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
    said = rendering.said(text, rendering.language_of(request))
    return rendering.page(request, "error", {"error": said, "status": status}, status)


def _broken(request: Request, error: Exception) -> Response:
    """Answer an unexpected error, which is a bug; uvicorn writes it to the log."""
    return rendering.error(request, f"{type(error).__name__}: see what the server printed", 500)


# ---- serve the explorer of a workspace until it is ended


_SHUTDOWN = 3
"""Seconds that open connections, such as those with live events, are given at the end."""


@dataclass(frozen=True)
class Address:
    """Where a server is, and what its changes need."""

    url: str
    token: str

    @property
    def opening(self) -> str:
        """URL that begins a session in a browser."""
        return f"{self.url}session?token={self.token}"


class Prepared:
    """A server that takes connections already, and answers them from ``serve`` on."""

    def __init__(self, space: Workspace, host: str, listener: socket.socket, token: str | None = None) -> None:
        """Make the application; its token is new where none is given."""
        access = Access(token or secrets.token_urlsafe(32), listener.getsockname()[1], host)
        shown = f"[{host}]" if ":" in host else host
        self.address = Address(f"http://{shown}:{access.port}/", access.token)
        config = uvicorn.Config(
            create(space, access), log_level="warning", access_log=False, timeout_graceful_shutdown=_SHUTDOWN,
            proxy_headers=False, server_header=False, http="h11", ws="none",
        )  # fmt: skip
        self._server, self._listener = uvicorn.Server(config), listener

    def serve(self) -> None:
        """Answer until ``stop``, or until the process is interrupted or terminated."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Let ``serve`` return, in whichever thread it runs."""
        self._server.should_exit = True


@contextmanager
def prepared(space: Workspace, host: str, port: int, token: str | None = None) -> Iterator[Prepared]:
    """Open the server of an explorer.

    Args:
        space: the workspace.
        host: address to listen on.
        port: port; 0 for any free one.
        token: the secret of the server; a new one where none is given.

    Yields:
        The server.

    Raises:
        UsageError: the address cannot be used.
    """
    with _listening(host, port) as listener:
        yield Prepared(space, host, listener, token)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections already, so that the printed address answers at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as refused:
        reason = refused.strerror or str(refused)
        raise UsageError(
            f"{host}, port {port}: {reason}; choose another with ", Option("--port"), ", or 0"
        ) from refused


# ---- the guard in front of all routes: refuses what access does not allow, and sets headers that bind the browser


LARGEST_BODY = 1_000_000
"""Bytes that a request may send."""
_TOO_LARGE = f"the request is larger than {LARGEST_BODY} bytes"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content-Security-Policy: nothing from another address, no script or style within a page."""
_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
}


class _Guard:
    """ASGI application around another one that lets through what may be read or changed."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # no page of this server opens one
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    if name not in answered:
                        answered[name] = value
            await send(message)

        refused = self._refused(scope["method"], scope["path"], headers)
        if refused is not None:
            status, why = refused
            await rendering.error(Request(scope), why, status)(scope, receive, guarded)
        else:
            await self._app(scope, _limited(receive), guarded)

    def _refused(self, method: str, path: str, headers: Mapping[str, str]) -> tuple[HTTPStatus, str] | None:
        """Return status and reason for a request that is not let through."""
        access = self._access
        if not access.knows_host(headers.get("host", "")):
            return HTTPStatus.MISDIRECTED_REQUEST, "this server is not the host that the request names"
        if int(headers.get("content-length", "0") or 0) > LARGEST_BODY:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE
        if path.startswith("/api/") and not access.same_origin(headers):
            return HTTPStatus.FORBIDDEN, "the request comes from a page of another site"
        if method in SAFE:
            allowed = access.may_read(headers) or path in OPEN or path.startswith("/static/")
            return None if allowed else (HTTPStatus.UNAUTHORIZED, "reading needs the token that the server printed")
        if not access.same_origin(headers):
            return HTTPStatus.FORBIDDEN, "the request comes from a page of another site"
        if not access.may_change(headers):
            return HTTPStatus.UNAUTHORIZED, "a change needs the token: open the URL that `ontocrawl explore` printed"
        return None


def _limited(receive: Receive) -> Receive:
    """Return a receiver that refuses a body without a length where it becomes too large."""
    read = 0

    async def receiving() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LARGEST_BODY:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
        return message

    return receiving
