"""Crawls through a running explorer: start, watch, pause, go on, explain, compare."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests
from starlette.requests import Request

from crawler import heartbeat
from crawler.heartbeat import Beat
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.errors import UsageError
from ontocrawl.explorer.app import Prepared
from ontocrawl.explorer.routes import crawls
from ontocrawl.runs import crawl_process, run_status, run_stopping, runs
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader, running

WORLD = "synthetic:planted?pages=300&seed=0"
LONG = "synthetic:planted?pages=50000&seed=0"
SMALL = {"topic": "rainstorm", "world": WORLD, "strategy": "breadth_first", "limit_pages": 40, "graph": False}
posix = pytest.mark.skipif(os.name != "posix", reason="crawls are paused by a signal")


class Program:
    """A program that uses the interface with the token."""

    def __init__(self, server: Prepared) -> None:
        self._url, self._token = server.address.url + "api/", server.address.token

    def get(self, path: str, **parameters: Any) -> Any:
        answer = requests.get(
            self._url + path, params=parameters, headers={"Authorization": f"Bearer {self._token}"}, timeout=60
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Mapping[str, Any], status: int = 200) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"}
        answer = requests.post(self._url + path, json=body, headers=headers, timeout=60)
        assert answer.status_code == status, answer.text
        return answer.json()

    def until(self, run: str, wanted: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        """Look at a process until it is as wanted."""
        deadline = time.monotonic() + 90
        while not wanted(state := self.get(f"crawls/{run}/process")):
            assert time.monotonic() < deadline, state
            time.sleep(0.1)
        return dict(state)

    def until_ended(self, run: str) -> Mapping[str, Any]:
        return self.until(run, lambda state: state["state"] in ("ended", "failed"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace whose graph is never opened."""
    return workspace.init(tmp_path_factory.mktemp("crawling") / "ws")


@pytest.fixture(scope="module")
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


@pytest.fixture(scope="module")
def program(server: Prepared) -> Program:
    return Program(server)


@pytest.fixture(scope="module")
def started(program: Program) -> str:
    """A run that was started through the interface, and has ended."""
    run = str(program.post("crawls", SMALL | {"run": "small"})["run"])
    state = program.until_ended(run)
    assert (state["state"], state["code"], state["wrong"]) == ("ended", 0, False), state
    return run


def test_a_check_says_what_a_crawl_would_be_and_changes_nothing(program: Program, place: Workspace) -> None:
    before = set(place.runs.iterdir())
    found = program.post("crawls/check", SMALL)
    assert found["strategy"] == "breadth_first" and len(found["seeds"]) == 4
    assert re.fullmatch(r"\d{8}-breadth_first(-\d+)?", found["run"])
    assert found["estimate"]["pages"] == 40
    assert set(place.runs.iterdir()) == before


@pytest.mark.slow
def test_a_crawl_that_was_started_is_as_that_of_the_command(
    program: Program, started: str, place: Workspace, tmp_path: Path
) -> None:
    other = workspace.init(tmp_path / "ws")
    line = ["crawl", "run", "--world", WORLD, "--strategy", "breadth_first", "--limit-pages", "40", "--no-graph"]
    assert invoke([*line, "--run", started, "--workspace", str(other.root)]) == 0
    ours, theirs = runs.result_of(place, started), runs.result_of(other, started)
    assert ours.end == theirs.end and ours.end.fetched == 40
    assert program.get(f"crawls/{started}")["state"] == "finished"


def test_a_name_that_exists_is_refused(program: Program, started: str) -> None:
    refused = program.post("crawls", SMALL | {"run": started}, 400)
    assert refused["field"] == "run" and "exists" in refused["error"]


@pytest.mark.slow
def test_starts_without_a_name_take_different_ones(program: Program) -> None:
    names = [program.post("crawls", SMALL | {"limit_pages": 2})["run"] for _ in range(2)]
    assert len(set(names)) == 2
    for name in names:
        assert program.until_ended(name)["code"] == 0


