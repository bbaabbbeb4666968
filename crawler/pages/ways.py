"""The ways out of a page besides its hyperlinks, each with its kind. Nothing is run: addresses are read.

An address that a script computes cannot be read; it is listed among the links that are not followed.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from crawler.pages.directives import header_links
from crawler.scope.hosts import domain
from crawler.url import canonical, hostname

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

ANCHOR, FRAME, REFRESH, SCRIPT, OPTION, RELATION, NOSCRIPT, SVG, DATA, JSDATA, DOCUMENT = KINDS = (
    "anchor", "frame", "refresh", "script", "option", "relation", "noscript", "svg", "data", "jsdata", "document",
)  # fmt: skip
"""Kinds of links: hyperlinks; frames; refreshes of the page or its header; addresses in scripts and handlers; options
of a list; <link> to the next page or another form; what is shown without scripts; drawings; attributes and hidden lists
that scripts show; data files that scripts load, and the addresses in them; links in PDF and Word files."""
SWITCHED_OFF, COMPUTED, HIDDEN_FRAME, OTHER_FORM, LIBRARY, BAD_REFRESH, BUTTON, FORM, SHOWN = UNFOLLOWED = (
    "switched_off", "computed_url", "hidden_frame", "other_form", "script_library", "bad_refresh", "share_or_ad",
    "form", "shown_markup",
)  # fmt: skip
"""Reason codes of ways that are not followed."""
FEW_WORDS = 50
"""Words of a page below which the data that its scripts load are read."""
MANY_CHARS = 20 * FEW_WORDS
"""Characters of a page that has many words without a count."""
_LONGEST = 1_000_000
"""Characters of a script that are read."""
_MOST = 1_000
"""Addresses that are taken of one script or data file."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Which kinds of links a crawl follows."""

    without: frozenset[str] = frozenset()
    """Kinds that are not followed (`KINDS`)."""
    scripts: bool = False
    """Whether the data files of every page are read, not only those of pages with few words."""


ALL_WAYS = Ways()
_BUTTON = re.compile(
    r"facebook\.com/(?:v[\d.]+/)?(?:plugins|sharer|dialog|share)|twitter\.com/(?:intent|share|home|widgets)|getpocket"
    r"|pinterest\.\w+/pin/|linkedin\.com/(?:share|cws)|(?:plus|apis)\.google|\b(?:service|widget)\.weibo|qzone"
    r"|\bt\.qq\.com/share|connect\.qq|reddit\.com/submit|vk\.com/share|addtoany|addthis|disqus|[/.]share(?:[/?.]|$)"
    r"|\bad(?:s|server|link|stream|serve|view|click|tech)?\d*[./_]|doubleclick|googlesyndication|smartadserver|smartads"
    r"|googletagmanager|realmedia|taboola|outbrain|criteo|/hserver/|//log\.|captcha|showkey|\bcounter"
    r"|fonts\.googleapis|log-?in\b|sign-?in\b"
)
"""Addresses of buttons for sharing and to log in, of advertisements and counters."""


def is_button(href: str) -> bool:
    """Return whether an address is that of a button for sharing or to log in, an advertisement or a counter.

    >>> is_button("https://www.facebook.com/sharer/sharer.php?u=x"), is_button("http://www.stats.gov.cn/address/")
    (True, False)
    """
    return _BUTTON.search(href.lower()) is not None


class Way(NamedTuple):
    """A way out of a page that is no hyperlink."""

    kind: str
    href: str
    reason: str | None = None
    """Reason code where it is not followed."""
    nofollow: bool = False
    """Whether its rel attribute forbids to follow it."""


# ---- refreshes: the "shared declarative refresh steps" of the HTML standard


_REFRESH = re.compile(r"[ \t\n\f\r]*(?:[0-9]+|(?=\.))[0-9.]*(?:$|(?=[;, \t\n\f\r])[ \t\n\f\r]*[;,]?[ \t\n\f\r]*)")
_URL_IS = re.compile(r"url[ \t\n\f\r]*=[ \t\n\f\r]*", re.IGNORECASE)


