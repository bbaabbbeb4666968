"""All strategies on two webs with labels: what each found at equal fetches.

    python -m benchmarks.strategies [--json docs/benchmarks/strategies.json] [--fetches 1000] [--seeds 5]
                                    [--strategies NAME,..] [--worlds planted,wikispeedia] [--workers 1] [--anew]
                                    [--variants]

* planted: the synthetic rainstorm web of 6,000 pages, another web for each seed, labels as planted
* wikispeedia: 4,598 encyclopaedia pages of ../shared/data (left out where absent), labels `hazard_all`, from another
  page for each seed: Rain, Weather, Flood, Thunderstorm, Tropical_cyclone

Topic and judge are those of `rainstorm`, parameters the strategies' defaults. The labelled pages found are counted
after each number of fetches in MILESTONES and at the end; a crawl that ended before a milestone has there what it had
at its end. Recall is by label, of all labelled pages of the web. What the file of --json has for the same fetches is
kept, so that a run can be taken up again or done in parts; --anew crawls those that are asked for again. With
--variants those of VARIANTS are crawled too: one parameter changed, to see whether it is what an odd place in the table
comes from.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from benchmarks import report
from benchmarks.report import Row
from crawler import metrics, strategies
from crawler.journal import Journal
from crawler.metrics import FetchedPages, Metrics
from crawler.worlds import CorpusWorld
from crawler.worlds.synthetic.templates import PRESETS
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.lab.crawling import timed
from ontocrawl.runs import crawl_setup, plan
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.seeds import url_of
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.strategies --variants --json docs/benchmarks/strategies.json"
PAGES = 6000
WIKISPEEDIA = Path(__file__).resolve().parents[2] / "shared" / "data" / "wikispeedia"
STARTS = ("Rain", "Weather", "Flood", "Thunderstorm", "Tropical_cyclone")
"""Pages of wikispeedia that crawls begin with, by seed."""
MORE_STARTS = ("Hurricane_Katrina", "Wind", "Cloud", "China", "Climate")
WORLDS = ("planted", "wikispeedia")
MILESTONES = metrics.MILESTONES[:3]
"""Numbers of fetches after which the labelled pages are counted."""
# The tables compare the published forms of the strategies. Every crawl setting that can replace a published form stands
# here, so that a change of its default does not change the tables.
PUBLISHED: dict[str, Any] = {"guide": "published", "weights": "sem"}
"""Crawl setting -> the value with which every strategy computes as published."""
VARIANTS = {
    "shark?gamma=0.2": "wikispeedia",
    "gafc?pm=0.0": "planted",
}
"""NAME?PARAMETER=VALUE -> the world that it is crawled on."""


def world_of(name: str, seed: int) -> tuple[str, tuple[str, ...], str | None]:
    """The world of a run, its seeds (none: the world's own) and its labels."""
    if name in PRESETS:
        return f"synthetic:{name}?pages={PAGES}&seed={seed}", (), None
    return f"corpus:{WIKISPEEDIA}", ((*STARTS, *MORE_STARTS)[seed],), f"{WIKISPEEDIA / 'topics.json'}#hazard_all"


def labelled(config: RunConfig, world: Any) -> set[str]:
    """All pages of a world that are relevant in truth."""
    if isinstance(world, CorpusWorld):
        names = json.loads((WIKISPEEDIA / "topics.json").read_text(encoding="utf-8"))["hazard_all"]
        return {world.url_of(unquote(name)) for name in names}
    return set(crawl_setup.labels_seen(config, world) or ())


def found_at(milestones: Mapping[str, Metrics]) -> dict[str, int]:
    """Return the labelled pages at each of MILESTONES; a crawl that ended before has there its count at the end."""
    return {str(n): milestones.get(str(n), milestones["end"]).relevant_by_label or 0 for n in MILESTONES}


def crawl(
    task: tuple[str, str, int], base: RunConfig, *, read: Callable[[Journal], None] = lambda journal: None
) -> Row:
    """Crawl once.

    Args:
        task: strategy, world and seed.
        base: the configuration of the crawl.
        read: called with the journal of the finished crawl, which is gone afterwards.

    Returns:
        The figures of the crawl.
    """
    name, web, seed = task
    spec, starts, _ = world_of(web, seed)
    plain, _, parameter = name.partition("?")
    given = plan.parameters(dict([parameter.split("=")])) if parameter else {}
    of_run = {"strategy": plain, "parameters": given, "world": spec}
    config = base.model_copy(update={**of_run, "crawl": base.crawl.model_copy(update={"seed": seed})})
    with (
        tempfile.TemporaryDirectory(prefix="ontocrawl-strategies-") as folder,
        closing(crawl_setup.world_of(config)) as world,
        closing(Journal(Path(folder) / workspace.JOURNAL)) as journal,
    ):
        seeds = tuple(url_of(item, world) for item in starts) or tuple(getattr(world, "seeds", ()))
        config = config.model_copy(update={"seeds": seeds})
        truth = labelled(config, world)
        running = crawl_setup.crawl_of(config, world, journal)
        choosing = timed(running.state.setup.strategy)
        running.begin(config.model_dump(mode="json"))
        began = time.perf_counter()
        scored = [(step.url, score) for step in running.steps() if (score := step.outcome.page_score) is not None]
        seconds = time.perf_counter() - began
        read(journal)
        scores = [score for _, score in scored]
        pages = FetchedPages([s.judged for s in scores], [s.relevant for s in scores], [(u,) for u, _ in scored], truth)
        measured = metrics.milestones(pages, MILESTONES)
        end = measured["end"]
        return {
            "strategy": name, "world": web, "seed": seed, "fetched": end.fetched, "by_judge": end.relevant,
            "by_label": end.relevant_by_label, "found_at": found_at(measured), "labelled": len(truth),
            "stop": running.stop_reason, "seconds": round(seconds, 2),
            "choice_us": round(statistics.median(choosing or [0.0]) * 1e6, 1),
        }  # fmt: skip


def base_config(fetches: int) -> RunConfig:
    """The configuration that all crawls share, with the vectors of the topic rainstorm taken from a graph.

    It is planned for ``ssvsm_guide``, so that it has the similarities of words that this one computes with.
    """
    with tempfile.TemporaryDirectory(prefix="ontocrawl-strategies-") as folder:
        space = workspace.init(Path(folder) / "ws")
        options = CrawlOptions(
            strategy="ssvsm_guide", world="synthetic:planted", run="x",
            settings={"limit_pages": fetches, "snapshot_every": 10**6, **PUBLISHED},
        )  # fmt: skip
        try:
            topic = topics.load("rainstorm", space)
            draft = plan.without_vectors(space, topic, options, lambda line: None)
            vectors = plan.topic_vectors(space, topic, draft, lambda line: None)
            return plan.with_vectors(space, draft, vectors)
        finally:
            embedded.stop(space.graph)


def known_rows(path: Path | None, fetches: int) -> list[Row]:
    """Rows measured before with as many fetches; a row without counts at the milestones is left out."""
    return [row for row in report.stored_rows(path, fetches=fetches) if "found_at" in row]


def key(row: Mapping[str, Any]) -> tuple[str, str, int]:
    """What a row is about."""
    return row["strategy"], row["world"], row["seed"]


def page(result: report.Result) -> str:
    """docs/benchmarks/strategies.md."""
    lines = [
        f"{result['fetches']:,} fetches at most, means of {result['seeds']} seeds. A crawl may end earlier: a filter",
        "can reject all links that are left. Beyond its end, its count at a number of fetches is its last one.",
        "Accuracy counts the pages that the judge finds relevant; precision and recall use the labels.",
        "",
    ]
    for world in dict.fromkeys(row["world"] for row in result["rows"]):
        lines += [f"## {world}", "", *report.grid(COLUMNS, table(result["rows"], world)), ""]
        changed = variants(result["rows"], world)
        if changed:
            lines += [f"### {world}, one parameter changed", "", *report.grid(COLUMNS, changed), ""]
    lines.append(f"{report.machine(result)}.")
    return report.page("All strategies on two webs", COMMAND, lines)


COLUMNS = (
    "strategy", "labelled at 100", "at 300", "at 1,000", "at the end", "from, to (at the end)", "fetches at the end",
    "precision", "recall", "accuracy of the judge", "a choice, microseconds",
)  # fmt: skip
AT_THE_END = COLUMNS.index("at the end")


def table(rows: Iterable[Row], world: str) -> list[tuple[Any, ...]]:
    """A row for each strategy, the best by label first."""
    of = by_name(row for row in rows if row["world"] == world and "?" not in row["strategy"])
    return sorted((summary(name, found) for name, found in of.items()), key=lambda line: -float(line[AT_THE_END]))


def variants(rows: Sequence[Row], world: str) -> list[tuple[Any, ...]]:
    """A row for each variant, after that of the strategy with its own parameters."""
    of = by_name(row for row in rows if row["world"] == world)
    changed = [name for name in of if "?" in name]
    both = dict.fromkeys(name for variant in changed for name in (variant.partition("?")[0], variant))
    return [summary(name.replace("?", " "), of[name]) for name in both if name in of]


def by_name(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each strategy."""
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["strategy"], []).append(row)
    return of


def summary(name: str, rows: Sequence[Row]) -> tuple[Any, ...]:
    """The means of one strategy's crawls."""
    mean = {column: statistics.mean(row[column] for row in rows) for column in ("fetched", "by_label", "by_judge")}
    at = [statistics.mean(row["found_at"][str(fetches)] for row in rows) for fetches in MILESTONES]
    recall = statistics.mean(row["by_label"] / row["labelled"] for row in rows)
    fetched = max(sum(row["fetched"] for row in rows), 1)  # of all crawls: one that ended at once must not weigh as all
    precision = sum(row["by_label"] for row in rows) / fetched
    accuracy = sum(row["by_judge"] for row in rows) / fetched
    low, high = min(row["by_label"] for row in rows), max(row["by_label"] for row in rows)
    return (
        f"`{name}`", *(round(count, 1) for count in at), round(mean["by_label"], 1), f"{low}, {high}",
        round(mean["fetched"]), f"{precision:.3f}", f"{recall:.3f}", f"{accuracy:.3f}",
        round(statistics.median(row["choice_us"] for row in rows)),
    )  # fmt: skip


def crawl_arguments(description: str | None, worlds: Sequence[str]) -> argparse.ArgumentParser:
    """A parser of what benchmarks that crawl have in common."""
    arguments = report.arguments(description)
    arguments.add_argument("--fetches", type=int, default=1000, metavar="N")
    arguments.add_argument("--seeds", type=int, default=len(STARTS), metavar="N", help=f"at most {len(STARTS)}")
    arguments.add_argument("--worlds", default=",".join(worlds), metavar="NAME,..")
    arguments.add_argument("--workers", type=int, default=1, metavar="N", help="crawls at a time")
    return arguments


def parse(arguments: argparse.ArgumentParser, worlds: Sequence[str]) -> argparse.Namespace:
    """Read the command line; wikispeedia is left out of the worlds where its data are absent."""
    options = arguments.parse_args()
    options.worlds = options.worlds.split(",")
    refuse_unknown(arguments, "world", options.worlds, worlds)
    if not 1 <= options.seeds <= len(STARTS) or options.fetches < 1 or options.workers < 1:
        arguments.error(f"--seeds must lie in [1, {len(STARTS)}], --fetches and --workers be at least 1")
    options.worlds = [world for world in options.worlds if world != "wikispeedia" or WIKISPEEDIA.is_dir()]
    return options


def refuse_unknown(arguments: argparse.ArgumentParser, what: str, names: Iterable[str], known: Collection[str]) -> None:
    """End with an error for a name that is not known."""
    for name in names:
        if name not in known:
            arguments.error(f"no {what} is called {name!r}")


def main() -> int:
    """Crawl what is missing, and print."""
    arguments = crawl_arguments(__doc__, WORLDS)
    arguments.add_argument("--strategies", default=",".join(strategies.STRATEGIES), metavar="NAME,..")
    arguments.add_argument("--variants", action="store_true", help="crawl those of VARIANTS too")
    arguments.add_argument("--anew", action="store_true", help="crawl what is known again")
    options = parse(arguments, WORLDS)
    names = options.strategies.split(",")
    refuse_unknown(arguments, "strategy", names, strategies.STRATEGIES)
    crawls = [(name, world) for name in names for world in options.worlds]
    if options.variants:
        crawls += [(name, world) for name, world in VARIANTS.items() if world in options.worlds]
    tasks = [(*named, seed) for named in crawls for seed in range(options.seeds)]
    stored = [row for row in known_rows(options.json, options.fetches) if not (options.anew and key(row) in tasks)]

    def result(rows: Sequence[Row]) -> dict[str, Any]:
        order = sorted(rows, key=lambda row: (*key(row)[1:2], *key(row)))
        seeds = max((row["seed"] for row in order), default=-1) + 1
        return report.head("strategies", fetches=options.fetches, seeds=seeds, pages=PAGES, rows=order)

    report.measure(
        tasks, stored, run=partial(crawl, base=base_config(options.fetches)), key=key, workers=options.workers,
        result=result, path=options.json, page=page,
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
