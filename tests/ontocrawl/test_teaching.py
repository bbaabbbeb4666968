"""Verdicts of persons about pages of runs: by command and from Python, before a run, on its way, between its parts."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

import ontocrawl
from crawler.journal import taught_pages
from crawler.journal.taught_pages import PageVerdict, VerdictsError
from crawler.step import Step
from crawler.worlds.synthetic import SyntheticWorld
from ontocrawl.api import Run
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs import run_files, runs, teaching
from ontocrawl.runs.run_files import FileVerdicts
from tests.ontocrawl.conftest import Command

SPEC = "synthetic:planted?pages=600&seed=0"
WEB = SyntheticWorld("planted", 600, 0)
ONE, OTHER, THIRD = (WEB.url(index) for index in (400, 300, 301))


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace.init(tmp_path_factory.mktemp("taught") / "ws")


def begin(space: Workspace, name: str, *options: str, strategy: str = "evidence_sum") -> tuple[str, ...]:
    asked = ("--world", SPEC, "--topic", "rainstorm", "--strategy", strategy, "--limit-pages", "8", "--run", name)
    return ("crawl", "run", *asked, "--no-graph", "--workspace", str(space.root), *options)


def test_a_run_begins_with_examples_and_is_taught_more(command: Command, space: Workspace) -> None:
    where = ("--workspace", space.root, "--json")
    found = command(*begin(space, "one", "--like", ONE, "--unlike", OTHER))
    assert found.code == 0 and "taught: 1 liked, 1 disliked; 2 of them go to the head of the queue" in found.err
    pages = command("crawl", "pages", "one", *where).json["pages"]
    assert [page["url"] for page in pages[:2]] == [ONE, OTHER]
    assert [page["liked"] for page in pages[:3]] == [True, False, None]
    assert "liked" in command("crawl", "pages", "one", "--workspace", space.root).out
    later = command("crawl", "teach", "one", "--like", THIRD, "--unlike", ONE, "--forget", OTHER, *where).json
    assert later["state"] == "finished"
    assert {one["url"]: (one["liked"], one["fetched"]) for one in later["taught"]} == {
        ONE: (False, None), OTHER: (None, None), THIRD: (True, None),
    }  # fmt: skip
    shown = command("crawl", "teach", "one", "--workspace", space.root)
    assert "waits" in shown.out and "crawl resume --limit-pages N" in shown.err
    told = command("--lang", "zh", "crawl", "teach", "one", "--workspace", space.root)
    assert "不喜欢" in told.out and "将被撤回" in told.out and "等待" in told.out and "已完成：延长它" in told.err
    assert command("crawl", "resume", "one", "--limit-pages", "10", *where).json["fetched"] == 10
    taken = command("crawl", "teach", "one", *where).json["taught"]
    assert [(one["url"], one["liked"], one["fetched"]) for one in taken] == [(ONE, False, 8), (THIRD, True, 8)]
    explained = command("crawl", "explain", "one", ONE, "--workspace", space.root)
    assert "A person dislikes the page; the run was taught that after 8 pages." in explained.out
    assert command("crawl", "explain", "one", THIRD, *where).json["taught"]["liked"] is True


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--like", "nonsense"), "--like nonsense: 'nonsense' is not a URL"),
        (("--like", ONE, "--unlike", ONE), "a page is liked or not; give it once"),
        (("--unlike", "http://a.example/film.mp4"), "the page is out of scope (media_suffix)"),
    ],
)
def test_what_cannot_be_taught_is_one_sentence(
    command: Command, space: Workspace, options: tuple[str, ...], says: str
) -> None:
    found = command(*begin(space, "never", *options))
    assert found.code == 2 and says in found.err and not space.run("never").exists()


def test_a_strategy_that_does_not_learn_names_one_that_does(command: Command, space: Workspace) -> None:
    found = command(*begin(space, "never", "--like", ONE, strategy="best_first"))
    assert found.code == 2 and "best_first, which does not learn from --like URL" in found.err
    assert "strategies that do: evidence_sum" in found.err
    command(*begin(space, "best", strategy="best_first"))
    refused = command("crawl", "teach", "best", "--like", ONE, "--workspace", space.root)
    assert refused.code == 2 and "run best crawls by best_first" in refused.err
    assert command("crawl", "teach", "best", "--workspace", space.root, "--json").json["taught"] == []


def test_the_python_interface_teaches(space: Workspace) -> None:
    options = {"world": SPEC, "seeds": WEB.seeds[0], "strategy": "evidence_sum", "workspace": space.root}
    run = ontocrawl.crawl("rainstorm", pages=5, run="python", like=ONE, stay="host", graph=False, **options)  # type: ignore[arg-type]
    assert run.pages().rows[0][1] == ONE
    with pytest.raises(UsageError, match=r"like=http://tiyu.example.* out of scope \(other_host\)"):
        run.teach(like=OTHER)
    with pytest.raises(UsageError, match=r"forget=.* is no page that run python was taught"):
        run.teach(forget=[THIRD])
    with pytest.raises(UsageError, match="is also liked or disliked"):
        run.teach(unlike=[ONE], forget=[ONE])
    seed = run.pages().rows[1][1]
    assert [row[:2] for row in run.teach(unlike=[seed]).rows] == [(ONE, True), (seed, False)]
    again = run.resume(pages=7)
    assert [row[3] for row in again.teach().rows] == [0, 5]
    with pytest.raises(UsageError, match=r"like=ftp://a.example/: .* is not an http or https URL"):
        Run("python", space.root).teach(like="ftp://a.example/")


@pytest.mark.slow
def test_a_run_that_goes_on_takes_what_it_is_taught(space: Workspace, command: Command) -> None:
    command(*begin(space, "live"))
    taken = threading.Event()

    def on_step(step: Step) -> None:
        if step.fetched == 9:
            found = teaching.teach(space, "live", like=[ONE])
            assert found.state == "running" and [one.fetched for one in found.taught] == [None]
        with runs.open_journal(space, "live") as journal:
            if taught_pages.present(journal):
                taken.set()
        if not taken.is_set():
            time.sleep(0.2)

    runs.resume(space, "live", on_step, changed={"limit_pages": 40})
    (one,) = teaching.taught(space, "live").taught
    assert taken.is_set() and one.url == ONE and 9 <= (one.fetched or 0) < 40


def test_the_file_of_verdicts_is_read_at_the_start_and_after_each_change(
    tmp_path: Path, space: Workspace, command: Command
) -> None:
    command(*begin(space, "file", strategy="best_first"))
    config = runs.config_of(space, "file").model_copy(update={"like": (ONE,), "unlike": (OTHER,)})
    watching = FileVerdicts(tmp_path, config)
    first = watching.newest() or []
    assert [(one.url, one.liked) for one in first] == [(ONE, True), (OTHER, False)]
    assert watching.newest() is None
    run_files.write_taught(tmp_path, [PageVerdict(ONE, None, "later")])
    assert {one.url: one.liked for one in watching.newest() or ()} == {ONE: None, OTHER: False}
    (tmp_path / run_files.TAUGHT_FILE).write_text("[]", encoding="utf-8")
    with pytest.raises(VerdictsError, match=r"taught.json is damaged .* teach the run again"):
        watching.newest()
