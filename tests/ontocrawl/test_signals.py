"""Ctrl-C, SIGTERM and SIGHUP at every moment of a command: the process sends them to itself where they are to come."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import INTERRUPTED
from ontocrawl.runs import runs

fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))  # not on Windows
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
RESUMABLE = 5
WORLD = "synthetic:planted?pages=300&seed=0"
ASKED = ("crawl", "run", "--world", WORLD, "--strategy", "breadth_first", "--limit-pages", "30", "--run", "mine")
MAIN = """
import os, signal, sys
from ontocrawl.__main__ import run

def send():
    os.kill(os.getpid(), {number})

def first(module, name):
    real, calls = getattr(module, name), []
    def sends(*given, **named):
        if not calls:
            calls.append(1)
            send()
        return real(*given, **named)
    setattr(module, name, sends)

{before}
run()
"""


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def program(number: signal.Signals, before: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that does something before, for example to have a function send it a signal."""
    return subprocess.run(
        [sys.executable, "-c", MAIN.format(number=int(number), before=before), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=_default_handlers,
    )


def _default_handlers() -> None:
    """The tests may run in the background, or under nohup, where these are ignored."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


IMPORT = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            send()

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_while_modules_are_imported(number: signal.Signals, space: Workspace) -> None:
    ended = program(number, IMPORT, *ASKED, "--workspace", space.root)
    assert (ended.returncode, ended.stdout, ended.stderr) == (INTERRUPTED, "", "interrupted\n")


SUMMED_UP = "from ontocrawl.runs import runs; first(runs, 'sum_up')"
CRAWLED = "from crawler.heartbeat import Heartbeat; first(Heartbeat, 'count')"
WRITTEN = "from ontocrawl.runs import graph_writing; first(graph_writing, 'write')"


@pytest.mark.slow
@pytest.mark.parametrize("before", [SUMMED_UP, f"{CRAWLED}; {SUMMED_UP}"], ids=["the first", "the second"])
def test_while_measures_are_summed_up(before: str, space: Workspace) -> None:
    ended = program(signal.SIGTERM, before, *ASKED, "--no-graph", "--workspace", space.root)
    assert (ended.returncode, ended.stdout) == (INTERRUPTED, "")
    assert (
        "the journal of run mine is kept: ontocrawl crawl resume mine" in ended.stderr
        and "Traceback" not in ended.stderr
    )
    state = "interrupted" if CRAWLED in before else "finished"
    assert runs.result_of(space, "mine").state == state


@pytest.mark.slow
def test_before_a_run_has_begun(space: Workspace) -> None:
    """There is nothing to resume."""
    begins = "from ontocrawl.runs import crawl_setup; first(crawl_setup, 'crawl_of')"
    ended = program(signal.SIGTERM, begins, *ASKED, "--no-graph", "--workspace", space.root)
    assert ended.returncode == INTERRUPTED and "resume" not in ended.stderr and "Traceback" not in ended.stderr
    assert not space.run("mine").exists()


@pytest.mark.slow
def test_while_the_graph_is_written(space: Workspace) -> None:
    ended = program(signal.SIGTERM, WRITTEN, *ASKED, "--workspace", space.root)
    assert ended.returncode == INTERRUPTED and "fetched" in ended.stdout
    assert "ontocrawl graph rebuild mine" in ended.stderr and "Traceback" not in ended.stderr
    assert runs.result_of(space, "mine").state == "finished"


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS[1:])
def test_once_during_a_crawl(number: signal.Signals, space: Workspace) -> None:
    ended = program(number, CRAWLED, *ASKED, "--workspace", space.root)
    assert ended.returncode == RESUMABLE and "crawl resume mine" in ended.stderr
    assert runs.result_of(space, "mine").stop_reason == "interrupted"


@pytest.mark.slow
def test_a_process_that_ignores_a_signal_goes_on(space: Workspace) -> None:
    before = f"signal.signal(signal.SIGHUP, signal.SIG_IGN); {CRAWLED}"  # as nohup starts it
    ended = program(signal.SIGHUP, before, *ASKED, "--no-graph", "--workspace", space.root)
    assert ended.returncode == 0 and runs.result_of(space, "mine").end.fetched == 30


WAITING = """
import time
from pathlib import Path
from crawler.heartbeat import Heartbeat
real = Heartbeat.count

def count(self, step):
    Path({file!r}).touch()
    while self._crawl._stopping is None:
        time.sleep(0.01)
    real(self, step)

Heartbeat.count = count
"""


@pytest.mark.slow
def test_a_closed_terminal_stops_a_crawl_in_order(space: Workspace) -> None:
    reached = space.root / "reached"
    here, there = pty.openpty()
    waiting = MAIN.format(number=0, before=WAITING.format(file=str(reached)))
    process = subprocess.Popen(
        [sys.executable, "-c", waiting, *ASKED, "--no-graph", "--workspace", str(space.root)],
        stdin=there, stdout=there, stderr=there, start_new_session=True, preexec_fn=_own_terminal,
    )  # fmt: skip
    os.close(there)
    deadline = time.monotonic() + 60
    while not reached.exists():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    os.close(here)
    assert process.wait(60) == RESUMABLE
    result = runs.result_of(space, "mine")
    assert (result.state, result.stop_reason) == ("interrupted", "interrupted")


def _own_terminal() -> None:
    _default_handlers()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