def refresh(content: str) -> Way | None:
    """Return the way of a refresh, from the content of its ``<meta>`` or its header; None to the page itself.

    >>> refresh("0;/next/a.html").href, refresh("5 url='/b?x=1' more").href, refresh("0, http://a.cn/show.php?id=7").href
    ('/next/a.html', '/b?x=1', 'http://a.cn/show.php?id=7')
    >>> refresh("300"), refresh("URL=/a")
    (None, Way(kind='refresh', href='URL=/a', reason='bad_refresh', nofollow=False))
    """
    found = _REFRESH.match(content)
    if found is None:
        return Way(REFRESH, content, BAD_REFRESH) if content.strip() else None
    rest = content[found.end() :]
    named = _URL_IS.match(rest)
    if named:
        rest = rest[named.end() :]
    if rest[:1] in ("'", '"'):
        rest = rest[1:].partition(rest[0])[0]
    return Way(REFRESH, rest) if named or rest.strip() else None


def header_ways(headers: Mapping[str, str], url: str) -> list[Way]:
    """Return the ways in the headers Refresh and Link of a response; those of Link are joined to its URL.

    >>> header_ways({"link": '<?p=2>; rel="next", </feed>; rel=alternate; type="application/rss+xml"'}, "http://a.cn/x")[0]
    Way(kind='relation', href='http://a.cn/x?p=2', reason=None, nofollow=False)
    """
    moved = refresh(headers.get("refresh", ""))
    related = [way for link in header_links(headers.get("link", "")) for way in relation_ways(link)]
    joined = (way._replace(href=canonical(way.href, url) or way.href) for way in related)
    return [*([moved] if moved else ()), *joined]


# ---- addresses in scripts


_LITERAL = re.compile("|".join(r"Q([^Q\\\n]*(?:\\.[^Q\\\n]*)*)(Q?)".replace("Q", quote) for quote in "\"'`"), re.DOTALL)
"""A string of a script; without its end where it has none, so that a search takes linear time."""
_MOVES = re.compile(r"location(?:\s*\.\s*(?:href\b|assign\b|replace\b))?\s*(=(?![=>])|\()\s*")
_OPENS = re.compile(r"\bwindow\s*\.\s*open\s*\(\s*")
_OWNER = re.compile(r"(?:(\w+)\s*\.\s*|([\w$]|\b(?:var|let|const)\s+))$")
_OWNERS = frozenset({"window", "self", "top", "parent", "document", "this", "opener", "frames"})
_AFTER = re.compile(r"\s*(\+|\.\s*(?:concat|replace)\b)")
_PLUS = re.compile(r"\s*\+\s*(?=[\"'])")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_WRITTEN = re.compile(
    r"""<(?:a|area|i?frame)\b[^<>]*?\b(?:href|src)\s*=\s*\\?(?:(["'])([^"'<>]*?)\\?\1|([^\s"'<>\\]+))""", re.IGNORECASE
)
_TRACKS = re.compile(r"_gaq|_hmt|\bga\s*\(|gtag|dataLayer|track|\blog\w*\s*\(|analytics|share|statist", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?:)?//[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]{r}*)?|/(?![/*]){r}*\w{r}*|\.\.?/{r}*\w{r}*"
    r"|[\w%./-]*[\w-]\.(?:s?html?|jspx?|php\d?|aspx?|do|action|cgi)(?:[?#]{r}*)?|\?[\w-]+={r}+".replace(
        "{r}", r"[^\s<>{}|\\^`\"'$]"
    )
)
"""What looks like the address of a page: with a host, from the root or a directory, a file of a page, a query."""
_QUOTED_FILE = re.compile(
    r"""["'`]([^"'`\s<>{}|\\^$]{1,500}?\.(?:s?html?|jspx?|php\d?|aspx?|do|action|jso?n?)(?:\?[^"'`\s<>{}|\\^$]*)?)["'`]"""
)
"""Files of pages and of data in the strings of a program."""
_DATA_FILE = re.compile(r"[^\s<>{}|\\^`\"'$*]*[\w-]\.jso?n?(?:\?[^\s<>{}|\\^`\"'$]*)?", re.ASCII)
_LIBRARY = re.compile(
    r"jquery|bootstrap|\bvue|react|angular|swiper|layui|layer|echarts|highcharts|modernizr|respond|html5|polyfill|require"
    r"|lodash|underscore|moment|axios|slick|fancybox|superslide|webpack|runtime|vendor|chunk|bundle|analytics|\bga\.|gtag"
    r"|\bhm\.js|share|stat(?:s|istics?)?\.|count(?:er)?\.|cookie|wp-includes|wp-content|[.-]min\.js|[.-][0-9a-f]{8,}\.",
    re.IGNORECASE,
)
_CODE = re.compile(r"\bfunction\b|=>|\breturn\b|\bif\s*\(|\bnew\s")
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\\])//[^\n]*", re.DOTALL)
_PROSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]|\w+\s+\w+\s+\w+")
_TAG = re.compile(r"<[^<>]*>")


