"""Reading of sources of seeds: fetch or open, follow nested sitemaps, keep what the rules allow, count the rest."""

from __future__ import annotations

import base64
import binascii
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.parsers import expat

from crawler.fetching.robots_file import text_of_robots
from crawler.model import Failure, OutLink, Response
from crawler.pages.dates import latest_day
from crawler.pages.parse import parse
from crawler.scope.hosts import domain
from crawler.seeds.decoding import MAX_BYTES, PIECE, DamageError, json_items, pieces_of, text_of, unpacked
from crawler.seeds.politeness import PoliteFetcher
from crawler.seeds.report import SourceReport
from crawler.seeds.source import SeedError, Source
from crawler.url import canonical, hostname, origin

MAX_DEPTH = 3
"""Levels of sitemaps that list sitemaps."""
MAX_DOCUMENTS = 200
"""Documents that are read for one source."""


@dataclass(frozen=True, slots=True)
class _Document:
    """A document to read: its text, and where it is from."""

    name: str
    texts: Iterator[str]
    url: str = ""
    """Its URL, empty for a file."""


class _Queue:
    """The documents of one source that are to be read, level by level; each is read once."""

    def __init__(self, urls: list[str], site: str, is_named: Callable[[str, str], bool]) -> None:
        self.waiting = deque((url, 0) for url in dict.fromkeys(urls))
        """URL and level of each; an empty URL for the file of the source."""
        self._known = set(urls)
        self._is_named = is_named
        self.homes = frozenset(domain(hostname(url)) for url in [*urls, site] if url)
        """Registrable domains that the sitemaps may speak for; none for a file, which may list any."""

    def offer(self, entry: _Entry, document: _Document, level: int, since: str) -> str | None:
        """Add a nested sitemap, or return the reason why it is not read."""
        url = _canonical(entry.url, document.url)
        if url is None:
            return "malformed_url"
        if url in self._known:
            return "repeated_sitemap"
        if self.homes and domain(hostname(url)) not in self.homes and not self._is_named(document.url, url):
            return "other_domain"
        if level > MAX_DEPTH:
            return "nested_too_deep"
        if since and entry.date and (latest_day(entry.date) or since) < since:
            return "before_since"
        if len(self._known) >= MAX_DOCUMENTS:
            return "too_many_documents"
        self._known.add(url)
        self.waiting.append((url, level))
        return None


