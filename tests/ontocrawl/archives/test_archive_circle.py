"""An archive closes the circle as a crawl does: scored, searched for terms, loaded, and proposals for the ontology."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from tests.ontocrawl.conftest import Command

CRAWL, ARCHIVE = "recorded-for-terms", "archive-of-terms"


@pytest.fixture
def circle(space: Workspace, command: Command) -> Iterator[Any]:
    """Run a command with JSON in the workspace; at the end its crawls are removed."""

    def run(*words: str | Path) -> Any:
        made = command(*words, "--workspace", space.root, "--json")
        assert made.code == 0, made.err
        return made.json

    yield run
    for name in (CRAWL, ARCHIVE):
        assert command("crawl", "remove", name, "--workspace", space.root).code == 0
    shutil.rmtree(space.run(CRAWL), ignore_errors=True)


@pytest.mark.slow
def test_an_archive_proposes_what_its_crawl_proposes(
    circle: Any, space: Workspace, command: Command, tmp_path: Path
) -> None:
    world = ("--world", "synthetic:planted?pages=200&seed=5", "--topic", "rainstorm")
    circle("crawl", "run", *world, "--limit-pages", "80", "--run", CRAWL, "--warc", tmp_path / "warc")
    scored = circle(
        "archive", "score", tmp_path / "warc", "--topic", "rainstorm", "--out", tmp_path / "t", "--jobs", "1"
    )
    found = circle("archive", "terms", tmp_path / "t", "--jobs", "1")
    assert 0 < found["pages"] < found["pages"] + found["others"] <= scored["pages"]
    loaded = circle("archive", "load", tmp_path / "t", "--run", ARCHIVE)
    assert loaded["pages"] == scored["pages"] and loaded["mentions"] > 0 and loaded["sentences"] > loaded["pages"]
    of_crawl, of_archive = (_proposed(circle("enrich", "propose", name, "--limit", "8")) for name in (CRAWL, ARCHIVE))
    assert of_archive == of_crawl and of_crawl
    terms = set(pq.read_table(tmp_path / "t" / "terms" / "terms.parquet")["term"].to_pylist())
    assert any(term in terms for term, *_ in of_archive)
    listed = circle("enrich", "list", "rainstorm", "--run", ARCHIVE)
    assert {p["term"] for p in listed["proposals"]} == {term for term, *_ in of_archive}
    with graph_store.store(space) as graph:
        rows = graph.read(
            "MATCH (:Crawl {id: $id})-[:FETCHED]->(p:Page)<-[:ON_PAGE {crawl: $id}]-(:Sentence)-[:NAMES]->(k:Concept) "
            "RETURN count(DISTINCT p) AS pages, count(DISTINCT k) AS concepts",
            id=ARCHIVE,
        )
    assert rows[0]["pages"] > 0 and rows[0]["concepts"] > 1
    shutil.rmtree(tmp_path / "t")
    gone = command("enrich", "propose", ARCHIVE, "--workspace", space.root)
    assert gone.code == 2 and "are not in" in gone.err


def _proposed(result: Any) -> list[tuple[Any, ...]]:
    return [(p["term"], p["kind"], p["under"], p["score"]) for p in result["proposals"]]
