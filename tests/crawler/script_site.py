"""A site whose pages scripts make, of five usual kinds, and what a browser needs in tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from crawler.worlds import chromium

SITE = "http://scripts.example"
RAIN = "市防汛办要求各区做好暴雨洪涝灾害的防范应对，加强城市内涝积水点的巡查。" * 3
SHELL = (
    "<!DOCTYPE html><html><head><meta charset=utf-8><title>{}</title></head><body><div id=app></div>{}</body></html>"
)
ROUTED = """
const show = () => {
  const at = location.hash || '#/news';
  document.title = '路由';
  document.getElementById('app').innerHTML = `<h1>暴雨 ${at}</h1><p>RAIN</p><a href="/routed/one.html">第一条</a>`;
};
addEventListener('hashchange', show);
history.replaceState(null, '', '#/news');
show();
"""
LISTED = """
fetch('/api/list.json').then((reply) => reply.json()).then((items) => {
  document.getElementById('app').innerHTML =
    '<ul>' + items.map((one) => `<li><a href="${one.url}">${one.title}</a>`).join('') + '</ul><p>RAIN</p>';
});
"""
ENDLESS = """
let page = 0;
const more = async () => {
  const reply = await fetch(`/api/endless.json?page=${++page}`);
  for (const title of await reply.json()) {
    const item = document.createElement('p');
    item.style.height = '400px';
    item.innerHTML = `<a href="/endless/${title}.html">暴雨通报 ${title}</a> RAIN`;
    document.getElementById('app').append(item);
  }
};
const end = document.createElement('hr');
document.body.append(end);
new IntersectionObserver((seen) => { if (seen[0].isIntersecting && page < 4) more(); }).observe(end);
"""
CHECK = """<html><head><meta charset=utf-8><script>
let sum = 0;
for (let i = 0; i < 1000; i++) sum = (sum * 31 + i) % 65521;
document.cookie = 'pass=' + sum + '; path=/';
location.reload();
</script></head></html>"""
PASS = 0
for _i in range(1000):
    PASS = (PASS * 31 + _i) % 65521
LAZY = """
document.getElementById('app').innerHTML = '<p>RAIN</p><div style="height:3000px"></div><iframe data-src="/lazy/frame.html"></iframe>';
new IntersectionObserver((seen) => {
  if (seen[0].isIntersecting) seen[0].target.src = seen[0].target.dataset.src;
}).observe(document.querySelector('iframe'));
"""  # noqa: E501
KINDS = {"/routed/": ROUTED, "/listed/": LISTED, "/endless/": ENDLESS, "/lazy/": LAZY}
HOME = (
    f"<meta charset=utf-8><title>防汛办</title><p>{RAIN}"
    + "".join(f'<p><a href="{path}">{path}</a>' for path in (*KINDS, "/check/", "/check/two.html"))
)  # fmt: skip


class Site:
    """The site: what was asked of it, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.pages: dict[str, tuple[str, str]] = {}
        """Further pages: path -> content type and body, or ``location`` and where it redirects to."""

    @property
    def resolve(self) -> dict[str, str]:
        """The address of its host, for a world."""
        return {"scripts.example:80": f"127.0.0.1:{self.port}"}

    def answer(self, path: str, cookie: str) -> tuple[int, str, str]:
        """Status, content type and body of a path."""
        if path in self.pages:
            kind, text = self.pages[path]
            return (302 if kind == "location" else 200), kind, text
        if path == "/robots.txt":
            return 200, "text/plain", "User-agent: *\nDisallow: /closed/\n"
        if path == "/":
            return 200, "text/html", HOME
        if path in KINDS:
            return 200, "text/html", SHELL.format(path, f'<script src="{path}app.js"></script>')
        if path.endswith("/app.js"):
            return 200, "text/javascript", KINDS[path.removesuffix("app.js")].replace("RAIN", RAIN)
        if path == "/api/list.json":
            items = [{"url": f"/listed/{n}.html", "title": f"暴雨预警 {n}"} for n in range(1, 4)]
            return 200, "application/json", json.dumps(items)
        if path.startswith("/api/endless.json"):
            page = int(path.partition("=")[2])
            return 200, "application/json", json.dumps([f"{page}-{n}" for n in range(5)])
        if path.startswith("/check/"):
            passed = f"pass={PASS}" in cookie
            return (
                (200, "text/html", f"<meta charset=utf-8><title>通过</title><p>{RAIN}")
                if passed
                else (412, "text/html", CHECK)
            )
        if path.startswith(("/routed/", "/listed/", "/endless/", "/lazy/")):
            return 200, "text/html", f"<meta charset=utf-8><title>{path}</title><p>{path} {RAIN}"
        return 404, "text/plain", ""


@contextmanager
def serving() -> Iterator[Site]:
    """Serve the site."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, kind, text = site.answer(self.path, self.headers.get("Cookie", ""))
            body = text.encode()
            self.send_response(status)
            self.send_header("Location" if kind == "location" else "Content-Type", text if kind == "location" else kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = Site(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


def require_browser() -> None:
    """Skip a test where playwright or Chromium is missing."""
    if chromium.program() is None:
        pytest.skip("playwright or chromium is not installed")
