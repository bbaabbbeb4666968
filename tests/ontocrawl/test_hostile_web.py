"""The command `crawl run` on a web that does everything wrong, with the graph: every link is accounted for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from kg.engine import embedded
from kg.project import TITLE
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from tests.crawler import hostile_web
from tests.crawler.hostile_web import FAULTS, OWN, START, HostileWeb

MORE = "more came than the 5 announced bytes, and is left out"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
LIMIT, DELAY = 120, 0.05
SETTINGS = f"[crawl]\ntimeout = 1.5\ndelay = {DELAY}\nmax_bytes = 9000000\n"


@dataclass
class Crawled:
    space: Workspace
    web: HostileWeb
    code: int
    notes: str
    status: dict[str, Any]
    reasons: dict[str, str | None]
    """URL of each link that was tried -> reason of its failure."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """One crawl for all tests, with an engine of its own, as its thousands of pages take long to remove."""
    folder = tmp_path_factory.mktemp("hostile")
    mine = workspace.init(folder / "ws")
    (mine.root / "ontocrawl.toml").write_text(SETTINGS, encoding="utf-8")
    web = HostileWeb()
    asked = ("--topic", "sports", "--strategy", "breadth_first", "--in-flight", "16", "--limit-pages", str(LIMIT))
    where = ("--seeds", START, "--resolve", web.write_resolve(folder / "resolve.txt"))
    ran = command(mine, "run", "--run", "hostile-web", *asked, *where)
    web.close()
    status = json.loads(command(mine, "status", "hostile-web", "--json").stdout)
    with runs.open_journal(mine, "hostile-web") as journal:
        query = "SELECT u.url, p.failure FROM page p JOIN event e USING (seq) JOIN url u ON u.id = e.link"
        yield Crawled(mine, web, ran.returncode, ran.stderr, status, dict(journal.query(query)))
    embedded.stop(mine.graph)


def command(space: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "ontocrawl", "crawl", *arguments, "--workspace", str(space.root)]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=900)


def test_the_crawl_ends_in_order_and_the_ledger_adds_up(crawled: Crawled) -> None:
    status = crawled.status
    assert crawled.code == 0, crawled.notes
    assert (status["state"], status["fetched"], status["in_flight"]) == ("finished", LIMIT, 0)
    assert status["known"] > hostile_web.MANY_LINKS
    places = ("fetched", "queued", "in_flight")
    assert sum(status[place] for place in places) + sum(status["ledger"].values()) == status["known"]


def test_every_fault_has_its_reason(crawled: Crawled) -> None:
    expected = {f"http://{fault}.example/{fault}": reason for fault, reason in FAULTS.items()} | OWN
    assert {url: crawled.reasons.get(url, "never tried") for url in expected} == expected


def test_a_closed_port_costs_its_links_and_no_more(crawled: Crawled) -> None:
    closed = [reason for url, reason in crawled.reasons.items() if "closed.example" in url]
    assert len(closed) == hostile_web.CLOSED_LINKS and set(closed) <= {"refused", "host_down"}
    assert len(crawled.web.hits("calendar.example")) > 10


def test_retry_after_is_kept(crawled: Crawled) -> None:
    first, *others = [hit for hit in crawled.web.hits("busy.example") if hit.path != "/robots.txt"]
    assert len(others) == 4  # the four pages, after the one that came too early
    assert others[0].came - first.left >= hostile_web.ASKED
    assert len([hit for hit in crawled.web.hits("pause.example") if hit.path != "/robots.txt"]) == 1


def test_hosts_are_asked_one_at_a_time_for_their_rules_first_and_with_their_own_cookie_alone(crawled: Crawled) -> None:
    for host in {hit.host for hit in crawled.web.log} - {"robots.example"}:
        hits = crawled.web.hits(host)
        assert [hit.path == "/robots.txt" for hit in hits] == [True] + [False] * (len(hits) - 1), host
        # A kept connection that closes as it is used is opened again at once, since the server may never have read it.
        if FAULTS.get(host.removesuffix(".example")) == "connection_reset":
            hits = [hit for at, hit in enumerate(hits) if at != 2]
        assert all(later.came - hit.came >= DELAY for hit, later in pairwise(hits)), host
    assert {hit.path for hit in crawled.web.hits("robots.example")} == {"/robots.txt"}
    assert {hit.path for hit in crawled.web.hits("private.example")} == {"/robots.txt"}
    with_cookie = [head.lower() for head in crawled.web.requests if b"\r\ncookie:" in head.lower()]
    assert len(with_cookie) == 1  # it redirected to itself with a cookie, and did so again when it got it
    assert b"\r\nhost: cookies.example\r\n" in with_cookie[0]
    assert b"\r\ncookie: seen=1\r\n" in with_cookie[0]


def test_the_graph_has_the_pages_and_titles_of_bounded_length(crawled: Crawled) -> None:
    query = "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) RETURN p.url AS url, f.title AS title"
    with graph_store.store(crawled.space) as store:
        rows = store.read(query, run="hostile-web")
        (known,) = store.read("MATCH (:Crawl {id: 'hostile-web'})-[k:KNOWS]->(:Page) RETURN count(k) AS n")
    assert f"in the graph: {len(crawled.reasons)} pages, {known['n']} that are only known, " in crawled.notes
    titles = {row["url"]: row["title"] or "" for row in rows}
    assert {url for url, reason in crawled.reasons.items() if reason is None} <= set(titles)
    assert max(map(len, titles.values())) == len(titles["http://title.example/"]) == TITLE
    assert titles["http://lies.example/"] == hostile_web.LIE


def test_pages_that_were_not_sound_are_marked_wherever_pages_are_listed(crawled: Crawled) -> None:
    expected = {
        "http://drop.example/drop": "incomplete_body: 991 announced bytes did not come",
        "http://drop-chunked.example/drop-chunked": "incomplete_body: a chunk of the body is missing or malformed",
        "http://cut-gzip.example/cut-gzip": "incomplete_body: the gzip body ends before its end mark",
        "http://short-length.example/short-length": f"bad_framing: {MORE}",
    }
    assert crawled.status["partial"] == {"incomplete_body": 3, "bad_framing": 1}
    rows = map(json.loads, command(crawled.space, "export", "hostile-web", "--out", "-").stdout.splitlines())
    assert {row["url"]: row["partial"] for row in rows if row["partial"]} == expected
    found = "MATCH (:Crawl {id: $run})-[f:FETCHED]->(p:Page) WHERE f.partial IS NOT NULL"
    with graph_store.store(crawled.space) as store:
        assert {
            row["url"]: row["why"]
            for row in store.read(f"{found} RETURN p.url AS url, f.partial AS why", run="hostile-web")
        } == expected
    told = command(crawled.space, "explain", "hostile-web", "http://drop.example/drop").stdout
    assert "something was wrong with it: incomplete_body: 991 announced bytes" in " ".join(told.split())
