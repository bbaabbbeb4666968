import csv
import json
import tarfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.model import SLOTS, Failure, ParsedPage, Response
from crawler.pages.links import ANCHOR_JOIN
from crawler.pages.parse import parse
from crawler.pages.plain_pages import RECORD_TYPE

DATA = Path(__file__).parents[3] / "shared/data/zh_news_html"
URL = "http://a.cn/news/x.html"
PARAGRAPH = (
    "昨日夜间至今日上午，全市普降暴雨，局部大暴雨，城区多处道路积水，消防部门已转移被困群众三百余人，暂无人员伤亡。"
)


def read(html: str, **headers: str) -> ParsedPage:
    document = parse(Response(URL, 200, {"content-type": "text/html; charset=utf-8", **headers}, html.encode()))
    assert isinstance(document, ParsedPage), document
    return document


def slots(html: str) -> list[tuple[str, str]]:
    return list(read(html).segments)


def test_each_text_stands_in_its_innermost_listed_element() -> None:
    html = (
        "<title>T 1</title><meta name=Keywords content='k1, k2'><meta name=description content=d>"
        "<h1>h <strong>s</strong> i</h1><h6>six</h6><p>p <b>b</b> <a href=/l>link <strong>sl</strong></a> q</p>"
        "<table><tr><th>th</th><td>td<div>in</div></td></tr></table><ul><li>li<p>lp</p></ul><div>other</div>"
    )
    assert slots(html) == [
        ("title", "T 1"), ("meta_keywords", "k1, k2"), ("meta_description", "d"),
        ("h1", "h"), ("strong", "s"), ("h1", "i"), ("h6", "six"),
        ("p", "p b"), ("p/a", "link"), ("strong/a", "sl"), ("p", "q"),
        ("other", "th"), ("td", "td"), ("td", "in"), ("li", "li"), ("p", "lp"), ("other", "other"),
    ]  # fmt: skip


def test_inline_markup_does_not_cut_words_and_blocks_do() -> None:
    assert slots("<p>暴<span>雨</span>灾<!-- x -->害</p><p>one<br>two</p>three") == [
        ("p", "暴雨灾害"), ("p", "one two"), ("other", "three"),
    ]  # fmt: skip


def test_what_is_no_text() -> None:
    html = (
        "<body><script>flood</script><style>flood{}</style><template><p>flood</p></template>"
        "<noscript>flood</noscript><svg><title>flood</title></svg><!-- flood --><img alt=flood><p title=flood>rain</p>"
    )
    assert slots(html) == [("p", "rain")]
    assert read(html).title == ""


def test_scripts_are_counted_where_there_is_nearly_no_text() -> None:
    shell = "<title>App</title><div id=app></div><script src=a.js></script><script>start()</script>"
    assert read(shell).scripts == 2
    assert read(shell + f"<p>{PARAGRAPH * 4}</p>").scripts == 0
    assert read("<p>short</p>").scripts == 0


def test_links_are_resolved_once_each_in_page_order() -> None:
    document = read(
        "<base href='http://b.cn/dir/'><a href=one.html><img alt='pic'></a>"
        "<div>see <a href='/two?utm_source=x'>two</a> now</div>"
        "<a href='one.html#part'>One <b>text</b></a><a href='one.html'>pic</a>"
        "<map><area href=three alt=map></map>"
    )
    assert [(link.url, link.anchor) for link in document.links] == [
        ("http://b.cn/dir/one.html", f"pic{ANCHOR_JOIN}One text"),
        ("http://b.cn/two", "two"),
        ("http://b.cn/dir/three", "map"),
    ]
    assert document.links[1].context == "see two now"
    assert document.links[0].block != document.links[1].block


def test_what_is_not_followed_is_told_with_its_reason() -> None:
    document = read(
        "<a href='#top'>a</a><a href=''>b</a><a href='mailto:x@y.cn'>c</a><a href='http://['>d</a>"
        f"<a href='{URL}'>e</a><a href=/spam rel='NoFollow ugc'>f</a><a name=here>g</a><a href=/ok>h</a>"
    )
    assert [reason for _, reason in document.skipped] == [
        "fragment", "fragment", "scheme", "malformed_url", "self_link", "nofollow",
    ]  # fmt: skip
    assert [link.url for link in document.links] == ["http://a.cn/ok"]
    assert ("other", "g") in document.segments


