"""How long an analyst waits on a graph of one crawl: SPARQL on the kept export, and the end of a statement.

Each figure is the wall time of a whole command in a process of its own. SPARQL: ``cold`` writes the export, ``warm``
finds it up to date (best of three), ``after one change`` follows on a changed property, ``after a crawl`` on a second
crawl of a tenth of the pages. Ctrl-C and the time limit: from the signal, or from the limit, to the end of the command,
which says that the server confirmed it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import commands, engines
from kg.engine import embedded

PAGES = 600
LIMIT_SECONDS = 1.0
"""What is promised of a warm `query sparql`."""
_WORLD = "synthetic:planted?pages=3000&seed=0"
_SPARQL = ("query", "sparql", "hosts_that_pay", "--json")
_CHANGE = ("query", "cypher", "MATCH (c:Crawl) SET c.benchmark = $n", "--write", "-p")
_LONG = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE (a * b) % 7 = 3 RETURN count(*) AS n"


@contextmanager
def graph(name: str, folder: Path) -> Iterator[tuple[Path, Mapping[str, str]]]:
    """Yield a workspace on an empty graph of an engine, and its NEO4J_.. variables."""
    if name == "embedded":
        space = commands.space(folder)
        try:
            yield space, {}
        finally:
            embedded.stop(space / "graph")
        return
    with engines.engine(name, folder.with_name("asking-data")) as store:
        yield commands.space(folder), commands.server_of(store)


def _crawl(space: Path, server: Mapping[str, str], run: str, pages: int) -> None:
    asked = ("crawl", "run", "--world", _WORLD, "--strategy", "fcosa_lg", "--run", run, "--limit-pages", str(pages))
    commands.seconds(asked, space, server)


def _sparql(space: Path, server: Mapping[str, str]) -> dict[str, float]:
    """Seconds of `query sparql` on the graph of a crawl, and megabytes of its export."""
    found = {"cold": commands.seconds(_SPARQL, space, server)}
    found["warm"] = min(commands.seconds(_SPARQL, space, server) for _ in range(3))
    commands.seconds((*_CHANGE, "n=1"), space, server)
    found["after one change"] = commands.seconds(_SPARQL, space, server)
    files = (space / "sparql").rglob("*")
    found["megabytes"] = sum(path.stat().st_size for path in files if path.is_file()) / 1e6
    _crawl(space, server, "second", PAGES // 10)
    found["after a crawl"] = commands.seconds(_SPARQL, space, server)
    return {key: round(value, 2) for key, value in found.items()}


def _ended(space: Path, server: Mapping[str, str], limit: float | None) -> float:
    """Seconds that the end of a long statement takes, by Ctrl-C or by a time limit."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NEO4J_")} | dict(server)
    more = () if limit is None else ("--timeout", f"{limit:g}")
    command = [sys.executable, "-m", "ontocrawl", "query", "cypher", _LONG, *more, "--workspace", str(space)]
    process = subprocess.Popen(command, cwd=commands.ROOT, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    started = time.perf_counter()
    if limit is None:
        time.sleep(5)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    if "cancelled on the server" not in said and "it was ended" not in said:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}: {said}")
    return time.perf_counter() - started - (limit or 0.0)


def measure(name: str, folder: Path) -> dict[str, Any]:
    """All figures of one engine, on a graph of one crawl of 600 pages in a new folder."""
    with graph(name, folder) as (space, server):
        _crawl(space, server, "first", PAGES)
        found: dict[str, Any] = {"pages": PAGES, "sparql": _sparql(space, server)}
        found["ctrl_c"] = round(_ended(space, server, None), 2)
        found["timeout"] = round(_ended(space, server, 2.0), 2)
    return found


def lines(engine: str, found: Mapping[str, Any]) -> list[str]:
    """The figures of one engine as lines of a page."""
    sparql = found["sparql"]
    times = ", ".join(f"{seconds:.2f} s {when}" for when, seconds in sparql.items() if when != "megabytes")
    sparql_line = (
        f"The command `query sparql` on {engine}, a crawl of {found['pages']} pages: {times}. The export takes"
        f" {sparql['megabytes']:.1f} MB."
    )
    ends_line = (
        f"The end of a long statement on {engine}: {found['ctrl_c']:.2f} s after Ctrl-C; the command ended"
        f" {found['timeout']:.2f} s after a time limit, its own start included."
    )
    return [sparql_line, ends_line]


def late(found: Mapping[str, Any]) -> list[str]:
    """What took too long."""
    warm = found["sparql"]["warm"]
    return [f"query sparql took {warm} s warm, promised {LIMIT_SECONDS:g} s"] if warm > LIMIT_SECONDS else []
