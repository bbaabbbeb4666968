"""Reading of sources of seeds: fetch or open, follow nested sitemaps, keep what the rules allow, count the rest."""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from crawler.fetching.robots_file import text_of_robots
from crawler.model import Failure, OutLink, Response
from crawler.pages.dates import latest_day
from crawler.pages.parse import parse
from crawler.scope.hosts import domain
from crawler.seeds.decoding import MAX_BYTES, DamageError, pieces_of, text_of, unpacked
from crawler.seeds.entries import Entry, entries, sitemaps_of_robots
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

    def offer(self, entry: Entry, document: _Document, level: int, since: str) -> str | None:
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
    fetched), and those of the links of a saved page (`_links_of`).
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
        self, source: Source, entry: Entry, document: _Document, homes: frozenset[str], report: SourceReport
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
    return [url for line in sitemaps_of_robots(text) if (url := canonical(line, f"{site}/"))]


def _canonical(url: str, base: str) -> str | None:
    """Return the canonical form of a URL in a document; None also where some of its characters could not be read."""
    return None if "\ufffd" in url else canonical(url, base or None)


def _until_damage(document: _Document, report: SourceReport) -> Iterator[Entry]:
    """Yield the entries of a document; damage, and a document without any, become notes."""
    is_empty = True
    try:
        for entry in entries(document.texts):
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
