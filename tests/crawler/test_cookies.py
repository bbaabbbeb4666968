"""Cookies by RFC 6265bis, the sessions of a crawl, and what is kept of a person's own one."""

from __future__ import annotations

import gzip
import json
import socketserver
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from crawler.archives.writer import ArchiveWriter
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.fetch import CHALLENGE, Fetched, Fetcher
from crawler.journal import Journal
from crawler.model import Failure, Response
from crawler.pages.page import failed
from crawler.worlds import ArchiveWorld, LiveWorld, WorldError
from crawler.worlds.cookies import CookieJar, read_cookies
from tests.crawler import webs

YEAR = 365 * 86_400.0
SECRET = "s3cret-of-a-person"


def jar_with(url: str, *fields: str, at: float = 0.0) -> CookieJar:
    jar = CookieJar(clock=lambda: at)
    jar.store(url, fields)
    return jar


@pytest.mark.parametrize(
    ("url", "field", "asked", "sent"),
    [
        ("http://a.cn/x/1", "a=1", "http://a.cn/x/2", "a=1"),
        ("http://a.cn/x/1", "a=1", "http://a.cn/y", ""),  # the directory of the page is its path
        ("http://a.cn/x/1", "a=1; Path=/", "http://a.cn/y", "a=1"),
        ("http://a.cn/", "a=1; path=/x", "http://a.cn/xy", ""),
        ("http://a.cn/", "a=1; path=/x", "http://a.cn/x?y=1", "a=1"),
        ("http://www.a.cn/", "a=1", "http://a.cn/", ""),
        ("http://www.a.cn/", "a=1; Domain=.a.cn", "http://b.a.cn/", "a=1"),
        ("http://www.a.cn/", "a=1; Domain=b.cn", "http://b.cn/", ""),
        ("http://ab.cn/", "a=1; Domain=b.cn", "http://b.cn/", ""),
        ("http://gd.gov.cn/", "a=1; Domain=gov.cn", "http://sz.gov.cn/", ""),  # a public suffix
        ("http://x.com/", "a=1; Domain=com", "http://x.com/", ""),
        ("http://github.io/", "a=1; Domain=github.io", "http://b.github.io/", ""),
        ("http://github.io/", "a=1; Domain=github.io", "http://github.io/", "a=1"),
        ("http://192.0.2.7/", "a=1; Domain=0.2.7", "http://192.0.2.7/", ""),
        ("http://a.cn/", "a=1; Secure", "https://a.cn/", ""),
        ("https://a.cn/", "a=1; Secure", "http://a.cn/", ""),
        ("https://a.cn/", "a=1; Secure", "https://a.cn/", "a=1"),
        ("https://a.cn/", "__Host-a=1; Secure; Path=/", "https://a.cn/", "__Host-a=1"),
        ("https://a.cn/", "__Host-a=1; Secure; Path=/; Domain=a.cn", "https://a.cn/", ""),
        ("http://a.cn/", "__Secure-a=1", "http://a.cn/", ""),
        ("http://a.cn/", "a=1; Max-Age=0", "http://a.cn/", ""),
        ("http://a.cn/", "a=1; Max-Age=5", "http://a.cn/", "a=1"),
        ("http://a.cn/", "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.cn/", ""),
        ("http://a.cn/", "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Max-Age=x", "http://a.cn/", "a=1"),
        ("http://a.cn/", "a", "http://a.cn/", "a"),
        ("http://a.cn/", "=", "http://a.cn/", ""),
        ("http://a.cn/", "a=1\x00", "http://a.cn/", ""),
        ("http://a.cn/", f"a={'x' * 4096}", "http://a.cn/", ""),
        ("http://a.cn/", "a=1; Path=/; Comment=" + "x" * 2000, "http://a.cn/", "a=1"),
    ],
)
def test_to_whom_a_cookie_is_sent(url: str, field: str, asked: str, sent: str) -> None:
    assert jar_with(url, field).header(asked) == sent


def test_order_replacement_and_the_end_of_cookies() -> None:
    jar = jar_with("http://a.cn/x/y", "a=1", "b=2; Path=/", "b=3; Path=/; Max-Age=9", "c=4; Path=/x")
    assert jar.header("http://a.cn/x/z") == "a=1; c=4; b=3"
    jar.store("http://a.cn/", ["b=; Path=/; Max-Age=-1"])
    assert jar.header("http://a.cn/x/z") == "a=1; c=4"
    secure = jar_with("https://a.cn/", "a=1; Secure")
    secure.store("http://a.cn/", ["a=2"])
    assert secure.header("https://a.cn/") == "a=1"


@pytest.mark.slow
def test_limits_of_number_life_and_length() -> None:
    jar = CookieJar(clock=lambda: 0.0)
    jar.store("http://a.cn/", [f"a{number}={number}" for number in range(200)])
    assert len(jar.state()) == 50
    for number in range(4_000):
        jar.store(f"http://h{number}.cn/", ["a=1"])
    assert len(jar.state()) == 3000
    assert jar_with("http://a.cn/", f"a=1; Max-Age={10 * YEAR:.0f}").state()[0]["expires"] < 1.1 * YEAR
    large = jar_with("http://a.cn/", *(f"a{number}={'x' * 4000}" for number in range(40)))
    assert len(large.header("http://a.cn/")) <= 16_384


