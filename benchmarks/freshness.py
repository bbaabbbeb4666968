"""Freshness and age of the copies of a synthetic web whose pages change, by three policies at equal numbers of visits.

    python -m benchmarks.freshness [--json docs/benchmarks/freshness.json] [--webs 8] [--pages 500] [--days 240]

Pages change by Poisson processes whose rates are log-normal, by host and by page in it. Four times a day each policy
visits the same number of pages, and learns from its own visits how often pages change. The second half of the time
counts, at the end of each quarter of a day before the visits. Differences are paired by web, with bootstrap intervals.
The page also says what a visit of an unchanged page costs. Some minutes of processor time; webs that the file has are
not measured again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import loopback, report, site
from benchmarks.page import milliseconds
from crawler.journal.visits import CHANGES
from crawler.kernels.refresh import POLICIES, gain, page_rates
from crawler.model import Response
from crawler.worlds import LiveWorld
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.lab.statistics import mean_interval
from ontocrawl.runs import crawling, runs
from ontocrawl.topics import topics

COMMAND = "python -m benchmarks.freshness --json docs/benchmarks/freshness.json"
Floats = NDArray[np.float64]
TICK, LEARN = 0.25, 8
"""Days between two rounds of visits, and rounds between two estimates of the rates."""
UNKNOWN = 0.1
"""Changes a day of all pages before any second visit."""
HOSTS, MEDIAN, SPREAD_OF_HOSTS, SPREAD_OF_PAGES = 20, 0.05, 1.2, 1.0
"""Hosts; median of the changes a day; standard deviations of the logarithms."""
WEIGHTS, SHARES = (10.0, 1.0, 0.1), (0.05, 0.25, 0.70)
"""Weights of hubs, of relevant and of other pages, and their shares."""
RATIOS = (0.05, 0.1, 0.2)
"""Visits a day per page."""
KNOWN, WEIGHTED = "optimal, rates known", "optimal, weighted"
ARMS = ("uniform", "proportional", "optimal", WEIGHTED, KNOWN)
FIGURES = ("freshness", "age", "weighted")


class Web:
    """Pages with the times at which they change."""

    def __init__(self, seed: int, pages: int, days: float) -> None:
        """Draw hosts, rates, weights and times of change."""
        draw = np.random.default_rng(seed)
        self.host = draw.integers(0, HOSTS, pages)
        of_hosts = draw.normal(np.log(MEDIAN), SPREAD_OF_HOSTS, HOSTS)
        self.rate = np.exp(draw.normal(of_hosts[self.host], SPREAD_OF_PAGES))
        self.weight = draw.choice(WEIGHTS, pages, p=SHARES)
        counts = draw.poisson(self.rate * days)
        self.times = [np.append(np.sort(draw.uniform(0.0, days, n)), np.inf) for n in counts]

    def next_change(self, page: int, time: float) -> float:
        """Return the time of the first change of a page after a time."""
        times = self.times[page]
        return float(times[np.searchsorted(times, time, side="right")])


def revisit(web: Web, arm: str, visits: int, days: float) -> dict[str, float]:
    """Visit a web by a policy for some days; return the mean freshness, age and weighted freshness of its second half.

    Args:
        web: the web, of which all pages are read at the time 0.
        arm: one of ARMS.
        visits: visits of each round.
        days: length in days.
    """
    pages = len(web.rate)
    policy = POLICIES.get(arm, gain)
    weight = web.weight if arm == WEIGHTED else np.ones(pages)
    last, stale = np.zeros(pages), np.array([web.next_change(page, 0.0) for page in range(pages)])
    rate = web.rate if arm == KNOWN else np.full(pages, UNKNOWN)
    seen: list[tuple[Any, ...]] = []
    sums = np.zeros(3)
    rounds = int(days / TICK)
    for number in range(1, rounds + 1):
        now = number * TICK
        if number > rounds // 2:
            fresh = stale > now
            sums += fresh.mean(), np.maximum(now - stale, 0.0).mean(), np.average(fresh, weights=web.weight)
        if arm != KNOWN and number % LEARN == 0:
            page, interval, changed = (np.concatenate(column) for column in zip(*seen, strict=True))
            rate = page_rates(page, interval, changed, web.host, UNKNOWN)
        chosen = np.argsort(-policy(rate, now - last, weight), kind="stable")[:visits]
        seen.append((chosen, now - last[chosen], stale[chosen] <= now))
        last[chosen] = now
        stale[chosen] = [web.next_change(page, now) for page in chosen.tolist()]
    return dict(zip(FIGURES, (sums / (rounds - rounds // 2)).tolist(), strict=True))


# ---- what the theory says of known rates (Cho and Garcia-Molina, Effective page refresh policies for Web crawlers)


def freshness(rate: Floats, interval: Floats) -> Floats:
    """Return the mean freshness of pages that are visited at fixed intervals: (1 - e^-x) / x, x = lambda I."""
    x = rate * interval
    return np.where(np.isinf(x), 0.0, -np.expm1(-x) / np.where(np.isinf(x), 1.0, x))


def optimal_intervals(rate: Floats, weight: Floats, visits: float) -> Floats:
    """Return the intervals that maximise the weighted mean freshness, infinity for a page that is not visited.

    Args:
        rate: changes of each page per unit of time, above 0.
        weight: weight of each page, above 0.
        visits: number of visits of all pages per unit of time.
    """
    x = np.geomspace(1e-6, 40.0, 1 << 14)
    of_x = gain(np.ones_like(x), x, np.ones_like(x))
    low, high = 0.0, float((weight / rate).max())
    found = np.full(len(rate), np.inf)
    for _ in range(60):
        mu = (low + high) / 2.0
        share = mu * rate / weight
        found = np.where(share < of_x[-1], np.interp(share, of_x, x) / rate, np.inf)
        low, high = (mu, high) if float((1.0 / found).sum()) > visits else (low, mu)
    return found


# ---- what a visit of an unchanged page costs


def cost(pages: int) -> dict[str, Any]:
    """Return the processor time of conditional requests of unchanged pages, alone and as whole visits, in ms.

    Args:
        pages: number of pages of a site on loopback, which is crawled first.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        folder.mkdir()
        paths = site.write(folder, pages, 0)
        space = workspace.init(Path(name) / "workspace")
        with loopback.served(folder) as (server, port):
            address = f"http://127.0.0.1:{port}"
            options = CrawlOptions(
                strategy="breadth_first", graph=False, politeness=False, run="site", allow_loopback=True,
                settings={"limit_pages": pages},
            )  # fmt: skip
            topic, seeds = topics.load("rainstorm", space), [f"{address}{path}" for path in paths]
            with crawling.planned(space, topic, options, seeds, lambda line: None) as (config, world):
                runs.begin(space, config, world, lambda step: None)
            began, found = time.process_time(), crawling.again(space, "site")
            whole = time.process_time() - began
            alone = _conditional(f"{address}{paths[0]}")
    visits = found["unchanged"]
    if visits != sum(found[change] for change in CHANGES):
        raise RuntimeError(f"pages of a site that does not change were visited, and not all are unchanged: {found}")
    return {"server": server, "visits": visits, "visit_ms": round(1000 * whole / visits, 3), "request_ms": alone}


