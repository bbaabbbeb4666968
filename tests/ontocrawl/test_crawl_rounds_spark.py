"""`crawl run --rounds --spark`: a served web crawled by several executors, of which some are killed.

`make test-spark` runs this.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.model import Failure, Response
from crawler.url import host
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from ontocrawl import runs, workspace

pytest.importorskip("pyspark", reason="the extra spark is not installed: `make test-spark` installs it")
pytestmark = pytest.mark.slow
MASTER = "local-cluster[2,1,1024]"
DELAY = 0.3
PAGES, LONG = 60, 400.0


class LoggedWorld(SyntheticWorld):
    """A synthetic web that notes when each request begins and ends."""

    def __init__(self) -> None:
        super().__init__("planted", 300, 0)
        self.log: list[tuple[str, float, float]] = []

    def fetch(self, url: str) -> Response | Failure:
        started = time.monotonic()
        reply = super().fetch(url)
        time.sleep(0.05)
        self.log.append((url, started, time.monotonic()))
        return reply


def below(pid: int) -> dict[int, str]:
    """The processes that a process has started, and those that these have: number -> command."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    found, size = {pid: ""}, 0
    while len(found) > size:
        size = len(found)
        found |= {int(one): args for one, parent, args in rows if int(parent) in found}
    return found


def wait_for(condition: object, what: str) -> None:
    assert callable(condition)
    until = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < until, f"waited too long for {what}"
        time.sleep(0.05)


@pytest.mark.timeout(1500)
def test_no_host_is_in_two_tasks_and_killed_executors_and_drivers_cost_a_partition_each(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    (space.root / "ontocrawl.toml").write_text(f"[crawl]\ndelay = {DELAY}\n", encoding="utf-8")
    world = LoggedWorld()
    command = [sys.executable, "-m", "ontocrawl", "crawl"]
    at = ["--workspace", str(space.root), "--spark", MASTER, "--json"]
    with serve(world) as server:
        resolve = server.write_resolve(tmp_path / "resolve.txt")
        begin = [
            *command, "run", "--rounds", "--round-size", "20", "--round-per-host", "4", "--strategy", "best_first",
            "--seeds", ",".join(world.seeds), "--resolve", resolve, "--no-graph", "--run", "spark-rounds",
            "--limit-pages", str(PAGES), *at,
        ]  # fmt: skip
        with subprocess.Popen(begin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
            wait_for(lambda: len(world.log) >= 20, "the second round")
            executors = [pid for pid, args in below(driver.pid).items() if "CoarseGrainedExecutorBackend" in args]
            assert len(executors) == 2
            os.kill(executors[0], signal.SIGKILL)
            seen = len(world.log)
            wait_for(lambda: len(world.log) >= seen + 15, "pages after the kill of an executor")
            started = below(driver.pid)
            driver.kill()
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), "the end of the executors")
        with runs.open_journal(space, "spark-rounds") as journal:
            done = {journal.urls_of([event.link])[0] for event in journal.events_of("outcome")}
        before = Counter(url for url, _, _ in world.log)
        resume = subprocess.run(
            [*command, "resume", "spark-rounds", *at], capture_output=True, text=True, check=False, timeout=LONG
        )
    assert resume.returncode == 0, resume.stderr
    assert json.loads(resume.stdout)["fetched"] == PAGES
    again = Counter(url for url, _, _ in world.log) - before
    assert not [url for url in again if url in done and not url.endswith("robots.txt")], (
        "a finished page is fetched again"
    )
    by_host: dict[str, list[tuple[float, float]]] = {}
    for url, started_at, ended in world.log:
        by_host.setdefault(host(url), []).append((started_at, ended))
    gaps = [later[0] - earlier[1] for spans in by_host.values() for earlier, later in pairwise(sorted(spans))]
    assert len(by_host) > 5 and len(gaps) > 40
    assert min(gaps) > 0.8 * DELAY, "a host is requested again before its delay has passed"


@pytest.mark.timeout(900)
def test_spark_crawls_as_tasks_in_one_process_do(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    command = [
        sys.executable, "-m", "ontocrawl", "crawl", "run", "--rounds", "--round-size", "15",
        "--strategy", "evidence_sum", "--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "30",
        "--no-graph", "--reproducible", "--workspace", str(space.root),
    ]  # fmt: skip
    traces = []
    for name, where in (("on-spark", ["--spark", MASTER]), ("in-process", []), ("by-processes", ["--jobs", "2"])):
        subprocess.run([*command, "--run", name, *where], check=True, capture_output=True, timeout=LONG)
        with runs.open_journal(space, name) as journal:
            query = "SELECT seq, link, final_url, failure, relevance, counts, text FROM page ORDER BY seq"
            traces.append([row[1:] for row in journal.query(query)])
    assert traces[0] == traces[1] == traces[2] and len(traces[0]) >= 30


def test_an_executor_without_the_package_is_named(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    space = workspace.init(tmp_path / "ws")
    code = (
        "import sys; from pathlib import Path; from ontocrawl.cli.main import invoke; "
        "import os; os.environ.pop('PYTHONPATH', None); sys.exit(invoke(sys.argv[1:]))"
    )
    found = subprocess.run(
        [
            sys.executable, "-c", code, "crawl", "run", "--rounds", "--strategy", "best_first", "--no-graph",
            "--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "5", "--spark", "local[1]",
            "--run", "bare-executor", "--workspace", str(space.root),
        ],
        env={**os.environ, "PYSPARK_PYTHON": str(bare / "bin" / "python")},
        capture_output=True, text=True, check=False, timeout=LONG,
    )  # fmt: skip
    assert found.returncode == 5 and "an executor has no package" in found.stderr, found.stderr
    assert "was not fetched" in found.stderr and "Traceback" not in found.stderr
