"""A site on loopback whose pages change, appear and go, with validators, and a log of what was requested."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOST = "site.example"
FLOOD = "暴雨引发城市内涝，气象台发布暴雨红色预警，洪水淹没了道路。"


def page(title: str, *links: str, text: str = FLOOD, number: int = 0) -> str:
    """Return a page on the topic of rainstorms with links to paths, and a paragraph that differs by number."""
    listed = "".join(f'<li><a href="{path}">暴雨 {path}</a></li>' for path in links)
    own = "".join(f"<p>{text}第{number}次报告{title}，水位{number}米，{text}</p>" for _ in range(2))
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{own}<ul>{listed}</ul></body></html>"


@dataclass(frozen=True)
class Hit:
    """A request."""

    path: str
    conditional: bool
    status: int


class Site:
    """The pages by path, or the path to which one redirects; a test may change them at any time."""

    def __init__(self, pages: dict[str, str], *, etags: bool = True) -> None:
        self.pages, self.etags = pages, etags
        self.robots = ""
        self.prefix = ""
        """Begins each ETag."""
        self.hits: list[Hit] = []
        self.gate: threading.Semaphore | None = None
        """Lets so many requests be answered, robots.txt left out; the others wait for as long as the site is served."""
        self._lock = threading.Lock()
        self.port = 0

    @property
    def resolve(self) -> str:
        return f"{HOST}:80=127.0.0.1:{self.port}\n"

    def paths(self, since: int = 0) -> list[str]:
        """Return the paths of the requests since a number of them, robots.txt left out."""
        return [hit.path for hit in self.hits[since:] if hit.path != "/robots.txt"]

    def reply(self, path: str, headers: Any) -> tuple[int, dict[str, str], bytes]:
        if self.gate is not None and path != "/robots.txt":
            self.gate.acquire()
        known = headers.get("If-None-Match") or headers.get("If-Modified-Since")
        text = self.robots if path == "/robots.txt" else self.pages.get(path)
        if text is None or (path == "/robots.txt" and not text):
            status, sent, body = 404, {}, b""
        elif text.startswith("/"):
            status, sent, body = 302, {"Location": text}, b""
        else:
            stamp = hash(text) % 10**9
            sent = (
                {"ETag": f'"{self.prefix}{stamp}"'} if self.etags else {"Last-Modified": formatdate(stamp, usegmt=True)}
            )
            status = 304 if known in sent.values() else 200
            body = b"" if status == 304 else text.encode()
        with self._lock:
            self.hits.append(Hit(path, known is not None, status))
        return status, sent, body


@contextmanager
def served(site: Site) -> Iterator[Site]:
    """Serve a site at 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            status, headers, body = site.reply(self.path, self.headers)
            self.send_response(status)
            for name, value in {**headers, "Content-Type": "text/html; charset=utf-8"}.items():
                self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """The site has a log of its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *args: None  # type: ignore[method-assign]  # of clients that were killed
    server.daemon_threads = True
    site.port = int(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


def small_site(paths: Iterable[str] = ("/a", "/b", "/c", "/d")) -> dict[str, str]:
    """Return a home page with links to some pages."""
    paths = list(paths)
    return {"/": page("首页", *paths), **{path: page(f"灾情 {path}", number=at) for at, path in enumerate(paths, 1)}}
