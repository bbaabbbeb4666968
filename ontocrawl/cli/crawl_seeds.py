"""`ontocrawl crawl seeds`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ontocrawl.base.options import CrawlOptions
from ontocrawl.cli.crawl_options import Resolve, given, with_options
from ontocrawl.cli.output import Answer, Folder, Line, note, quoted, workspace
from ontology.errors import Message


@with_options(CrawlOptions, "world", "allow_loopback", "politeness")
def list_seeds(
    asked_for: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="As for `crawl run --seeds`: sitemap:URL|FILE|HOST, feed:URL|FILE, links:FILE.html, "
            "query:NAME|FILE.cypher, @FILE, or a URL.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Output file, one URL per line, for --seeds @FILE.")
    ] = None,
    resolve: Resolve = None,
    folder: Folder = None,
    **options: Any,
) -> Answer:
    """List the URLs of sitemaps, feeds, saved result pages, queries and files, before a crawl begins there."""
    from contextlib import closing

    from crawler.seeds.decoding import MAX_BYTES
    from crawler.worlds import open_world
    from ontocrawl.runs import crawl_setup, seeds
    from ontology.files import write_atomically

    space = workspace(folder)
    settings, asked = space.settings.crawl, CrawlOptions(**given(CrawlOptions, options))
    opened = open_world(
        asked.world,
        resolve=crawl_setup.resolve_table(resolve),
        allow_loopback=asked.allow_loopback,
        timeout=settings.timeout,
        max_bytes=max(settings.max_bytes, MAX_BYTES),
        user_agent=settings.user_agent,
    )
    with closing(opened):
        delay = settings.delay if asked.world == "live" and asked.politeness else 0.0
        scope = crawl_setup.scope_of_seeds(settings)
        reader = seeds.reader(opened, scope, user_agent=settings.user_agent, delay=delay, space=space, on_note=note)
        found = seeds.resolve(asked_for, opened, reader, note)
    if out is not None:
        write_atomically(out, "".join(f"{url}\n" for url in found.urls).encode())
    document = {
        "seeds": list(found.urls),
        "sources": [
            {"source": r.source, "taken": len(r.taken), "left": dict(r.left), "notes": r.notes} for r in found.reports
        ],
    }
    if out is None:
        return Answer(document, [Line(url, wrap=False) for url in found.urls])
    crawl = quoted("--seeds", f"@{out}")
    return Answer(document, notes=[Message("cli.seeds_written", path=out, urls=len(found.urls), crawl=crawl)])
