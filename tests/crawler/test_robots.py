"""robots.txt by RFC 9309, over a world made of a table."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from crawler.fetching.exchange import Request, Waiting, drive
from crawler.fetching.robots import Robots, Rules
from crawler.fetching.robots_file import MAX_BYTES
from crawler.model import Failure, Response

AGENT = "ontocrawl/0.1 (+http://contact.example/)"


class Table:
    """A world that answers from a table and counts what it is asked."""

    name = "table"

    def __init__(self, answers: Mapping[str, tuple[int, str] | str]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []

    def fetch(self, url: str) -> Response | Failure:
        self.asked.append(url)
        answer = self.answers.get(url, (404, ""))
        if isinstance(answer, str):
            return Failure(url, answer)
        status, text = answer
        if 300 <= status < 400:
            return Response(url, status, {"location": text} if text else {}, b"")
        return Response(url, status, {"content-type": "text/plain"}, text.encode())

    def close(self) -> None:
        """Nothing is open."""


RULES = """User-agent: *
Disallow: /private

User-agent: ontocrawl
Crawl-delay: 2.5
Disallow: /closed/
Allow: /closed/open
"""


class Reader:
    """Rules read from a world, one exchange after the other."""

    def __init__(self, world: Table, **options: Any) -> None:
        self._world = world
        self._robots = Robots(user_agent=AGENT, **options)

    def rules(self, url: str) -> Rules:
        return drive(self._robots.rules(url), self._world.fetch)

    def refusal(self, url: str) -> Failure | None:
        return self.rules(url).refusal(url)

    def allowed(self, url: str) -> bool:
        return self.refusal(url) is None

    def crawl_delay(self, url: str) -> float:
        return self.rules(url).crawl_delay


def robots(answers: Mapping[str, tuple[int, str] | str]) -> Reader:
    return Reader(Table(answers))


def test_the_group_of_this_crawler_counts_and_the_longest_rule_wins() -> None:
    rules = robots({"http://a.example/robots.txt": (200, RULES)})
    assert rules.allowed("http://a.example/private")  # the group for all others
    assert not rules.allowed("http://a.example/closed/x")
    assert rules.allowed("http://a.example/closed/open/x")
    assert rules.crawl_delay("http://a.example/") == 2.5
    refused = rules.refusal("http://a.example/closed/x")
    assert refused is not None
    assert refused.reason == "robots_denied"
    assert refused.detail == "http://a.example/robots.txt closes this path to ontocrawl (Disallow: /closed/)"


def test_a_byte_order_mark_does_not_hide_the_first_line() -> None:
    rules = robots({"http://a.example/robots.txt": (200, "\ufeffUser-agent: *\nDisallow: /")})
    assert not rules.allowed("http://a.example/x")


@pytest.mark.parametrize("status", [304, 400, 401, 403, 404, 410, 451])
def test_no_file_allows_everything(status: int) -> None:
    rules = robots({"http://a.example/robots.txt": (status, "User-agent: *\nDisallow: /")})
    assert rules.allowed("http://a.example/x")
    assert rules.crawl_delay("http://a.example/x") == 0.0


@pytest.mark.parametrize(
    "answer",
    [(429, "User-agent: *\nAllow: /"), (500, ""), (503, "User-agent: *\nAllow: /"), (599, ""), "timeout", "dns"],
)
def test_a_file_that_cannot_be_had_closes_the_host(answer: tuple[int, str] | str) -> None:
    refused = robots({"http://a.example/robots.txt": answer}).refusal("http://a.example/x")
    assert refused is not None
    if isinstance(answer, tuple):
        assert refused.reason == "robots_unreachable" and str(answer[0]) in refused.detail
    else:
        assert refused.reason == answer and refused.detail


def test_it_is_asked_for_once_per_origin() -> None:
    world = Table({"http://a.example/robots.txt": (200, RULES)})
    rules = Reader(world)
    for url in (
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example:8080/",
        "https://a.example/",
        "http://a.example/3",
    ):
        rules.allowed(url)
        rules.crawl_delay(url)
    assert world.asked == [
        "http://a.example/robots.txt",
        "http://a.example:8080/robots.txt",
        "https://a.example/robots.txt",
    ]


def test_an_unreachable_file_is_tried_again_later_and_a_good_one_grows_old() -> None:
    world, now = Table({"http://a.example/robots.txt": "timeout"}), [0.0]
    rules = Reader(world, clock=lambda: now[0], retry=600, keep=86_400)
    assert not rules.allowed("http://a.example/x")
    world.answers["http://a.example/robots.txt"] = (200, RULES)
    now[0] = 599.0
    assert not rules.allowed("http://a.example/x")
    now[0] = 600.0
    assert rules.allowed("http://a.example/x")
    world.answers["http://a.example/robots.txt"] = (200, "User-agent: *\nDisallow: /")
    now[0] = 600.0 + 86_399
    assert rules.allowed("http://a.example/x")
    now[0] = 600.0 + 86_400
    assert not rules.allowed("http://a.example/x")


def test_redirects_are_followed_five_times_also_to_other_hosts() -> None:
    chain: dict[str, tuple[int, str] | str] = {"http://a.example/robots.txt": (301, "http://h1.example/")}
    chain |= {f"http://h{n}.example/": (302, f"http://h{n + 1}.example/") for n in range(1, 5)}
    closed = robots({**chain, "http://h5.example/": (200, "User-agent: *\nDisallow: /")})
    assert not closed.allowed("http://a.example/x")
    too_far = robots(
        {
            **chain,
            "http://h5.example/": (302, "http://h6.example/"),
            "http://h6.example/": (200, "User-agent: *\nDisallow: /"),
        }
    )
    assert too_far.allowed("http://a.example/x")


@pytest.mark.parametrize("location", ["", "mailto:x", "/robots.txt"])
def test_a_redirect_to_nowhere_is_no_file(location: str) -> None:
    assert robots({"http://a.example/robots.txt": (302, location)}).allowed("http://a.example/x")


def test_only_the_first_500_kib_are_read() -> None:
    head = "User-agent: *\nDisallow: /early\n"
    text = head + "#" * (MAX_BYTES - len(head) - 5) + "\nDisallow: /late\n"
    rules = robots({"http://a.example/robots.txt": (200, text)})
    assert not rules.allowed("http://a.example/early")
    assert rules.allowed("http://a.example/late")


@pytest.mark.parametrize("status", [200, 203])
def test_query_and_port_belong_to_what_a_rule_is_compared_with(status: int) -> None:
    rules = robots({"http://a.example:8080/robots.txt": (status, "User-agent: *\nDisallow: /x?y\nDisallow: /8080")})
    told = {url: rules.allowed(url) for url in ("http://a.example:8080/x", "http://a.example:8080/x?y=1")}
    assert list(told.values()) == [True, False]
    assert rules.allowed("http://a.example:8080/")
    assert rules.allowed("http://a.example/x?y=1")  # another port has another file, here none


def test_rubbish_in_place_of_rules_allows_everything() -> None:
    page = "<html><body>Not found</body></html>\x00\ufffd"
    assert robots({"http://a.example/robots.txt": (200, page)}).allowed("http://a.example/x")


def test_of_two_exchanges_that_need_a_file_one_reads_it_and_the_other_waits() -> None:
    robots = Robots(user_agent=AGENT)
    first, second = robots.rules("http://a.example/1"), robots.rules("http://a.example/closed/2")
    assert next(first) == Request("http://a.example/robots.txt", page=False)
    assert next(second) == Waiting("http://a.example") and robots.is_reading("http://a.example")
    with pytest.raises(StopIteration):
        first.send(Response("http://a.example/robots.txt", 200, {}, RULES.encode()))
    assert not robots.is_reading("http://a.example")
    with pytest.raises(StopIteration) as ended:
        next(second)
    refused = ended.value.value.refusal("http://a.example/closed/2")
    assert refused is not None and refused.reason == "robots_denied"


def test_an_abandoned_exchange_lets_the_next_one_read_the_file() -> None:
    robots = Robots(user_agent=AGENT)
    first = robots.rules("http://a.example/1")
    next(first)
    first.close()
    assert isinstance(next(robots.rules("http://a.example/2")), Request)


CLOSED = b"User-agent: *\nDisallow: /\n"


def _closing(body: bytes, *headers: tuple[str, str]) -> str | None:
    """The reason for which a page is closed by a robots.txt with such bytes."""
    rules = drive(Robots(user_agent=AGENT).rules("http://a.cn/1"), lambda url: Response(url, 200, dict(headers), body))
    refused = rules.refusal("http://a.cn/1")
    return refused and refused.reason


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-gzip", "application/octet-stream", "text/html"]
)
@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(CLOSED), zlib.compress(CLOSED), gzip.compress(gzip.compress(CLOSED)),
        gzip.compress(CLOSED) + b"rest", gzip.compress(b"\xef\xbb\xbf" + CLOSED), gzip.compress(CLOSED * 50_000),
    ],
    ids=range(6),
)  # fmt: skip
def test_a_packed_file_is_read_whatever_its_headers_say(body: bytes, content_type: str) -> None:
    assert _closing(body, ("content-type", content_type)) == "robots_denied"
    open_ = gzip.compress(b"User-agent: *\nDisallow: /private")
    assert _closing(open_, ("content-type", content_type)) is None


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(CLOSED)[:-12], gzip.compress(CLOSED)[:12], b"\x1f\x8b" + CLOSED,
        b"\x28\xb5\x2f\xfd\x04\x00\x99\0\0\1\2",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(range(256)),
        b"PK\x03\x04" + bytes(range(256)), random.Random(1).randbytes(3000),
    ],
    ids=range(8),
)  # fmt: skip
def test_binary_data_never_opens_a_host(body: bytes) -> None:
    assert _closing(body) == "robots_unreachable"
    assert _closing(body, ("content-type", "text/plain")) == "robots_unreachable"


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\x1a", b"User-agent: *\r\nDisallow:\r\n\x1a", b"<html><body>Not found</body></html>", b"# \x0c\n",
        "\ufeffUser-agent: *\nDisallow: /private".encode("utf-16"), "User-agent: *".encode("utf-16-le"),
        "# 暴雨".encode("gbk"),
    ],
    ids=range(8),
)  # fmt: skip
def test_text_with_few_odd_bytes_stays_text(body: bytes) -> None:
    assert _closing(body) is None
