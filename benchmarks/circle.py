"""The circle closed once: what is learned steers the crawl. Labelled pages by the learned and by the curated ontology.

    python -m benchmarks.circle [--json docs/benchmarks/circle.json] [--fetches 1000] [--seeds 5] [--starts 10]
                                [--worlds planted,tangled,wikispeedia] [--workers 1]

From `disaster_core` (../shared/data, skipped where absent) an ontology is learned as `ontology build` does it, loaded,
weighed by query, and crawled with. Each strategy crawls by the curated ontology of the topic `rainstorm` and by the
learned one, in several settings of --guide and --weights. Beside them stand breadth-first search and best-first search
by the topic's own words (TK), whose guide is the published one.

* planted, tangled: synthetic rainstorm webs of 6,000 pages, another web for each seed, labels as planted
* wikispeedia: encyclopaedia pages of ../shared/data, labels `hazard_all`, from another page for each seed; FINAL crawls
  from ten pages, the others from five

Tangled is crawled by FINAL's strategy only. Labelled pages are counted at 100, 300 and 1,000 fetches and at the end; a
crawl that ended before has its last count there. What the file of --json has for the same fetches is kept.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import t as student_t

from benchmarks import report
from benchmarks.report import Row
from benchmarks.strategies import (
    MILESTONES,
    MORE_STARTS,
    PUBLISHED,
    STARTS,
    WIKISPEEDIA,
    crawl,
    crawl_arguments,
    parse,
)
from kg.engine import embedded
from ontocrawl import building, plan, topics, workspace
from ontocrawl.run_config import RunConfig
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace

COMMAND = "python -m benchmarks.circle --json docs/benchmarks/circle.json"
CORPUS = WIKISPEEDIA.parent / "abstracts_zh" / "disaster_core.jsonl"
WORLDS = ("planted", "tangled", "wikispeedia")
GUIDED = ("fcosa_lg", "fcosa_g", "ma_2016", "fcwseo")


class Setting(NamedTuple):
    """By which ontology, relevance function and weights a strategy crawls."""

    name: str
    ontology: str | None
    given: Mapping[str, Any]


TK = Setting("topic words", None, PUBLISHED)
SETTINGS = (
    TK,
    Setting("curated, published", "curated", PUBLISHED),
    Setting("curated, saturated", "curated", {"guide": "saturated", "weights": "sem"}),
    Setting("learned, published", "learned", PUBLISHED),
    Setting("learned, saturated", "learned", {"guide": "saturated", "weights": "sem"}),
    Setting("learned, saturated, key", "learned", {"guide": "saturated", "weights": "key"}),
    Setting("learned, saturated, sem_key", "learned", {"guide": "saturated", "weights": "sem_key"}),
)
STARTING_PAGES = len(STARTS) + len(MORE_STARTS)
FORMS = ("published", "saturated")
FINAL = ("fcosa_lg", "learned, saturated, key")
Task = tuple[str, str, str, int]
"""Strategy, setting, world, seed."""


def configurations(folder: Path, fetches: int) -> tuple[dict[str, RunConfig], dict[str, Any]]:
    """Learn, load and weigh: setting -> the configuration of its crawls; and figures of what was learned."""
    space = workspace.init(folder / "ws")
    built = building.build(space, building.BuildOptions([CORPUS], folder / "learned"), lambda said: None)
    learned_topic = topics.load(str(built.written.topic), space)
    topic_of = {None: built.topic, "curated": built.topic, "learned": learned_topic}
    try:
        found = {s.name: _configuration(space, topic_of[s.ontology], s.given, fetches) for s in SETTINGS}
    finally:
        embedded.stop(space.graph)
    learned = built.learned.global_ontology
    about = {"documents": len(built.learned.documents), "classes": len(learned.concepts), "version": learned.version}
    words = {name: {v: len(w) for v, w in config.vocabularies.items()} for name, config in found.items()}
    return found, {"learned": about, "words": words}


def _configuration(space: Workspace, topic: Topic, given: Mapping[str, Any], fetches: int) -> RunConfig:
    limits = {"limit_pages": fetches, "snapshot_every": 10**6}
    options = plan.CrawlOptions(
        strategy="breadth_first", world="synthetic:planted", run="x", settings={**given, **limits}
    )
    return plan.plan(space, topic, options)


def tasks(worlds: Sequence[str], seeds: int, starts: int) -> list[Task]:
    """Every crawl, the most important ones first."""
    both = [
        (FINAL, range(starts)),
        (("best_first", TK.name), range(starts)),
        (("breadth_first", TK.name), range(seeds)),
    ]
    rest = [(name, setting.name) for setting in SETTINGS if setting.ontology for name in GUIDED]
    few = [pair for pair in rest if pair[1] != "learned, saturated, sem_key" or pair[0] == FINAL[0]]
    both += [(pair, range(seeds)) for pair in few if pair != FINAL]
    return [
        (name, setting, world, seed)
        for (name, setting), numbers in both
        for world in worlds
        if world != "tangled" or name in (FINAL[0], "best_first", "breadth_first")
        for seed in (numbers if world == "wikispeedia" else numbers[:seeds])
    ]


def run(task: Task, configs: Mapping[str, RunConfig]) -> Row:
    """One crawl: its figures."""
    name, setting, world, seed = task
    row = crawl((name, world, seed), base=configs[setting])
    kept = ("strategy", "world", "seed", "fetched", "by_judge", "by_label", "found_at", "labelled", "stop", "seconds")
    return {"setting": setting, **{key: row[key] for key in kept}}


def key(row: Row) -> Task:
    """What a row is about."""
    return row["strategy"], row["setting"], row["world"], row["seed"]


def page(result: report.Result) -> str:
    """docs/benchmarks/circle.md."""
    learned = result["learned"]
    lines = [
        f"From the {learned['documents']} records of `disaster_core` an ontology of {learned['classes']} classes was",
        "learned (`ontology build`, defaults), loaded, and weighed by query; then each strategy crawled by it and by",
        "the curated ontology of the topic `rainstorm`. *published* is the relevance function of the strategy's paper",
        "with weights Sem, as it is in print; *saturated* is `--guide saturated`, *key* and *sem_key* are `--weights`.",
        "Means of labelled pages; a crawl that ended early keeps its last count.",
        "",
    ]
    for world in dict.fromkeys(row["world"] for row in result["rows"]):
        rows = [row for row in result["rows"] if row["world"] == world]
        labelled = statistics.mean(row["labelled"] for row in rows)
        lines += [f"## {world}", "", f"{labelled:,.0f} labelled pages.", "", *report.grid(COLUMNS, table(rows)), ""]
    lines += ["## Learned against curated", "", *_compared(result["rows"]), ""]
    lines += ["## The learned ontology against plain topic words", "", *_against_words(result["rows"]), ""]
    lines += ["## Words of the vectors", "", *report.grid(("setting", "vectors"), _words(result)), ""]
    lines.append(f"{report.machine(result)}.")
    return report.page("The circle closed once", COMMAND, lines)


COLUMNS = (
    "strategy", "setting", "crawls", "labelled at 100", "at 300", "at 1,000", "from, to (at 1,000)",
    "fetches at the end", "ended early",
)  # fmt: skip


def table(rows: Iterable[Row]) -> list[tuple[Any, ...]]:
    """A row for each strategy and setting, in the order of the crawls."""
    of: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        of.setdefault((row["strategy"], row["setting"]), []).append(row)
    order = {setting.name: at for at, setting in enumerate(SETTINGS)}
    names = sorted(of, key=lambda pair: (pair[0] in GUIDED, pair[0], order[pair[1]]))
    return [_summary(name, of[name]) for name in names]


def _summary(name: tuple[str, str], rows: Sequence[Row]) -> tuple[Any, ...]:
    last = [row["found_at"][str(MILESTONES[-1])] for row in rows]
    early = sum(row["stop"] != "limit_pages" for row in rows)
    return (
        f"`{name[0]}`", name[1], len(rows), *(_mean(rows, fetches) for fetches in MILESTONES),
        f"{min(last)}, {max(last)}", round(statistics.mean(row["fetched"] for row in rows)), early,
    )  # fmt: skip


def _mean(rows: Sequence[Row], fetches: int) -> float:
    return round(statistics.mean(row["found_at"][str(fetches)] for row in rows), 1)


def _paired(rows: Sequence[Row], one: tuple[str, str], other: tuple[str, str], world: str, fetches: int) -> str:
    """Mean difference of two crawls of the same seeds with its 95 % interval, by Student's t."""
    of = {key(row): row["found_at"][str(fetches)] for row in rows}
    seeds = [row["seed"] for row in rows if key(row) == (*one, world, row["seed"])]
    found = [of[(*one, world, s)] - of[(*other, world, s)] for s in seeds if (*other, world, s) in of]
    return mean_difference(found)


