"""`crawl run --warc DIR` and `--world archive:DIR`: the commands, over HTTP, killed in between, on a full disk."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from crawler.archives import writer
from crawler.fetching import hosts
from crawler.fetching.retries import RETRIES, Retry
from crawler.journal import page_export
from crawler.model import Failure, ParsedPage, Response
from crawler.pages.parse import parse
from crawler.url import host
from crawler.worlds import ArchiveWorld
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, runs
from tests.ontocrawl.conftest import Command

SYNTHETIC = "synthetic:planted?pages=300"
ASKED = ("--strategy", "breadth_first", "--topic", "sports", "--no-graph", "--reproducible")


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace without delays."""
    space = workspace.init(tmp_path / "ws")
    (space.root / "ontocrawl.toml").write_text("[crawl]\ndelay = 0.0\ntimeout = 0.5\n", encoding="utf-8")
    return space


def journal(space: Workspace, name: str) -> list[tuple[Any, ...]]:
    """The choices of a run and what came of them."""
    with runs.open_journal(space, name) as opened:
        events = "SELECT kind, link, data FROM event WHERE kind != 'resumed' ORDER BY seq"
        pages = "SELECT link, status, failure, final_url, title, content_hash, text, relevance FROM page ORDER BY seq"
        return [*opened.query(events), *opened.query(pages)]


class FaultyWeb(SyntheticWorld):
    """A synthetic web whose pages differ at every request, and some of which fail, at first or always."""

    def __init__(self) -> None:
        super().__init__("planted", 300, 0)
        self.requests = Counter[str]()
        self._guard = threading.Lock()

    def fetch(self, url: str) -> Response | Failure:
        with self._guard:
            self.requests[url] += 1
            number = self.requests[url]
            reply = super().fetch(url)
        fate = random.Random(url).random()
        if url.endswith("/robots.txt") or isinstance(reply, Failure) or fate < 0.6:
            return reply
        if fate < 0.7:
            return Response(url, 404, {}, b"gone")
        if fate < 0.75 and number == 1:
            return Response(url, 502, {}, b"later")
        changed = reply.body.replace(b"</body>", b"<p>request %d</p></body>" % number)
        return Response(url, reply.status, reply.headers, changed)


@pytest.mark.slow
def test_a_crawl_that_is_killed_and_resumed_is_replayed_as_it_was(command: Command, empty: Workspace) -> None:
    with serve(FaultyWeb()) as server:
        seeds = [option for url in SyntheticWorld("planted", 300, 0).seeds for option in ("--seeds", url)]
        resolve = server.write_resolve(empty.root / "resolve.txt")
        program = [
            sys.executable, "-m", "ontocrawl", "crawl", "run", *ASKED, *seeds, "--run", "first", "--warc", "record",
            "--limit-pages", "60", "--resolve", str(resolve), "--workspace", str(empty.root),
        ]  # fmt: skip
        process = subprocess.Popen(program, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=empty.root)
        file = empty.root / "record" / "crawl-00001.warc.gz"
        while process.poll() is None and not (file.exists() and file.stat().st_size > 40_000):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
        process.kill()
        assert process.wait() < 0, "the crawl ended before it was killed"
        resumed = command("crawl", "resume", "first", "--workspace", empty.root, "--json")
    assert (resumed.code, resumed.json["fetched"]) == (0, 60)
    assert resumed.json["fetched_again"] and resumed.json["failures"] > 3
    assert sorted(path.name for path in file.parent.iterdir()) == [
        f"crawl-0000{n}.warc.gz{suffix}" for n in (1, 2) for suffix in ("", ".cdxj")
    ]
    again = ("crawl", "run", "--world", f"archive:{file.parent}", *ASKED, "--limit-pages", "60")
    replayed = command(*again, "--run", "second", "--workspace", empty.root, "--json")
    assert (replayed.code, replayed.json["fetched"]) == (0, 60)
    assert "records of" in replayed.err
    assert journal(empty, "second") == journal(empty, "first")


class SilentHost(FaultyWeb):
    """The same web, one host of which closes the connection at every request for a page."""

    def fetch(self, url: str) -> Response | Failure:
        if host(url) == "tianqi-wang.example" and not url.endswith("/robots.txt"):
            raise ConnectionResetError
        return super().fetch(url)


