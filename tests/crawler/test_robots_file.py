"""robots.txt files: cases of RFC 9309, of what Google documents, and of files as they are found on servers.

A case is a file, and the paths that it allows (+) and forbids (-) to ``ontocrawl``. Its name begins with its source:
``rfc`` and the section, ``google`` (the page "How Google interprets the robots.txt specification", and the tests of its
open reader), or ``found``. Cases of plain text are in data/robots_cases.txt.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from crawler.fetching.robots_file import MAX_BYTES, RobotsFile, product_token
from crawler.url import canonical


class Case(NamedTuple):
    """A file with the paths that it allows and forbids."""

    name: str
    file: bytes | str
    allowed: tuple[str, ...]
    forbidden: tuple[str, ...]


def _ours(rules: str) -> str:
    return "User-agent: ontocrawl\n" + rules


TABLE = Path(__file__).parent / "data" / "robots_cases.txt"
_HAN = _ours("# 禁止\nDisallow: /新闻/")
BYTES: dict[str, tuple[bytes | str, str, str]] = {
    "rfc 2.2: CR ends lines": ("User-agent: ontocrawl\rDisallow: /a\r\rDisallow: /b\r", "/c", "/a /b"),
    "rfc 2.2: CR LF ends lines": ("User-agent: ontocrawl\r\nDisallow: /a\r\nDisallow: /b", "/c", "/a /b"),
    "rfc 2.2: all in one file": ("User-agent: *\rDisallow: /a\nDisallow: /b\r\nDisallow: /c", "/d", "/a /b /c"),
    "rfc 2.2: no other character ends a line": (
        _ours("Disallow: /a\u2028Allow: /\nDisallow: /b\x0cAllow: /\x85"),
        "/c /",
        "/a%E2%80%A8Allow:%20/ /b%0CAllow:%20/%C2%85",
    ),
    "rfc 2.2: blanks around names and values": ("  User-agent \t: \tontocrawl  \n\tDisallow\t:\t/a  \n", "/b", "/a"),
    "google: an empty file": ("", "/ /a", ""),
    "google: a byte order mark": (codecs.BOM_UTF8 + _ours("Disallow: /a").encode(), "/b", "/a"),
    "found: UTF-16, little end first": (codecs.BOM_UTF16_LE + _HAN.encode("utf-16-le"), "/b", "/新闻/1.html"),
    "found: UTF-16, big end first": (codecs.BOM_UTF16_BE + _HAN.encode("utf-16-be"), "/b", "/新闻/1.html"),
    "found: UTF-16 without a mark": (_ours("Disallow: /a").encode("utf-16-le"), "/b", "/a"),
    "rfc 2.2.2: UTF-8 is not read as GBK too": (_HAN, "/b /鏂伴椈/1.html", "/新闻/1.html"),
    "found: GBK, spelt as browsers do": (_HAN.encode("gbk"), "/b", "/新闻/1.html"),
    "found: GBK, spelt as its bytes": (_HAN.encode("gbk"), "/b", "/%D0%C2%CE%C5/1.html"),
    "found: GBK in a comment alone": (_ours("# 禁止\nDisallow: /a # 新闻").encode("gbk"), "/b", "/a"),
    "found: bytes of no encoding": (b"User-agent: *\nDisallow: /\xff\nDisallow: /a", "/b", "/%FF /a"),
    "found: full-width colons": ("User-agent：*\nDisallow：\u3000/a\nDisallow: /b：c", "/c", "/a /b：c"),
    "found: full-width colons in GBK": ("User-agent：*\nDisallow：　/a".encode("gbk"), "/c", "/a"),
    "found: blanks of no ASCII": ("User-agent:\xa0*\nDisallow: \u3000/a", "/c", "/a"),
    "found: NUL bytes": (b"\0\0" + _ours("Disal\0low: /a\0\nDisallow: /b\0\0").encode(), "/c", "/a /b"),
}


def _from_table() -> list[Case]:
    cases = []
    for part in re.split(r"^== ", TABLE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        name, _, text = part.partition("\n")
        lines = text.split("\n")
        told = {line[0]: tuple(line[2:].split()) for line in lines if line.startswith(("+ ", "- "))}
        file = "\n".join(line for line in lines if not line.startswith(("+ ", "- ")))
        cases.append(Case(name, file, told.get("+", ()), told.get("-", ())))
    return cases


CASES = _from_table() + [
    Case(name, file, tuple(allowed.split()), tuple(forbidden.split()))
    for name, (file, allowed, forbidden) in BYTES.items()
]


def allows(case: Case, path: str) -> bool:
    url = canonical("http://a.example" + path)
    assert url is not None
    body = case.file.encode() if isinstance(case.file, str) else case.file
    return RobotsFile(body, "ontocrawl").closing_rule(url.removeprefix("http://a.example")) is None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "_"))
def test_paths_that_a_file_allows_and_forbids(case: Case) -> None:
    told = {path: allows(case, path) for path in (*case.allowed, *case.forbidden)}
    assert told == dict.fromkeys(case.allowed, True) | dict.fromkeys(case.forbidden, False)
    assert told


def test_the_table_of_cases_is_read_to_its_end() -> None:
    text = TABLE.read_text("utf-8")
    assert len(CASES) - len(BYTES) == len(re.findall("^== ", text, re.MULTILINE)) >= 70
    assert sum(bool(c.allowed) + bool(c.forbidden) for c in CASES[: -len(BYTES)]) == len(
        re.findall("^[+-] ", text, re.M)
    )


@pytest.mark.parametrize(
    ("file", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5\nDisallow: /a", 2.5),
        ("User-agent: *\nDisallow: /a\nCrawl-Delay : 3", 3.0),
        ("User-agent: *\nCrawl-delay: 9\n\nUser-agent: ontocrawl\nDisallow: /a", None),
        ("User-agent: other\nCrawl-delay: 9\n\nUser-agent: *\nDisallow: /a", None),  # it comes before our name
        ("User-agent: *\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 7\nUser-agent: *\nCrawl-delay: 1", 7.0),
        ("User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay: nan\nCrawl-delay: inf\nCrawl-delay:", None),
        ("Crawl-delay: 5\nUser-agent: *\nDisallow: /", None),
    ],
)
def test_the_delay_that_a_host_asks_for(file: str, delay: float | None) -> None:
    assert RobotsFile(file.encode(), "ontocrawl").crawl_delay == delay


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        ("ontocrawl/0.1 (+https://w3id.org/ontocrawl)", "ontocrawl"),
        ("My_own-Bot", "My_own-Bot"),
        ("Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)", "ExampleBot"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Mozilla"),
        ("我", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_user_agent(user_agent: str, token: str) -> None:
    assert product_token(user_agent) == token


def test_a_crawler_without_a_name_obeys_the_rules_for_all() -> None:
    file = RobotsFile(b"User-agent:\nDisallow: /a\nUser-agent: 1\nDisallow: /b\nUser-agent: *\nDisallow: /c", "")
    assert [file.closing_rule(path) for path in ("/a", "/b", "/c")] == [None, None, "Disallow: /c"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_first_500_kib_count_without_the_line_that_they_cut(end: str, encoding: str) -> None:
    width = len("a".encode("utf-16-le")) if encoding == "utf-16" else 1
    head = end.join(["User-agent: *", "Disallow: /early", "Allow: /early/open", "#"])
    filled = head + "#" * (MAX_BYTES // width - len(head) - 15)
    body = (filled + end + "Disallow: /a" + "b" * 50 + end + "Disallow: /late").encode(encoding)
    assert len(body) > MAX_BYTES
    file = RobotsFile(body, "ontocrawl")
    told = [file.closing_rule(path) for path in ("/early", "/early/open", "/a", "/" + "ab", "/late")]
    assert told == ["Disallow: /early", None, None, None, None]


def test_the_rule_that_is_told_is_short_and_in_ascii() -> None:
    file = RobotsFile(("User-agent: *\nDisallow: /暴\x1b[31m\u202e" + "a" * 500).encode(), "ontocrawl")
    rule = file.closing_rule("/%E6%9A%B4%1B%5B31m%E2%80%AE" + "a" * 600)
    assert rule is not None and len(rule) == 100
    assert rule.startswith("Disallow: /%E6%9A%B4%1B%5B31m%E2%80%AEaaa") and rule.isprintable()


def test_many_rules_and_wildcards_take_no_more_than_their_number() -> None:
    rules = [f"Disallow: /{n}*a*a*a*a*a*a*b" for n in range(200)] + [f"Allow: /{n}" for n in range(20_000)]
    file = RobotsFile("\n".join(["User-agent: *", *rules]).encode(), "ontocrawl")
    assert file.closing_rule("/19" + "a" * 1000) is None
    assert file.closing_rule("/19" + "a" * 1000 + "b") == "Disallow: /19*a*a*a*a*a*a*b"
