"""Ctrl-C and time limits end a statement on the server: it does no more work on it, on both engines."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg import interruption
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.engine.embedded import EmbeddedStore, open_embedded
from kg.interruption import StatementInterrupted, StatementTimeout, interruptible, marked, run_within
from kg.store import StatementError, StoreError, StoreUnavailable
from ontocrawl.base import workspace

LONG = (
    "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE (a * b) % 7 = 3 RETURN count(*) AS long"
)
LONG_WRITE = f"{LONG.removesuffix('RETURN count(*) AS long')} WITH count(*) AS n MERGE (t:Topic {{name: 'never'}})"
LONG_SPARQL = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER (?b != ?d && ?d != ?f) }"


def running(store: BoltStore) -> list[str]:
    """The texts of the statements that the server of a store works on, besides this question."""
    if isinstance(store, EmbeddedStore):
        from kg.engine.java import request

        state = store._connection.state
        _, content = request(state, "POST", "/api/v1/server", {"command": "list queries"})
        return [row["text"] for row in json.loads(content)["result"]]
    rows = store.read("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery AS text")
    return [row["text"] for row in rows if row["text"] and "SHOW TRANSACTIONS" not in row["text"]]


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(store: BoltStore, *, is_running: bool) -> None:
    deadline = time.monotonic() + 60
    while any("100000" in text for text in running(store)) is not is_running:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def folder(store: BoltStore, tmp_path: Path) -> Iterator[Path]:
    """A workspace whose graph is that of ``store``."""
    root = workspace.init(tmp_path / "ws").root
    if isinstance(store, EmbeddedStore):
        (root / "graph").symlink_to(store._folder.resolve(), target_is_directory=True)
    yield root


def command(store: BoltStore, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    if not isinstance(store, EmbeddedStore):
        assert store._auth is not None
        environment |= {"NEO4J_URI": store.uri, "NEO4J_USERNAME": store._auth[0], "NEO4J_PASSWORD": store._auth[1]}
    return subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *arguments, "--workspace", str(folder)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_default_handler,
    )  # fmt: skip


def _default_handler() -> None:
    """The tests may run in the background, where Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")
@pytest.mark.parametrize("arguments", [(LONG,), (LONG_WRITE, "--write")], ids=["read", "write"])
def test_ctrl_c_ends_a_statement_on_the_server(store: BoltStore, folder: Path, arguments: tuple[str, ...]) -> None:
    process = command(store, folder, "query", "cypher", *arguments)
    wait_for(store, is_running=True)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, ""), err
    said = re.fullmatch(
        r"ontocrawl: interrupted: the statement was cancelled on the server, \d+\.\d s after its start\n", err
    )
    assert said, err
    assert not any("100000" in text for text in running(store))
    if isinstance(store, EmbeddedStore) and Path("/proc/self/stat").exists():
        pid = store._connection.state.java_pid
        before = processor_seconds(pid)
        time.sleep(2)
        assert processor_seconds(pid) - before < 1.0
    assert store.read("MATCH (t:Topic {name: 'never'}) RETURN count(t) AS n") == [{"n": 0}]


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_time_limit_ends_a_statement_on_the_server(store: BoltStore, folder: Path, more: tuple[str, ...]) -> None:
    process = command(store, folder, "query", "cypher", LONG, "--timeout", "1", *more)
    out, err = process.communicate(timeout=90)
    assert (process.returncode, out) == (1, ""), err
    assert "the statement was not done after 1 s, and it was ended: give it more time with --timeout SECONDS" in err
    assert not any("100000" in text for text in running(store))


@pytest.mark.slow
def test_limits_hold_in_their_block_alone(store: BoltStore) -> None:
    with interruptible(0.5):
        with pytest.raises(StatementTimeout, match=r"not done after 0\.5 s, and it was ended: .*timeout=SECONDS"):
            store.read(LONG)
        assert store.read("RETURN 1 AS x") == [{"x": 1}]
        with pytest.raises(StatementTimeout):
            store.write(LONG_WRITE)
    wait_for(store, is_running=False)
    assert interruption.limits() is None
    assert store.read("MATCH (t:Topic) RETURN count(t) AS n") == [{"n": 0}]
    with interruptible(60):
        assert store.write("MERGE (t:Topic {name: $name}) RETURN t.name AS name", name="x") == [{"name": "x"}]


@pytest.mark.slow
def test_a_statement_of_another_thread_goes_on(store: BoltStore) -> None:
    counted: list[int] = []
    short = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b WITH a, b WHERE (a * b) % 7 = 3 RETURN count(*) AS n"

    def other() -> None:
        with interruptible(300):
            counted.append(store.read(short)[0]["n"])

    thread = threading.Thread(target=other)
    thread.start()
    with interruptible(0.3), pytest.raises(StatementTimeout):
        store.read(LONG)
    thread.join()
    assert counted and counted[0] > 0