def _conditional(url: str, requests: int = 500) -> float:
    """Return the median processor time of a conditional request of an unchanged page in ms, without a visit."""
    with closing(LiveWorld(allow_loopback=True)) as world:
        first = world.fetch(url)
        if not isinstance(first, Response) or "etag" not in first.headers:
            raise TypeError(f"{url} has no ETag: {first}")
        world.validators = {url: {"etag": first.headers["etag"]}}
        return round(milliseconds(lambda: world.fetch(url), requests), 3)


# ---- result -----------------------------------------------------------------------------------------------------


def of_web(seed: int, pages: int, days: float) -> list[report.Row]:
    """Return a row for each arm and number of visits on one web."""
    web = Web(seed, pages, days)
    rows = []
    for ratio in RATIOS:
        visits = round(ratio * pages * TICK)
        best = optimal_intervals(web.rate, np.ones(pages), visits / TICK)
        bound = {"bound": float(freshness(web.rate, best).mean())}
        rows += [{"seed": seed, "ratio": ratio, "arm": arm, **revisit(web, arm, visits, days), **bound} for arm in ARMS]
    return rows


def _values(rows: Sequence[report.Row], ratio: float, arm: str, figure: str) -> Floats:
    return np.array([row[figure] for row in rows if (row["ratio"], row["arm"]) == (ratio, arm)])


