"""What pages say to robots: nofollow, noindex, rel=canonical; in the page and in headers."""

import pytest

from crawler.fetching.fetch import Fetched
from crawler.model import ParsedPage, Response
from crawler.pages.directives import Directives, declared_canonical, directives
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.parse import parse
from crawler.text import Matcher, Vocabulary, Word

URL = "http://a.cn/news/x.html"
MATCHER = Matcher((Vocabulary("TK", (Word("暴雨", 1.0, (("zh", "暴雨"),)),)),))


def read(html: str, robot: str | None = "ontocrawl", **headers: str) -> ParsedPage:
    page = parse(Response(URL, 200, {"content-type": "text/html; charset=utf-8", **headers}, html.encode()), robot)
    assert isinstance(page, ParsedPage), page
    return page


def record(html: str, extras: Extras, content_type: str = "text/html; charset=utf-8", **headers: str) -> PageRecord:
    response = Response(URL, 200, {"content-type": content_type, **headers}, html.encode())
    return page_record(URL, Fetched(response, URL), MATCHER, extras)


@pytest.mark.parametrize(("metadata", "header", "nofollow", "noindex"), [
    ([("robots", "noindex")], "", False, True),
    ([("robots", "NOINDEX,NoFollow")], "", True, True),
    ([("robots", "none")], "", True, True),
    ([("robots", "all")], "", False, False),
    ([("robots", "index, follow, max-snippet:-1")], "", False, False),
    ([("ontocrawl", "noindex")], "", False, True),
    ([("googlebot", "noindex"), ("description", "noindex")], "", False, False),
    ([("robots", "index"), ("robots", "noindex")], "", False, True),  # what any forbids is forbidden
    ([("ontocrawl", "index"), ("robots", "noindex")], "", False, True),
    ([], "noindex", False, True),
    ([], "noindex, nofollow", True, True),
    ([], "OntoCrawl: none", True, True),
    ([], "googlebot: nofollow", False, False),
    ([], "googlebot: nofollow, noindex", False, False),  # both are for googlebot
    ([], "BadBot: noindex, nofollow, ontocrawl: nofollow", True, False),
    ([], "noindex, googlebot: nofollow", False, True),
    ([], "*: nofollow", True, False),
    ([], "unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, nofollow", True, False),
    ([], "max-snippet: 5, noindex", False, True),
    ([], "noarchive, nosnippet", False, False),
    ([], ",,: ,", False, False),
])  # fmt: skip
def test_directives_are_of_all_robots_or_of_one(
    metadata: list[tuple[str, str]], header: str, nofollow: bool, noindex: bool
) -> None:
    assert directives("ontocrawl", metadata, header) == (nofollow, noindex)
    assert directives(None, metadata, header) == Directives(nofollow=False, noindex=False)


def test_a_page_forbids_to_follow_its_links_and_to_use_its_text() -> None:
    page = read("<meta name=robots content=noindex><p><a href=/x>x</a>")
    assert (page.noindex, [link.url for link in page.links]) == (True, ["http://a.cn/x"])
    page = read("<p>text<a href=/x>x</a>", **{"x-robots-tag": "ontocrawl: none"})
    assert (page.noindex, page.links, page.skipped) == (True, (), (("/x", "page_nofollow"),))
    plain = parse(Response(URL, 200, {"content-type": "text/plain", "x-robots-tag": "noindex"}, b"text"))
    assert isinstance(plain, ParsedPage)
    assert plain.noindex


def test_directives_are_ignored_where_that_is_asked_for() -> None:
    html = "<meta name=robots content=none><p>text<a href=/x rel=nofollow>x</a><a href=/y>y</a>"
    page = read(html, None, **{"x-robots-tag": "noindex"})
    assert (page.noindex, [link.url for link in page.links]) == (False, ["http://a.cn/x", "http://a.cn/y"])


def test_ugc_and_sponsored_links_are_followed() -> None:
    page = read(
        "<p>text<a href=/x rel='ugc'>x</a><a href=/y rel='sponsored noopener'>y</a><a rel='ugc nofollow' href=/z>z"
    )
    assert [link.url for link in page.links] == ["http://a.cn/x", "http://a.cn/y"]
    assert page.skipped == (("/z", "nofollow"),)


def test_the_record_of_a_noindex_page_has_links_and_counts_but_no_text() -> None:
    html = f"<meta name=robots content=noindex><title>暴雨</title><p>{'暴雨来袭，城市内涝。' * 20}<a href=/x>x</a>"
    kept = record(html, Extras())
    assert (kept.page.noindex, kept.page.title, kept.page.text) == (True, "", "")
    assert (kept.content_hash, kept.fingerprint) == (None, None)
    assert (len(kept.page.links), kept.counts["TK"].sum(), kept.length > 200) == (1, 21, True)
    used = record(html, Extras(robot=None))
    assert (used.page.noindex, used.page.title, used.fingerprint is None) == (False, "暴雨", False)


@pytest.mark.parametrize(("references", "header", "expected"), [
    (["y.html"], "", "http://a.cn/news/y.html"),
    (["//A.cn:80/y.html?utm_source=x#top"], "", "http://a.cn/y.html"),
    (["", " "], "", None),
    (["mailto:x", "http://["], "", None),
    (["y.html", "./y.html", ""], "", "http://a.cn/news/y.html"),
    (["y.html", "z.html"], "", None),  # RFC 6596 allows for one
    ([], '<y.html>; rel="canonical"', "http://a.cn/news/y.html"),
    ([], "<y.html>;rel=Canonical", "http://a.cn/news/y.html"),
    ([], '<z>; rel="next", <y.html?a=1,2>; title="x, y; rel=canonical"; rel="canonical alternate"',
     "http://a.cn/news/y.html?a=1,2"),
    ([], '<z>; rel="next"', None),
    ([], '<z>; title="rel=canonical"', None),
    ([], "rel=canonical", None),
    (["y.html"], "<z.html>; rel=canonical", None),
    (["y.html"], "</news/y.html>; rel=canonical", "http://a.cn/news/y.html"),
])  # fmt: skip
def test_one_canonical_url_is_declared(references: list[str], header: str, expected: str | None) -> None:
    assert declared_canonical(references, header, URL) == expected


def test_a_canonical_url_is_declared_in_the_head_or_in_a_header() -> None:
    assert read("<link rel='Canonical' href=/y><p>x").canonical == "http://a.cn/y"
    assert read("<p>x<link rel=canonical href=/spam>").canonical is None
    assert read("<base href=http://b.cn/z/><link rel=canonical href=y><p>x").canonical == "http://b.cn/z/y"
    assert read("<p>x", link="</y>; rel=canonical").canonical == "http://a.cn/y"
    plain = parse(Response(URL, 200, {"content-type": "text/plain", "link": "</y>; rel=canonical"}, b"text"))
    assert isinstance(plain, ParsedPage)
    assert plain.canonical == "http://a.cn/y"


def test_the_encoding_of_the_page_reaches_its_canonical_url() -> None:
    html = "<meta charset=gb2312><link rel=canonical href='/s?q=暴雨'><p>暴雨"
    page = parse(Response(URL, 200, {"content-type": "text/html"}, html.encode("gb18030")))
    assert isinstance(page, ParsedPage)
    assert page.canonical == "http://a.cn/s?q=%B1%A9%D3%EA"


def test_long_headers_take_no_long_time() -> None:
    for header in ("<" * 100_000, "<a>" + "; a" * 100_000, '<a>; x="' * 20_000):
        assert declared_canonical([], header, URL) is None
        assert directives("ontocrawl", [], header) == Directives()
