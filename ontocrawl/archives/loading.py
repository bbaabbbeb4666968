"""Write the pages and links of a scored archive into the graph, as a crawl that fetched them in the order of its rows.

Where the tables have texts, the graph gets the sentences of the pages too, and which concepts they name: those of the
topic's global ontology, counted in title and main text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from crawler.text import Matcher, Vocabulary
from crawler.url import host
from kg.engine.files import FileLock
from kg.project import ProjectReport, project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.records import SNIPPET, CrawlRow, LinkRow, Mention, OutcomeRow
from kg.store import GraphStore
from ontocrawl.archives.loaded import STRATEGY, WORLD, require_free
from ontocrawl.archives.tables import Tables, opened
from ontocrawl.archives.texts import has_texts, with_texts
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError
from ontocrawl.topics.topic_graph import concept_names

_LOCK = ".archive.lock"
"""File in the folder of runs, held by the command that loads an archive: two at once could write one crawl."""
_COLUMNS = (
    "file", "offset", "skip", "noindex", "url", "fetched", "title", "published", "content_hash", "relevance",
    "relevant",
)  # fmt: skip


def load(
    space: Workspace,
    folder: Path,
    name: str,
    graph: GraphStore,
    concepts: Vocabulary | None = None,
    on_progress: Callable[[str, int], None] = lambda what, done: None,
) -> ProjectReport:
    """Write the tables of a scored archive into the graph, and rank their pages. A second call changes nothing.

    Args:
        space: the workspace of the graph.
        folder: the tables.
        name: id of the crawl in the graph.
        graph: the open graph.
        concepts: the concepts to find in the pages, which the graph has; None for no mentions.
        on_progress: called after each batch with "pages" or "links", and the rows that are written.

    Returns:
        The numbers of pages and links in the graph.

    Raises:
        UsageError: the folder has no such tables, or a run or another crawl in the graph has the name.
        CommandError: another command loads an archive.
    """
    tables, place = opened(folder), space.relative(folder)
    require_free(space, graph, name, tables.topic, place)
    space.runs.mkdir(parents=True, exist_ok=True)
    lock = FileLock(space.runs / _LOCK)
    if not lock.try_acquire():
        raise CommandError("archives.another_command_loads_archive")
    try:
        crawl, rows, names = crawl_of(tables, name, place), outcomes(tables, concepts), concept_names(concepts)
        report = project_crawl(graph, crawl, rows, links(tables), (), names=names, progress=on_progress)
        rank_crawl(graph, name)
    finally:
        lock.release()
    return report


def crawl_of(tables: Tables, name: str, place: str) -> CrawlRow:
    """Return the crawl that the tables are, which began with their earliest record.

    Args:
        tables: the tables.
        name: id of the crawl.
        place: where the tables are.
    """
    began = min((page["fetched"] for page in tables.rows("fetched") if page["fetched"]), default="")
    return CrawlRow(name, STRATEGY, tables.topic, f"{WORLD}{place}", began, "finished")


def links(tables: Tables) -> Iterator[LinkRow]:
    """Yield the links of the pages, in the order of these."""
    for link in tables.links():
        yield LinkRow(link.source, link.target, host(link.target), link.anchor, None)


def outcomes(tables: Tables, concepts: Vocabulary | None = None) -> Iterator[OutcomeRow]:
    """Yield the pages as the outcomes of fetches, one a step, with their texts where the tables have these.

    Args:
        tables: the tables.
        concepts: the concepts that become mentions; None for no mentions.
    """
    pages = tables.pages(*_COLUMNS)
    read = with_texts(tables, pages) if has_texts(tables) else ((page, "") for page in pages)
    matcher = None if concepts is None else Matcher([concepts])
    for step, (page, text) in enumerate(read, start=1):
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
            snippet=text[:SNIPPET],
            relevance=page["relevance"],
            relevant=page["relevant"] if duplicate is None else None,
            label=None,
            priority=None,
            failure=None,
            evidence=json.dumps({"file": page["file"], "offset": page["offset"]}, ensure_ascii=False),
            mentions=() if matcher is None or page["noindex"] else _mentions(matcher, f"{page['title']}\n{text}"),
            text=text,
            near_duplicate_of=duplicate,
        )


def _mentions(matcher: Matcher, text: str) -> tuple[Mention, ...]:
    (concepts,) = matcher.vocabularies
    counts = matcher.count(text)[concepts.name].tolist()
    words = zip(concepts.words, counts, strict=True)
    return tuple(Mention(word.iri, count, word.weight) for word, count in words if count)