def _difference(rows: Sequence[report.Row], ratio: float, arm: str, other: str, figure: str) -> str:
    values = _values(rows, ratio, arm, figure) - _values(rows, ratio, other, figure)
    if arm == other or len(values) < 3:
        return "" if arm == other else f"{values.mean():+.3f}"
    low, high = mean_interval(values)
    return f"{values.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def page(result: report.Result) -> str:
    """Return the page of a result."""
    rows: Sequence[report.Row] = result["rows"]
    webs = len({row["seed"] for row in rows})
    size, days, hosts = f"{result['pages']:,}", f"{result['days']:g}", SPREAD_OF_HOSTS
    lines = [
        f"{webs} synthetic webs of {size} pages on {HOSTS} hosts, {days} days each, of which the second half counts.",
        f"A page changes {MEDIAN} times a day in the median; the rates are log-normal, with the standard",
        f"deviations {hosts} of hosts and {SPREAD_OF_PAGES} of the pages of a host. Each policy makes the",
        f"same number of visits in a round, {1 / TICK:g} times a day, and learns the rates from its own visits by the",
        "estimator of Cho and Garcia-Molina; one is given them. A copy is fresh while its page has not changed,",
        "and its age is the time since then. In the weighted freshness the weights of pages are",
        f"{', '.join(f'{weight:g} ({share:.0%})' for weight, share in zip(WEIGHTS, SHARES, strict=True))}.",
        "Differences are paired by web, with intervals of 95 % by bootstrap (BCa).",
        "", "The policy that maximises freshness seldom visits pages that change faster than it can follow, so that",
        "the mean age of all copies grows where visits are few.", "",
    ]  # fmt: skip
    for ratio in RATIOS:
        bound = np.mean([row["bound"] for row in rows if row["ratio"] == ratio])
        lines += [f"## {ratio:g} visits a day per page", "", *_table(rows, ratio), ""]
        lines += [f"Visits at fixed intervals that know the rates have at most a freshness of {bound:.3f}.", ""]
    took = result["cost"]
    lines += [
        "## What a visit of an unchanged page costs", "",
        f"A revisit of {took['visits']:,} unchanged pages by conditional requests takes {took['visit_ms']} ms of",
        f"processor time a page, of which {took['request_ms']} ms are the request ({took['server']} on loopback).",
        "The rest is to restore the run, to put the pages in order, and the journal. The goal is less than 1 ms.", "",
    ]  # fmt: skip
    return report.page("Freshness of pages that are visited again", COMMAND, [*lines, f"{report.machine(result)}."])


def _table(rows: Sequence[report.Row], ratio: float) -> list[str]:
    shown = [
        (
            arm, *(f"{_values(rows, ratio, arm, figure).mean():.3f}" for figure in FIGURES),
            *(_difference(rows, ratio, arm, other, "freshness") for other in ("uniform", "proportional")),
            _difference(rows, ratio, arm, "uniform", "weighted"),
        )
        for arm in ARMS
    ]  # fmt: skip
    columns = ("policy", "freshness", "age in days", "weighted freshness", "freshness − uniform",
               "freshness − proportional", "weighted − uniform")  # fmt: skip
    return report.grid(columns, shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = report.arguments(__doc__)
    parser.add_argument("--webs", type=int, default=8, metavar="N", help="number of webs")
    parser.add_argument("--pages", type=int, default=500, metavar="N", help="pages of a web")
    parser.add_argument("--days", type=float, default=240.0, metavar="N", help="length in days")
    options = parser.parse_args(arguments)
    took = cost(max(100, options.pages))
    rows = report.stored_rows(options.json, pages=options.pages, days=options.days)
    for seed in {*range(options.webs)} - {row["seed"] for row in rows}:
        rows += of_web(seed, options.pages, options.days)
    result: Mapping[str, Any] = report.head("freshness", pages=options.pages, days=options.days, cost=took, rows=rows)
    report.publish(result, options.json, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
