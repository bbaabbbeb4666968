"""What choosing the next link costs as the queue grows, for every strategy.

    python -m benchmarks.choice [--json docs/benchmarks/choice.json] [--largest 1000000] [--strategies NAME,..]

A frontier of 10^3, 10^4 .. links with random features on 1,000 hosts (fewer links: fewer hosts). A round is what a
crawl does for a page: one choice, the link leaves the queue, its outcome is told, and twenty links enter. Only the
choice is timed. The limit: choosing from 10^6 links costs under 20 times choosing from 10^3. Exits with 1 where it is
missed.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from benchmarks import report
from crawler import strategies
from crawler.conformance.rehearsal import feature_names
from crawler.frontier import Frontier, FrontierView
from crawler.graph import LinkGraph
from crawler.model import Budget, Ids, Outcome, PageScore
from crawler.strategies.base import Strategy

LIMIT_TIMES = 20.0
ROUNDS, WARM = 80, 5
ENTERING = 20
SCORE = PageScore(dict.fromkeys(("TK", "GTK", "LTK_1", "LTK_2", "LTK_3"), 0.5), judged=0.5, relevant=False)
COMMAND = "python -m benchmarks.choice --json docs/benchmarks/choice.json"


class Queue:
    """A queue of so many links for one strategy, and what a page does to it."""

    def __init__(self, strategy: Strategy, links: int, seed: int = 0) -> None:
        self.strategy, self.links, self.rng = strategy, links, np.random.default_rng(seed)
        names = feature_names(strategy)
        self.frontier, graph = Frontier(names), LinkGraph()
        hosts = self.rng.integers(0, min(1000, max(links // 20, 1)), links + 1)
        known = self.frontier.discover(host=hosts.astype(np.float64))
        for name in names:
            self.frontier.set_feature(name, known, self.rng.random(links + 1))
        graph.grow(links + 1)
        graph.add(links, known[:-1].tolist())  # the last one is the page that contains them all
        self.view = FrontierView(self.frontier, graph, Budget(1, 15_000))
        self.frontier.put(known[:-1], self.rng.random(links))
        self._enter(self.frontier.queued())

    def _enter(self, links: Ids) -> None:
        """Admit links as the loop does: asked of the strategy, queued by its priority."""
        self.strategy.admit(self.view, links)
        self.frontier.put(links, self.strategy.priority(self.view, links))

    def choose(self) -> float:
        """Seconds of one choice, and then the rest of the round."""
        began = time.perf_counter()
        picks = self.strategy.choose(self.view, self.rng, 1)
        seconds = time.perf_counter() - began
        self.frontier.take(picks.link)
        entering = np.unique(self.rng.integers(0, self.links, ENTERING))
        for link, tag in zip(picks.link.tolist(), picks.tag, strict=True):
            self.strategy.tell([Outcome(link, SCORE, out_links=entering, tag=tag)])
        self._enter(entering)
        return seconds


def microseconds(name: str, links: int) -> float:
    """Mean cost of a choice from so many links, the two dearest left out: the machine was busy with something else."""
    queue = Queue(strategies.create(name), links)
    taken = sorted([queue.choose() for _ in range(WARM + ROUNDS)][WARM:])[:-2]
    return round(statistics.fmean(taken) * 1e6, 1)


def measure(names: list[str], sizes: list[int]) -> dict[str, dict[str, float]]:
    """Strategy -> queued links -> microseconds."""
    found = {}
    for name in names:
        found[name] = {str(n): microseconds(name, n) for n in sizes}
        print(name, found[name], file=sys.stderr, flush=True)
    return found


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
    found = measure(names, sizes)
    over = [name for name, row in found.items() if ratio(row) > LIMIT_TIMES]
    more: dict[str, Any] = {
        "sizes": sizes,
        "microseconds": found,
        "over_the_limit": over,
        "load_average": report.load(),
    }
    report.publish(report.head("choice", **more), given.json, page)
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
