"""A crawl of a million pages on one machine: its rate and memory as it grows, and what it leaves on the disk.

    python -m benchmarks.million FOLDER [--pages 1000000] [--small 3000] [--strategy best_first] [--as-far-as-it-is]
                                 [--json docs/benchmarks/million.json]

`ontocrawl crawl run` crawls a calibrated synthetic web, whose pages it parses, scores and journals as any other ones,
without a wait between requests. In the middle it is killed with SIGKILL, and resumed. Then `graph rebuild` writes the
run into the graph, and the rows of the journal's tables are counted. Every --every seconds a sample is taken: pages and
queue as the crawl states them (crawler/heartbeat.py), processor time and memory of the process, sizes of files. A small
crawl beside it, by a strategy that reads an ontology, is written into both engines, for the sizes of mentions.

The workspace is in FOLDER and stays. Samples are kept there, so that the command can be ended by Ctrl-C and given
again: it goes on where it was. Writing the run into the graph begins anew then; --as-far-as-it-is takes the graph as a
command that was ended has left it, and the page says so. With --json FILE a page is written beside it, and
the page of sizes that is made from it (benchmarks/sizing.py).
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import commands, engines, graph, million_page, report, sizing
from crawler import heartbeat
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.config import FILE
from ontocrawl.base.workspace import Workspace
from ontology import owl

RUN, TOPIC, SAMPLES = "million", "rainstorm", "samples.jsonl"
SMALL, CLASSES = 3_000, 10_000
"""Pages of the crawl that reads an ontology, and for so many pages the classes of one that is loaded for their size."""
PUBLISHED = 150
"""Samples of a phase that are published at most; all are kept in the workspace."""
MORE = 1.25
"""Pages of the web for each page to be crawled: not all of its pages are reached."""
HZ = os.sysconf("SC_CLK_TCK")


def process_figures(pid: int) -> dict[str, float]:
    """Return the resident MB and the processor seconds of a process; an empty dictionary where it has ended."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        resident = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        return {"mb": round(resident, 1), "processor": (int(fields[11]) + int(fields[12])) / HZ} if resident else {}
    return {}