def test_messages_have_the_lines_of_the_statement_and_no_mark(store: BoltStore) -> None:
    texts = []
    for limited in (False, True):
        with pytest.raises(StoreError) as raised:
            if limited:
                with interruptible(60):
                    store.read("MATCH (p:Page)\nRETURN nope")
            else:
                store.read("MATCH (p:Page)\nRETURN nope")
        texts.append(str(raised.value))
    assert "ontocrawl-" not in texts[1] and "nope" in texts[1]
    assert re.findall(r"line \d+", texts[0]) == re.findall(r"line \d+", texts[1])


def test_a_long_statement_is_marked_in_front() -> None:
    assert marked("RETURN 1", "m") == "RETURN 1\n// m"
    assert marked("RETURN 1" + " " * 1000, "m").startswith("/* m */ RETURN 1")


def test_a_server_that_does_not_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interruption, "GRACE_SECONDS", 0.3)
    let_go = threading.Event()
    asked: list[int] = []
    with pytest.raises(StatementTimeout, match="its end was not confirmed"):
        run_within(let_go.wait, lambda: asked.append(1), 0.05)
    assert asked

    def unreachable() -> None:
        raise StoreError("no answer")

    with pytest.raises(StatementTimeout, match="its end was not confirmed"):
        run_within(let_go.wait, unreachable, 0.05)
    with pytest.raises(StatementTimeout, match="it was ended"):
        run_within(let_go.wait, unreachable, 0.05, force=lambda: True)
    let_go.set()


def test_a_server_that_did_not_answer_once_is_asked_again_and_one_that_refuses_is_not() -> None:
    done, asked = threading.Event(), list[int]()

    def answers_the_second_time() -> None:
        asked.append(1)
        if len(asked) == 1:
            raise StoreUnavailable("no answer")
        done.set()

    def work() -> None:
        done.wait(60)
        raise StoreError("ended by the server")

    forced: list[int] = []
    with pytest.raises(StatementTimeout, match="it was ended"):
        run_within(work, answers_the_second_time, 0.05, force=lambda: bool(forced.append(1)))
    assert len(asked) == 2 and not forced

    def refuses() -> None:
        asked.append(1)
        raise StatementError("forbidden")

    done.clear()
    with pytest.raises(StatementTimeout, match="its end was not confirmed"):
        run_within(work, refuses, 0.05)
    done.set()
    assert len(asked) == 3


IN_ONE_ROW = "RETURN reduce(s = 0, i IN range(1, 100000) | s + size([j IN range(1, 100000) WHERE j % 7 = i])) AS n"


@pytest.mark.slow
def test_what_the_embedded_engine_cannot_end_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks between rows whether a statement is to end; another store of the folder starts it anew."""
    monkeypatch.setattr(interruption, "GRACE_SECONDS", 2)
    with open_embedded(tmp_path) as store:
        store.write("CREATE (:Topic {name: 'kept'})")
        with pytest.raises(StatementTimeout, match="and it was ended"), interruptible(1):
            store.read(IN_ONE_ROW)
        with open_embedded(tmp_path) as other:
            assert other.read("MATCH (t:Topic) RETURN t.name AS name") == [{"name": "kept"}]
    embedded.stop(tmp_path)


@pytest.mark.slow
def test_an_engine_without_memory_ends_and_says_so(tmp_path: Path) -> None:
    """Its thread would end without an answer, and after some of them the engine ran no statement any more."""
    with open_embedded(tmp_path, memory=256) as store:
        with pytest.raises(StoreUnavailable, match=r"has ended .* needs more memory .* set a larger memory"):
            store.read("RETURN size(reduce(s = 'x', i IN range(1, 40) | s + s)) AS n")
        with open_embedded(tmp_path, memory=256) as other:
            assert other.read("RETURN 1 AS n") == [{"n": 1}]
    embedded.stop(tmp_path)


def test_what_is_done_in_time_is_returned_and_errors_are_raised() -> None:
    assert run_within(lambda: 3, lambda: None, 60) == 3
    with pytest.raises(ZeroDivisionError):
        run_within(lambda: 1 // 0, lambda: None, 60)
    event = threading.Event()
    assert run_within(lambda: event.wait(60) and 5, event.set, 0.05) == 5, "done while it was to be ended"


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to this process")
def test_ctrl_c_is_raised_when_the_server_has_confirmed() -> None:
    ended = threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        ended.wait(60)
        raise StoreError("ended by the server")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(StatementInterrupted, match="cancelled on the server") as raised:
            run_within(work, ended.set)
    finally:
        signal.signal(signal.SIGINT, before)
    assert raised.value.ended


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")
def test_sparql_ends_too(embedded_store: BoltStore, tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    path = tmp_path / "many.nt"
    path.write_text("".join(f"<http://a/{i}> <http://p/{i % 7}> <http://b/{i % 91}> .\n" for i in range(2_000)))
    process = command(embedded_store, tmp_path, "query", "sparql", LONG_SPARQL, "--on", str(path))
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, ""), err
    assert "interrupted" in err and "Traceback" not in err
    process = command(embedded_store, tmp_path, "query", "sparql", LONG_SPARQL, "--on", str(path), "--timeout", "0.5")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, ""), err
    assert "not done after 0.5 s" in err