@pytest.mark.parametrize(
    "robots", ["<meta name=ROBOTS content='noindex, NOFOLLOW'>", "<meta name=robots content=none>"]
)
def test_a_page_may_forbid_to_follow_its_links(robots: str) -> None:
    document = read(f"{robots}<p>text<a href=/x>x</a>")
    assert (document.links, document.skipped) == ((), (("/x", "page_nofollow"),))
    assert read("<p><a href=/x>x</a>", **{"x-robots-tag": "nofollow"}).links == ()
    assert read("<meta name=robots content=noindex><p><a href=/x>x</a>").links != ()


def test_a_context_is_a_window_of_the_innermost_block() -> None:
    document = read("<div>outside<p>" + "前" * 900 + "<a href=/x>暴雨</a>" + "后" * 900 + "</p>outside</div>")
    context = document.links[0].context
    assert context == "前" * 250 + "暴雨" + "后" * 250


def test_an_anchor_around_blocks_keeps_their_texts_apart() -> None:
    assert read("<a href=/x><h3>heavy</h3><p>rain</p></a>").links[0].anchor == "heavy rain"


def test_frames_refreshes_and_title_attributes_are_links_too() -> None:
    document = read("<meta http-equiv=refresh content='0; URL=/next'><a href=/t title='标题'></a><p>x")
    assert [(link.url, link.anchor) for link in document.links] == [("http://a.cn/next", ""), ("http://a.cn/t", "标题")]
    framed = read("<frameset><frame src=/menu title=Menu></frameset>")
    assert [(link.url, link.anchor) for link in framed.links] == [("http://a.cn/menu", "Menu")]


def test_main_text_is_without_menus_footers_and_link_lists() -> None:
    menu = "".join(f"<li><a href=/{i}>天气预报栏目{i}</a>" for i in range(30))
    document = read(
        f"<nav>导航 首页 新闻</nav><ul>{menu}</ul><h1>暴雨袭城</h1><p>{PARAGRAPH}</p><p>图片来源</p><p>{PARAGRAPH}</p>"
        f"<footer><p>{PARAGRAPH}</p></footer><div class='copyright'><p>{PARAGRAPH}</p></div>"
    )
    assert document.text == f"暴雨袭城\n{PARAGRAPH}\n图片来源\n{PARAGRAPH}"
    assert "天气预报栏目7" in dict.fromkeys(text for _, text in document.segments)


def test_a_list_page_gives_its_titles_as_text() -> None:
    document = read("<nav>menu</nav>" + "".join(f"<li><a href=/{i}>暴雨新闻{i}</a>" for i in range(3)))
    assert document.text == "暴雨新闻0\n暴雨新闻1\n暴雨新闻2"
    assert read("<nav>menu only</nav>").text == "menu only"


def test_title_date_and_canonical_url() -> None:
    document = read(
        "<title> a \n b </title><link rel=canonical href='/y.html#z'><script type='application/ld+json'>"
        '{"@type": "NewsArticle", "datePublished": "2013-11-08T10:00:00Z"}</script><p>x'
    )
    assert (document.title, document.canonical, document.published) == ("a b", "http://a.cn/y.html", "2013-11-08")


def test_the_encoding_of_a_page_reaches_the_queries_of_its_links() -> None:
    html = "<meta charset=gb2312><p>暴雨 <a href='/s?q=暴雨'>搜索</a>"
    document = parse(Response(URL, 200, {"content-type": "text/html"}, html.encode("gb18030")))
    assert isinstance(document, ParsedPage)
    assert document.segments[0] == ("p", "暴雨")
    assert document.links[0].url == "http://a.cn/s?q=%B1%A9%D3%EA"


