"""The link graph of a scored archive as that of a crawl, as `kg.ranking.link_graph` reads it from a graph."""

from __future__ import annotations

import numpy as np

from crawler.model import Ids
from crawler.url import host
from kg.ranking.link_graph import LinkGraph
from ontocrawl.archives.tables import Ends, Tables
from ontocrawl.errors import Option


def link_graph(tables: Tables, name: str) -> LinkGraph:
    """Return the link graph of the tables.

    Args:
        tables: the tables.
        name: id of the crawl that they are in a graph.

    Raises:
        CommandError: it needs more memory than there is.
    """
    ends = tables.ends("leave them out by ", Option("--no-figures", "figures=False"), ", or use a machine with more")
    of_node = ends.urls.to_pylist()
    n, k = len(of_node), ends.pages
    by_url = sorted(range(k), key=of_node.__getitem__)
    number = np.arange(n)
    number[by_url] = np.arange(k)
    source, target = number[ends.source], number[ends.target]
    order = np.lexsort((target, source))
    urls = tuple(of_node[node] for node in by_url)
    host_names = [host(url) for url in (*urls, *of_node[k:])]
    hosts = tuple(sorted(set(host_names)))
    number_of = {host_name: place for place, host_name in enumerate(hosts)}
    relevance, relevant = np.zeros(n), np.zeros(n, dtype=np.bool_)
    for node, page in zip(number[:k].tolist(), tables.pages("relevance", "relevant"), strict=True):
        relevance[node] = page["relevance"]
        relevant[node] = page["relevant"] and page["near_duplicate_of"] is None
    led_to = _led_to(ends)
    return LinkGraph(
        crawl=name,
        urls=urls,
        host=np.array([number_of[host_name] for host_name in host_names], dtype=np.int64),
        hosts=hosts,
        fetched=np.arange(n) < k,
        judged=np.arange(n) < k,
        relevant=relevant,
        relevance=relevance,
        source=source[order],
        target=target[order],
        anchor_relevance=np.zeros(len(source)),
        led_to=(number[led_to[0]], number[led_to[1]]),
        seeds=(),
        ranks={},
    )


def _led_to(ends: Ends) -> tuple[Ids, Ids]:
    """Return the first link to each node that no page before has shown; pages are numbered in their order."""
    n = len(ends.urls)
    first = np.full(n, n)
    np.minimum.at(first, ends.target, ends.source)
    target = np.flatnonzero(first < np.arange(n))
    return first[target], target