def _value(literal: re.Match[str]) -> str:
    r"""Return the text of a literal without its escapes; empty for one without an end.

    >>> _value(_LITERAL.match(r"'http:\/\/a.cn\/\u96e8'"))
    'http://a.cn/雨'
    """
    text = (literal[1] or literal[3] or literal[5] or "") if literal[2] or literal[4] or literal[6] else ""
    return _plain(text)


def _plain(text: str) -> str:
    """Return a text without the escapes of a script."""
    if "\\" in text:
        text = text.replace("\\/", "/").replace("\\u002F", "/")
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else {"n": "\n", "t": "\t", "r": "\r", "\n": ""}.get(escape[3], escape[3])


def is_address(text: str) -> bool:
    """Return whether a text looks like the address of a page.

    >>> [is_address(text) for text in ("/city/1.html", "news.jsp?col=1", "//a.cn", "rain", "text/html", "/", "1.5")]
    [True, True, True, False, False, False, False]
    """
    return len(text) < 1024 and _ADDRESS.fullmatch(text) is not None


def script_ways(code: str) -> Iterator[Way]:
    """Yield where a script moves the page, what it opens, and the links that it writes.

    >>> code = "if (x) { top.location = '/a' } window.open('b.html'); location.href = base + '/c'; location = '/d' + id"
    >>> [way[1:3] for way in script_ways(code)]
    [('/a', None), ("base + '/c'", 'computed_url'), ('/d', 'computed_url'), ('b.html', None)]
    """
    if "location" in code:
        for move in _MOVES.finditer(code):
            if (move[1] == "=") or not code[move.start() : move.end()].startswith("location("):
                yield from _argument(code, move.start(), move.end())
    if "window.open" in code:
        for opened in _OPENS.finditer(code):
            yield from _argument(code, opened.start(), opened.end(), owned=False)
    if "document.write" in code:
        yield from _written(code)


def _argument(code: str, start: int, end: int, *, owned: bool = True) -> Iterator[Way]:
    """Yield the address that a script assigns or passes, which begins at ``end``; none for that of the page itself."""
    owner = _OWNER.search(code, max(0, start - 24), start) if owned else None
    if owner is not None and (owner[2] or owner[1] not in _OWNERS):
        return
    literal = _LITERAL.match(code, end)
    if literal is None:
        computed = re.split(r"[;\n})]", code[end : end + 200], maxsplit=1)[0].strip()
        if computed and "location" not in computed and not computed.startswith(("null", "void", "false")):
            yield Way(SCRIPT, computed, COMPUTED)
        return
    text = _value(literal)
    while (plus := _PLUS.match(code, literal.end())) and (more := _LITERAL.match(code, plus.end())):
        literal, text = more, text + _value(more)
    if not text.strip() or text.strip().lower() in ("about:blank", "_blank"):
        return
    ends_computed = _AFTER.match(code, literal.end()) is not None or (code[end] == "`" and "${" in text)
    yield Way(SCRIPT, text, COMPUTED if ends_computed else None)


