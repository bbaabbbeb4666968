"""A workspace that a released version wrote is used by this one: its graph, its runs, its learned ontology.

`data/workspace_of_0_2_0.tar.xz` was made by the installed version 0.2.0: `ontology build` of a topic urban, loaded
into the graph; a crawl `first` of 30 pages with its proposals; and a crawl `second` of 40 pages whose process ended
without a word after its 22nd choice. `trace_of_0_2_0.json` is what that version fetched when it was not interrupted.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.engine import embedded
from ontocrawl import runs, workspace
from ontocrawl.workspace import Workspace
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
    """The workspace, unpacked."""
    with tarfile.open(DATA / "workspace_of_0_2_0.tar.xz") as archive:
        archive.extractall(tmp_path / "ws", filter="data")
    space = workspace.find(tmp_path / "ws")[0]
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
