"""The URLs in a sitemap, a feed or a list: sitemaps.org, RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom, plain lists, JSON.

XML and plain lists are read as a stream, JSON Feed and lists of JSON as a whole.

The XML of strangers is parsed by expat with nothing that a document could ask for: entities are refused, external
ones are never opened, and depth and the size of a token are limited. A document that is damaged yields what stands
before the damage. A bare ``&`` in a URL, the most common mistake in sitemaps, is no damage; a control character costs
the URL that it is in only. Names of elements count in lower and upper case.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any
from xml.parsers import expat

from crawler.seeds.decoding import PIECE, DamageError

MAX_XML_DEPTH = 100
_MAX_TOKEN = 1 << 20
"""Maximum number of bytes of a tag or a text without an event of the parser."""
_LONGEST_URL = 4096
"""Characters of a URL that are kept; the scope rejects far shorter ones."""
_SITEMAP = frozenset({"url", "sitemap"})
_ITEMS = {"urlset": _SITEMAP, "sitemapindex": _SITEMAP, "rss": {"item"}, "rdf": {"item"}, "feed": {"entry"}}
"""Root of a document -> the elements that have a URL; some sitemaps mix URLs and sitemaps."""
_DATES = frozenset({"lastmod", "pubdate", "dc:date", "updated", "published"})
_LINKS = ("loc", "link", "href", "guid", "about")
"""What an item can call its URL, the best first."""
_JSON_LINKS, _JSON_DATES = ("url", "link", "external_url", "id"), ("date_modified", "date_published", "date")
"""What an item of JSON can call its URL and its day, the best first."""
_HTML = re.compile(r"(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_BARE = re.compile(r"&(?!(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)")
_NO_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")
"""Characters that XML does not allow, which would end the reading; they become U+FFFD."""
_NUMBERED = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_PROLOG = re.compile(r"(?is)(?:(?!<(?:\w+:)?(?:urlset|sitemapindex|rss|rdf|feed)\b).)*?(?=<\?xml\s)")
"""What programs print before the document, such as a warning or a second byte order mark."""
_REFERENCE = 12
"""Characters of the longest reference of ``_BARE``, which may be in two pieces of the text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL of a document, as written in it."""

    url: str
    date: str = ""
    nested: bool = False
    """Whether it is the URL of another sitemap."""
    base: str = ""
    """The URL that the document says its relative ones are joined to, if any."""


def entries(texts: Iterable[str]) -> Iterator[Entry]:
    """Yield the URLs of a document; its form is found from its content.

    Args:
        texts: the text of the document, in pieces.

    Raises:
        DamageError: what follows cannot be read; or the document is neither a sitemap, nor a feed, nor a list.
    """
    pieces = iter(texts)
    start = ""
    for piece in pieces:
        start = (start + piece).lstrip("\ufeff \t\r\n")
        if start:
            break
    before = _PROLOG.match(start, 0, PIECE)
    start = start[before.end() :] if before else start
    if _HTML.match(start):
        raise DamageError("seeds.html_page_neither_sitemap")
    whole = chain((start,), pieces)
    yield from _json(whole) if start.startswith(("{", "[")) else _xml(whole) if start.startswith("<") else _list(whole)


def sitemaps_of_robots(text: str) -> list[str]:
    r"""Return the URLs in the Sitemap lines of a robots.txt.

    >>> sitemaps_of_robots("User-agent: *\nsitemap : https://a.cn/s.xml # all\n")
    ['https://a.cn/s.xml']
    """
    return re.findall(r"^[ \t\ufeff]*site-?map[ \t]*[:：][ \t\u3000\xa0]*(\S+)", text, re.IGNORECASE | re.MULTILINE)


def _list(texts: Iterator[str]) -> Iterator[Entry]:
    """Yield the lines of a text sitemap, which has a URL in each."""
    left = ""
    for text in texts:
        *lines, left = (left + text).replace("\r", "\n").split("\n")
        yield from (Entry(line.strip()[:_LONGEST_URL]) for line in lines if line.strip())
        left = left[:_LONGEST_URL]
    if left.strip():
        yield Entry(left.strip())


def _json(texts: Iterable[str]) -> Iterator[Entry]:
    """Yield the items of a JSON Feed, with its next page, or of a list of objects or URLs."""

    def text_at(fields: Mapping[str, Any], *names: str) -> str:
        return next((text[:_LONGEST_URL] for name in names if isinstance(text := fields.get(name), str) and text), "")

    try:
        document = json.loads("".join(texts))
    except (ValueError, RecursionError) as error:
        raise DamageError("seeds.json_damaged", error=error) from error
    feed = document if isinstance(document, dict) else {"items": document}
    base, items = text_at(feed, "home_page_url"), feed.get("items")
    if not isinstance(items, list):
        raise DamageError("seeds.json_no_items")
    for item in items:
        fields = item if isinstance(item, dict) else {"url": item}
        yield Entry(text_at(fields, *_JSON_LINKS), text_at(fields, *_JSON_DATES), base=base)
    if following := text_at(feed, "next_url"):
        yield Entry(following, nested=True)


def _xml(texts: Iterator[str]) -> Iterator[Entry]:
    reading = _Reading()
    for piece in _with_references(texts):
        damage = reading.feed(piece)
        yield from reading.take()
        if damage:
            raise DamageError(damage)
    damage = reading.feed("", final=True)
    yield from reading.take()
    if damage:
        raise DamageError(damage)


def _with_references(texts: Iterator[str]) -> Iterator[str]:
    """Yield the text with each bare ``&`` written as a reference."""
    left = ""
    for text in texts:
        whole = left + text
        cut = whole.rfind("&", max(0, len(whole) - _REFERENCE))
        whole, left = (whole, "") if cut < 0 else (whole[:cut], whole[cut:])
        yield _referable(whole)
    yield _referable(left)


def _referable(text: str) -> str:
    """Return a text without characters and references that XML does not allow.

    >>> _referable("a?x&y&#X41;&#11;&#xD800;") == "a?x&amp;y&#65;\ufffd\ufffd"
    True
    """
    return _BARE.sub("&amp;", _NO_XML.sub("\ufffd", _NUMBERED.sub(_numbered, text)))


def _numbered(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return "\ufffd" if code > sys.maxunicode or _NO_XML.match(chr(code)) else f"&#{code};"


class _Reading:
    """One pass of expat: the open elements, and the item that is being read."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate("utf-8")
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._parser.StartCdataSectionHandler = lambda: self._cdata(True)
        self._parser.EndCdataSectionHandler = lambda: self._cdata(False)
        self._root = self._prefix = self._base = ""
        self._bases: list[str] = []
        """xml:base of each open element."""
        self._item: dict[str, str] | None = None
        self._item_depth = 0
        self._more: list[str] = []
        """Further <loc> of the item, which some programs write instead of further items, and its other languages."""
        self._texts: list[str] = []
        self._size = 0
        self._is_cdata = False
        self._found: list[Entry] = []
        self._fed = 0

    def feed(self, text: str, *, final: bool = False) -> str:
        """Read a piece of the document; return the damage as a sentence, or nothing."""
        data = text.encode("utf-8", "replace")
        self._fed += len(data)
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            return f"not well-formed in line {error.lineno} ({expat.errors.messages[error.code]}), and not read further"
        except DamageError as error:
            return str(error)
        waiting = self._fed - self._parser.CurrentByteIndex
        return f"it has a tag or text of more than {_MAX_TOKEN:,} bytes" if waiting > _MAX_TOKEN else ""

    def take(self) -> list[Entry]:
        """Return the entries found since the last call."""
        found, self._found = self._found, []
        return found

    def _entity(self, name: str, *_: object) -> None:
        raise DamageError("seeds.declares_entity_refused", name=name[:40])

    def _cdata(self, begins: bool) -> None:
        self._is_cdata = begins

    def _begin(self, tag: str) -> None:
        self._prefix, _, self._root = tag.rpartition(":")
        if self._root not in _ITEMS:
            raise DamageError("seeds.xml_root_neither_sitemap", tag=tag[:40])

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag, attributes = tag.lower(), {name.lower(): value for name, value in attributes.items()}
        if not self._bases:
            self._begin(tag)
        if len(self._bases) >= MAX_XML_DEPTH:
            raise DamageError("seeds.nests_more_than_elements", max_xml_depth=MAX_XML_DEPTH)
        self._bases.append(attributes.get("xml:base") or (self._bases[-1] if self._bases else ""))
        self._texts, self._size = [], 0
        name, depth = tag.removeprefix(f"{self._prefix}:"), len(self._bases)
        if self._item is None and name in _ITEMS[self._root] and depth > 1:
            self._item, self._item_depth = {"about": attributes.get("rdf:about", ""), "base": self._bases[-1]}, depth
        elif self._root == "urlset" and name.endswith(":link") and "href" in attributes:
            self._more += [attributes["href"][:_LONGEST_URL]] if attributes.get("rel") == "alternate" else []
        elif name in ("link", "atom:link") and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate":
                self._linked(attributes["href"][:_LONGEST_URL], depth)
        elif self._item is not None and name == "guid" and attributes.get("ispermalink") == "false":
            self._item.setdefault("guid", "")

    def _linked(self, href: str, depth: int) -> None:
        """Keep the link of an item, or that of the feed itself, which relative links are joined to."""
        if self._item is None:
            self._base = self._base or href
        elif depth == self._item_depth + 1:
            self._item.setdefault("href", href)

    def _text(self, text: str) -> None:
        if self._size <= _LONGEST_URL:
            self._texts.append(text.replace("&amp;", "&") if self._is_cdata else text)
            self._size += len(text)

    def _end(self, tag: str) -> None:
        name, depth = tag.lower().removeprefix(f"{self._prefix}:"), len(self._bases)
        self._bases.pop()
        text = "".join(self._texts).strip()[:_LONGEST_URL]
        self._texts, self._size = [], 0
        if self._item is None:
            if name == "link" and text and depth == 3:  # of the channel
                self._base = self._base or text
            elif name == "loc" and text and depth == 2:  # the element around it was left out
                self._found.append(Entry(text, nested=self._root == "sitemapindex"))
        elif depth == self._item_depth:
            url = next((self._item[key] for key in _LINKS if self._item.get(key)), "")
            nested, base = name == "sitemap", self._item["base"] or self._base
            self._found += [Entry(one, self._item.get("date", ""), nested, base) for one in (url, *self._more)]
            self._item, self._more = None, []
        elif depth == self._item_depth + 1 and text:
            key = "date" if name in _DATES else name
            if key == "loc" and key in self._item:
                self._more.append(text)
            elif key == "date" or key in _LINKS:
                self._item.setdefault(key, text)
