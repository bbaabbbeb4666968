"""PageRank, HITS and incremental PageRank on a generated web, beside networkx. Prints one JSON document.

    python -m benchmarks.pagerank [--nodes N] [--links M] [--crawled P] [--seed S] [--json FILE]

The web (200,000 pages, 2,000,000 links by default) gives every page a link, and favours some targets as real webs do.
Both sides begin with the same arrays of link ends and end with a value for each page; for networkx this includes making
its graph, and its own call is told apart. As every page has links, Eq. (7) over n is what networkx calls PageRank: the
values are compared. Each of ours is the fastest of seven runs, networkx runs once, in the same process; because other
work on the machine stretches a long run more than a short one, the two are compared by their processor time.

Then a crawl (15,000 pages by default, with some 20 links each) is followed page by page, and beside it stands what a
warm-started batch after each page would take. Exits with 1 where batch PageRank takes a second or more, is less than 20
times as fast as networkx, or disagrees with it. With --json FILE (docs/benchmarks/pagerank.json) a table is written
beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import os
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from benchmarks import report
from kg.ranking.hits import hits
from kg.ranking.incremental_pagerank import IncrementalPageRank
from kg.ranking.pagerank import pagerank

SECONDS, TIMES = 1.0, 20.0
LINKS_EACH = 20
TOLERANCE = 1e-3
Ids = NDArray[np.int64]


def web(n: int, m: int, rng: np.random.Generator) -> tuple[Ids, Ids]:
    """The ends of about m different links: each page has one, and low numbers are linked to more often."""
    source = np.concatenate((np.arange(n), rng.integers(0, n, m - n)))
    target = (n * rng.random(m) ** 2).astype(np.int64)
    pairs = np.unique(source * n + target)
    return pairs // n, pairs % n


def fastest(call: Callable[[], Any], runs: int = 7) -> dict[str, float]:
    """Seconds of one call, after one that warms up: on the clock, and of the processor."""
    call()
    taken = []
    for _ in range(runs):
        clock, processor = time.perf_counter(), time.process_time()
        call()
        taken.append((time.perf_counter() - clock, time.process_time() - processor))
    return {"clock": min(c for c, _ in taken), "processor": min(p for _, p in taken)}


def measure_batch(n: int, m: int, rng: np.random.Generator) -> dict[str, Any]:
    """Batch PageRank and HITS, ours and networkx's, from the same arrays."""
    source, target = web(n, m, rng)
    relevance = rng.random(len(source))
    ours = pagerank(n, source, target)
    warm = pagerank(n, source[:-10], target[:-10]).values
    began = time.perf_counter(), time.process_time()
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    built = time.perf_counter(), time.process_time()
    its = nx.pagerank(graph, alpha=0.85)
    ended = time.perf_counter(), time.process_time()
    exact = pagerank(n, source, target, tolerance=1e-13, max_iterations=1_000).values
    difference = np.abs(ours.values - exact).max() / exact.max()
    theirs = np.abs(np.array([its[i] for i in range(n)]) * n - exact).max() / exact.max()
    return {
        "nodes": n,
        "links": len(source),
        "pagerank": fastest(lambda: pagerank(n, source, target)),
        "pagerank_iterations": ours.iterations,
        "topic_biased": fastest(lambda: pagerank(n, source, target, anchor_relevance=relevance)),
        "warm_start": fastest(lambda: pagerank(n, source, target, start=warm)),
        "hits": fastest(lambda: hits(n, source, target)),
        "hits_iterations": hits(n, source, target).iterations,
        "networkx": {"clock": ended[0] - began[0], "processor": ended[1] - began[1]},
        "networkx_without_its_graph": {"clock": ended[0] - built[0], "processor": ended[1] - built[1]},
        "error": float(difference),
        "networkx_error": float(theirs),
    }


