"""SIGTERM, Ctrl-C and kill -9 to the command, as its user sends them, and what `crawl status` says meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.kills import UnevenWeb
from crawler.worlds.synthetic.serve import Server, serve
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import INTERRUPTED
from tests.ontocrawl.conftest import Command

pytestmark = pytest.mark.slow
RESUMABLE = 5


@dataclass
class Crawling:
    """A workspace, a web for it, and the process that crawls it."""

    space: Workspace
    web: UnevenWeb
    server: Server
    command: Command
    process: subprocess.Popen[str] | None = None

    @property
    def notes(self) -> Path:
        return self.space.root / "notes"

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start `crawl ARGUMENTS`, and wait until it has requested ten pages."""
        before = self.web.requests.total()
        program = [sys.executable, "-m", "ontocrawl", "crawl", *arguments, "--no-graph"]
        with self.notes.open("w") as notes:
            self.process = subprocess.Popen(
                [*program, "--workspace", str(self.space.root)],
                stdout=subprocess.DEVNULL,
                stderr=notes,
                text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # the tests may run in the background
            )
        self.until(lambda: self.web.requests.total() >= before + 10)
        return self.process

    def run(self) -> subprocess.Popen[str]:
        seeds = [option for url in self.web.seeds for option in ("--seeds", url)]
        resolve = self.server.write_resolve(self.space.root / "resolve.txt")
        how = ("--strategy", "breadth_first", "--limit-pages", "0", "--in-flight", "8", "--no-politeness")
        return self.start("run", "--run", "mine", "--topic", "sports", *how, "--resolve", resolve, *seeds)

    def until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not reached():
            assert time.monotonic() < deadline, self.notes.read_text()
            time.sleep(0.02)

    def drain(self, number: signal.Signals) -> subprocess.Popen[str]:
        """Send a signal while the server holds its replies back, and wait until the process has said what it does."""
        self.web.replies.clear()
        assert self.process is not None
        self.process.send_signal(number)
        self.until(lambda: "stopping: no more pages are chosen" in self.notes.read_text())
        return self.process

    def status(self) -> dict[str, Any]:
        found = self.command("crawl", "status", "mine", "--workspace", self.space.root, "--json").json
        places = found["fetched"] + found["queued"] + found["in_flight"]
        assert places + sum(found["ledger"].values()) == found["known"]
        return found


@pytest.fixture
def crawling(tmp_path: Path, command: Command) -> Iterator[Crawling]:
    web = UnevenWeb(800, 0)
    with serve(web) as server:
        made = Crawling(workspace.init(tmp_path / "ws"), web, server, command)
        yield made
        web.replies.set()
        if made.process is not None and made.process.poll() is None:
            made.process.kill()
            made.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_once_it_drains_and_twice_it_stops_at_once_and_both_can_be_resumed(
    crawling: Crawling, number: signal.Signals
) -> None:
    crawling.run()
    for _ in range(10):  # what is counted is of one moment, while the crawl goes on
        assert crawling.status()["state"] == "running"
    process = crawling.drain(number)
    assert crawling.status()["state"] == "draining"
    crawling.web.replies.set()
    assert process.wait(60) == RESUMABLE
    assert "stopped in order" in crawling.notes.read_text() and "crawl resume mine" in crawling.notes.read_text()
    drained = crawling.status()
    assert (drained["state"], drained["stop_reason"]) == ("interrupted", "interrupted")

    crawling.start("resume", "mine")
    assert crawling.status()["state"] == "running"
    process = crawling.drain(number)
    process.send_signal(number)
    assert process.wait(10) == INTERRUPTED  # the server replies to nothing
    assert "crawl resume" in crawling.notes.read_text()
    stopped = crawling.status()
    assert stopped["state"] == "interrupted" and stopped["in_flight"] >= 1 and stopped["fetched"] >= drained["fetched"]

    crawling.web.replies.set()
    crawling.start("resume", "mine")
    assert f"{stopped['in_flight']} pages were in flight" in crawling.notes.read_text()
    process = crawling.drain(number)
    process.kill()
    process.wait()
    assert crawling.status()["state"] == "interrupted"
    crawling.web.replies.set()
    process = crawling.start("resume", "mine")
    assert crawling.status()["state"] == "running"  # not draining, as the killed process was
    assert process.wait(120) == 0
    ended = crawling.status()
    assert (ended["state"], ended["stop_reason"], ended["queued"], ended["in_flight"]) == (
        "finished",
        "frontier_empty",
        0,
        0,
    )
    again = sum(crawling.web.requests[url] for url in ended["fetched_again"])
    assert again >= len(set(ended["fetched_again"])) >= stopped["in_flight"]
