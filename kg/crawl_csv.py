"""A crawl as a folder of CSV for the initial import by neo4j-admin, with no graph: what `kg.project` would write.

The rows are those of `project_crawl`, once through: first the pages, then the links. What needs all links to a page,
which are its node and the first link that showed it, is put together from temporary files by URL. So memory does not
grow with the links: the URLs of the pages that have links are held, and 250,000 others and 200,000 targets at a time.
"""

from __future__ import annotations

import json
import shutil
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from kg.evidence import places_on_page, sentences_of_page
from kg.interchange import admin_csv
from kg.interchange.elements import Edge, Node, checked, common_kind, kind_of
from kg.interchange.hashed_rows import HashedRows, files_for
from kg.project import (
    FETCHED,
    Progress,
    ProjectError,
    crawl_properties,
    different_links,
    fetched_properties,
    link_properties,
)
from kg.ranking import stored
from kg.ranking.crawl_ranks import CrawlFigures
from kg.ranking.link_graph import LinkGraph
from kg.records import CrawlRow, LinkRow, OutcomeRow
from kg.sentences import NO_NAMES, folded

ROWS = "rows"
"""Name of the folder of temporary files."""
_RECENT = 200_000
"""Targets of links that are remembered, so that those which many pages link to are not put into files each time."""
_TELL_EVERY = 5_000
_KIND = {bool: "boolean", int: "integer", float: "number", str: "text"}
FIGURES = {
    "pagerank": "number", "authority": "number", "hub": "number", "community": "integer", "component": "integer",
    "depth": "integer", "seed": "text", "cited_by_pages": "integer", "cited_by_hosts": "integer", "links": "integer",
    "links_to_fetched": "integer", "links_to_relevant": "integer",
}  # fmt: skip
"""Kinds of the figures of a page that are computed of the links (`kg.ranking.crawl_ranks`)."""
_ON_PAGE = {"crawl": "text", "end": "integer", "page_number": "integer", "start": "integer", "title": "boolean"}
_LINK = {"anchor": "text", "crawl": "text", "kind": "text", "relevance": "number"}
_HOST_LINK = {"crawl": "text", "links": "integer", "to_relevant": "integer"}
_Put = Callable[[Node | Edge], None]


@dataclass(frozen=True)
class CsvReport:
    """Counts of a folder: label or relationship type -> number."""

    counts: Mapping[str, int]


class Figures:
    """What is computed of the links of a crawl, by URL of its fetched pages."""

    def __init__(self, graph: LinkGraph, figures: CrawlFigures) -> None:
        """Take the figures of a link graph."""
        self._graph, self._figures = graph, figures
        self.of_crawl = {name: value for name, value in figures.of_crawl.items() if value is not None}

    def of(self, url: str) -> dict[str, Any]:
        """Return the figures of a fetched page."""
        node = bisect_left(self._graph.urls, url)
        return {name: column[node : node + 1].tolist()[0] for name, column in self._figures.of_fetched.items()}

    def host_links(self, crawl: str) -> Iterator[Edge]:
        """Yield the LINKS_TO_HOST relationships."""
        found, hosts = self._figures.host_links, self._graph.hosts
        for row in range(len(found.links)):
            ends = hosts[found.source[row]], hosts[found.target[row]]
            figures = {"links": int(found.links[row]), "to_relevant": int(found.to_relevant[row])}
            yield Edge("LINKS_TO_HOST", *ends, {"crawl": crawl, **figures})


def write_crawl(
    folder: Path,
    crawl: CrawlRow,
    outcomes: Iterable[OutcomeRow],
    links: Iterable[LinkRow],
    *,
    rows: int,
    figures: Figures | None = None,
    progress: Progress = lambda what, done: None,
) -> CsvReport:
    """Write the files of a crawl that knows no other pages and no mentions into an empty folder.

    Args:
        folder: the folder; temporary files are in it too.
        crawl: the run.
        outcomes: its fetches, in order, each URL once.
        links: links of fetched pages in the order of these, those of a page one after another.
        rows: about how many outcomes and links there are.
        figures: what is computed of the links; None to leave it out.
        progress: callback, called with "pages", "links" or "URLs" and the rows done so far.

    Returns:
        The numbers of nodes and relationships.

    Raises:
        ProjectError: the links are not in the order of the pages.
        OSError: the folder cannot be written.
    """
    writing = _Folder(folder, crawl.id, files_for(rows), progress)
    writing.pages(outcomes, figures)
    writing.links(links)
    writing.urls()
    writing.sentences()
    if figures is not None:
        writing.put_all("LINKS_TO_HOST", _HOST_LINK, figures.host_links(crawl.id))
    props = crawl_properties(crawl, (), complete=True)
    if figures is not None:
        props |= {stored.PROPERTY: stored.VERSION, **figures.of_crawl}
    props = checked(props, "Crawl")
    kinds = {name: common_kind([kind_of(value)]) for name, value in props.items()}
    writing.put_all("Crawl", kinds, [Node("Crawl", crawl.id, props)])
    return CsvReport(writing.end())


