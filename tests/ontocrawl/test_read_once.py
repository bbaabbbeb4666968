"""Within one process each file of an ontology is parsed once, and the graph is asked for its weights once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import queries
from kg.bolt import BoltStore
from kg.engine import embedded
from kg.store import Row
from ontocrawl import demo
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import runs
from ontocrawl.topics import topics
from ontology import owl
from ontology.enrichment import extraction
from ontology.terms import document_frequencies
from ontology.terms.document_frequencies import DocumentFrequencies
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.test_circle import LEARNED, build

CURATED = ("rainstorm.ttl", "rainstorm-management.ttl", "rainstorm-monitoring.ttl", "rainstorm-secondary.ttl")
WEB = ("--world", "synthetic:planted?pages=600&seed=0", "--limit-pages", "5")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file of an ontology or topic was read, and the weights of each ontology were asked for."""
    counts: Counter[str] = Counter()
    extraction._packaged.cache_clear()  # what earlier tests of this process have read

    def counted(read_file: Callable[[Path], Any]) -> Callable[[Path], Any]:
        def read_and_count(path: Path) -> Any:
            counts[path.name] += 1
            return read_file(path)

        return read_and_count

    def ask(store: BoltStore, query: str, **parameters: Any) -> list[Row]:
        for name in ("weights/root", "weights/factors"):
            if query == queries.get(name).text:
                counts[f"{name} {parameters['ontology']}"] += 1
        return asked(store, query, **parameters)

    asked = BoltStore.read
    monkeypatch.setattr(BoltStore, "read", ask)
    monkeypatch.setattr(owl, "read", counted(owl.read))
    monkeypatch.setattr(topics, "read_toml", counted(topics.read_toml))
    return counts


def weights_of(counts: Counter[str]) -> Counter[str]:
    return Counter({name: number for name, number in counts.items() if name.startswith("weights/")})


@pytest.mark.slow
def test_a_crawl_reads_and_weighs_each_ontology_once(command: Command, space: Workspace, read: Counter[str]) -> None:
    assert command("crawl", "run", *WEB, "--run", "once", "--workspace", space.root).code == 0
    assert {name: read[name] for name in (*CURATED, "rainstorm.toml")} == dict.fromkeys((*CURATED, "rainstorm.toml"), 1)
    assert len(weights_of(read)) == 8 and set(weights_of(read).values()) == {1}


@pytest.mark.slow
def test_weights_that_fall_back_to_sem_are_not_asked_for_again(
    command: Command, space: Workspace, tmp_path: Path, read: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All forms stand in every document of the background, so that nothing is particular to the papers."""
    built = build(command, space, tmp_path / "out")

    class Everywhere(DocumentFrequencies):
        def of(self, forms: Any) -> int:
            return self.documents

    monkeypatch.setattr(document_frequencies, "shipped", lambda: Everywhere({}, 1000, "", 1))
    read.clear()
    answer = command("crawl", "run", "--topic", built["topic_file"], *WEB, "--run", "fallen", "--workspace", space.root)
    assert answer.code == 0 and "weights are Sem" in " ".join(answer.err.split())
    assert {name: read[name] for name in CURATED} == dict.fromkeys(CURATED, 1)
    assert len(weights_of(read)) == 8 and set(weights_of(read).values()) == {1}
    config = runs.config_of(space, "fallen")
    sem = {term.iri: term.weight for term in config.vocabularies["GTK"].words}
    assert config.crawl.weights == "sem" and max(sem.values()) == 1.0 and len(sem) > 20
    shown = command("weights", built["topic_file"], "--weights", "sem", "--workspace", space.root, "--json").json
    assert sem == {row["iri"]: row["weight"] for row in shown["weights"] if row["ontology"] == LEARNED}


@pytest.mark.slow
def test_the_demo_reads_and_weighs_each_ontology_once(tmp_path: Path, read: Counter[str]) -> None:
    demo.run(tmp_path / "out", pages=20, seed=0, on_stage=lambda stage: None)
    embedded.stop(tmp_path / "out" / "workspace" / "graph")
    why = "the shipped file for the build, the workspace's copy, and the shipped file for what proposals need not say"
    assert {name: read[name] for name in CURATED} == dict.fromkeys(CURATED, 3), why
    assert len(weights_of(read)) == 16 and set(weights_of(read).values()) == {1, 3}, "those of the round by apply too"
