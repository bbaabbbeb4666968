"""Reading of sources of seeds: fetch or open, follow nested sitemaps, keep what the rules allow, count the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from crawler.model import Failure, Response
from crawler.pages.dates import date_of
from crawler.scope.hosts import domain
from crawler.seeds.decoding import MAX_BYTES, PIECE, DamageError, pieces_of, text_of, unpacked
from crawler.seeds.documents import Entry, entries, sitemaps_of_robots
from crawler.seeds.politeness import PoliteFetcher
from crawler.seeds.report import SourceReport
from crawler.seeds.saved_page import links_of
from crawler.seeds.source import Source
from crawler.url import canonical, hostname, origin
from ontology.printable import one_line

MAX_DEPTH = 3
"""Levels of sitemaps that list sitemaps."""
MAX_DOCUMENTS = 200
"""Documents that are read for one source."""
MAX_NOTES = 20


@dataclass(frozen=True, slots=True)
class _Document:
    """A document to read: its text, and where it is from."""

    name: str
    texts: Iterator[str]
    url: str = ""
    """Its URL, empty for a file."""


class _Queue:
    """The documents of one source that are to be read, level by level; each is read once."""

    def __init__(self, urls: list[str], site: str) -> None:
        self.waiting = deque((url, 0) for url in dict.fromkeys(urls))
        """URL and level of each; an empty URL for the file of the source."""
        self._known = set(urls)
        self.homes = frozenset(domain(hostname(url)) for url in [*urls, site] if url)
        """Registrable domains that the sitemaps may speak for; none for a file, which may list any."""

    def offer(self, entry: Entry, document: _Document, level: int, since: str) -> str | None:
        """Add a nested sitemap, or return the reason why it is not read."""
        url = canonical(entry.url, document.url or None)
        if url is None:
            return "malformed_url"
        if url in self._known:
            return "repeated_sitemap"
        if self.homes and domain(hostname(url)) not in self.homes:
            return "other_domain"
        if level > MAX_DEPTH:
            return "nested_too_deep"
        if since and entry.date and (date_of(entry.date) or since) < since:
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
    fetched), and those of `crawler.seeds.saved_page`.
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

    def read(self, source: Source) -> SourceReport:
        """Read a source. What fails is a note of the report; what was read before counts."""
        report = SourceReport(source.text, notes=[source.note] if source.note else [])
        if source.kind == "links":
            self._saved_page(source, report)
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
                _note(report, f"{site}/robots.txt: {_why(reply)}")
            else:
                self._site_by(reply, site, source, report)
                return

    def _site_by(self, reply: Response, site: str, source: Source, report: SourceReport) -> None:
        """Read the sitemaps of an origin by its robots.txt."""
        text = reply.body.decode("utf-8", "replace") if reply.status == 200 else ""
        named = [url for line in sitemaps_of_robots(text) if (url := canonical(line, f"{site}/"))]
        if not named:
            _note(report, f"{site}/robots.txt names no sitemap: {site}/sitemap.xml was tried")
        self._documents(source, named or [f"{site}/sitemap.xml"], report, f"{site}/")

    def _documents(self, source: Source, urls: list[str], report: SourceReport, site: str = "") -> None:
        """Read documents and the sitemaps that they list, level by level."""
        queue = _Queue(urls, site)
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

    def _opened(self, source: Source, url: str, report: SourceReport, *, nested: bool) -> _Document | None:
        if source.file is not None and not nested:
            pieces = unpacked(_of_file(source.file), self._max_bytes)
            return _Document(str(source.file), text_of(pieces))
        self._on_fetch(url)
        fetched = self._fetcher.document(url)
        if isinstance(fetched, Failure):
            report.left["unreadable"] += nested
            _note(report, f"{url}: {_why(fetched)}")
            return None
        pieces = unpacked(pieces_of(fetched.response.body), self._max_bytes)
        return _Document(url, text_of(pieces, fetched.response.headers.get("content-type", "")), url=fetched.final_url)

    # ---- what is taken ------------------------------------------------------------------------------------------

    def _take(
        self, source: Source, entry: Entry, document: _Document, homes: frozenset[str], report: SourceReport
    ) -> None:
        base = canonical(entry.base, document.url or None) if entry.base else None
        url = canonical(entry.url, base or document.url or None) if entry.url else None
        if url is None:
            is_relative = bool(entry.url) and ":" not in entry.url.partition("/")[0]
            report.left["relative_url" if is_relative else "malformed_url"] += 1
            return
        day = date_of(entry.date) if entry.date and source.since else None
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

    def _saved_page(self, source: Source, report: SourceReport) -> None:
        if source.file is None:
            raise AssertionError("links: is parsed for files only")
        try:
            body = b"".join(unpacked(_of_file(source.file), self._max_bytes))
            links: Iterable[tuple[str, str]] = list(links_of(body, str(source.file)))
        except DamageError as error:
            _note(report, str(error))
            return
        for url, reason in links:
            if reason:
                report.left[reason] += 1
            else:
                self._keep(source, url, report)


def _until_damage(document: _Document, report: SourceReport) -> Iterator[Entry]:
    """Yield the entries of a document; damage, and a document without any, become notes."""
    is_empty = True
    try:
        for entry in entries(document.texts):
            is_empty = False
            yield entry
    except DamageError as error:
        _note(report, f"{document.name}: {error}")
    else:
        if is_empty:
            _note(report, f"{document.name}: it has no URLs")


def _note(report: SourceReport, text: str) -> None:
    if len(report.notes) < MAX_NOTES:
        report.notes.append(one_line(text))
    elif len(report.notes) == MAX_NOTES:
        report.notes.append("more of such notes are left out")


def _why(failure: Failure) -> str:
    return f"{failure.reason} ({failure.detail})" if failure.detail else failure.reason


def _of_file(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece
