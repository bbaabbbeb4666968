"""What choosing the next link costs as the queue grows, for every strategy.

    python -m benchmarks.choice [--json docs/benchmarks/choice.json] [--largest 1000000] [--strategies NAME,..]

A frontier of 10^3, 10^4 .. links with random features on 1,000 hosts (fewer links: fewer hosts). A round is what a
crawl does for a page, by crawler.protocol: one choice, its outcome, and twenty out-links that are offered. Only the
choice is timed; what a strategy spends on the page itself (tell, priorities, and its own refreshes, if it has a
schedule) is timed apart; both in processor time of the thread. Strategies that read tokens first receive pages of 1,000
links with random words, as many as make the queue. The limit: choosing from 10^6 links costs under 20 times choosing
from 10^3. Exits with 1 where it is missed.
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
from crawler.model import Floats, Ids, Outcome, PageScore, TokenRows
from crawler.protocol import Scheduler
from crawler.strategies.base import Strategy

LIMIT_TIMES = 20.0
ROUNDS, WARM = 80, 5
OUT_LINKS = 20
PAGE_LIMIT = 15_000
PAGE_LINKS = 1_000
FETCHED = 1_000
"""Pages after which a strategy with a schedule of its own does not refresh more often than later."""
LENGTHS = {"tokens": 600, "anchor_tokens": 3, "context_tokens": 30, "url_tokens": 5}
"""Tokens of a page, and of an anchor, a context and a URL."""
WORDS = 200_000
"""Number of different words."""
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


class RandomTokens:
    """Words of a page and its links, rare and common ones, one in fifty a topic word."""

    def __init__(self, rng: np.random.Generator, parts: Sequence[str]) -> None:
        self._rng = rng
        self.parts = [name for name in LENGTHS if name in parts]

    def of(self, links: int) -> dict[str, Any]:
        """The token parts of the outcome of a page with so many links."""
        return {name: self._rows(1 if name == "tokens" else links, LENGTHS[name]) for name in self.parts}

    def _rows(self, rows: int, length: int) -> TokenRows:
        ids = np.minimum(self._rng.zipf(1.3, rows * length), WORDS).astype(np.int32)
        return TokenRows(ids, np.arange(rows + 1) * length, np.where(ids % 50 == 7, 0.8, 0.0).astype(np.float32))


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
        self.tokens = RandomTokens(self.rng, strategy.page_parts)
        self.page_seconds = list[float]()
        names = feature_names(strategy)
        frontier, graph = Frontier(names), LinkGraph()
        hosts = self.rng.integers(0, min(1000, max(links // 20, 1)), links + 1)
        known = frontier.discover(host=hosts.astype(np.float64))
        graph.grow(links + 1)
        graph.add(links, known[:-1].tolist())  # the last one is the page that contains them all
        columns = RandomColumns(names, links + 1, self.rng)
        self.scheduler = Scheduler(strategy, frontier, graph, columns, self.rng)
        self.scheduler.fetched, self.scheduler.limit = FETCHED if self.tokens.parts else 1, PAGE_LIMIT
        queue = known[:-1]
        if self.tokens.parts:
            for first in range(0, links, PAGE_LINKS):
                strategy.tell([self.outcome(links, queue[first : first + PAGE_LINKS])])
        self.scheduler.offer(queue)
        self.scheduler.plant(queue[~frontier.is_queued(queue)])  # those that it rejects
        self.scheduler.refresh()

    def choose(self) -> float:
        """Seconds of one choice, and then the rest of the round."""
        began = time.thread_time()
        picks = self.scheduler.ask(1, PAGE_LIMIT)
        seconds = time.thread_time() - began
        taken = self.scheduler.take(picks)
        out_links = np.unique(self.rng.integers(0, self.links, OUT_LINKS))
        outcomes = [self.outcome(pick.link, out_links, pick.tag) for pick in taken]
        began = time.thread_time()
        for pick, outcome in zip(taken, outcomes, strict=True):
            self.scheduler.tell(pick.number, outcome)
            self.scheduler.release([pick.link])  # so that the queue keeps its length
        self.scheduler.offer(out_links)
        if self.scheduler.strategy.refresh is not None:
            self.scheduler.fetched += len(taken)
            self.scheduler.refresh_if_due()
        self.page_seconds.append(time.thread_time() - began)
        return seconds

    def outcome(self, page: int, out_links: Ids, tag: int = -1) -> Outcome:
        """The outcome of a page, with random tokens where the strategy reads some."""
        return Outcome(page, SCORE, out_links=out_links, tag=tag, **self.tokens.of(len(out_links)))


def microseconds(name: str, links: int) -> tuple[float, float]:
    """Mean cost of a choice from so many links, the two dearest left out: the machine was busy with something else.

    And that of a page, of which none is left out: refreshes are among them.
    """
    rounds = Rounds(strategies.create(name), links)
    taken = sorted([rounds.choose() for _ in range(WARM + ROUNDS)][WARM:])[:-2]
    return round(statistics.fmean(taken) * 1e6, 1), round(statistics.fmean(rounds.page_seconds[WARM:]) * 1e6, 1)


Costs = dict[str, dict[str, float]]


def measure(names: list[str], sizes: list[int]) -> tuple[Costs, Costs]:
    """Strategy -> queued links -> microseconds, of a choice and of a page."""
    choices, pages = Costs(), Costs()
    for name in names:
        costs = {str(n): microseconds(name, n) for n in sizes}
        choices[name] = {n: choice for n, (choice, _) in costs.items()}
        pages[name] = {n: of_page for n, (_, of_page) in costs.items()}
        print(name, choices[name], pages[name], file=sys.stderr, flush=True)
    return choices, pages


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
        "Microseconds of processor time, on average, in which a strategy with its own parameters chooses one of so",
        "many queued links. A population is formed now and then, and its members wait; that is why it is the average.",
        "",
        *report.grid(("strategy", *(f"{n:,}" for n in sizes), "times"), rows),
        "",
        f"Over the limit of {LIMIT_TIMES:g} times: {over}.",
        "",
        *_of_pages(result),
        f"{report.machine(result)}, load {result['load_average']}.",
    ]
    return report.page("What a choice costs", COMMAND, lines)


def _of_pages(result: report.Result) -> list[str]:
    """The cost of pages, where the result has it."""
    rows = [(f"`{name}`", *row.values()) for name, row in result.get("page_microseconds", {}).items()]
    if not rows:
        return []
    about = (
        "Microseconds of processor time, on average, that a strategy takes for a page of twenty known links: its",
        "outcome, and their priorities; with the updates of the queue by its own schedule, where it has one.",
    )
    return [*about, "", *report.grid(("strategy", *(f"{n:,}" for n in result["sizes"])), rows), ""]


def main() -> int:
    """Measure and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--largest", type=int, default=1_000_000, metavar="N")
    arguments.add_argument("--strategies", default="", metavar="NAME,..", help="only these")
    given = arguments.parse_args()
    sizes = [n for n in (10**3, 10**4, 10**5, 10**6, 10**7) if n <= given.largest]
    names = given.strategies.split(",") if given.strategies else list(strategies.STRATEGIES)
    costs, pages = measure(names, sizes)
    over = [name for name, row in costs.items() if ratio(row) > LIMIT_TIMES]
    more: dict[str, Any] = {
        "sizes": sizes,
        "microseconds": costs,
        "page_microseconds": pages,
        "over_the_limit": over,
        "load_average": report.load(),
    }
    report.publish(report.head("choice", **more), given.json, page)
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
