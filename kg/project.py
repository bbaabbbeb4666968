"""Projection of a crawl into the graph. The journal is the source of truth; the projection can be repeated at any time.

All data of a crawl are relationships that name it (FETCHED and KNOWS by their end, LINKS_TO and MENTIONS by the
property ``crawl``, like LED_TO), so that two crawls of the same pages are independent and each can be removed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

import queries
from kg import enrich
from kg.batches import batches, weighed_batches, write_rows, written
from kg.evidence import PageSentences, forget_sentences_of_pages, sentences_of_page, write_sentences_of_pages
from kg.joined import nodes
from kg.records import ANCHOR, SNIPPET, TITLE, CrawlRow, KnownRow, LinkRow, OutcomeRow
from kg.sentences import NO_NAMES, ConceptNames
from kg.store import GraphStore, Row, Transaction
from ontology.errors import OntocrawlError

_BATCH = 1_000
_SENTENCES = 5_000
"""Sentences of a transaction at most: an engine keeps in memory what a transaction writes. A long page has more."""
FETCHED = tuple(f.name for f in fields(OutcomeRow) if f.name not in ("url", "host", "mentions", "text", "page_starts"))
"""Fields of an outcome that are properties of FETCHED."""
_LINKS = 5_000
"""Links of a transaction."""
_PAGES_TO_FORGET = 100
"""Pages of a transaction that removes their sentences."""
Progress = Callable[[str, int], None]
"""Called after each batch with "pages", "links" or "known" and the number of rows done so far."""


class ProjectError(OntocrawlError, ValueError):
    """A row without the key that it is stored under."""


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """Counts of a projection; parallel links and repeated pages count once."""

    crawl: str
    pages: int
    links: int
    known: int
    mentions: int
    hosts: int
    unknown_concepts: tuple[str, ...]
    """IRIs that pages mention and no loaded ontology has; their mentions are not in the graph."""
    sentences: int = 0
    """Sentences of the pages' titles and main texts, each counted once for each page."""
    failures: int = 0
    """Pages among them that could not be fetched."""


def project_crawl(
    store: GraphStore,
    crawl: CrawlRow,
    outcomes: Iterable[OutcomeRow],
    links: Iterable[LinkRow],
    known: Iterable[KnownRow],
    *,
    seeds: Iterable[str] = (),
    names: ConceptNames = NO_NAMES,
    progress: Progress | None = None,
) -> ProjectReport:
    """Write a crawl: its fetched pages, their links in the order of fetching, and the pages that are only known.

    LED_TO is written beside the first link to its target, unless that is a seed or was fetched before the page with the
    link; so it forms a tree that leads each page back to a seed. Rows are written in batches, whatever the number of
    links and sentences of a page: each is one transaction, in a thread, while the next one is made. An interrupted
    projection can be repeated, and leaves the property ``complete`` of the crawl false, which becomes true by the last
    statement. Two projections of one crawl must not run at the same time. Texts are cut to the sizes in `kg.records`.

    Args:
        store: an open graph.
        crawl: the run.
        outcomes: its fetches, in order.
        links: links of fetched pages, those of a page one after another.
        known: pages that were not fetched.
        seeds: URLs of the seeds.
        names: labels of the concepts to find in the sentences of the pages.
        progress: callback, see `Progress`.

    Raises:
        ProjectError: the links of a page do not come one after another, or a URL, host or crawl id is empty.
    """
    _need(crawl.id, "crawl id", crawl)
    seen = Counter[str]()
    places = _Places(store, again=bool(store.read(queries.get("rank/crawl").text, crawl=crawl.id)))
    step: dict[str, int] = {}
    missing, failed = set[str](), set[str]()
    store.write(queries.get("project/crawl").text, id=crawl.id, props=crawl_properties(crawl, seeds, complete=False))
    write_outcomes = partial(_write_outcomes, places, crawl.id, seen=seen, missing=missing)
    for pages in written(_batches_of_pages(outcomes, names), write_outcomes):
        step.update((row.url, row.step) for row, _ in pages)
        failed.difference_update(row.url for row, _ in pages)
        failed.update(row.url for row, _ in pages if row.failure is not None)
        _notify(progress, "pages", len(step))
    seen["pages"] = len(step)
    for waiting in batches(known, _BATCH):
        fresh = [row for row in waiting if row.url not in step]
        _write_known(places, crawl.id, fresh)
        seen["known"] += len(fresh)
        _notify(progress, "known", seen["known"])
    writing = _Links(places, crawl.id, step, seeds)
    for batch in written(batches(different_links(links), _LINKS), writing.write):
        seen["links"] += len(batch)
        _notify(progress, "links", seen["links"])
    writing.end()
    enrich.settle_crawl(store, crawl.id)
    store.write(queries.get("project/crawl").text, id=crawl.id, props={"complete": True})
    counts = (seen["pages"], seen["links"], seen["known"], seen["mentions"])
    return ProjectReport(crawl.id, *counts, len(places.hosts), tuple(sorted(missing)), seen["sentences"], len(failed))


