"""Runs for one class and by turns over several: what is refused, explained, scored, taught, backed up; and a kill."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import ontocrawl
from kg.engine import embedded
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import runs
from ontocrawl.topics import class_topics, topics
from ontocrawl.topics.topic_graph import TopicGraph
from ontology.model import Concept, Relation
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.flood_ontology import iri, made
from tests.ontocrawl.test_class_topics import WORLD, documents, trace, written
from tests.ontocrawl.test_cli import _events


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace with a learned topic."""
    folder = tmp_path_factory.mktemp("class_runs")
    made = workspace.init(folder / "ws")
    topics.register("flood", written(folder / "built", documents()), made)
    yield made
    embedded.stop(made.graph)


def crawl(place: Workspace, *more: str) -> tuple[str, ...]:
    return ("crawl", "run", "--topic", "flood", "--world", WORLD, *more, "--workspace", str(place.root))


TURNS = ("--class", "洪水", "--class", "台风")


@pytest.mark.slow
def test_a_killed_crawl_by_turns_is_resumed_to_the_same_trace(command: Command, place: Workspace) -> None:
    options = crawl(place, *TURNS, "--limit-pages", "150")
    assert command(*options, "--run", "whole", "--no-graph").code == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "ontocrawl", *options, "--run", "killed", "--no-graph"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    journal = place.run("killed") / "journal.sqlite"
    while process.poll() is None and _events(journal) < 60:
        pass
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL  # it was crawling
    assert 0 < runs.result_of(place, "killed").end.fetched < 150
    assert command("crawl", "resume", "killed", "--workspace", place.root).code == 0
    assert trace(place, "killed") == trace(place, "whole") and len(trace(place, "whole")) >= 150
    both = [runs.result_of(place, run).classes for run in ("killed", "whole")]
    assert both[0] == both[1] and min(one["chosen"] for one in both[0]) > 20


@pytest.mark.slow
def test_the_command_for_a_gap_crawls_for_its_class(command: Command, place: Workspace) -> None:
    where = ("--workspace", place.root)
    assert command(*crawl(place, "--strategy", "breadth_first", "--limit-pages", "1", "--run", "few")).code == 0
    found = ontocrawl.Topic("flood", workspace=place.root).gaps()
    by_label = {one.label: one for one in (*found.classes_without_pages, *found.classes_without_evidence)}
    river, root = by_label["河流"], by_label["灾害学"]
    assert (river.papers, river.name, root.crawl) == (0, "河流", "")
    assert river.crawl == f"ontocrawl crawl run --topic flood --class '河流' --world '{WORLD}'"
    told = command("enrich", "gaps", "flood", *where)
    assert f"  {river.crawl} --workspace {place.root}\n" in told.out and told.code == 0, told.out
    words = shlex.split(river.crawl)[1:]
    assert command(*words, "--run", "rivers", "--limit-pages", "60", *where).code == 0
    left = ontocrawl.Topic("flood", workspace=place.root).gaps()
    assert "河流" not in {one.label for one in (*left.classes_without_pages, *left.classes_without_evidence)}
    assert left.totals["classes_without_evidence"] < found.totals["classes_without_evidence"]


def test_several_classes_do_not_crawl_in_rounds(command: Command, place: Workspace) -> None:
    for many in (TURNS, ("--cover", "2")):
        refused = command(*crawl(place, *many, "--rounds", "--run", "no"))
        assert refused.code == 2 and "several classes take turns with a queue each" in refused.err, refused.err
    assert "no" not in place.run_names()


@pytest.mark.slow
def test_a_class_that_is_named_twice_is_crawled_for_once_and_labels_that_are_alike_are_told_apart(
    tmp_path: Path, embedded_store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Concept(iri("Inundation"), "洪水", "inundation", alt_zh=("山洪",))
    below = Relation(other.iri, "subclass_of", iri("Topic"))
    ontology = replace(made(), concepts=(*made().concepts, other), relations=(*made().relations, below))
    monkeypatch.setattr("tests.ontocrawl.test_class_topics.made", lambda: ontology)
    topic = topics.load(str(written(tmp_path / "built", documents())), workspace.init(tmp_path / "ws"))
    said: list[str] = []
    in_graph = TopicGraph(topic, embedded_store, said.append)
    terms = in_graph.vectors().terms
    (typhoon,) = class_topics.of_classes(in_graph, terms, ("台风", "typhoon", iri("Typhoon")))
    assert typhoon.name == "台风" and said[-1] == "named more than once, and crawled for once: 台风"
    alike = class_topics.of_classes(in_graph, terms, (iri("Flood"), iri("Inundation")))
    assert [one.name for one in alike] == [f"洪水 ({iri('Flood')})", f"洪水 ({iri('Inundation')})"]
    (flash,) = class_topics.of_classes(in_graph, terms, ("山洪",))  # a label goes before another name
    assert flash.iri == iri("FlashFlood")


@pytest.mark.slow
def test_a_run_by_turns_is_explained_taught_rescored_and_restored(
    command: Command, place: Workspace, tmp_path: Path
) -> None:
    where = ("--workspace", place.root)
    assert command(*crawl(place, *TURNS, "--limit-pages", "20", "--run", "turns")).code == 0
    (seed, *_) = runs.config_of(place, "turns").seeds
    explained = command("crawl", "explain", "turns", seed, *where, "--json").json
    assert "each with a vector: TK_1 洪水, TK_2 台风" in explained["notes"][-1]
    assert command("crawl", "score", seed, "--run", "turns", *where).code == 0
    exported = tmp_path / "pages.jsonl"
    assert command("crawl", "export", "turns", "--out", exported, *where).code == 0
    assert len(exported.read_text(encoding="utf-8").splitlines()) >= 20
    assert command("crawl", "teach", "turns", "--like", seed, *where).code == 0
    written(topics.load("flood", place).path.parent, documents(), alt=("险情",), key="0.2.0+abc")  # type: ignore[union-attr]
    changed = command("crawl", "resume", "turns", "--rescore", "--limit-pages", "30", *where)
    assert changed.code == 0 and "taught: 1 liked" in changed.err and "are scored anew" in changed.err, changed.err
    found = runs.result_of(place, "turns")
    assert len(found.rescored) == 1 and sum(one["chosen"] for one in found.classes) >= 30
    assert all(one["relevant"] > 0 for one in found.classes)

    saved, back = tmp_path / "all.zip", tmp_path / "back"
    assert command("backup", saved, *where).code == 0 and command("restore", saved, back).code == 0
    for folder in (place.root, back):
        assert command("crawl", "resume", "turns", "--limit-pages", "40", "--workspace", folder).code == 0
    other = workspace.find(back)[0]
    assert trace(other, "turns") == trace(place, "turns") and len(trace(other, "turns")) >= 40
    assert runs.result_of(other, "turns").classes == runs.result_of(place, "turns").classes
    embedded.stop(other.graph)