def test_a_record_of_a_corpus() -> None:
    links = [{"url": f"http://corpus/Flood{end}", "anchor": a} for end, a in (("", "Flood"), ("#x", "Floods"))]
    record = {"title": "Rain ", "text": "Rain falls.\nOften.", "links": [*links, {"url": "x:y", "anchor": ""}]}
    document = parse(Response("http://corpus/Rain", 200, {"content-type": RECORD_TYPE}, json.dumps(record).encode()))
    assert isinstance(document, ParsedPage)
    assert document.segments == (("title", "Rain"), ("p", "Rain falls. Often."))
    assert document.text == "Rain falls.\nOften."
    assert [(link.url, link.anchor) for link in document.links] == [("http://corpus/Flood", "Flood | Floods")]
    assert document.skipped == (("x:y", "scheme"),)


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"title": 3}', b'{"links": [1]}', b'{"links": 1}', b"\xff"])
def test_a_record_that_is_none(body: bytes) -> None:
    failure = parse(Response(URL, 200, {"content-type": RECORD_TYPE}, body))
    assert isinstance(failure, Failure)
    assert failure.reason == "malformed"


def test_plain_text() -> None:
    document = parse(
        Response("http://a.cn/2013/11/08/x.txt", 200, {"content-type": "text/plain"}, "暴雨\n灾害".encode())
    )
    assert isinstance(document, ParsedPage)
    assert (document.segments, document.text, document.published) == ((("p", "暴雨 灾害"),), "暴雨\n灾害", "2013-11-08")


@pytest.mark.parametrize(
    ("content_type", "body", "reason"),
    [
        ("image/png", b"x", "not_html"),
        ("application/pdf", b"%PDF-1.7", "not_html"),
        ("text/html", b"", "empty"),
        ("text/html", b"<html><body> <!-- nothing --> <script>x</script></body></html>", "empty"),
        ("text/plain", b" \n", "empty"),
        ("text/html", bytes(range(1, 9)) * 500, "undecodable"),
    ],
)
def test_pages_that_cannot_be_read(content_type: str, body: bytes, reason: str) -> None:
    failure = parse(Response(URL, 200, {"content-type": content_type}, body))
    assert isinstance(failure, Failure)
    assert failure.reason == reason
    assert failure.url == URL
    assert failure.detail


HTML = b"<!DOCTYPE html><html><title>t</title><p>rain</p><a href=/b>b</a>"
XHTML = (
    b'<?xml version="1.0"?>\n<!-- a --><!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">'
    b'<p>rain</p><a href="/b">b</a></html>'
)


@pytest.mark.parametrize(
    "content_type",
    [
        "", "text/html", "TEXT/HTML;charset=utf-8", "text/html, text/html; charset=utf-8",
        "text/html; charset=utf-8, text/html", "text/html,text/html", "image/png, text/html",
        "text/html, nonsense", "text/html, */*", "nonsense",
        "text/plain", "text/plain; charset=utf-8", "text/plain; charset=ISO-8859-1", "application/octet-stream",
        "binary/octet-stream", "unknown/unknown", "application/unknown", "*/*", "application/xhtml+xml",
    ],
)  # fmt: skip
@pytest.mark.parametrize("body", [HTML, XHTML, b"\xef\xbb\xbf\r\n" + HTML, b"<!-- x -->\n" + HTML, HTML.lower()])
def test_html_is_html_whatever_it_is_called(content_type: str, body: bytes) -> None:
    page = parse(Response(URL, 200, {"content-type": content_type}, body))
    assert isinstance(page, ParsedPage), page
    assert [link.url for link in page.links] == ["http://a.cn/b"] and "<" not in page.text


@pytest.mark.parametrize(
    "content_type", ["text/xml", "application/xml", "application/xml; charset=utf-8", "image/svg+xml"]
)
def test_xhtml_is_recognised_in_xml(content_type: str) -> None:
    for body in (
        XHTML,
        XHTML.replace(b"<html", b"<h:html").replace(b"</html", b"</h:html"),
        XHTML.partition(b"?>\n")[2],
    ):
        page = parse(Response(URL, 200, {"content-type": content_type}, body))
        assert isinstance(page, ParsedPage) and page.links
    other = parse(Response(URL, 200, {"content-type": content_type}, b"<?xml version='1.0'?><svg><a>html</a></svg>"))
    assert isinstance(other, Failure) and other.reason == "not_html"