def mean_difference(found: Sequence[float]) -> str:
    """Return the mean of paired differences with its 95 % interval, by Student's t; "-" for fewer than two.

    >>> mean_difference([1.0, 2.0, 3.0])
    '+2.0 ± 2.5'
    """
    if len(found) < 2:
        return "-"
    half = float(student_t.ppf(0.975, len(found) - 1)) * statistics.stdev(found) / len(found) ** 0.5
    return f"{statistics.mean(found):+.1f} ± {half:.1f}"


def _compared(rows: Sequence[Row]) -> list[str]:
    """What the learned ontology loses or gains against the curated one, seed by seed."""
    lines = []
    for world in dict.fromkeys(row["world"] for row in rows):
        for name in GUIDED:
            for learned, curated in (*[(form, form) for form in FORMS], ("saturated, key", "saturated")):
                pair = (name, f"learned, {learned}"), (name, f"curated, {curated}")
                if any((row["strategy"], row["setting"], row["world"]) == (*pair[0], world) for row in rows):
                    differences = (_paired(rows, *pair, world, n) for n in MILESTONES)
                    lines.append((world, f"`{name}`", learned, curated, *differences))
    about = "Learned less curated, mean of the differences by seed with its 95 % interval (Student's t)."
    return [about, "", *report.grid(("world", "strategy", "learned", "curated", "at 100", "at 300", "at 1,000"), lines)]


