"""Read a web for its figures: which webs can be read whole, their seeds and their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crawler.model import World
from crawler.scope import Scope
from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.errors import Option, UsageError
from ontocrawl.lab import web
from ontocrawl.lab.web import Web
from ontocrawl.runs import crawl_setup
from ontocrawl.runs import seeds as seeding


def frozen(spec: str) -> str:
    """Return the description of a web that stands still.

    Raises:
        UsageError: the live web, which would be read whole, without pauses.
    """
    if spec == "live":
        raise UsageError(
            "the live web is not read whole: record a crawl (",
            Option("ontocrawl crawl run --warc DIR", 'crawl(.., warc="DIR")'),
            "), and look at archive:DIR",
        )
    return spec


def read(
    world: World,
    seeds: Sequence[str],
    labels: str | None,
    user_agent: str,
    limit: int | None,
    on_note: Callable[[str], None],
    on_page: Callable[[int], None],
) -> Web:
    """Read a web from its seeds.

    Args:
        world: the web.
        seeds: seeds as a user writes them; empty for those of a synthetic web.
        labels: ``FILE#SET``; None for the labels of a synthetic web, or none.
        user_agent: name of the crawler.
        limit: largest number of pages; None for all.
        on_note: called with each message on the seeds.
        on_page: called with the number of pages after each one.

    Raises:
        UsageError: there are no seeds, none of them is a page, or the labels cannot be read.
    """
    sources = seeding.reader(world, Scope(), user_agent=user_agent, delay=0, on_note=on_note)
    urls = seeding.resolve(seeds, world, sources, on_note).urls or tuple(getattr(world, "seeds", ()))
    if not urls:
        raise UsageError("no seeds: give ", Option("--seeds URL", "seeds=[URL]"), ", or the name of a page of a corpus")
    truth = crawl_setup.read_labels(labels, world)
    if truth is None and isinstance(world, SyntheticWorld):
        truth = frozenset(world.relevant_urls())
    found = web.read(world, urls, truth, user_agent=user_agent, limit=limit, on_page=on_page)
    if not found.seeds:
        raise UsageError(f"none of the seeds is a page of this web: {', '.join(urls[:3])}")
    return found
