"""A workspace that a released version wrote is used by this one: its graph, its runs, its learned ontology.

`data/workspace_of_0_2_0.tar.xz` was made by the installed version 0.2.0: `ontology build` of a topic urban, loaded
into the graph; a crawl `first` of 30 pages with its proposals; and a crawl `second` of 40 pages whose process ended
without a word after its 22nd choice. `trace_of_0_2_0.json` is what that version fetched when it was not interrupted.

`data/workspace_of_1_0_1.tar.xz` was made by version 1.0.1 in the same way: the topic urban with two decisions; a crawl
`first` of 40 pages by the topic rainstorm, in the graph, with its proposals, of which one is accepted and one rejected;
and a crawl `second` of 50 pages by urban, ended after its 25th choice. Pictures and pages were left out.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import runs
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_journal_of_version_1 import assert_same

pytestmark = pytest.mark.slow
DATA = Path(__file__).parent / "data"
FETCHED = (
    "SELECT u.url, p.final_url, p.failure, p.relevance FROM event e JOIN page p USING (seq) "
    "JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' ORDER BY e.seq"
)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Workspace]:
    """The workspace of 0.2.0, unpacked."""
    with unpacked("workspace_of_0_2_0.tar.xz", tmp_path) as space:
        yield space


@pytest.fixture
def later(tmp_path: Path) -> Iterator[Workspace]:
    """The workspace of 1.0.1, unpacked."""
    with unpacked("workspace_of_1_0_1.tar.xz", tmp_path) as space:
        yield space


@contextmanager
def unpacked(name: str, folder: Path) -> Iterator[Workspace]:
    with tarfile.open(DATA / name) as archive:
        archive.extractall(folder / "ws", filter="data")
    space = workspace.find(folder / "ws")[0]
    yield space
    embedded.stop(space.graph)


def test_the_graph_is_migrated_and_answers_the_queries(command: Command, old: Workspace) -> None:
    here = ("--workspace", old.root)
    status = command("graph", "status", *here, "--json").json
    assert status["schema"]["version"] < status["schema"]["expected"]
    assert command("graph", "migrate", *here).code == 0
    status = command("graph", "status", *here, "--json").json
    assert status["schema"]["current"]
    assert (status["counts"]["crawls"], status["counts"]["pages"], status["counts"]["links"]) == (1, 183, 499)
    assert status["counts"]["ontologies"] == 5
    pages = command("query", "run", "pages/most_relevant", "crawl=first", *here, "--json")
    assert pages.code == 0, pages.err


def test_its_runs_are_listed_and_an_interrupted_one_is_resumed_to_the_same_trace(
    command: Command, old: Workspace
) -> None:
    here = ("--workspace", old.root)
    listed = {run["run"]: run for run in command("crawl", "status", *here, "--json").json["runs"]}
    assert (listed["first"]["state"], listed["first"]["fetched"]) == ("finished", 30)
    assert (listed["second"]["state"], listed["second"]["fetched"]) == ("interrupted", 21)
    found = command("crawl", "resume", "second", "--no-graph", *here, "--json")
    assert (found.code, found.json["fetched"], found.json["stop_reason"]) == (0, 40, "limit_pages")
    with runs.open_journal(old, "second") as journal:
        trace = [list(row) for row in journal.query(FETCHED)]
    assert_same(trace, json.loads((DATA / "trace_of_0_2_0.json").read_text(encoding="utf-8")))


def test_the_circle_goes_on_from_its_crawl(command: Command, old: Workspace) -> None:
    here = ("--workspace", old.root)
    proposed = command("enrich", "propose", "first", *here, "--json")
    assert proposed.code == 0 and proposed.json["proposals"], proposed.err
    topic = old.ontologies / "urban" / "urban.toml"
    shown = command("topic", "show", topic, *here, "--json")
    assert (shown.code, shown.json["name"]) == (0, "urban")
    crawl = ("--world", "synthetic:planted?pages=300&seed=3", "--limit-pages", "10", "--run", "by-urban", "--no-graph")
    assert command("crawl", "run", "--topic", topic, *crawl, *here).code == 0


# ---- the workspace of 1.0.1


def test_the_graph_of_1_0_1_answers_the_queries(command: Command, later: Workspace) -> None:
    here = ("--workspace", later.root)
    status = command("graph", "status", *here, "--json").json
    counts = {
        "ontologies": 5,
        "concepts": 167,
        "documents": 57,
        "crawls": 1,
        "pages": 221,
        "links": 669,
        "proposals": 19,
    }
    assert status["counts"] == counts
    relevant = command("query", "run", "pages/most_relevant", "crawl=first", *here, "--json")
    assert relevant.code == 0 and relevant.json["rows"], relevant.err
    asked = command("query", "cypher", "MATCH (c:Crawl) RETURN c.id AS id", *here, "--json").json
    assert asked["rows"] == [["first"]]


def test_an_interrupted_run_of_1_0_1_is_resumed_to_the_same_trace(command: Command, later: Workspace) -> None:
    here = ("--workspace", later.root)
    listed = {run["run"]: run for run in command("crawl", "status", *here, "--json").json["runs"]}
    assert (listed["first"]["state"], listed["first"]["fetched"]) == ("finished", 40)
    assert (listed["second"]["state"], listed["second"]["fetched"]) == ("interrupted", 24)
    found = command("crawl", "resume", "second", "--no-graph", *here, "--json")
    assert (found.code, found.json["fetched"], found.json["stop_reason"]) == (0, 50, "limit_pages")
    with runs.open_journal(later, "second") as journal:
        trace = [list(row) for row in journal.query(FETCHED)]
    assert_same(trace, json.loads((DATA / "trace_of_1_0_1.json").read_text(encoding="utf-8")))


def test_what_persons_decided_in_1_0_1_stays(command: Command, later: Workspace) -> None:
    here = ("--workspace", later.root)
    listed = command("enrich", "list", "rainstorm", "--status", "all", *here, "--json")
    assert listed.code == 0, listed.err
    status = {one["term"]: one["status"] for one in listed.json["proposals"]}
    assert (status["内涝点地图"], status["海上作业"]) == ("accepted", "rejected")
    folder = later.ontologies / "urban"
    history = command("ontology", "history", folder, *here, "--json").json
    assert [(one["action"], one["term"]) for one in history["decisions"]] == [("reject", "心理"), ("define", "小流域")]
    crawl = ("--world", "synthetic:planted?pages=300&seed=3", "--limit-pages", "10", "--run", "by-urban", "--no-graph")
    assert command("crawl", "run", "--topic", folder / "urban.toml", *crawl, *here).code == 0
