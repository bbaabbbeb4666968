"""An answer of the graph is kept as long as the graph is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kg.engine import embedded
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import graph_store
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.topics import reviewed, topics
from ontocrawl.topics.topic_graph import TopicGraph
from ontology import owl
from ontology.decisions import table
from ontology.model import Concept, Ontology, Relation
from tests.ontocrawl.explorer.conftest import reader, running


class Counted:
    """A graph with a revision that counts how often it is read."""

    revised: str | None = "a"
    reads = 0

    def revision(self) -> str | None:
        return self.revised

    def read(self, query: str, **params: Any) -> list[Any]:
        self.reads += 1
        return [self.reads]


@pytest.fixture
def shared(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[SharedGraph, Counted]:
    counted = Counted()

    @contextmanager
    def store(_: Workspace) -> Iterator[Counted]:
        yield counted

    monkeypatch.setattr(graph_store, "store", store)
    return SharedGraph(space), counted


def ask(store: GraphStore) -> list[Any]:
    return store.read("RETURN 1 AS one")


def test_an_answer_is_read_once_for_each_state_of_the_graph(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    assert [found.remembered("key", ask) for _ in range(3)] == [[1]] * 3
    assert found.remembered("other", ask) == [2]
    counted.revised = "b"
    assert [found.remembered("key", ask) for _ in range(2)] == [[3]] * 2


def test_a_graph_whose_changes_are_not_known_is_read_each_time(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    counted.revised = None
    assert [found.remembered("key", ask) for _ in range(2)] == [[1], [2]]


def test_few_answers_are_kept(shared: tuple[SharedGraph, Counted]) -> None:
    found, counted = shared
    for key in range(2 * graph_store._REMEMBERED):
        found.remembered(key, ask)
    assert len(found._remembered) == graph_store._REMEMBERED
    reads = counted.reads
    found.remembered(2 * graph_store._REMEMBERED - 1, ask)
    assert counted.reads == reads
    found.remembered(0, ask)
    assert counted.reads == reads + 1


# ---- the weights of the classes of an ontology


IRI = "https://example.org/rain"
BELOW = "MATCH (:Concept {iri: $below})-[r:SUBCLASS_OF]->(:Concept) DELETE r RETURN 1 AS done"


def write_topic(space: Workspace, *edges: str) -> None:
    """Write the topic "rain" with the classes a to c; an edge is "ba", b below a."""
    folder = space.ontologies / "topics"
    concepts = tuple(Concept(f"{IRI}#{name}", "", name) for name in "abc")
    relations = tuple(Relation(f"{IRI}#{below}", "subclass_of", f"{IRI}#{above}") for below, above in edges)
    owl.write(Ontology(IRI, "global", "rain", "1", f"{IRI}#a", concepts, relations), folder / "rain.ttl")
    words = '[[words]]\nzh = ["雨"]\n'
    text = f'name = "rain"\nontologies = ["rain.ttl"]\n[label]\nzh = "雨"\nen = "rain"\n{words}'
    (folder / "rain.toml").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_weights_are_computed_once_until_ontology_or_graph_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, computed, whole = workspace.init(tmp_path / "ws"), [0], TopicGraph.computed_weights
    monkeypatch.setattr(TopicGraph, "computed_weights", lambda self, scheme: computed.append(1) or whole(self, scheme))
    write_topic(space, "ba", "cb")
    with running(space) as server:

        def distance(name: str) -> float:
            url = f"{server.address.url}api/ontologies/rain/class/weight"
            found = reader(server).get(url, params={"class": f"{IRI}#{name}"}, timeout=120).json()
            return float(found["weights"]["GTK"]["factors"]["distance"])

        assert [distance(name) for name in "cbc"] == [1 / 3, 1 / 2, 1 / 3]
        before = len(computed)
        assert [distance(name) for name in "abc"] == [1, 1 / 2, 1 / 3] and len(computed) == before
        write_topic(space, "ba", "ca")
        assert [distance(name) for name in "cbc"] == [1 / 2] * 3
        with graph_store.store(space) as graph:
            graph.write(BELOW, below=f"{IRI}#c")
        assert distance("c") == 0
    embedded.stop(space.graph)


def test_the_state_of_a_topic_is_another_one_after_each_change_of_its_files(tmp_path: Path) -> None:
    space, seen = workspace.init(tmp_path / "ws"), []

    def see() -> None:
        seen.append(topics.named("rain", space).state())

    write_topic(space, "ba", "cb")
    see()
    assert topics.named("rain", space).state() == seen[0]
    write_topic(space, "ba", "ca")
    see()
    verdicts = reviewed.path_of(space, "rain")
    for path in (verdicts, verdicts.with_name(table.FILE), space.ontologies / "topics" / "rain.papers.jsonl"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n", encoding="utf-8")
        see()
    topic_file = space.ontologies / "topics" / "rain.toml"
    topic_file.write_text(topic_file.read_text("utf-8").replace("雨", "大雨"), encoding="utf-8")
    see()
    assert len(set(seen)) == len(seen) == 6
