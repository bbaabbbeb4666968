"""The Python interface: what it refuses and how, and that it does what the commands do."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import ontocrawl
from ontocrawl import exceptions
from ontocrawl.workspace import Workspace
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture

WEB = "synthetic:planted?pages=200&seed=0"


def test_a_run_is_that_of_the_command(space: Workspace, crawled: str, command: Command) -> None:  # noqa: F811
    run = ontocrawl.Run(crawled, space.root)
    status = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    assert run.result.as_json() == status
    pages = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    table = run.pages()
    assert [row[1] for row in table.rows] == [page["url"] for page in pages] and len(table) == run.result.end.fetched
    assert len(run.texts()) == len(table) and run.workspace == space.root
    with ontocrawl.Graph(space.root) as graph:
        links = graph.to_networkx(run)
        assert links.number_of_nodes() == len({row[1] for row in table.rows})
        with pytest.raises(exceptions.UsageError, match="no run 'nope'"):
            graph.to_networkx("nope")
        graph.add(crawled)
    with pytest.raises(exceptions.UsageError, match="closed"):
        graph.ask("pages/most_relevant")
    graph.close()
    answer = command("query", "run", "pages/most_relevant", "limit=3", "--workspace", space.root, "--json").json
    assert ontocrawl.ask("pages/most_relevant", limit=3, workspace=space.root).as_json() == answer


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
    with pytest.raises(exceptions.UsageError, match="limit must be 1 or more"):
        ontocrawl.propose(crawled, limit=0, workspace=space.root)
    with pytest.raises(exceptions.UsageError, match="not a URL"):
        ontocrawl.crawl(sports, world=WEB, strategy="breadth_first", seeds="nowhere", graph=False)
    papers = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
    for label in ({}, {"fr": "médecine"}, {"zh": " "}):
        with pytest.raises(exceptions.UsageError, match="needs a label"):
            ontocrawl.learn(papers, "medicine", label=label, out=tmp_path / "out", workspace=tmp_path)
    with pytest.raises(AttributeError, match="nothing"):
        _ = ontocrawl.nothing  # type: ignore[attr-defined]


def test_a_label_may_have_a_comma(tmp_path: Path) -> None:
    papers = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
    label = {"zh": "暴雨, 台风", "en": "rainstorm, typhoon"}
    learned = ontocrawl.learn(papers, "storms", label=label, out=tmp_path / "out", workspace=tmp_path)
    assert learned.topic.label == label and learned.files[0] == tmp_path / "out" / "storms.toml"
    assert "暴雨" in learned.topic.words and len(learned.to_frame()) == len(learned.terms)


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
