"""The guard in front of all routes: refuses what access does not allow, and sets headers that bind the browser."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ontocrawl.explorer import rendering
from ontocrawl.explorer.access import OPEN, SAFE, Access

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


class Guard:
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