def _batches_of_pages(
    outcomes: Iterable[OutcomeRow], names: ConceptNames
) -> Iterator[list[tuple[OutcomeRow, PageSentences]]]:
    pages = ((row, sentences_of_page(row, names)) for row in outcomes)
    return weighed_batches(pages, _BATCH, lambda page: len(page[1]), _SENTENCES)


class _Places:
    """Pages and hosts in the graph; each is written only once per projection.

    The crawl's relationships prevent that a page which an earlier batch has written is removed.
    """

    def __init__(self, store: GraphStore, *, again: bool) -> None:
        self.store = store
        self.again = again
        """Whether an earlier projection, perhaps an interrupted one, may have written something of the crawl."""
        self.hosts: set[str] = set()
        self.node_of: dict[str, str] = {}
        """URL -> element id of each page that is written, by which a page is found faster than by its key."""
        self._joined = nodes(store)

    def concepts(self, iris: Sequence[str]) -> dict[str, str]:
        """Return IRI in an ontology -> IRI of the concept, for those of the concepts that the graph has."""
        node_of = {iri: self._joined.get(iri, iri) for iri in iris}
        wanted = sorted(set(node_of.values()))
        rows = self.store.read(queries.get("project/concepts").text, iris=wanted) if wanted else []
        loaded = {row["iri"] for row in rows}
        return {iri: node for iri, node in node_of.items() if node in loaded}

    @contextmanager
    def transaction(self, pages: Iterable[tuple[str, str]]) -> Iterator[Transaction]:
        """Open a transaction that has written pages, given as (URL, host); raise ProjectError for an empty one."""
        fresh = {url: host for url, host in _hosts(pages).items() if url not in self.node_of}
        with self.store.transaction() as transaction:
            _write_pages(transaction, fresh)
            yield transaction
        # Only now, because a transaction that is repeated may give a new node another id.
        for urls in batches(fresh, _BATCH):
            rows = self.store.read(queries.get("project/nodes").text, urls=urls)
            self.node_of.update((row["url"], row["node"]) for row in rows)
        self.hosts.update(fresh.values())

    def add(self, pages: Iterable[tuple[str, str]]) -> None:
        """Write pages, given as (URL, host), that no earlier batch has written."""
        if any(url not in self.node_of for url, _ in pages):
            with self.transaction(pages):
                pass


def _write_outcomes(
    places: _Places,
    crawl: str,
    pages: Sequence[tuple[OutcomeRow, PageSentences]],
    seen: Counter[str],
    missing: set[str],
) -> None:
    named = {m.iri for row, _ in pages for m in row.mentions}
    found = {name.iri for _, page in pages for s in (*page.text, *page.title) for name in s.names}
    loaded = places.concepts(sorted(named | found))
    missing.update(iri for iri in named if iri not in loaded)
    mentions = [_mentions(row, page, loaded) for row, page in pages]
    rows = [row for row, _ in pages]
    seen["mentions"] += sum(len(row["mentions"]) for row in mentions)
    again = places.again or any(row.url in places.node_of for row in rows)  # or a page that was fetched twice
    with places.transaction((row.url, row.host) for row in rows) as transaction:
        if again:
            write_rows(transaction, "project/forget_known", [{"url": row.url} for row in rows], crawl=crawl)
            _forget_mentions(transaction, crawl, mentions)
        fetched = [{"url": row.url, "props": fetched_properties(row)} for row in rows]
        write_rows(transaction, "project/fetched", fetched, crawl=crawl)
        write_rows(transaction, "project/mentions", mentions, crawl=crawl)
        sentences = [page for _, page in pages]
        seen["sentences"] += write_sentences_of_pages(transaction, crawl, sentences, loaded, again=again)


def _forget_mentions(transaction: Transaction, crawl: str, mentions: Sequence[Row]) -> None:
    """Remove earlier mentions that pages do not have any more, as after a crawl took other weights."""
    rows = [{"url": row["url"], "iris": [m["iri"] for m in row["mentions"]]} for row in mentions]
    lost = transaction.write(queries.get("project/forget_mentions").text, rows, crawl=crawl)
    if lost:
        transaction.write(queries.get("load/forget_concepts").text, iris=[row["iri"] for row in lost])


