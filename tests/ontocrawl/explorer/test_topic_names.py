"""One name of a built topic, in every command, route and tool that takes a topic; and which topic a name is of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import requests

import ontocrawl
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.commands import COMMANDS, Deferred
from ontocrawl.cli.main import invoke
from ontocrawl.errors import UsageError
from ontocrawl.explorer.app import ROUTES
from ontocrawl.graph import graph_store
from ontocrawl.mcp import tools
from ontocrawl.mcp.tools import TOOLS, Place
from ontocrawl.topics import kept_versions, topics
from ontocrawl.topics.version_files import VersionError
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import running

NAME = "rockburst"
WORLD = "synthetic:planted?pages=60"


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers on rock bursts, which nothing that is bundled knows."""
    path = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    words = ["岩爆", "岩爆烈度", "微震台网", "滑坡"]
    rows = [
        {"id": number, "title": f"岩爆与滑坡之{number}", "abstract": "岩爆烈度由微震台网监测。", "keywords": words}
        for number in "一二三四"
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def build(space: Workspace, papers: Path, out: Path, *more: str, name: str = NAME) -> list[str]:
    new = [] if name == "rainstorm" else ["--label", "zh=岩爆,en=rockburst"]
    options = ["--topic", name, *new, "--unplaced", "root", "--workspace", str(space.root), *more]
    return ["ontology", "build", "--corpus", str(papers), "--out", str(out), *options]


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A new workspace."""
    return workspace.init(tmp_path / "ws")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, papers: Path) -> Iterator[Workspace]:
    """A workspace with a topic that was built outside of it, and a crawl on it."""
    folder = tmp_path_factory.mktemp("own")
    made = workspace.init(folder / "ws")
    assert invoke(build(made, papers, folder / "out")) == 0
    crawl = ["crawl", "run", "--topic", NAME, "--world", WORLD, "--run", "mine", "--limit-pages", "20"]
    assert invoke([*crawl, "--workspace", str(made.root)]) == 0
    yield made
    embedded.stop(made.graph)


# ---- which topic a name is of -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_build_gives_its_topic_a_name(command: Command, empty: Workspace, papers: Path, tmp_path: Path) -> None:
    inside, outside = empty.root / "rocks", tmp_path / "rocks"
    first = command(*build(empty, papers, inside))
    assert first.code == 0 and f"crawl run --topic {NAME} --seeds URL" in " ".join(first.err.split())
    assert topics.load(NAME, empty).path == (inside / f"{NAME}.toml").resolve()
    assert (empty.ontologies / "topics" / f"{NAME}.path").read_text("utf-8") == f"rocks/{NAME}.toml\n"  # can be moved
    again = command(*build(empty, papers, inside))
    assert again.code == 0 and "before, " not in again.err
    moved = command(*build(empty, papers, outside, "--json"))
    assert moved.json["topic_name"] == NAME and "is now named by its path" in " ".join(moved.err.split())
    assert topics.load(NAME, empty).path == (outside / f"{NAME}.toml").resolve()
    listed = command("topic", "list", "--json", "--workspace", empty.root).json["topics"]
    assert str((outside / f"{NAME}.toml").resolve()) in [topic["file"] for topic in listed if topic["name"] == NAME]
    (outside / f"{NAME}.toml").unlink()
    with pytest.raises(UsageError, match="is gone: bring it back"):
        topics.load(NAME, empty)
    assert NAME not in topics.available(empty)


@pytest.mark.slow
def test_a_shipped_topic_and_one_of_the_workspace_keep_their_names(
    command: Command, empty: Workspace, papers: Path, tmp_path: Path
) -> None:
    shipped = command(*build(empty, papers, tmp_path / "out", name="rainstorm"))
    said = " ".join(shipped.err.split())
    assert "the name rainstorm is that of a topic that ships with ontocrawl, which wins" in said
    assert f"--topic {tmp_path / 'out' / 'rainstorm.toml'}" in said.replace("'", "")
    assert topics.available(empty)["rainstorm"] == "shipped"
    assert command(*build(empty, papers, tmp_path / "mine")).code == 0
    written = empty.ontologies / "topics" / f"{NAME}.toml"
    written.write_text((tmp_path / "mine" / f"{NAME}.toml").read_text("utf-8"), "utf-8")
    assert topics.available(empty)[NAME] == str(written)
    named = topics.register(NAME, tmp_path / "mine" / f"{NAME}.toml", empty)
    assert named.name is None and str(written) in named.remark


@pytest.mark.slow
def test_a_build_into_the_folder_of_ontologies_precedes_a_shipped_topic(
    command: Command, empty: Workspace, papers: Path
) -> None:
    folder = empty.ontologies / "mine"
    assert command(*build(empty, papers, folder, name="rainstorm")).code == 0
    found = topics.load("rainstorm", empty)
    assert found.path == (folder / "rainstorm.toml").resolve() and found.ontologies[0].is_derived
    curated = topics.load_defined("rainstorm", empty)
    assert curated is not None and curated.path is None and not curated.ontologies[0].is_derived
    with kept_versions.opened(found, [curated.ontologies[0].version]) as shipped:
        assert shipped.ontologies == curated.ontologies
    lacking = pytest.raises(VersionError, match=r"no ontology of version 9\.9\.9.*it has 0\.1\.0")
    with lacking, kept_versions.opened(found, ["9.9.9"]):
        pass
    again = command(*build(empty, papers, folder, name="rainstorm"))
    assert again.code == 0 and topics.load("rainstorm", empty).ontologies == found.ontologies, "learned as before"
    (folder / "rainstorm.toml").unlink()
    assert topics.load("rainstorm", empty).path is None and topics.available(empty)["rainstorm"] == "shipped"


@pytest.mark.slow
def test_without_a_workspace_a_build_says_how_its_topic_is_named(
    command: Command, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = build(Workspace(tmp_path, workspace.init(tmp_path / "x").settings), papers, tmp_path / "out")
    found = command(*asked[: asked.index("--workspace")])
    said = " ".join(found.err.split())
    assert found.code == 0 and "`ontocrawl init` makes one" in said
    assert f"crawl run --topic {tmp_path}/out/{NAME}.toml" in said.replace("'", "")


@pytest.mark.slow
def test_a_name_that_only_a_run_knows_is_found(empty: Workspace, own: Workspace) -> None:
    run = empty.run("earlier")
    run.mkdir()
    (run / "config.resolved.toml").write_text((own.run("mine") / "config.resolved.toml").read_text("utf-8"), "utf-8")
    assert topics.load(NAME, empty).path == topics.load(NAME, own).path


# ---- everything that takes a topic ------------------------------------------------------------------------------

CASES: dict[str, tuple[str, ...]] = {
    "weights": ("TOPIC",),
    "topic show": ("TOPIC",),
    "topic check": ("TOPIC",),
    "topic words": ("TOPIC",),
    "ontology build": ("--corpus", "PAPERS", "--out", "NEW", "--topic", "TOPIC", "--unplaced", "root"),
    "ontology show": ("TOPIC",),
    "ontology map": ("TOPIC", "--to", "TOPIC"),
    "ontology check": ("TOPIC",),
    "ontology draw": ("TOPIC", "--out", "NEW.svg"),
    "ontology document": ("TOPIC", "--out", "NEW.html"),
    "ontology history": ("TOPIC",),
    "ontology decide": ("TOPIC", "reject", "滑坡"),
    "ontology rollback": ("TOPIC", "9.9.9"),
    "ontology diff": ("TOPIC", "TOPIC"),
    "ontology stats": ("TOPIC",),
    "ontology similarity": ("TOPIC",),
    "ontology lint": ("TOPIC",),
    "graph load": ("TOPIC",),
    "crawl run": ("--topic", "TOPIC", "--world", WORLD, "--limit-pages", "2", "--no-graph", "--strategy", "best_first"),
    "crawl score": ("PAGE", "--topic", "TOPIC"),
    "crawl train": ("--topic", "TOPIC", "--out", "NEW.json"),
    "archive score": ("NEW", "--out", "NEW", "--topic", "TOPIC"),
    "archive terms": ("NEW", "--topic", "TOPIC"),
    "archive load": ("NEW", "--run", "x", "--topic", "TOPIC"),
    "enrich propose": ("mine", "--topic", "TOPIC"),
    "enrich list": ("TOPIC",),
    "enrich decide": ("岩爆灾害", "reject", "--topic", "TOPIC"),
    "enrich apply": ("--topic", "TOPIC"),
    "enrich history": ("TOPIC",),
    "enrich rollback": ("TOPIC", "9.9.9"),
    "enrich review": ("TOPIC",),
    "enrich export": ("TOPIC", "NEW.csv"),
    "enrich import": ("TOPIC", "PAGE"),
    "enrich gaps": ("TOPIC",),
    "graph remove": ("TOPIC",),
}
"""Command -> its arguments; TOPIC is the name of a topic or the path of its file."""


def takes_a_topic(typed: str) -> bool:
    parameters = Deferred(typed, *COMMANDS[typed]).command().params
    return any(one.name == "topic" or "TOPIC" in (one.metavar or "") for one in parameters)


def test_no_command_that_takes_a_topic_is_forgotten() -> None:
    assert {typed for typed in COMMANDS if takes_a_topic(typed)} - {"ontology diff"} == CASES.keys() - {"ontology diff"}


@pytest.mark.slow
@pytest.mark.parametrize("typed", CASES)
def test_a_command_takes_the_name_and_the_path(command: Command, own: Workspace, papers: Path, typed: str) -> None:
    folder = own.root.parent / typed.replace(" ", "-")  # a topic that is built stays where the next test finds it
    folder.mkdir()
    page = folder / "page.txt"
    page.write_text("岩爆", encoding="utf-8")
    codes, names = [], (NAME, str(topics.load(NAME, own).path))
    for number, name in enumerate(names):
        values = {"TOPIC": name, "PAPERS": papers, "PAGE": page}
        given = [str(values.get(one, one)).replace("NEW", str(folder / f"new{number}")) for one in CASES[typed]]
        if typed == "graph remove":
            assert command("graph", "load", NAME, "--workspace", own.root).code == 0
        found = command(*typed.split(), *given, "--workspace", own.root)
        assert "there is no topic" not in found.err and "no such folder or topic" not in found.err, found.err
        assert "No such option" not in found.err and "Missing" not in found.err, found.err
        codes.append(found.code)
    assert codes[0] == codes[1]


@pytest.mark.slow
def test_each_view_and_each_tool_takes_the_name(own: Workspace) -> None:
    wanted: dict[str, Any] = {"iri": "x", "name": "x", "text": "x", "old": "x", "new": "x"}
    with running(own) as server, requests.Session() as session:
        assert session.get(server.address.opening, timeout=60).status_code == 200
        gets = [route.path for route in ROUTES if "{topic}" in route.path and "GET" in (route.methods or ())]
        for path in [*gets, "/api/proposals?topic={topic}", "/review?topic={topic}"]:
            answer = session.get(server.address.url.rstrip("/") + path.replace("{topic}", NAME), params=wanted)
            assert f"there is no topic '{NAME}'" not in answer.text and answer.status_code < 500, path
        assert len(gets) > 10
        shown = session.get(f"{server.address.url.rstrip('/')}/ontologies/{NAME}", params={"lang": "zh"}, timeout=60)
        assert shown.status_code == 200 and "岩爆" in shown.text
    with closing(graph_store.SharedGraph(own)) as graph:
        given = {"propose": {"run": "mine"}, "proposals": {}}
        assert given.keys() == {name for name, tool in TOOLS.items() if "topic" in tool.arguments.model_fields}
        for name, arguments in given.items():
            assert "proposals" in tools.call(Place(own, graph), name, {**arguments, "topic": NAME})


@pytest.mark.slow
def test_python_takes_the_name_and_the_path(own: Workspace) -> None:
    path = topics.load(NAME, own).path
    assert path is not None
    by_name, by_path = (ontocrawl.Topic(given, workspace=own.root) for given in (NAME, path))
    assert (by_name.path, by_name.words) == (by_path.path, by_path.words)
    run = ontocrawl.crawl(
        NAME, world=WORLD, pages=2, strategy="best_first", run="by-name", graph=False, workspace=own.root
    )
    assert run.result.topic == NAME
