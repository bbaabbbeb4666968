"""`graph browser`: a folder for Neo4j Browser, and its guide on loopback."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from kg import browser
from ontocrawl.errors import UsageError
from ontocrawl.graph import guide_server
from tests.ontocrawl.conftest import Command


def test_the_folder_is_written_without_a_graph(command: Command, tmp_path: Path) -> None:
    done = command("graph", "browser", tmp_path / "out")
    assert done.code == 0 and all(name in done.out for name in browser.FILES)
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(browser.FILES)
    again = command("graph", "browser", tmp_path / "out", "--json")
    assert again.json == {"folder": str(tmp_path / "out"), "files": list(browser.FILES)}


def test_a_file_in_place_of_the_folder_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x", encoding="utf-8")
    done = command("graph", "browser", tmp_path / "out")
    assert done.code == 2 and "is a file: name a folder" in done.err


def test_the_guide_is_served_to_pages_of_another_origin(tmp_path: Path) -> None:
    browser.write_folder(tmp_path)
    (tmp_path / "secret.txt").write_text("x", encoding="utf-8")
    with guide_server.served(tmp_path, 0) as url:
        assert re.fullmatch(r"http://localhost:\d+", url)
        asked = {"Origin": "http://localhost:7474", "Access-Control-Request-Headers": "cache-control,pragma"}
        first = requests.options(f"{url}/guide.html", headers=asked, timeout=10)
        assert first.status_code == 204 and first.headers["Access-Control-Allow-Origin"] == "*"
        assert {"pragma", "cache-control"} <= set(first.headers["Access-Control-Allow-Headers"].split(", "))
        guide = requests.get(f"{url}/guide.html", headers=asked, timeout=10)
        assert guide.content.decode() == browser._as_html()
        assert guide.headers["Access-Control-Allow-Origin"] == "*" and "html" in guide.headers["Content-Type"]
        assert requests.head(f"{url}/guide.adoc", timeout=10).status_code == 200
        for other in ("secret.txt", "", "../secret.txt", "ontocrawl.grass"):
            assert requests.get(f"{url}/{other}", timeout=10).status_code == 404
        with pytest.raises(UsageError, match="choose another one"), guide_server.served(
            tmp_path, int(url.rpartition(":")[2])
        ):  # fmt: skip
            pass


@pytest.mark.slow
def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "ontocrawl", "graph", "browser", str(tmp_path / "out"), "--serve", "--port", "0"]
    with subprocess.Popen(
        line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # the tests may run in the background
    ) as running:  # fmt: skip
        try:
            assert running.stderr is not None
            url = next(found[0] for text in running.stderr if (found := re.findall(r"http://\S+guide\.html", text)))
            assert requests.get(url, timeout=10).text == browser._as_html()
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=20) == 130
        finally:
            running.kill()