class SeedReader:
    """Reader of sources of seeds. One reader takes each URL once, from the first source that has it.

    Reason codes of what is left, besides those of the scope: other_domain (of a sitemap's URL or of a nested sitemap),
    malformed_url, relative_url (in a file without a base), duplicate, over_limit, before_since, undated (where a day is
    asked for), repeated_sitemap, nested_too_deep, too_many_documents, unreadable (a nested sitemap that cannot be
    fetched), and those of `crawler.seeds.reader`.
    """

    def __init__(
        self,
        fetcher: PoliteFetcher,
        decide: Callable[[str], str | None],
        *,
        max_bytes: int = MAX_BYTES,
        on_fetch: Callable[[str], None] = lambda url: None,
    ) -> None:
        """Create a reader.

        Args:
            fetcher: fetches the documents.
            decide: returns the reason why a canonical URL is out of scope, None where it is in scope.
            max_bytes: maximum size of a document, unpacked.
            on_fetch: called with the URL of each document before it is fetched.
        """
        self._fetcher = fetcher
        self._decide = decide
        self._max_bytes = max_bytes
        self._on_fetch = on_fetch
        self._seen: set[str] = set()
        self._sitemaps: dict[str, list[str]] = {}
        """Origin -> the sitemaps that its robots.txt names."""

    def read(self, source: Source) -> SourceReport:
        """Read a source. What fails is a note of the report; what was read before counts.

        Raises:
            SeedError: a query, which needs a graph.
        """
        report = SourceReport(source.text, notes=[source.note] if source.note else [])
        if source.kind == "links":
            self._saved_page(source, report)
        elif source.kind == "query":
            raise SeedError("seeds.seed_query_graph", source_text=source.text)
        elif source.host or source.url.endswith("/robots.txt") or self._is_site(source):
            self._site(source, report)
        else:
            self._documents(source, [source.url], report)
        return report

    def _is_site(self, source: Source) -> bool:
        return source.kind == "sitemap" and source.url == f"{origin(source.url)}/" if source.url else False

    # ---- where documents come from ------------------------------------------------------------------------------

    def _site(self, source: Source, report: SourceReport) -> None:
        """Read the sitemaps that a robots.txt names, else /sitemap.xml."""
        starts = [source.url] if source.url else [f"{scheme}://{source.host}/" for scheme in ("https", "http")]
        for site in (origin(url) for start in starts if (url := canonical(start))):
            reply = self._fetcher.robots(site)
            if isinstance(reply, Failure):
                report.note("files.about", about=f"{site}/robots.txt", error=_why(reply))
            else:
                self._site_by(reply, site, source, report)
                return

    def _site_by(self, reply: Response, site: str, source: Source, report: SourceReport) -> None:
        """Read the sitemaps of an origin by its robots.txt."""
        named = self._sitemaps[site] = _named_sitemaps(reply, site)
        if not named:
            report.note("seeds.no_sitemap", site=site)
        self._documents(source, named or [f"{site}/sitemap.xml"], report, f"{site}/")

    def _documents(self, source: Source, urls: list[str], report: SourceReport, site: str = "") -> None:
        """Read documents and the sitemaps that they list, level by level."""
        queue = _Queue(urls, site, lambda index, nested: bool(site) or self._is_named(index, nested))
        while queue.waiting:
            url, depth = queue.waiting.popleft()
            if len(report.taken) >= source.limit:
                report.left["over_limit"] += 1
                continue
            document = self._opened(source, url, report, nested=depth > 0)
            if document is None:
                continue
            for entry in _until_damage(document, report):
                if entry.nested:
                    reason = queue.offer(entry, document, depth + 1, source.since)
                    report.left.update([reason] if reason is not None else [])
                else:
                    self._take(source, entry, document, queue.homes, report)

    def _is_named(self, index: str, nested: str) -> bool:
        """Return whether the host of a sitemap names it in its robots.txt, or the one that it lists on another host.

        Such a one may list others anywhere, as on a CDN; the URLs in them have to be of the site.
        """
        site = origin(index) if index else ""
        if site and site not in self._sitemaps:
            reply = self._fetcher.robots(site)
            self._sitemaps[site] = [] if isinstance(reply, Failure) else _named_sitemaps(reply, site)
        return not {index, nested}.isdisjoint(self._sitemaps.get(site, ()))

    def _opened(self, source: Source, url: str, report: SourceReport, *, nested: bool) -> _Document | None:
        if source.file is not None and not nested:
            pieces = unpacked(pieces_of(source.file), self._max_bytes)
            return _Document(str(source.file), text_of(pieces))
        self._on_fetch(url)
        fetched = self._fetcher.document(url)
        if isinstance(fetched, Failure):
            report.left["unreadable"] += nested
            report.note("files.about", about=url, error=_why(fetched))
            return None
        pieces = unpacked(pieces_of(fetched.response.body), self._max_bytes)
        return _Document(url, text_of(pieces, fetched.response.headers.get("content-type", "")), url=fetched.final_url)

    # ---- what is taken ------------------------------------------------------------------------------------------

    def _take(
        self, source: Source, entry: _Entry, document: _Document, homes: frozenset[str], report: SourceReport
    ) -> None:
        base = canonical(entry.base, document.url or None) if entry.base else None
        url = _canonical(entry.url, base or document.url) if entry.url else None
        if url is None:
            is_relative = bool(entry.url) and ":" not in entry.url.partition("/")[0] and "\ufffd" not in entry.url
            report.left["relative_url" if is_relative else "malformed_url"] += 1
            return
        day = latest_day(entry.date) if entry.date and source.since else None
        if source.since and (day is None or day < source.since):
            report.left["undated" if day is None else "before_since"] += 1
        elif source.kind == "sitemap" and homes and domain(hostname(url)) not in homes:
            report.left["other_domain"] += 1
        else:
            self._keep(source, url, report)

    def _keep(self, source: Source, url: str, report: SourceReport) -> None:
        reason = self._decide(url)
        if reason is None and url in self._seen:
            reason = "duplicate"
        if reason is None and len(report.taken) >= source.limit:
            reason = "over_limit"
        if reason is not None:
            report.left[reason] += 1
            return
        self._seen.add(url)
        report.taken.append(url)

    def take(self, source: Source, cells: Iterable[object], report: SourceReport) -> None:
        """Take the URLs of a source that were read already, such as a column of a table."""
        for cell in cells:
            if url := canonical(cell) if isinstance(cell, str) else None:
                self._keep(source, url, report)
            else:
                report.left["malformed_url" if cell else "no_url"] += 1

    def _saved_page(self, source: Source, report: SourceReport) -> None:
        if source.file is None:
            raise AssertionError("links: is parsed for files only")
        try:
            body = b"".join(unpacked(pieces_of(source.file), self._max_bytes))
            links: Iterable[tuple[str, str]] = list(_links_of(body, str(source.file)))
        except DamageError as error:
            report.note("seeds.damage", error=error)
            return
        for url, reason in links:
            if reason:
                report.left[reason] += 1
            else:
                self._keep(source, url, report)


