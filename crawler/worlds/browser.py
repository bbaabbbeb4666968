"""A browser for pages that scripts make: the system's Chromium, driven by playwright, which reaches nothing by itself.

Every request of a page is stopped (``route``) and, if it is one that a crawl makes, made by the crawl's own pool:
within robots.txt, at the pace of the host, by the dialler that checks addresses. Chromium is started with a proxy that
refuses every connection and a resolver that knows no name, so that what is not stopped (WebSocket, WebRTC, the requests
of workers, prefetching) ends there. docs/decisions/0032 has the reasons.

Playwright's objects belong to one event loop, which runs in a thread of its own. Pages are rendered a few at a time in
one browser; each has a context of its own, with the cookies of the crawl.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import Collection
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from crawler.archives.writer import HTML
from crawler.fetching.exchange import redirect_target
from crawler.fetching.fetch import CHALLENGE
from crawler.fetching.pool import PAGE, RENDERED_NOTHING, SHELL, Load, Rendered
from crawler.model import PAGE_STATUSES, Failure, Rendering, Response
from crawler.pages.media_type import HTML_TYPES, media_type
from crawler.pages.ways import is_button
from crawler.url import canonical, host, hostname, same_but_for_values
from crawler.worlds.chromium import BROWSER_ENDED, GRACE, PAGES, Chromium, RenderError

if TYPE_CHECKING:
    from crawler.worlds.live import LiveWorld

NAMED = "named"
"""Why a page is rendered whose host the user names (`crawler.model.Rendering`)."""
_PAGE_CRASHED, _TOO_SLOW, _TOO_LARGE = "page_crashed", "rendered_too_slow", "rendered_too_large"
"""Reason codes of pages that are not rendered; there are more in the pool and of the process."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one page in a browser."""

    seconds: float = 60.0
    """Time, with what its requests wait for the pace of hosts; then the page is taken as it is."""
    requests: int = 100
    bytes: int = 20_000_000
    """Bytes of the bodies that it loads, decoded."""
    memory: int = 1 << 30
    """Bytes of memory of a process of the browser, on Linux; a larger one is ended."""
    scrolls: int = 10
    """How often the end of the page is scrolled to, as long as it grows."""


LIMITS = Limits()
_QUIET = 0.5
"""Seconds without a request after which a page has come to rest."""
_REDIRECTS = 5
_NAVIGATIONS = 5
"""Documents that a check for a browser may go through."""
_KEPT_BYTES = 32_000_000
"""Bytes of scripts that are kept for the next pages."""
_LOADED = frozenset({"document", "script", "xhr", "fetch"})
"""Types of requests that are made; images, media, fonts, events and whatever else there is are not."""
_SCROLL = """(() => {
    const page = document.scrollingElement || document.documentElement;
    window.scrollTo(0, page.scrollHeight);
    return `${page.scrollHeight} ${document.getElementsByTagName("*").length}`;
})()"""
_DOCUMENT = """(page, limit) => {
    const roots = [];
    const visit = (tree) => {
        for (const element of tree.querySelectorAll("*"))
            if (element.shadowRoot) { roots.push(element.shadowRoot); visit(element.shadowRoot); }
    };
    visit(document);
    const root = document.documentElement, base = document.createElement("base");
    if (document.baseURI !== page && document.head && !document.querySelector("base")) {
        base.href = document.baseURI;
        document.head.prepend(base);
    }
    const tag = root.cloneNode(false).outerHTML.replace("</html>", "");
    const html = `<!DOCTYPE html>${tag}${root.getHTML({shadowRoots: roots})}</html>`;
    return html.length > limit ? null : html;
}"""
"""The document as HTML, with open shadow roots as declarative ones; null where it is too long."""


def as_rendered(page: Response, rendering: Rendering, html: bytes) -> Response:
    """Return the response that a rendered page is.

    Args:
        page: the plain response, whose directives for robots hold unless it was only a check for a browser.
        rendering: what came of the page in the browser.
        html: the page, in UTF-8.
    """
    kept = ("date",) if rendering.why == CHALLENGE else ("date", "link", "x-robots-tag")
    headers = {name: page.headers[name] for name in kept if name in page.headers}
    return Response(page.url, 200, {**headers, "content-type": HTML}, html)


