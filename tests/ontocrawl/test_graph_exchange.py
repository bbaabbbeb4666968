"""`graph export`, `graph import` and `query sparql` as functions of a program of their own, on the graph of a crawl."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kg.engine import embedded
from kg.export import FORMATS, InterchangeError
from kg.sparql import SparqlError, library
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import graph_exchange
from ontocrawl.cli.commands import answering
from ontocrawl.cli.graph_exchange import GraphFormat, export, import_
from ontocrawl.cli.main import invoke
from ontocrawl.cli.query_sparql import sparql
from ontocrawl.errors import UsageError
from tests.conftest import ENGINES, empty
from tests.ontocrawl.conftest import Command

Run = Callable[..., str]
RUN = "exported"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace whose graph has one small crawl and nothing else: all of it is written and read several times."""
    made = workspace.init(tmp_path_factory.mktemp("small") / "ws")
    crawl = ("crawl", "run", "--world", "synthetic:planted?pages=200&seed=0", "--strategy", "fcosa_lg")
    assert invoke([*crawl, "--limit-pages", "30", "--run", RUN, "--workspace", str(made.root), "--json"]) == 0
    yield made
    embedded.stop(made.graph)


@pytest.fixture
def run() -> Run:
    """Standard output of a command; its error is raised."""
    app = typer.Typer()
    app.command("export")(answering(export))
    app.command("import")(answering(import_))
    app.command("sparql")(sparql)

    def answer(*arguments: str | Path) -> str:
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.stdout

    return answer


def test_the_formats_are_those_of_the_package() -> None:
    assert [str(one) for one in GraphFormat] == [*FORMATS, "grass"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_an_import_says_how_far_it_is_without_a_terminal(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, engine: str
) -> None:
    monkeypatch.setattr(graph_exchange, "NOTE_SECONDS", 0.0)
    space, file = workspace.init(tmp_path / "ws"), tmp_path / "graph.cypher"
    where = ("--workspace", space.root)
    names = '[{"name": "rain"}, {"name": "flood"}]'
    made = command("query", "cypher", "UNWIND $rows AS row MERGE (:Topic {name: row.name})", "-p", f"rows={names}",
                   "--write", *where)  # fmt: skip
    assert made.code == 0, made.err
    assert "reading: 2 Topic" in command("graph", "export", "--out", file, *where).err
    embedded.stop(space.graph)
    if engine == "neo4j":
        server = empty(request.getfixturevalue("neo4j_engine"))
        for name, value in zip(("URI", "USERNAME", "PASSWORD"), (server.uri, *server._auth), strict=True):
            monkeypatch.setenv(f"NEO4J_{name}", value)
    assert "writing: 2 Topic" in command("graph", "import", file, *where).err
    embedded.stop(space.graph)


@pytest.mark.slow
def test_a_graph_goes_out_and_comes_into_another_workspace(run: Run, small: Workspace, tmp_path: Path) -> None:
    there = workspace.init(tmp_path / "other")
    first = tmp_path / "graph.cypher"
    report = json.loads(run("export", "--out", first, "--workspace", small.root, "--json"))
    assert report["counts"]["FETCHED"] == 30
    assert (report["format"], report["left_out"]) == ("cypher", {})
    try:
        back = json.loads(run("import", first, "--workspace", there.root, "--json"))
        assert (back["counts"], back["skipped"]) == (report["counts"], {})
        table = run("export", "--format", "cypher", "--out", tmp_path / "again", "--workspace", there.root)
        assert "FETCHED" in table
        assert (tmp_path / "again").read_bytes() == first.read_bytes()
    finally:
        embedded.stop(there.graph)


def test_the_style_needs_no_graph(run: Run, tmp_path: Path) -> None:
    run("export", "--out", tmp_path / "x.grass")
    assert "node.Page {" in (tmp_path / "x.grass").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="--n10s goes with"):
        run("export", "--out", tmp_path / "x.grass", "--n10s")


@pytest.mark.slow
def test_what_is_asked_wrongly(run: Run, small: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        run("import", tmp_path / "none.ttl")
    drawing = tmp_path / "x.gexf"
    drawing.write_text("<gexf/>", encoding="utf-8")
    with pytest.raises(InterchangeError, match=r"gexf is written for other programs and not read back"):
        run("import", drawing, "--workspace", small.root)
    with pytest.raises(InterchangeError, match="no format has this suffix"):
        run("export", "--out", tmp_path / "x.doc")
    with pytest.raises(UsageError, match="expected a parameter as NAME=VALUE"):
        run("sparql", "crawls", "limit")
    with pytest.raises(SparqlError, match="did you mean 'sparql/crawls'"):
        run("sparql", "crawlers")
    with pytest.raises(SparqlError, match=r"\$x, which has no value"):
        run("sparql", "ASK { ?s ?p $x }")


@pytest.mark.slow
def test_sparql_lists_shows_and_answers(run: Run, small: Workspace, tmp_path: Path) -> None:
    listed: list[dict[str, Any]] = json.loads(run("sparql", "--json"))["queries"]
    assert [one["name"] for one in listed] == list(library())
    assert "sparql/crawls" in run("sparql")
    assert run("sparql", "crawls", "--show").startswith("# title: The crawls in the graph\n")
    answer = json.loads(run("sparql", "crawls", "limit=50", "--workspace", small.root, "--json"))
    rows = [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]
    assert [row["crawl"] for row in rows] == [RUN]
    file = tmp_path / "x.nt"
    run("export", "--out", file, "--workspace", small.root)
    count = json.loads(run("sparql", "SELECT (COUNT(*) AS ?n) { ?c a og:Crawl }", "--on", file, "--json"))
    assert count == {"columns": ["n"], "rows": [[len(rows)]], "complete": True}
    assert run("sparql", "SELECT ?i { ?c og:id $crawl ; og:id ?i }", f"crawl={RUN}", "--on", file, "--csv") == (
        f"i\n{RUN}\n"
    )


@pytest.mark.slow
def test_half_a_file_says_what_it_left(run: Run, small: Workspace, tmp_path: Path, command: Command) -> None:
    """The import is refused at the break; what stands before it was written, and is named with what to do."""
    whole = tmp_path / "whole.ttl"
    run("export", "--out", whole, "--workspace", small.root)
    cut = tmp_path / "cut.ttl"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 3 // 4])
    other = workspace.init(tmp_path / "other")
    try:
        answer = command("graph", "import", cut, "--workspace", other.root)
        said = " ".join(answer.err.split())
        assert answer.code == 2
        assert "nodes were written before the error" in said and "import a complete file" in said
    finally:
        embedded.stop(other.graph)
