"""A web of many hosts over loopback, most of which do what a crawl has to survive. A log keeps all requests.

The start page links to one host for each fault of `tests.crawler.nasty_server`, so that none spoils another, and to the
hosts of this module. Hosts, reasons and times are in the tables below.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.crawler.nasty_server import ANSWERS, NastyServer, _whole

START = "http://start.example/"
FAULTS = {
    "stall": "timeout",
    "stall-in-body": "timeout",
    "drip": "timeout",
    "drip-headers": "timeout",
    "reset": "connection_reset",
    "reset-in-body": "connection_reset",
    "empty": "connection_reset",
    "drop": None,
    "drop-chunked": None,
    "bad-chunk": "incomplete_body",
    "loop-a": "redirect_loop",
    "redirect": "too_many_redirects",
    "nowhere": "bad_redirect",
    "script": "bad_redirect",
    "gone": "http_410",
    "bomb": "too_large",
    "huge": "too_large",
    "endless": "too_large",
    "cut-gzip": None,
    "no-gzip": None,
    "brotli": None,
    "garbage": "bad_response",
    "long-header": "bad_response",
    "many-headers": "too_large",
    "short-length": None,
    "hints": None,
    "late": None,
    "charset": None,
    "to-ok": None,
}
"""Path at the host of the same name -> reason of its failure; None for a page that can be read."""
CLOSED_LINKS, MANY_LINKS, DEPTH, TITLE = 40, 30_000, 100_000, 5_000_000
ASKED = 3
"""Seconds of a Retry-After."""
NOBODY = "x" * 64 + ".example"
"""A label too long for any name, so that no server is asked for it."""
OWN = {
    "http://cookies.example/": "redirect_loop",
    "http://robots.example/1.html": "robots_unreachable",
    "http://pause.example/1.html": "host_paused",
    f"http://{NOBODY}/": "dns",
    "http://private.example/private/1.html": "robots_denied",
    "http://links.example/": None,
    "http://deep.example/": "too_deep",
    "http://title.example/": None,
    "http://lies.example/": None,
    "http://calendar.example/day/0": None,
    "http://calendar.example/robots-were-read": "http_404",
    "http://once.example/": None,
    **dict.fromkeys((f"http://busy.example/{n}.html" for n in range(4)), None),
}
LIE = "暴雨预警 heavy rain"


@dataclass
class Hit:
    """A request, with the times at which it came and was replied to."""

    host: str
    path: str
    came: float
    left: float = 0.0


class HostileWeb(NastyServer):
    """Serves all hosts until ``close``."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[Hit] = []
        self._here = threading.local()
        with socket.create_server(("127.0.0.1", 0)) as closed:
            self._closed: int = closed.getsockname()[1]
        self._faulty = {f"{fault}.example": fault for fault in FAULTS}

    @property
    def links(self) -> list[str]:
        """The links of the start page."""
        closed = [f"http://closed.example/{n}.html" for n in range(CLOSED_LINKS)]
        return [*(f"http://{host}/{fault}" for host, fault in self._faulty.items()), *OWN, *closed]

    def write_resolve(self, path: Path) -> str:
        """Write the addresses of all hosts for ``--resolve``."""
        hosts = {START.split("/")[2], "nasty.example", *(link.split("/")[2] for link in self.links)}
        lines = [
            f"{host}:80=127.0.0.1:{self._closed if host == 'closed.example' else self.port}\n"
            for host in sorted(hosts)
            if host != NOBODY
        ]
        path.write_text("".join(lines), encoding="utf-8")
        return str(path)

    def hits(self, host: str) -> list[Hit]:
        """The requests to a host, in the order in which they came."""
        return [hit for hit in self.log if hit.host == host]

    def _head(self, sock: socket.socket) -> bytes:
        head = super()._head(sock)
        lines = head.decode("latin-1").split("\r\n")
        self._here.host = next((line[5:].strip() for line in lines if line.lower().startswith("host:")), "")
        return head

    def _answer(self, sock: socket.socket, path: str) -> bool:
        host = self._here.host
        before = sum(hit.path == path for hit in self.hits(host))
        hit = Hit(host, path, time.monotonic())
        self.log.append(hit)
        try:
            if path != "/robots.txt" and host in (*self._faulty, "nasty.example"):
                return super()._answer(sock, path)
            sock.sendall(self._reply(host, path, before))
            return True
        finally:
            hit.left = time.monotonic()

    def _reply(self, host: str, path: str, before: int) -> bytes:
        site = host.removesuffix(".example")
        if path == "/robots.txt":
            return {"robots": ERROR, "private": RULES, "calendar": NO_RULES}.get(site, ANSWERS["robots.txt"])
        asks = {"busy": ASKED, "once": None, "pause": 3600}
        if site in asks and (site == "pause" or not any(hit.path != "/robots.txt" for hit in self.hits(host)[:-1])):
            after = b"" if asks[site] is None else b"retry-after: %d\r\n" % asks[site]
            return _whole(b"", after, b"503 Busy" if site == "once" else b"429 Too Many Requests")
        if site == "cookies":
            return _whole(b"", b"set-cookie: seen=1; path=/\r\nlocation: /\r\n", b"302 Found")
        if site == "calendar" and not path.startswith("/day/"):
            return _whole(b"", b"", b"404 Not Found")
        return _html(*self._page(site, path))

    def _page(self, site: str, path: str) -> tuple[bytes, bytes]:
        """Return the markup of a page, and its media type."""
        plain = b"text/html; charset=utf-8"
        if site == "start":
            return _linked("start", self.links), plain
        if site == "calendar":
            day = int(path.rpartition("/")[2])
            return _linked(f"day {day}", [f"/day/{day + more}" for more in range(1, 31)]), plain
        if site == "links" and path == "/":
            return _linked("many", [f"/p/{n}" for n in range(MANY_LINKS)]), plain
        if site == "deep":
            return b"<title>deep</title>" + b"<div>" * DEPTH + b"<a href=/bottom>bottom</a>", plain
        if site == "title":
            return b"<title>" + b"rain " * (TITLE // 5) + b"</title><p>rain</p>", plain
        if site == "lies" and path == "/":
            markup = f'<meta charset="utf-8"><title>{LIE}</title><p>{LIE * 20}</p>'
            return markup.encode("gb18030"), b"text/html; charset=utf-8"
        return b"<title>page</title><p>rain</p>", plain


ERROR = _whole(b"", b"", b"500 Oops")
RULES = _whole(b"User-agent: *\nDisallow: /private/\n", b"content-type: text/plain\r\n")
NO_RULES = _whole(b"<html>no rules</html>", b"content-type: text/html\r\n")


def _linked(title: str, links: Sequence[str]) -> bytes:
    return f"<title>{title}</title>{''.join(f'<a href={link}>rain</a>' for link in links)}".encode()


def _html(body: bytes, kind: bytes) -> bytes:
    return _whole(body, b"content-type: " + kind + b"\r\n")
