"""What a crawl's frontier costs at a million queued links.

    python -m benchmarks.frontier [--links 1000000] [--strategies best_first,fcosa_lg,fcsa] [--seed 0] [--json FILE]

It fills a frontier as a crawl does: pages of 80 links, 40 of them new, 1,000 hosts, five vocabularies of 40
words, topic words in one of five anchors. It measures processor time, the median of several calls, against the goals of
the project, for a crawl that needs 4 ms for a page. A re-scoring of all links is measured against two intervals: 25
pages, and the longer one of crawler.frontier.rescoring for a queue of more than 25,000 links, right after which
snapshots of the changes are written. The linear draw beside the roulette (cumulative sum and a binary search) is what
its tree saves. Memory is what tracemalloc counts for all that grows with the links, their URLs themselves left out.
How it grows over a long crawl is measured by benchmarks/million.py. Exits with 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import report
from crawler.frontier import Frontier
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.rescoring import is_due
from crawler.frontier.url_ids import UrlIds
from crawler.journal import snapshot
from crawler.model import Counts, Floats, Ids
from crawler.protocol import Scheduler
from crawler.scoring.features import expand
from crawler.scoring.guided import GuidedFeatures
from crawler.scoring.relevance import RELEVANCE
from crawler.scoring.statistics import Statistics
from crawler.strategies import create
from crawler.text import Vocabulary, Word

NAMES = ("TK", "GTK", "LTK_1", "LTK_2", "LTK_3")
WORDS, HOSTS, ANCHORS = 40, 1_000, 400
"""Words of a vocabulary, hosts, and different anchors with topic words."""
LINKS_OF_PAGE, NEW_OF_PAGE = 80, 40
PAGE_MS = 4.0
FRAMES, TENTH = 8, 10
"""Calls that tracemalloc keeps of an allocation, to find the module that asked for it. That is slow, so it is done with
a tenth of the links."""
RESCORED_EVERY, SHORT_QUEUE, SAVED_EVERY = 25, 25_000, 250
GOALS = {
    "take_us": 50.0,
    "rescore_share": 0.10,
    "rescore_share_of_long_queue": 0.10,
    "snapshot_share": 0.02,
    "resume_s": 5.0,
    "bytes_per_link": 200.0,
}


def interval(links: int) -> int:
    """Return the pages between two re-scorings of so many queued links."""
    pages = range(RESCORED_EVERY, 10**9, RESCORED_EVERY)
    return next(fetched for fetched in pages if is_due(fetched, RESCORED_EVERY, links, SHORT_QUEUE))


def milliseconds(call: Callable[[], object], repeat: int = 1, rounds: int = 5) -> float:
    """Processor time of one call: the median over rounds of the mean within a round."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeat):
            call()
        times.append((time.process_time() - start) / repeat)
    return float(np.median(times)) * 1e3


@dataclass
class Parts:
    """The parts of a crawl's state that grow with its links."""

    urls: UrlIds
    graph: LinkGraph
    statistics: Statistics
    features: GuidedFeatures
    scheduler: Scheduler

    @classmethod
    def empty(cls, name: str) -> Parts:
        """Return the parts of a crawl by a strategy."""
        rng = np.random.default_rng(7)
        words = {V: [Word(f"{V}{i}", float(rng.random()), (("en", f"{V}{i}"),)) for i in range(WORDS)] for V in NAMES}
        vocabularies = {V: Vocabulary(V, tuple(words[V])) for V in NAMES}
        strategy, statistics, graph = create(name), Statistics(vocabularies), LinkGraph()
        guides, names = {"": RELEVANCE[strategy.guide]}, expand(strategy.features, NAMES)
        known = lambda *_: None  # noqa: E731 - no target is known
        features = GuidedFeatures(names, guides, vocabularies, statistics, graph, "predict", known)
        scheduler = Scheduler(strategy, Frontier(names), graph, features, rng, refresh_every=RESCORED_EVERY)
        return cls(UrlIds(), graph, statistics, features, scheduler)

    def state(self) -> dict[str, Any]:
        """Return the whole state."""
        return self._with(self.scheduler.frontier.state(), self.graph.state(), self.features.state())

    def changes(self) -> dict[str, Any]:
        """Return what changed, right after a re-scoring."""
        return self._with(self.scheduler.frontier.changes(scored=True), self.graph.changes(), self.features.changes())

    def _with(self, frontier: Any, graph: Any, features: Any) -> dict[str, Any]:
        statistics = self.statistics.state()
        return {"frontier": frontier, "graph": graph, "features": features, "statistics": statistics}

    def saved(self, *, scored: bool) -> None:
        """Continue after a snapshot; ``scored`` is False after a whole one."""
        self.scheduler.frontier.saved(scored)
        self.graph.saved()
        self.features.saved()

    def restore(self, urls: list[str], saved: dict[str, Any]) -> None:
        """Restore a state."""
        columns = saved["frontier"]["columns"]
        self.urls.restore(urls, columns["host"], columns["directory"])
        self.graph.restore(saved["graph"])
        self.scheduler.frontier.restore(saved["frontier"])
        self.statistics.restore(saved["statistics"])
        self.features.restore(saved["features"])
        if saved["frontier"]["stale"]:
            queued = self.scheduler.frontier.queued()
            self.scheduler.frontier.set_features(queued, self.features.compute(queued))


