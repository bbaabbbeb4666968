"""`crawl status` of a run that goes on in another process, or whose process is gone; and its live view."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from crawler import heartbeat
from crawler.expected_gain import ExpectedGain
from crawler.heartbeat import Beat, PageInFlight, WaitingHost
from crawler.journal import ledger
from crawler.step import Step
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import crawl, crawl_view, output
from ontocrawl.runs import run_status, runs
from ontology.errors import recalled, said
from tests.ontocrawl.conftest import Command

ASKED = ("crawl", "run", "--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--no-graph")
AT = 1_800_000_000.0
GONE = 2**22 + 1
"""A number that no process of Linux has."""
BEAT = Beat(
    pid=os.getpid(), computer=socket.gethostname(), started=AT - 100.0, written=AT, seconds=200.0, fetched=50,
    relevant=20, expected_gain=ExpectedGain(100, 12.34, 5, 21), per_minute=30.0,
    failures={"timeout": 2, "http_404": 5}, queued=400, in_flight=4, requests=1,
    draining=False, limit_pages=80, limit_time=0.0, memory=120_000_000, last_url="http://a.example/暴雨",
    last_at=AT - 1.0,
    pages=(PageInFlight("http://a.example/now", AT - 3.0, None),),
)  # fmt: skip


@pytest.fixture
def stopped(command: Command, tmp_path: Path) -> Workspace:
    """A workspace with the finished run ``mine``."""
    space = workspace.init(tmp_path / "ws")
    assert command(*ASKED, "--limit-pages", "20", "--run", "mine", "--workspace", space.root).code == 0
    return space


@contextmanager
def crawling(space: Workspace, beat: Beat | None = None) -> Iterator[None]:
    """The state of a run whose process holds the lock and wrote ``beat`` last."""
    lock = FileLock(space.runs / "mine" / runs.LOCK)
    file = space.runs / "mine" / heartbeat.FILE
    assert lock.try_acquire()
    if beat is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(json.dumps(asdict(beat)), encoding="utf-8")
    try:
        yield
    finally:
        lock.release()


def stalls(space: Workspace, beat: Beat | None, at: float = AT) -> dict[str, str]:
    with crawling(space, beat):
        found = run_status.now(space, "mine", wall=lambda: at).stalls
    for stall in found:
        stored = json.loads(json.dumps(stall.as_json()))
        assert said(recalled(stored["text"], stored["message"]), "zh") == stall.text.said("zh") != stall.text
    return {stall.code: stall.text for stall in found}


def waiting(*hosts: WaitingHost, until: float | None = AT + 60.0, **changed: Any) -> Beat:
    pages = tuple(PageInFlight(f"http://{host.host}/", AT - 5.0, host.reason) for host in hosts)
    return replace(BEAT, requests=0, next_at=until, hosts=hosts, waiting_hosts=len(hosts), pages=pages, **changed)


# ---- reasons ----------------------------------------------------------------------------------------------------


def test_each_reason_not_to_go_on_is_named(stopped: Workspace) -> None:
    until = run_status.clock(AT + 60.0, AT)
    busy = WaitingHost("example.cn", "retry_after", AT + 60.0, 3)
    delayed = WaitingHost("b.example", "crawl_delay", AT + 61.0, 1)
    assert stalls(stopped, BEAT) == {}
    assert stalls(stopped, waiting(busy, delayed)) == {
        "all_hosts_wait": f"all hosts wait until {until}: "
        "example.cn (Retry-After); b.example (Crawl-delay of its robots.txt)"
    }
    many = [WaitingHost(f"h{n}.example", "no_response", AT + 70.0, 1) for n in range(5)]
    assert stalls(stopped, waiting(*many))["all_hosts_wait"].endswith("; 2 others")
    assert "all_hosts_wait" not in stalls(stopped, waiting(busy, until=AT + 1.0))
    assert "made again" in stalls(stopped, waiting())["all_hosts_wait"]
    assert "pages in flight that may add links to it: 4" in stalls(stopped, replace(BEAT, queued=0))["queue_empty"]
    assert "under way (1)" in stalls(stopped, replace(BEAT, draining=True))["draining"]
    alone = replace(waiting(WaitingHost("a.example", "request", None, 3), until=None), requests=1)
    assert stalls(stopped, alone) == {"one_host": "all 4 pages in flight are of a.example (one request at a time)"}
    slow = replace(BEAT, pages=(PageInFlight("http://slow.example/", AT - 15.0, None),), last_at=AT - 20.0)
    since = run_status.clock(AT - 20.0, AT)
    assert stalls(stopped, slow) == {
        "slow_response": f"no page since {since}: http://slow.example/ has not come for 15 s"
    }
    assert "has written nothing since" in stalls(stopped, BEAT, AT + 40.0)["process_silent"]
    assert list(stalls(stopped, None)) == list(stalls(stopped, replace(BEAT, pid=GONE))) == ["restoring"]
    assert stalls(stopped, replace(BEAT, pid=GONE, computer="another")) == {}


# ---- hosts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fates", "state"),
    [
        ({"queued": 3, "in_flight": 1, "fetched": 2}, "in_flight"),
        ({"queued": 3, "host_paused": 1, "fetched": 2}, "host_paused"),
        ({"queued": 3, "host_down": 1}, "host_down"),
        ({"queued": 3, "robots_denied": 1}, "closed"),
        ({"queued": 3, "robots_denied": 1, "fetched": 1}, "queued"),
        ({"host_cap": 7, "fetched": 5}, "host_cap"),
        ({"other_host": 7}, "unasked"),
        ({"http_404": 1, "rejected_by_strategy": 2}, "failed"),
        ({"http_404": 1, "fetched": 1}, "done"),
    ],
)
def test_a_host_has_the_state_that_says_what_comes_next(fates: dict[str, int], state: str) -> None:
    found = run_status._host_state(Counter(fates), None)
    assert (found.state, found.until, found.waiting) == (state, None, 0)
    assert (found.queued, found.closed) == (fates.get("queued", 0), fates.get("robots_denied", 0))
    waits = run_status._host_state(Counter(fates), WaitingHost("a.cn", "retry_after", AT, 2))
    assert (waits.state, waits.until, waits.waiting) == ("retry_after", AT, 2)


def test_hosts_wait_as_the_process_says_and_as_long_as_a_stopped_run_noted(stopped: Workspace) -> None:
    before = run_status.host_states(stopped, "mine")
    name = next(name for name, one in before.items() if one.state == "queued")
    with runs.open_journal(stopped, "mine") as journal:
        assert sum(one.queued for one in before.values()) == ledger.ledger(journal).queued
        journal.set("pauses", {"at": AT, "hosts": {name: [600.0, 0, 1, 1], "other.cn": [60.0, 9, 0, 0]}})
    paused = run_status.host_states(stopped, "mine", wall=lambda: AT + 90.0)
    assert {one: paused[one].state for one in paused if paused[one] != before[one]} == {name: "retry_after"}
    assert paused[name].until == AT + 600.0
    assert run_status.host_states(stopped, "mine", wall=lambda: AT + 601.0) == before
    with crawling(
        stopped, waiting(WaitingHost(name, "crawl_delay", AT + 5.0, 3), WaitingHost("x.cn", "turn", None, 1))
    ):
        now = run_status.host_states(stopped, "mine")
    assert (now[name].state, now[name].waiting, now["x.cn"].state) == ("crawl_delay", 3, "turn")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc says whether a process is stopped")
def test_a_process_that_a_signal_stopped_is_named(stopped: Workspace) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        process.send_signal(signal.SIGSTOP)
        while run_status._process_state(process.pid, socket.gethostname()) != "stopped":
            time.sleep(0.01)
        said = stalls(stopped, replace(BEAT, pid=process.pid))
        assert said["process_stopped"].endswith(f"`kill -CONT {process.pid}` lets it go on")
    finally:
        process.kill()
        process.wait()
    assert run_status._process_state(process.pid, socket.gethostname()) == "gone"


def test_a_killed_process_is_named_and_its_seconds_count(command: Command, stopped: Workspace) -> None:
    asked = ("--workspace", stopped.root, "--json")
    before = command("crawl", "status", "mine", *asked).json
    with runs.open_journal(stopped, "mine") as journal:
        journal.set("stop_reason", None)
    with crawling(stopped, replace(BEAT, pid=GONE)):
        assert "running" in command("crawl", "status", "--workspace", stopped.root).out
    assert "interrupted" in command("crawl", "status", "--workspace", stopped.root).out
    found = command("crawl", "status", "mine", *asked).json
    assert (found["state"], found["seconds"]) == ("interrupted", 200.0) and before["seconds"] < 100.0
    (stall,) = found["live"]["stalls"]
    assert stall == {
        "code": "process_gone",
        "until": None,
        "text": f"process {GONE} is gone: `ontocrawl crawl resume mine` continues it",
        "message": {"code": "stalls.process_gone", "values": {"pid": GONE, "name": "mine"}},
    }
    assert "process" not in found["live"]
    resumed = command("crawl", "resume", "mine", "--limit-pages", "25", "--no-graph", *asked).json
    assert 200.0 < resumed["seconds"] < 300.0 and resumed["fetched"] == 25
    assert not (stopped.runs / "mine" / heartbeat.FILE).exists()
    assert command("crawl", "status", "mine", *asked).json["seconds"] == resumed["seconds"]


# ---- figures ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_running_crawl_is_seen_from_outside(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = workspace.init(tmp_path / "ws")
    monkeypatch.setattr(heartbeat, "INTERVAL", 0.0)
    seen: list[tuple[int, dict[str, Any]]] = []
    count = heartbeat.Heartbeat.count

    def look(self: heartbeat.Heartbeat, step: Step) -> None:
        count(self, step)
        if step.number in (10, 25):
            seen.append((step.fetched, dict(run_status.document(space, "mine"))))

    monkeypatch.setattr(heartbeat.Heartbeat, "count", look)
    assert command(*ASKED, "--limit-pages", "40", "--run", "mine", "--workspace", space.root).code == 0
    assert len(seen) == 2
    for fetched, found in seen:
        live = found["live"]
        assert found["state"] == live["state"] == "running"
        assert (live["process"], live["computer"]) == (os.getpid(), socket.gethostname())
        assert live["fetched"] == fetched and live["limit_pages"] == 40
        assert live["harvest"] == live["relevant"] / fetched and live["pages_per_second"] > 0
        assert live["disk"] > 10_000 and live["estimated_end"] in (
            None,
            {"at": live["estimated_end"]["at"], "by": "limit_pages"},
        )
        assert sum(found["failed"].values()) == found["failures"]
    assert seen[1][1]["live"]["last_page"]["url"].startswith("http://")
    finished = command("crawl", "status", "mine", "--workspace", space.root, "--json").json
    assert finished["live"]["stalls"] == [] and "process" not in finished["live"]
    assert not list((space.runs / "mine").glob("live*"))


def test_the_end_is_estimated_by_the_limit_that_comes_first(stopped: Workspace) -> None:
    def end(**changed: Any) -> tuple[float, str] | None:
        with crawling(stopped, replace(BEAT, **changed)):
            return run_status.now(stopped, "mine", wall=lambda: AT).end()

    assert end() == (AT + 60.0, "limit_pages")  # 30 pages are missing, half a page a second
    assert end(limit_time=130.0) == (AT + 30.0, "limit_time")
    assert end(limit_time=1000.0) == (AT + 60.0, "limit_pages")
    assert end(per_minute=0.0) is end(per_minute=None) is end(limit_pages=0) is None
    assert end(per_minute=None, limit_time=130.0) == (AT + 30.0, "limit_time")


# ---- the lock ---------------------------------------------------------------------------------------------------


def test_asking_for_the_state_keeps_no_crawl_from_beginning(stopped: Workspace) -> None:
    path, asked, failed = stopped.runs / "mine" / runs.LOCK, threading.Event(), []

    def ask() -> None:
        while not asked.is_set():
            over = not crawls.is_set()
            if FileLock(path).is_held() and over:
                failed.append("a question was taken for a crawl")
            time.sleep(0.002)

    crawls = threading.Event()
    crawls.set()
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        with runs.locked(path.parent):
            pass
    crawls.clear()
    time.sleep(0.2)
    asked.set()
    for thread in threads:
        thread.join()
    assert failed == [] or sys.platform == "win32"


def test_a_lock_is_seen_without_the_right_to_write(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    assert not lock.is_held() and not lock.path.exists()
    assert lock.try_acquire()
    lock.path.chmod(0o400)
    assert FileLock(lock.path).is_held()
    lock.release()
    assert not FileLock(lock.path).is_held()


# ---- another process --------------------------------------------------------------------------------------------


class Busy(BaseHTTPRequestHandler):
    """A host with one page, which asks for half a minute of rest after it."""

    def do_GET(self) -> None:
        links = "".join(f"<a href='/{n}'>flood {n}</a>" for n in range(9))
        status, body = (200, f"<html><body><p>flood</p>{links}</body></html>") if self.path == "/" else (429, "")
        if self.path == "/robots.txt":
            status = 404
        self.send_response(status)
        self.send_header("content-type", "text/html")
        if status == 429:
            self.send_header("retry-after", "30")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: object) -> None: ...


@pytest.mark.slow
def test_a_crawl_in_another_process_says_why_it_waits_and_is_missed_after_a_kill(
    command: Command, tmp_path: Path
) -> None:
    space = workspace.init(tmp_path / "ws")
    asked = ("--workspace", space.root, "--json")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    words = ["--seeds", f"http://127.0.0.1:{server.server_port}/", "--topic", "sports", "--strategy", "breadth_first"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", "crawl", "run", *words, "--allow-loopback", "--no-graph", "--run", "mine",
         "--workspace", str(space.root)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def codes() -> dict[str, dict[str, Any]]:
        if not (space.runs / "mine" / heartbeat.FILE).exists():
            return {}
        return {s["code"]: s for s in command("crawl", "status", "mine", *asked).json["live"]["stalls"]}

    def until(code: str) -> dict[str, Any]:
        deadline = time.monotonic() + 60.0
        while code not in (found := codes()):
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.1)
        return found[code]

    try:
        waits = until("all_hosts_wait")
        assert "(Retry-After)" in waits["text"] and waits["until"] > datetime.now(UTC).isoformat(timespec="seconds")
        live = command("crawl", "status", "mine", *asked).json["live"]
        assert (live["process"], live["fetched"], live["requests"]) == (process.pid, 1, 0)
        assert live["memory"] is None or live["memory"] > 10**7
        if Path("/proc/self/stat").exists():
            process.send_signal(signal.SIGSTOP)
            assert str(process.pid) in until("process_stopped")["text"]
    finally:
        process.kill()
        process.wait()
        server.shutdown()
        server.server_close()
    gone = command("crawl", "status", "mine", *asked).json
    assert gone["state"] == "interrupted" and gone["seconds"] > 0
    assert [stall["code"] for stall in gone["live"]["stalls"]] == ["process_gone"]


# ---- the view ---------------------------------------------------------------------------------------------------


class Looks:
    """Ends a run after some looks at it, in the place of the time between them."""

    def __init__(self, number: int, end: Any) -> None:
        self.left, self.end, self.pauses = number, end, list[float]()

    def __call__(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.left -= 1
        if not self.left:
            self.end()


@pytest.fixture
def watched(stopped: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Looks]:
    lock = FileLock(stopped.runs / "mine" / runs.LOCK)
    assert lock.try_acquire()
    beat = replace(BEAT, written=time.time(), pid=os.getpid(), last_at=time.time())
    (stopped.runs / "mine" / heartbeat.FILE).write_text(json.dumps(asdict(beat)), encoding="utf-8")
    looks = Looks(3, lock.release)
    monkeypatch.setattr(crawl.time, "sleep", looks)
    yield looks
    lock.release()


def test_in_a_pipe_a_watched_run_is_a_line_at_each_look(command: Command, stopped: Workspace, watched: Looks) -> None:
    found = command("crawl", "status", "mine", "--watch", "--workspace", stopped.root)
    assert found.code == 0 and watched.pauses == [crawl.IN_PIPE] * 3
    lines = found.out.splitlines()
    figures = "50 pages, 0.25/s, last minute 0.50/s; harvest 0.4000; expected gain 12.3 [5, 21] of the next 100 pages"
    assert len(lines) == 4 and all(f"mine running; {figures}" in line for line in lines[:3])
    assert "mine finished: stopped by limit_pages, 20 pages" in lines[3]


def test_a_watched_run_as_json_lines(command: Command, stopped: Workspace, watched: Looks) -> None:
    found = command("crawl", "status", "mine", "--watch", "--every", "2", "--json", "--workspace", stopped.root)
    documents = [json.loads(line) for line in found.out.splitlines()]
    assert watched.pauses == [2.0] * 3 and [d["state"] for d in documents] == ["running"] * 3 + ["finished"]
    assert documents[0]["failures"] == {"timeout": 2, "http_404": 5} and documents[3]["live"]["stalls"] == []


def test_on_a_terminal_the_view_fits_eighty_columns(
    command: Command, stopped: Workspace, watched: Looks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "shown").open("w+", encoding="utf-8") as file:
        console = Console(file=file, width=80, force_terminal=True, highlight=False, emoji=False)
        monkeypatch.setattr(output.stdout, "console", console)
        assert command("crawl", "status", "mine", "--watch", "--workspace", stopped.root).code == 0
        file.seek(0)
        shown = file.read()
    assert watched.pauses == [crawl.ON_TERMINAL] * 3
    assert "50 of 80, 0.25/s" in shown and "Run mine" in shown
    plain = Console(width=80, record=True, file=io.StringIO(), highlight=False)
    busy = WaitingHost("a" * 60 + ".example", "retry_after", time.time() + 60.0, 3)
    with crawling(stopped, waiting(busy, until=time.time() + 60.0, written=time.time())):
        plain.print(crawl_view.view("mine", run_status.now(stopped, "mine").as_json()))
    lines = plain.export_text().splitlines()
    assert max(map(cell_len, lines)) <= 80 and any(line.startswith("why ") for line in lines)
    assert "Retry-After" in " ".join(lines)


def test_ctrl_c_ends_only_the_view(command: Command, stopped: Workspace, watched: Looks) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    watched.end = interrupt
    found = command("crawl", "status", "mine", "--watch", "--workspace", stopped.root)
    assert found.code == 0 and "the view has ended, the crawl goes on" in found.err
    assert FileLock(stopped.runs / "mine" / runs.LOCK).is_held()


@pytest.mark.parametrize("words", [("--watch",), ("mine", "other", "--watch"), ("mine", "--every", "3")])
def test_a_view_is_of_one_run(command: Command, stopped: Workspace, words: tuple[str, ...]) -> None:
    found = command("crawl", "status", *words, "--workspace", stopped.root)
    assert found.code == 2 and "--watch shows one run" in found.err


def test_pages_that_wait_to_be_tried_again_are_named() -> None:
    waiting, none = (
        run_status.Now("mine", "running", AT, beat, (), 0).as_json()
        for beat in (replace(BEAT, retries=14, next_retry=AT + 2.0), BEAT)
    )
    assert dict(crawl_view.figures(waiting))["retries"].startswith("14 wait to be tried again, the first at ")
    assert none["retries"] == {"waiting": 0, "next": None}
    assert "retries" not in dict(crawl_view.figures(none))


def test_runs_that_another_function_judges_are_not_compared_as_if_they_were_alike(
    command: Command, space: Workspace, crawled: str
) -> None:
    web = ("--world", "synthetic:planted?pages=300&seed=0", "--limit-pages", "5")
    begin = ("crawl", "run", *web, "--workspace", space.root)
    assert command(*begin, "--no-graph", "--run", "alike").code == 0
    assert command(*begin, "--no-graph", "--run", "other", "--judge", "ssvsm").code == 0
    found = command("crawl", "status", crawled, "alike", "other", "--workspace", space.root)
    assert "other: pages are judged otherwise than those of sample, alike (another relevance function" in found.err
    assert "do not say which crawl is better; the column by_label does" in " ".join(found.err.split())
    document = command("crawl", "status", crawled, "alike", "other", "--workspace", space.root, "--json").json
    assert document["judged_alike"] == [[crawled, "alike"], ["other"]]
    assert "judged" not in command("crawl", "status", crawled, "alike", "--workspace", space.root).err