def test_a_change_needs_the_token(server: Prepared, started: str) -> None:
    for path in ("crawls", "crawls/check", f"crawls/{started}/pause", f"crawls/{started}/resume"):
        assert requests.post(f"{server.address.url}api/{path}", json=SMALL, timeout=60).status_code == 401


@pytest.mark.slow
@posix
def test_a_crawl_is_paused_and_goes_on_with_another_limit(program: Program, place: Workspace) -> None:
    program.post("crawls", SMALL | {"run": "long", "world": LONG, "limit_pages": 20_000})
    program.until("long", lambda state: state["state"] == "crawling" and "live" in program.get("crawls/long"))
    deadline = time.monotonic() + 60
    while program.get("crawls/long")["fetched"] < 5:
        assert time.monotonic() < deadline
    assert "is being crawled already" in program.post("crawls/long/resume", {}, 400)["error"]
    assert program.post("crawls/long/pause", {}) == {"run": "long", "paused": True}
    state = program.until_ended("long")
    assert state["code"] == 5 and not state["wrong"] and "stopped in order" in state["log"]
    paused = program.get("crawls/long")
    assert paused["state"] == "interrupted" and 5 <= paused["fetched"] < 20_000
    assert not (place.run("long") / run_stopping.FILE).exists()
    assert "is not being crawled: it is interrupted" in program.post("crawls/long/pause", {}, 400)["error"]
    limit = paused["fetched"] + 20
    assert program.post("crawls/long/resume", {"limit_pages": "few"}, 400)["field"] == "limit_pages"
    assert program.post("crawls/long/resume", {"world": "live"}, 400)["field"] == "world"
    program.post("crawls/long/resume", {"limit_pages": str(limit)})
    assert program.until_ended("long")["code"] == 0
    assert program.get("crawls/long")["fetched"] == limit


@pytest.mark.slow
@posix
def test_a_crawl_of_a_terminal_is_paused_too(program: Program, place: Workspace) -> None:
    line = ["crawl", "run", f"--world={LONG}", "--strategy=breadth_first", "--limit-pages=20000", "--no-graph"]
    command = [sys.executable, "-m", "ontocrawl", *line, "--run=terminal", f"--workspace={place.root}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while run_stopping.read(place.run("terminal")) is None:
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.05)
        program.post("crawls/terminal/pause", {})
        assert process.wait(60) == 5
    finally:
        process.kill()
        process.wait()
    assert runs.result_of(place, "terminal").state == "interrupted"


@pytest.mark.slow
def test_a_crawl_that_cannot_begin_says_why(program: Program, server: Prepared, place: Workspace) -> None:
    place.run("blocked").mkdir()
    lock = FileLock(place.run("blocked") / runs.LOCK)
    assert lock.try_acquire()  # another process begins the same run
    try:
        program.post("crawls", SMALL | {"run": "blocked"})
        page = reader(server).get(server.address.url + "crawls/blocked", timeout=60)
        assert page.status_code == 200 and 'data-view="crawl_begins"' in page.text
        state = program.until("blocked", lambda state: state["code"] is not None)
    finally:
        lock.release()
    assert state["wrong"] and "is being crawled by another process" in state["log"]
    state = program.get("crawls/blocked/process")
    assert (state["state"], state["wrong"]) == ("failed", True)
    assert "blocked" not in place.run_names()


def beat(**changed: Any) -> Beat:
    now = time.time()
    return Beat(
        **{
            "pid": os.getpid(), "computer": socket.gethostname(), "started": now - 60, "written": now, "seconds": 60.0,
            "fetched": 40, "relevant": 20, "per_minute": 30.0, "failures": {"timeout": 2}, "queued": 9, "in_flight": 2,
            "requests": 1, "draining": False, "limit_pages": 80, "limit_time": 0.0, "memory": None,
            "expected_gain": None, **changed,
        }
    )  # fmt: skip


