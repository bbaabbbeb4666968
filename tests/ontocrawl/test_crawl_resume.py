"""`crawl resume`: what its options change for good, and what it says of the pages that were in flight."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from crawler.journal import Journal
from crawler.step import Step
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command

ASKED = ("--world", "synthetic:planted?pages=300&seed=0", "--strategy", "breadth_first", "--no-graph")


@pytest.fixture
def stopped(command: Command, tmp_path: Path) -> Workspace:
    """A workspace with the run ``mine``: limited to 20 pages, extended to 60, and interrupted at 25."""
    space = workspace.init(tmp_path / "ws")
    how = ("--limit-pages", "20", "--in-flight", "8", "--reproducible", "--run", "mine")
    assert command("crawl", "run", *ASKED, *how, "--workspace", space.root).code == 0

    def interrupt(step: Step) -> None:
        if step.fetched == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.resume(space, "mine", interrupt, changed={"limit_pages": 60})
    return space


def test_a_new_limit_holds_for_later_resumes_too(command: Command, stopped: Workspace) -> None:
    left = runs.result_of(stopped, "mine")
    assert (left.state, left.end.fetched) == ("interrupted", 25) and left.in_flight >= 5
    assert tomllib.loads((stopped.run("mine") / runs.CONFIG).read_text(encoding="utf-8"))["limit_pages"] == 60
    found = command("crawl", "resume", "mine", "--workspace", stopped.root, "--json")
    assert found.code == 0 and f"{left.in_flight} pages were in flight" in found.err and "fetched again:" in found.err
    assert (found.json["fetched"], found.json["stop_reason"], found.json["in_flight"]) == (60, "limit_pages", 0)


def test_pages_in_flight_are_not_promised_where_the_limit_is_reached(command: Command, stopped: Workspace) -> None:
    left = runs.result_of(stopped, "mine").in_flight
    resume = ("crawl", "resume", "mine", "--workspace", stopped.root, "--json")
    found = command(*resume, "--limit-pages", "25")
    assert (found.code, found.json["fetched"], found.json["in_flight"]) == (0, 25, left)
    assert f"{left} pages were in flight" in found.err and "the limit of 25 pages is reached" in found.err
    assert "--limit-pages extends it" in found.err and "fetched again" not in found.err
    found = command(*resume, "--limit-pages", "60")
    assert (found.json["fetched"], found.json["in_flight"]) == (60, 0) and "fetched again:" in found.err


def test_the_time_and_the_addresses_are_kept(command: Command, stopped: Workspace, tmp_path: Path) -> None:
    table = tmp_path / "resolve.txt"
    table.write_text("a.example:80=127.0.0.1:8000\n", encoding="utf-8")
    given = ("--limit-time", "900", "--resolve", table)
    assert command("crawl", "resume", "mine", *given, "--workspace", stopped.root).code == 0
    config = runs.config_of(stopped, "mine")
    assert (config.crawl.limit_pages, config.crawl.limit_time) == (60, 900.0)
    assert config.resolve == {"a.example:80": "127.0.0.1:8000"}


@pytest.mark.parametrize("seconds", ["inf", "nan"])
def test_a_limit_that_is_none_is_refused_and_not_kept(command: Command, stopped: Workspace, seconds: str) -> None:
    found = command("crawl", "resume", "mine", "--limit-time", seconds, "--workspace", stopped.root)
    assert found.code == 2 and re.search("limit.time", found.err)
    assert runs.config_of(stopped, "mine").crawl.limit_time == 0.0


@pytest.mark.parametrize("size", [0, 1], ids=["no table", "no run"])
def test_a_journal_without_a_run_cannot_be_resumed(command: Command, tmp_path: Path, size: int) -> None:
    space = workspace.init(tmp_path / "ws")
    path = workspace.make_folder(space.run("empty")) / JOURNAL
    path.touch()
    if size:
        Journal(path).close()
    found = command("crawl", "resume", "empty", "--workspace", space.root)
    assert found.code == 1  # 5 would mean that it can
    assert f"{path} holds no run: delete the folder {path.parent}" in found.err


@pytest.mark.slow
def test_a_run_that_ends_where_a_snapshot_is_due_goes_on(command: Command, tmp_path: Path) -> None:
    """Its last snapshot was replaced by an empty one of the same event, so that the run could not be resumed."""
    space = workspace.init(tmp_path / "ws")
    asked = ("--world", "synthetic:planted?pages=900&seed=0", "--strategy", "breadth_first", "--no-graph")
    where = ("--workspace", space.root, "--json")
    assert command("crawl", "run", *asked, "--limit-pages", "500", "--run", "parted", *where).code == 0
    with runs.open_journal(space, "parted") as journal:
        last, found = journal.last_seq(), journal.latest_snapshot()
    assert found is not None and found[0] == last
    resumed = command("crawl", "resume", "parted", "--limit-pages", "520", *where)
    whole = command("crawl", "run", *asked, "--limit-pages", "520", "--run", "whole", *where)
    assert resumed.code == whole.code == 0
    pages = []
    for name in ("parted", "whole"):
        with runs.open_journal(space, name) as journal:
            pages.append([row[0] for row in journal.query("SELECT link FROM page ORDER BY seq")])
    assert pages[0] == pages[1]
