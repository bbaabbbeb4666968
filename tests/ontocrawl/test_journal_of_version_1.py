"""A run that version 0.1 began and that was killed after a pick: its journal is read as it is, and resumed exactly."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from crawler.journal import Journal
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command

DATA = Path(__file__).parents[1] / "crawler" / "data"
TRACE = json.loads((DATA / "trace_of_version_1.json").read_text(encoding="utf-8"))


@pytest.fixture
def old(tmp_path: Path) -> Workspace:
    """A workspace with the run ``old``."""
    space = workspace.init(tmp_path / "ws")
    (space.runs / "old").mkdir(parents=True)
    (space.runs / "old" / JOURNAL).write_bytes(gzip.decompress((DATA / "journal_of_version_1.sqlite.gz").read_bytes()))
    return space


def dump(space: Workspace) -> list[str]:
    with closing(sqlite3.connect(space.runs / "old" / JOURNAL)) as db:
        return list(db.iterdump())


def trace(space: Workspace) -> list[Any]:
    query = (
        "SELECT u.url, p.final_url, p.failure, p.relevance FROM event e JOIN page p USING (seq) "
        "JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' ORDER BY e.seq"
    )
    with runs.open_journal(space, "old") as journal:
        return [list(row) for row in journal.query(query)]


def assert_same(found: list[list[Any]], expected: list[list[Any]]) -> None:
    """Compare two traces; the last digit of a relevance depends on the vector instructions of the processor."""
    assert [row[:-1] for row in found] == [row[:-1] for row in expected]
    assert [row[-1] for row in found] == pytest.approx([row[-1] for row in expected], rel=1e-12)


def test_status_and_pages_read_the_journal_and_leave_it_as_it_is(command: Command, old: Workspace) -> None:
    before = dump(old)
    status = command("crawl", "status", "old", "--workspace", old.root, "--json").json
    pages = command("crawl", "pages", "old", "--workspace", old.root, "--json").json["pages"]
    assert command("crawl", "status", "--workspace", old.root).code == 0
    assert (status["state"], status["fetched"], status["in_flight"]) == ("interrupted", 10, 1)
    assert status["fetched"] + status["queued"] + 1 + sum(status["ledger"].values()) == status["known"]
    assert [page["url"] for page in pages] == [url for url, *_ in TRACE["pages"][:10]]
    assert dump(old) == before


def test_it_resumes_to_the_trace_that_version_0_1_had(command: Command, old: Workspace) -> None:
    found = command("crawl", "resume", "old", "--no-graph", "--workspace", old.root, "--json")
    assert (found.code, found.json["fetched"], found.json["stop_reason"]) == (0, 14, "limit_pages")
    assert found.json["fetched_again"] == [TRACE["pages"][10][0]]
    assert "1 pages were in flight" in found.err and TRACE["pages"][10][0] in found.err
    assert_same(trace(old), TRACE["pages"])
    with runs.open_journal(old, "old") as journal:
        assert journal.get("version") == 4
        assert list(journal.events_of("choice"))[-1].data["rng"] == TRACE["last_rng"]
        assert [pick.number for pick in journal.picks()] == list(range(1, 15))
    assert runs.config_of(old, "old").crawl.in_flight == 1
    more = command("crawl", "resume", "old", "--limit-pages", "20", "--no-graph", "--workspace", old.root, "--json")
    assert (more.code, more.json["fetched"], more.json["state"]) == (0, 20, "finished")
    assert_same(trace(old)[:14], TRACE["pages"])


def test_an_upgrade_that_fails_leaves_version_1(old: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old.runs / "old" / JOURNAL
    before = dump(old)
    with closing(Journal(path)) as journal:
        with monkeypatch.context() as patch, pytest.raises(OSError, match="ends here"):
            patch.setattr(journal, "_set", fails)  # the last statement
            journal.upgrade()
        assert dump(old) == before
        journal.upgrade()
        assert journal.get("version") == 4 and len(list(journal.picks())) == 11


def fails(*_: object) -> None:
    raise OSError("ends here")
