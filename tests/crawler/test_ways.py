"""Ways out of a page that are no hyperlinks: each kind is a link of its kind, or is skipped with a code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import get_args

import pytest

from crawler.archives.writer import ArchiveWriter
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.fetch import Fetcher
from crawler.journal import Journal
from crawler.model import Failure, ParsedPage, Response
from crawler.pages.parse import parse
from crawler.pages.ways import KINDS, Ways
from crawler.worlds import SyntheticWorld, WorldError, open_world
from crawler.worlds.archive import ArchiveWorld
from crawler.worlds.live import RecordingWorld
from ontocrawl.base.options import LinkKind
from tests.crawler import webs

URL = "http://a.cn/news/x.html"
HTML = {"content-type": "text/html; charset=utf-8"}
RAIN = "<p>" + "暴雨灾害预警 rainstorm flood heavy rain disaster " * 12 + "</p>"


def read(html: str, ways: Ways | None = None, **headers: str) -> ParsedPage:
    page = parse(Response(URL, 200, {**HTML, **headers}, html.encode()), ways=ways or Ways())
    assert isinstance(page, ParsedPage), page
    return page


def ways(html: str, **headers: str) -> list[tuple[str, str]]:
    """Kind and target of the links of a page with text, without their site."""
    return [(link.kind, link.url.removeprefix("http://a.cn")) for link in read(RAIN + html, **headers).links]


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;/next/a.html", "/next/a.html"),
        ("0; http://a.cn/show.php?id=77", "/show.php?id=77"),
        ("5;url=/a?b=c", "/a?b=c"),
        (" 5 , URL = '/a' rest", "/a"),
        ('0;url="/a" b', "/a"),
        ("0 /a", "/a"),
        ("1.5;/a", "/a"),
        (".5;/a", "/a"),
        ("0;uri.html", "/news/uri.html"),
    ],
)
def test_refreshes_are_read_as_by_the_html_standard(content: str, target: str) -> None:
    attribute = content.replace('"', "&quot;")
    assert ways(f'<meta http-equiv=Refresh content="{attribute}">') == [("refresh", target)]
    assert ways("", refresh=content) == [("refresh", target)]
    assert ways(f'<noscript><meta http-equiv=refresh content="{attribute}"></noscript>') == [("noscript", target)]


def test_a_refresh_to_the_page_itself_is_no_way_and_one_without_a_time_is_skipped() -> None:
    assert read(RAIN + "<meta http-equiv=refresh content=300>").skipped == ()
    assert read(RAIN + "<meta http-equiv=refresh content='url=/a'>").skipped == (("url=/a", "bad_refresh"),)
    assert read(RAIN + "<meta http-equiv=refresh content='0;url=x.html'>").skipped == (("x.html", "self_link"),)


def test_a_page_of_nothing_but_a_way_is_no_empty_page() -> None:
    for way in (
        "<script>location='/b'</script>",
        "<meta http-equiv=refresh content='0;/b'>",
        "<iframe src=/b></iframe>",
    ):
        assert [link.url for link in read(way).links] == ["http://a.cn/b"]
    empty = parse(Response(URL, 200, {"content-type": "text/plain", "refresh": "0;/b"}, b""))
    assert isinstance(empty, ParsedPage)
    assert [link.url for link in empty.links] == ["http://a.cn/b"]


@pytest.mark.parametrize(
    "code",
    [
        "location='/b'", 'window.location = "/b";', "self.location.href='/b'", "top.location.replace( '/b' )",
        "document.location.assign('/b')", "parent.location=`/b`", "setTimeout(function(){location.href='\\/b'},9)",
        "window.open('/b','_blank','width=9')", "document.write('<a href=\"/b\">雨</a>')",
        "document.writeln(\"<iframe src='/b'></iframe>\")", "if(!x){location='\\u002Fb'}",
    ],
)  # fmt: skip
def test_addresses_in_scripts(code: str) -> None:
    assert ways(f"<script>{code}</script>") == [("script", "/b")]


@pytest.mark.parametrize(
    "markup",
    [
        "<div onclick=\"window.location='/b'\">x</div>", "<a onclick=\"openNews('/b')\">x</a>",
        "<a href=\"javascript:openWin('/b',9)\">x</a>", "<li onclick='window.open(\"/b\")'>x",
        "<a href='javascript:;' onclick=\"location.href='/b'\">x</a>", "<li ondblclick=\"location='/'+'b'\">x",
    ],
)  # fmt: skip
def test_addresses_in_handlers(markup: str) -> None:
    assert ways(markup) == [("script", "/b")]


@pytest.mark.parametrize(
    "code",
    ["location.href = base + '/b'", "location='/list?id='+id", "location=`/a/${id}`", "window.open(url)"],
)
def test_what_a_script_computes_is_skipped_with_a_code(code: str) -> None:
    page = read(f"{RAIN}<script>{code}</script>")
    assert page.links == ()
    assert [reason for _, reason in page.skipped] == ["computed_url"]


@pytest.mark.parametrize(
    "code",
    [
        "location == '/b'", "var location = '/b'", "geolocation = '/b'", "map.location='/b'", "x = location.href",
        "location.href = location.href", "ga('send','/b')", "var a = '/b'", "/* nothing */",
    ],
)  # fmt: skip
def test_what_is_no_way_in_a_script(code: str) -> None:
    page = read(f"{RAIN}<script>{code}</script>")
    assert (page.links, page.skipped) == ((), ())


def test_lists_of_options_are_ways_where_they_hold_addresses() -> None:
    options = "<option value=/city/1.html>a<option value=b><option value=''><option value=7>"
    assert ways(f"<select onchange='location=this.value'>{options}</select>") == [
        ("option", "/city/1.html"), ("option", "/news/b"),
    ]  # fmt: skip
    assert ways("<select><optgroup><option value=http://b.cn/>a<option value=rain>b</select>") == [
        ("option", "http://b.cn/")
    ]
    page = read(f"{RAIN}<select onchange=\"location='/c?'+this.value\"><option value=gd>a</select>")
    assert (page.links, page.skipped) == ((), (("gd", "computed_url"),))


def test_relations_attributes_and_places_that_are_not_read() -> None:
    html = (
        "<link rel=next href=2.html><link rel=alternate hreflang=en href=/en>"
        "<link rel=alternate type=text/html href=/m><link rel='alternate stylesheet' href=/s.css>"
        "<p data-href=/d1><p data-url='d2.html'><p data-url=rain><p data-link=/d3><a ng-href=/d4></a>"
        "<noscript><a href=/ns>a</a><iframe src=/nf></iframe></noscript>"
        "<svg><a xlink:href=/gd><text>x</text></a><a href=/gx></a></svg><map><area href=/area alt=gx></map>"
    )
    assert sorted(ways(html)) == [
        ("anchor", "/area"), ("data", "/d1"), ("data", "/d3"), ("data", "/d4"), ("data", "/news/d2.html"),
        ("noscript", "/nf"), ("noscript", "/ns"), ("relation", "/en"), ("relation", "/m"), ("relation", "/news/2.html"),
        ("svg", "/gd"), ("svg", "/gx"),
    ]  # fmt: skip
    feed = read(RAIN + "<link rel=alternate type=application/rss+xml href=/feed>")
    assert (feed.links, feed.skipped) == ((), (("/feed", "other_form"),))


def test_frames_are_ways_but_hidden_ones() -> None:
    html = "<iframe src=/news.jsp?col=1></iframe><iframe src=about:blank data-src=/lazy></iframe><iframe></iframe>"
    assert ways(html) == [("frame", "/news.jsp?col=1"), ("frame", "/lazy")]
    for hidden in ("style='display: none'", "width=0 height=0", "height=1px", "hidden"):
        page = read(f"{RAIN}<iframe src=/ad {hidden}></iframe>")
        assert (page.links, page.skipped) == ((), (("/ad", "hidden_frame"),))


def test_buttons_for_sharing_and_advertisements_are_skipped() -> None:
    share = "http://service.weibo.com/share/share.php?url=x"
    page = read(
        f"{RAIN}<p onclick=\"window.open('{share}')\">x<iframe src=http://ads.b.cn/x></iframe><a href=/share/>x</a>"
    )
    assert sorted(page.skipped) == [("http://ads.b.cn/x", "share_or_ad"), (share, "share_or_ad")]
    assert [link.kind for link in page.links] == ["anchor"]


def test_the_markup_of_noframes_is_no_text() -> None:
    page = read("<frameset><frame src=/l><noframes><body>No frames <a href=/n>暴雨</a></body></noframes></frameset>")
    assert page.text == "No frames 暴雨"
    assert [(link.kind, link.url) for link in page.links] == [("frame", "http://a.cn/l"), ("anchor", "http://a.cn/n")]
    deep = read(f"<p>x<noframes>{'<b>' * 20_000}</noframes>".replace("<b>", "&lt;b&gt;"))
    assert deep.links == ()


def test_hidden_lists_in_textareas_are_read_as_markup() -> None:
    inner = "<ul><li><a href='/ta.html'>暴雨 ta</a></ul>"
    page = read(f"<textarea style='display:none'>{inner}</textarea>")
    assert (page.text, [(link.kind, link.anchor) for link in page.links]) == ("暴雨 ta", [("data", "")])
    assert ways(f"<textarea class='J_lazyload'>{inner}</textarea>") == [("data", "/ta.html")]
    assert ways(f"<div style='display:none'><textarea>{inner}</textarea></div>") == [("data", "/ta.html")]
    assert ways(f"<textarea>{inner}</textarea>") == []  # it is shown as it is


@pytest.mark.parametrize("tag", ["xmp", "plaintext", "textarea"])
def test_links_in_markup_that_is_shown_as_text_are_skipped(tag: str) -> None:
    page = read(f"{RAIN}<{tag}><a href='/b?x=1&amp;y=2'>b</a></{tag}>")
    assert (page.links, page.skipped) == ((), (("/b?x=1&y=2", "shown_markup"),))


def test_what_stands_in_for_an_embedded_object_is_read() -> None:
    for html in ("<object data=a.swf type=x/y><a href=/b>b</a></object>", "<canvas><a href=/b>b</a></canvas>"):
        assert ways(html) == [("noscript", "/b")]
    assert ways("<embed src=a.swf><noembed><a href=/b>b</a></noembed>") == [("anchor", "/b")]


def test_embedded_pages_are_frames_and_other_objects_are_none() -> None:
    assert ways("<object data=/o.html></object><embed src=/e.html type=text/html>") == [
        ("frame", "/o.html"), ("frame", "/e.html"),
    ]  # fmt: skip
    assert ways("<object data=/o.html type=image/png></object><embed src=/e type=video/mp4>") == []


def test_the_markup_of_a_frame_is_part_of_the_page_to_three_levels() -> None:
    page = read("<iframe src=/f srcdoc=\"<p>暴雨<a href='/s'>雨</a>\"></iframe>")
    assert (page.text, [(link.kind, link.url) for link in page.links]) == ("暴雨雨", [("anchor", "http://a.cn/s")])
    html = "<a href=/4>4</a>"
    for level in "3210":
        html = f"<a href=/{level}>{level}</a><iframe src=/f{level} srcdoc='{escape(html)}'></iframe>"
    assert ways(html) == [*(("anchor", f"/{level}") for level in range(4)), ("frame", "/f3")]


def test_templates_of_scripts_are_read_and_what_they_fill_in_is_skipped() -> None:
    for kind in ("text/template", "text/x-template", "text/html", "text/x-handlebars-template"):
        page = read(f"{RAIN}<script type={kind}><li><a href='/t'>t</a><a href='/n/{{{{id}}}}'>n</a></script>")
        assert [(link.kind, link.url) for link in page.links] == [("data", "http://a.cn/t")]
        assert page.skipped == (("/n/{{id}}", "computed_url"),)


def test_where_a_form_leads_is_skipped_but_what_sends_data() -> None:
    html = (
        "<form action=/s><input name=q><button formaction=/t>x</button><button formmethod=POST formaction=/u></form>"
        "<form method=post action=/v><input type=image formaction=/w></form><form action=''></form><form></form>"
    )
    page = read(RAIN + html)
    assert (page.links, page.skipped) == ((), (("/s", "form"), ("/t", "form")))


def test_the_header_link_names_the_next_page_and_other_forms() -> None:
    feed = '</feed>; rel=alternate; type="application/rss+xml"'
    header = f'</news/2.html>; rel="next", <?p=3>; rel=prev, {feed}, </c>; rel=up'
    page = read(f"<base href=/elsewhere/>{RAIN}", link=f"{header}, </x>; rel=next; anchor='/y'")
    assert [(link.kind, link.url) for link in page.links] == [
        ("relation", "http://a.cn/news/2.html"), ("relation", f"{URL}?p=3"),
    ]  # fmt: skip
    assert page.skipped == (("http://a.cn/feed", "other_form"),)
    plain = parse(Response(URL, 200, {"content-type": "text/plain", "link": header}, b"rain"))
    assert isinstance(plain, ParsedPage)
    assert [link.url for link in plain.links] == ["http://a.cn/news/2.html", f"{URL}?p=3"]


XHTML = "http://www.w3.org/1999/xhtml"


@pytest.mark.parametrize("kind", ["application/xhtml+xml", "application/xml", "text/html"])
def test_names_of_xhtml_may_have_a_prefix(kind: str) -> None:
    html = (
        f"<?xml version='1.0'?><h:html xmlns:h='{XHTML}' xmlns:x='urn:x'><h:head><h:title>雨</h:title></h:head><h:body>"
        "<h:p>暴雨<h:a href='/b'>b</h:a><x:a href='/x'>c</x:a></h:p></h:body></h:html>"
    )
    page = parse(Response(URL, 200, {"content-type": kind}, html.encode()))
    assert isinstance(page, ParsedPage)
    assert (page.title, page.text) == ("雨", "暴雨bc")
    assert [link.url for link in page.links] == ["http://a.cn/b"]


def test_empty_elements_of_xhtml_do_not_swallow_the_page() -> None:
    html = (
        f"<html xmlns='{XHTML}'><head><title/><script src='a.js'/><style/></head><body><iframe src='/f'/><textarea/>"
        "<a id='x'/><p>暴雨<br/><a href='/b'>b</a></p></body></html>"
    )
    page = parse(Response(URL, 200, {"content-type": "application/xhtml+xml"}, html.encode()), ways=Ways(scripts=False))
    assert isinstance(page, ParsedPage)
    assert page.text == "暴雨 b"
    assert [link.url for link in page.links][:2] == ["http://a.cn/f", "http://a.cn/b"]


def test_declarative_shadow_roots_are_part_of_the_page_and_other_templates_are_not() -> None:
    html = "<x-news><template shadowrootmode=open><p>洪水<a href=/sd>sd</a><template>no</template></template></x-news>"
    page = read(html + "<template><p>no<a href=/t>t</a></template>")
    assert (page.text, [(link.kind, link.url) for link in page.links]) == ("洪水sd", [("anchor", "http://a.cn/sd")])


def test_each_kind_can_be_switched_off_and_is_then_skipped() -> None:
    html = "<iframe src=/f></iframe><script>location='/s'</script><a href=/a>a</a>"
    page = read(RAIN + html, Ways(frozenset({"frame", "script", "anchor"})))
    assert page.links == ()
    assert sorted(page.skipped) == [("/a", "switched_off"), ("/f", "switched_off"), ("/s", "switched_off")]
    assert get_args(LinkKind) == KINDS


def test_a_way_to_the_target_of_a_hyperlink_adds_nothing_and_has_no_text_of_its_own() -> None:
    page = read(f"{RAIN}<a href=/a onclick=\"location='/a'\">暴雨</a><select><option value=/b>暴雨</select>")
    assert [(link.kind, link.anchor) for link in page.links] == [("anchor", "暴雨"), ("option", "")]


# ---- data that scripts load


def test_data_files_of_pages_with_few_words_are_ways() -> None:
    shell = (
        "<title>t</title><div id=app></div><script src=/js/jquery.min.js></script><script src=/data/list.js></script>"
        "<script src=http://other.net/x.js></script><script>$.getJSON('/api/warn.json', f)</script>"
    )
    page = read(shell)
    assert [(link.kind, link.url) for link in page.links] == [
        ("jsdata", "http://a.cn/data/list.js"), ("jsdata", "http://a.cn/api/warn.json"),
    ]  # fmt: skip
    assert page.skipped == (("/js/jquery.min.js", "script_library"),)
    assert read(RAIN + shell).links == ()
    assert len(read(RAIN + shell, Ways(scripts=True)).links) == 2


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/javascript", 'var Tips = [{"title": "暴雨预警", "url": "\\/n\\/1.html"}];'),
        ("text/javascript", "callback([{title: '暴雨预警', url: '/n/1.html', color: '#fff'}])"),
        ("application/json", '{"rows": [{"title": "暴雨预警", "link": "http://a.cn/n/1.html"}]}'),
        ("application/json", '{"html": "<li><a href=\\"/n/1.html\\">暴雨预警</a>"}'),
    ],
)
def test_a_data_file_is_a_page_of_its_texts_and_addresses(content_type: str, body: str) -> None:
    page = parse(Response("http://a.cn/data/list.js", 200, {"content-type": content_type}, body.encode()))
    assert isinstance(page, ParsedPage)
    assert page.text == "暴雨预警"
    assert [(link.kind, link.url) for link in page.links] == [("jsdata", "http://a.cn/n/1.html")]


def test_a_program_is_no_data() -> None:
    code = "function f(a) { return a + '/api/v1/login' + 'a long text of three' } f('/list.json'); f('/a/1.html')"
    page = parse(Response("http://a.cn/x.js", 200, {"content-type": "application/javascript"}, code.encode()))
    assert isinstance(page, ParsedPage)
    assert (page.text, [link.url for link in page.links]) == ("", ["http://a.cn/list.json", "http://a.cn/a/1.html"])
    nothing = parse(Response("http://a.cn/x.js", 200, {"content-type": "application/javascript"}, b"function f() {}"))
    assert isinstance(nothing, Failure)
    assert nothing.reason == "empty"


@pytest.mark.slow
def test_quotes_without_end_and_nesting_without_end_take_linear_time() -> None:
    for body in (
        '\\"' * 60_000,
        "'" * 60_001,
        "location" * 20_000,
        "<a " * 50_000,
        "[" * 50_000,
        "document.write" * 20_000,
        "<formaction" * 20_000,
    ):
        page = parse(Response("http://a.cn/x.js", 200, {"content-type": "application/javascript"}, body.encode()))
        assert isinstance(page, ParsedPage | Failure)
        markup = f"<title>t</title><script>{body}</script><p onclick='{body}'>".encode()
        assert isinstance(parse(Response(URL, 200, HTML, markup), ways=Ways(scripts=True)), ParsedPage | Failure)
    forms = "".join(f"<form action={number}></form>" for number in range(20_000))
    for body in ("<" + "a" * 200_000, "<a" * 100_000, "xmlns:" * 30_000, forms):
        page = parse(Response(URL, 200, {"content-type": "application/xhtml+xml"}, f"<html><p>x{body}".encode()))
        assert isinstance(page, ParsedPage | Failure)


# ---- small sites after what loses its lists without these ways, each crawled whole


def article(number: int) -> tuple[str, bytes]:
    return "text/html; charset=utf-8", f"<title>预警 {number}</title>{RAIN}<p>第 {number} 号 {'水' * number}".encode()


def html(text: str) -> tuple[str, bytes]:
    return "text/html; charset=utf-8", text.encode()


FRAME = {
    "/": html(f"<title>部</title>{RAIN}<iframe src=/list.jsp?col=1></iframe>"),
    "/list.jsp?col=1": html("<a href=/n/1.html>一</a><a href=/n/2.html>二</a><p>列表 list of warnings"),
    "/n/1.html": article(1), "/n/2.html": article(2),
}  # fmt: skip
FRAMESET = {
    "/": html("<script>location.replace('/gb/index.htm')</script>"),
    "/gb/index.htm": html("<frameset><frame src=menu.htm><frame src=main.htm></frameset>"),
    "/gb/menu.htm": html("<p>目录 menu<div onclick=\"openPage('/gb/n1.htm')\">一</div>"), "/gb/main.htm": article(3),
    "/gb/n1.htm": article(4),
}  # fmt: skip
DATA = {
    "/": html("<title>提示</title><div id=tips></div><script src=/data/tips.js></script>"),
    "/data/tips.js": ("application/javascript", 'var t=[{"title":"暴雨预警","url":"/w/1.html"}]'.encode()),
    "/w/1.html": article(5),
}
JSON = {
    "/": html("<div id=app></div><script>fetch('/api/list.json').then(function(r){return r.json()})</script>"),
    "/api/list.json": ("application/json", b'{"data":[{"href":"/p/1.html"},{"href":"/p/2.html"}]}'),
    "/p/1.html": article(6), "/p/2.html": article(7),
}  # fmt: skip
OPTIONS = {
    "/": html("<meta http-equiv=refresh content='0;/home.htm'>"),
    "/home.htm": html(f"{RAIN}<select onchange='location=this.value'><option value=/c/1.htm>a</select>"
                      "<textarea style='display:none'><a href=/c/2.htm>b</a></textarea>"),
    "/c/1.htm": article(8), "/c/2.htm": article(9),
}  # fmt: skip
SITES = {"frame": FRAME, "frameset": FRAMESET, "data": DATA, "json": JSON, "options": OPTIONS}


class Site:
    """A site in memory."""

    name = "site"

    def __init__(self, pages: Mapping[str, tuple[str, bytes]]) -> None:
        self.pages = pages

    def fetch(self, url: str) -> Response | Failure:
        found = self.pages.get(url.removeprefix("http://a.cn"))
        return (
            Response(url, 404, {}, b"") if found is None else Response(url, 200, {"content-type": found[0]}, found[1])
        )

    def close(self) -> None:
        pass


def crawl_of(world: Site | RecordingWorld | ArchiveWorld, path: Path) -> Crawl:
    setup = replace(webs.setup("breadth_first", ("http://a.cn/",)))
    fetching = Fetching(Fetcher(world, user_agent=webs.AGENT))
    crawl = Crawl(setup, fetching, Journal(path), Limits(pages=100), snapshot_every=1)
    if crawl.journal.get("config") is None:
        crawl.begin({"strategy": "breadth_first"})
    else:
        crawl.resume()
    return crawl


@pytest.mark.parametrize("name", SITES)
def test_a_site_without_hyperlinks_to_its_lists_is_crawled_whole(name: str, tmp_path: Path) -> None:
    crawl = crawl_of(Site(SITES[name]), tmp_path / "journal.sqlite")
    fetched = {step.url for step in crawl.steps() if step.record.failure is None}
    assert fetched == {f"http://a.cn{path}" for path in SITES[name]}


@pytest.mark.parametrize("name", SITES)
def test_a_crawl_that_stopped_goes_on_as_one_that_did_not(name: str, tmp_path: Path) -> None:
    whole = crawl_of(Site(SITES[name]), tmp_path / "whole.sqlite")
    assert list(whole.steps())
    for number in range(1, len(SITES[name])):
        path = tmp_path / f"{number}.sqlite"
        crawl = crawl_of(Site(SITES[name]), path)
        steps = crawl.steps()
        for _ in range(number):
            next(steps)
        steps.close()
        crawl.journal.close()
        again = crawl_of(Site(SITES[name]), path)
        assert list(again.steps())
        assert webs.trace(again) == webs.trace(whole)


@pytest.mark.parametrize("name", SITES)
def test_a_replay_from_the_archive_has_the_same_trace(name: str, tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path / "warc", {})
    crawl = crawl_of(RecordingWorld(Site(SITES[name]), writer), tmp_path / "journal.sqlite")
    assert list(crawl.steps())
    writer.close()
    replayed = crawl_of(ArchiveWorld(tmp_path / "warc"), tmp_path / "again.sqlite")
    assert list(replayed.steps())
    assert webs.trace(replayed) == webs.trace(crawl)


def test_the_journal_keeps_the_kind_of_each_link(tmp_path: Path) -> None:
    crawl = crawl_of(Site(FRAMESET), tmp_path / "journal.sqlite")
    records = [step.record for step in crawl.steps()]
    kept = [crawl.journal.record(event.seq, crawl.state.setup.sizes) for event in crawl.journal.events_of("outcome")]
    assert [record.page.links for record in kept] == [record.page.links for record in records]
    assert {link.kind for record in kept for link in record.page.links} == {"script", "frame"}


# ---- pages that scripts make


SHELLS = {
    "vue": "<div id=app></div><script src=/js/app.8f3a.js></script>",
    "react": "<noscript>You need to enable JavaScript.</noscript><div id=root></div><script src=/m.js></script>",
    "angular": "<app-root>Loading..</app-root><script src=/main.js type=module></script>",
    "next": "<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{}</script>",
    "nuxt": "<div id=__nuxt><div class=loading></div></div><script>window.__NUXT__={}</script>",
}


@pytest.mark.parametrize("name", SHELLS)
def test_pages_that_scripts_make_are_marked(name: str) -> None:
    head = "<meta name=description content='暴雨预警 平台'><title>预警平台</title>"
    assert read(head + SHELLS[name]).shell
    assert not read(f"{head}{RAIN * 2}{SHELLS[name]}").shell
    assert not read(head + SHELLS[name].replace("script", "template")).shell


def test_a_synthetic_web_of_shells() -> None:
    url = "synthetic:planted?pages=300&seed=3"
    plain, shells, some = (open_world(f"{url}{more}") for more in ("", "&shells=1", "&shells=0.4"))
    assert isinstance(plain, SyntheticWorld)
    marked = 0
    for seed in plain.seeds:
        made, page = shells.fetch(seed), plain.fetch(seed)
        assert isinstance(made, Response)
        found = parse(made)
        assert isinstance(found, ParsedPage)
        assert (found.shell, found.links) == (True, ())
        marked += some.fetch(seed) != page
    assert 0 < marked < len(plain.seeds)
    with pytest.raises(WorldError, match="from 0 to 1"):
        open_world(f"{url}&shells=2")
