"""`doctor --reach`: a page that the crawl can fetch, that only other programs can fetch, that none can."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ontocrawl.base.options import CrawlSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.health.doctor import _reach
from tests.ontocrawl.conftest import Command

QUICK = CrawlSettings(timeout=2.0, max_bytes=1000)


class Handler(BaseHTTPRequestHandler):
    """Answers any request, as a server or as a proxy."""

    def do_GET(self) -> None:
        body = b"x" * (5000 if self.path.endswith("/large") else 10)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_page_that_a_crawl_can_fetch(server: str) -> None:
    found = _reach(f"http://{server}/", QUICK, allow_loopback=True)
    assert found == (True, f"http://{server}/ answers with status 200", "")


def test_a_page_that_only_a_proxy_reaches(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://user:secret@{server}")
    found = _reach(f"http://{'x' * 64}.example/", QUICK)  # a label too long for any name: no server is asked for it
    assert not found.ok and found.found.startswith("dns: ")
    assert "only the proxy 127.0.0.1 reaches it (status 200)" in found.advice
    assert "secret" not in found.advice


def test_a_page_beyond_the_limits_of_a_crawl(server: str) -> None:
    found = _reach(f"http://{server}/large", QUICK, allow_loopback=True)
    assert found.found.startswith("too_large: ")
    assert "other programs reach it (status 200); raise `max_bytes`" in found.advice


def test_a_page_that_nothing_reaches(server: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    found = _reach(f"http://127.0.0.1:{port}/", QUICK, allow_loopback=True)
    assert found.found.startswith("refused: ")
    assert "do not reach it either" in found.advice


def test_no_url() -> None:
    with pytest.raises(UsageError, match="begins with http"):
        _reach("example.org", QUICK)


@pytest.mark.slow
def test_doctor_shows_it(command: Command, space: Workspace, server: str) -> None:
    result = command("doctor", "--workspace", space.root, "--reach", f"http://{server}/", "--json")
    (check,) = [check for check in result.json["checks"] if check["name"] == "network"]
    assert result.code != 0
    assert not check["ok"]
    assert check["found"].startswith("blocked_address: ")
    assert "other programs reach it (status 200); its address is not public" in check["advice"]
    assert "network" not in {
        check["name"] for check in command("doctor", "--workspace", space.root, "--json").json["checks"]
    }