def _against_words(rows: Sequence[Row]) -> list[str]:
    """The last setting against best-first search by the topic's words, seed by seed."""
    lines = [
        (world, *(_paired(rows, FINAL, ("best_first", TK.name), world, fetches) for fetches in MILESTONES))
        for world in dict.fromkeys(row["world"] for row in rows)
    ]
    about = f"`{FINAL[0]}` ({FINAL[1]}) less `best_first` ({TK.name}), as above."
    return [about, "", *report.grid(("world", "at 100", "at 300", "at 1,000"), lines)]


def _words(result: report.Result) -> list[tuple[str, str]]:
    return [(name, ", ".join(f"{v} {n}" for v, n in of.items())) for name, of in result["words"].items()]


def main() -> int:
    """Learn, crawl what is missing, and print."""
    arguments = crawl_arguments(__doc__, WORLDS)
    arguments.add_argument("--starts", type=int, default=STARTING_PAGES, metavar="N", help="of FINAL on wikispeedia")
    options = parse(arguments, WORLDS)
    if not CORPUS.exists():
        print(f"skipped: {CORPUS} is absent", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="ontocrawl-circle-") as folder:
        configs, about = configurations(Path(folder), options.fetches)
    place = {task: at for at, task in enumerate(tasks(WORLDS, len(STARTS), STARTING_PAGES))}

    def result(rows: Sequence[Row]) -> dict[str, Any]:
        worlds_first = sorted(rows, key=lambda row: (WORLDS.index(row["world"]), place.get(key(row), 0)))
        return report.head("circle", fetches=options.fetches, **about, rows=worlds_first)

    stored = report.stored_rows(options.json, fetches=options.fetches, learned=about["learned"])
    report.measure(
        tasks(options.worlds, options.seeds, options.starts), stored, run=partial(run, configs=configs), key=key,
        workers=options.workers, result=result, path=options.json, page=page,
    )  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