def _named_sitemaps(robots: Response, site: str) -> list[str]:
    """Return the canonical URLs of the sitemaps that a robots.txt names."""
    text = (text_of_robots(robots.body) or b"").decode("utf-8", "replace") if robots.is_page else ""
    return [url for line in _sitemaps_of_robots(text) if (url := canonical(line, f"{site}/"))]


def _canonical(url: str, base: str) -> str | None:
    """Return the canonical form of a URL in a document; None also where some of its characters could not be read."""
    return None if "\ufffd" in url else canonical(url, base or None)


def _until_damage(document: _Document, report: SourceReport) -> Iterator[_Entry]:
    """Yield the entries of a document; damage, and a document without any, become notes."""
    is_empty = True
    try:
        for entry in _entries(document.texts):
            is_empty = False
            yield entry
    except DamageError as error:
        report.note("files.about", about=document.name, error=error)
    else:
        if is_empty:
            report.note("seeds.no_urls", document=document.name)


def _why(failure: Failure) -> str:
    return f"{failure.reason} ({failure.detail})" if failure.detail else failure.reason


# ---- the links of a saved result page of a search engine, without those of the engine itself
#
# Engines lead through addresses of their own. Such a link is taken where the target stands in it (Google, Bing, Yahoo,
# DuckDuckGo and many others); an opaque one (Baidu, Sogou) is left, because only the engine knows its target.


_NO_ADDRESS = "http://saved-page.invalid/"
"""The base of a page that does not say where it is from; links that are joined to it are relative ones."""
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)", re.IGNORECASE)
_STATED = re.compile(
    rb"<(?:link\s[^>]*rel=[\"']?canonical|meta\s[^>]*property=[\"']?og:url)[^>]*?(?:href|content)=[\"']?([^\"'>\s]+)",
    re.IGNORECASE,
)
_TARGETS = ("url", "q", "u", "uddg", "target", "to", "dest", "redirect")
"""Parameters in which redirect addresses have their target."""
_IN_PATH = re.compile(r"/RU=([^/]+)/")
_OPAQUE = re.compile(r"/(?:link|url|ck/a|l/?|redirect|r/|jump|goto)(?:$|[/?])")


