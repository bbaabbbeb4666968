"""The application: routes of pages and of the interface for programs, over one workspace."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, State
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message as Event
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from kg.interruption import StatementTimeout
from ontocrawl.base.exit_codes import code_of
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import DEPENDENCY, FAILURE, USAGE, UnknownNameError, UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.access import COOKIE, OPEN, SAFE, SESSION, STATEMENTS, Access, Code
from ontocrawl.explorer.jobs import Jobs
from ontocrawl.explorer.routes import (
    classes,
    coverage,
    crawl_comparison,
    crawl_control,
    crawl_pages,
    crawl_start,
    crawl_teaching,
    crawls,
    exploration,
    here,
    home,
    lattices,
    ontologies,
    proposals,
    queries,
    review,
    run_marks,
    tables,
    tasks,
    topic_new,
    versions,
    web,
)
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.runs.crawl_process import CrawlProcesses
from ontology.errors import Message, OntocrawlError

_MODULES = (
    topic_new, home, crawl_start, crawl_comparison, run_marks, crawl_control, crawl_pages, crawl_teaching, crawls,
    ontologies, classes, coverage, versions, exploration, lattices, web, proposals, review, queries, tables, tasks,
)  # fmt: skip
"""In the order in which their addresses are tried: those with a name before those with a place for one."""
_STATEMENT_SECONDS = 60.0
"""Seconds that a statement that reads the graph may take by default."""
ROUTES = tuple(route for module in _MODULES for route in module.ROUTES)


def create(space: Workspace, access: Access, timeout: float | None = _STATEMENT_SECONDS) -> Guard:
    """Make the application.

    Args:
        space: the workspace that is shown.
        access: who may read and change it.
        timeout: seconds that a statement that reads the graph may take; None for any number.

    Returns:
        The ASGI application. It holds the workspace's graph open from the first request that needs it.
    """
    graph, jobs = SharedGraph(space), Jobs()
    app = Starlette(
        routes=[Route(SESSION, _session, methods=["GET", "POST"]), Mount("/static", _static()), *ROUTES],
        exception_handlers={OntocrawlError: _failed, HTTPException: _failed, OSError: _unwritten, Exception: _broken},
        lifespan=lambda app: graph.while_open(),
    )
    app.router.redirect_slashes = False  # its addresses are absolute, and of http behind a proxy with TLS too
    app.state.space, app.state.access, app.state.graph, app.state.jobs = space, access, graph, jobs
    app.state.timeout = timeout
    app.state.crawls, app.state.changes = CrawlProcesses(space), ThreadPoolExecutor(8, "change")
    return Guard(app, access)  # around the handler of unexpected errors too


def _static() -> StaticFiles:
    return StaticFiles(directory=Path(str(resources.files("ontocrawl.explorer") / "static")))


async def _session(request: Request) -> Response:
    """Begin a session for a browser that shows the code or sends the token; show a form for the token to another one.

    The page that begins it leads on by itself: a browser that came from a file would not send the new cookie to an
    address that the server redirects it to.
    """
    access: Access = request.app.state.access
    if request.method == "POST":
        sent = parse_qs((await request.body()).decode("utf-8", "replace"))
        given, known = True, access.is_token(sent.get("token", [""])[0].strip())
    else:
        given = request.method == "GET" and "code" in request.query_params
        known = given and access.code.take(request.query_params["code"])
    if not known:
        return rendering.page(request, "session", {"given": given, "on": None}, 401)
    response = rendering.page(request, "session", {"given": True, "on": f"{access.root}/"})
    response.set_cookie(COOKIE, access.session, path=access.root, httponly=True, samesite="strict", secure=access.https)
    return response


def _failed(request: Request, error: Exception) -> Response:
    """Answer an error in the form of the request: JSON, or a page.

    Errors of the user's are 400; the name of a run, topic or task in the path that none has is 404.
    """
    headers: Mapping[str, str] = {}
    if isinstance(error, HTTPException):
        status, text, headers = error.status_code, _detail(error), error.headers or {}
    elif isinstance(error, UnknownNameError) and error.name in request.path_params.values():
        status, text = 404, str(error)
    else:
        status, text = {USAGE: 400, DEPENDENCY: 503}.get(code_of(error) or FAILURE, 500), str(error)
        status = 504 if isinstance(error, StatementTimeout) else status
    access: Access = request.app.state.access
    path, root = rendering.path_of(request.scope), _root(request.scope, access)
    if path.startswith(_FOR_PROGRAMS) or not access.may_read(
        request.headers, root
    ):  # a page says what is in the workspace
        answer: Response = rendering.error(request, text, status)
    else:
        shown = rendering.said(text, rendering.language_of(request))
        answer = rendering.page(request, "error", {"error": shown, "status": status}, status)
    answer.headers.update(headers)
    return answer


def _detail(error: HTTPException) -> str:
    """Return the message of an error; those of the router have none of ours."""
    codes = {404: "explorer.not_found", 405: "explorer.method"}
    of_router = error.detail == HTTPStatus(error.status_code).phrase
    return Message(codes[error.status_code]) if of_router and error.status_code in codes else error.detail


def _unwritten(request: Request, error: Exception) -> Response:
    """Answer the error of a file of the workspace that this user may not write; others of files are unexpected."""
    space: Workspace = request.app.state.space
    number, name = getattr(error, "errno", None), str(getattr(error, "filename", None) or "")
    if number in (errno.EROFS, errno.EACCES, errno.EPERM) and Path(name).is_relative_to(space.root):
        return _failed(request, space.read_only())
    raise error


def _broken(request: Request, error: Exception) -> Response:
    """Answer an unexpected error, which is a bug; uvicorn writes it to the log."""
    return rendering.error(request, Message("explorer.broken", name=type(error).__name__), 500)


# ---- serve the explorer of a workspace until it is ended


_INTERRUPTED = 130
"""Exit code of a command that was interrupted."""
_SHUTDOWN = 3
"""Seconds that open connections, such as those with live events, are given at the end."""


@dataclass(frozen=True)
class Address:
    """Where a server is, and what it needs."""

    site: str
    """Its first page, where a browser can send the token."""
    access: Access

    @property
    def url(self) -> str:
        """URL of the pages and of the interface, for those who have a session or the token."""
        return f"{self.site}{self.access.root[1:]}/"

    @property
    def token(self) -> str:
        """The secret of the server."""
        return self.access.token

    @property
    def opening(self) -> str:
        """URL that begins a session in a browser, once."""
        return f"{self.site}{SESSION[1:]}?code={self.access.code.value}"

    @contextmanager
    def start_file(self, folder: Path) -> Iterator[Path]:
        """Write a page that only this user can read and that leads to ``opening``.

        A browser is started with the name of this file, because other users can see how programs are started.

        Args:
            folder: where to write it; where that is not possible, the system's folder for temporary files.

        Yields:
            The absolute path of the file, which is gone afterwards.
        """
        name = f"explorer-{self.access.port}.html"
        try:
            file, kept = _written_for_one(folder.absolute() / name, _LEADS_ON.format(self.opening)), None
        except OSError:
            kept = TemporaryDirectory()
            file = _written_for_one(Path(kept.name) / name, _LEADS_ON.format(self.opening))
        try:
            yield file
        finally:
            file.unlink(missing_ok=True)
            if kept is not None:
                kept.cleanup()


_LEADS_ON = (
    '<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url={0}">\n'
    '<title>ontocrawl</title>\n<p><a href="{0}">ontocrawl</a></p>\n'
)


def _written_for_one(file: Path, text: str) -> Path:
    file.unlink(missing_ok=True)
    with open(file, "x", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as page:
        page.write(text)
    return file


class Prepared:
    """A server that takes connections already, and answers them from ``serve`` on."""

    def __init__(
        self, space: Workspace, listener: socket.socket, access: Access, timeout: float | None = _STATEMENT_SECONDS
    ) -> None:
        """Make the application."""
        shown = f"[{access.host}]" if ":" in access.host else access.host
        self.address = Address(f"http://{shown}:{access.port}/", access)
        self._app = app = create(space, access, timeout)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=_SHUTDOWN,
            proxy_headers=False, server_header=False, http=_Connection, ws="none",
        )  # fmt: skip
        self._server, self._listener = _Server(config, app), listener

    def serve(self) -> None:
        """Answer until ``stop``, or until the process is interrupted or terminated."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Let ``serve`` return, in whichever thread it runs."""
        self._server.should_exit = True

    def leave(self, on_wait: Callable[[str], None]) -> None:
        """Wait for the changes and tasks that were begun, then end the process if it still computes what was asked.

        Args:
            on_wait: called with what is waited for.
        """
        for task in self._app.state.jobs.running():
            on_wait(task.what)
            task.ended.wait()
        self._app.state.changes.shutdown()
        if self._app.left:
            sys.stdout.flush()
            os._exit(_INTERRUPTED)


