"""The embedded engine as a private child: who starts it, who shares it, who ends it, and what survives whom."""

from __future__ import annotations

import http.server
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kg.engine import data as engine_data
from kg.engine import embedded
from kg.engine import files as engine_files
from kg.engine import java as engine_java
from kg.engine import revision as engine_revision
from kg.engine import supervisor as engine_supervisor
from kg.engine.embedded import open_embedded, status, stop
from kg.engine.files import EngineFolder, EngineState
from kg.interruption import StatementTimeout, interruptible
from kg.store import StoreError, StoreUnavailable

ROOT = Path(__file__).resolve().parents[2]
OPEN = """
import sys
from pathlib import Path
from kg.engine import embedded
store = embedded.open_embedded(Path(sys.argv[1]))
print(embedded.status(Path(sys.argv[1])).pid, flush=True)
"""
COUNT = "MATCH (p:Page) RETURN count(p) AS n"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
posix = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose name Java's options would trip over; nothing runs on it afterwards."""
    place = tmp_path / '暴雨 "graph" \\ 1'
    yield place
    stop(place)
    assert not status(place).running


def command(folder: Path, code: str, **env: str) -> subprocess.Popen[str]:
    """Another command on the same folder."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **env},
    )  # fmt: skip


def eventually(true: Callable[[], bool], seconds: float = 15.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def alive(pid: int | None) -> bool:
    """Whether a process runs; one that ended and waits for its parent does not."""
    assert pid is not None
    told = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(told.strip()) and not told.strip().startswith("Z")


def private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.slow
def test_an_engine_of_an_older_version_which_has_no_account_for_reading_is_not_used(folder: Path) -> None:
    with open_embedded(folder) as store:
        store.write("CREATE (:Page {url: 'a'})")
    older = status(folder).pid
    groups = folder / "data" / "config" / "server-groups.json"
    groups.write_text(groups.read_text(encoding="utf-8").replace('"reader"', '"other"'), encoding="utf-8")
    lease = EngineFolder(folder).lease()
    try:
        with pytest.raises(StoreUnavailable, match=rf"an older ontocrawl, .* \(processes {os.getpid()}\): wait"):
            open_embedded(folder)
    finally:
        lease.release()
    assert status(folder).pid == older
    with open_embedded(folder) as store:
        assert status(folder).pid != older
        assert store.read(COUNT) == [{"n": 1}]


@pytest.mark.slow
@posix
def test_one_engine_for_all_commands_and_nothing_to_read_for_others(folder: Path) -> None:
    with open_embedded(folder) as store:
        store.write("MERGE (p:Page {url: 'http://例子.cn/'})")
        here = EngineFolder(folder)
        state = here.read_state()
        assert state is not None
        assert private(here.state_file)
        assert private(here.log)
        assert list(folder.glob("*.args")) == []
        for pid in (state.java_pid, state.supervisor_pid):
            shown = subprocess.run(
                ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=True
            )
            assert shown.stdout.strip()
            assert state.password not in shown.stdout
        with command(folder, OPEN + "print(store.read('MATCH (p:Page) RETURN p.url AS u')); store.close()") as other:
            assert other.stdout is not None
            assert other.stdout.read().splitlines() == [str(state.java_pid), "[{'u': 'http://例子.cn/'}]"]
        assert other.returncode == 0
        assert status(folder).users == (os.getpid(),)
        with open_embedded(folder) as second:
            assert status(folder).users == (os.getpid(), os.getpid())
            assert second.uri == store.uri
    assert status(folder) == embedded.EngineStatus(
        True, store.uri, (), state.java_pid, state.started, engine_java.package_version()
    )
    assert stop(folder)
    assert not alive(state.java_pid)
    assert eventually(lambda: not alive(state.supervisor_pid))
    assert not here.state_file.exists()
    assert not stop(folder)


@linux
def test_it_listens_on_loopback_only(embedded_engine: embedded.EmbeddedStore) -> None:
    state = EngineFolder(embedded_engine._folder).read_state()
    assert state is not None
    addresses = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{state.java_pid}/net/{table}").read_text().splitlines()[1:]:
            address, port = line.split()[1].split(":")
            if int(port, 16) in (state.bolt_port, state.http_port):
                addresses.add(address)
    assert addresses
    assert addresses <= {"0100007F", "0000000000000000FFFF00000100007F"}


@pytest.mark.slow
def test_commands_that_start_at_once_share_one_engine(folder: Path) -> None:
    starters = [command(folder, OPEN + "sys.stdin.read(); store.close()") for _ in range(3)]
    pids = {one.stdout.readline().strip() for one in starters if one.stdout}
    assert len(pids) == 1
    assert status(folder).users == tuple(sorted(one.pid for one in starters))
    for one in starters:
        one.communicate("")
        assert one.returncode == 0


@pytest.mark.slow
@posix
def test_the_engine_of_a_killed_command_serves_the_next_and_then_ends(folder: Path) -> None:
    code = OPEN + "store.write(\"MERGE (p:Page {url: 'a'})\"); print('written', flush=True); sys.stdin.read()"
    with command(folder, code, ONTOCRAWL_ENGINE_IDLE="1.5") as first:
        assert first.stdout is not None
        pid = int(first.stdout.readline())
        assert first.stdout.readline() == "written\n"
        first.kill()
    with open_embedded(folder) as store:
        assert status(folder).pid == pid
        assert store.read(COUNT) == [{"n": 1}]
    assert eventually(lambda: not alive(pid))
    assert eventually(lambda: not status(folder).running)
    here = EngineFolder(folder)
    assert eventually(lambda: not here.supervised())
    assert list(here.users.iterdir()) == []


@posix
@pytest.mark.slow
def test_a_command_killed_while_it_starts_the_engine_leaves_it_to_the_next(folder: Path) -> None:
    with command(folder, OPEN) as first:
        here = EngineFolder(folder)
        assert eventually(lambda: here.read_state() is not None)
        first.kill()
    with open_embedded(folder) as store:
        assert store.read("RETURN 1 AS x") == [{"x": 1}]


@pytest.mark.slow
@posix
def test_acknowledged_data_survive_a_killed_engine(folder: Path) -> None:
    with open_embedded(folder) as store:
        pid = status(folder).pid
        assert pid is not None
        for i in range(60):
            store.write("UNWIND $rows AS row CREATE (p:Page {url: row.url})", [{"url": f"{i}-{j}"} for j in range(7)])
        os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: not alive(pid))
        with pytest.raises(StoreUnavailable, match=r"embedded engine in .* has ended .*run the command again"):
            store.read("RETURN 1 AS x")
        with open_embedded(folder) as again:
            assert status(folder).pid != pid
            assert again.read(COUNT) == [{"n": 420}]
            assert again.read("MATCH (p:Page) RETURN count(DISTINCT p.url) AS n") == [{"n": 420}]


@posix
@pytest.mark.slow
def test_the_engine_of_a_killed_supervisor_is_taken_over(folder: Path) -> None:
    with open_embedded(folder) as store:
        state = EngineFolder(folder).read_state()
        assert state is not None
        os.kill(state.supervisor_pid, signal.SIGKILL)
        assert eventually(lambda: not EngineFolder(folder).supervised())
        assert status(folder).running
        with open_embedded(folder) as other:
            assert other.uri == store.uri
            assert store.read("RETURN 1 AS x") == other.read("RETURN 1 AS x")
        new = EngineFolder(folder).read_state()
        assert new is not None
        assert (new.java_pid, new.supervisor_pid == state.supervisor_pid) == (state.java_pid, False)
    os.kill(new.supervisor_pid, signal.SIGKILL)
    assert eventually(lambda: not EngineFolder(folder).supervised())
    assert stop(folder)
    assert eventually(lambda: not alive(state.java_pid))


@pytest.mark.slow
@posix
def test_a_stale_state_file_is_replaced_and_its_process_left_alone(folder: Path) -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        here = EngineFolder(folder)
        engine_files.refuse_foreign(here)
        engine_files.prepare(here, engine_java.package_version())
        stale = engine_files.EngineState(
            1, 2, "x", bystander.pid, bystander.pid, "2024-01-01T00:00:00+00:00", "1", ready=True
        )
        here.write_state(stale)
        assert not status(folder).running
        assert not stop(folder)
        here.write_state(stale)
        here.stop_request.touch()
        with open_embedded(folder) as store:
            assert store.read("RETURN 1 AS x") == [{"x": 1}]
        assert bystander.poll() is None
    finally:
        bystander.communicate(b"\n")


@posix
def test_an_engine_of_another_container_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_NOTICE_SECONDS", 0.1)
    here = EngineFolder(tmp_path)
    engine_files.refuse_foreign(here)
    engine_files.prepare(here, engine_java.package_version())
    pid = os.getpid()  # a number that means another process here than where the engine runs
    here.write_state(engine_files.EngineState(1, 2, "x" * 20, pid, pid, "2026-01-01T00:00:00+00:00", "1", ready=True))
    lock = here.supervisor_lock()
    assert lock.acquire(0.0)
    monkeypatch.setattr(engine_java, "has_reader", lambda folder: True)
    try:
        with pytest.raises(StoreUnavailable, match=r"runs elsewhere, such as in another container \(since 2026-01-01"):
            open_embedded(tmp_path)
    finally:
        lock.release()


@posix
@pytest.mark.slow
def test_an_engine_whose_folder_is_removed_ends(folder: Path) -> None:
    with open_embedded(folder):
        state = EngineFolder(folder).read_state()
    assert state is not None
    shutil.rmtree(folder)
    assert eventually(lambda: not alive(state.java_pid) and not alive(state.supervisor_pid))


# ---- folders that cannot be used


def test_a_foreign_folder_is_refused_and_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("years of work")
    with pytest.raises(
        StoreError, match=r"is not a graph folder of ontocrawl: .* holds 'thesis\.docx'; name an empty folder"
    ):
        open_embedded(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]
    with pytest.raises(StoreError, match="cannot be used"):
        open_embedded(tmp_path / "thesis.docx")
    assert not stop(tmp_path)
    assert not stop(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ("{", "engine.json is damaged: move the folder away"),
        ("[]", "engine.json is damaged: move the folder away"),
        ('{"format": 99, "version": "26.1"}', "layout 99.*upgrade ontocrawl"),
        ('{"format": 1, "version": "99.1.2.post3"}', "made by engine 99.1.2.post3 .*upgrade ontocrawl"),
    ],
)
def test_a_marker_that_is_damaged_or_newer_is_refused(tmp_path: Path, marker: str, said: str) -> None:
    (tmp_path / "engine.json").write_text(marker)
    with pytest.raises(StoreError, match=said):
        open_embedded(tmp_path)
    assert list((tmp_path / "users").glob("*")) == []


@pytest.mark.slow
def test_damaged_data_are_refused_and_not_opened_as_an_empty_graph(folder: Path) -> None:
    with open_embedded(folder) as store:
        store.write("UNWIND $rows AS row CREATE (p:Page {url: row.url})", [{"url": str(i)} for i in range(3_000)])
    stop(folder)
    database = folder / "data" / "databases" / engine_java.DATABASE
    bucket = max(database.glob("Page*.bucket"), key=lambda path: path.stat().st_size)
    whole = bucket.read_bytes()
    bucket.write_bytes(whole[:1_000])
    with pytest.raises(
        engine_data.DamagedGraphError, match=r"damaged \(Page.* has 1000 bytes instead of .*graph rebuild"
    ):
        open_embedded(folder)
    assert not status(folder).running
    bucket.write_bytes(whole)
    engine_data.check(EngineFolder(folder), engine_java.DATABASE)


@pytest.fixture
def quiet(tmp_path: Path) -> EngineFolder:
    """A folder as an engine leaves it: one type, two buckets; no engine runs."""
    place = tmp_path / "data" / "databases" / "g"
    place.mkdir(parents=True)
    (place / "schema.json").write_text(json.dumps({"types": {"Page": {"buckets": ["Page_0", "Page_1"]}}}))
    for number in (0, 1):
        (place / f"Page_{number}.{number}.65536.v0.bucket").write_bytes(b"x" * 100)
    (place / "index.1.umtidx").write_bytes(b"x" * 100)
    return EngineFolder(tmp_path)


def test_the_inventory_after_an_orderly_end(quiet: EngineFolder) -> None:
    place = quiet.data / "databases" / "g"
    engine_data.check(quiet, "g")  # an engine that never was ready
    engine_data.note_end(quiet, "g")
    engine_data.check(quiet, "g")
    (place / "index.1.umtidx").write_bytes(b"x" * 99)
    with pytest.raises(engine_data.DamagedGraphError, match=r"index\.1\.umtidx has 99 bytes instead of 100"):
        engine_data.check(quiet, "g")
    shutil.rmtree(place)
    with pytest.raises(engine_data.DamagedGraphError, match="is gone"):
        engine_data.check(quiet, "g")


def test_the_inventory_after_a_disorderly_end(quiet: EngineFolder) -> None:
    place = quiet.data / "databases" / "g"
    engine_data.note_end(quiet, "g")
    engine_data.note_running(quiet)
    (place / "index.1.umtidx").unlink()
    (place / "Page_0.0.65536.v0.bucket").write_bytes(b"x" * 170)
    engine_data.check(quiet, "g")
    (place / "Page_1.1.65536.v0.bucket").write_bytes(b"x" * 99)
    with pytest.raises(engine_data.DamagedGraphError, match="has 99 bytes and had 100"):
        engine_data.check(quiet, "g")
    quiet.inventory.write_text(json.dumps({"files": {}, "orderly": False}))
    (place / "Page_1.1.65536.v0.bucket").unlink()
    with pytest.raises(engine_data.DamagedGraphError, match="the files of Page_1 are gone"):
        engine_data.check(quiet, "g")
    (place / "schema.json").write_text('{"types": {"Page"')
    with pytest.raises(engine_data.DamagedGraphError, match=r"schema\.json cannot be read"):
        engine_data.check(quiet, "g")
    quiet.inventory.write_text("?")
    with pytest.raises(engine_data.DamagedGraphError, match=r"inventory\.json cannot be read"):
        engine_data.check(quiet, "g")


# ---- starts that fail


def test_a_missing_package_names_what_else_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(StoreUnavailable, match=r"not installed .*set NEO4J_URI to a running Neo4j server"):
        open_embedded(tmp_path / "graph")
    assert not (tmp_path / "graph").exists()


@pytest.mark.slow
def test_an_engine_that_does_not_start_shows_the_end_of_its_log(folder: Path) -> None:
    folder.mkdir()
    engine_files.prepare(EngineFolder(folder), engine_java.package_version())
    (folder / "data").mkdir()
    (folder / "data" / "databases").write_text("not a folder")
    with pytest.raises(
        StoreUnavailable, match=r"(?s)did not start in .*engine\.log ends with:\n.*databases.*NEO4J_URI"
    ):
        open_embedded(folder)
    assert not status(folder).running
    assert status(folder).users == ()


@pytest.mark.slow
def test_java_has_the_options_of_the_process_that_starts_an_engine(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(embedded, "JAVA_OPTIONS", ("-XX:NoSuchOption=1",))
    with pytest.raises(StoreUnavailable, match="Unrecognized VM option 'NoSuchOption=1'"):
        open_embedded(folder)


@pytest.mark.slow
def test_a_port_that_was_taken_meanwhile_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = engine_java._free_ports
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = [other.getsockname()[1]]
        monkeypatch.setattr(engine_java, "_free_ports", lambda: (taken.pop(), choose()[1]) if taken else choose())
        engine = engine_supervisor._start(EngineFolder(tmp_path), embedded.MEMORY, ())
        try:
            assert taken == []
            assert engine_java.is_ready(engine.state)
        finally:
            assert engine.end()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not tell what a process has mapped")
def test_later_engines_read_a_cache_of_what_the_first_one_loaded(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    cache = engine_java.class_cache()
    assert cache is not None

    def reads_it() -> bool:
        with open_embedded(folder) as store:
            assert store.read("RETURN 1 AS one") == [{"one": 1}]
            reads = str(cache) in Path(f"/proc/{status(folder).pid}/maps").read_text(encoding="utf-8")
        stop(folder)
        return reads

    assert not reads_it()
    assert eventually(cache.exists, 120.0)
    assert list(cache.parent.iterdir()) == [cache]
    assert stat.S_IMODE(cache.parent.stat().st_mode) == 0o700
    assert reads_it()
    cache.write_bytes(cache.read_bytes()[: 10**6] + bytes(10**6))
    assert not reads_it()  # it started all the same


def test_a_full_disk_is_named(embedded_engine: embedded.EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(100, 100, 0))
    with pytest.raises(StoreError, match=r"the disk of .* is full: free some space and run the command again"):
        embedded_engine.write("RETURN 1 / 0 AS x")


def test_a_start_without_space_is_named() -> None:
    said = engine_supervisor._message(EngineFolder(Path("/graph")), OSError(28, "No space left on device"))
    assert said.startswith("the embedded graph engine cannot be started in /graph (No space left on device): free some")


@pytest.mark.parametrize("given", ["soon", "-1", "inf", ""])
def test_the_idle_time_must_be_a_number(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(embedded.IDLE_VARIABLE, given)
    with pytest.raises(StoreError, match="ONTOCRAWL_ENGINE_IDLE must be a number of seconds"):
        embedded.idle_seconds()
    monkeypatch.setenv(embedded.IDLE_VARIABLE, "0.5")
    assert embedded.idle_seconds() == 0.5
    monkeypatch.delenv(embedded.IDLE_VARIABLE)
    assert embedded.idle_seconds() == embedded.IDLE_SECONDS


# ---- locks and small files


def test_a_lock_excludes_and_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = "import sys; from pathlib import Path; from kg.engine.files import FileLock\n"
    code += "lock = FileLock(Path(sys.argv[1])); print(lock.try_acquire(), flush=True); sys.stdin.read()"
    with command(path, code) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        lock = engine_files.FileLock(path)
        assert not lock.try_acquire()
        assert not lock.acquire(0.1)
        holder.kill()
    assert lock.acquire(5.0)
    assert not engine_files.FileLock(path).try_acquire()
    lock.release()
    lock.release()
    assert engine_files.FileLock(path).acquire(0.0)


def test_waiting_for_another_command_ends_with_advice(tmp_path: Path) -> None:
    folder = EngineFolder(tmp_path)
    with folder.exclusive(), pytest.raises(StoreUnavailable, match="another command has been starting or stopping"), \
            folder.exclusive(0.05):  # fmt: skip
        pytest.fail("two at once")


@posix
def test_private_files_replace_others_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text("old")
    path.chmod(0o644)
    engine_files.write_private(path, "new 密")
    assert path.read_text(encoding="utf-8") == "new 密"
    assert private(path)
    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]


def test_arguments_of_java_are_quoted() -> None:
    assert engine_java.quoted('-Dx=C:\\a b\\"c"') == '"-Dx=C:\\\\a b\\\\\\"c\\""'


@pytest.mark.slow
def test_a_command_says_what_it_waits_for(
    embedded_engine: embedded.EmbeddedStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "TOLD_SECONDS", 0.2)
    endless = "UNWIND range(1, 200000) AS a UNWIND range(1, 200000) AS b RETURN sum(a * b) AS n"
    store = open_embedded(embedded_engine._folder)
    try:
        with interruptible(2.0), pytest.raises(StatementTimeout):
            store.read(endless)
        said = [record.getMessage() for record in caplog.records if record.name == "kg.engine"]
        assert 1 <= len(said) <= 4, said  # ever later, and not again and again
        assert re.match(r"waiting for \d+ s for the embedded graph engine in .*, which runs 1 statement, ", said[0])
        assert f"such as {endless[:40]}" in said[0]
        caplog.clear()
        assert store.read("RETURN 1 AS x") == [{"x": 1}] and not caplog.records
    finally:
        store.close()


@pytest.mark.slow
def test_the_sign_of_life_says_what_the_engine_does(embedded_engine: embedded.EmbeddedStore) -> None:
    state = embedded_engine._connection.state
    assert "runs no statement now" in engine_revision.sign_of_life(state)
    gone = engine_revision.sign_of_life(replace(state, http_port=1))
    assert gone == f"which does not answer (process {state.java_pid})"


def test_a_command_says_that_it_waits_for_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine_files, "TOLD_SECONDS", 0.0)
    folder = EngineFolder(tmp_path)
    with folder.exclusive(), pytest.raises(StoreUnavailable), EngineFolder(tmp_path).exclusive(0.1):
        pass
    [record] = caplog.records
    assert record.getMessage().startswith("waiting for a command that starts or stops the embedded graph engine in ")


@pytest.mark.slow
def test_a_busy_computer_may_take_long_to_make_the_account_that_reads() -> None:
    """The engine answered after more than the five seconds of other requests, and was ended for it."""

    class Busy(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(5.5)
            self.send_response(200)
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        state = EngineState(0, server.server_port, "password", 0, 0, "", "", ready=False)
        engine_java.create_reader(state)