@pytest.mark.parametrize(
    "start",
    [
        b"%PDF-1.4\n", b"\n %PDF-1.7\n", b"%!PS-Adobe-3.0", b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"\x89PNG\r\n\x1a\n", b"GIF89a", b"PK\x03\x04",
        b"RIFF\0\0\0\0WEBPVP8 ", b"BM\x8a\0\0\0\0\0\0\0", b"\x1f\x8b\x08\0", b"Rar!\x1a\x07\0",
        b"\0\0\0\x18ftypmp42", b"ID3\x03\0",
        b"OggS\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf1", b"7z\xbc\xaf'\x1c", b"wOF2", b"CWS\x09",
        b"<?xml version='1.0'?><rss>",
        b"<feed xmlns='http://www.w3.org/2005/Atom'>", b"<rdf:RDF xmlns='x'>", b"<?xml version='1.0'?><urlset>",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "content_type", ["text/html", "text/html; charset=gbk", "", "text/plain", "application/octet-stream"]
)
def test_binary_data_and_feeds_are_no_pages(content_type: str, start: bytes) -> None:
    failure = parse(Response(URL, 200, {"content-type": content_type}, start + b"<p>words</p>" * 9))
    assert isinstance(failure, Failure) and failure.reason == "not_html"


@pytest.mark.parametrize(
    "text", ["just words", "a < b, said he", "<3 rain", "BM is a name", "ID3 tags", "RIFF raff", "see <p>"]
)
def test_plain_text_stays_plain(text: str) -> None:
    page = parse(Response(URL, 200, {"content-type": "text/plain"}, text.encode()))
    assert isinstance(page, ParsedPage) and page.text == text
    other = parse(Response(URL, 200, {"content-type": "application/octet-stream"}, text.encode()))
    assert isinstance(other, Failure) and other.reason == "not_html"


def test_a_prolog_without_end_is_looked_at_once() -> None:
    begun = time.process_time()
    parse(Response(URL, 200, {"content-type": "text/xml"}, b"<!-- --><? ?>" * 200_000))
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize(
    ("html", "day"),
    [
        ('<time class="entry-date published" datetime="2013-11-08T10:00:00+08:00">8. November</time>', "2013-11-08"),
        ('<time class="entry-date published updated" datetime="2013-11-08T10:00:00">x</time>', "2013-11-08"),
        ('<time class="updated" datetime="2014-01-01">x</time><time class="entry-date" datetime="2013-11-08">x</time>',
         "2013-11-08"),
        ('<time class="dt-published" datetime="2013-11-08">x</time><time datetime="2014-01-01">x</time>', "2013-11-08"),
        ('<time class="post-full-meta-date" datetime="2013-11-08">x</time>', "2013-11-08"),
        ('<time class="post-date">08.11.2013</time>', "2013-11-08"),
        ('<time class="date" datetime="2013-11-08 10:00">x</time>', "2013-11-08"),
        ('<time datetime="2013-11-08T10:00Z">x</time><time datetime="2013-11-08T12:00Z">x</time>', "2013-11-08"),
        ('<time pubdate datetime="2013-11-08">x</time>', "2013-11-08"),
        # several days, of which none is marked; the day of a change, of a comment, in navigation
        ('<time datetime="2013-11-08">x</time><time datetime="2013-11-09">x</time>', None),
        ('<time class="updated" datetime="2013-11-08">x</time>', None),
        ('<time itemprop="dateModified" datetime="2013-11-08">x</time>', None),
        ('<time class="comment-date" datetime="2013-11-08">x</time>', None),
        ('<aside><time class="entry-date" datetime="2013-11-08">x</time></aside>', None),
        ('<time>at noon</time>', None),
    ],
)  # fmt: skip
def test_the_times_of_usual_themes(html: str, day: str | None) -> None:
    assert read(f"<article><h1>Flood</h1>{html}<p>words</p></article>").published == day


def test_a_page_without_a_type_is_looked_at() -> None:
    html = parse(Response(URL, 200, {}, b" <!doctype html><p>x"))
    text = parse(Response(URL, 200, {}, b"just words"))
    assert isinstance(html, ParsedPage)
    assert isinstance(text, ParsedPage)
    assert html.segments == (("p", "x"),)
    assert text.segments == (("p", "just words"),)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_page_in_utf_16_without_a_type_is_looked_at(encoding: str) -> None:
    html = parse(Response(URL, 200, {}, "\ufeff <html><title>暴雨</title><p>x".encode(encoding)))
    text = parse(Response(URL, 200, {}, "\ufeff暴雨 < 灾害".encode(encoding)))
    assert isinstance(html, ParsedPage) and html.segments == (("title", "暴雨"), ("p", "x"))
    assert isinstance(text, ParsedPage) and text.text == "暴雨 < 灾害"


def test_nesting_deeper_than_calls_may_go() -> None:
    document = read("<div>" * 5_000 + "<a href=/x>deep</a>")
    assert document.links[0].anchor == "deep"


@pytest.mark.slow
def test_nesting_that_would_stall_the_parser_is_refused() -> None:
    body = ("<x-y>" * 100_000).encode()
    failure = parse(Response(URL, 200, {"content-type": "text/html"}, body))
    assert isinstance(failure, Failure)
    assert failure.reason == "too_deep"
    assert len(read("<ul>" + "<li><p>x" * 30_000 + "<div>a</div>" * 30_000).segments) == 60_000


TAGS = ["<p>", "</p>", "<a href=/x>", "</a>", "<strong>", "</strong>", "<div>", "<td>", "<table>", "<h1>", "<br>"]


@pytest.mark.slow
@given(st.lists(st.sampled_from([*TAGS, "雨", "w "]), max_size=40))
def test_every_token_stands_in_exactly_one_slot(parts: list[str]) -> None:
    letters = sum(part.count("雨") + part.count("w") for part in parts)
    document = parse(Response(URL, 200, {"content-type": "text/html; charset=utf-8"}, "".join(parts).encode()))
    if isinstance(document, Failure):
        assert letters == 0
        return
    text = "".join(text for _, text in document.segments)
    assert text.count("雨") + text.count("w") == letters
    assert {slot for slot, _ in document.segments} <= set(SLOTS)


@given(st.binary(max_size=300))
def test_any_bytes_give_a_document_or_a_reason(body: bytes) -> None:
    assert isinstance(parse(Response(URL, 200, {"content-type": "text/html"}, body)), ParsedPage | Failure)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="../shared/data/zh_news_html is not here")