def _mentions(row: OutcomeRow, page: PageSentences, loaded: Mapping[str, str]) -> Row:
    """Return the concepts that a page names, each with the first sentence of its text or title that names it.

    There is none where only a menu, a link or metadata of the page has the name.
    """
    place_of = page.first_names()
    nowhere = {"sentence": None, "start": None, "end": None}
    loaded_mentions = [
        {"iri": loaded[m.iri], "count": m.count, "weight": m.weight, **place_of.get(m.iri, nowhere)}
        for m in row.mentions
        if m.iri in loaded
    ]
    return {"url": row.url, "mentions": loaded_mentions}


def crawl_properties(crawl: CrawlRow, seeds: Iterable[str], *, complete: bool) -> dict[str, Any]:
    """Return the properties of the node of a crawl but its key.

    Args:
        crawl: the run.
        seeds: URLs of its seeds.
        complete: whether all of it is in the graph.
    """
    props = {key: value for key, value in asdict(crawl).items() if key != "id"}
    return {**props, "seeds": list(seeds), "complete": complete}


def fetched_properties(row: OutcomeRow) -> dict[str, Any]:
    """Return the properties of the FETCHED relationship of an outcome, those without a value too."""
    props = {name: getattr(row, name) for name in FETCHED}
    return {**props, "title": row.title[:TITLE], "snippet": row.snippet[:SNIPPET]}


def link_properties(link: LinkRow) -> dict[str, Any]:
    """Return the properties of the LINKS_TO relationship of a link but its crawl."""
    return {"anchor": link.anchor[:ANCHOR], "relevance": link.relevance, "kind": link.kind}


class _Links:
    """The links of a crawl, written in batches, whatever the number of links of a page.

    Links are created, because MERGE would go through all links of a page for each of them, those of other crawls too.
    Therefore those that a page has from an earlier projection are read when its first one is written: equal ones are
    left, all others deleted.
    """

    def __init__(self, places: _Places, crawl: str, step: Mapping[str, int], seeds: Iterable[str]) -> None:
        self._places = places
        self._crawl = crawl
        self._step = step
        self._shown = set(seeds)
        self._earlier: dict[str, dict[str, list[_Properties]]] = {}
        """Page -> target -> earlier links, of the pages whose last link was not yet written."""

    def write(self, batch: Sequence[_Link]) -> None:
        """Write some links."""
        self._places.add([(link.target, link.target_host) for _, link in batch])
        node_of = self._places.node_of
        self._read_earlier([link.source for first, link in batch if first])
        outdated: list[Row] = []
        led_to: list[Row] = []
        rows: dict[str, list[Row]] = {}
        for _, link in batch:
            ends = {"source": link.source, "target": link.target}
            properties = link_properties(link)
            earlier = self._earlier[link.source].pop(link.target, [])
            leads = self._leads(link)
            if earlier == [tuple(properties.values())]:
                led_to += [ends] if leads else []
                continue
            outdated += [ends] if earlier else []
            row = {"target": node_of[link.target], **properties, "leads": [1] if leads else []}
            rows.setdefault(link.source, []).append(row)
        outdated += self._remaining(batch[-1][1].source)
        with self._places.store.transaction() as transaction:
            write_rows(transaction, "project/forget_links", outdated, crawl=self._crawl)
            links = [{"source": node_of.get(source), "links": of_page} for source, of_page in rows.items()]
            write_rows(transaction, "project/links", links, crawl=self._crawl)
            write_rows(transaction, "project/led_to", led_to, crawl=self._crawl)

    def end(self) -> None:
        """Delete the earlier links that the last page has no longer."""
        self._places.store.write(queries.get("project/forget_links").text, self._remaining(), crawl=self._crawl)

    def _read_earlier(self, sources: Sequence[str]) -> None:
        self._earlier.update((source, {}) for source in sources)
        if sources and self._places.again:
            query = queries.get("project/earlier_links").text
            for row in self._places.store.read(query, crawl=self._crawl, urls=sources):
                links = self._earlier[row["source"]].setdefault(row["target"], [])
                links.append((row["anchor"], row["relevance"], row["kind"]))

    def _remaining(self, unfinished: str | None = None) -> list[Row]:
        """Forget the pages but an unfinished one, and return the earlier links that they have no longer."""
        done, self._earlier = self._earlier, {}
        if unfinished is not None:
            self._earlier[unfinished] = done.pop(unfinished)
        return [{"source": source, "target": target} for source, targets in done.items() for target in targets]

    def _leads(self, link: LinkRow) -> bool:
        """Return whether a link is the first to its target, which is no seed and was not fetched before its page."""
        if link.target in self._shown or self._step.get(link.target, math.inf) <= self._step.get(link.source, 0):
            return False
        self._shown.add(link.target)
        return True


