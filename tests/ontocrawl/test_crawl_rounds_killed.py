"""A crawl in rounds over a served web whose processes are killed: no host in two tasks, few pages twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.model import Failure, Response
from crawler.url import host
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from ontocrawl.base import workspace
from ontocrawl.runs import runs

DELAY = 0.3
PAGES, LONG = 60, 600.0


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
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    found, size = {pid: ""}, 0
    while len(found) > size:
        size = len(found)
        found |= {int(one): args for one, parent, args in rows if int(parent) in found}
    return found


def wait_for(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < until, f"waited too long for {what}"
        time.sleep(0.05)


def crawl_with_kills(tmp_path: Path, where: Sequence[str], worker: str) -> None:
    """Crawl a served web, kill one of two workers and then the driver, resume, and check the server's log.

    Args:
        tmp_path: an empty folder.
        where: the options that say where tasks run.
        worker: what the command of a worker contains.
    """
    space = workspace.init(tmp_path / "ws")
    (space.root / "ontocrawl.toml").write_text(f"[crawl]\ndelay = {DELAY}\n", encoding="utf-8")
    world = LoggedWorld()
    command = [sys.executable, "-m", "ontocrawl", "crawl"]
    at = ["--workspace", str(space.root), *where, "--json"]
    with serve(world) as server:
        resolve = server.write_resolve(tmp_path / "resolve.txt")
        begin = [
            *command, "run", "--rounds", "--round-size", "20", "--round-per-host", "4", "--strategy", "best_first",
            "--seeds", ",".join(world.seeds), "--resolve", resolve, "--no-graph", "--run", "killed-rounds",
            "--limit-pages", str(PAGES), *at,
        ]  # fmt: skip
        errors = tmp_path / "errors.txt"
        with errors.open("w") as file, subprocess.Popen(begin, stdout=file, stderr=file) as driver:
            wait_for(lambda: len(world.log) >= 20, "the second round")
            workers = [pid for pid, args in below(driver.pid).items() if worker in args]
            assert len(workers) == 2, errors.read_text(encoding="utf-8")
            os.kill(workers[0], signal.SIGKILL)
            seen = len(world.log)
            wait_for(lambda: len(world.log) >= seen + 15, "pages after the kill of a worker")
            started = below(driver.pid)
            driver.kill()
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), "the end of the workers")
        with runs.open_journal(space, "killed-rounds") as journal:
            done = {journal.urls_of([event.link])[0] for event in journal.events_of("outcome")}
        before = Counter(url for url, _, _ in world.log)
        resume = subprocess.run(
            [*command, "resume", "killed-rounds", *at], capture_output=True, text=True, check=False, timeout=LONG
        )
    assert resume.returncode == 0, resume.stderr
    assert json.loads(resume.stdout)["fetched"] == PAGES
    again = Counter(url for url, _, _ in world.log) - before
    with runs.open_journal(space, "killed-rounds") as journal:
        query = "SELECT p.final_url FROM page p JOIN url u ON u.id = p.link WHERE p.final_url <> u.url"
        ends = {url for (url,) in journal.query(query)}
    assert not [url for url in again if url in done - ends and not url.endswith("robots.txt")], "finished pages again"
    by_host: dict[str, list[tuple[float, float]]] = {}
    for url, started_at, ended in world.log:
        by_host.setdefault(host(url), []).append((started_at, ended))
    gaps = [later[0] - earlier[1] for spans in by_host.values() for earlier, later in pairwise(sorted(spans))]
    assert len(by_host) > 5 and len(gaps) > 40
    assert min(gaps) > 0.8 * DELAY, "a host is requested again before its delay has passed"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(os.name != "posix", reason="kills processes by SIGKILL")
def test_no_host_is_in_two_tasks_and_killed_processes_and_drivers_cost_a_partition_each(tmp_path: Path) -> None:
    crawl_with_kills(tmp_path, ("--jobs", "2"), "spawn_main")
