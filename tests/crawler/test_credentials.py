"""User names and passwords in URLs: they reach no server, and their loss is recorded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Response
from crawler.pages.parse import parse
from crawler.worlds.live import LiveWorld
from tests.crawler.nasty_server import NastyServer

PAGE = """<a href="http://user:secret@b.example/x">one</a> <a href="//user@b.example/y">two</a>
<a href="http://b.example/x">again</a> <a href="/@user">three</a> <a href="mailto:x@b.example">write</a>"""


@pytest.fixture
def server() -> Iterator[NastyServer]:
    server = NastyServer()
    yield server
    server.close()


def test_a_link_with_a_password_is_followed_without_it_and_recorded() -> None:
    page = parse(Response("http://a.example/", 200, {"content-type": "text/html"}, PAGE.encode()))
    assert not hasattr(page, "reason")
    assert [link.url for link in page.links] == ["http://b.example/x", "http://b.example/y", "http://a.example/@user"]
    assert page.skipped == (
        ("http://b.example/x", "credentials_dropped"),
        ("http://b.example/y", "credentials_dropped"),
        ("mailto:x@b.example", "scheme"),
    )


def test_a_redirect_with_a_password_is_followed_without_it(server: NastyServer) -> None:
    world = LiveWorld(timeout=3.0, resolve=server.table)
    server.raw = b"HTTP/1.1 302 Found\r\nLocation: http://user:secret@nasty.example/ok\r\nContent-Length: 0\r\n\r\n"

    class OneRedirect:
        name = "live"

        def fetch(self, url: str) -> object:
            return Response(url, 404, {}, b"") if url.endswith("/robots.txt") else world.fetch(url)

        def close(self) -> None:
            """The world is closed below."""

    page = Fetcher(OneRedirect(), user_agent="tester").get("http://nasty.example/raw")  # type: ignore[arg-type]
    assert isinstance(page, Fetched)
    assert (page.final_url, page.hops) == ("http://nasty.example/ok", ("http://nasty.example/raw",))
    assert [request.split(b" ")[1] for request in server.requests] == [b"/raw", b"/ok"]
    for secret in (b"user", b"secret", b"uthorization"):
        assert not any(secret in request.replace(b"User-Agent", b"") for request in server.requests)
    world.close()


def test_a_server_that_asks_for_a_password_gets_none(server: NastyServer) -> None:
    world = LiveWorld(timeout=3.0, resolve=server.table)
    server.raw = b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'
    answer = world.fetch("http://user:secret@nasty.example/raw")
    assert isinstance(answer, Response) and answer.status == 401
    assert len(server.requests) == 1 and b"uthorization" not in server.requests[0]
    world.close()
