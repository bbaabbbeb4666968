"""Stored measures of runs are used as long as their journal is the same; the last pages are found from its end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from crawler.journal import Journal, graph_rows
from crawler.journal.judged_pages import last_pages
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import run_status, runs
from tests.ontocrawl.conftest import Command

WEB = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "best_first", "--no-graph")


@pytest.fixture
def place(tmp_path: Path, command: Command) -> Workspace:
    """A workspace with a run of 20 pages."""
    space = workspace.init(tmp_path)
    crawl = command("crawl", "run", *WEB, "--limit-pages", 20, "--run", "a", "--workspace", tmp_path)
    assert crawl.code == 0, crawl.err
    return space


@contextmanager
def no_whole_journal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def read(*_: Any, **__: Any) -> None:
        raise AssertionError("the whole journal is read")

    with monkeypatch.context() as patch:
        patch.setattr(runs, "sum_up", read)
        yield


def test_the_measures_of_an_ended_run_are_those_that_it_stored(
    place: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = json.loads(json.dumps(runs.result_of(place, "a").as_json()))
    with no_whole_journal(monkeypatch):
        assert run_status.measures(place, "a") == computed
        stored = run_status.document(place, "a")
        assert [run["fetched"] for run in run_status.listed(place)] == [20]
    (place.run("a") / runs.SUMMARY).unlink()
    read = run_status.document(place, "a")
    moment = {"at", "disk"}
    assert [key for key in read["live"] if read["live"][key] != stored["live"][key] and key not in moment] == []
    assert json.loads(json.dumps({**read, "live": None})) == {**stored, "live": None} and stored["failed"] == {}


def test_measures_of_an_earlier_journal_are_not_used(place: Workspace, command: Command) -> None:
    path = place.run("a") / runs.SUMMARY
    before = path.read_bytes()
    resumed = command("crawl", "resume", "a", "--limit-pages", 30, "--no-graph", "--workspace", place.root)
    assert resumed.code == 0, resumed.err
    path.write_bytes(before)  # as where the process that resumed it was killed
    assert run_status.measures(place, "a")["fetched"] == 30


def test_a_value_of_the_journal_that_changed_counts_too(place: Workspace) -> None:
    with closing(Journal(place.run("a") / workspace.JOURNAL)) as journal:
        journal.set("stop_reason", None)
    assert run_status.measures(place, "a")["state"] == "interrupted"


def test_a_run_is_read_once_for_each_state_of_its_files(place: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [run_status.listed(place), run_status.begun(place, "a")]
    with monkeypatch.context() as patch:
        patch.setattr(run_status, "Journal", None)
        assert [run_status.listed(place), run_status.begun(place, "a")] == asked
    with closing(Journal(place.run("a") / workspace.JOURNAL)) as journal:
        config = journal.get("config")
        journal.set("config", {**config, "started": "2020-01-01T00:00:00+00:00"})
        journal.set("stop_reason", None)
    assert run_status.listed(place)[0]["state"] == "interrupted"
    assert run_status.begun(place, "a") == ("2020-01-01T00:00:00+00:00", False)


@pytest.mark.parametrize("text", ["", '{"run": "b"}', '{"run": '])
def test_a_summary_that_is_none_is_not_used(place: Workspace, text: str) -> None:
    (place.run("a") / runs.SUMMARY).write_text(text, encoding="utf-8")
    assert run_status.measures(place, "a")["run"] == "a"


def test_the_last_pages_are_those_of_all_rows(place: Workspace) -> None:
    with runs.open_journal(place, "a") as journal, journal.at_one_moment():
        rows = list(graph_rows.outcomes(journal))[::-1]
        for number in (0, 7, 100):
            found = last_pages(journal, number)
            assert found == [{key: getattr(row, key) for key in found[0]} for row in rows[:number]]
        assert found[0]["step"] == len(rows) and found[-1]["step"] == 1
