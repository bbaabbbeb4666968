"""What a crawl in rounds loses: relevant pages among equally many fetched ones, by the number of links of a round.

    python -m benchmarks.rounds [--json docs/benchmarks/rounds.json] [--fetched 400]

Synthetic webs are crawled on the topic rainstorm by an ordinary crawl, which chooses each link after the page before
it was read, and in rounds of three sizes without a limit by host, all in one process. Relevant are the pages that the
webs label so. With --json FILE a table is written beside it (FILE with the suffix .md). About three minutes of
processor time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks import report
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions, RoundsSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawling, runs
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.rounds --json docs/benchmarks/rounds.json"
STRATEGIES = ("best_first", "evidence_sum")
PAGES, FETCHED = 3_000, 400
WEBS = tuple(f"synthetic:planted?pages={PAGES}&seed={seed}" for seed in range(2))
SIZES = (1, 25, 100, 200)
"""Links of a round; 1 is the ordinary crawl."""


def crawl(space: Workspace, strategy: str, web: str, size: int, fetched: int = FETCHED) -> report.Row:
    """Crawl a web, and return what was found."""
    options = CrawlOptions(
        strategy=strategy,
        world=web,
        graph=False,
        rounds=None if size == 1 else RoundsSettings(size=size, per_host=0),
        settings={"limit_pages": fetched},
    )
    topic = topics.load("rainstorm", space)
    with crawling.planned(space, topic, options, (), lambda line: None) as (config, world):
        found = runs.begin(space, config, world, lambda step: None)
    with runs.open_journal(space, found.run) as journal:
        rounds = sum(1 for _ in journal.events_of("round"))
    return {
        "strategy": strategy,
        "web": web,
        "size": size,
        "rounds": rounds,
        "fetched": found.end.fetched,
        "relevant": found.end.relevant_by_label,
        "seconds": found.seconds,
    }


def summary(rows: Sequence[report.Row]) -> list[dict[str, Any]]:
    """Return the sums over the webs, for each strategy and size, with the share of the ordinary crawl's harvest.

    A web that a strategy has not crawled with all sizes, as when the program was stopped, is left out.
    """
    sums = []
    for strategy, size in product(STRATEGIES, SIZES):
        own = [row for row in rows if row["strategy"] == strategy]
        webs = [web for web in WEBS if sum(row["web"] == web for row in own) == len(SIZES)]
        of_size = [row for row in own if row["size"] == size and row["web"] in webs]
        if not of_size:
            continue
        relevant = sum(row["relevant"] for row in of_size)
        fetched = sum(row["fetched"] for row in of_size)
        ordinary = sum(row["relevant"] for row in own if row["size"] == 1 and row["web"] in webs)
        rounds = [row["rounds"] for row in of_size]
        sums.append({
            "strategy": strategy, "size": size, "webs": len(webs), "rounds": rounds, "fetched": fetched,
            "relevant": relevant,
            "harvest": round(relevant / fetched, 3), "of_ordinary": round(relevant / ordinary, 3),
        })  # fmt: skip
    return sums


def page(result: report.Result) -> str:
    """Return the page of a result."""
    columns = (
        "strategy",
        "webs",
        "links of a round",
        "rounds, by web",
        "relevant pages",
        "harvest",
        "of the ordinary crawl",
    )
    rows = (
        (
            row["strategy"],
            row["webs"],
            "ordinary crawl" if row["size"] == 1 else row["size"],
            "" if row["size"] == 1 else ", ".join(map(str, row["rounds"])),
            f"{row['relevant']} of {row['fetched']}",
            f"{row['harvest']:.3f}",
            f"{row['of_ordinary']:.1%}",
        )
        for row in result["summary"]
    )
    lines = [
        (
            f"{result['fetched']} pages fetched of each synthetic web of {result['pages']:,} pages "
            f"({report.machine(result)}). Relevant are the pages that the web labels so; "
            "harvest is their share."
        ),
        "",
        *report.grid(columns, rows),
    ]
    return report.page("What a crawl in rounds loses", COMMAND, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = report.arguments(__doc__)
    parser.add_argument("--fetched", type=int, default=FETCHED, metavar="N", help="pages of a crawl")
    options = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        space = workspace.init(Path(name) / "workspace")
        for task in product(STRATEGIES, WEBS, SIZES):
            rows.append(crawl(space, *task, options.fetched))
            print(rows[-1], file=sys.stderr, flush=True)
            if options.json is not None:
                report.save(result_of(rows, options.fetched), options.json, page)
    report.publish(result_of(rows, options.fetched), options.json, page)
    return 0


def result_of(rows: Sequence[report.Row], fetched: int = FETCHED) -> dict[str, Any]:
    """Return the result of the crawls so far."""
    return report.head("rounds", webs=list(WEBS), pages=PAGES, fetched=fetched, summary=summary(rows), rows=list(rows))


if __name__ == "__main__":
    sys.exit(main())
