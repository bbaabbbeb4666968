"""`ontocrawl world stats`: how hard a web is to crawl."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import CrawlOptions
from ontocrawl.cli.crawl_options import Seeds, with_options
from ontocrawl.cli.output import Answer, Folder, note, progress, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table

SHOWN = {
    "pages": "pages that can be reached from the seeds",
    "failed": "links' targets that are no page: errors, closed to robots, without text",
    "links": "links between pages, one for each pair",
    "hosts": "hosts of the pages",
    "labelled": "URLs that are relevant by label",
    "relevant": "pages among them that can be reached",
    "reachable": "share of the labelled URLs that can be reached",
    "base_rate": "share of relevant pages",
    "locality.relevant": "share of the links of relevant pages that lead to relevant pages",
    "locality.other": "the same of the links of other pages",
    "anchors.title": "share of links whose text is the target's title",
    "anchors.named": "share of links whose text is in the target's title, or contains it",
    "anchors.shared": "share of links whose text stands on links to five pages or more",
    "anchors.empty": "share of links without text",
    "out_degree": "links of a page",
    "in_degree": "links to a page",
    "distance": "links from the nearest seed to a page",
    "reciprocity": "share of links that are returned",
    "dead_ends": "share of pages that link to no page",
    "most_linked": "share of the pages that link to the same page",
    "islands.largest": "share of the relevant pages in the largest group that links between them join",
    "islands.single": "share of the relevant pages without a link from or to another one",
    "tunnels": "irrelevant pages that must be fetched for a relevant page: number of relevant pages",
    "knee": "fetches until an oracle has 95 % of the relevant pages",
    "oracle": "relevant pages that an oracle has after so many fetches",
}
"""Figure -> its description, in the order of the table."""


@with_options(CrawlOptions, "labels")
def stats(
    world: Annotated[
        str, typer.Argument(metavar="WORLD", help="synthetic:PRESET?pages=N&seed=S, corpus:DIR, or archive:DIR.")
    ],
    seeds: Seeds = None,
    labels: str | None = None,
    limit: Annotated[
        int | None, typer.Option("--limit-pages", min=1, help="Read this many pages at most, the nearest ones.")
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Show how hard a web is to crawl: reach, base rate, locality, anchors, degrees, tunnels, an oracle.

    Without --seeds, those of a synthetic web are used. A synthetic web also has labels. Beside the figures of a
    calibrated one stand the least and the largest value on real webs.
    """
    from crawler.worlds import open_world
    from crawler.worlds.synthetic import CalibratedWorld
    from ontocrawl.lab import web_figures

    space = workspace(folder)
    with (
        progress(Message("cli.doing_read_web"), limit) as (bar, task),
        closing(open_world(web_figures.frozen(world))) as opened,
    ):
        read = web_figures.read(
            opened, seeds or (), labels, space.settings.crawl.user_agent, limit, note,
            lambda pages: bar.update(task, completed=pages),
        )  # fmt: skip
        figures = {"world": world, **web_figures.figures(read)}
        if isinstance(opened, CalibratedWorld):
            figures["real"] = web_figures.known(figures)
    more = f"the web has more pages: {len(read)} were read, those with the fewest links from a seed"
    return Answer(figures, [_table(world, figures)], [] if read.complete else [more])


def _table(world: str, figures: dict[str, Any]) -> Table:
    rows = [(name, shown, meaning) for name, meaning in SHOWN.items() if (shown := _shown(name, figures)) is not None]
    if "real" not in figures:
        return tabled(f"The web {world}", ("figure", "value", "meaning"), rows)
    beside = [(name, shown, _real(name, figures["real"]), meaning) for name, shown, meaning in rows]
    return tabled(f"The web {world}", ("figure", "value", "on real webs", "meaning"), beside)


def _real(name: str, ranges: dict[str, list[float]]) -> str:
    """Return the range of a figure on real webs, or those of its parts; "-" where none was measured."""
    parts = {
        key.removeprefix(name).removeprefix("."): span
        for key, span in ranges.items()
        if f"{key}.".startswith(f"{name}.")
    }
    texts = [f"{part}: {_number(low)} to {_number(high)}".removeprefix(": ") for part, (low, high) in parts.items()]
    return ", ".join(texts) or "-"


def _shown(name: str, figures: dict[str, Any]) -> str | None:
    """Return a figure as text; None where there is none, for lack of labels."""
    outer, _, inner = name.partition(".")
    value = figures[outer]
    if inner and value is not None:
        value = value[inner]
    if value is None:
        return None
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_number(one)}" for key, one in value.items()) or "-"
    return _number(value)


def _number(value: float) -> str:
    return f"{value:,.4g}" if isinstance(value, float) and value < 1 else f"{value:,.0f}"
