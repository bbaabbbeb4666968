"""Hard pages made from seeds: broken markup, every element and attribute that the reader knows, odd URLs, encodings.

`page` returns the same response for a number on every Python: it uses ``random.Random.random`` only, the one method
whose sequence Python promises to keep.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

from crawler.model import Response
from crawler.pages.plain_pages import RECORD_TYPE

PAGES = 480

PARAGRAPH = (
    "昨日夜间至今日上午，全市普降暴雨，局部大暴雨，城区多处道路积水，消防部门已转移被困群众三百余人，暂无人员伤亡。"
)
WORDS = (
    "暴雨", "洪水", "flood", "Heavy-Rain", "台风预警。", "a", "B c", " ", "\n", "\t x \r\n", "\u3000全角\u3000", "\xa0",
    "&nbsp;", "&amp;", "&lt;b&gt;", "&#x66b4;", "&#0;", "&copy", "&bogus;", "&", "<", "< p", "a|b", " | ", "|", "café",
    "\u200b", "\u2028", "\x0b", "\x1c", "e\u0301", "🌀", PARAGRAPH, PARAGRAPH * 3, "The river rose by two metres. " * 9,
    "2013-11-08 10:23 来源：新华网", "发布时间：2013年11月8日", "8 Nov 2013", "图片来源", "第1页", ".", "。”",
)  # fmt: skip
TAGS = (
    "html", "head", "title", "body", "p", "p", "p", "td", "th", "tr", "table", "tbody", "thead", "tfoot",
    "caption", "col", "colgroup", "li", "li", "ul", "ol", "menu", "dl", "dt", "dd", "h1", "h2", "h3", "h4",
    "h5", "h6", "strong", "b", "i", "em", "u", "s", "font", "span", "small", "big", "center", "div", "div",
    "div", "div", "section", "article", "aside", "main", "nav", "header", "footer", "address", "blockquote",
    "pre", "hr", "br", "br", "img", "img", "a", "a", "a", "a", "a", "map", "area", "form", "input", "button",
    "select", "option", "optgroup", "textarea", "label", "fieldset", "legend", "details", "summary", "dialog",
    "figure", "figcaption", "frameset", "frame", "noframes", "iframe", "object", "embed", "canvas", "svg",
    "math", "script", "style", "template", "noscript", "xmp", "plaintext", "noembed", "meta", "link", "base",
    "time", "abbr", "x-y", "ruby", "rt", "rp", "video", "source", "audio", "track", "wbr", "search", "slot",
    "marquee", "nobr", "applet", "isindex", "image", "listing", "hgroup", "keygen",
)  # fmt: skip
NAMES = (
    "nav", "navbar menu", "main", "footer-x footer", "Sidebar", "content", "breadcrumb", "copyright", "topbar\nx", "",
    "navigation", "contentinfo", "banner", "SEARCH", "complementary", "button",
)  # fmt: skip
HOSTS = (
    "a.cn", "www.a.cn", "A.CN", "b.cn:8080", "a.cn:80", "a.cn:", "a.cn.", "暴雨.cn", "xn--tmvy68h.cn", "[2001:DB8::1]",
    "[::1]:81", "192.168.0.1", "0x7f.1", "1.2.3", "u:p@a.cn", "u@b.cn:99", "a..cn", "a b", "a_b.cn", "-a.cn",
    "a.cn:99999", "%61.cn", "ａ.cn", "", ".", "a.cn%2fx", "localhost", "faß.de", "a.cn:0", "a.cn:443", "[::1",
    "a|b.cn", "xn--.cn",
)  # fmt: skip
STEPS = (
    "news", "2013", "11", "08", "1.html", "x y", "%7euser", "%e6%9a%b4", "暴雨", "..", ".", "%2e", ".%2E", "...", ".x",
    "a;jsessionid=1F", ";JSESSIONID=x", "a;b=1", "", "", "a%", "%%41", "%2541", "%4", "a:b", "x|y", "{z}", "'q'", '"d"',
    "a\tb", "c\nd", "é", "a&amp;b", "~u", "a,b", "(1)", "@", "*", "!", "$", "+", "=", "C:", "C|", "\\", "^", "`", "<i>",
    "index.htm", "20131108", "2013-11-08", "t20131108_1.shtml", "\x7f", "\u00ad",
)  # fmt: skip
QUERIES = (
    "", "", "", "?", "?id=1", "?utm_source=x&id=2", "?PHPSESSID=1", "?a=暴雨&b", "?a=%e6%9A&b=%41", "?'q'", "?a b",
    "?a&amp;b", "?&&x", "?x=?y/../z", "?fbclid=1&gclid=2", "?=&=", "?a=\"<>", "?utm_SOURCE", "?a=🌀", "?%",
    "?u=http://a.cn/",
)  # fmt: skip
FRAGMENTS = ("", "", "", "", "#top", "#", "#!a/b", "#暴雨", "#a b", "#a#b?c")
STARTS = (
    "http://{host}/", "https://{host}/", "//{host}/", "/", "/", "", "", "", "../", "../../", "./", "./../", "//", "///",
    "http:", "https:", "http:/", "HTTP://{host}/", "http:\\\\{host}\\", "\\", " ", "\n/", "\t", "http://{host}",
    "//{host}", "ht\ntp://{host}/", "?", "javascript:", "mailto:", "tel:1", "data:,", "ftp://{host}/", "x+y:", ":",
    "1:", ".", "..", "#", "&#1;/", "about:blank", "file:///", "ws://{host}/", "http:?x", "HTTPS:x", "\u3000/", "\x00",
)  # fmt: skip
URLS = (
    "http://a.cn/news/x.html", "http://a.cn/", "https://www.a.cn:8443/news/2013/11/08/t1?id=7", "http://a.cn/a//b/",
    "http://a.cn/%E6%9A%B4/%7Ex/1", "http://a.cn/a;jsessionid=1/b/c", "http://a.cn/a;b/c", "http://xn--tmvy68h.cn/a/b/c",
    "http://[2001:db8::1]/x/y", "http://A.cn/a/../b/c.html", "http://a.cn/2013-11-08/x.html#y", "http://a.cn./x/y",
    "http://a.cn/x'y/z", "http://u:p@a.cn/x/", "not a url", "http://a.cn/.x/y", "http://a.cn",
)  # fmt: skip
METAS = (
    "name=keywords content='暴雨, flood'", "name=Description content=' a \n b '", "name=robots content='noindex'",
    "name=ROBOTS content='index,NoFollow'", "name=robots content=none", "property=og:title content='OG 标题'",
    "name=pubdate content='2013-11-08T01:02:03+08:00'",
    "property=article:published_time content='Fri, 08 Nov 2013 10:23'",
    "itemprop=datePublished content=20131108", "http-equiv=refresh content='3; url=/next?utm_source=x'",
    "http-equiv=Refresh content=5", "http-equiv=refresh content=\"0;URL='../n.html'\"", "name='' property=x content=y",
    "name=keywords", "content=z", "name=keywords content=second", "http-equiv=refresh content='0;url='", "name content",
)  # fmt: skip
SCRIPTS = (
    "<script type='application/ld+json'>{\"datePublished\": \"2012-07-21T08:00:00\"}</script>",
    "<script TYPE=application/LD+JSON>{broken \"pubDate\" : \"2012-07-22 08:00\"</script>",
    "<script>document.write('<p>暴雨</p>')</script>", "<script><!-- <script> </script> --> flood</script> after",
    "<script type='application/ld+json'></script>", "<style>p{} flood</style>",
    "<noscript><p>暴雨<a href=/no>n</a></noscript>",
    "<template><p>t<a href=/t>t</a></template>",
    "<svg><title>s</title><a href=/s>s</a><style>&lt;/svg&gt;</style></svg>",
    "<math><mi>x</mi><annotation-xml encoding='text/html'><p>m</p></annotation-xml></math>", "<!-- <p>c --!> x -->",
    "<!-->", "<!--->", "<?php echo '-->' ?>", "<![CDATA[ x ]]>", "<!x>", "</>", "</ x>", "<svg><p>breaks out</p>",
    "<iframe src=/f><p>if</p></iframe>", "<object data=x><a href=/o>o</a></object>", "<canvas>c</canvas>",
    "<time pubdate datetime='2013-11-08'>8</time>", "<time itemprop='x datePublished'>2013年11月8日</time>",
    "<time datetime=2001-01-01>no</time>", "<xmp><a href=/x>&amp;</a></xmp>", "<select><option>o<p>x</select>",
    "<table><a href=/foster>f</a><tr><td>t<table><td><a href=/in>i</a></table>",
    "<a href=/o1>o<table><td><a href=/o2>p</a>q</table>r</a>",
)  # fmt: skip
CHARSETS = (
    "utf-8", "gb18030", "gbk", "big5", "utf-16-le", "utf-16-be", "utf-16", "cp1252", "shift_jis", "euc_jp", "koi8-r",
    "iso2022_jp", "utf-8-sig", "euc_kr", "iso8859-2",
)  # fmt: skip
DECLARED = (
    "", "", "utf-8", "gb2312", "GBK", "big5", "iso-8859-1", "utf-16", "shift_jis", "x-gbk", "klingon", "windows-1252",
    "x-euc-jp", "unicode", "us-ascii", "gb18030", "hz", "utf-16le", "euc-kr", "koi8-r",
)  # fmt: skip


class Draw:
    """Random choices that are the same on every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, n: int) -> int:
        """Return an integer in [0, n)."""
        return int(self._random() * n)

    def one(self, items: Sequence[str]) -> str:
        """Return one of the items."""
        return items[self.below(len(items))]

    def chance(self, p: float) -> bool:
        """Return True with probability p."""
        return self._random() < p

    def text(self, most: int = 4) -> str:
        """Return up to ``most`` words."""
        return "".join(self.one(WORDS) for _ in range(self.below(most + 1)))

    def reference(self) -> str:
        """Return the value of an href."""
        start = self.one(STARTS).replace("{host}", self.one(HOSTS))
        return start + "/".join(self.one(STEPS) for _ in range(self.below(4))) + self.one(QUERIES) + self.one(FRAGMENTS)


