"""The Python interface: what it refuses and how, and that it does what the commands do."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from datetime import date, datetime
from pathlib import Path

import pytest

import ontocrawl
from crawler.strategies.breadth_first import BreadthFirst
from ontocrawl import exceptions
from ontocrawl.base import workspace
from ontocrawl.base.options import BuildSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.versions.building import BuildOptions
from ontology.learn_options import LearnOptions
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture

WEB = "synthetic:planted?pages=200&seed=0"


@pytest.mark.slow
def test_a_run_is_that_of_the_command(space: Workspace, crawled: str, command: Command) -> None:  # noqa: F811
    run = ontocrawl.Run(crawled, space.root)
    status = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    assert json.loads(json.dumps(run.result.as_json())) == {
        k: v for k, v in status.items() if k not in ("failed", "live", "note", "tags", "hidden")
    }
    pages = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    table = run.pages()
    assert [row[1] for row in table.rows] == [page["url"] for page in pages] and len(table) == run.result.end.fetched
    assert len(run.texts()) == len(table) and run.workspace == space.root
    with ontocrawl.Graph(space.root) as graph:
        links = graph.network(run)
        assert links.number_of_nodes() == len({row[1] for row in table.rows})
        with pytest.raises(exceptions.UsageError, match="no run 'nope'"):
            graph.network("nope")
        graph.add(crawled)
    with pytest.raises(exceptions.UsageError, match="closed"):
        graph.ask("pages/most_relevant")
    graph.close()
    answer = command("query", "run", "pages/most_relevant", "limit=3", "--workspace", space.root, "--json").json
    assert ontocrawl.ask("pages/most_relevant", limit=3, workspace=space.root).as_json() == answer


@pytest.mark.slow
def test_weights_are_those_of_the_command(space: Workspace, command: Command) -> None:  # noqa: F811
    table = ontocrawl.Topic("rainstorm", space.root).weights("sem")
    printed = command("weights", "rainstorm", "--weights", "sem", "--workspace", space.root, "--json").json["weights"]
    shared = [column for column in table.columns if column != "series"]  # in JSON the series is called ontology
    assert {"distance", "density", "depth", "coincidence", "relation"} <= set(shared)
    rows = json.loads(json.dumps(table.records()))
    assert [[row[column] for column in shared] for row in rows] == [
        [row[column] for column in shared] for row in printed
    ]
    assert [row["series"] for row in rows] == [row["ontology"] for row in printed] != []


def test_a_crawl_that_cannot_begin_leaves_its_name_free(tmp_path: Path) -> None:
    with pytest.raises(exceptions.SetupError, match="topic vector GTK"):
        ontocrawl.crawl("sports", world=WEB, run="first", strategy="fcosa_lg", workspace=tmp_path, graph=False)
    run = ontocrawl.crawl(
        "sports", world=WEB, run="first", strategy="breadth_first", limit_pages=5, workspace=tmp_path, graph=False
    )
    assert run.result.end.fetched == 5 and "5 pages" in repr(run)


def test_what_does_not_fit_is_refused(tmp_path: Path, space: Workspace, crawled: str) -> None:
    sports = ontocrawl.Topic("sports", space.root)
    with pytest.raises(exceptions.UsageError, match="no ontology"):
        sports.to_networkx()
    with pytest.raises(exceptions.UsageError, match="sem, key, sem_key"):
        sports.weights("foo")  # type: ignore[arg-type]
    with pytest.raises(exceptions.UsageError, match="pages and limit_pages"):
        ontocrawl.crawl(sports, world=WEB, pages=3, limit_pages=3)
    with pytest.raises(exceptions.UsageError, match="no key 'guid'"):
        ontocrawl.crawl(sports, world=WEB, strategy="breadth_first", guid="published")
    with pytest.raises(exceptions.UsageError, match="limit: expected 1 or more"):
        ontocrawl.propose(crawled, limit=0, workspace=space.root)
    with pytest.raises(exceptions.UsageError, match="not a URL"):
        ontocrawl.crawl(sports, world=WEB, strategy="breadth_first", seeds="nowhere", graph=False)
    papers = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
    for label in ({}, {"fr": "médecine"}, {"zh": " "}):
        with pytest.raises(exceptions.UsageError, match="needs a label"):
            ontocrawl.learn(papers, "medicine", label=label, out=tmp_path / "out", workspace=tmp_path)
    with pytest.raises(AttributeError, match="nothing"):
        _ = ontocrawl.nothing  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_label_may_have_a_comma(tmp_path: Path) -> None:
    papers = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
    label = {"zh": "暴雨, 台风", "en": "rainstorm, typhoon"}
    learned = ontocrawl.learn(papers, "storms", label=label, out=tmp_path / "out", workspace=tmp_path)
    assert learned.topic.label == label and learned.files[0] == tmp_path / "out" / "storms.toml"
    assert "暴雨" in learned.topic.words and len(learned.to_frame()) == len(learned.terms)


def test_learn_takes_the_options_of_a_build(tmp_path: Path) -> None:
    asked = BuildOptions([], tmp_path, BuildSettings(reading="published", max_terms=7), LearnOptions(min_documents=3))
    assert asked.method == LearnOptions(min_documents=3, max_terms=7, reading="published", unplaced="root")
    with pytest.raises(exceptions.UsageError, match="max_terms"):
        ontocrawl.learn(tmp_path, out=tmp_path, max_terms=0)
    with pytest.raises(exceptions.UsageError, match="did you mean 'max_terms'"):
        ontocrawl.learn(tmp_path, out=tmp_path, maxterms=3)


def test_a_run_is_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = ontocrawl.crawl(
        "rainstorm", world=WEB, pages=5, strategy="breadth_first", run="a", workspace="w", graph=False
    )
    (tmp_path / "elsewhere").mkdir()
    os.chdir(tmp_path / "elsewhere")
    assert len(run.pages()) == 5
    more = run.resume(pages=8)
    assert more.result.end.fetched == 8 and not (tmp_path / "elsewhere" / "w").exists()
    shutil.rmtree(tmp_path / "w" / "runs")
    with pytest.raises(exceptions.UsageError, match="no run 'a'"):
        run.pages()


@pytest.mark.slow
def test_a_run_or_an_ontology_that_the_graph_lacks_is_an_error(space: Workspace, crawled: str) -> None:
    with ontocrawl.Graph(space.root) as graph:
        for wrong in ({"crawl": "smaple"}, {"crawl": "smaple", "limit": 3}):
            with pytest.raises(exceptions.NotInGraphError, match=r"crawl=smaple: .*no such run; did you mean 'sample'"):
                graph.ask("pages/most_relevant", **wrong)
        with pytest.raises(exceptions.NotInGraphError, match="no such ontology"):
            graph.ask("evidence/weakest_relations", ontology="nope")
        with pytest.raises(exceptions.NotInGraphError, match="no such concept"):
            graph.ask("ontology/ancestors", concept="nope")
        assert len(graph.ask("pages/page", url="http://never.example/")) == 0
        page = graph.ask("pages/most_relevant", limit=1).rows[0][0]
        assert len(graph.ask("pages/page", url=page.replace("http://", "HTTP://"))) == 1
    ontocrawl.crawl(
        "sports", world=WEB, run="alone", strategy="breadth_first", pages=3, workspace=space.root, graph=False
    )
    with pytest.raises(exceptions.NotInGraphError, match=r"no such run; Graph.add\('alone'\) writes it"):
        ontocrawl.ask("pages/most_relevant", crawl="alone", workspace=space.root)


@pytest.mark.slow
def test_dates_of_python_and_pandas_are_parameters(space: Workspace, crawled: str) -> None:
    pandas = pytest.importorskip("pandas")
    with ontocrawl.Graph(space.root) as graph:
        dated = "MATCH (:Crawl {id: $run})-[f:FETCHED]->(:Page) WHERE f.relevant AND f.published IS NOT NULL "
        days = [row[0] for row in graph.cypher(f"{dated}RETURN f.published AS day ORDER BY day", {"run": crawled}).rows]
        middle = days[len(days) // 2]
        later = sum(day >= middle for day in days)
        assert 0 < later < len(days)
        since = f"{dated}AND date(f.published) >= date($since) RETURN count(f) AS n"
        for day in (date.fromisoformat(middle), datetime.fromisoformat(middle), pandas.Timestamp(middle)):
            assert len(graph.ask("pages/newest", crawl=crawled, since=day, limit=1000)) == later
            assert graph.cypher(since, {"run": crawled, "since": day}).rows == ((later,),)
        moment = pandas.Timestamp("2024-05-01T01:00", tz="Asia/Shanghai")
        values = graph.cypher("RETURN $moment AS moment, $none AS none", {"moment": moment, "none": pandas.NaT}).rows
        assert values == (("2024-04-30T17:00:00.000000000+00:00", None),)


def test_the_journal_is_not_read_again_after_a_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_again(*_: object) -> None:
        raise AssertionError("the journal is read again")

    monkeypatch.setattr("ontocrawl.runs.runs.result_of", read_again)
    run = ontocrawl.crawl(
        "sports", world=WEB, run="a", strategy="breadth_first", pages=5, workspace=tmp_path, graph=False
    )
    more = run.resume(pages=7)
    monkeypatch.undo()
    assert more.result == ontocrawl.Run("a", tmp_path).result and more.result.end.fetched == 7


SAMPLE = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ontocrawl.Topic(5), "name: expected a topic's name"),
        (lambda: ontocrawl.Topic("sports", 5), "workspace: expected a path, found 5"),
        (lambda: ontocrawl.Topic("sports").weights(("sem",)), "scheme: expected text"),
        (lambda: ontocrawl.crawl(5), "topic: expected a Topic"),
        (lambda: ontocrawl.crawl("sports", seeds=5), "seeds: expected a URL, or a list of URLs, found 5"),
        (lambda: ontocrawl.crawl("sports", seeds=["http://a.example/", 5]), "seeds: .* found 5"),
        (lambda: ontocrawl.crawl("sports", pages="10"), "pages: expected a whole number, found '10'"),
        (lambda: ontocrawl.crawl("sports", pages=True), "pages: expected a whole number, found True"),
        (lambda: ontocrawl.crawl("sports", world=Path("w")), "world: expected text"),
        (lambda: ontocrawl.crawl("sports", strategy=Path("mine.py")), "strategy: expected a strategy's name or class"),
        (lambda: ontocrawl.crawl("sports", run=7), "run: expected text, found 7"),
        (lambda: ontocrawl.crawl("sports", graph="no"), "graph: expected True or False, found 'no'"),
        (lambda: ontocrawl.crawl("sports", parameters=["a=1"]), "parameters: expected a dict"),
        (lambda: ontocrawl.crawl("sports", parameters={1: 1}), "parameters: expected text as keys"),
        (lambda: ontocrawl.crawl("sports", politeness=None), "politeness: expected True or False"),
        (lambda: ontocrawl.crawl("sports", on_step=True), "on_step: expected a function"),
        (lambda: ontocrawl.Run(Path("first")), "name: expected the name of a run"),
        (lambda: ontocrawl.propose(7), "run: expected a Run, or its name"),
        (lambda: ontocrawl.propose("a", limit="3"), "limit: expected a whole number, found '3'"),
        (lambda: ontocrawl.propose("a", limit=None), "limit: expected a whole number, found None"),
        (lambda: ontocrawl.learn(5, out="o"), "corpus: expected a path, or a list of paths, found 5"),
        (lambda: ontocrawl.learn(SAMPLE, 5, out="o"), "topic: expected a topic's name"),
        (lambda: ontocrawl.learn(SAMPLE, out=None), "out: expected the path of a folder"),
        (lambda: ontocrawl.learn(SAMPLE, out="o", options={"max_terms": 3}), "options: expected an ontocrawl"),
        (lambda: ontocrawl.learn(SAMPLE, "new", out="o", label="台风"), "label: expected a dict, found '台风'"),
        (lambda: ontocrawl.learn(SAMPLE, "new", out="o", label={"zh": 1}), r"label\['zh'\]: expected text"),
    ],
)  # fmt: skip
def test_an_argument_of_another_type_is_named_at_once(
    call: Callable[[], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(exceptions.WrongTypeError, match=said) as caught:
        call()
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, exceptions.UsageError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_settings_and_limits_are_checked_at_once(tmp_path: Path) -> None:
    for settings, said in (
        ({"limit_pages": "10"}, r"crawl: limit_pages: .*valid integer \(found '10'\)"),
        ({"seed": "1"}, "crawl: seed: .*valid integer"),
        ({"guide": 5}, "crawl: guide: .*valid string"),
        ({"weights": "foo"}, "crawl: weights: .*'sem', 'key' or 'sem_key'"),
        ({"pages": -1}, "pages: expected 0 or more, found -1"),
    ):
        with pytest.raises(exceptions.UsageError, match=said):
            ontocrawl.crawl("sports", workspace=tmp_path, **settings)  # type: ignore[arg-type]
    run = ontocrawl.crawl(
        "sports",
        world=WEB,
        strategy="breadth_first",
        pages=2,
        run="a",
        workspace=tmp_path,
        graph=False,
        delay=1,
        seed=None,
    )
    with pytest.raises(exceptions.WrongTypeError, match="pages: expected a whole number"):
        run.resume(pages="9")  # type: ignore[arg-type]
    with ontocrawl.Graph(workspace.init(tmp_path / "graph").root) as graph:
        for call, said in (
            (lambda: graph.ask(5), "name: expected the name of a query"),
            (lambda: graph.cypher(5), "statement: expected text"),
            (lambda: graph.cypher("RETURN 1 AS x", [1]), "parameters: expected a dict"),
            (lambda: graph.cypher("RETURN 1 AS x", write="yes"), "write: expected True or False"),
            (lambda: graph.load(5), "topic: expected a Topic"),
            (lambda: graph.add(5), "run: expected a Run, or its name"),
        ):
            with pytest.raises(exceptions.WrongTypeError, match=said):
                call()
        graph.stop()


@pytest.mark.parametrize("kind", [ontocrawl.Learned, ontocrawl.LearnOptions])
def test_help_explains_each_field(kind: type) -> None:
    shown = inspect.getdoc(kind) or ""
    section = shown.partition("Attributes:\n")[2]
    for field in fields(kind):
        assert re.search(rf"^    {field.name}: \S", section, re.MULTILINE), field.name


def test_a_class_is_a_strategy(tmp_path: Path) -> None:
    from examples.cautious import Cautious

    options = {"world": WEB, "workspace": tmp_path, "graph": False}
    by_class = ontocrawl.crawl("sports", strategy=Cautious, pages=5, run="class", **options)
    by_name = ontocrawl.crawl("sports", strategy="examples/cautious.py:Cautious", pages=5, run="file", **options)
    assert by_class.pages().rows == by_name.pages().rows
    assert by_class.resume(pages=8).result.end.fetched == 8
    registered = ontocrawl.crawl("sports", strategy=BreadthFirst, pages=2, run="registered", **options)
    assert registered.result.strategy == "breadth_first"
    with pytest.raises(exceptions.StrategyError, match="Path is no strategy"):
        ontocrawl.crawl("sports", strategy=Path, **options)  # type: ignore[arg-type]

    class Hidden(Cautious):
        name = "hidden"

    with pytest.raises(exceptions.StrategyError, match="at the top level of a file"):
        ontocrawl.crawl("sports", strategy=Hidden, **options)


@pytest.mark.slow
def test_a_program_can_crawl_by_a_class_of_its_own(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    code = (root / "examples" / "cautious.py").read_text(encoding="utf-8").partition("if __name__")[0]
    call = f"ontocrawl.crawl('sports', strategy=Cautious, pages=4, run='a', world={WEB!r}, workspace='w', graph=False)"
    (tmp_path / "mine.py").write_text(f"{code}\nimport ontocrawl\nprint({call})\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, done.stdout) and "<Run a: 4 pages" in done.stdout, done.stderr
