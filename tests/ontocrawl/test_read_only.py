"""A workspace that cannot be written to: its runs can be read, and a crawl says why it cannot go on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.journal import Journal, JournalError
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command

resource = pytest.importorskip("resource")  # not on Windows
WORLD = "synthetic:planted?pages=300&seed=0"
ASKED = ("crawl", "run", "--world", WORLD, "--strategy", "breadth_first", "--no-graph", "--run", "mine")
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


@pytest.fixture
def stopped(command: Command, tmp_path: Path) -> Workspace:
    """A workspace with the finished run ``mine``."""
    space = workspace.init(tmp_path / "ws ?#%")
    assert command(*ASKED, "--limit-pages", "30", "--workspace", space.root).code == 0
    return space


def mounted(space: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command for which the workspace is on a read-only file system."""
    mount = ["unshare", "--mount", "sh", "-c", READ_ONLY, str(space.root)]
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], capture_output=True).returncode:
        pytest.skip("this user may not mount a folder")
    program = [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(space.root)]
    return subprocess.run([*mount, *program], capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_a_run_on_a_read_only_disk_can_be_read(command: Command, stopped: Workspace) -> None:
    expected = command("crawl", "status", "mine", "--workspace", stopped.root, "--json").json
    files = sorted(path.name for path in stopped.run("mine").iterdir())
    seed = runs.config_of(stopped, "mine").seeds[0]
    commands = [["status"], ["status", "mine"], ["pages", "mine"], ["explain", "mine", seed]]
    for arguments in (*([*words, "--json"] for words in commands), ["export", "mine", "--out", "-"]):
        found = mounted(stopped, "crawl", *arguments)
        assert found.returncode == 0 and found.stdout, found.stderr
        if arguments == ["status", "mine", "--json"]:
            now = json.loads(found.stdout)
            assert {**now, "live": None} == {**expected, "live": None}
    assert sorted(path.name for path in stopped.run("mine").iterdir()) == files


@pytest.mark.slow
def test_a_killed_run_on_a_read_only_disk_is_read_with_its_log(stopped: Workspace) -> None:
    code = "import os, sys; from pathlib import Path; from crawler.journal import Journal; "
    code += "Journal(Path(sys.argv[1])).set('stop_reason', 'of the log'); os._exit(0)"
    path = stopped.run("mine") / JOURNAL
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.with_name(f"{JOURNAL}-wal").stat().st_size
    found = mounted(stopped, "crawl", "status", "mine", "--json")
    assert found.returncode == 0 and json.loads(found.stdout)["stop_reason"] == "of the log"
    path.with_name(f"{JOURNAL}-shm").unlink()
    found = mounted(stopped, "crawl", "status", "mine", "--json")
    assert found.returncode != 0 and "copy the folder of the run to another disk" in found.stderr
    copy = shutil.copytree(stopped.root, stopped.root.with_name("copy"))
    with_log = Journal(copy / "runs" / "mine" / JOURNAL)
    assert with_log.get("stop_reason") == "of the log"
    with_log.close()


@pytest.mark.slow
def test_a_crawl_on_a_read_only_disk_says_what_is_wrong(stopped: Workspace) -> None:
    found = mounted(stopped, "crawl", "resume", "mine", "--limit-pages", "60")
    assert found.returncode == 1
    assert "journal.lock cannot be written (Read-only file system): put the workspace on a local disk" in found.stderr
    assert "NEO4J" not in found.stderr and "graph" not in found.stderr


@pytest.mark.slow
def test_a_limit_of_the_size_of_files_is_named(command: Command, stopped: Workspace) -> None:
    program = [sys.executable, "-m", "ontocrawl", "crawl", "resume", "mine", "--limit-pages", "0"]
    limit = (stopped.run("mine") / JOURNAL).stat().st_size
    ended = subprocess.run(
        [*program, "--workspace", str(stopped.root)],
        capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert ended.returncode == 5 and "Traceback" not in ended.stderr
    assert "ulimit -f" in ended.stderr and "then resume the run" in ended.stderr
    again = command("crawl", "resume", "mine", "--limit-pages", "60", "--workspace", stopped.root, "--json")
    assert again.json["fetched"] == 60


def test_a_journal_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="let this user read and write it and its folder"):
        Journal(tmp_path / "absent" / JOURNAL)