def page(number: int) -> Response:
    """Return one of the hard pages, 0 <= number < PAGES."""
    draw = Draw(number)
    return KINDS[number % len(KINDS)](draw)


def _html(draw: Draw, text: str, url: str = "", **headers: str) -> Response:
    headers.setdefault("content-type", "text/html; charset=utf-8")
    return Response(url or draw.one(URLS), 200, headers, text.encode("utf-8", "replace"))


def _attributes(draw: Draw) -> str:
    found = []
    for name in ("href", "class", "id", "role", "alt", "title", "rel", "src"):
        if draw.chance(0.5 if name == "href" else 0.15):
            value = {"href": draw.reference, "src": draw.reference}.get(name, lambda: draw.one(NAMES + WORDS[:20]))()
            quote = draw.one(("'", '"', "'"))
            found.append(f" {draw.one((name, name.upper()))}={quote}{value.replace(quote, '')}{quote}")
        elif draw.chance(0.03):
            found.append(draw.one((f" {name}", f" {name}=", ' x"y', " rel='x NoFollow'", " xlink:href=/q", " =", "/")))
    return "".join(found)


def _soup(draw: Draw) -> Response:
    """Any tags in any order."""
    parts = []
    for _ in range(draw.below(120)):
        tag = draw.one(TAGS) if draw.chance(0.9) or draw.chance(0.9) else draw.one(("plaintext", "p"))
        if tag == "plaintext" and draw.chance(0.9):
            tag = "p"
        kind = draw.below(10)
        parts.append(f"<{tag}{_attributes(draw)}>" if kind < 4 else f"</{tag}>" if kind < 6 else draw.text())
        if kind == 9 and draw.chance(0.3):
            parts.append(draw.one(SCRIPTS))
    return _html(draw, "".join(parts))


