"""The scope of `crawl run`: by command, topic and workspace; what is asked is read from the server's log."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import ontocrawl
from crawler.journal.ledger import fates, ledger
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import runs
from ontocrawl.topics import topic_files, topics
from tests.ontocrawl.conftest import Command

HOSTS, PORTS = ("a.example", "b.example", "www.a.example"), (80, 8080)
START = "http://a.example/news/"
Page = Sequence[str] | str
WEB: dict[str, Page] = {
    START: [
        "/news/1.html", "/news/2.html", "/about.html", "/news/report.pdf", "http://a.example:8080/news/",
        "http://b.example/", "http://www.a.example/", "/news/to-b", "/news/to-port", "/news/to-www", "/news/within",
        "/news/twice",
    ],
    "http://a.example/news/1.html": ["http://b.example/x", "http://www.a.example/x", "/news/deep/3.html"],
    "http://a.example/news/to-b": "http://b.example/2",
    "http://a.example/news/to-port": "http://a.example:8080/2",
    "http://a.example/news/to-www": "//www.a.example/2",
    "http://a.example/news/within": "/news/4.html",
    "http://a.example/news/twice": "/news/over",
    "http://a.example/news/over": "http://b.example:8080/3",
}  # fmt: skip
"""URL -> its links, or the target of its redirect; all other pages of the hosts are there, and have no links."""


class Servers:
    """Two servers for all hosts, with a log of the URLs that were asked for."""

    def __init__(self, web: Mapping[str, Page]) -> None:
        self.log: list[str] = []
        self._servers = [ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, web, self.log, port)) for port in PORTS]
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def write_resolve(self, path: Path) -> str:
        addresses = [f"127.0.0.1:{server.server_address[1]}" for server in self._servers]
        lines = [f"{host}:{port}={at}" for host in HOSTS for port, at in zip(PORTS, addresses, strict=True)]
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, web: Mapping[str, Page], log: list[str], port: int, *arguments: object) -> None:
        self.web, self.urls, self.port = web, log, port
        super().__init__(*arguments)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        name = self.headers["host"].partition(":")[0]
        url = f"http://{name}{'' if self.port == 80 else f':{self.port}'}{self.path}"
        self.urls.append(url)
        page = self.web.get(url, [])
        if self.path == "/robots.txt":
            self._reply(404, "")
        elif isinstance(page, str):
            self._reply(302, "", page)
        else:
            self._reply(200, f"<p>page of {url}" + "".join(f'<a href="{link}">more</a>' for link in page))

    def _reply(self, status: int, body: str, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("location", location)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args: object) -> None:
        """Print nothing."""


Crawl = Callable[..., dict[str, str]]


@pytest.fixture
def servers() -> Iterator[Servers]:
    started = Servers(WEB)
    yield started
    started.close()


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


@pytest.fixture
def crawl(command: Command, servers: Servers, mine: Workspace, tmp_path: Path) -> Crawl:
    """Run a crawl to its end, and return the fate of each URL."""

    def run(*options: str, seeds: Sequence[str] = (START,), topic: str = "sports") -> dict[str, str]:
        servers.log.clear()
        name = f"run{len(list(mine.runs.glob('*')))}"
        given = [option for seed in seeds for option in ("--seeds", seed)]
        how = ("--strategy", "breadth_first", "--no-graph", "--no-politeness", "--limit-pages", "0", "--topic", topic)
        where = ("--resolve", servers.write_resolve(tmp_path / "resolve.txt"), "--workspace", str(mine.root))
        found = command("crawl", "run", "--run", name, "--json", *how, *where, *given, *options)
        assert found.code == 0, found.err
        with runs.open_journal(mine, name) as journal:
            counts = ledger(journal)
            assert counts.fetched + counts.queued + counts.in_flight + sum(counts.reasons.values()) == counts.known
            return {url: fate for _, url, fate in fates(journal)}

    return run


def origins(servers: Servers) -> set[str]:
    return {"/".join(url.split("/")[:3]) for url in servers.log}


def test_a_crawl_that_stays_on_its_host_asks_no_other_host_or_port(crawl: Crawl, servers: Servers) -> None:
    found = crawl("--stay", "host")
    assert origins(servers) == {"http://a.example"}
    assert {url for url, fate in found.items() if fate == "other_host"} == {
        "http://a.example:8080/news/", "http://b.example/", "http://www.a.example/", "http://b.example/x",
        "http://www.a.example/x", "http://a.example/news/to-b", "http://a.example/news/to-port",
        "http://a.example/news/to-www", "http://a.example/news/twice",
    }  # fmt: skip
    assert found["http://a.example/news/within"] == found["http://a.example/about.html"] == "fetched"
    assert "http://a.example/news/over" in servers.log  # the first redirect is within the host
    crawl()
    assert len(origins(servers)) == 5  # nobody links to the other port of www


def test_domain_and_prefix(crawl: Crawl, servers: Servers) -> None:
    found = crawl("--stay", "domain")
    assert origins(servers) == {"http://a.example", "http://a.example:8080", "http://www.a.example"}
    assert found["http://b.example/"] == found["http://a.example/news/to-b"] == "other_domain"
    found = crawl("--stay", "prefix")
    assert {url for url in servers.log if not url.startswith(START)} == {"http://a.example/robots.txt"}
    assert found["http://a.example/about.html"] == "outside_prefix"
    assert found["http://a.example/news/deep/3.html"] == "fetched"


def test_hosts_and_patterns(crawl: Crawl, servers: Servers) -> None:
    found = crawl(
        "--host", "a.example", "--exclude-host", "www.a.example", "--reject", r"/news/\d", "--reject", "within"
    )
    assert origins(servers) == {"http://a.example", "http://a.example:8080"}
    assert found["http://a.example/news/1.html"] == found["http://a.example/news/within"] == "reject_pattern"
    assert found["http://b.example/"] == found["http://a.example/news/to-b"] == "host_not_listed"
    assert found["http://www.a.example/"] == "host_excluded"
    found = crawl("--accept", r"\.pdf$", "--accept", "about")
    assert {url for url, fate in found.items() if fate == "fetched"} == {
        START, "http://a.example/about.html", "http://a.example/news/report.pdf"
    }  # fmt: skip
    assert found["http://b.example/"] == "not_accepted"


@pytest.mark.slow
def test_limits(crawl: Crawl, servers: Servers) -> None:
    assert crawl("--max-depth", "1")["http://a.example/news/deep/3.html"] == "max_depth"
    assert crawl("--max-offtopic-depth", "2")["http://a.example/news/deep/3.html"] == "max_offtopic_depth"
    found = crawl("--max-per-host", "4", "--in-flight", "8")
    assert sum(url.startswith("http://a.example/") and "robots" not in url for url in servers.log) <= 5  # one redirect
    assert "host_cap" in found.values()
    assert "directory_cap" in crawl("--max-per-directory", "2").values()
    assert crawl("--max-per-pattern", "1")["http://a.example/news/2.html"] == "pattern_cap"


def test_a_seed_that_redirects_within_its_domain_takes_the_crawl_along(crawl: Crawl, servers: Servers) -> None:
    found = crawl("--stay", "host", seeds=["http://a.example/news/to-www"])
    assert found["http://a.example/news/to-www"] == "fetched"
    assert origins(servers) == {"http://a.example", "http://www.a.example"}


@pytest.mark.slow
def test_the_command_overrides_the_topic_and_the_topic_the_workspace_key_by_key(
    crawl: Crawl, servers: Servers, mine: Workspace, tmp_path: Path
) -> None:
    (mine.root / "ontocrawl.toml").write_text("[crawl]\nstay = 'host'\nmax_depth = 1\n", encoding="utf-8")
    topic = tmp_path / "mine.toml"
    words = "name = 'mine'\nlabel = {zh = 'x', en = 'x'}\nwords = [{weight = 1.0, en = ['page']}]\n"
    topic.write_text(words + "[scope]\nstay = 'domain'\nreject = 'about'\n", encoding="utf-8")
    assert crawl()["http://www.a.example/"] == "other_host"
    found = crawl(topic=str(topic))
    assert found["http://www.a.example/"] == "fetched" and found["http://a.example/about.html"] == "reject_pattern"
    assert found["http://a.example/news/deep/3.html"] == "max_depth"
    found = crawl("--stay", "any", "--max-depth", "0", "--reject", "twice", topic=str(topic))
    assert found["http://b.example/"] == found["http://a.example/about.html"] == "fetched"
    assert found["http://a.example/news/deep/3.html"] == "fetched"
    written = topic_files.learned(topics.load(str(topic), mine).file, [], "nothing")
    assert tomllib.loads(written)["scope"] == {"stay": "domain", "reject": ["about"]}


def test_python_has_the_same_names(servers: Servers, mine: Workspace, tmp_path: Path) -> None:
    servers.write_resolve(tmp_path / "resolve.txt")
    lines = (tmp_path / "resolve.txt").read_text(encoding="utf-8").splitlines()
    resolve = dict(line.split("=") for line in lines)
    run = ontocrawl.crawl(
        "sports", seeds=START, strategy="breadth_first", graph=False, workspace=mine.root, resolve=resolve, pages=0,
        politeness=False, stay="host", reject=["about", "2"], max_depth=1,
    )  # fmt: skip
    assert origins(servers) == {"http://a.example"}
    assert run.result.ledger["reject_pattern"] == 2 and run.result.ledger["max_depth"] == 1
    with pytest.raises(UsageError, match=r"accept='\['.*regular expression"):
        ontocrawl.crawl("sports", seeds=START, workspace=mine.root, accept="[")
    with pytest.raises(UsageError, match="max_depth"):
        ontocrawl.crawl("sports", seeds=START, workspace=mine.root, max_depth="2")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--stay", "page"), "stay: Input should be 'host', 'domain', 'prefix' or 'any'"),
        (("--reject", "news/("), "--reject 'news/(' is not a regular expression"),
        (("--host", "http://a.cn"), "'http://a.cn' is not the name of a host"),
        (("--exclude-host", "a.cn:80"), "'a.cn:80' is not the name of a host"),
    ],
)
def test_what_cannot_be_is_one_sentence(command: Command, mine: Workspace, options: tuple[str, str], says: str) -> None:
    found = command("crawl", "run", "--seeds", START, "--no-graph", *options, "--workspace", mine.root)
    assert found.code == 2
    assert says in " ".join(found.err.split())
    assert not list(mine.runs.glob("*"))
