"""The URLs in a sitemap or a feed, read as a stream: sitemaps.org, RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom, plain lists.

The XML of strangers is parsed by expat with nothing that a document could ask for: entities are refused, external ones
are never opened, and depth and the size of a token are limited. A document that is damaged yields what stands before
the damage. A bare ``&`` in a URL, the most common mistake in sitemaps, is no damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

from crawler.seeds.decoding import DamageError

MAX_DEPTH = 100
MAX_TOKEN = 1 << 20
"""Maximum number of bytes of a tag or a text without an event of the parser."""
LONGEST_URL = 4096
"""Characters of a URL that are kept; the scope rejects far shorter ones."""
_ITEMS = {"urlset": "url", "sitemapindex": "sitemap", "rss": "item", "RDF": "item", "feed": "entry"}
"""Root of a document -> the element that has a URL."""
_DATES = frozenset({"lastmod", "pubDate", "dc:date", "updated", "published"})
_LINKS = ("loc", "link", "href", "guid", "about")
"""What an item can call its URL, the best first."""
_HTML = re.compile(r"(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_BARE = re.compile(r"&(?!(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)")
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
        start = (start + piece).lstrip()
        if start:
            break
    if _HTML.match(start):
        raise DamageError("it is an HTML page, neither a sitemap nor a feed")
    whole = _again(start, pieces)
    yield from _xml(whole) if start.startswith("<") else _list(whole)


def sitemaps_of_robots(text: str) -> list[str]:
    r"""Return the URLs in the Sitemap lines of a robots.txt.

    >>> sitemaps_of_robots("User-agent: *\nsitemap : https://a.cn/s.xml # all\n")
    ['https://a.cn/s.xml']
    """
    lines = re.finditer(r"^[ \t\ufeff]*sitemap[ \t]*:[ \t]*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    return [line[1] for line in lines]


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _list(texts: Iterator[str]) -> Iterator[Entry]:
    """Yield the lines of a text sitemap, which has a URL in each."""
    left = ""
    for text in texts:
        *lines, left = (left + text).split("\n")
        yield from (Entry(line.strip()[:LONGEST_URL]) for line in lines if line.strip())
        left = left[:LONGEST_URL]
    if left.strip():
        yield Entry(left.strip())


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
        yield _BARE.sub("&amp;", whole)
    yield _BARE.sub("&amp;", left)


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
        return f"it has a tag or text of more than {MAX_TOKEN:,} bytes" if waiting > MAX_TOKEN else ""

    def take(self) -> list[Entry]:
        """Return the entries found since the last call."""
        found, self._found = self._found, []
        return found

    def _entity(self, name: str, *_: object) -> None:
        raise DamageError(f"it declares the entity {name[:40]!r}, which is refused")

    def _cdata(self, begins: bool) -> None:
        self._is_cdata = begins

    def _begin(self, tag: str) -> None:
        self._prefix, _, self._root = tag.rpartition(":")
        if self._root not in _ITEMS:
            raise DamageError(f"it is XML with the root <{tag[:40]}>, neither a sitemap nor a feed")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._bases:
            self._begin(tag)
        if len(self._bases) >= MAX_DEPTH:
            raise DamageError(f"it nests more than {MAX_DEPTH} elements, and was not read further")
        self._bases.append(attributes.get("xml:base") or (self._bases[-1] if self._bases else ""))
        self._texts, self._size = [], 0
        name, depth = tag.removeprefix(f"{self._prefix}:"), len(self._bases)
        if self._item is None and name == _ITEMS[self._root] and depth > 1:
            self._item, self._item_depth = {"about": attributes.get("rdf:about", ""), "base": self._bases[-1]}, depth
        elif name in ("link", "atom:link") and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate":
                self._linked(attributes["href"][:LONGEST_URL], depth)
        elif self._item is not None and name == "guid" and attributes.get("isPermaLink") == "false":
            self._item.setdefault("guid", "")

    def _linked(self, href: str, depth: int) -> None:
        """Keep the link of an item, or that of the feed itself, which relative links are joined to."""
        if self._item is None:
            self._base = self._base or href
        elif depth == self._item_depth + 1:
            self._item.setdefault("href", href)

    def _text(self, text: str) -> None:
        if self._size <= LONGEST_URL:
            self._texts.append(text.replace("&amp;", "&") if self._is_cdata else text)
            self._size += len(text)

    def _end(self, tag: str) -> None:
        name, depth = tag.removeprefix(f"{self._prefix}:"), len(self._bases)
        self._bases.pop()
        text = "".join(self._texts).strip()[:LONGEST_URL]
        self._texts, self._size = [], 0
        if self._item is None:
            if name == "link" and text and depth == 3:  # of the channel
                self._base = self._base or text
        elif depth == self._item_depth:
            url = next((self._item[key] for key in _LINKS if self._item.get(key)), "")
            nested, base = self._root == "sitemapindex", self._item["base"] or self._base
            self._found.append(Entry(url, self._item.get("date", ""), nested, base))
            self._item = None
        elif depth == self._item_depth + 1 and text:
            key = "date" if name in _DATES else name
            if key == "date" or key in _LINKS:
                self._item.setdefault(key, text)