class Browser:
    """A renderer of live pages (`crawler.fetching.pool.Renderer`). It starts with the first page.

    Safe to use from several threads.
    """

    def __init__(
        self,
        world: LiveWorld,
        *,
        user_agent: str,
        max_bytes: int,
        hosts: Collection[str] = (),
        limits: Limits = LIMITS,
    ) -> None:
        """Prepare a browser.

        Args:
            world: makes the requests of pages, and keeps the cookies.
            user_agent: what scripts see as the name of the browser.
            max_bytes: maximum size of a page.
            hosts: hosts of which all pages are rendered, with their subdomains.
            limits: limits of one page.
        """
        self._world, self._user_agent, self._max_bytes = world, user_agent, max_bytes
        self._hosts, self._limits, self._scripts = hosts, limits, _Scripts()
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._chromium: Chromium | None = None
        self._rendering: set[asyncio.Task[Rendered]] = set()
        self._again = asyncio.Lock()

    def wants(self, page: Response, mark: str) -> str:
        """Return why a page is rendered: as it is marked, or because its host is named; empty where it is not."""
        if mark in (SHELL, CHALLENGE):
            return mark
        name = f".{hostname(page.url)}"
        is_named = mark in (PAGE, "empty") and any(name.endswith(f".{one}") for one in self._hosts)
        is_html = is_named and media_type(page.headers.get("content-type", ""), page.body)[0] in HTML_TYPES
        return NAMED if is_html else ""

    def render(self, page: Response, why: str, load: Load) -> Future[Rendered]:
        """Begin to render a page.

        Args:
            page: the plain response.
            why: why it is rendered.
            load: requests what the page loads.

        Returns:
            What came of it, and the page; None for the page where it was not rendered.
        """
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._loop.run_forever, daemon=True, name="browser")
                self._thread.start()
        return asyncio.run_coroutine_threadsafe(self._begin(page, why, load), self._loop)

    def close(self) -> None:
        """End the browser and its thread; pages that are being rendered have no outcome."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None or loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    async def _end(self) -> None:
        for task in self._rendering:
            task.cancel()
        await asyncio.gather(*self._rendering, return_exceptions=True)
        if self._chromium is not None:
            await self._chromium.stop()
            self._chromium.hole.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for left in rest:
            left.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _begin(self, page: Response, why: str, load: Load) -> Rendered:
        task = asyncio.ensure_future(self._render(page, why, load))
        self._rendering.add(task)
        task.add_done_callback(self._rendering.discard)
        return await task

    async def _render(self, page: Response, why: str, load: Load) -> Rendered:
        if self._chromium is None:
            self._chromium = Chromium(self._user_agent, pages=PAGES, memory=self._limits.memory)
        rendering, html = await self._shown(self._chromium, page, why, load)
        if rendering.failure == BROWSER_ENDED:  # by another page, perhaps: once more, one after the other
            async with self._again:
                rendering, html = await self._shown(self._chromium, page, why, load)
        self._world.record_rendering(page.url, rendering, html)
        return rendering, as_rendered(page, rendering, html) if html else None

    async def _shown(self, chromium: Chromium, page: Response, why: str, load: Load) -> tuple[Rendering, bytes]:
        """Show a page, and return what came of it and its HTML; none where it was not rendered."""
        tab = _Tab(page, why, load, self._world, self._scripts, self._limits)
        started, reason, detail, html = time.monotonic(), "", "", b""
        try:
            async with chromium.context() as context:
                started = time.monotonic()
                html = (await tab.show(context, self._max_bytes)).encode("utf-8", "replace")
        except RenderError as error:
            reason, detail = error.reason, error.detail
        seconds = round(time.monotonic() - started, 3)
        return Rendering(why, reason, detail, tab.limit, seconds, tab.requests, tab.bytes), html


# ---- one page


class _Scripts:
    """Scripts of earlier pages, so that the pages of a site do not load the same ones again and again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Response] = OrderedDict()
        self._bytes = 0

    def get(self, url: str) -> Response | None:
        return self._kept.get(url)

    def put(self, url: str, script: Response) -> None:
        control = script.headers.get("cache-control", "").lower()
        if script.status != 200 or "no-store" in control or "no-cache" in control or url in self._kept:
            return
        self._kept[url] = script
        self._bytes += len(script.body)
        while self._bytes > _KEPT_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1].body)