class _Server(uvicorn.Server):
    """uvicorn's server, which tells the application when it is about to end."""

    def __init__(self, config: uvicorn.Config, app: Guard) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is being answered, so that nobody is waited for."""
        self._app.end()
        await super().shutdown(sockets)


class _Connection(H11Protocol):
    """uvicorn's connection, which is closed where the head of a request takes longer than ``HEAD_SECONDS``."""

    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._waits = self.loop.call_later(HEAD_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Go on waiting while a head is not complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._wait_no_more()
        elif self._waits is None:
            self._waits = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def on_response_complete(self) -> None:
        """Close the connection if the rest of the request that was answered does not come, which nobody reads."""
        answered = self.cycle  # a request that follows is taken up at once
        super().on_response_complete()
        self.loop.call_later(_LEFT_SECONDS, self._close_if_unread, answered)

    def _close_if_unread(self, answered: object) -> None:
        if self.cycle is answered and self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait_no_more(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None


@contextmanager
def prepared(
    space: Workspace,
    host: str,
    port: int,
    token: str | None = None,
    *,
    public_read: bool = False,
    https: bool = False,
    timeout: float | None = _STATEMENT_SECONDS,
    used: Callable[[], None] = lambda: None,
) -> Iterator[Prepared]:
    """Open the server of an explorer.

    Args:
        space: the workspace.
        host: address to listen on.
        port: port; 0 for any free one.
        token: the secret of the server; a new one where none is given.
        public_read: whether everybody who can connect may read.
        https: whether browsers come over a proxy that speaks TLS with them.
        timeout: seconds that a statement that reads the graph may take; None for any number.
        used: called when a session has begun by the code of the address, which has then another one.

    Yields:
        The server.

    Raises:
        UsageError: the address cannot be used.
    """
    with _listening(host, port) as listener:
        own_port, own_token = listener.getsockname()[1], token or secrets.token_urlsafe(32)
        yield Prepared(space, listener, Access(own_token, own_port, host, public_read, https, Code(used)), timeout)


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections already, so that the printed address answers at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as refused:
        reason = refused.strerror or str(refused)
        raise UsageError("explorer.port_choose_another", host=host, port=port, reason=reason) from refused


# ---- the guard in front of all routes: refuses what access does not allow, and sets headers that bind the browser


LARGEST_BODY = 1_000_000
"""Bytes that a request may send."""
HEAD_SECONDS = 10.0
"""Time for the head of a request, from its first byte; of the first one of a connection, from the connection."""
BODY_SECONDS = 30.0
"""Time for the body of a request."""
_LEFT_SECONDS = 1.0
"""Time to take an answer, for a client that has not sent all of its request."""
_FOR_PROGRAMS = ("/api/", "/static/")
"""Beginnings of paths that are answered by JSON or files, also where something is wrong."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content-Security-Policy: nothing from another address, no script or style within a page."""
_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without any, a form has no Origin; another port is another origin
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-store",
}


class Guard:
    """ASGI application around another one that lets through what may be read or changed.

    The path of the session (``Access.root``) is taken off before the other application sees a request, as the
    ``root_path`` of ASGI.
    """

    def __init__(self, app: Starlette, access: Access) -> None:
        self._app, self._access = app, access
        self.left = False
        """Whether the server has ended while a request was answered, whose thread may still compute."""
        self._asked: set[_Asked] = set()

    @property
    def state(self) -> State:
        """What the routes share."""
        return self._app.state

    def end(self) -> None:
        """Tell all requests that nobody waits for their answers any more."""
        for asked in tuple(self._asked):
            asked.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # no page of this server opens one
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Event) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    if name not in answered:
                        answered[name] = value
            await send(message)

        scope["root_path"], headers = _root(scope, self._access), Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused is not None:
            status, why = refused
            if status != HTTPStatus.UNAUTHORIZED or scope["method"] not in ("GET", "HEAD") or not _is_page(scope):
                await rendering.error(Request(scope), why, status)(scope, receive, guarded)
                return
            scope.update(path=SESSION, root_path="", query_string=b"")
        asked = _Asked(receive)
        if scope["method"] in SAFE:
            scope[here.GONE] = asked.gone
        self._asked.add(asked)
        try:
            async with asked.listening():
                await self._app(scope, asked.receive, guarded)
        except asyncio.CancelledError:
            self.left = True
            raise
        finally:
            self._asked.remove(asked)

    def _refused(self, scope: Scope, headers: Mapping[str, str]) -> tuple[HTTPStatus, str] | None:
        """Return status and reason for a request that is not let through."""
        access, path, root = self._access, rendering.path_of(scope), scope["root_path"]
        if not access.knows_host(headers.get("host", "")):
            return HTTPStatus.MISDIRECTED_REQUEST, Message("explorer.other_host")
        if int(headers.get("content-length", "0") or 0) > LARGEST_BODY:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, Message("explorer.large", bytes=LARGEST_BODY)
        if (path.startswith("/api/") or scope["method"] not in SAFE) and not access.same_origin(headers):
            return HTTPStatus.FORBIDDEN, Message("explorer.other_site")
        if path == SESSION:
            return None
        if scope["method"] in SAFE:
            known = path in OPEN or path.startswith("/static/")
            allowed = known or access.may_read(headers, root, statement=path in STATEMENTS)
            return None if allowed else (HTTPStatus.UNAUTHORIZED, Message("explorer.token_read"))
        if not access.may_change(headers, root):
            return HTTPStatus.UNAUTHORIZED, Message("explorer.token_change")
        return None