_Properties = tuple[str, float | None, str | None]
"""Anchor, relevance and kind of a link."""
_Link = tuple[bool, LinkRow]
"""A link, and whether it is the first one of its page."""


def different_links(links: Iterable[LinkRow]) -> Iterator[_Link]:
    """Yield the links of each page without those that repeat a target, and whether each is the first one of its page.

    Raises ProjectError if the links of a page do not come one after another: those of a page replace each other.
    """
    begun: set[str] = set()
    for source, page_links in groupby(links, key=attrgetter("source")):
        if source in begun:
            raise ProjectError("kg.links_do_not_come", source=source)
        begun.add(source)
        targets: set[str] = set()
        for link in page_links:
            _need(source, "source", link)
            if link.target not in targets:
                yield not targets, link
                targets.add(link.target)


def _write_known(places: _Places, crawl: str, known: Sequence[KnownRow]) -> None:
    rows = [{"url": row.url, "props": {"priority": row.priority, "reason": row.reason}} for row in known]
    with places.transaction((row.url, row.host) for row in known) as transaction:
        write_rows(transaction, "project/knows", rows, crawl=crawl)


def _hosts(pages: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return URL -> host without repetition; raise ProjectError for an empty one."""
    host_of = dict(pages)
    for url, host in host_of.items():
        _need(url, "URL", host)
        _need(host, "host", url)
    return host_of


def _write_pages(transaction: Transaction, host_of: Mapping[str, str]) -> None:
    """Write pages with their hosts."""
    write_rows(transaction, "project/hosts", [{"name": host} for host in dict.fromkeys(host_of.values())])
    write_rows(transaction, "project/pages", [{"url": url, "host": host} for url, host in host_of.items()])


def remove_crawl(store: GraphStore, crawl_id: str) -> int:
    """Remove a crawl from the graph with its links, their figures, its mentions and proposals.

    Pages and hosts remain if another crawl or link needs them, proposals if another crawl makes them too or a person
    decided about them. An unknown crawl is no error.

    Args:
        store: an open graph.
        crawl_id: id of the crawl.

    Returns:
        The number of its pages.
    """
    crawl_hosts = store.read(queries.get("remove/crawl_hosts").text, crawl=crawl_id)
    for some_hosts in batches(crawl_hosts, _BATCH):
        store.write(queries.get("remove/host_links").text, some_hosts, crawl=crawl_id)
    urls = sorted({row["url"] for row in store.read(queries.get("rank/pages").text, crawl=crawl_id)})
    pages = len(urls)
    targets: dict[str, None] = dict.fromkeys(urls)
    for batch in batches(urls, _BATCH):
        target_rows = store.read(queries.get("remove/targets").text, crawl=crawl_id, urls=batch)
        targets.update((row["url"], None) for row in target_rows)
        rows = [{"url": url} for url in batch]
        for what in ("links", "mentions"):
            store.write(queries.get(f"remove/{what}").text, rows, crawl=crawl_id)
        for some in batches(batch, _PAGES_TO_FORGET):
            with store.transaction() as transaction:
                forget_sentences_of_pages(transaction, crawl_id, some)
    enrich.settle_crawl(store, crawl_id, forget=True)
    hosts: set[str] = set()
    for batch in batches(targets, _BATCH):
        rows = [{"url": url} for url in batch]
        store.write(queries.get("remove/fetches").text, rows, crawl=crawl_id)
        hosts.update(row["host"] for row in store.write(queries.get("remove/pages").text, rows) if row["host"])
    for some in batches(sorted(hosts), _BATCH):
        store.write(queries.get("remove/hosts").text, [{"name": name} for name in some])
    store.write(queries.get("remove/crawl").text, crawl=crawl_id)
    return pages


def _need(key: str, what: str, row: object) -> None:
    if not key:
        raise ProjectError("kg.expected_found_empty_journal", what=what, row=row)


def _notify(progress: Progress | None, what: str, done: int) -> None:
    if progress is not None:
        progress(what, done)
