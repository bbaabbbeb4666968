"""What choosing the next link costs as the queue grows, for every strategy.

    python -m benchmarks.choice [--json docs/benchmarks/choice.json] [--largest 1000000] [--strategies NAME,..]

A frontier of 10^3, 10^4 .. links with random features on 1,000 hosts (fewer links: fewer hosts). A round is what a
crawl does for a page, by crawler.protocol: one choice, its outcome, and twenty out-links that are offered. Only the
choice is timed. The limit: choosing from 10^6 links costs under 20 times choosing from 10^3. Exits with 1 where it is
missed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import report
from crawler import strategies
from crawler.conformance.rehearsal import feature_names
from crawler.frontier import Frontier
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Floats, Ids, Outcome, PageScore
from crawler.protocol import Scheduler
from crawler.strategies.base import Strategy

LIMIT_TIMES = 20.0
ROUNDS, WARM = 80, 5
OUT_LINKS = 20
PAGE_LIMIT = 15_000
SCORE = PageScore(dict.fromkeys(("TK", "GTK", "LTK_1", "LTK_2", "LTK_3"), 0.5), judged=0.5, relevant=False)
COMMAND = "python -m benchmarks.choice --json docs/benchmarks/choice.json"


class RandomColumns:
    """Feature columns of constant random values."""

    def __init__(self, names: Sequence[str], links: int, rng: np.random.Generator) -> None:
        self._columns = {name: rng.random(links) for name in names}

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Return the columns of links."""
        return {name: column[links] for name, column in self._columns.items()}

    def refresh_pagerank(self) -> None:
        """Do nothing; the columns are constant."""


class Rounds:
    """Rounds of a crawl with one strategy, from a queue of so many links."""

    def __init__(self, strategy: Strategy, links: int, seed: int = 0) -> None:
        """Queue the links.

        Args:
            strategy: a new one.
            links: length of the queue.
            seed: of features, hosts and choices.
        """
        self.links, self.rng = links, np.random.default_rng(seed)
        names = feature_names(strategy)
        frontier, graph = Frontier(names), LinkGraph()
        hosts = self.rng.integers(0, min(1000, max(links // 20, 1)), links + 1)
        known = frontier.discover(host=hosts.astype(np.float64))
        graph.grow(links + 1)
        graph.add(links, known[:-1].tolist())  # the last one is the page that contains them all
        columns = RandomColumns(names, links + 1, self.rng)
        self.scheduler = Scheduler(strategy, frontier, graph, columns, self.rng)
        self.scheduler.fetched, self.scheduler.limit = 1, PAGE_LIMIT
        queue = known[:-1]
        self.scheduler.offer(queue)
        self.scheduler.plant(queue[~frontier.is_queued(queue)])  # those that it rejects
        self.scheduler.refresh()

    def choose(self) -> float:
        """Seconds of one choice, and then the rest of the round."""
        began = time.perf_counter()
        picks = self.scheduler.ask(1, PAGE_LIMIT)
        seconds = time.perf_counter() - began
        taken = self.scheduler.take(picks)
        out_links = np.unique(self.rng.integers(0, self.links, OUT_LINKS))
        for pick in taken:
            self.scheduler.tell(pick.number, Outcome(pick.link, SCORE, out_links=out_links, tag=pick.tag))
            self.scheduler.release([pick.link])  # so that the queue keeps its length
        self.scheduler.offer(out_links)
        return seconds


def microseconds(name: str, links: int) -> float:
    """Mean cost of a choice from so many links, the two dearest left out: the machine was busy with something else."""
    rounds = Rounds(strategies.create(name), links)
    taken = sorted([rounds.choose() for _ in range(WARM + ROUNDS)][WARM:])[:-2]
    return round(statistics.fmean(taken) * 1e6, 1)


def measure(names: list[str], sizes: list[int]) -> dict[str, dict[str, float]]:
    """Strategy -> queued links -> microseconds."""
    costs = {}
    for name in names:
        costs[name] = {str(n): microseconds(name, n) for n in sizes}
        print(name, costs[name], file=sys.stderr, flush=True)
    return costs


def ratio(row: dict[str, float]) -> float:
    """Cost at the largest queue over that at the smallest."""
    costs = list(row.values())
    return round(costs[-1] / costs[0], 2)


def page(result: report.Result) -> str:
    """docs/benchmarks/choice.md."""
    sizes = result["sizes"]
    rows = [(f"`{name}`", *row.values(), ratio(row)) for name, row in result["microseconds"].items()]
    over = ", ".join(result["over_the_limit"]) or "none"
    lines = [
        "Microseconds, on average, in which a strategy with its own parameters chooses one of so many queued links. A",
        "population is formed now and then, and its members wait; that is why it is the average.",
        "",
        *report.grid(("strategy", *(f"{n:,}" for n in sizes), "times"), rows),
        "",
        f"Over the limit of {LIMIT_TIMES:g} times: {over}.",
        "",
        f"{report.machine(result)}, load {result['load_average']}.",
    ]
    return report.page("What a choice costs", COMMAND, lines)


def main() -> int:
    """Measure and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--largest", type=int, default=1_000_000, metavar="N")
    arguments.add_argument("--strategies", default="", metavar="NAME,..", help="only these")
    given = arguments.parse_args()
    sizes = [n for n in (10**3, 10**4, 10**5, 10**6, 10**7) if n <= given.largest]
    names = given.strategies.split(",") if given.strategies else list(strategies.STRATEGIES)
    costs = measure(names, sizes)
    over = [name for name, row in costs.items() if ratio(row) > LIMIT_TIMES]
    more: dict[str, Any] = {
        "sizes": sizes,
        "microseconds": costs,
        "over_the_limit": over,
        "load_average": report.load(),
    }
    report.publish(report.head("choice", **more), given.json, page)
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