class Pages:
    """Random pages: links to new URLs and to known ones, recent ones more often, with anchors of few kinds."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self._anchors = {V: np.zeros((ANCHORS + 1, WORDS), dtype=np.int64) for V in NAMES}
        for F in self._anchors.values():
            F[np.arange(ANCHORS), self.rng.integers(0, WORDS, ANCHORS)] = 1
            F[np.arange(ANCHORS), self.rng.integers(0, WORDS, ANCHORS)] += 1

    def absorb(self, parts: Parts, page: int, urls: list[str]) -> Ids:
        """Add a page with its links to the parts; return its links."""
        n, rng, frontier = len(parts.urls), self.rng, parts.scheduler.frontier
        hosts, directories = parts.urls.add(urls)
        frontier.discover(host=hosts, directory=directories, step=[page] * len(urls), block=[1] * len(urls))
        old = np.unique((n * (1 - rng.random(LINKS_OF_PAGE - len(urls)) ** 2)).astype(np.int64)) if n else n
        links = np.setdiff1d(np.append(old, np.arange(n, n + len(urls))), [page])
        parts.graph.grow(frontier.n)
        parts.statistics.add({V: self._anchors[V][rng.integers(0, ANCHORS, 20)].sum(axis=0) for V in NAMES})
        parts.graph.add(page, links)
        parts.features.add_page(page, {"": dict.fromkeys(NAMES, float(rng.random()))})
        kinds = np.minimum(rng.integers(0, 5 * ANCHORS, len(links)), ANCHORS)
        counts: dict[str, Counts] = {V: F[kinds] for V, F in self._anchors.items()}
        parts.features.add_links(links, counts, counts if parts.features.needs_context else None, page)
        parts.scheduler.fetched += 1
        return links


def url_of(number: int) -> str:
    """A URL like those of a news site: a host, a day, a number."""
    day = number // 200
    return (
        f"http://news{number % HOSTS}.example.cn/{2000 + day % 20}/{day % 12 + 1:02d}{day % 28 + 1:02d}/c{number}.html"
    )


def filled(name: str, links: int, seed: int, frames: int = 1) -> tuple[Parts, Pages, dict[str, int]]:
    """Return the parts of a crawl in which so many links are queued, and the bytes beside the URLs by module."""
    urls = [url_of(number) for number in range(links)]
    tracemalloc.start(frames)
    parts, pages = Parts.empty(name), Pages(seed)
    before = tracemalloc.take_snapshot()
    for page, first in enumerate(range(0, links, NEW_OF_PAGE)):
        pages.absorb(parts, page, urls[first : first + NEW_OF_PAGE])
    frontier = parts.scheduler.frontier
    frontier.put(np.arange(links), np.zeros(links))
    parts.scheduler.refresh()
    frontier.draw(pages.rng, 1)
    used = Counter[str]()
    for grown in tracemalloc.take_snapshot().compare_to(before, "traceback"):
        used[module_of(grown.traceback)] += grown.size_diff
    tracemalloc.stop()
    return parts, pages, dict(used.most_common())


def module_of(traceback: tracemalloc.Traceback) -> str:
    """Return the module that asked for memory: the innermost one of the project that is not only a kind of array."""
    inside_out = [Path(frame.filename) for frame in reversed(traceback)]
    ours = [path for path in inside_out if {"crawler", "kg"} & set(path.parts) and path.stem != "growable"]
    return ours[0].stem if ours else inside_out[0].stem


def measured(name: str, links: int, seed: int) -> dict[str, Any]:
    """Measure the goals for a strategy, and where the time of a re-scoring goes."""
    parts, pages, used = filled(name, links, seed)
    scheduler, frontier, rng = parts.scheduler, parts.scheduler.frontier, np.random.default_rng(seed)
    some = iter(rng.permutation(links)[:3_000].reshape(-1, 1))
    queued = frontier.queued()
    priority: list[Floats] = [scheduler.strategy.priority(scheduler.view(), queued)]
    ms = {
        "take": milliseconds(lambda: frontier.take(next(some)), 500),
        "roulette_draw": milliseconds(lambda: frontier.draw(rng, 1), 1_000),
        "roulette_draw_linear": milliseconds(lambda: linear_draw(frontier, rng)),
        "roulette_440_at_once": milliseconds(lambda: frontier.draw(rng, 440), 100),
        "best": milliseconds(frontier.best, 1_000),
        "top_10": milliseconds(lambda: frontier.top(10), 200),
        "choose": milliseconds(lambda: scheduler.strategy.choose(scheduler.view(), rng, 1), 20),
        "rescore": milliseconds(scheduler.refresh, rounds=3),
        "rescore_pagerank": milliseconds(parts.features.refresh_pagerank, rounds=3),
        "rescore_features": milliseconds(lambda: parts.features.compute(queued), rounds=3),
        "rescore_priority": milliseconds(lambda: scheduler.strategy.priority(scheduler.view(), queued), rounds=3),
        "rescore_put": milliseconds(lambda: frontier.put(queued, priority[0]), rounds=3),
    }
    saving = snapshots(parts, pages)
    by_module = filled(name, links // TENTH, seed, FRAMES)[2]
    return {
        "strategy": name,
        "take_us": round(ms["take"] * 1e3, 1),
        "rescore_share": round(ms["rescore"] / (RESCORED_EVERY * PAGE_MS), 3),
        "rescore_share_of_long_queue": round(ms["rescore"] / (interval(links) * PAGE_MS), 3),
        "snapshot_share": round(saving["changes_ms"] / (max(interval(links), SAVED_EVERY) * PAGE_MS), 4),
        "resume_s": saving["resume_s"],
        "bytes_per_link": round(sum(used.values()) / links, 1),
        "bytes_by_module": {
            module: round(size * TENTH / links, 1) for module, size in by_module.items() if size * TENTH > 0.5 * links
        },
        "ms": {key: round(value, 4) for key, value in ms.items()},
        "snapshot": saving,
    }


def linear_draw(frontier: Frontier, rng: np.random.Generator) -> int:
    """Draw a link by a cumulative sum of all priorities."""
    ids = frontier.queued()
    below = np.cumsum(frontier.priority(ids))
    return int(ids[np.searchsorted(below, rng.random() * below[-1])])


def snapshots(parts: Parts, pages: Pages) -> dict[str, float]:
    """Write a whole snapshot and three of changes as files, each after its pages and a re-scoring, and resume."""
    with tempfile.TemporaryDirectory() as folder:
        files: list[Path] = []

        def save(state: Callable[[], dict[str, Any]], *, scored: bool = False) -> None:
            files.append(Path(folder) / str(len(files)))
            with files[-1].open("wb") as file:
                file.writelines(snapshot.parts(state()))
            parts.saved(scored=scored)

        whole, times = milliseconds(lambda: save(parts.state), rounds=1), []
        for _ in range(3):
            fetch_more(parts, pages)
            times.append(milliseconds(lambda: save(parts.changes, scored=True), rounds=1))
        sizes = [file.stat().st_size / 1e6 for file in files]
        new = Parts.empty(parts.scheduler.strategy.name)
        with contextlib.closing(sqlite3.connect(Path(folder) / "journal")) as db, db:
            db.execute("CREATE TABLE url (id INTEGER PRIMARY KEY, url TEXT)")
            db.executemany("INSERT INTO url (url) VALUES (?)", ((url,) for url in parts.urls.since(0)))
            resume = milliseconds(lambda: resumed(new, db, files), rounds=1)
    return {
        "whole_ms": round(whole, 1), "changes_ms": round(float(np.median(times)), 1), "whole_mb": round(sizes[0], 1),
        "changes_mb": round(sizes[-1], 1), "resume_s": round(resume / 1e3, 2),
        "restored_is_equal": frontier_bytes(parts) == frontier_bytes(new),
    }  # fmt: skip


def resumed(new: Parts, db: sqlite3.Connection, files: list[Path]) -> None:
    """Restore the parts of a crawl from its journal and its snapshots."""
    urls = [url for (url,) in db.execute("SELECT url FROM url ORDER BY id")]
    new.restore(urls, snapshot.unpack(*(file.read_bytes() for file in files)))


def frontier_bytes(parts: Parts) -> list[bytes]:
    """Return the bytes of all columns and priorities."""
    state = parts.scheduler.frontier.state()
    return [state["priority"].tobytes(), *(column.tobytes() for column in state["columns"].values())]


def fetch_more(parts: Parts, pages: Pages) -> None:
    """Take, fetch and score as many pages as between two snapshots, and score all links again."""
    scheduler, frontier = parts.scheduler, parts.scheduler.frontier
    for _ in range(interval(len(frontier))):
        page = scheduler.strategy.choose(scheduler.view(), pages.rng, 1).link
        frontier.take(page)
        known = len(parts.urls)
        links = pages.absorb(parts, int(page[0]), [url_of(known + i) for i in range(NEW_OF_PAGE)])
        scheduler.offer(links)
    scheduler.refresh()


RESCORING = ("rescore", "rescore_pagerank", "rescore_features", "rescore_priority", "rescore_put")


def page_of(result: report.Result) -> str:
    """The page: the goals, and where the time and the memory of each strategy go."""
    rows, columns = result["rows"], ["strategy", *GOALS]
    goal = ["goal", *(f"under {limit:g}" for limit in GOALS.values())]
    missed = [f"{name}: {', '.join(goals)}" for name, goals in result["missed"].items() if goals]
    times = [[row["strategy"], *(row["ms"][part] for part in RESCORING)] for row in rows]
    modules = list(dict.fromkeys(module for row in rows for module in row["bytes_by_module"]))
    memory = [[row["strategy"], *(row["bytes_by_module"].get(module, 0.0) for module in modules)] for row in rows]
    lines = [
        f"{result['links']:,} queued links, {report.machine(result)}. Shares are of the time of a crawl that needs",
        f"{PAGE_MS:g} ms for a page.", "",
        *report.grid(columns, [goal, *([row[name] for name in columns] for row in rows)]), "",
        f"Missed: {'; '.join(missed) or 'nothing'}.", "",
        "## Where the time of a re-scoring goes", "",
        f"Milliseconds of processor time. A re-scoring after every {RESCORED_EVERY} pages may take",
        f"{RESCORED_EVERY * PAGE_MS / 10:g} ms to stay under a tenth, less than writing the priorities alone takes",
        f"at a million links (`rescore_put`). Therefore queues of more than {SHORT_QUEUE:,} links are re-scored more",
        f"rarely, this one every {interval(result['links']):,} pages, which is the share of a long queue above.", "",
        *report.grid(["strategy", *RESCORING], times), "",
        "## Where the memory goes", "",
        f"Bytes a link by the module that asked for them, with {result['links'] // TENTH:,} links. `frontier` has a",
        "column for each feature that the strategy reads and each vocabulary, `features` the sums of the parents'",
        "relevance, `pooled` the counts of anchors.", "",
        *report.grid(["strategy", *modules], memory),
    ]  # fmt: skip
    return report.page("The frontier", "python -m benchmarks.frontier --json docs/benchmarks/frontier.json", lines)


def main() -> int:
    """Measure, print the result as JSON, and return 1 where a goal is missed."""
    parser = report.arguments(__doc__)
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--strategies", default="best_first,fcosa_lg,fcsa")
    parser.add_argument("--seed", type=int, default=0)
    given: argparse.Namespace = parser.parse_args()
    names = given.strategies.split(",")
    rows = list[dict[str, Any]]()
    for name in names:
        rows.append(measured(name, given.links, given.seed))
        print(rows[-1], file=sys.stderr, flush=True)
    missed = {row["strategy"]: [goal for goal, limit in GOALS.items() if row[goal] >= limit] for row in rows}
    result = report.head("frontier", links=given.links, goals=GOALS, rows=rows, missed=missed)
    report.publish(result, given.json, page_of)
    return 1 if any(missed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
