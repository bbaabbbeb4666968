"""The link graph of a crawl, and the concepts of ontologies with their relations, read for other programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import queries
from kg.batches import batches
from kg.store import GraphStore, Row, sorted_by

_PER_READ = 1_000
"""Pages or concepts whose links are read at once."""
_FINE = 8.0
"""Classes of PageRanks for each factor of e; the finer, the fewer pages are read in vain."""


def fetched_pages(store: GraphStore, crawl: str) -> list[Row]:
    """Return url, host and ``props``, the properties of FETCHED, of each page fetched without failure, by URL.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    return sorted_by(store.read(queries.get("network/fetched").text, crawl=crawl), "url")


def known_pages(store: GraphStore, crawl: str) -> list[Row]:
    """Return url, host and ``props``, the properties of KNOWS, of each page that was not fetched, by URL.

    Args:
        store: an open graph.
        crawl: id of the crawl.
    """
    return sorted_by(store.read(queries.get("network/known").text, crawl=crawl), "url")


def links_of(store: GraphStore, crawl: str, urls: Sequence[str]) -> Iterator[Row]:
    """Yield source, target, anchor and relevance of each link that a crawl saw on some pages, in parts.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        urls: URLs of the pages.
    """
    text = queries.get("project/earlier_links").text
    for first in range(0, len(urls), _PER_READ):
        yield from store.read(text, crawl=crawl, urls=list(urls[first : first + _PER_READ]))


def beside(store: GraphStore, crawl: str, urls: Sequence[str], limit: int) -> list[str]:
    """Return the URLs of pages that a link of a crawl joins with one of some pages: fetched and favoured ones first.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        urls: URLs of the pages; those that links join with each other are among the answer.
        limit: maximum number of URLs.
    """
    rows = store.read(queries.get("network/beside").text, crawl=crawl, urls=list(urls), limit=limit)
    return [row["url"] for row in rows]


def pages_of(store: GraphStore, crawl: str, urls: Sequence[str]) -> list[Row]:
    """Return what a crawl knows of some pages, by URL: the columns of the query ``network/pages``.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        urls: URLs of the pages; those that the crawl does not know are left out.
    """
    if not urls:  # the embedded engine would read all pages
        return []
    return store.read(queries.get("network/pages").text, crawl=crawl, urls=list(urls))


def favoured_pages(store: GraphStore, crawl: str, limit: int) -> list[Row]:
    """Return what a crawl knows of the fetched pages with the highest PageRank, as `pages_of`, the highest first.

    The PageRanks of all pages are counted first, so that only the pages about as high as the last one are read: the
    engine would read all pages to sort them.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        limit: maximum number of pages. There are fewer where the crawl fetched fewer, or has no ranks.
    """
    least, pages = math.inf, 0
    for row in store.read(queries.get("network/rank_classes").text, crawl=crawl, fine=_FINE):
        if pages >= limit:
            break
        least, pages = math.exp(row["class"] / _FINE) * (1 - 1e-9), pages + row["pages"]  # rounded down
    if not pages:
        return []
    return store.read(queries.get("network/favoured").text, crawl=crawl, least=least, limit=limit)


def concept_named_most(store: GraphStore, crawl: str, urls: Sequence[str]) -> dict[str, Row]:
    """Return URL -> iri, label_zh and label_en of the concept that the page names most often.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        urls: URLs of the pages; those that name no concept are left out.
    """
    rows = store.read(queries.get("network/named_most").text, crawl=crawl, urls=list(urls))
    return {row["url"]: {name: row[name] for name in ("iri", "label_zh", "label_en")} for row in rows}


def links_between(
    store: GraphStore, crawl: str, urls: Sequence[str], sources: Sequence[str] | None = None
) -> list[tuple[int, int]]:
    """Return the links of a crawl between some pages, as positions in ``urls``; sorted, each once.

    Args:
        store: an open graph.
        crawl: id of the crawl.
        urls: URLs of the pages, distinct.
        sources: those of them that may have links: links of pages that were not fetched are unknown. None for all.
    """
    at = {url: position for position, url in enumerate(urls)}
    found: set[tuple[int, int]] = set()
    for some in batches(urls if sources is None else sources, _PER_READ):
        for row in store.read(queries.get("network/links").text, crawl=crawl, urls=some):
            found |= {(at[row["source"]], at[url]) for url in row["targets"] if url in at}
    return sorted(found)


def links_between_communities(store: GraphStore, crawl: str) -> dict[tuple[int, int], int] | None:
    """Return the number of links of a crawl from one community of fetched pages to another, most links first.

    Args:
        store: an open graph.
        crawl: id of the crawl.

    Returns:
        At most `kg.ranking.crawl_ranks.PAIRS` pairs; None where the graph was ranked by an earlier version.
    """
    rows = store.read(queries.get("network/between_communities").text, crawl=crawl)
    stored = rows[0]["links"] if rows else None
    return None if stored is None else {(i, j): n for i, j, n in (map(int, text.split()) for text in stored)}


def ontologies_named(store: GraphStore, named: str) -> list[str]:
    """Return the keys of the ontologies that a name stands for; none if the graph has none.

    Args:
        store: an open graph.
        named: IRI of an ontology, with or without its version, or name of a topic; empty for all ontologies.
    """
    return [row["iri"] for row in store.read(queries.get("network/ontologies").text, named=named)]


def concepts_of(store: GraphStore, ontologies: Sequence[str]) -> list[Row]:
    """Return iri, number of ``ontologies`` and ``props``, the properties of the node, of each concept, by IRI.

    Args:
        store: an open graph.
        ontologies: keys of the ontologies.
    """
    return store.read(queries.get("network/concepts").text, ontologies=list(ontologies))


def relations_of(store: GraphStore, ontologies: Sequence[str], iris: Sequence[str]) -> Iterator[Row]:
    """Yield source, target, ``relation`` (its type) and ``props`` of each relation that starts at some concepts.

    Args:
        store: an open graph.
        ontologies: keys of the ontologies that assert it.
        iris: IRIs of the concepts.
    """
    text = queries.get("network/relations").text
    for first in range(0, len(iris), _PER_READ):
        yield from store.read(text, ontologies=list(ontologies), iris=list(iris[first : first + _PER_READ]))