def size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; files that vanish meanwhile count as none."""
    total = 0
    for file in [path, *path.rglob("*")] if path.exists() else []:
        with contextlib.suppress(OSError):
            total += file.stat().st_size if file.is_file() else 0
    return total


class Samples:
    """The samples of all processes so far, one line of JSON each."""

    def __init__(self, space: Workspace) -> None:
        self.file = space.root / SAMPLES
        self.rows: list[dict[str, Any]] = []
        if self.file.exists():
            self.rows = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]

    def add(self, phase: str, **figures: Any) -> None:
        """Append a sample, and print it."""
        self.rows.append({"phase": phase, "at": round(time.time(), 1), **figures})
        line = json.dumps(self.rows[-1])
        with self.file.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, file=sys.stderr, flush=True)

    def of(self, phase: str) -> list[dict[str, Any]]:
        """Return the samples of a phase."""
        return [row for row in self.rows if row["phase"] == phase]


@contextlib.contextmanager
def started(space: Workspace, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command of ontocrawl in the workspace; ended in order if this process is interrupted."""
    command = [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(space.root), "--json"]
    with subprocess.Popen(command, cwd=commands.ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise


def document(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a command printed that has ended; raises an error if it failed."""
    printed = process.stdout.read() if process.stdout else ""
    if process.wait():
        raise SystemExit(f"{' '.join(process.args[1:])} ended with {process.returncode}")  # type: ignore[index, arg-type]
    return dict(json.loads(printed))


def crawl(space: Workspace, samples: Samples, pages: int, strategy: str, every: float) -> None:
    """Crawl, or resume the crawl, until it has so many pages; kill it in the middle, once."""
    while not samples.of("crawled"):
        if (space.runs / RUN).exists():
            arguments = ["crawl", "resume", RUN, "--no-graph"]
        else:
            web = f"synthetic:{TOPIC}?pages={int(pages * MORE)}&seed=1"
            arguments = ["crawl", "run", "--topic", TOPIC, "--world", web, "--strategy", strategy, "--run", RUN]
            arguments += ["--limit-pages", str(pages), "--no-politeness", "--no-graph"]
        began = time.time()
        with started(space, *arguments) as process:
            killed = watch(space, samples, process, every, None if samples.of("killed") else pages // 2)
            if killed:
                samples.add("killed", pages=killed)
            else:
                document(process)
                samples.add("crawled", seconds=round(time.time() - began, 1), **on_disk(space))


def watch(
    space: Workspace, samples: Samples, process: subprocess.Popen[str], every: float, kill_at: int | None
) -> int | None:
    """Sample a crawl until it ends; return the pages it had if it was killed, at so many pages."""
    folder, began, fetching = space.runs / RUN, time.time(), False
    while process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(every)
        beat, used = heartbeat.read(folder), process_figures(process.pid)
        if not used:
            continue
        if beat is None or beat.pid != process.pid:
            samples.add("measures" if fetching else "starting", seconds=round(time.time() - began, 1), **used)
            continue
        if not fetching:
            samples.add("begun", pages=beat.fetched, seconds=round(beat.started - began, 1))
            fetching = True
        counts = {"pages": beat.fetched, "relevant": beat.relevant, "queued": beat.queued}
        samples.add("crawl", **counts, crawled=round(beat.seconds, 1), **used)
        if kill_at is not None and beat.fetched >= kill_at:
            process.kill()
            process.wait()
            return beat.fetched
    return None


def on_disk(space: Workspace) -> dict[str, int]:
    """Return the bytes of the run and of the graph."""
    run = space.runs / RUN
    journal = sum(size(file) for file in run.glob("journal.sqlite*"))
    return {"journal": journal, "snapshots": size(run / "journal.snapshots"), "graph": size(space.graph)}


def project(space: Workspace, samples: Samples, every: float) -> None:
    """Write the run into the graph, and sample the command and the engine."""
    if samples.of("projected"):
        return
    began = time.time()
    with started(space, "graph", "rebuild", RUN) as process:
        while process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(every)
            java, used = embedded.status(space.graph).pid, process_figures(process.pid)
            if used:
                used["engine_mb"] = process_figures(java).get("mb", 0.0) if java else 0.0
                samples.add("project", seconds=round(time.time() - began, 1), **used, **on_disk(space))
        document(process)
    java = embedded.status(space.graph).pid
    engine = process_figures(java) if java else {}
    embedded.stop(space.graph)
    samples.add("projected", seconds=round(time.time() - began, 1), engine=engine, **on_disk(space))


def counts(space: Workspace) -> dict[str, Any]:
    """Count the rows of the journal and the content of the graph, with the bytes of each table and each type."""
    rows = dict[str, int]()
    with contextlib.closing(sqlite3.connect(space.runs / RUN / "journal.sqlite")) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            ((rows[table],),) = db.execute(f"SELECT count(*) FROM {table}")
        journal = dict(db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY name"))
    with embedded.open_embedded(space.graph) as store:
        nodes = {row["kind"]: row["n"] for row in store.read("MATCH (n) RETURN labels(n)[0] AS kind, count(*) AS n")}
        edges = {row["kind"]: row["n"] for row in store.read("MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS n")}
    embedded.stop(space.graph)
    return {"rows": rows, "journal": journal, "nodes": nodes, "edges": edges, "graph": bytes_by_type(space.graph)}


def small(folder: Path, samples: Samples, pages: int) -> None:
    """Crawl a small web by a strategy that reads the ontology, for the sizes of mentions, and on a real Neo4j."""
    space = workspace.find(commands.space(folder / "small"))[0]
    crawl = ("crawl", "run", "--topic", TOPIC, "--world", f"synthetic:{TOPIC}?pages={4 * pages}&seed=2", "--run", RUN)
    commands.seconds((*crawl, "--strategy", "fcosa_lg", "--limit-pages", str(pages), "--no-graph"), space.root, {})
    commands.seconds(("graph", "rebuild", RUN), space.root, {})
    found = counts(space)
    with engines.engine("neo4j", folder / "neo4j") as store:
        commands.seconds(("graph", "rebuild", RUN), space.root, commands.server_of(store))
    (stored,) = [path for path in (folder / "neo4j").rglob("databases/neo4j") if path.is_dir()]
    with_classes = workspace.find(commands.space(folder / "classes"))[0]
    classes = CLASSES * pages // SMALL
    owl.write(graph.ontology(classes, 0), folder / "classes.ttl")
    commands.seconds(("graph", "load", str(folder / "classes.ttl")), with_classes.root, {})
    embedded.stop(with_classes.graph)
    of_classes = {"number": classes, "graph": bytes_by_type(with_classes.graph)}
    stores = {"graph_bytes": sum(found["graph"].values()), "neo4j_bytes": size(stored)}
    samples.add("small", pages=pages, classes=of_classes, **found, **stores)


def thinned(rows: Sequence[dict[str, Any]], most: int = PUBLISHED) -> list[dict[str, Any]]:
    """Return so many samples of each phase at most, evenly spaced, its last one among them."""
    number = Counter(row["phase"] for row in rows)
    seen, kept = Counter[str](), list[dict[str, Any]]()
    for row in rows:
        phase = row["phase"]
        seen[phase] += 1
        if (number[phase] - seen[phase]) % math.ceil(number[phase] / most) == 0:
            kept.append(row)
    return kept


def bytes_by_type(folder: Path) -> dict[str, int]:
    """Return the bytes of the embedded engine's files for each label and relationship type, with keys and indexes."""
    found = Counter[str]()
    for file in (folder / "data" / "databases").rglob("*"):
        name = re.match(r"([A-Za-z_]+?)_\d", file.name)
        if name and file.is_file():
            found[name.group(1)] += file.stat().st_size
    return dict(found)


def main() -> int:
    """Crawl, project, count, and publish."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("folder", type=Path, help="where the workspace is made, or goes on")
    arguments.add_argument("--pages", type=int, default=1_000_000)
    arguments.add_argument("--small", type=int, default=SMALL, metavar="PAGES", help="the crawl that reads an ontology")
    arguments.add_argument("--strategy", default="best_first")
    arguments.add_argument("--every", type=float, default=10.0, metavar="SECONDS")
    arguments.add_argument("--as-far-as-it-is", action="store_true", help="do not write the rest into the graph")
    given = arguments.parse_args()
    folder = given.folder.absolute()  # commands run in another one
    space = workspace.find(folder if (folder / FILE).exists() else commands.space(folder))[0]
    samples = Samples(space)
    crawl(space, samples, given.pages, given.strategy, given.every)
    if not given.as_far_as_it_is:
        project(space, samples, given.every)
    if not any(row["whole"] for row in samples.of("counted")):
        samples.add("counted", whole=not given.as_far_as_it_is, **counts(space))
    if not samples.of("small"):
        small(folder, samples, given.small)
    result = report.head(
        "million", pages=given.pages, strategy=given.strategy, topic=TOPIC, samples=thinned(samples.rows)
    )
    report.publish(result, given.json, million_page.page_of)
    if given.json is not None:
        sizing.write(given.json.parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