def _references(draw: Draw) -> Response:
    """Links of every form, under a base, in an encoding that queries are written in."""
    base = f"<base href='{draw.reference()}'>" if draw.chance(0.3) else ""
    links = "".join(
        f'<a href="{draw.reference()}">{draw.one(WORDS[:30])}</a>{draw.one((" ", "", "<br>", "<p>"))}'
        for _ in range(60)
    )
    charset = draw.one(("utf-8", "gb18030", "big5", "utf-8"))
    body = f"<meta charset={charset}>{base}<p>{PARAGRAPH}{links}".encode(charset, "xmlcharrefreplace")
    return Response(draw.one(URLS), 200, {"content-type": f"text/html; charset={charset}"}, body)


def _encodings(draw: Draw) -> Response:
    """A text in one encoding under the declarations of others, cut anywhere."""
    text = "".join(draw.one(WORDS) for _ in range(draw.below(40)))
    declared = [draw.one(DECLARED) for _ in range(4)]
    meta = draw.one((
        f"<meta charset='{declared[0]}'>", f'<?xml version="1.0" encoding="{declared[1]}"?>', "",
        f"<meta http-equiv=Content-Type content='text/html; charset={declared[2]}'>",
    ))  # fmt: skip
    body = f"{meta}<title>{draw.one(WORDS)}</title><p>{text}<a href='/s?q=暴雨'>搜</a>".encode(
        draw.one(CHARSETS), "replace"
    )
    if draw.chance(0.2):
        body = body[: draw.below(len(body) + 1)]
    if draw.chance(0.15):
        at = draw.below(len(body) + 1)
        body = body[:at] + bytes(draw.below(256) for _ in range(draw.below(30))) + body[at:]
    kind = draw.one(("text/html", "text/html", "TEXT/HTML ", "text/plain", "application/xhtml+xml", ""))
    return Response(draw.one(URLS), 200, {"content-type": f"{kind}; charset={declared[3]}"}, body)