def _links_of(body: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield (canonical URL, reason code why it is left, or an empty text) of each link of a saved page.

    The reasons are engine_host (a link to the engine's own pages), opaque_redirect and relative_url.

    Args:
        body: bytes of the file.
        name: its name, for messages.

    Raises:
        DamageError: the file is no HTML page.
    """
    page_url = _address(body)
    page = parse(Response(page_url or _NO_ADDRESS, 200, {"content-type": "text/html"}, body))
    if isinstance(page, Failure):
        raise DamageError("files.about", about=name, error=page.detail)
    engine = domain(hostname(page_url)) if page_url else _commonest(page.links)
    for link in page.links:
        if link.url.startswith(_NO_ADDRESS):
            yield link.url, "relative_url"
            continue
        of_engine = domain(hostname(link.url)) == engine
        target = _target_of(link.url) if of_engine else link.url
        if target is None:
            yield link.url, "opaque_redirect" if _OPAQUE.match(urlsplit(link.url).path) else "engine_host"
        else:
            yield target, "engine_host" if domain(hostname(target)) == engine else ""


def _target_of(url: str) -> str | None:
    """Return the target of a redirect address, where the address contains it; else None.

    >>> _target_of("https://www.google.com/url?sa=t&url=http%3A%2F%2Fnews.cn%2F1.html&usg=x")
    'http://news.cn/1.html'
    >>> _target_of("https://www.bing.com/ck/a?!&&p=9&u=a1aHR0cDovL25ld3MuY24vMS5odG1s&ntb=1")
    'http://news.cn/1.html'
    >>> _target_of("http://www.baidu.com/link?url=2rX7Opaque") is None
    True
    """
    parts = urlsplit(url)
    given = dict(reversed(parse_qsl(parts.query)))
    values = [given[name] for name in _TARGETS if name in given]
    in_path = _IN_PATH.search(parts.path)
    if in_path:
        values.append(unquote(in_path[1]))
    for value in values:
        written = _decoded(value) if value.startswith("a1") else value
        if written.startswith(("http://", "https://")):
            return canonical(written)
    return None


def _decoded(value: str) -> str:
    """Return the target in Bing's parameter ``u``: "a1" and base64."""
    code = value[2:]
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return value


def _address(body: bytes) -> str | None:
    """Return the URL that a page was saved from: the mark of browsers, or what the page states."""
    stated = _SAVED_FROM.search(body[:4096]) or _STATED.search(body)
    return canonical(stated[1].decode("utf-8", "replace")) if stated else None


def _commonest(links: tuple[OutLink, ...]) -> str:
    """Return the domain of the most links, which is the engine's on a page of results."""
    count = Counter(domain(hostname(link.url)) for link in links if not link.url.startswith(_NO_ADDRESS))
    return count.most_common(1)[0][0] if count else ""


# ---- the URLs in a sitemap or a feed, read as a stream: sitemaps.org, RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom, plain
# lists; JSON Feed and lists of JSON as a whole
#
# The XML of strangers is parsed by expat with nothing that a document could ask for: entities are refused, external
# ones are never opened, and depth and the size of a token are limited. A document that is damaged yields what stands
# before the damage. A bare ``&`` in a URL, the most common mistake in sitemaps, is no damage; a control character costs
# the URL that it is in only. Names of elements count in lower and upper case.


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
class _Entry:
    """A URL of a document, as written in it."""

    url: str
    date: str = ""
    nested: bool = False
    """Whether it is the URL of another sitemap."""
    base: str = ""
    """The URL that the document says its relative ones are joined to, if any."""


def _entries(texts: Iterable[str]) -> Iterator[_Entry]:
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
    of_json = (_Entry(**item) for item in json_items(whole, _LONGEST_URL))
    yield from of_json if start.startswith(("{", "[")) else _xml(whole) if start.startswith("<") else _list(whole)


def _sitemaps_of_robots(text: str) -> list[str]:
    r"""Return the URLs in the Sitemap lines of a robots.txt.

    >>> _sitemaps_of_robots("User-agent: *\nsitemap : https://a.cn/s.xml # all\n")
    ['https://a.cn/s.xml']
    """
    return re.findall(r"^[ \t\ufeff]*site-?map[ \t]*[:：][ \t\u3000\xa0]*(\S+)", text, re.IGNORECASE | re.MULTILINE)


def _list(texts: Iterator[str]) -> Iterator[_Entry]:
    """Yield the lines of a text sitemap, which has a URL in each."""
    left = ""
    for text in texts:
        *lines, left = (left + text).replace("\r", "\n").split("\n")
        yield from (_Entry(line.strip()[:_LONGEST_URL]) for line in lines if line.strip())
        left = left[:_LONGEST_URL]
    if left.strip():
        yield _Entry(left.strip())


def _xml(texts: Iterator[str]) -> Iterator[_Entry]:
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
        self._found: list[_Entry] = []
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

    def take(self) -> list[_Entry]:
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
                self._found.append(_Entry(text, nested=self._root == "sitemapindex"))
        elif depth == self._item_depth:
            url = next((self._item[key] for key in _LINKS if self._item.get(key)), "")
            nested, base = name == "sitemap", self._item["base"] or self._base
            self._found += [_Entry(one, self._item.get("date", ""), nested, base) for one in (url, *self._more)]
            self._item, self._more = None, []
        elif depth == self._item_depth + 1 and text:
            key = "date" if name in _DATES else name
            if key == "loc" and key in self._item:
                self._more.append(text)
            elif key == "date" or key in _LINKS:
                self._item.setdefault(key, text)
