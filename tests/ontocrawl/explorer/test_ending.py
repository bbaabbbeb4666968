"""What ends: statements whose askers are gone, statements that take too long, and the server with all of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.app import Prepared
from tests.ontocrawl.explorer.conftest import reader, running

ENDLESS = "UNWIND range(1, 200000) AS a UNWIND range(1, 200000) AS b RETURN sum(a * b) AS n"
RUNNING = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '* b' RETURN count(*) AS n"


def asked(session: requests.Session, url: str, statement: str, seconds: float = 100) -> Any:
    return session.get(f"{url}api/cypher", params={"statement": statement}, timeout=seconds)


def none_runs(session: requests.Session, url: str, but: int = 1) -> bool:
    """Whether within a minute no statement is running but those that ask for it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if asked(session, url, RUNNING).json()["rows"][0][0] <= but:
            return True
        time.sleep(0.2)
    return False


@pytest.mark.slow
def test_a_statement_whose_asker_is_gone_is_ended(served: Prepared) -> None:
    with pytest.raises(requests.Timeout):
        asked(reader(served), served.address.url, ENDLESS, seconds=1)
    assert none_runs(reader(served), served.address.url)


@pytest.mark.slow
def test_a_statement_beyond_its_time_is_ended_and_the_answer_says_so(space: Workspace) -> None:
    with running(space, timeout=0.5) as server:
        program = reader(server)
        program.headers["Accept-Language"] = "zh"
        answer = asked(program, server.address.url, ENDLESS)
        assert (answer.status_code, "0.5" in answer.json()["error"]) == (504, True), answer.text
        assert "语句" in answer.json()["error"]
        assert none_runs(program, server.address.url)


class Explorer:
    """A program that runs `ontocrawl explore`."""

    def __init__(self, space: Workspace, errors: Path, *more: str, **environment: str) -> None:
        line = [sys.executable, "-m", "ontocrawl", "explore", str(space.root), "--port", "0", "--json", *more]
        with errors.open("wb") as stderr:
            self.process = subprocess.Popen(
                line, stdout=subprocess.PIPE, stderr=stderr, text=True, env={**os.environ, **environment},
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # the tests may run in the background
            )  # fmt: skip
        assert self.process.stdout is not None
        address = json.loads(self.process.stdout.readline())
        self.url, self.token = address["url"], address["token"]
        self.process.stdout.close()
        self.program = requests.Session()
        self.program.headers["Authorization"] = f"Bearer {self.token}"


@pytest.fixture
def explorer(space: Workspace, tmp_path: Path) -> Iterator[Explorer]:
    found = Explorer(space, tmp_path / "errors", "--no-browser")
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends SIGTERM")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_in_order_with_statements_events_and_silent_clients(
    explorer: Explorer, crawled: str, tmp_path: Path, number: signal.Signals
) -> None:
    answers: list[int] = []

    def ask() -> None:
        with suppress(requests.ConnectionError):
            answers.append(asked(explorer.program, explorer.url, ENDLESS).status_code)

    asked(explorer.program, explorer.url, "RETURN 1 AS n").raise_for_status()  # the engine has started
    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    while asked(explorer.program, explorer.url, RUNNING).json()["rows"][0][0] < 3:
        time.sleep(0.1)
    with explorer.program.get(f"{explorer.url}api/crawls/{crawled}/live", stream=True, timeout=60) as events:
        assert events.status_code == 200
        before = time.monotonic()
        explorer.process.send_signal(number)
        assert explorer.process.wait(60) == 130
        took = time.monotonic() - before
    for thread in threads:
        thread.join()
    assert took < 5
    assert (tmp_path / "errors").read_text() == "interrupted\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads the list of processes in /proc")
def test_nothing_secret_is_in_the_list_of_processes(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys, time\nfrom urllib.parse import unquote, urlsplit\n"
        "page = pathlib.Path(unquote(urlsplit(sys.argv[1]).path)).read_text()\n"
        f"pathlib.Path({str(told)!r}).write_text(json.dumps([sys.argv[1], page]))\ntime.sleep(600)\n"
    )
    browser.chmod(0o700)
    explorer = Explorer(space, tmp_path / "errors", BROWSER=f"{browser} %s &")
    try:
        explorer.program.get(f"{explorer.url}api/queries", timeout=60).raise_for_status()
        until = time.monotonic() + 60
        while not (told.exists() and told.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        address, page = json.loads(told.read_text())
        code = page.partition("code=")[2].partition('"')[0]
        root = explorer.url.rstrip("/").rpartition("/")[2]
        assert address.startswith("file://") and len(code) == 22 and len(root) == 32
        shown = b""
        for one in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                shown += one.read_bytes() + b"\n"
        assert str(browser).encode() in shown
        assert not [secret for secret in (explorer.token, code, root) if secret.encode() in shown]
        began = requests.get(page.partition("url=")[2].partition('"')[0], timeout=60)
        assert began.status_code == 200 and f"/{root}/" in began.text
    finally:
        explorer.process.terminate()
        explorer.process.wait()
        for one in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if str(browser).encode() in one.read_bytes():
                    os.kill(int(one.parent.name), signal.SIGKILL)
    assert not list(space.root.glob("explorer-*.html"))