def test_a_saved_jar_is_restored_and_says_when_it_changed() -> None:
    jar = jar_with("http://a.cn/", "a=1")
    assert jar.changed
    saved = json.loads(json.dumps(jar.state()))
    jar.store("http://a.cn/", ["a=1"])
    assert not jar.changed
    again = CookieJar(clock=lambda: 0.0)
    again.restore(saved)
    assert again.header("http://a.cn/") == "a=1"


NETSCAPE = (
    f"# Netscape HTTP Cookie File\n\n.a.cn\tTRUE\t/\tFALSE\t0\tsid\t{SECRET}\n"
    "#HttpOnly_b.cn\tFALSE\t/x\tTRUE\t9999999999\tt\t2\n"
)


def test_a_file_in_netscapes_form(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(NETSCAPE, encoding="utf-8")
    jar = CookieJar(read_cookies(file))
    assert (jar.header("http://www.a.cn/"), jar.header("https://b.cn/x/1")) == (f"sid={SECRET}", "t=2")
    assert jar.header("http://b.cn/x/1") == jar.header("https://c.b.cn/x/1") == ""
    jar.store("http://a.cn/", ["other=1", f"sid={SECRET}2"])
    assert not jar.changed
    assert jar.state() == []


@pytest.mark.parametrize("text", ["", "# nothing\n", f"a.cn {SECRET}\n", f"a.cn\tTRUE\t/\tFALSE\tx\tsid\t{SECRET}\n"])
def test_a_file_of_another_form_is_refused_without_its_values(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        read_cookies(file)
    assert "cookies.txt" in str(caught.value)
    assert SECRET not in str(caught.value)


# ---- against a server on loopback that gives its pages to visitors with a cookie alone


class Handler(socketserver.StreamRequestHandler):
    """Host wall.example: a page with the cookie, else a redirect to itself that sets it. Others set none."""

    requests: ClassVar[list[str]] = []

    def handle(self) -> None:
        lines = []
        while (line := self.rfile.readline().decode("latin-1").strip()) != "":
            lines.append(line)
        type(self).requests.append("\n".join(lines))
        path = lines[0].split(" ")[1]
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        host = headers["host"].partition(":")[0]
        self.wfile.write(answer(host, path, headers.get("cookie", "")))


def message(status: str, body: str = "", **headers: str) -> bytes:
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    body_bytes = body.encode()
    return (
        f"HTTP/1.1 {status}\r\n{head}Content-Length: {len(body_bytes)}\r\nConnection: close\r\n\r\n".encode()
        + body_bytes
    )


def answer(host: str, path: str, cookie: str) -> bytes:
    if path == "/robots.txt":
        return message("404 Not Found")
    if host == "never.example":
        return message("302 Found", Location=path, Set_Cookie="sid=9; Path=/")
    if host == "person.example" and f"sid={SECRET}" not in cookie:
        return message("403 Forbidden")
    if host == "wall.example" and "sid=" not in cookie:
        return message("302 Found", Location=path, Set_Cookie="sid=7; Path=/")
    if not path[1:].isdigit():
        return message("404 Not Found")
    number = int(path[1:])
    link = f"<a href=/{number + 1}>暴雨</a>" if number < 6 else ""
    text = f"<title>{number}</title><p>{' '.join(f'rain{number}in{place}' for place in range(90))}<p>{link}"
    more = {"Set_Cookie": f"sid={SECRET}; Path=/"} if host == "person.example" else {}
    return message("200 OK", text, Content_Type="text/html; charset=utf-8", **more)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()


def world(port: int, jar: CookieJar | None = None) -> LiveWorld:
    table = {f"{host}.example:80": f"127.0.0.1:{port}" for host in ("wall", "never", "person", "other")}
    return LiveWorld(timeout=5.0, resolve=table, cookies=jar)


def test_a_redirect_to_itself_that_sets_a_cookie_is_followed_once_more(port: int) -> None:
    jar = CookieJar()
    fetched = Fetcher(world(port, jar), user_agent=webs.AGENT, cookies=True).get("http://wall.example/1")
    assert isinstance(fetched, Fetched)
    assert (fetched.final_url, fetched.hops) == ("http://wall.example/1", ())
    never = Fetcher(world(port, jar), user_agent=webs.AGENT, cookies=True).get("http://never.example/1")
    assert isinstance(never, Failure)
    assert never.reason == "redirect_loop"
    without = Fetcher(world(port), user_agent=webs.AGENT).get("http://wall.example/1")
    assert isinstance(without, Failure)
    assert without.reason == "redirect_loop"


def test_cookies_do_not_cross_hosts(port: int) -> None:
    live = world(port, CookieJar())
    for url in ("http://wall.example/1", "http://wall.example/1", "http://other.example/1"):
        assert isinstance(live.fetch(url), Response)
    first, second, third = Handler.requests[-3:]
    assert ("Cookie: sid=7" in second, "Cookie" in first, "Cookie" in third) == (True, False, False)


def crawl_of(port: int, path: Path, jar: CookieJar, *, pages: int = 100) -> Crawl:
    fetching = Fetching(Fetcher(world(port, jar), user_agent=webs.AGENT, cookies=True))
    setup = webs.setup("breadth_first", ("http://wall.example/1",))
    return Crawl(setup, fetching, Journal(path), Limits(pages=pages), snapshot_every=2)


def test_a_crawl_that_was_killed_goes_on_with_its_session(port: int, tmp_path: Path) -> None:
    whole = crawl_of(port, tmp_path / "whole.sqlite", CookieJar())
    whole.begin({})
    assert [step.record.failure for step in whole.steps()] == [None] * 6
    for number in range(1, 6):
        path = tmp_path / f"{number}.sqlite"
        crawl = crawl_of(port, path, CookieJar())
        crawl.begin({})
        steps = crawl.steps()
        for _ in range(number):
            next(steps)
        crawl.journal.commit()
        again = crawl_of(port, tmp_path / f"{number}.sqlite", CookieJar())  # the first one is left as it is
        again.resume()
        before = len(Handler.requests)
        assert list(again.steps())
        assert all("Cookie: sid=7" in request for request in Handler.requests[before:] if "robots" not in request)
        assert webs.trace(again) == webs.trace(whole)


def test_a_replay_of_a_session_has_the_same_trace(port: int, tmp_path: Path) -> None:
    live = world(port, CookieJar())
    writer = ArchiveWriter(tmp_path / "warc", {})
    live.record_with(writer)
    setup = webs.setup("breadth_first", ("http://wall.example/1",))
    traces = []
    for number, source in enumerate((live, None)):
        source = source or ArchiveWorld(tmp_path / "warc")
        fetching = Fetching(Fetcher(source, user_agent=webs.AGENT, cookies=True))
        crawl = Crawl(setup, fetching, Journal(tmp_path / f"{number}.sqlite"), Limits(pages=100))
        crawl.begin({})
        assert list(crawl.steps())
        traces.append(webs.trace(crawl))
        writer.close()
        setup = webs.setup("breadth_first", ("http://wall.example/1",))
    assert traces[0] == traces[1]
    assert len(traces[0]) == 6


def test_the_values_of_a_persons_own_session_are_written_nowhere(port: int, tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(f"person.example\tFALSE\t/\tFALSE\t0\tsid\t{SECRET}\n", encoding="utf-8")
    (tmp_path / "run").mkdir()
    live = world(port, CookieJar(read_cookies(file)))
    writer = ArchiveWriter(tmp_path / "run" / "warc", {})
    live.record_with(writer)
    fetching = Fetching(Fetcher(live, user_agent=webs.AGENT, cookies=True))
    setup = webs.setup("breadth_first", ("http://person.example/1",))
    crawl = Crawl(setup, fetching, Journal(tmp_path / "run" / "journal.sqlite"), Limits(pages=100), snapshot_every=1)
    crawl.begin({})
    assert [step.record.failure for step in crawl.steps()] == [None] * 6
    crawl.journal.close()
    writer.close()
    assert all(f"sid={SECRET}" in request for request in Handler.requests[-3:])
    for path in (tmp_path / "run").rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in _unpacked(path), path


def _unpacked(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.name.endswith(".warc.gz") else path.read_bytes()


SCRIPT = b"<html><script src=/4QbVt.js></script><script>$_ts={}</script></html>"


@pytest.mark.parametrize(
    ("status", "headers", "body", "reason"),
    [
        (412, {"set-cookie": "a=1"}, SCRIPT, CHALLENGE), (412, {}, SCRIPT, CHALLENGE), (412, {}, b"", "http_412"),
        (521, {"set-cookie": "a=1"}, b"", CHALLENGE), (521, {}, b"down", "http_521"),
        (403, {"set-cookie": "a=1"}, SCRIPT, CHALLENGE), (403, {}, SCRIPT, "http_403"),
        (403, {"set-cookie": "a=1"}, b"no", "http_403"), (404, {"set-cookie": "a=1"}, SCRIPT, "http_404"),
    ],
)  # fmt: skip
def test_checks_for_a_browser_are_named(status: int, headers: Mapping[str, str], body: bytes, reason: str) -> None:
    class World:
        name = "one"

        def fetch(self, url: str) -> Response | Failure:
            return Response(url, 404, {}, b"") if url.endswith("robots.txt") else Response(url, status, headers, body)

        def close(self) -> None:
            pass

    found = Fetcher(World(), user_agent=webs.AGENT).get("http://a.cn/")
    assert isinstance(found, Failure)
    assert found.reason == reason
    assert failed("http://a.cn/", found).status == status