class _Folder:
    """The files that are being written."""

    def __init__(self, folder: Path, crawl: str, files: int, progress: Progress) -> None:
        self._folder, self._crawl, self._progress = folder, crawl, progress
        self._counts = Counter[str]()
        self._rows = folder / ROWS
        self._rows.mkdir()
        self._urls = HashedRows(self._rows / "urls", files)
        """URL, host, step, and the first link to it: source and its step."""
        self._hosts = HashedRows(self._rows / "hosts", files)
        self._sentences = HashedRows(self._rows / "sentences", files)
        self._order = self._rows / "order.jsonl"
        """URLs of the fetched pages in order."""

    def pages(self, outcomes: Iterable[OutcomeRow], figures: Figures | None) -> None:
        """Write FETCHED, and put the pages with the URLs."""
        hints = get_type_hints(OutcomeRow)
        kinds = {name: _kind_of(hints[name]) for name in FETCHED} | (FIGURES if figures is not None else {})
        with ExitStack() as stack:
            put = stack.enter_context(self._opened("FETCHED", kinds))
            on_page = stack.enter_context(self._opened("ON_PAGE", _ON_PAGE))
            order = stack.enter_context(self._order.open("w", encoding="ascii"))
            for row in outcomes:
                props = fetched_properties(row) | (figures.of(row.url) if figures is not None else {})
                put(Edge("FETCHED", self._crawl, row.url, props))
                order.write(json.dumps([row.url, row.step]) + "\n")
                self._urls.put(row.url, row.host, row.step, None, None)
                for sentence, place in places_on_page(sentences_of_page(row, NO_NAMES)):
                    on_page(Edge("ON_PAGE", sentence.id, row.url, {"crawl": self._crawl, **place}))
                    self._sentences.put(sentence.id, sentence.text)
                self._tell("pages", self._counts["FETCHED"])
        self._tell("pages", self._counts["FETCHED"], last=True)

    def links(self, links: Iterable[LinkRow]) -> None:
        """Write LINKS_TO, and put the targets with the URLs."""
        recent = set[str]()
        with self._opened("LINKS_TO", _LINK) as put, self._order.open(encoding="ascii") as order:
            steps = map(json.loads, order)
            url, step = "", 0
            for first, link in different_links(links):
                if first:
                    url, step = next((pair for pair in steps if pair[0] == link.source), ("", 0))
                if url != link.source:
                    raise ProjectError("kg.links_not_order_pages", source=link.source)
                props = {"crawl": self._crawl, **link_properties(link)}
                put(Edge("LINKS_TO", link.source, link.target, props))
                if link.target not in recent:
                    self._urls.put(link.target, link.target_host, None, link.source, step)
                    recent.add(link.target)
                if len(recent) == _RECENT:
                    recent.clear()
                self._tell("links", self._counts["LINKS_TO"])
        self._tell("links", self._counts["LINKS_TO"], last=True)

    def urls(self) -> None:
        """Write Page, ON_HOST and LED_TO, then Host."""
        with ExitStack() as stack:
            page, on_host = (stack.enter_context(self._opened(name, {})) for name in ("Page", "ON_HOST"))
            led_to = stack.enter_context(self._opened("LED_TO", {"crawl": "text"}))
            for rows in self._urls.files():
                of_url = _first_links(rows)
                for url, (host, step, link) in of_url.items():
                    page(Node("Page", url, {}))
                    on_host(Edge("ON_HOST", url, host, {}))
                    if link is not None and (step is None or step > link[1]):
                        led_to(Edge("LED_TO", link[0], url, {"crawl": self._crawl}))
                    self._tell("URLs", self._counts["Page"])
                for host in {values[0]: None for values in of_url.values()}:
                    self._hosts.put(host)
        with self._opened("Host", {}) as put:
            for rows in self._hosts.files():
                for host in dict.fromkeys(row[0] for row in rows):
                    put(Node("Host", host, {}))
        self._tell("URLs", self._counts["Page"], last=True)

    def sentences(self) -> None:
        """Write Sentence."""
        with self._opened("Sentence", {"text": "text", "folded": "text"}) as put:
            for rows in self._sentences.files():
                for key, text in dict(rows).items():
                    put(Node("Sentence", key, {"text": text, "folded": folded(text)}))

    def put_all(self, name: str, kinds: Mapping[str, str], elements: Iterable[Node | Edge]) -> None:
        """Write the file of a label or type."""
        with self._opened(name, kinds) as put:
            for element in elements:
                put(element)

    def end(self) -> dict[str, int]:
        """Remove what is temporary, make the folder whole, and return the counts."""
        shutil.rmtree(self._rows)
        admin_csv.remove_files(self._folder, except_of=self._counts)
        admin_csv.write_arguments(self._folder, self._counts)
        return dict(self._counts)

    @contextmanager
    def _opened(self, name: str, kinds: Mapping[str, str]) -> Iterator[_Put]:
        """Open a file whose rows are counted."""
        with admin_csv.opened(self._folder, name, dict(sorted(kinds.items()))) as write:

            def put(element: Node | Edge) -> None:
                write(element)
                self._counts[name] += 1

            yield put

    def _tell(self, what: str, done: int, *, last: bool = False) -> None:
        if last or done % _TELL_EVERY == 0:
            self._progress(what, done)


_OfUrl = tuple[str, int | None, tuple[str, int] | None]
"""Host and step of a URL, and the first link to it: source and its step."""


def _first_links(rows: Iterator[list[Any]]) -> dict[str, _OfUrl]:
    """Put the rows of each URL together: the step is that of any row, the link the first one."""
    of_url: dict[str, _OfUrl] = {}
    for url, host, step, source, source_step in rows:
        _, known_step, link = of_url.get(url, (host, None, None))
        if link is None and source is not None:
            link = source, source_step
        of_url[url] = host, known_step if step is None else step, link
    return of_url


def _kind_of(hint: Any) -> str:
    """Return the kind of a field of a row by its type, which may be None too."""
    return next(_KIND[kind] for kind in (*get_args(hint), hint) if kind in _KIND)