def _metadata(draw: Draw) -> Response:
    """Metadata, scripts and dates, in the head and out of it."""
    parts = ["<title>", draw.text(2), "</title>"] if draw.chance(0.8) else []
    for _ in range(draw.below(12)):
        parts.append(f"<meta {draw.one(METAS)}>" if draw.chance(0.5) else draw.one(SCRIPTS))
        if draw.chance(0.2):
            parts.append(
                f"<link rel='{draw.one(('canonical', 'Canonical x', 'alternate'))}' href='{draw.reference()}'>"
            )
        if draw.chance(0.3):
            parts.append(f"<p>{draw.text()}<a href=/{draw.below(5)}>{draw.text(1)}</a>")
    headers = {"x-robots-tag": draw.one(("nofollow", "googlebot: none", "all"))} if draw.chance(0.1) else {}
    return _html(draw, "".join(parts), **headers)


def _list(draw: Draw, depth: int) -> str:
    items = []
    for _ in range(draw.below(5) + 1):
        inside = _list(draw, depth - 1) if depth and draw.chance(0.3) else draw.text(1)
        items.append(
            f"<li><a href='/{draw.below(40)}.html' title='{draw.one(('', 'T t'))}'>{inside}</a>{draw.text(1)}</li>"
        )
    return f"<ul{_attributes(draw)}>{''.join(items)}</ul>"


def _article(draw: Draw) -> Response:
    """A page as sites make them: menu, divisions, article, lists, footer."""
    blocks = []
    for _ in range(draw.below(25) + 2):
        text = draw.text(6)
        blocks.append(draw.one((
            f"<p>{text}</p>", f"<h2>{text}</h2>", f"<div class='{draw.one(NAMES)}'>{text}", "</div>", _list(draw, 2),
            f"<p>{text}<a href='{draw.below(9)}.html'><img alt='{draw.one(WORDS[:8])}' src=x></a></p>",
            f"<p>{text}<strong>{text}</strong>{text}</p>",
            f"<header><h1>{text}</h1></header>", f"<article>{text}", "</article>",
            f"<section role='{draw.one(NAMES)}'>",
            "</section>", f"<form>{text}<input value=v></form>", f"<aside>{text}</aside>", f"<p>{PARAGRAPH}</p>",
            f"<table class={draw.one(('nav', 'x'))}><tr><th>{text}<td>{text}<div>{text}</div></table>",
        )))  # fmt: skip
    head = f"<!DOCTYPE html><head><title>{draw.text(2)}</title><base href='/b/'></head><body>"
    menu = f"<nav>{_list(draw, 1)}</nav><div id='{draw.one(NAMES)}'>{_list(draw, 0)}</div>"
    return _html(draw, f"{head}{menu}{''.join(blocks)}<footer>{draw.text()}</footer>")


def _long(draw: Draw) -> Response:
    """Very many links, deep nesting, one very long text."""
    n = draw.below(700) + 100
    parts = (
        "".join(f"<a href='/{i * 7 % 400}.html?p={i % 3}#{i}'>链接{i}</a> " for i in range(n)),
        "<div>" * n + "<a href=/deep>deep</a>", "<b><a href=/x>" * n + "</a>", "<table><tr><td>x" * min(n, 150),
        f"<p>{'前' * 900}<a href=/w>{'暴雨' * draw.below(300)}</a>{'后' * 900}</p>", "<li><p>x" * n,
        f"<title>{'标题' * n}</title>",
        "<font>" * 60 + "<p>x" * 60, "<ul><li>" * n, f"<p>{'word ' * n}<br>{' ' * n}x",
    )  # fmt: skip
    return _html(draw, "".join(draw.one(parts) for _ in range(3)))


def _record(draw: Draw) -> Response:
    """A record of a corpus, or plain text."""
    if draw.chance(0.4):
        return Response(draw.one(URLS), 200, {"content-type": draw.one(("text/plain", ""))}, draw.text(9).encode())
    links = [{"url": draw.reference(), "anchor": draw.one(WORDS)} for _ in range(draw.below(20))]
    record = {
        "title": draw.text(2),
        "text": draw.text(9),
        "links": links,
        "published": draw.one(("", "2013-11-08", "x")),
    }
    return Response(draw.one(URLS), 200, {"content-type": RECORD_TYPE}, json.dumps(record).encode())


KINDS: tuple[Callable[[Draw], Response], ...] = (
    _soup, _references, _encodings, _metadata, _article, _soup, _references, _long, _article, _metadata, _soup, _record,
)  # fmt: skip