@pytest.fixture
def held(place: Workspace, started: str) -> Iterator[Path]:
    """The folder of a run whose lock this process holds, as one that crawls it does."""
    folder = place.run(started)
    lock = FileLock(folder / runs.LOCK)
    assert lock.acquire(5)
    (folder / heartbeat.FILE).write_text(json.dumps(asdict(beat())), encoding="utf-8")
    try:
        yield folder
    finally:
        lock.release()
        for name in (heartbeat.FILE, run_stopping.FILE):
            (folder / name).unlink(missing_ok=True)


@posix
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (None, "started from Python"),
        ({"computer": "elsewhere"}, "on the computer elsewhere"),
        ({"user": 2**31}, "by another user"),
        ({"pid": 2**22 + 1}, "has just changed its process"),
    ],
)
def test_no_other_process_is_sent_a_signal(
    monkeypatch: pytest.MonkeyPatch, place: Workspace, held: Path, changed: dict[str, Any] | None, says: str
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(os, "kill", lambda *given: sent.append(given))
    if changed is not None:
        here = asdict(run_stopping.this_process(signal.SIGTERM))
        (held / run_stopping.FILE).write_text(json.dumps(here | changed), encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        crawl_process.pause(place, held.name)
    assert not [given for given in sent if given[1]]


@posix
def test_the_signal_is_sent_once(monkeypatch: pytest.MonkeyPatch, place: Workspace, held: Path) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(os, "kill", lambda *given: sent.append(given))
    here = asdict(run_stopping.this_process(signal.SIGTERM))
    (held / run_stopping.FILE).write_text(json.dumps(here), encoding="utf-8")
    crawl_process.pause(place, held.name)
    with pytest.raises(UsageError):
        crawl_process.pause(place, held.name)
    assert sent == [(os.getpid(), signal.SIGTERM)]


@pytest.mark.slow
def test_an_explanation_is_that_of_the_command(
    program: Program, server: Prepared, started: str, place: Workspace, command: Command
) -> None:
    url = program.get(f"crawls/{started}/pages", limit=1)["pages"][0]["url"]
    told = command("crawl", "explain", started, url, "--workspace", place.root, "--json").json
    assert program.get(f"crawls/{started}/page", url=url) == told
    assert told["score"]["link"] is not None
    pages = program.get(f"crawls/{started}/pages", limit=3)["pages"]
    assert len(pages) == 3 and pages[0]["url"] == url
    for page in pages:
        decided = program.get(f"crawls/{started}/page", url=page["url"], replay="no")["score"]["page"]["judge"]["words"]
        assert page["words"] == [one["word"] for one in decided if one["contribution"] > 0][:5]
    assert any(page["words"] for page in pages)
    assert program.get(f"crawls/{started}/page", url=url, replay="no")["score"]["link"] is None
    page = reader(server).get(f"{server.address.url}crawls/{started}/page", params={"url": url}, timeout=60).text
    assert url in page and "R = " in page
    unknown = reader(server).get(
        f"{server.address.url}crawls/{started}/page", params={"url": "http://no.example/"}, timeout=60
    )
    assert unknown.status_code == 200
    assert reader(server).get(f"{server.address.url}api/crawls/{started}/page", timeout=60).status_code == 400


def test_a_crawl_that_goes_on_says_what_was_found_so_far(server: Prepared, started: str, held: Path) -> None:
    address = f"{server.address.url}crawls/{started}/diagnosis"
    found = reader(server).get(address, params={"lang": "zh"}, timeout=60)
    assert found.status_code == 200 and "个网页中有" in found.text and "crawl resume" not in found.text
    assert "<html" not in found.text
    page = reader(server).get(f"{server.address.url}crawls/{started}", timeout=60).text
    assert "After ten pages this says" in page  # until the browser asks for what is said so far
    assert requests.get(address, timeout=60).status_code == 401


def test_the_next_step_of_a_diagnosis_is_a_link(
    monkeypatch: pytest.MonkeyPatch, server: Prepared, started: str
) -> None:
    found = {"findings": (), "next": f"ontocrawl crawl resume {started}"}
    monkeypatch.setattr(run_status, "diagnosis_of", lambda space, name: found)
    part = reader(server).get(f"{server.address.url}crawls/{started}/diagnosis", timeout=60).text
    assert f'/crawls/{started}#resume">Go there</a> <code>ontocrawl crawl resume {started}</code>' in part


@pytest.mark.parametrize(
    ("command", "address"),
    [
        ("crawl explain r http://a.cn/?a=1&b", "/crawls/r%2F/page?url=http%3A%2F%2Fa.cn%2F%3Fa%3D1%26b"),
        ("crawl score http://a.cn/ --run r", "/crawls/r%2F/page?url=http%3A%2F%2Fa.cn%2F"),
        ("crawl pages r --relevant", "/tables/pages?run=r%2F&_is.relevant=true"),
        ("enrich propose r", "/review?topic=sports&run=r%2F"),
        ("enrich review sports --run r", "/review?topic=sports&run=r%2F"),
        ("enrich apply --topic sports", "/ontologies/sports/versions"),
        ("topic check nothing", ""),
        ("graph rebuild r", ""),
        ("crawl run --topic sports --class a --class b --words x=1,y=0.5 --seeds http://a/ --no-graph --strategy its",
         "/crawls/_new?topic=sports&classes=a&classes=b&words=x%3D1%0Ay%3D0.5&seeds=http%3A%2F%2Fa%2F&strategy=its"),
        ("crawl run --topic sports --allow-loopback --strategy evidence_sum", ""),
        ("crawl run --topic /elsewhere/sports.toml --strategy evidence_sum", ""),
    ],
)  # fmt: skip
def test_a_command_leads_to_the_page_that_does_the_same(
    monkeypatch: pytest.MonkeyPatch, place: Workspace, command: str, address: str
) -> None:
    monkeypatch.setattr(runs, "config_of", lambda space, name: SimpleNamespace(topic="sports"))
    state = SimpleNamespace(space=place)
    scope = {"type": "http", "path_params": {"run": "r/"}, "app": SimpleNamespace(state=state), "state": {}}
    assert crawls._page_of(Request(scope), command.split()) == address


def test_crawls_are_compared_as_by_the_command(
    program: Program, server: Prepared, started: str, place: Workspace, command: Command
) -> None:
    line = ["crawl", "run", "--world", WORLD, "--strategy", "best_first", "--limit-pages", "30", "--no-graph"]
    assert command(*line, "--run", "best", "--workspace", place.root).code == 0
    told = command("crawl", "status", started, "best", "--workspace", place.root, "--json").json
    found = program.get("compare", run=[started, "best"])
    assert {key: found[key] for key in told} == told
    assert [len(found["curves"][name]["judge"]) for name in (started, "best")] == [40, 30]
    page = (
        reader(server).get(f"{server.address.url}crawls/_compare", params={"run": [started, "best"]}, timeout=60).text
    )
    assert page.count("<polyline") == 2
    assert reader(server).get(f"{server.address.url}api/compare", timeout=60).status_code == 400


def test_the_list_is_filtered_and_sorted_by_its_address(server: Prepared, started: str) -> None:
    def names(**asked: str) -> list[str]:
        page = reader(server).get(f"{server.address.url}crawls", params=asked, timeout=60)
        assert page.status_code == 200, page.text
        return re.findall(r'<td[^>]*><a href="/\w+/crawls/([^"]+)"', page.text)

    everything = names()
    assert everything == sorted(everything) and started in everything
    assert names(falling="yes") == everything[::-1]
    assert names(text="SMALL") == [started]
    assert names(state="running") == []
    assert reader(server).get(f"{server.address.url}crawls", params={"by": "size"}, timeout=60).status_code == 400