def measure_incremental(pages: int, rng: np.random.Generator) -> dict[str, Any]:
    """A crawl followed page by page: milliseconds a page, in its last tenth, and of a warm batch at its end."""
    tracked = IncrementalPageRank(tolerance=TOLERANCE)
    known = 1
    taken, ends, biases = [], [], []
    for page in range(pages):
        old = (known * rng.random(LINKS_EACH - 4) ** 2).astype(np.int64)
        targets = np.unique(np.concatenate((old, np.arange(known, known + 4))))
        known = max(known, int(targets.max()) + 1)
        R = rng.random(len(targets))
        start = time.perf_counter()
        tracked.add_links(page, targets, R)
        taken.append(time.perf_counter() - start)
        ends.append(np.stack((np.full(len(targets), page), targets)))
        biases.append(R)
    (source, target), relevance = np.concatenate(ends, axis=1), np.concatenate(biases)
    n = len(tracked)
    exact = pagerank(n, source, target, anchor_relevance=relevance, tolerance=1e-13, max_iterations=1_000).values
    before = tracked.values.copy()

    def batch() -> None:
        pagerank(n, source, target, anchor_relevance=relevance, start=before, tolerance=TOLERANCE)

    return {
        "pages": pages,
        "known": n,
        "links": tracked.links,
        "tolerance": TOLERANCE,
        "milliseconds_a_page": 1e3 * float(np.mean(taken)),
        "milliseconds_a_page_in_the_last_tenth": 1e3 * float(np.mean(taken[-(pages // 10) :])),
        "warm_batch_milliseconds": 1e3 * fastest(batch)["clock"],
        "error": float(np.abs(before / exact - 1).max()),
    }


def table(result: report.Result) -> str:
    """The result as Markdown."""
    batch, crawl = result["batch"], result["incremental"]
    rows = [
        ("PageRank, Eq. (7)", batch["pagerank"]),
        ("PageRank, Eq. (8) repaired", batch["topic_biased"]),
        ("PageRank, warm start after 10 more links", batch["warm_start"]),
        ("HITS", batch["hits"]),
        ("networkx: graph and PageRank", batch["networkx"]),
        ("networkx: PageRank of an existing graph", batch["networkx_without_its_graph"]),
    ]
    taken = [(name, f"{row['clock']:.3f}", f"{row['processor']:.3f}") for name, row in rows]
    before, after = result["load_average"]
    times, alone = result["times_networkx"], result["times_networkx_without_its_graph"]
    speed = (
        f"PageRank from arrays is {times:.0f} times as fast as networkx, by the processor's time ({alone:.0f} times its"
        f" call alone). The largest error is {batch['error']:.0e} of the largest value, and"
        f" {batch['networkx_error']:.0e} with networkx, which by default stops earlier."
    )
    followed = (
        f"Followed page by page, a crawl of {crawl['pages']:,} pages with {crawl['links']:,} links to"
        f" {crawl['known']:,} pages takes {crawl['milliseconds_a_page']:.2f} ms a page, and"
        f" {crawl['milliseconds_a_page_in_the_last_tenth']:.2f} ms in the last tenth. No value may be off by more than"
        f" {crawl['tolerance']:g} of itself; found: {crawl['error']:.1e}. A warm-started batch takes"
        f" {crawl['warm_batch_milliseconds']:.0f} ms at the end."
    )
    machine = (
        f"{report.machine(result)}; load average {before:.1f} before and {after:.1f} after."
        f" Limits: {SECONDS:g} s, and {TIMES:g} times networkx."
    )
    lines = [
        f"{batch['nodes']:,} pages and {batch['links']:,} links, from arrays of link ends:",
        "",
        *report.grid(["", "seconds", "of the processor"], taken),
    ]
    for said in (speed, followed, machine):
        lines += ["", textwrap.fill(said, 118)]
    return report.page("PageRank", "python -m benchmarks.pagerank --json docs/benchmarks/pagerank.json", lines)


def main() -> int:
    """Run and print."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--nodes", type=int, default=200_000)
    arguments.add_argument("--links", type=int, default=2_000_000)
    arguments.add_argument("--crawled", type=int, default=15_000)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    rng = np.random.default_rng(chosen.seed)
    before = report.load()
    batch = measure_batch(chosen.nodes, chosen.links, rng)
    ours = batch["pagerank"]["processor"]
    result = report.head(
        "pagerank",
        processors=os.cpu_count(),
        limits={"seconds": SECONDS, "times_networkx": TIMES},
        batch=batch,
        times_networkx=batch["networkx"]["processor"] / ours,
        times_networkx_without_its_graph=batch["networkx_without_its_graph"]["processor"] / ours,
        incremental=measure_incremental(chosen.crawled, rng),
        load_average=[before, report.load()],
    )
    report.publish(result, chosen.json, table)
    slow = batch["pagerank"]["clock"] >= SECONDS or result["times_networkx"] < TIMES
    wrong = batch["error"] > 1e-6 or batch["networkx_error"] > 0.05  # it stops at a change of 1e-6 a page
    late = result["incremental"]["error"] > TOLERANCE
    return int(slow or wrong or late)


if __name__ == "__main__":
    sys.exit(main())