def _written(code: str) -> Iterator[Way]:
    """Yield the links in the markup that a script writes."""
    for href in map(_plain, _hyperlinks(code[:_LONGEST])):
        if "${" not in href and href[-1] not in "=+":
            yield Way(SCRIPT, href, COMPUTED if "{" in href or "<%" in href else None)


def _hyperlinks(markup: str) -> Iterator[str]:
    """Yield the addresses of the links in markup that the parser of the page has not read."""
    found = (link[2] or link[3] or "" for link in _WRITTEN.finditer(markup))
    return (href.replace("&amp;", "&") for href in found if href)


@lru_cache(maxsize=1 << 12)
def handler_ways(code: str) -> tuple[Way, ...]:
    """Return the ways of an event handler, or of a ``javascript:`` address: also of addresses passed to functions.

    >>> handler_ways("javascript:openNews('/j.html', 'w')"), handler_ways("_hmt.push(['_trackEvent', '/x'])")
    ((Way(kind='script', href='/j.html', reason=None, nofollow=False),), ())
    """
    found = (*script_ways(code),)
    if found or _TRACKS.search(code):
        return found
    texts = (_value(literal).strip() for literal in _LITERAL.finditer(code[:_LONGEST]))
    return tuple(Way(SCRIPT, text) for text in texts if is_address(text))


# ---- data that scripts load: JSON and scripts that are lists


def literals(code: str) -> Iterator[str]:
    """Yield the strings of a script or JSON text, without names of properties and without escapes."""
    code = code[:_LONGEST]
    for literal in _LITERAL.finditer(code):
        if code[literal.end() : literal.end() + 1] != ":" and (text := _value(literal)):
            yield text


def is_data(code: str) -> bool:
    """Return whether a script is a list of values, and no program.

    >>> is_data('var tips = {"title": "rain (new)"};'), is_data('callback([{"url": "/a"}])'), is_data("if (a) b()")
    (True, True, False)
    """
    return _CODE.search(_LITERAL.sub("", _COMMENT.sub("", code[:_LONGEST]))) is None


def _data_ways(texts: Iterable[str]) -> list[Way]:
    """Return the addresses among the strings of a script or data file, each once."""
    found: dict[str, Way] = {}
    for text in texts:
        if "<" in text:
            found |= {href: Way(JSDATA, href) for href in _hyperlinks(text)}
        elif ("/" in text or "." in text or text[:1] == "?") and " " not in (text := text.strip()):
            if _DATA_FILE.fullmatch(text):
                found[text] = Way(JSDATA, text, LIBRARY if _LIBRARY.search(text) else None)
            elif is_address(text):
                found[text] = Way(JSDATA, text)
    return [*islice(found.values(), _MOST)]


def data_texts(texts: Iterable[str]) -> list[str]:
    """Return the strings of a data file that are for readers, each once, without markup.

    >>> data_texts(["暴雨预警", "#ff0000", "<p>Heavy rain is expected</p>", "id-1"])
    ['暴雨预警', 'Heavy rain is expected']
    """
    plain = (" ".join((_TAG.sub(" ", text) if "<" in text else text).split()) for text in texts)
    return [*dict.fromkeys(text for text in plain if _PROSE.search(text))]


