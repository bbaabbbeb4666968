"""`crawl run --rounds`: a run like others for all commands, resumed by partitions, and what it refuses."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from crawler.step import Step
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command

parquet = pytest.importorskip("pyarrow.parquet")
WORLD = ("--world", "synthetic:planted?pages=300&seed=0", "--no-graph")
ROUNDS = (*WORLD, "--strategy", "best_first", "--rounds", "--round-size", "12", "--round-per-host", "4")


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


def test_a_run_in_rounds_is_read_by_the_other_commands(command: Command, space: Workspace, tmp_path: Path) -> None:
    at = ("--workspace", space.root)
    found = command("crawl", "run", *ROUNDS, "--limit-pages", "30", "--run", "in-rounds", *at, "--json")
    assert (found.code, found.json["fetched"], found.json["stop_reason"]) == (0, 30, "limit_pages")
    status = command("crawl", "status", "in-rounds", *at, "--json").json
    assert (status["fetched"], status["queued"], status["state"]) == (30, found.json["queued"], "finished")
    assert command("crawl", "export", "in-rounds", "--out", tmp_path / "pages.jsonl", *at).code == 0
    assert len((tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()) == 30 + found.json["failures"]
    with runs.open_journal(space, "in-rounds") as journal:
        last = [journal.urls_of([pick.link])[0] for pick in journal.picks()][-1]
        rounds = [event.data["round"] for event in journal.events_of("round")]
    explained = command("crawl", "explain", "in-rounds", last, *at)
    assert explained.code == 0 and "priority" in explained.out, "its replay makes the choices of the rounds again"
    tables = sorted((space.run("in-rounds") / "frontier").iterdir())
    assert [path.name for path in tables] == [f"round-{number:05d}.parquet" for number in rounds[-2:]]
    table = parquet.read_table(tables[-1])
    assert table.num_rows == status["queued"] and table.schema.metadata == {b"round": str(rounds[-1]).encode()}
    assert {"link", "url", "host", "priority", "step", "anchor:TK", "parents:TK"} == set(table.column_names)
    priority = table["priority"].to_pylist()
    assert priority == sorted(priority, reverse=True) and max(priority) > min(priority)


@pytest.mark.slow
def test_an_interrupted_round_names_its_partitions_and_two_processes_cannot_crawl_it(
    command: Command, space: Workspace
) -> None:
    at = ("--workspace", space.root)
    assert command("crawl", "run", *ROUNDS, "--limit-pages", "5", "--run", "cut-round", *at).code == 0

    def interrupt(step: Step) -> None:
        if step.fetched == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.resume(space, "cut-round", interrupt, changed={"limit_pages": 40})
    lock = FileLock(space.run("cut-round") / runs.LOCK)
    assert lock.acquire(0.0)
    locked = command("crawl", "resume", "cut-round", *at)
    lock.release()
    assert locked.code == 1 and "'cut-round' is being crawled by another process" in locked.err
    resumed = command("crawl", "resume", "cut-round", *at, "--json")
    assert resumed.code == 0 and resumed.json["fetched"] == 40
    assert "was interrupted; its partitions without all their pages are fetched again:" in resumed.err
    assert " links of " in resumed.err and "pages were in flight" not in resumed.err


def test_what_does_not_fit_is_refused_before_anything_is_written(
    command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(*options: str | Path) -> str:
        given = ("--limit-pages", "5", "--run", "refused-rounds", "--workspace", space.root)
        result = command("crawl", "run", *WORLD, *options, *given)
        assert not space.run("refused-rounds").exists()
        return f"{result.code}: {result.err}"

    assert "2: ontocrawl: strategy fcosa_g cannot crawl in rounds" in refused("--rounds", "--strategy", "fcosa_g")
    ordinary = ("--strategy", "best_first")
    assert "2: ontocrawl: --round-size is for crawls in rounds: add --rounds" in refused(*ordinary, "--round-size", "5")
    assert "2: ontocrawl: --spark is for crawls in rounds" in refused(*ordinary, "--spark", "local[2]")
    assert "2: ontocrawl: --warc records" in refused(*ordinary, "--rounds", "--warc", tmp_path / "warc")
    assert "2: ontocrawl: --target oracle" in refused(*ordinary, "--rounds", "--target", "oracle")
    for module in ("pyspark", "pyspark.sql"):
        monkeypatch.setitem(sys.modules, module, None)
    missing = refused(*ordinary, "--rounds", "--spark", "local[2]")
    assert missing.startswith("4: ") and "pip install 'ontocrawl[spark]'" in missing


def test_only_a_run_in_rounds_is_resumed_elsewhere(command: Command, space: Workspace) -> None:
    at = ("--workspace", space.root)
    assert (
        command("crawl", "run", *WORLD, "--strategy", "best_first", "--limit-pages", "3", "--run", "plain", *at).code
        == 0
    )
    refused = command("crawl", "resume", "plain", "--jobs", "2", *at)
    assert refused.code == 2 and "--jobs is for crawls in rounds, and run plain is none" in refused.err
