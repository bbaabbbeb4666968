"""The loop and its journal: one trace, however it is interrupted, resumed, served or repeated."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from crawler.crawl import Crawl
from crawler.crawl_options import Limits, SetupError
from crawler.journal import Journal, JournalError, graph_rows
from crawler.journal.snapshot import SnapshotError, pack, unpack
from crawler.model import Failure, Response
from crawler.pages.dates import day_of
from crawler.protocol import REJECTED_LEFT
from crawler.worlds.live import LiveWorld
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from kg.ranking.pagerank import pagerank
from tests.crawler import webs

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
@pytest.mark.parametrize("name", webs.every_strategy())
def test_any_prefix_of_the_journal_resumes_to_the_same_trace(name: str, tmp_path: Path) -> None:
    expected = webs.whole(name, tmp_path / "whole.sqlite")
    interrupted = webs.make(name, tmp_path / "cut.sqlite")
    interrupted.begin({})
    for at, _ in enumerate(interrupted.steps()):
        if at == 31:  # past a snapshot, not on one
            break
    interrupted.journal.close()
    for stop in (47, None):
        resumed = webs.make(name, tmp_path / "cut.sqlite")
        resumed.resume()
        for step in resumed.steps():
            if step.number == stop:
                break
        found = webs.trace(resumed)
        resumed.journal.close()
    assert found == expected
    assert sum(failure is None for _, _, failure in found) == 60


@pytest.mark.slow
def test_pagerank_during_a_crawl_is_that_of_the_journalled_links(tmp_path: Path) -> None:
    """After every page the feature column is within a thousandth of the repaired Eq. (8) over what was seen so far."""
    crawl = webs.make("fcsa", tmp_path / "run.sqlite")
    crawl.begin({})
    seen = 0
    for step in crawl.steps():
        n = crawl.state.graph.n
        links = {
            (page, target): R
            for page, target, R in crawl.journal.query(
                "SELECT page, target, relevance FROM link WHERE relevance IS NOT NULL ORDER BY seq, position"
            )
        }
        ends = np.array(list(links), dtype=np.int64).reshape(-1, 2)
        expected = pagerank(n, ends[:, 0], ends[:, 1], anchor_relevance=list(links.values()), max_iterations=999).values
        found = crawl.state.features.compute(np.arange(n))["pagerank_raw"]
        assert found == pytest.approx(expected, rel=1.1e-3), step.number
        assert len(links) == len(crawl.state.graph)
        seen = step.fetched
    assert seen == 60
    crawl.journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "wang_landau"])
def test_a_journal_cut_after_any_event_resumes(name: str, tmp_path: Path) -> None:
    """Also between a pick and its outcome, and without any snapshot."""
    expected = webs.whole(name, tmp_path / "whole.sqlite", pages=25)
    for events in (0, 1, 2, 13, 26):
        path = tmp_path / f"cut-{events}.sqlite"
        first = webs.make(name, path, pages=25, snapshot_every=1000)
        first.begin({})
        for _ in first.steps():
            if first.journal.last_seq() >= events + 2:
                break
        first.journal.close()
        with sqlite3.connect(path) as db:
            for table in ("event", "pick", "page", "link", "skipped"):
                db.execute(f"DELETE FROM {table} WHERE seq > ?", (events,))
            known = db.execute("SELECT count(*) FROM url").fetchone()[0]
            keep = len(first.state.setup.seeds) if events < 2 else None
            if keep is not None:
                db.execute("DELETE FROM url WHERE id >= ?", (keep,))
            assert known
        db.close()
        if keep is None:
            _trim_urls(name, path, events)
        resumed = webs.make(name, path, pages=25, snapshot_every=1000)
        resumed.resume()
        for _ in resumed.steps():
            pass
        assert webs.trace(resumed) == expected
        resumed.journal.close()


@pytest.mark.slow
def test_a_snapshot_keeps_the_link_in_flight(tmp_path: Path) -> None:
    """A crawl that was killed between a pick and its outcome is resumed and stopped before it goes on."""
    expected = webs.whole("fcosa_lg", tmp_path / "whole.sqlite", pages=25)
    path = tmp_path / "killed.sqlite"
    killed = webs.make("fcosa_lg", path, pages=25)
    killed.begin({})
    killed.pool.submit = None  # type: ignore[method-assign,assignment]
    with pytest.raises(TypeError):
        next(killed.steps())
    killed.journal.close()
    stopped = webs.make("fcosa_lg", path, pages=40)
    stopped.resume()
    stopped.limits = Limits(seconds=1e-9)
    assert list(stopped.steps()) == [] and stopped.stop_reason == "limit_time"
    assert stopped.journal.latest_snapshot() is not None and len(stopped.scheduler.in_flight) == 1
    stopped.journal.close()
    resumed = webs.make("fcosa_lg", path, pages=25)
    resumed.resume()
    assert resumed.scheduler.limit == 25  # that of the choice, under which its page is absorbed
    list(resumed.steps())
    assert webs.trace(resumed) == expected
    resumed.journal.close()


def _trim_urls(name: str, path: Path, events: int) -> None:
    """Take back the URLs that only later events made known, as their transactions never happened."""
    replay = webs.make(name, path, pages=25, snapshot_every=1000)
    replay.resume()
    known = len(replay.state.urls)
    replay.journal.close()
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM url WHERE id >= ?", (known,))
    db.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg"])
def test_the_oracle_resumes_too(name: str, tmp_path: Path) -> None:
    expected = webs.whole(name, tmp_path / "whole.sqlite", pages=12, target="oracle")
    first = webs.make(name, tmp_path / "cut.sqlite", pages=12, target="oracle", snapshot_every=3)
    first.begin({})
    for step in first.steps():
        if step.number == 7:
            break
    first.journal.close()
    resumed = webs.make(name, tmp_path / "cut.sqlite", pages=12, target="oracle", snapshot_every=3)
    resumed.resume()
    for _ in resumed.steps():
        pass
    assert webs.trace(resumed) == expected
    looks = next(resumed.journal.query("SELECT count(*) FROM event WHERE kind = 'look'"))[0]
    resumed.journal.close()
    assert looks > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fcosa_lg", "wang_landau"])
def test_the_same_seed_gives_the_same_trace_in_another_process(name: str, tmp_path: Path) -> None:
    here = webs.whole(name, tmp_path / "here.sqlite")
    env = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "-m", "tests.crawler.webs", name, str(tmp_path / "there.sqlite"), "60"]
    answer = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    there = json.loads(answer.stdout.splitlines()[-1])
    assert [tuple(row) for row in there] == here
    other = webs.whole(name, tmp_path / "other.sqlite", seed=1)
    assert other != here


@pytest.mark.slow
def test_killed_at_three_random_moments_and_resumed_it_has_the_trace_of_the_uninterrupted_one(tmp_path: Path) -> None:
    expected = webs.whole("fcosa_lg", tmp_path / "whole.sqlite", pages=60)
    moments = random.Random(7)
    journal = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "tests.crawler.webs", "fcosa_lg", str(journal), "60"]
    done = 0
    for _ in range(3):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        last = done + moments.randint(4, 14)
        for line in process.stdout:
            if line.strip().isdigit() and int(line) >= last:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done = last
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [tuple(row) for row in json.loads(answer.stdout.splitlines()[-1])] == expected
    fired = []
    for path in (tmp_path / "whole.sqlite", journal):
        with closing(Journal(path)) as read:
            fired.append(read.get("fired"))
    assert fired[0] == fired[1] and fired[0]["uphill"] > 60


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg"])
def test_the_synthetic_world_in_memory_and_over_loopback_http_give_one_trace(name: str, tmp_path: Path) -> None:
    expected = webs.whole(name, tmp_path / "memory.sqlite", pages=80)
    synthetic = SyntheticWorld("planted", 600, 0)
    server = serve(synthetic)
    live = LiveWorld(resolve=server.table, user_agent=webs.AGENT)
    try:
        crawl = webs.make(name, tmp_path / "http.sqlite", pages=80, world=live)
        crawl.begin({})
        for _ in crawl.steps():
            pass
        assert webs.trace(crawl) == expected
        crawl.journal.close()
    finally:
        live.close()
        server.close()


@pytest.mark.slow
def test_a_full_disk_ends_the_crawl_with_advice_and_loses_nothing(tmp_path: Path) -> None:
    crawl = webs.make("breadth_first", tmp_path / "full.sqlite", pages=200)
    crawl.begin({})
    crawl.journal._db.execute("PRAGMA max_page_count = 60")
    with pytest.raises(JournalError, match=r"no space left.*resume"):
        for _ in crawl.steps():
            pass
    crawl.journal.close()
    kept = webs.make("breadth_first", tmp_path / "full.sqlite", pages=200)
    kept.resume()
    before = kept.scheduler.fetched
    assert before > 0
    for _ in kept.steps():
        pass
    assert kept.scheduler.fetched == 200
    assert webs.trace(kept) == webs.whole("breadth_first", tmp_path / "whole.sqlite", pages=200)
    kept.journal.close()


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"this is not a database, it is a letter to somebody" * 50)
    with pytest.raises(JournalError, match="not a journal or is damaged"):
        Journal(path)


def test_a_journal_of_another_configuration_is_refused(tmp_path: Path) -> None:
    crawl = webs.make("fcosa_lg", tmp_path / "j.sqlite", pages=20, snapshot_every=1000)
    crawl.begin({})
    for _ in crawl.steps():
        pass
    crawl.journal.close()
    other = webs.make("breadth_first", tmp_path / "j.sqlite", pages=30)
    with pytest.raises(JournalError, match="another version or its configuration changed"):
        other.resume()
        list(other.steps())
    other.journal.close()


def test_a_crawl_without_seeds_says_so(tmp_path: Path) -> None:
    crawl = webs.make("breadth_first", tmp_path / "j.sqlite")
    object.__setattr__(crawl.state.setup, "seeds", ())
    with pytest.raises(SetupError, match="at least one seed"):
        crawl.begin({})
    crawl.journal.close()


@pytest.mark.slow
def test_every_link_of_a_page_is_journalled_with_a_reason(tmp_path: Path) -> None:
    crawl = webs.make("fcosa_lg", tmp_path / "j.sqlite", pages=60)
    crawl.begin({})
    for _ in crawl.steps():
        pass
    missing = list(
        crawl.journal.query(
            "SELECT l.url FROM link l JOIN page p USING (seq) WHERE p.failure IS NULL "
            "AND l.target IS NOT NULL AND l.reason IS NULL"
        )
    )
    reasons = {reason for (reason,) in crawl.journal.query("SELECT DISTINCT reason FROM link WHERE reason IS NOT NULL")}
    assert not missing
    assert {"admitted", "rejected_by_strategy", "visited", "queued"} <= reasons
    found = list(graph_rows.outcomes(crawl.journal, crawl.state.setup.vocabularies["GTK"], frozenset()))
    assert [row.url for row in found] == [url for url, _, _ in webs.trace(crawl)]
    assert any(row.mentions for row in found) and all(row.priority is not None for row in found)
    known = {row.url: row.reason for row in graph_rows.known(crawl.journal)}
    by_scope = reasons - {"admitted", "visited"}
    assert set(known.values()) <= {"queued", "rejected_by_strategy", "read_by_redirect"} | by_scope
    by_redirect = {url for url, reason in known.items() if reason == "read_by_redirect"}
    assert by_redirect and by_redirect <= {row.final_url for row in found if row.final_url != row.url}
    assert not set(known) & {row.url for row in found}
    crawl.journal.close()


SMALL_WEB = 80
FILTERS = ("fcosa_g", "fcosa_lg", "on_its", "fcits_oh", "fcpso", "wang_landau", "bcw_cc", "fcbcw", "fccbs")
"""Strategies whose filter ends a crawl of a small web."""


def _read_whole(strategy: str, path: Path, kills: Sequence[int] = (), *, strict: bool = False) -> Crawl:
    """Crawl a small web without a limit, killed and resumed after so many steps each time."""
    options: dict[str, Any] = {"web": SMALL_WEB, "pages": 0, "snapshot_every": 10, "strict": strict}
    crawl = webs.make(strategy, path, **options)
    crawl.begin({})
    for kill in kills:
        list(islice(crawl.steps(), kill))
        crawl.journal.close()
        crawl = webs.make(strategy, path, **options)
        crawl.resume()
    list(crawl.steps())
    return crawl


@pytest.mark.slow
@pytest.mark.parametrize("strategy", webs.every_strategy())
def test_no_filter_ends_a_crawl_while_rejected_links_are_left(strategy: str, tmp_path: Path) -> None:
    crawl = _read_whole(strategy, tmp_path / "whole.sqlite")
    strict = _read_whole(strategy, tmp_path / "strict.sqlite", strict=True)
    killed = _read_whole(strategy, tmp_path / "killed.sqlite", (33, 22))
    reasons = {row.reason for row in graph_rows.known(crawl.journal)}
    assert crawl.stop_reason == "frontier_empty" and "rejected_by_strategy" not in reasons
    taken, by_strict, by_killed = (one.journal.count_moves(REJECTED_LEFT) for one in (crawl, strict, killed))
    assert by_strict == 0 and (taken > 0) == (strategy in FILTERS)
    assert webs.trace(crawl)[: len(webs.trace(strict))] == webs.trace(strict)  # they wait behind all others
    assert (webs.trace(killed), by_killed) == (webs.trace(crawl), taken)
    for one in (crawl, strict, killed):
        one.journal.close()


class _Silent:
    """A world where nothing answers."""

    name = "silent"

    def fetch(self, url: str) -> Response | Failure:
        return Failure(url, "timeout", "no answer")

    def close(self) -> None:
        pass


def test_a_seed_that_does_not_answer_ends_the_crawl(tmp_path: Path) -> None:
    crawl = webs.make("best_first", tmp_path / "j.sqlite", world=_Silent())
    crawl.begin({})
    steps = list(crawl.steps())
    assert crawl.stop_reason == "frontier_empty" and crawl.scheduler.fetched == 0
    assert all(step.record.failure for step in steps)
    crawl.journal.close()


def test_snapshots_are_exact_and_damage_is_noticed() -> None:

    state = {
        "a": np.array([0.1, np.nan, np.inf]),
        "b": {"c": [1, 2**70, "暴雨", None, True], "d": np.array([], dtype=np.int64)},
    }
    back = unpack(pack(state))
    assert np.array_equal(back["a"], state["a"], equal_nan=True) and back["a"].dtype == np.float64
    assert back["b"]["c"] == [1, 2**70, "暴雨", None, True] and back["b"]["d"].dtype == np.int64
    with pytest.raises(SnapshotError):
        unpack(pack(state)[:-40])


class _Sent:
    """A web whose even responses say when they were sent."""

    name = "sent"

    def __init__(self) -> None:
        self._web = SyntheticWorld("planted", 600, 0)
        self.sent: dict[str, str] = {}

    def fetch(self, url: str) -> Response | Failure:
        response = self._web.fetch(url)
        if isinstance(response, Failure) or len(url) % 2:
            return response
        minute = len(self.sent) % 60
        self.sent[url] = f"2026-11-20T07:{minute:02}:00+00:00"
        header = f"Fri, 20 Nov 2026 15:{minute:02}:00 +0800"
        return replace(response, headers={**response.headers, "date": header})

    def close(self) -> None:
        pass


def test_pages_have_the_time_at_which_they_were_sent(tmp_path: Path) -> None:
    world = _Sent()
    crawl = webs.make("breadth_first", tmp_path / "j.sqlite", pages=30, world=world)
    crawl.begin({})
    fetched = [(step.url, step.record.final_url) for step in crawl.steps() if not step.record.failure]
    found = {page.url: page.fetched for page in graph_rows.pages(crawl.journal, copies=True)}
    assert found == {url: world.sent.get(final, "") for url, final in fetched if url in found}
    assert len(set(found.values())) > 5 and "" in found.values()
    crawl.journal.close()


class _Failing:
    """A web whose network is down between two fetches, counted from the first."""

    name = "failing"

    def __init__(self, first: int, last: int) -> None:
        self._web = SyntheticWorld("planted", 600, 0)
        self._down = range(first, last)
        self._fetches = 0

    def fetch(self, url: str) -> Response | Failure:
        self._fetches += 1
        return Failure(url, "refused", f"{url} refused") if self._fetches in self._down else self._web.fetch(url)

    def close(self) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "wang_landau"])
def test_a_network_that_goes_down_stops_the_crawl_and_loses_no_link(name: str, tmp_path: Path) -> None:
    crawl = webs.make(name, tmp_path / "j.sqlite", pages=80, world=_Failing(60, 10_000), snapshot_every=20)
    crawl.begin({})
    steps = list(crawl.steps())
    assert crawl.stop_reason == "repeated_failure" and 0 < crawl.scheduler.fetched < 80
    lost = {step.url for step in steps if step.record.failure == "refused"}
    assert 0 < len(lost) <= 25
    crawl.journal.close()
    for resumption in range(2):  # the second one replays the retry of the first
        crawl = webs.make(name, tmp_path / "j.sqlite", pages=80, snapshot_every=20)
        crawl.resume()
        ids = [crawl.state.urls.id(url) for url in lost]
        waiting = crawl.state.frontier.is_queued(np.asarray(ids))
        assert (
            waiting.all()
            if resumption == 0
            else all(there or link in crawl.scheduler.visited for link, there in zip(ids, waiting, strict=True))
        )
        for step in crawl.steps():
            if step.fetched == 70:
                break
        crawl.journal.close()
    crawl = webs.make(name, tmp_path / "j.sqlite", pages=80, snapshot_every=20)
    crawl.resume()
    list(crawl.steps())
    assert crawl.stop_reason == "limit_pages" and crawl.scheduler.fetched == 80
    crawl.journal.close()


class _Dated:
    """Pages by path: a dated one, one without a date below it, and two that point to the same link."""

    name = "dated"
    PAGES: ClassVar = {
        "/2013/11/08/a.html": '<a href="/plain.html">rain</a>',
        "/plain.html": '<a href="/below.html">rain</a><a href="/2001/02/03/old.html">rain</a>',
        "/below.html": "rain",
        "/2012/01/01/b.html": '<a href="/shared.html">rain</a>',
        "/2013/11/09/c.html": '<a href="/shared.html">rain</a>',
    }

    def fetch(self, url: str) -> Response | Failure:
        path = url.removeprefix("http://dated.example")
        body = self.PAGES.get(path)
        if body is None:
            return Response(url, 404, {}, b"")
        html = f"<html><body><p>rain {body}</p></body></html>"
        return Response(url, 200, {"content-type": "text/html"}, html.encode())

    def close(self) -> None: ...


@pytest.mark.parametrize("first", ["/2012/01/01/b.html", "/2013/11/09/c.html"])
def test_t38_a_date_is_handed_down_and_the_newest_parent_s_counts(tmp_path: Path, first: str) -> None:
    """Paper 001, section 4.3: the date in the URL, else the parent's, which may have it from its own parent."""
    second = "/2013/11/09/c.html" if first == "/2012/01/01/b.html" else "/2012/01/01/b.html"
    seeds = tuple("http://dated.example" + path for path in ("/2013/11/08/a.html", first, second))
    crawl = webs.make("temporal_intent", tmp_path / "j.sqlite", world=_Dated())
    object.__setattr__(crawl.state.setup, "seeds", seeds)
    crawl.begin({})
    list(crawl.steps())
    state = crawl.state

    def day(path: str) -> str | None:
        link = state.urls.id("http://dated.example" + path)
        assert link is not None
        return day_of(float(state.frontier.column("date", np.array([link]))[0]))

    assert [day(path) for path in ("/plain.html", "/below.html")] == ["2013-11-08", "2013-11-08"]
    assert day("/2001/02/03/old.html") == "2001-02-03"
    assert day("/shared.html") == "2013-11-09"
    crawl.journal.close()
