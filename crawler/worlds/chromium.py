"""The process of a browser: the system's Chromium, started so that it reaches nothing by itself.

Its proxy refuses every connection, with no exception for this computer, and its resolver knows no name. So whatever
`crawler.worlds.browser` does not stop of a page (WebSocket, WebRTC, the requests of workers, prefetching) ends there.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.process_start import without_signals_of_terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

NO_BROWSER, BROWSER_ENDED = "no_browser", "browser_ended"
"""Reason codes of pages that are not rendered, as the process is not there."""
INSTALL = "pip install 'ontocrawl[browser]', and Chromium by the packages of your system"
"""How to get a browser."""
_AT_ONCE = 4
"""Pages that are rendered at once."""
PAGES = 200
"""Pages after which the browser is started again, for what it has lost in memory."""
GRACE = 10.0
"""Seconds that the browser has to hand out a page, or to close one."""
_HEAP = 512
"""Megabytes of objects that the scripts of a page may have."""
_START = 120.0
"""Seconds that a start may take."""
_STARTS = 3
"""Starts that may fail before no other is tried."""
_PROGRAMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def program() -> str | None:
    """Return the path of a Chromium of this computer; None where there is none, or playwright is not installed."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None) if find_spec("playwright") else None


class RenderError(Exception):
    """Error for a page that is not rendered: its reason code, and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


# ---- the process: started when it is needed, and again after a number of pages or a crash


class Chromium:
    """Chromium, as far as it runs. For one event loop."""

    def __init__(self, user_agent: str, *, pages: int, memory: int) -> None:
        """Prepare a process, which starts with the first page.

        Args:
            user_agent: what scripts see as the name of the browser.
            pages: pages after which it is started again.
            memory: bytes that one of its processes may take.
        """
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._user_agent, self._pages, self._memory = user_agent, pages, memory
        self._turn = asyncio.Condition()
        self._driver: Any = None
        self._browser: Any = None
        self._made = self._used = 0
        """Pages of the process, and those that are rendered in it now."""
        self._is_broken = False
        self._failed = 0
        """Starts that failed."""
        self.hole = socket.socket()
        """The proxy: bound and not listening, so that connections to it are refused and no other program has it."""
        self.hole.bind(("127.0.0.1", 0))
        self._watch: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def context(self) -> AsyncIterator[Any]:
        """Open a context for a page. Raises RenderError for whatever the browser fails at in the block."""
        async with self._slots:
            await self._take()
            async with self._opened() as context:
                yield context

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Any]:
        from playwright.async_api import Error

        context = None
        try:
            context = await self._browser.new_context(
                user_agent=self._user_agent, locale="zh-CN", service_workers="block", accept_downloads=False
            )
            yield context
        except Error as error:
            self._is_broken = True  # an error of one page is caught there
            raise RenderError(BROWSER_ENDED, f"the browser ended: {error.message}"[:300]) from error
        finally:
            await self._close(context)
            async with self._turn:
                self._used -= 1
                self._turn.notify_all()

    async def _close(self, context: Any) -> None:
        from playwright.async_api import Error

        try:
            if context is not None:
                await asyncio.wait_for(context.close(), GRACE)
        except (Error, TimeoutError):  # it has ended, or hangs: a new one takes its place
            self._is_broken = True

    async def _take(self) -> None:
        """Wait for a browser that may have one more page, and start one if there is none."""
        async with self._turn:
            while self._browser is not None and (self._is_broken or self._made >= self._pages):
                if self._used and not self._is_broken:
                    await self._turn.wait()
                else:
                    await self.stop()
            if self._browser is None:
                await self._start()
            self._made += 1
            self._used += 1

    async def _start(self) -> None:
        path = program()
        if path is None:
            raise RenderError(NO_BROWSER, f"none is installed: {INSTALL}")
        if self._failed >= _STARTS:
            raise RenderError(NO_BROWSER, f"{path} did not start {_STARTS} times")
        from playwright.async_api import Error, async_playwright

        with without_signals_of_terminal():
            self._driver = await async_playwright().start()
        try:
            self._browser = await self._driver.chromium.launch(
                executable_path=path, args=self._arguments(), chromium_sandbox=not _is_root(), handle_sigint=False,
                handle_sighup=False, handle_sigterm=False, timeout=_START * 1000,
            )  # fmt: skip
        except Error as error:
            self._failed += 1
            await self.stop()
            raise RenderError(NO_BROWSER, f"{path} does not start: {error.message}"[:500]) from error
        self._made, self._is_broken = 0, False
        self._browser.on("disconnected", self._note_end)
        self._watch = asyncio.get_running_loop().create_task(self._watch_memory())

    def _note_end(self, browser: Any) -> None:
        if browser is self._browser:
            self._is_broken = True

    def _arguments(self) -> list[str]:
        return [
            f"--proxy-server=http://127.0.0.1:{self.hole.getsockname()[1]}",
            "--proxy-bypass-list=<-loopback>",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--dns-prefetch-disable",
            "--disable-quic",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            f"--js-flags=--max-old-space-size={_HEAP}",
        ]

    async def stop(self) -> None:
        """End the browser; a page in it fails."""
        from playwright.async_api import Error

        browser, driver, watch = self._browser, self._driver, self._watch
        self._browser = self._driver = self._watch = None
        if watch is not None:
            watch.cancel()
        for end in (browser and browser.close, driver and driver.stop):
            with suppress(Error, TimeoutError):  # it has ended by itself
                if end is not None:
                    await asyncio.wait_for(end(), 4 * GRACE)

    async def _watch_memory(self) -> None:
        """End each process of the browser that takes too much memory: usually that of one page."""
        marker = self._arguments()[0]
        while True:
            await asyncio.sleep(1.0)
            for pid in _larger(marker, self._memory) if self._used else ():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _is_root() -> bool:
    """Return whether Chromium's sandbox cannot be used, because this process is that of root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _larger(marker: str, memory: int) -> Iterator[int]:
    """Yield the processes with more memory than a limit, of those that a process with an argument has started."""
    if sys.platform != "linux":
        return
    parents, sizes, roots = dict[int, int](), dict[int, int](), set[int]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):  # it has ended, or is another user's
            pid = int(folder.name)
            parents[pid] = int((folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
            sizes[pid] = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            if marker in (folder / "cmdline").read_text(errors="replace").split("\0"):
                roots.add(pid)
    for pid, size in sizes.items():
        above: int | None = pid
        while above is not None and above not in roots:
            above = parents.get(above)
        if above is not None and size > memory:
            yield pid