def test_saved_news_pages_with_wrong_declarations() -> None:
    """79 real pages: every title as it was read by hand, whatever charset they declare; a date on most articles."""
    with (DATA / "pages.tsv").open(encoding="utf-8") as file:
        rows = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    dated = articles = 0
    with tarfile.open(DATA / "pages.tar.xz") as archive:
        for member in archive:
            body = archive.extractfile(member)
            if body is None:
                continue
            row = next(row for name, row in rows.items() if member.name.endswith(name) or name.endswith(member.name))
            document = parse(Response(URL, 200, {"content-type": "text/html"}, body.read()))
            assert isinstance(document, ParsedPage)
            assert document.title.split() == row["title"].split()
            assert document.text
            if row["kind"] == "article":
                articles += 1
                dated += document.published is not None
    assert articles == 65
    assert dated >= 50


def test_cdata_sections_of_xhtml_are_text() -> None:
    body = (
        b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title><![CDATA[A & B]]></title>'
        b"<script><![CDATA[if (1 < 2) x();]]></script></head>"
        b'<body><p><![CDATA[Rain <b>is</b> heavy]]> <a href="x"><![CDATA[next]]></a></p></body></html>'
    )
    found = parse(Response("http://a.example/", 200, {"content-type": "application/xhtml+xml"}, body))
    assert isinstance(found, ParsedPage) and found.title == "A & B"
    assert found.segments == (("title", "A & B"), ("p", "Rain <b>is</b> heavy"), ("p/a", "next"))
    assert [(link.url, link.anchor) for link in found.links] == [("http://a.example/x", "next")]