def _json_texts(value: object) -> Iterator[str]:
    """Yield the strings among the values of a JSON document, in order, without recursion."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            stack.extend(reversed([*item.values()]))
        elif isinstance(item, list):
            stack.extend(reversed(item))


def read_data(text: str) -> tuple[list[Way], list[str]]:
    """Return the addresses and the texts for readers of a JSON document or a script.

    Of a program only the files of pages and of data count, and no text.
    """
    try:
        texts = [*_json_texts(json.loads(text))]
    except (ValueError, RecursionError):  # a script, also one that only assigns or passes JSON
        if not is_data(text):
            return _data_ways(file[1] for file in _QUOTED_FILE.finditer(text[:_LONGEST])), []
        texts = [*literals(text)]
    return _data_ways(texts), data_texts(texts)


# ---- the ways in the markup of a page


_HANDLERS = ("onclick", "ondblclick", "onload", "onmousedown", "onmouseup", "ontouchstart", "ontouchend")
_EMBEDDED = {"object": "data", "embed": "src"}
_ADDRESSES = ("data-href", "data-url", "data-link", "data-uri", "ng-href", "routerlink")
_HANDLED = f"{','.join(f'[{name}]' for name in (*_HANDLERS, *_ADDRESSES))},svg a,object[data],embed[src]"
_FORMS = "form[action],[formaction]"
_RAW = "xmp,plaintext,textarea"
"""Elements whose markup is shown as it is, so that its links are none for readers."""
_UNREAD = "a,area,iframe[src],meta[http-equiv]"
_RELATIONS = frozenset({"next", "prev", "alternate"})
_CHOOSES = re.compile(r"(?:location(?:\s*\.\s*href)?\s*=|open\s*\(|(?:assign|replace|href|jump\w*|go\w*)\s*\()", re.I)
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NO_SIZE = re.compile(r"\s*[01](?:px)?\s*")
_FEED = re.compile(r"\b(?:rss|atom|feeds?)\b", re.IGNORECASE)
_HTML = ("", "text/html", "application/xhtml+xml")
_TEMPLATE = re.compile(r"<(/?)template\b([^>]*)>", re.IGNORECASE)
_LAZY = re.compile(r"hid|lazy|none|render", re.IGNORECASE)
"""Classes of the hidden <textarea> elements of portals, whose markup a script shows."""
_HYPERLINK = re.compile(r"<a\s[^>]*\bhref", re.IGNORECASE)


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Return whether the attributes of an element hide it."""
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _HIDES.search(style))


def is_hidden_list(textarea: LexborNode) -> bool:
    """Return whether a <textarea> is a hidden list of links, which a script of the page shows."""
    if not _HYPERLINK.search(textarea.text()):
        return False
    above: LexborNode | None = textarea
    named = f"{textarea.attributes.get('class') or ''} {textarea.attributes.get('id') or ''}"
    while above is not None and not is_hidden(above.attributes):
        above = above.parent
    return above is not None or bool(_LAZY.search(named))


def frame_way(attributes: Mapping[str, str | None]) -> Way | None:
    """Return the way of a frame; None for one without an address. One that nobody sees is not followed."""
    src = (attributes.get("src") or "").strip()
    if not src or src.lower().startswith(("about:", "javascript:")):
        src = (attributes.get("data-src") or src).strip()
    if not src:
        return None
    size = [attributes.get(name) or "" for name in ("width", "height")]
    unseen = is_hidden(attributes) or any(_NO_SIZE.fullmatch(value) for value in size)
    return Way(FRAME, src, HIDDEN_FRAME if unseen else BUTTON if is_button(src) else None)


def with_shadow_roots(text: str) -> str:
    """Return a page in which declarative shadow roots are elements; the HTML parser leaves templates out of the tree.

    >>> with_shadow_roots('<template shadowrootmode="open"><template>a</template><p>b</template>')
    '<section><template>a</template><p>b</section>'
    """
    open_: list[bool] = []

    def replaced(tag: re.Match[str]) -> str:
        if not tag[1]:
            open_.append("shadowroot" in tag[2].lower())
            return "<section>" if open_[-1] else tag[0]
        return "</section>" if open_ and open_.pop() else tag[0]

    return _TEMPLATE.sub(replaced, text)


