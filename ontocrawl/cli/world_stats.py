"""`ontocrawl world stats`: how hard a web is to crawl."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import CrawlOptions
from ontocrawl.cli.crawl_options import Seeds, with_options
from ontocrawl.cli.output import Answer, Folder, note, progress, tabled, workspace
from ontology.errors import Message, joined

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table

SHOWN = (
    "pages", "failed", "links", "hosts", "labelled", "relevant", "reachable", "base_rate", "locality.relevant",
    "locality.other", "anchors.title", "anchors.named", "anchors.shared", "anchors.empty", "out_degree",
    "in_degree", "distance", "reciprocity", "dead_ends", "most_linked", "islands.largest", "islands.single",
    "tunnels", "knee", "oracle",
)  # fmt: skip
"""The figures in the order of the table. The description of each is a message, worlds.figure_NAME."""


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
    more = Message("worlds.more_pages", read=len(read))
    return Answer(figures, [_table(world, figures)], [] if read.complete else [more])


def _table(world: str, figures: dict[str, Any]) -> Table:
    rows = [
        (name, shown, Message(f"worlds.figure_{name.replace('.', '_')}"))
        for name in SHOWN if (shown := _shown(name, figures)) is not None
    ]  # fmt: skip
    title = Message("worlds.of_web", world=world)
    if "real" not in figures:
        return tabled(title, ("figure", "value", "meaning"), rows)
    beside = [(name, shown, _real(name, figures["real"]), meaning) for name, shown, meaning in rows]
    return tabled(title, ("figure", "value", "on real webs", "meaning"), beside)


def _real(name: str, ranges: dict[str, list[float]]) -> str:
    """Return the range of a figure on real webs, or those of its parts; "-" where none was measured."""
    parts = {
        key.removeprefix(name).removeprefix("."): span
        for key, span in ranges.items()
        if f"{key}.".startswith(f"{name}.")
    }
    texts = [
        Message("worlds.range", part=f"{part}: " if part else "", low=_number(low), high=_number(high))
        for part, (low, high) in parts.items()
    ]
    return joined(texts) or "-"


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