@pytest.mark.slow
def test_a_host_that_is_given_up_is_given_up_in_the_replay(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = {reason: Retry(retry.times, 0.01) for reason, retry in RETRIES.items()}
    monkeypatch.setattr(crawl_setup, "RETRIES", soon)
    monkeypatch.setattr(hosts, "PROBE_PAUSE", 0.01)
    record = empty.root / "record"
    run = ("crawl", "run", *ASKED, "--limit-pages", "100", "--workspace", empty.root, "--json")
    with serve(SilentHost()) as server:
        resolve = server.write_resolve(empty.root / "resolve.txt")
        seeds = [option for url in server.world.seeds for option in ("--seeds", url)]  # type: ignore[attr-defined]
        first = command(*run, "--resolve", resolve, *seeds, "--warc", record, "--run", "first")
    assert first.code == 0
    with runs.open_journal(empty, "first") as opened:
        failures = Counter(failure for (failure,) in opened.query("SELECT failure FROM page"))
    assert failures["host_down"] > 2 and failures["connection_reset"] > 1 and failures["http_404"] > 2
    monkeypatch.undo()
    assert command(*run, "--world", f"archive:{record}", "--run", "second").code == 0
    assert journal(empty, "second") == journal(empty, "first")


@pytest.mark.slow
def test_a_record_of_a_world_in_memory_is_replayed_by_another_strategy(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(empty.root)
    run = ("crawl", "run", *ASKED, "--workspace", empty.root)
    assert command(*run, "--world", SYNTHETIC, "--limit-pages", "0", "--warc", "record", "--run", "all").code == 0
    refused = command(*run, "--world", SYNTHETIC, "--warc", "record")
    assert refused.code == 2 and "--warc record has WARC files of another crawl: give another folder" in refused.err
    assert command(*run, "--world", SYNTHETIC, "--warc", "ontocrawl.toml").code == 2
    inside = command(*run, "--world", SYNTHETIC, "--warc", "ontocrawl.toml/record", "--run", "inside")
    assert inside.code == 2 and "ontocrawl.toml/record is in a file: give a folder" in inside.err
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda path, mode: not mode & os.W_OK)
        closed = command(*run, "--world", SYNTHETIC, "--warc", "other/record", "--run", "closed")
    assert closed.code == 2 and "is not yours to write into; give another folder" in closed.err
    assert not [name for name in ("inside", "closed") if empty.run(name).exists()]
    other = ("--strategy", "best_first", "--limit-pages", "40", "--json")
    direct = command(*run, "--world", SYNTHETIC, *other, "--run", "direct").json
    offline = command(*run, "--world", "archive:record", *other, "--run", "offline").json
    assert [direct[key] for key in ("fetched", "relevant", "ar", "sd")] == [
        offline[key] for key in ("fetched", "relevant", "ar", "sd")
    ]
    with runs.open_journal(empty, "all") as opened:
        config = runs.read_config(opened)
        assert config.warc == str(empty.root / "record")
    with runs.open_journal(empty, "offline") as opened:
        assert runs.read_config(opened).seeds == config.seeds


def test_a_url_that_the_archive_lacks_fails_with_a_reason_of_its_own(command: Command, empty: Workspace) -> None:
    run = ("crawl", "run", *ASKED, "--workspace", empty.root)
    record = empty.root / "record"
    assert command(*run, "--world", SYNTHETIC, "--limit-pages", "5", "--warc", record).code == 0
    found = command(*run, "--world", f"archive:{record}", "--limit-pages", "0", "--json")
    assert found.code == 0 and found.json["stop_reason"] == "frontier_empty"
    assert found.json["ledger"]["not_archived"] > 5 and found.json["fetched"] == 5
    elsewhere = command(*run, "--world", f"archive:{record}", "--seeds", "http://elsewhere.example/")
    assert elsewhere.code == 1 and "the archive has none of the seeds; give URLs that it has by" in elsewhere.err
    unnamed = command(*run, "--world", SYNTHETIC, "--warc", "")
    assert unnamed.code == 2 and "--warc '' is no folder" in unnamed.err


@pytest.mark.slow
def test_a_full_disk_ends_the_crawl_so_that_it_can_be_resumed(
    command: Command, empty: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = writer.ArchiveWriter._put

    def full(self: writer.ArchiveWriter, data: bytes) -> None:
        if self._size > 20_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        put(self, data)

    record = empty.root / "record"
    options = ("--world", SYNTHETIC, "--limit-pages", "40", "--warc", record, "--run", "full")
    with monkeypatch.context() as patch:
        patch.setattr(writer.ArchiveWriter, "_put", full)
        found = command("crawl", "run", *ASKED, *options, "--workspace", empty.root)
    assert found.code == 5 and "make room on the disk, then resume the run" in found.err
    assert "Traceback" not in found.err
    resumed = command("crawl", "resume", "full", "--workspace", empty.root, "--json")
    assert (resumed.code, resumed.json["fetched"]) == (0, 40)
    replayed = command(
        "crawl", "run", *ASKED, "--world", f"archive:{record}", "--limit-pages", "40", "--run", "again", "--workspace",
        empty.root, "--json",
    )  # fmt: skip
    assert replayed.json["fetched"] == 40 and not ArchiveWorld(record).index.lost
    with runs.open_journal(empty, "full") as one, runs.open_journal(empty, "again") as two:
        trace = "SELECT u.url, p.relevance, p.failure FROM page p JOIN url u ON u.id = p.link ORDER BY p.seq"
        assert list(one.query(trace)) == list(two.query(trace))


def test_the_python_interface_records_and_replays(empty: Workspace) -> None:
    how: dict[str, Any] = {"graph": False, "workspace": empty.root, "pages": 10, "strategy": "breadth_first"}
    first = ontocrawl.crawl("sports", world=SYNTHETIC, warc=empty.root / "record", **how)
    notes: list[str] = []
    second = ontocrawl.crawl("sports", world=f"archive:{empty.root / 'record'}", on_note=notes.append, **how)
    pages = [[row[:5] for row in run.pages().rows] for run in (first, second)]  # without labels
    assert pages[0] == pages[1] and len(pages[0]) == 10 and "records of" in notes[0]
    with pytest.raises(ontocrawl.exceptions.UsageError, match=r"warc='.*' has WARC files of another crawl"):
        ontocrawl.crawl("sports", world=SYNTHETIC, warc=str(empty.root / "record"), **how)


@pytest.mark.slow
def test_pages_are_exported_as_they_were_recorded_or_as_documents(command: Command, empty: Workspace) -> None:
    record, out = empty.root / "record", empty.root / "pages.warc.gz"
    run = ("crawl", "run", *ASKED, "--workspace", empty.root, "--world", SYNTHETIC, "--limit-pages", "30")
    assert command(*run, "--warc", record, "--run", "recorded").code == command(*run, "--run", "kept").code == 0
    shown = command("crawl", "export", "recorded", "--out", out, "--relevant", "--workspace", empty.root)
    relevant = [row for row in ontocrawl.Run("recorded", empty.root).pages().rows if row[4]]
    assert shown.code == 0 and f"wrote {len(relevant)} rows" in shown.err
    assert command("crawl", "export", "recorded", "--out", out, "--workspace", empty.root).code == 0
    whole, exported = ArchiveWorld(record), ArchiveWorld(out)
    rows = list(_rows(empty, "recorded"))
    assert len(rows) == 30 and not exported.index.lost
    for row in rows:
        for url in (*row["hops"], row["final_url"]):
            assert exported.fetch(url) == whole.fetch(url)
    shutil.rmtree(record)
    documents = ontocrawl.Run("kept", empty.root).export(empty.root / "made.gz", "warc")
    made = ArchiveWorld(documents)
    for row in _rows(empty, "kept"):
        reply = made.fetch(row["final_url"])
        assert isinstance(reply, Response) and reply.headers["content-type"] == "text/html; charset=utf-8"
        page = parse(reply)
        assert isinstance(page, ParsedPage) and (page.title, page.published) == (row["title"], row["published"])
        assert [(link.url, link.anchor) for link in page.links] == [
            (link["url"], link["anchor"]) for link in row["links"]
        ]
        assert set(row["text"].split()) <= set(" ".join(text for _, text in page.segments).split())
    assert "documents made of the journal" not in shown.err
    gone = command("crawl", "export", "recorded", "--out", out, "--workspace", empty.root)
    assert gone.code == 0 and "30 of the pages are documents made of the journal" in gone.err
    assert ontocrawl.Run("recorded", empty.root).export(out) == out
    assert len(ArchiveWorld(out).index) == 30


def _rows(space: Workspace, name: str) -> Iterator[dict[str, Any]]:
    with runs.open_journal(space, name) as opened:
        yield from (row for row in page_export.pages(opened) if row["failure"] is None)