_PREFIX = re.compile(r"""xmlns:([A-Za-z_][\w.-]*)\s*=\s*["']http://www\.w3\.org/1999/xhtml["']""")
_CDATA = re.compile(r"(<(script|style)\b.*?</\2\s*>)|<!\[CDATA\[(.*?)\]\]>", re.IGNORECASE | re.DOTALL)
_EMPTY = re.compile(
    r"<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)\b)([a-zA-Z][\w.-]*+)([^<>]*)/>"
)
"""An empty element of XML; HTML has tags for empty elements, and goes on in any other."""


def html_of_xml(text: str, *, is_xml: bool) -> str:
    """Return a page in XHTML as the HTML parser reads it: no prefixes and CDATA sections; empty elements have end tags.

    Args:
        text: the page.
        is_xml: whether the page is XHTML by its type; prefixes are read in every page that declares one.

    >>> html_of_xml('<h:p xmlns:h="http://www.w3.org/1999/xhtml"><h:script src="a.js"/><h:br/></h:p>', is_xml=True)
    '<p xmlns:h="http://www.w3.org/1999/xhtml"><script src="a.js"></script><br/></p>'
    >>> html_of_xml("<p><![CDATA[1 < 2]]></p><script><![CDATA[1 < 2]]></script>", is_xml=True)
    '<p>1 &lt; 2</p><script><![CDATA[1 < 2]]></script>'
    """
    if "xmlns:" in text and (prefixes := {*_PREFIX.findall(text)}):
        text = re.sub(rf"(</?)(?:{'|'.join(map(re.escape, sorted(prefixes)))}):(?=[a-zA-Z])", r"\1", text)
    if is_xml:
        text = _CDATA.sub(lambda found: found[1] or html.escape(found[3]), text)
    return _EMPTY.sub(r"<\1\2></\1>", text) if is_xml else text


def markup_ways(tree: LexborHTMLParser, nodes: Iterable[LexborNode], url: str, *, data: bool) -> list[Way]:
    """Return the ways in the markup of a page that are neither hyperlinks, frames, refreshes nor relations.

    Args:
        tree: the page.
        nodes: its elements script, option, and those whose text is not read, that are not inside of another one.
        url: its URL.
        data: whether to read the data that its scripts load.
    """
    found: list[Way] = []
    for node in nodes:
        if node.tag == "script":
            found += _of_script(node, url, data=data)
        elif node.tag == "option":
            found += _of_option(node)
        else:
            found += _of_noscript(node)
    for node in tree.css(_HANDLED):
        attributes = node.attributes
        for name in _HANDLERS:
            if code := attributes.get(name):
                found += handler_ways(code)
        value = next((value for name in _ADDRESSES if (value := attributes.get(name))), "").strip()
        if is_address(value):
            found.append(Way(DATA, value))
        in_svg = node.tag == "a" and _above(node, "svg") is not None
        if node.tag == "a" and (href := (in_svg and attributes.get("href")) or attributes.get("xlink:href")):
            found.append(Way(SVG, href, nofollow=is_nofollow(attributes)))
        value = attributes.get(_EMBEDDED.get(node.tag or "", "")) or ""
        if is_address(value) and (attributes.get("type") or "").lower() in _HTML:
            found.append(Way(FRAME, value))
    found += (way for node in tree.css(_FORMS) for way in _of_form(node))
    for node in tree.css(_RAW):
        if node.tag != "textarea" or not is_hidden_list(node):
            found += (Way(DATA, href, SHOWN) for href in _hyperlinks(node.text()))
    return found


def is_nofollow(attributes: Mapping[str, str | None]) -> bool:
    """Return whether the rel attribute of a hyperlink forbids to follow it."""
    return "nofollow" in (attributes.get("rel") or "").lower().split()


def _above(node: LexborNode, tag: str) -> LexborNode | None:
    """Return the nearest element of a name around an element."""
    above = node.parent
    while above is not None and above.tag != tag:
        above = above.parent
    return above