@dataclass
class _Tab:
    """A page while it is rendered."""

    page: Response
    why: str
    load: Load
    world: LiveWorld
    scripts: _Scripts
    limits: Limits
    limit: str = ""
    requests: int = 0
    bytes: int = 0
    _documents: int = 0
    _status: int | None = None
    """Status of the last document."""
    _pending: int = 0
    _active: float = field(default_factory=time.monotonic)
    """Time of the last request or reply."""
    _left_for: str = ""
    """Where a script moved the page to; it is a link of the page."""
    _context: Any = None
    _main: Any = None
    _crashed: asyncio.Event = field(default_factory=asyncio.Event)
    _awaited: set[asyncio.Future[Response | Failure]] = field(default_factory=set)
    """Replies that have not arrived."""

    async def show(self, context: Any, max_bytes: int) -> str:
        """Return the page as HTML when it has come to rest, or at a limit. Raises RenderError where there is none."""
        self._context, self._status = context, self.page.status
        await self._give_cookies()
        self._main = await context.new_page()
        self._main.on("crash", lambda page: self._crashed.set())
        context.on("page", _closed)
        await context.route(re.compile(""), self._answer)
        showing = asyncio.ensure_future(self._html(max_bytes))
        crashed = asyncio.ensure_future(self._crashed.wait())
        try:
            await asyncio.wait((showing, crashed), return_when=asyncio.FIRST_COMPLETED)
            if showing.done() and showing.exception() is not None:  # a crash may be told later than what it breaks off
                await asyncio.wait((crashed,), timeout=1.0)
            if self._crashed.is_set():
                raise RenderError(_PAGE_CRASHED, "the page ended its process, or took too much memory")
            html = showing.result()
        finally:
            for reply in self._awaited:
                reply.cancel()
            for task in (showing, crashed):
                task.cancel()
            await asyncio.gather(showing, crashed, return_exceptions=True)
        await self._take_cookies()
        return html

    async def _html(self, max_bytes: int) -> str:
        try:
            async with asyncio.timeout(self.limits.seconds):
                await self._main.goto(self.page.url, wait_until="commit", timeout=0)
                await self._come_to_rest()
        except TimeoutError:
            self.limit = "time"
        try:
            async with asyncio.timeout(GRACE):
                html = await self._evaluate(f"({_DOCUMENT})({json.dumps(self.page.url)}, {max_bytes})")
        except TimeoutError:
            raise RenderError(_TOO_SLOW, f"no page after {self.limits.seconds:g} seconds") from None
        if html is None:
            raise RenderError(_TOO_LARGE, f"the page has more than {max_bytes} characters")
        if self._status not in PAGE_STATUSES:
            raise RenderError(RENDERED_NOTHING, f"its status is {self._status} in the browser, too")
        left = f'<meta http-equiv="refresh" content="0;url={self._left_for}"></head>' if self._left_for else ""
        return str(html).replace("</head>", left, 1) if left else str(html)

    async def _come_to_rest(self) -> None:
        """Wait until nothing is loaded, and scroll to the end as long as more comes."""
        size = ""
        for _ in range(self.limits.scrolls):
            while self._pending or time.monotonic() - self._active < _QUIET:
                await asyncio.sleep(_QUIET / 5)
            before, size = size, str(await self._evaluate(_SCROLL))
            if size == before:
                return
            self._active = time.monotonic()
        self.limit = self.limit or "scrolls"

    async def _evaluate(self, expression: str) -> Any:
        """Return the value of an expression, in a world of its own: the page cannot redefine what it uses."""
        from playwright.async_api import Error

        session = await self._context.new_cdp_session(self._main)
        while True:
            try:
                tree = await session.send("Page.getFrameTree")
                named = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "ontocrawl"}
                world = await session.send("Page.createIsolatedWorld", named)
                asked = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
                return (await session.send("Runtime.evaluate", asked))["result"].get("value")
            except Error as error:
                if "context" not in error.message:  # else a script went to another document meanwhile
                    raise
                await asyncio.sleep(_QUIET / 5)

    # ---- requests

    async def _answer(self, route: Any) -> None:
        """Fulfil or refuse a request of the page."""
        from playwright.async_api import Error

        self._active = time.monotonic()
        self._pending += 1
        try:
            with suppress(Error):  # the page has gone on, or was closed
                reply = await self._reply(route.request)
                if isinstance(reply, Response):
                    await route.fulfill(status=reply.status, headers=dict(reply.headers), body=reply.body)
                else:
                    await route.abort("aborted")  # with another code a page would be replaced by that of an error
        finally:
            self._pending -= 1
            self._active = time.monotonic()

    async def _reply(self, request: Any) -> Response | Failure | None:
        """Return the response to a request of the page; None where it is not made."""
        url, kind = canonical(urldefrag(request.url)[0]), request.resource_type
        if url is None or not request.url.startswith(("http://", "https://")) or request.method != "GET":
            return None
        if kind == "stylesheet":
            return Response(url, 200, {"content-type": "text/css"}, b"")  # a page may wait for it
        if kind not in _LOADED or (kind != "document" and is_button(url)):
            return None
        if kind == "document":
            return await self._document(url, request)
        kept = self.scripts.get(url) if kind == "script" else None
        if kept is not None:
            return kept
        reply = await self._request(url)
        for _ in range(_REDIRECTS):
            target = redirect_target(reply)
            if target is None:
                break
            reply = await self._request(target)
        if kind == "script" and isinstance(reply, Response):
            self.scripts.put(url, reply)
        return reply

    async def _document(self, url: str, request: Any) -> Response | Failure | None:
        """Return the document of the page itself, or of another one while a check for a browser goes on.

        Frames are not loaded: they are links of the page. Another document that a script goes to is one, too, unless it
        is the page itself with other values in its query: such a script may go on for ever.
        """
        if not request.is_navigation_request() or request.frame != self._main.main_frame:
            return None
        self._documents += 1
        if self._documents == 1:
            headers = {name: text for name, text in self.page.headers.items() if name != "content-disposition"}
            if "html" not in headers.get("content-type", ""):
                headers["content-type"] = "text/html"
            return replace(self.page, headers=headers)
        is_check = self.why == CHALLENGE and host(url) == host(self.page.url)
        if url != self.page.url and not is_check:
            self._left_for = "" if same_but_for_values(self.page.url, url) else url
            return None
        if self._documents > _NAVIGATIONS:
            return None
        reply = await self._request(url)
        target = redirect_target(reply)
        if isinstance(reply, Failure) or target is None:
            self._status = reply.status
            return reply
        # a redirected document would have the address of the first one
        moved = f'<meta http-equiv="refresh" content="0;url={target}">'.encode()
        set_cookie = {"set-cookie": reply.headers["set-cookie"]} if "set-cookie" in reply.headers else {}
        return Response(url, 200, {"content-type": HTML, **set_cookie}, moved)

    async def _request(self, url: str) -> Response | Failure:
        """Let the pool make a request, within the limits."""
        if self.requests >= self.limits.requests or self.bytes >= self.limits.bytes:
            self.limit = "requests" if self.requests >= self.limits.requests else "bytes"
            return Failure(url, "refused", f"the page has loaded as many {self.limit} as it may")
        self.requests += 1
        cookies = await self._cookies(url)
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[Response | Failure] = loop.create_future()
        self._awaited.add(arrived)
        arrived.add_done_callback(self._awaited.discard)

        def arrive(reply: Response | Failure) -> None:
            if not arrived.done():  # else the page was given up
                arrived.set_result(reply)

        def on_reply(reply: Response | Failure) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(arrive, reply)

        self.load(url, lambda to: self.world.load(to, page=self.page.url, cookies=cookies), on_reply)
        reply = await arrived
        self.bytes += len(reply.body) if isinstance(reply, Response) else 0
        return reply

    # ---- cookies: those of the crawl, and those that scripts of the page set

    async def _give_cookies(self) -> None:
        if self.world.cookies is not None:
            pairs = _pairs(self.world.cookies.header(self.page.url))
            given = [{"name": name, "value": value, "url": self.page.url} for name, value in pairs.items() if name]
            if given:
                await self._context.add_cookies(given)

    async def _cookies(self, url: str) -> str:
        if self.world.cookies is None:
            return ""
        own = {cookie["name"]: cookie["value"] for cookie in await self._context.cookies([url])}
        return "; ".join(f"{name}={value}" for name, value in (_pairs(self.world.cookies.header(url)) | own).items())

    async def _take_cookies(self) -> None:
        """Keep what scripts set, so that the next pages of the host come without a browser."""
        if self.world.cookies is None:
            return
        for cookie in await self._context.cookies():
            name, domain = cookie["name"], cookie["domain"]
            address = f"{'https' if cookie['secure'] else 'http'}://{domain.removeprefix('.')}{cookie['path']}"
            if _pairs(self.world.cookies.header(address)).get(name) == cookie["value"]:
                continue
            parts = [f"{name}={cookie['value']}", f"Path={cookie['path']}"]
            parts += [f"Domain={domain}"] if domain.startswith(".") else []
            parts += ["Secure"] if cookie["secure"] else []
            parts += [f"Max-Age={int(cookie['expires'] - time.time())}"] if cookie["expires"] > 0 else []
            self.world.cookies.store(address, ["; ".join(parts)])


async def _closed(popup: Any) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # it has closed itself
        await popup.close()


def _pairs(header: str) -> dict[str, str]:
    """Return the cookies of a header by name."""
    return {name: value for name, _, value in (pair.partition("=") for pair in header.split("; ") if pair)}
