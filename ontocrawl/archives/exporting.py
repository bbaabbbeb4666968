"""Write a scored archive as CSV for the initial import by neo4j-admin: the graph that `loading` makes, without a graph.

The folder is made beside its name and renamed at the end.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from crawler.model import Ids
from crawler.url import host
from kg.crawl_csv import ROWS, Figures, write_crawl
from kg.engine.files import FileLock
from kg.interchange import admin_csv
from kg.interchange.elements import LABELS, TYPES
from kg.ranking.crawl_ranks import crawl_figures
from kg.ranking.hits import hits
from kg.ranking.link_graph import LinkGraph
from kg.ranking.pagerank import pagerank
from ontocrawl.archives import loading
from ontocrawl.archives.tables import Ends, Tables, opened
from ontocrawl.base.workspace import make_folder, require_run_name
from ontocrawl.errors import CommandError, Option, UsageError
from ontology.errors import Message

_OUT = Option("--out", "out")
_LOCK = ".lock"
_OURS = {"lock", ROWS, "import", *LABELS, *TYPES}
"""Names, without suffixes, of the files that an export which was killed leaves."""


@dataclass(frozen=True)
class ArchiveExport:
    """The folder that was written.

    Attributes:
        out: the folder.
        crawl: id of the crawl in the graph.
        nodes, relationships: their numbers.
        counts: label or relationship type -> number.
        figures: whether ranks and other figures of links are in it.
        seconds: time that it took.
    """

    out: Path
    crawl: str
    nodes: int
    relationships: int
    counts: dict[str, int]
    figures: bool
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as values of JSON."""
        pages, links, hosts = (self.counts.get(name, 0) for name in ("FETCHED", "LINKS_TO", "Host"))
        return {
            "out": str(self.out), "crawl": self.crawl, "pages": pages, "links": links, "hosts": hosts,
            "nodes": self.nodes, "relationships": self.relationships, "figures": self.figures, "seconds": self.seconds,
        }  # fmt: skip


def export(
    folder: Path,
    out: Path,
    name: str,
    *,
    figures: bool = True,
    on_progress: Callable[[str, int], None] = lambda what, done: None,
) -> ArchiveExport:
    """Write the pages, hosts and links of a scored archive as CSV; an older export is replaced at the end.

    Args:
        folder: the tables.
        out: folder to make.
        name: id of the crawl in the graph.
        figures: whether to compute ranks and the other figures of links, for which all links are held in memory.
        on_progress: called now and then with what is written, "pages", "links" or "URLs", and the rows that are done.

    Raises:
        UsageError: the folder has no such tables, or the name is not that of a run.
        CommandError: another command writes ``out``, or the figures need more memory than is free.
        InterchangeError: ``out`` has other files.
        OSError: it cannot be written; an older export is left.
    """
    started = time.perf_counter()
    require_run_name(name)
    tables = opened(folder)
    admin_csv.refuse_foreign(out)
    with _begun(out) as work:
        computed = None
        if figures:
            on_progress("ranks", 0)
            graph = _link_graph(tables, name)
            ends = graph.nodes, graph.source, graph.target
            computed = Figures(graph, crawl_figures(graph, pagerank(*ends), hits(*ends)))
        crawl = loading.crawl_of(tables, name, str(folder.resolve()))
        report = write_crawl(
            work, crawl, loading.outcomes(tables), loading.links(tables),
            rows=tables.count("pages.parquet") + tables.count("links.parquet"), figures=computed, progress=on_progress,
        )  # fmt: skip
    nodes = sum(number for label, number in report.counts.items() if label in LABELS)
    edges = sum(report.counts.values()) - nodes
    return ArchiveExport(out, name, nodes, edges, dict(report.counts), figures, round(time.perf_counter() - started, 3))


@contextmanager
def _begun(out: Path) -> Iterator[Path]:
    """Make the folder beside ``out`` to write in, which becomes ``out`` at the end of the block."""
    work = out.absolute().with_name(f"{out.name}.unfinished")
    make_folder(work, _OUT)
    foreign = sorted(path.name for path in work.iterdir() if path.name.strip(".").partition(".")[0] not in _OURS)
    if foreign:
        raise UsageError("archives.holds_would_used_name", work=work, foreign=foreign[0], out=_OUT)
    lock = FileLock(work / _LOCK, "choose a folder of a file system with locks")
    if not lock.try_acquire():
        raise CommandError("archives.another_command_writing_wait", out=out)
    try:
        _clear(work)
        yield work
        if out.is_dir():
            admin_csv.remove(out)
        (work / _LOCK).unlink()
        work.rename(out)
    except BaseException:
        _clear(work)
        (work / _LOCK).unlink(missing_ok=True)
        work.rmdir()
        raise
    finally:
        lock.release()


def _clear(work: Path) -> None:
    """Remove what a command that was killed has left."""
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != _LOCK:
            path.unlink()


# ---- the link graph of a scored archive as that of a crawl, as `kg.ranking.link_graph` reads it from a graph


def _link_graph(tables: Tables, name: str) -> LinkGraph:
    """Return the link graph of the tables.

    Args:
        tables: the tables.
        name: id of the crawl that they are in a graph.

    Raises:
        CommandError: it needs more memory than there is.
    """
    ends = tables.ends(Message("archives.no_figures"))
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
