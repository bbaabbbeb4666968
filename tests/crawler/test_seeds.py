"""Seeds from sitemaps, feeds and saved pages: what is taken, what is left and why, and what hostile documents cost."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.fetching.fetch import Fetcher
from crawler.model import Failure, Response
from crawler.scope import Scope
from crawler.seeds import SeedError, SeedReader, SourceReport, parse_source, reader
from crawler.seeds.decoding import DamageError, pieces_of, text_of, unpacked
from crawler.seeds.entries import MAX_XML_DEPTH, Entry, entries, sitemaps_of_robots
from crawler.seeds.politeness import PoliteFetcher

Answer = bytes | tuple[int, bytes] | tuple[int, bytes, dict[str, str]] | str


class Web:
    """A world of a few documents; a text is the reason of a failure."""

    name = "web"

    def __init__(self, documents: dict[str, Answer]) -> None:
        self.documents = documents
        self.asked: list[str] = []

    def fetch(self, url: str) -> Response | Failure:
        self.asked.append(url)
        answer = self.documents.get(url, (404, b""))
        if isinstance(answer, str):
            return Failure(url, answer, "as the test says")
        if isinstance(answer, bytes):
            answer = (200, answer)
        return Response(url, answer[0], answer[2] if len(answer) == 3 else {}, answer[1])

    def close(self) -> None:
        pass


def read(source: str, documents: dict[str, Answer] | None = None, **options: int) -> SourceReport:
    fetcher = PoliteFetcher(Fetcher(Web(documents or {}), user_agent="ontocrawl/0.1"))
    parsed = parse_source(source)
    assert parsed is not None
    return SeedReader(fetcher, Scope().decide, **options).read(parsed)


def urlset(*urls: str, day: str = "") -> bytes:
    date = f"<lastmod>{day}</lastmod>" if day else ""
    return f"<urlset>{''.join(f'<url><loc>{url}</loc>{date}</url>' for url in urls)}</urlset>".encode()


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


def found(data: bytes, content_type: str = "") -> tuple[list[str], str]:
    """The URLs of a document, and its damage."""
    urls: list[str] = []
    try:
        for entry in entries(text_of(unpacked(pieces_of(data)), content_type)):
            urls.append(entry.url)
    except DamageError as error:
        return urls, str(error)
    return urls, ""


# ---- sitemaps ---------------------------------------------------------------------------------------------------


def test_a_sitemap_says_what_was_taken_and_what_was_left() -> None:
    urls = (
        "http://a.cn/1",
        "http://a.cn/1#x",
        "http://www.a.cn/2",
        "http://a.cn/3.jpg",
        "http://b.cn/",
        "ftp://a.cn/",
        "",
    )
    report = read("sitemap:http://a.cn/s.xml", {"http://a.cn/s.xml": urlset(*urls)})
    assert report.taken == ["http://a.cn/1", "http://www.a.cn/2"]
    assert report.left == {"duplicate": 1, "media_suffix": 1, "other_domain": 1, "malformed_url": 2}
    assert report.line() == (
        "sitemap:http://a.cn/s.xml: 2 taken, 5 left (2 malformed_url, 1 duplicate, 1 media_suffix, 1 other_domain)"
    )


def test_nested_sitemaps_are_read_once_level_by_level_and_not_too_deep() -> None:
    web: dict[str, Answer] = {
        f"http://a.cn/{level}.xml": index(
            f"http://a.cn/{level + 1}.xml", "http://a.cn/0.xml", f"http://a.cn/p{level}.xml"
        )
        for level in range(6)
    } | {f"http://a.cn/p{level}.xml": urlset(f"http://a.cn/{level}") for level in range(6)}
    report = read("sitemap:http://a.cn/0.xml", web)
    assert report.taken == ["http://a.cn/0", "http://a.cn/1", "http://a.cn/2"]
    assert report.left == {"repeated_sitemap": 4, "nested_too_deep": 2}


def test_a_sitemap_that_lists_itself_ends() -> None:
    report = read("sitemap:http://a.cn/s.xml", {"http://a.cn/s.xml": index("http://a.cn/s.xml")})
    assert (report.taken, report.left) == ([], {"repeated_sitemap": 1})


def test_an_index_without_end_is_read_to_the_limit_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_DOCUMENTS", 5)
    urls = [f"http://a.cn/{number}.xml" for number in range(100)]
    web: dict[str, Answer] = {"http://a.cn/s.xml": index(*urls), **{url: urlset(url[:-4]) for url in urls}}
    report = read("sitemap:http://a.cn/s.xml", web)
    assert (len(report.taken), report.left) == (4, {"too_many_documents": 96})


def test_a_nested_sitemap_that_fails_is_named_and_the_others_are_read() -> None:
    web: dict[str, Answer] = {
        "http://a.cn/s.xml": index(
            "http://a.cn/gone.xml", "http://a.cn/slow.xml", "http://evil.cn/s.xml", "http://a.cn/1.xml"
        ),
        "http://a.cn/slow.xml": "timeout",
        "http://a.cn/1.xml": urlset("/1", "2"),
    }
    report = read("sitemap:http://a.cn/s.xml", web)
    assert report.taken == ["http://a.cn/1", "http://a.cn/2"]
    assert report.left == {"unreadable": 2, "other_domain": 1}
    assert [note.split(" ")[0:2] for note in report.notes] == [
        ["http://a.cn/gone.xml:", "http_404"], ["http://a.cn/slow.xml:", "timeout"]
    ]  # fmt: skip


def test_robots_txt_is_obeyed_for_sitemaps_too() -> None:
    web: dict[str, Answer] = {
        "http://a.cn/robots.txt": b"User-agent: *\nDisallow: /private/",
        "http://a.cn/private/s.xml": urlset("http://a.cn/1"),
    }
    report = read("sitemap:http://a.cn/private/s.xml", web)
    assert report.taken == [] and "robots_denied" in report.notes[0]


@pytest.mark.parametrize(
    "source", ["sitemap:http://a.cn/", "sitemap:http://a.cn/robots.txt", "sitemap:a.cn", "sitemap:A.CN"]
)
def test_sitemaps_of_a_site_are_found_in_its_robots_txt(source: str) -> None:
    lines = b"\xef\xbb\xbfSitemap: http://a.cn/1.xml\nUser-agent: *\nDisallow: /robots.txt\nSITEMAP:/2.xml # two\n"
    web: dict[str, Answer] = {
        "https://a.cn/robots.txt": "refused",
        "http://a.cn/robots.txt": (301, b"", {"location": "http://www.a.cn/robots.txt"}),
        "http://www.a.cn/robots.txt": lines,
        "http://a.cn/1.xml": urlset("http://a.cn/1"),
        "http://a.cn/2.xml": b"http://a.cn/2\r\n\r\nhttp://a.cn/3",
    }
    assert read(source, web).taken == ["http://a.cn/1", "http://a.cn/2", "http://a.cn/3"]


def test_a_site_without_a_sitemap_line_is_asked_for_the_usual_one() -> None:
    report = read("sitemap:a.cn", {"https://a.cn/sitemap.xml": urlset("https://a.cn/1")})
    assert report.taken == ["https://a.cn/1"] and "names no sitemap" in report.notes[0]


def test_a_day_and_a_limit() -> None:
    web: dict[str, Answer] = {
        "http://a.cn/s.xml": b"<sitemapindex><sitemap><loc>/old.xml</loc><lastmod>2012-01-01</lastmod></sitemap>"
        b"<sitemap><loc>/new.xml</loc></sitemap></sitemapindex>",
        "http://a.cn/new.xml": urlset("/1", day="2013-11-08T10:00:00+08:00")[:-9]
        + urlset("/2", day="2013-11-07")[8:-9]
        + urlset("/3")[8:-9]
        + urlset("/4", "/5", day="2014-01-01")[8:],
    }
    report = read("sitemap:http://a.cn/s.xml#since=2013-11-08&limit=2", web)
    assert report.taken == ["http://a.cn/1", "http://a.cn/4"]
    assert report.left == {"before_since": 2, "undated": 1, "over_limit": 1}


@pytest.mark.slow
def test_a_hundred_thousand_urls_are_cut_at_the_limit() -> None:
    report = read(
        "sitemap:http://a.cn/s.xml.gz",
        {"http://a.cn/s.xml.gz": gzip.compress(urlset(*(f"/{number}.html" for number in range(100_000))), 1)},
    )
    assert (len(report.taken), report.left) == (50_000, {"over_limit": 50_000})


def test_images_of_a_page_are_not_its_url_and_prefixes_do_not_matter() -> None:
    page = (
        "<s:url><image:image><image:loc>http://i.cn/1</image:loc></image:image><s:loc> http://a.cn/1\n</s:loc></s:url>"
    )
    assert found(f"<s:urlset xmlns:s='x' xmlns:image='i'>{page}</s:urlset>".encode()) == (["http://a.cn/1"], "")


def test_the_sitemaps_of_a_site_may_be_on_another_host_and_its_urls_may_not() -> None:
    web: dict[str, Answer] = {
        "http://a.cn/robots.txt": b"Sitemap: http://a.cn/i.xml\nSitemap: http://other.cn/named.xml",
        "http://a.cn/i.xml": index("http://cdn.example/1.xml", "http://cdn.example/private/2.xml"),
        "http://cdn.example/robots.txt": b"User-agent: *\nDisallow: /private/",
        "http://cdn.example/1.xml": urlset(
            "http://a.cn/1", "http://www.a.cn/2", "http://cdn.example/3", "http://evil.cn/"
        ),
        "http://cdn.example/private/2.xml": urlset("http://a.cn/4"),
        "http://other.cn/named.xml": urlset("http://a.cn/5"),
    }
    report = read("sitemap:http://a.cn/", web)
    assert report.taken == ["http://a.cn/5", "http://a.cn/1", "http://www.a.cn/2"]
    assert report.left == {"other_domain": 2, "unreadable": 1} and "robots_denied" in report.notes[0]
    assert read("sitemap:http://a.cn/i.xml", web).taken == ["http://a.cn/1", "http://www.a.cn/2"]
    web["http://a.cn/robots.txt"] = b"Sitemap: http://a.cn/other.xml\nSitemap: http://cdn.example/1.xml"
    assert read("sitemap:http://a.cn/i.xml", web).taken == ["http://a.cn/1", "http://www.a.cn/2"]
    web["http://a.cn/robots.txt"] = b"Sitemap: http://a.cn/other.xml"
    assert read("sitemap:http://a.cn/i.xml", web).left == {"other_domain": 2}


def test_each_loc_of_an_item_counts() -> None:
    two = b"<sitemapindex><sitemap><loc>/1.xml</loc><loc>/2.xml</loc></sitemap></sitemapindex>"
    three = b"<url><loc>/1</loc><lastmod>2013</lastmod><loc>/2</loc><loc/><loc>/3</loc></url>"
    urls = b"<urlset>%s<url><loc>/4</loc></url></urlset>" % three
    web: dict[str, Answer] = {"http://a.cn/i.xml": two, "http://a.cn/1.xml": urlset("/0"), "http://a.cn/2.xml": urls}
    assert read("sitemap:http://a.cn/i.xml", web).taken == [f"http://a.cn/{number}" for number in range(5)]


def test_a_loc_without_an_item_counts_and_sitemap_lines_may_be_spelt_otherwise() -> None:
    web: dict[str, Answer] = {
        "http://a.cn/i.xml": b"<sitemapindex><loc>/1.xml</loc></sitemapindex>",
        "http://a.cn/1.xml": b"<urlset><loc>/1</loc><url><loc>/2</loc></url></urlset>",
    }
    assert read("sitemap:http://a.cn/i.xml", web).taken == ["http://a.cn/1", "http://a.cn/2"]
    lines = "Sitemap:\nSite-map: /a.xml\nSitemap：　/b.xml\nSitemapped: /c.xml"
    assert sitemaps_of_robots(lines) == ["/a.xml", "/b.xml"]


@pytest.mark.parametrize(
    "odd", ["\x0b", "\x00", "\x1f", "&#11;", "&#x0B;", "&#0;", "\ufffe", "&#xD800;", "&#XFFFF;", "&#x110000;"]
)
def test_a_control_character_costs_its_url_only(odd: str) -> None:
    web: dict[str, Answer] = {"http://a.cn/s.xml": urlset("/a", f"/b{odd}x", "/c")}
    report = read("sitemap:http://a.cn/s.xml", web)
    assert report.taken == ["http://a.cn/a", "http://a.cn/c"]
    assert (report.left, report.notes) == ({"malformed_url": 1}, [])
    assert found(urlset("http://a.cn/?a=1&#38;#11;&#9;")) == (["http://a.cn/?a=1&#11;"], "")


def test_urls_and_sitemaps_may_be_mixed_and_a_warning_may_stand_before_them() -> None:
    both = b"<sitemap><loc>/1.xml</loc></sitemap><url><loc>/a</loc></url>"
    mixed = b"<b>Warning</b>\n<?xml version='1.0'?><urlset>%s</urlset>" % both
    web: dict[str, Answer] = {"http://a.cn/i.xml": mixed, "http://a.cn/1.xml": b"http://a.cn/b\rhttp://a.cn/c"}
    assert read("sitemap:http://a.cn/i.xml", web).taken == [f"http://a.cn/{name}" for name in "abc"]


def test_names_of_elements_count_in_upper_case_too() -> None:
    assert found(urlset("http://a.cn/1", day="2013").upper()) == (["HTTP://A.CN/1"], "")
    rss = b"<RSS><Channel><Item><Link>http://a.cn/1</Link><PUBDATE>2013-11-08</PUBDATE></Item></Channel></RSS>"
    assert [(entry.url, entry.date) for entry in entries([rss.decode()])] == [("http://a.cn/1", "2013-11-08")]


def test_a_year_or_a_month_may_be_as_late_as_its_last_day() -> None:
    days = ["2013", "2013-11", "2013-10", "2012", "08.11.2013", "Nov 9, 2013", "20131110T101010Z", "whenever"]
    web: dict[str, Answer] = {
        "http://a.cn/s.xml": b"<urlset>%s</urlset>"
        % b"".join(urlset(f"/{n}", day=day)[8:-9] for n, day in enumerate(days))
    }
    report = read("sitemap:http://a.cn/s.xml#since=2013-11-08", web)
    assert report.taken == [f"http://a.cn/{number}" for number in (0, 1, 4, 5, 6)]
    assert report.left == {"before_since": 2, "undated": 1}


# ---- damage and malice ------------------------------------------------------------------------------------------


def test_a_bare_ampersand_in_a_url_is_no_damage() -> None:
    urls, damage = found(urlset("http://a.cn/?a=1&b=2&amp;c=3&#38;d", "<![CDATA[http://a.cn/?a&amp;b&c]]>"))
    assert (urls, damage) == (["http://a.cn/?a=1&b=2&c=3&d", "http://a.cn/?a&b&c"], "")


@given(st.integers(1, 40))
def test_references_cut_by_the_pieces_of_a_document_are_whole(size: int) -> None:
    text = urlset("http://a.cn/?a=1&b=2&amp;c&#38;d&#x26;e&nbsp;").decode()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert [entry.url for entry in entries(pieces)] == ["http://a.cn/?a=1&b=2&c&d&e&nbsp;"]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (b"<url><loc>http://a.cn/3", "not well-formed"),
        (b"</x></urlset>", "mismatched tag"),
        (b"<url><loc>&x;<y z></loc></url></urlset>", "not well-formed"),
        (b"<a>" * (MAX_XML_DEPTH + 1), "nests more than"),
        (b"<a x='" + b"y" * 1_200_000, "tag or text of more than"),
    ],
)
def test_what_stands_before_the_damage_is_taken(end: bytes, words: str) -> None:
    urls, damage = found(urlset("http://a.cn/1", "http://a.cn/2")[:-9] + end)
    assert urls == ["http://a.cn/1", "http://a.cn/2"] and words in damage


@pytest.mark.parametrize(
    "document",
    [
        b"<!DOCTYPE u [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><urlset><url><loc>http://a.cn/&b;</loc></url></urlset>",
        b"<!DOCTYPE u [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>&a;</loc></url></urlset>",
        b"<!DOCTYPE u [<!ENTITY % p SYSTEM 'http://evil.cn/x.dtd'> %p;]><urlset></urlset>",
    ],
)
def test_entities_are_refused_and_nothing_is_opened(document: bytes) -> None:
    urls, damage = found(document)
    assert urls == [] and "entity" in damage and "refused" in damage


def test_an_external_document_type_is_not_fetched() -> None:
    web = Web({"http://a.cn/s.xml": b"<!DOCTYPE urlset SYSTEM 'http://evil.cn/x.dtd'>" + urlset("/1")})
    fetcher = PoliteFetcher(Fetcher(web, user_agent="x"))
    source = parse_source("sitemap:http://a.cn/s.xml")
    assert source and SeedReader(fetcher, Scope().decide).read(source).taken == ["http://a.cn/1"]
    assert web.asked == ["http://a.cn/robots.txt", "http://a.cn/s.xml"]


@pytest.mark.slow
def test_a_gzip_bomb_is_read_to_the_limit() -> None:
    bomb = gzip.compress(urlset("/1")[:-9] + b" " * 300_000_000, 1)
    report = read("sitemap:http://a.cn/s.xml", {"http://a.cn/s.xml": bomb}, max_bytes=1_000_000)
    assert report.taken == ["http://a.cn/1"] and "larger than 1,000,000 bytes" in report.notes[0]


@pytest.mark.parametrize(
    "damaged", [lambda packed: packed[:-9], lambda packed: packed[:60] + b"\0\xff" * 20 + packed[100:]]
)
def test_damaged_gzip_yields_what_came_before(damaged: Callable[[bytes], bytes]) -> None:
    packed = gzip.compress(urlset(*(f"http://a.cn/{number}" for number in range(5000))), 1)
    urls, damage = found(damaged(packed))
    assert "gzip" in damage and urls == [f"http://a.cn/{number}" for number in range(len(urls))]


def test_gzip_of_several_members_with_padding() -> None:
    packed = gzip.compress(urlset("http://a.cn/1")[:-9]) + gzip.compress(b"</urlset>") + b"\0" * 512
    assert found(packed) == (["http://a.cn/1"], "")


@pytest.mark.parametrize(
    "page", [b"<!DOCTYPE html><html lang=en><p>x", b"<html><body>", b"<!-- x -->\n<HTML>", b"<html xmlns='x'/>"]
)
def test_html_in_place_of_xml_is_said(page: bytes) -> None:
    assert "HTML page" in found(page)[1]


def test_other_xml_and_nothing_at_all_are_said() -> None:
    assert "root <svg>" in found(b"<?xml version='1.0'?><svg/>")[1]
    assert "has no URLs" in read("feed:http://a.cn/f", {"http://a.cn/f": b" \n"}).notes[0]
    assert "has no URLs" in read("sitemap:http://a.cn/f", {"http://a.cn/f": urlset()}).notes[0]


@given(st.binary(max_size=300))
def test_no_bytes_end_in_another_error(data: bytes) -> None:
    for document in (data, b"<urlset>" + data, b"\x1f\x8b" + data, gzip.compress(data)):
        found(document)


# ---- feeds ------------------------------------------------------------------------------------------------------

RSS = """<?xml version="1.0" encoding="GBK"?><rss version="2.0"><channel><title>暴雨新闻</title><link>http://n.cn/list/</link>
<image><link>http://n.cn/logo</link></image>
<item><title><![CDATA[台风 & 暴雨]]></title><link><![CDATA[ 2013/暴雨.html?a=1&b=2 ]]></link>
<pubDate>Fri, 08 Nov 2013 10:23:00 GMT</pubDate></item>
<item><link/><guid>http://other.cn/2</guid></item>
<item><title>no link</title><guid isPermaLink="false">http://n.cn/no</guid></item>
<item><atom:link href="/3" rel="alternate"/></item></channel></rss>"""
RDF = b"""<rdf:RDF xmlns:rdf="r" xmlns:dc="d" xmlns="x"><channel rdf:about="c"><link>http://c.cn/</link></channel>
<item rdf:about="http://c.cn/1"><link>http://c.cn/1</link><dc:date>2020-02-02</dc:date></item>
<item rdf:about="http://c.cn/2"></item></rdf:RDF>"""
ATOM = b"""<feed xmlns="a" xml:base="/x/"><link rel="self" href="/self"/><link href="http://b.cn/"/>
<entry><link rel="enclosure" href="e.mp3"/><link href="1.html"/><updated>2020-01-01T00:00:00Z</updated>
<source><link href="http://no.cn/"/></source></entry>
<entry xml:base="http://c.cn/y/"><link rel="alternate" href="2"/></entry></feed>"""


def test_rss_in_gbk_with_cdata_and_relative_links() -> None:
    report = read("feed:http://n.cn/rss.xml", {"http://n.cn/rss.xml": RSS.encode("gbk")})
    assert report.taken == [
        "http://n.cn/list/2013/%E6%9A%B4%E9%9B%A8.html?a=1&b=2",
        "http://other.cn/2",
        "http://n.cn/3",
    ]
    assert report.left == {"malformed_url": 1}


def test_rss_1_and_atom() -> None:
    assert read("feed:http://n.cn/rss", {"http://n.cn/rss": RDF}).taken == ["http://c.cn/1", "http://c.cn/2"]
    assert read("feed:http://n.cn/atom", {"http://n.cn/atom": ATOM}).taken == [
        "http://n.cn/x/1.html",
        "http://c.cn/y/2",
    ]


def test_dates_of_feeds_are_read() -> None:
    assert read("feed:http://n.cn/r#since=2020-02-01", {"http://n.cn/r": RDF}).left == {"undated": 1}
    assert read("feed:http://n.cn/r#since=2013-11-08", {"http://n.cn/r": RSS.encode("gbk")}).left["undated"] == 2


def test_a_feed_in_a_file_without_a_base_leaves_relative_links(tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_bytes(
        b"<rss><channel><item><link>/1</link></item><item><link>http://a.cn/2</link></item></channel></rss>"
    )
    report = read(f"feed:{file}")
    assert (report.taken, report.left) == (["http://a.cn/2"], {"relative_url": 1})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "big5"])
def test_encodings(encoding: str) -> None:
    text = f"<?xml version='1.0' encoding='{encoding.removesuffix('-sig')}'?><urlset><url><loc>http://a.cn/風</loc></url></urlset>"
    assert found(text.encode(encoding)) == (["http://a.cn/風"], "")


def test_the_header_declares_an_encoding_where_the_document_does_not() -> None:
    assert found("<urlset><url><loc>/雨</loc></url></urlset>".encode("gbk"), "text/xml; charset=GB2312")[0] == ["/雨"]


# ---- saved pages ------------------------------------------------------------------------------------------------


def saved(tmp_path: Path, *links: str, head: str = "") -> SourceReport:
    file = tmp_path / "page.html"
    page = f"<html><head>{head}</head><body>{''.join(f'<a href={link!r}>x</a>' for link in links)}</body></html>"
    file.write_text(page, encoding="utf-8")
    return read(f"links:{file}")


def test_links_of_a_saved_page_without_those_of_the_engine(tmp_path: Path) -> None:
    bing = "a1" + base64.urlsafe_b64encode(b"http://news.cn/bing.html").decode().rstrip("=")
    report = saved(
        tmp_path,
        "http://news.cn/1.html", "/preferences", "https://baike.baidu.com/item", "http://www.baidu.com/link?url=2rXopaque",
        "https://www.baidu.com/s?wd=x&url=http%3A%2F%2Fnews.cn%2F2.html", "http://a.cn/x.pdf", "mailto:a@b.cn",
        f"https://www.baidu.com/ck/a?u={bing}", "https://www.baidu.com/url?q=https://map.baidu.com/",
        head="<!-- saved from url=(0040)https://www.baidu.com/s?wd=暴雨 -->",
    )  # fmt: skip
    assert report.taken == ["http://news.cn/1.html", "http://news.cn/2.html", "http://news.cn/bing.html"]
    assert report.left == {"engine_host": 3, "opaque_redirect": 1, "media_suffix": 1}


def test_a_page_that_does_not_say_where_it_is_from(tmp_path: Path) -> None:
    own = [f"https://www.google.com/p{number}" for number in range(3)]
    report = saved(tmp_path, *own, "/relative", "http://news.cn/1", "https://www.google.com/url?q=http://b.cn/&sa=U")
    assert (report.taken, report.left) == (["http://news.cn/1", "http://b.cn/"], {"engine_host": 3, "relative_url": 1})


def test_a_saved_page_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(b"")
    assert read(f"links:{tmp_path}/page.html").notes


# ---- sources ----------------------------------------------------------------------------------------------------


def test_other_languages_of_a_page_in_a_sitemap_are_seeds() -> None:
    links = "".join(
        f'<xhtml:link rel="{rel}" hreflang="x" href="http://a.example/{name}"/>'
        for rel, name in (("alternate", "de"), ("alternate", "en"), ("amphtml", "amp"))
    )
    sitemap = (
        f"<urlset xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>http://a.example/en</loc>{links}</url></urlset>"
    )
    report = read("sitemap:http://a.example/s.xml", {"http://a.example/s.xml": sitemap.encode()})
    assert report.taken == ["http://a.example/en", "http://a.example/de"]
    assert report.left == {"duplicate": 1}


def test_json_feeds() -> None:
    first = {
        "version": "https://jsonfeed.org/version/1.1", "home_page_url": "http://a.example/blog/", "title": "t",
        "next_url": "http://a.example/2.json",
        "items": [{"id": "1", "url": "one"}, {"id": "http://a.example/2", "date_published": "2024-05-01T00:00:00Z"}, 3],
    }  # fmt: skip
    report = read(
        "feed:http://a.example/1.json",
        {
            "http://a.example/1.json": json.dumps(first).encode(),
            "http://a.example/2.json": b'["http://a.example/3", {"link": "http://a.example/4"}]',
        },
    )
    assert report.taken == [f"http://a.example/{end}" for end in ("blog/one", "2", "3", "4")]
    assert report.left == {"malformed_url": 1}


@pytest.mark.parametrize(
    ("document", "words"),
    [(b'{"items": [', "is none"), (b"[" * 100_000, "is none"), (b'{"data": []}', "no JSON Feed")],
    ids=range(3),
)
def test_json_that_is_no_feed_is_said(document: bytes, words: str) -> None:
    urls, damage = found(document)
    assert urls == [] and words in damage


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("sitemap:nowhere.xml", "there is no file nowhere.xml"),
        ("sitemap:", "nothing was named"),
        ("feed:news.cn", "there is no file news.cn"),
        ("links:https://www.baidu.com/s?wd=x", "save the page in a browser"),
        ("feed:ftp://a.cn/x", "not an http or https URL"),
        ("sitemap:http://a.cn/s.xml#since=yesterday", "since=YYYY-MM-DD"),
        ("sitemap:http://a.cn/s.xml#limit=0", "from 1 to 50000"),
        ("sitemap:http://a.cn/s.xml#limit=5&most=3", "no option 'most'"),
        (f"links:{__file__}#since=2013-11-01", "the links of a saved page have no dates"),
    ],
)
def test_what_is_no_source_is_said(source: str, words: str) -> None:
    with pytest.raises(SeedError, match=words):
        parse_source(source)


def test_a_password_in_the_url_of_a_source_is_left_out_and_that_is_said() -> None:
    report = read("sitemap:http://ann:secret@a.cn/s.xml#limit=9", {"http://a.cn/s.xml": urlset("/1")})
    assert (report.source, report.taken) == ("sitemap:http://a.cn/s.xml#limit=9", ["http://a.cn/1"])
    assert "left out" in report.notes[0] and "secret" not in report.line() + report.notes[0]


def test_urls_and_names_are_no_sources() -> None:
    assert [parse_source(text) for text in ("http://a.cn/", "Flood", "mailto:x", "@file", "")] == [None] * 5
    assert Entry("x").nested is False


def test_requests_to_a_host_have_the_pauses_of_a_crawl() -> None:
    now, slept = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    web = Web({"http://a.cn/robots.txt": b"User-agent: *\nCrawl-delay: 5", "http://a.cn/s.xml": urlset("/1")})
    polite = PoliteFetcher(Fetcher(web, user_agent="x"), 2.0, clock=lambda: now[0], sleep=sleep)
    for path in ("s.xml", "s.xml"):
        polite.document(f"http://a.cn/{path}")
    polite.document("http://b.cn/s.xml")
    assert slept == [5.0, 5.0, 2.0]
