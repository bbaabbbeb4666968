"""New weights for runs: offered to one that goes on, taken by one that is resumed, shown, and projected."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawler.step import Step
from crawler.weights import Weights, WeightsError
from kg.engine import embedded
from kg.store import GraphStore
from ontocrawl.api import Run
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.runs import rescoring, run_files, runs
from ontocrawl.runs.run_files import FileOffers
from ontocrawl.topics import topics
from ontology import owl
from ontology.model import Concept, Relation
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.conftest import Command

TOPIC = """
name = "{name}"
label = {{ zh = "洪水", en = "floods" }}
relevance = "paper_000"
sigma = 0.3
ontologies = ["{name}.ttl"]
seeds = []

[[words]]
weight = 1.0
zh = ["暴雨"]
en = ["rainstorm"]
"""
WORLD = ("--world", "synthetic:planted?pages=600&seed=0", "--strategy", "fcosa_g")
NEW = flood_ontology.iri("Rain")


def write_version(folder: Path, name: str, version: str) -> None:
    """Write the ontology of a topic: version 0.2.0 has one more class, and one fewer."""
    ontology = replace(flood_ontology.made(), version=version, iri=f"https://example.org/{name}")
    if version == "0.2.0":
        kept = tuple(c for c in ontology.concepts if not c.iri.endswith("River"))
        relations = tuple(r for r in ontology.relations if not r.source.endswith("River"))
        rain = Relation(NEW, "subclass_of", flood_ontology.iri("Topic"), evidence="curated")
        ontology = replace(ontology, concepts=(*kept, Concept(NEW, "暴雨", "rainstorm")), relations=(*relations, rain))
    owl.write(ontology, folder / f"{name}.ttl")


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace of these tests alone: their files of ontologies change after they were loaded."""
    made = workspace.init(tmp_path_factory.mktemp("rescored") / "ws")
    yield made
    embedded.stop(made.graph)


