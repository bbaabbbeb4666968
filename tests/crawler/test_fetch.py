"""Redirects, robots.txt and scope at each hop; over a table, and over the nasty server by real HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Failure
from crawler.scope import Scope
from crawler.scope.hosts import HostRule, PatternRule, Patterns
from crawler.worlds.live import LiveWorld
from tests.crawler.nasty_server import NastyServer
from tests.crawler.test_robots import Table

WEB: dict[str, tuple[int, str] | str] = {
    "http://a.example/": (200, "home"),
    "http://a.example/1": (301, "/2"),
    "http://a.example/2": (302, "HTTP://B.example:80/3#frag"),
    "http://b.example/3": (200, "end"),
    "http://a.example/self": (301, "/self"),
    "http://a.example/x": (301, "/y"),
    "http://a.example/y": (301, "/x"),
    "http://a.example/none": (302, ""),
    "http://a.example/mail": (302, "mailto:a@b.example"),
    "http://a.example/two": (302, "/1\n/2"),
    "http://a.example/to-closed": (302, "http://c.example/private/1"),
    "http://a.example/teapot": (418, ""),
    "http://a.example/broken": (500, ""),
    "http://a.example/choices": (300, ""),
    "http://a.example/slow": "timeout",
    "http://c.example/robots.txt": (200, "User-agent: *\nDisallow: /private/\nCrawl-delay: 7"),
    "http://c.example/private/1": (200, "secret"),
    "http://c.example/open": (200, "open"),
    "http://d.example/robots.txt": "refused",
    "http://a.example/to-d": (302, "http://d.example/"),
} | {f"http://a.example/n{k}": (302, f"/n{k + 1}") for k in range(20)}


def fetcher(world: Table, **options: object) -> Fetcher:
    return Fetcher(world, user_agent="tester", **options)  # type: ignore[arg-type]


def reason(answer: Fetched | Failure) -> str:
    assert isinstance(answer, Failure), answer
    return answer.reason


def test_a_page_without_redirects() -> None:
    got = fetcher(Table(WEB)).get("http://a.example/")
    assert isinstance(got, Fetched)
    assert (got.final_url, got.hops, got.response.body) == ("http://a.example/", (), b"home")


def test_redirects_are_followed_across_hosts_to_a_canonical_url() -> None:
    got = fetcher(Table(WEB)).get("http://a.example/1")
    assert isinstance(got, Fetched)
    assert (got.final_url, got.hops) == ("http://b.example/3", ("http://a.example/1", "http://a.example/2"))


@pytest.mark.parametrize(
    ("path", "expected", "where"),
    [
        ("/self", "redirect_loop", "/self"),
        ("/x", "redirect_loop", "/y"),
        ("/n0", "too_many_redirects", "/n5"),
        ("/none", "bad_redirect", "/none"),
        ("/mail", "bad_redirect", "/mail"),
        ("/two", "bad_redirect", "/two"),
        ("/teapot", "http_418", "/teapot"),
        ("/broken", "http_500", "/broken"),
        ("/choices", "http_300", "/choices"),
        ("/missing", "http_404", "/missing"),
        ("/slow", "timeout", "/slow"),
    ],
)
def test_each_failure_has_its_reason_and_place(path: str, expected: str, where: str) -> None:
    answer = fetcher(Table(WEB)).get(f"http://a.example{path}")
    assert reason(answer) == expected
    assert isinstance(answer, Failure)
    assert answer.url == f"http://a.example{where}"


def test_exactly_the_allowed_number_of_redirects_is_followed() -> None:
    short = {**WEB, "http://a.example/n5": (200, "end")}
    assert isinstance(fetcher(Table(short)).get("http://a.example/n0"), Fetched)
    assert reason(fetcher(Table(short), max_redirects=4).get("http://a.example/n0")) == "too_many_redirects"
    assert reason(fetcher(Table(WEB), max_redirects=0).get("http://a.example/1")) == "too_many_redirects"


def test_robots_are_asked_at_each_hop_and_a_closed_page_is_never_fetched() -> None:
    world = Table(WEB)
    assert reason(fetcher(world).get("http://c.example/private/1")) == "robots_denied"
    assert reason(fetcher(world).get("http://a.example/to-closed")) == "robots_denied"
    assert "http://c.example/private/1" not in world.asked
    assert reason(fetcher(world).get("http://a.example/to-d")) == "refused"
    assert "http://d.example/" not in world.asked


def test_redirects_stay_in_scope() -> None:
    scope = Scope([HostRule(frozenset({"a.example"}), only=True, reason="host_not_listed")])
    world = Table(WEB)
    answer = fetcher(world, scope=scope).get("http://a.example/1")
    assert reason(answer) == "host_not_listed"
    assert "http://b.example/3" not in world.asked
    private = Scope([PatternRule(Patterns(["/2$"]), accept=False)])
    assert reason(fetcher(Table(WEB), scope=private).get("http://a.example/1")) == "reject_pattern"


@pytest.fixture(scope="module")
def live() -> Iterator[Fetcher]:
    server = NastyServer()
    world = LiveWorld(timeout=2.0, max_bytes=50_000, resolve=server.table)
    yield Fetcher(world, user_agent="tester")
    world.close()
    server.close()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/redirect", "too_many_redirects"),
        ("/loop-a", "redirect_loop"),
        ("/nowhere", "bad_redirect"),
        ("/script", "bad_redirect"),
        ("/gone", "http_410"),
        ("/bomb", "too_large"),
        ("/empty", "connection_reset"),
    ],
)
def test_over_http_the_reasons_are_the_same(live: Fetcher, path: str, expected: str) -> None:
    assert reason(live.get(f"http://nasty.example{path}")) == expected


def test_over_http_a_redirect_is_followed(live: Fetcher) -> None:
    got = live.get("http://nasty.example/to-ok")
    assert isinstance(got, Fetched)
    assert (got.final_url, got.hops) == ("http://nasty.example/ok", ("http://nasty.example/to-ok",))


def test_a_redirect_to_an_unknown_host_fails_at_its_robots(live: Fetcher) -> None:
    answer = live.get("http://nasty.example/away")
    assert reason(answer) == "dns"
    assert isinstance(answer, Failure)
    assert answer.url == "http://other.example/"
