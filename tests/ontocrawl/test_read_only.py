"""A workspace that cannot be written to: its graph is asked, its runs are read, a crawl says why it cannot go on."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ontocrawl
from crawler.journal import Journal, JournalError
from kg.engine import embedded
from kg.engine.files import EngineFolder
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader, running

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


@pytest.fixture
def with_graph(command: Command, tmp_path: Path) -> Workspace:
    """A workspace with one topic in its graph, whose engine has ended."""
    space = workspace.init(tmp_path / "ws ?#%")
    written = command("query", "cypher", "CREATE (:Topic {name: 'rain'})", "--write", "--workspace", space.root)
    assert written.code == 0, written.err
    embedded.stop(space.graph)
    return space


@pytest.fixture
def read_only(with_graph: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The same, in which no folder may be written to; its copies go to the folder ``copies``."""
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "copies"))
    access, below = os.access, str(with_graph.root)

    def denied(path: Path | str, mode: int) -> bool:
        return not (mode == os.W_OK and str(path).startswith(below)) and access(path, mode)

    monkeypatch.setattr(os, "access", denied)
    return with_graph


def state_of(space: Workspace) -> dict[str, tuple[int, int]]:
    """Size and time of all files of a workspace."""
    files = [path for path in space.root.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


@pytest.mark.slow
def test_a_read_only_graph_is_asked_in_a_copy(
    read_only: Workspace, command: Command, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = state_of(read_only)
    where = ("--workspace", read_only.root)
    found = command("query", "cypher", "MATCH (t:Topic) RETURN t.name AS name", *where, "--json")
    assert found.code == 0 and found.json["rows"] == [["rain"]]
    assert [record.getMessage() for record in caplog.records if "the workspace is read-only" in record.getMessage()]
    assert command("query", "run", "weights/of_topic", "topic=rain", *where).code == 0
    for refused in (
        ("query", "cypher", "CREATE (:Topic)", "--write"),
        ("graph", "load", "rainstorm"),
        ("graph", "stop"),
    ):
        answer = command(*refused, *where)
        assert answer.code in (1, 2) and f"the workspace {read_only.root} is read-only" in " ".join(answer.err.split())
    with ontocrawl.Graph(read_only.root) as graph:
        assert graph.cypher("MATCH (t:Topic) RETURN t.name AS name").rows == (("rain",),)
        assert len(list((tmp_path / "copies").iterdir())) == 1
        with pytest.raises(UsageError, match="is read-only: let this user write to it"):
            graph.cypher("CREATE (:Topic)", write=True)
        graph.stop()
    assert list((tmp_path / "copies").iterdir()) == []
    assert state_of(read_only) == before


def no_folder(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
    """A folder cannot be made on a read-only disk; one that exists is no error where that may be."""
    if not (exist_ok and path.is_dir()):
        raise OSError(errno.EROFS, "Read-only file system", str(path))


@pytest.mark.slow
def test_the_explorer_shows_a_read_only_workspace(read_only: Workspace, tmp_path: Path) -> None:
    before = state_of(read_only)
    with running(read_only) as server:
        statement = {"statement": "MATCH (t:Topic) RETURN t.name AS name"}
        answer = reader(server).get(f"{server.address.url}api/cypher", params=statement, timeout=60)
        assert answer.status_code == 200 and answer.json()["rows"] == [["rain"]]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Path, "mkdir", no_folder)
            form = {"world": "synthetic:planted?pages=100", "topic": "rainstorm"}
            refused = reader(server).post(f"{server.address.url}api/crawls", json=form, timeout=60)
        assert refused.status_code == 400 and "is read-only" in refused.json()["error"]
    assert list((tmp_path / "copies").iterdir()) == []
    assert state_of(read_only) == before


@pytest.mark.slow
def test_a_read_only_graph_in_use_is_not_copied(read_only: Workspace) -> None:
    lock = EngineFolder(read_only.graph).supervisor_lock()
    assert lock.try_acquire()
    try:
        with pytest.raises(UsageError, match="another program uses it"), graph_store.store(read_only):
            pass
    finally:
        lock.release()


@pytest.mark.slow
def test_a_graph_on_a_read_only_disk_can_be_asked(with_graph: Workspace) -> None:
    before = state_of(with_graph)
    found = mounted(with_graph, "query", "cypher", "MATCH (t:Topic) RETURN t.name AS name", "--json")
    assert found.returncode == 0 and json.loads(found.stdout)["rows"] == [["rain"]]
    assert found.stderr.count("\n") == 1 and found.stderr.startswith("the workspace is read-only: a copy of its graph")
    refused = mounted(with_graph, "query", "cypher", "CREATE (:Topic)", "--write")
    assert refused.returncode == 2 and "is read-only: let this user write to it" in refused.stderr
    assert state_of(with_graph) == before


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
