"""Write the pages and links of a scored archive into the graph, as a crawl that fetched them in the order of its rows.

The tables have no texts, so the graph gets no sentences and no mentions of concepts from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from crawler.url import host
from kg.engine.files import FileLock
from kg.project import ProjectReport, project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.records import CrawlRow, LinkRow, OutcomeRow
from kg.store import GraphStore
from ontocrawl.archives.tables import Tables, opened
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.workspace import JOURNAL, Workspace

STRATEGY = "archive score"
"""What a crawl in the graph has as its strategy, where it is a scored archive."""
_COLUMNS = (
    "file", "offset", "url", "fetched", "title", "published", "content_hash", "relevance", "relevant",
)  # fmt: skip


def load(
    space: Workspace,
    folder: Path,
    name: str,
    graph: GraphStore,
    on_progress: Callable[[str, int], None] = lambda what, done: None,
) -> ProjectReport:
    """Write the tables of a scored archive into the graph, and rank their pages. A second call changes nothing.

    Args:
        space: the workspace of the graph.
        folder: the tables.
        name: id of the crawl in the graph.
        graph: the open graph.
        on_progress: called after each batch with "pages" or "links", and the rows that are written.

    Returns:
        The numbers of pages and links in the graph.

    Raises:
        UsageError: the folder has no such tables, or a run of the workspace has the name.
        CommandError: another command loads them.
    """
    if (space.run(name) / JOURNAL).exists():
        raise UsageError(f"{name} is a run of this workspace: give another name by ", Option("--run", "name"))
    tables = opened(folder)
    lock = FileLock(folder / ".load.lock")
    if not lock.try_acquire():
        raise CommandError(f"another command loads {folder}: wait for it")
    try:
        crawl = crawl_of(tables, name)
        report = project_crawl(graph, crawl, outcomes(tables), links(tables), (), progress=on_progress)
        rank_crawl(graph, name)
    finally:
        lock.release()
    return report


def crawl_of(tables: Tables, name: str) -> CrawlRow:
    """Return the crawl that the tables are, which began with their earliest record.

    Args:
        tables: the tables.
        name: id of the crawl.
    """
    began = min((page["fetched"] for page in tables.rows("fetched") if page["fetched"]), default="")
    return CrawlRow(name, STRATEGY, tables.topic, f"archive:{tables.folder.resolve()}", began, "finished")


def links(tables: Tables) -> Iterator[LinkRow]:
    """Yield the links of the pages, in the order of these."""
    for link in tables.links():
        yield LinkRow(link.source, link.target, host(link.target), link.anchor, None)


def outcomes(tables: Tables) -> Iterator[OutcomeRow]:
    """Yield the pages as the outcomes of fetches, one a step."""
    for step, page in enumerate(tables.pages(*_COLUMNS), start=1):
        duplicate = page["near_duplicate_of"]
        yield OutcomeRow(
            step=step,
            url=page["url"],
            host=host(page["url"]),
            status=200,
            final_url=page["url"],
            title=page["title"],
            published=page["published"],
            content_hash=page["content_hash"],
            snippet="",
            relevance=page["relevance"],
            relevant=page["relevant"] if duplicate is None else None,
            label=None,
            priority=None,
            failure=None,
            evidence=json.dumps({"file": page["file"], "offset": page["offset"]}, ensure_ascii=False),
            near_duplicate_of=duplicate,
        )
