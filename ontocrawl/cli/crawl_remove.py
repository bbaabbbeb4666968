"""`ontocrawl crawl remove`."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, workspace
from ontocrawl.errors import UsageError, nearest


def remove(
    crawl: Annotated[str, typer.Argument(metavar="CRAWL", help="Id of a crawl, as shown by `query run crawl/list`.")],
    folder: Folder = None,
) -> Answer:
    """Remove a crawl from the graph with its links, mentions and proposals.

    Its journal is kept; `graph rebuild CRAWL` writes it into the graph again. Pages of other crawls are kept.
    """
    from kg.project import remove_crawl
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record

    space = workspace(folder)
    with graph_store.store(space) as graph:
        known = [row["id"] for row in graph.read("MATCH (c:Crawl) RETURN c.id AS id ORDER BY id")]
        if crawl not in known:
            raise UsageError(f"the graph has no crawl {crawl!r}{nearest(crawl, known) if known else '; it has none'}")
        pages = remove_crawl(graph, crawl)
        if any(crawl in entry.keys for entry in graph_record.read(space)):
            graph_record.note(space, graph_record.Entry("removed", keys=(crawl,)))
    said = f"removed {crawl} from the graph, with {pages} pages that it fetched or knew"
    return Answer({"crawl": crawl, "pages": pages}, [said])