def _of_form(node: LexborNode) -> Iterator[Way]:
    """Yield where a form or one of its buttons leads, which depends on what is filled in; none where data are sent."""
    attributes = node.attributes
    form = node if node.tag == "form" else _above(node, "form")
    method = attributes.get("formmethod") or (form.attributes.get("method") if form is not None else "") or ""
    target = (attributes.get("action" if node.tag == "form" else "formaction") or "").strip()
    if target and target[0] != "#" and method.strip().lower() not in ("post", "dialog"):
        yield Way(SCRIPT, target, FORM)


def _of_noscript(element: LexborNode) -> Iterator[Way]:
    """Yield the ways in <noscript>, or in the replacement of an embedded object, whose text is not read."""
    for node in element.css(_UNREAD):
        tag, attributes = node.tag, node.attributes
        way: Way | None = None
        if tag == "meta":
            way = refresh(attributes.get("content") or "") if _is_refresh(attributes) else None
        elif tag == "iframe":
            way = frame_way(attributes)
        elif href := attributes.get("href"):
            way = Way(NOSCRIPT, href, nofollow=is_nofollow(attributes))
        if way is not None:
            yield way._replace(kind=NOSCRIPT)


def _is_refresh(attributes: Mapping[str, str | None]) -> bool:
    return (attributes.get("http-equiv") or "").lower() == "refresh"


def _of_option(node: LexborNode) -> list[Way]:
    value = (node.attributes.get("value") or "").strip()
    if not value or value[0] == "#" or value.isdigit():
        return []
    if is_address(value):
        return [Way(OPTION, value)]
    above = node.parent
    while above is not None and above.tag == "optgroup":
        above = above.parent
    handler = (above.attributes.get("onchange") or "") if above is not None else ""
    if not _CHOOSES.search(handler):
        return []
    return [Way(OPTION, value, COMPUTED if "+" in handler else None)]


_ROOTS = (
    "#app,#root,#__next,#__nuxt,#___gatsby,#q-app,#svelte,#main-app,#app-root,app-root,my-app,[ng-app],[ng-version],"
    "[data-reactroot],[data-v-app],[v-cloak]"
)
_ROOT_CHARS = 100
"""Characters of a root element that may stand in it until its page is made: "loading"."""


def is_shell(tree: LexborHTMLParser) -> bool:
    """Return whether a page of few words has scripts, and a root element in which they make its content."""
    if tree.css_first("script") is None:
        return False
    return any(len(" ".join(node.text().split())) < _ROOT_CHARS for node in tree.css(_ROOTS))


def relation_ways(attributes: Mapping[str, str | None]) -> list[Way]:
    """Return the way of a ``<link>`` to the next page or to another form of the page; none for other relations."""
    relations = (attributes.get("rel") or "").lower().split()
    href = attributes.get("href")
    if not href or _RELATIONS.isdisjoint(relations) or "stylesheet" in relations:
        return []
    type_ = (attributes.get("type") or "").strip().lower()
    is_feed = type_ not in _HTML or _FEED.search(href) is not None
    return [Way(RELATION, href, OTHER_FORM if is_feed else None)]


def _of_script(node: LexborNode, url: str, *, data: bool) -> list[Way]:
    attributes = node.attributes
    if src := (attributes.get("src") or "").strip():
        if not data or not _same_site(src, url):
            return []
        return [Way(JSDATA, src, LIBRARY if _LIBRARY.search(src) else None)]
    type_ = (attributes.get("type") or "").lower()
    if "template" in type_ or "html" in type_:
        return [way._replace(kind=DATA) for way in _written(node.text())]
    if "ld+json" in type_:
        return []
    code = node.text()[:_LONGEST]
    found = [*script_ways(code)]
    if data:
        known = {way.href for way in found}
        found += [way for way in read_data(code)[0] if way.href not in known]
    return found


def _same_site(src: str, url: str) -> bool:
    """Return whether a script is of the site of the page."""
    if "//" not in src.partition("?")[0]:
        return src[:5].lower() != "data:"
    other = hostname(f"http:{src[src.index('//') :]}")
    return domain(other) == domain(hostname(url))