@pytest.fixture
def topic(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A topic file of its own for each test, with the first version of its ontology."""
    name = "_".join(request.node.name.split("_")[1:6])
    path = tmp_path / f"{name}.toml"
    path.write_text(TOPIC.format(name=name), encoding="utf-8")
    write_version(tmp_path, name, "0.1.0")
    return path


def interrupted(space: Workspace, command: Command, topic: Path, pages: int = 60) -> str:
    """The name of a run of a topic that was killed after 30 pages."""
    name = f"run-{topic.stem}"
    asked = ("--topic", topic, "--limit-pages", "5", "--run", name, "--workspace", space.root, "--json")
    found = command("crawl", "run", *WORLD, *asked)
    assert found.code == 0, found.err

    def interrupt(step: Step) -> None:
        if step.fetched == 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.resume(space, name, interrupt, changed={"limit_pages": pages})
    return name


def mentioned(graph: GraphStore, run: str) -> dict[str, int]:
    rows = graph.read(
        "MATCH (:Crawl {id: $run})-[:FETCHED]->(p:Page)-[m:MENTIONS {crawl: $run}]->(c:Concept) "
        "RETURN c.iri AS iri, count(p) AS pages ORDER BY iri", run=run,
    )  # fmt: skip
    return {row["iri"]: row["pages"] for row in rows}


@pytest.mark.slow
def test_a_resumed_run_keeps_its_weights_or_takes_the_new_ones(command: Command, space: Workspace, topic: Path) -> None:
    name = interrupted(space, command, topic)
    write_version(topic.parent, topic.stem, "0.2.0")
    there = ("--workspace", space.root, "--json")
    offered = command("crawl", "rescore", name, *there).json["runs"]
    assert [(one["run"], one["state"], one["new"]) for one in offered] == [(name, "interrupted", True)]
    kept = command("crawl", "resume", name, "--limit-pages", "35", *there)
    assert kept.code == 0 and kept.json["rescored"] == [] and kept.json["fetched"] == 35
    assert runs.ontologies_of(space, name)["GTK"]["version"] == "0.1.0"
    assert "newer ones were offered" in kept.err and f"crawl resume {name} --rescore" in kept.err
    found = command("crawl", "resume", name, "--limit-pages", "60", "--rescore", *there)
    assert found.code == 0, found.err
    assert runs.ontologies_of(space, name)["GTK"]["version"] == "0.2.0"  # by which its pages are annotated now
    (taken,) = found.json["rescored"]
    assert (found.json["fetched"], taken["fetched"], taken["recounted"], taken["estimated"]) == (60, 35, 35, 0)
    assert "counted in 35 pages" in found.err and "queued links are scored anew" in found.err
    again = command("crawl", "resume", name, "--limit-pages", "62", "--rescore", *there)
    assert again.json["rescored"] == [taken]
    _is_shown(command, space, name, taken)
    with store(space) as graph:
        pages = mentioned(graph, name)
    assert pages[NEW] > 35 and flood_ontology.iri("River") not in pages  # also in pages that were read before


def _is_shown(command: Command, space: Workspace, name: str, taken: dict[str, Any]) -> None:
    at = ("--workspace", space.root)
    status = command("crawl", "status", name, *at)
    assert "since page 35" in " ".join(status.out.split())
    live = command("crawl", "status", name, *at, "--json").json["live"]
    assert live["rescored"] == [taken]
    pages = command("crawl", "pages", name, *at, "--json").json["pages"]
    first = command("crawl", "explain", name, pages[3]["url"], *at, "--json").json
    assert first["score"]["weights"] is None and first["score"]["rescored"] == 0
    late = [command("crawl", "explain", name, page["url"], *at, "--json").json for page in pages[36:46]]
    assert all(one["score"]["weights"] == taken for one in late) and any(one["score"]["rescored"] for one in late)
    assert all(one["notes"] == [] and one["score"]["link"] is not None for one in late)  # the replay is exact
    url = next(one["url"] for one in late if one["score"]["rescored"])
    assert "scored anew when the run took them" in " ".join(command("crawl", "explain", name, url, *at).out.split())


@pytest.mark.slow
def test_a_run_that_goes_on_takes_what_it_is_offered(command: Command, space: Workspace, topic: Path) -> None:
    name = interrupted(space, command, topic, pages=0)
    write_version(topic.parent, topic.stem, "0.2.0")
    fetched, told = [0], list[str]()

    def offer() -> None:
        while fetched[0] < 40:
            time.sleep(0.01)
        with store(space) as graph:
            told.extend(rescoring.offer(space, graph, topics.load(str(topic), space)))

    def on_step(step: Step) -> None:
        fetched[0] = step.fetched
        time.sleep(0.02 if told or step.fetched > 45 else 0.0)

    teller = threading.Thread(target=offer)
    teller.start()
    result = runs.resume(space, name, on_step, changed={"limit_pages": 200})
    teller.join()
    assert told == [name]
    (taken,) = result.rescored
    assert 40 <= taken.fetched < 200 and result.end.fetched == 200
    with store(space) as graph:
        assert rescoring.offer(space, graph, topics.load(str(topic), space)) == []  # it has finished
    explained = command("crawl", "status", name, "--workspace", space.root, "--json").json
    assert explained["rescored"][0]["digest"] == taken.digest


@pytest.mark.slow
def test_the_python_interface_rescores(command: Command, space: Workspace, topic: Path) -> None:
    name = interrupted(space, command, topic)
    write_version(topic.parent, topic.stem, "0.2.0")
    result = Run(name, space.root).resume(pages=40, rescore=True).result
    assert result.end.fetched == 40 and [taken.fetched for taken in result.rescored] == [30]


@pytest.mark.slow
def test_offers_are_refused_where_no_ontology_counts(command: Command, space: Workspace) -> None:
    asked = ("--topic", "sports", "--world", "synthetic:planted?pages=100&seed=0", "--strategy", "best_first")
    where = ("--workspace", space.root)
    assert command("crawl", "run", *asked, "--limit-pages", "3", "--run", "plain", "--no-graph", *where).code == 0
    for arguments in (("crawl", "rescore", "plain"), ("crawl", "resume", "plain", "--rescore", "--limit-pages", "5")):
        found = command(*arguments, *where)
        assert found.code == 2 and "the topic's own words only" in found.err
    assert command("crawl", "rescore", "nothing", *where).code == 2
    with store(space) as graph:
        config = runs.config_of(space, "plain")
        with pytest.raises(UsageError, match="own words only"):
            rescoring._weights_of(config, topics.load("sports", space), graph)


def test_an_offer_is_taken_once(tmp_path: Path) -> None:
    old, new = (Weights(vocabularies_of(weight)) for weight in (0.5, 0.7))
    run_files.write_weights(tmp_path, old)
    watching = FileOffers(tmp_path)
    looks = [watching.newest()]
    run_files.write_weights(tmp_path, new)
    looks += [watching.newest(), watching.newest()]
    assert [look and look.digest for look in looks] == [None, new.digest, None]
    (tmp_path / run_files.WEIGHTS_FILE).write_text("{", encoding="utf-8")
    with pytest.raises(WeightsError, match=r"weights.json is damaged .* offer the weights again"):
        watching.newest()
    assert json.dumps(new.as_json()) != json.dumps(old.as_json())


def vocabularies_of(weight: float) -> Any:
    from crawler.text import Vocabulary, Word

    return {"TK": Vocabulary("TK", (Word("flood", weight, (("en", "flood"),)),))}