_CLOSE = {"Connection": "close"}
"""Header of an answer to a request whose rest is not read."""


def _root(scope: Scope, access: Access) -> str:
    """Return the path of the session if a request has it, else nothing."""
    if scope["path"] == access.root:
        scope["path"] += "/"
    return access.root if scope["path"].startswith(f"{access.root}/") else ""


def _is_page(scope: Scope) -> bool:
    return not rendering.path_of(scope).startswith(_FOR_PROGRAMS)


class _Asked:
    """A request while it is answered: its body within limits of size and time, and whether its asker is gone."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: asyncio.Queue[Event | HTTPException] = asyncio.Queue()
        self.gone = threading.Event()

    async def receive(self) -> Event:
        """Return the next message, as ASGI's ``receive``. Raises HTTPException for a body beyond the limits."""
        message = await self._messages.get()
        if isinstance(message, HTTPException):
            raise message
        return message

    def end(self) -> None:
        """Let nobody wait for the answer."""
        self.gone.set()
        self._messages.put_nowait({"type": "http.disconnect"})

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen to the connection within the block."""
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()

    async def _listen(self) -> None:
        """Take all messages as they come, because the end of a connection is one too."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                refused = await self._take_body()
        except TimeoutError:
            refused = HTTPException(
                HTTPStatus.REQUEST_TIMEOUT, Message("explorer.slow_body", seconds=BODY_SECONDS), _CLOSE
            )
        if refused is not None:
            self._messages.put_nowait(refused)
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.end()

    async def _take_body(self) -> HTTPException | None:
        """Take the messages of the body; return what is wrong with it."""
        read, more = 0, True
        while more:
            message = await self._receive()
            read, more = read + len(message.get("body", b"")), message.get("more_body", False)
            if read > LARGEST_BODY:
                return HTTPException(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, Message("explorer.large", bytes=LARGEST_BODY), _CLOSE
                )
            self._messages.put_nowait(message)
        return None
