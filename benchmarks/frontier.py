"""How long a choice takes in a large frontier. Prints one JSON document; exits with 1 where a limit is missed.

    python -m benchmarks.frontier [--links 1000000] [--seed 0]

The limits are those that the project promises: one roulette draw from 1,000,000 queued links under 50 microseconds,
and one choice of an annealing strategy (440 proposals) from 100,000 under 2 milliseconds. The linear draw beside them
(cumulative sum and a binary search) is what the tree saves.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable

import numpy as np

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Budget
from crawler.strategies import create

LIMITS_US = {"roulette_draw": 50.0, "choose_fcosa_lg_100k": 2000.0}


def microseconds(call: Callable[[], object], repeat: int, rounds: int = 5) -> float:
    """Time of one call: the median over rounds of the mean within a round."""
    call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeat):
            call()
        times.append((time.perf_counter() - start) / repeat)
    return round(float(np.median(times)) * 1e6, 2)


def queue(links: int, rng: np.random.Generator) -> Frontier:
    """A frontier of so many queued links on 1,000 hosts."""
    frontier = Frontier()
    frontier.put(frontier.discover(host=rng.integers(0, 1000, links).astype(np.float64)), rng.random(links))
    return frontier


def measure(links: int, seed: int) -> dict[str, float]:
    """Microseconds by operation."""
    rng = np.random.default_rng(seed)
    frontier = queue(links, rng)
    ids, changed = frontier.queued(), rng.integers(0, links, 20)
    changed = np.unique(changed)

    def linear() -> int:
        below = np.cumsum(frontier.priority(ids))
        return int(np.searchsorted(below, rng.random() * below[-1]))

    def put_and_take() -> None:
        frontier.take(changed)
        frontier.put(changed, rng.random(len(changed)))

    results = {
        "roulette_draw": microseconds(lambda: frontier.draw_one(rng), 5000),
        "roulette_draw_linear": microseconds(linear, 5),
        "roulette_440_at_once": microseconds(lambda: frontier.draw(rng, 440), 200),
        "best": microseconds(frontier.best, 5000),
        "top_10": microseconds(lambda: frontier.top(10), 500),
        "take_and_put_20": microseconds(put_and_take, 200),
        "rescore_all": microseconds(lambda: frontier.put(ids, rng.random(links)), 1, 3),
    }
    small, graph = queue(100_000, rng), LinkGraph()
    graph.grow(100_000)
    view = FrontierView(small, graph, Budget(1, 15_000))
    for name in ("breadth_first", "best_first", "fcsa", "fcosa_lg", "wang_landau"):
        strategy = create(name)
        results[f"choose_{name}_100k"] = microseconds(lambda s=strategy: s.choose(view, rng, 1), 50)  # type: ignore[misc]
    return results


def main() -> int:
    """Measure a frontier of so many links and print the times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    results = measure(given.links, given.seed)
    missed = [name for name, limit in LIMITS_US.items() if results[name] > limit]
    print(
        json.dumps(
            {
                "links": given.links,
                "microseconds": results,
                "limits": LIMITS_US,
                "missed": missed,
                "times_faster_than_linear": round(results["roulette_draw_linear"] / results["roulette_draw"]),
            },
            indent=2,
        )
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
