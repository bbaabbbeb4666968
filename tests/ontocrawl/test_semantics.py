"""A guide that compares terms by meaning knows the similarities of the topic's words, in a resumed crawl too."""

from __future__ import annotations

import json

import numpy as np
import pytest

from crawler.journal import Journal
from crawler.scoring.relevance import relevance
from crawler.scoring.ssvsm import SemanticCosine
from ontocrawl import runs, semantics, topics
from ontocrawl.workspace import Workspace
from ontology.similarity import five_factors
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=600&seed=0"


def test_the_similarities_are_those_of_the_ontology(command: Command, space: Workspace) -> None:
    run = ("crawl", "run", "--world", WORLD, "--strategy", "ssvsm_guide", "--no-graph", "--workspace", space.root)
    assert command(*run, "--run", "meaning", "--limit-pages", "20", "--json").json["fetched"] == 20
    journal = Journal(space.run("meaning") / runs.JOURNAL)
    config = runs.read_config(journal)
    journal.close()
    words = config.vocabularies["GTK"]
    sem = np.asarray(config.similarities["GTK"])
    assert sem.shape == (len(words), len(words)) and set(config.similarities) == {"GTK"}
    whole = five_factors.matrix(topics.ontologies(topics.load("rainstorm", space), space)[0])
    place = {iri: row for row, iri in enumerate(whole.iris)}
    for i, j in ((0, 1), (3, 7), (10, 2)):
        expected = whole.sem[place[words[i]["iri"]], place[words[j]["iri"]]]
        assert sem[i, j] == pytest.approx(expected, abs=10**-semantics.DIGITS)
    whole_run = command(*run, "--run", "meaning2", "--limit-pages", "40", "--json").json
    resumed = command(
        "crawl", "resume", "meaning", "--limit-pages", "40", "--no-graph", "--workspace", space.root, "--json"
    )
    assert {k: resumed.json[k] for k in ("fetched", "relevant")} == {k: whole_run[k] for k in ("fetched", "relevant")}


def test_another_guide_is_left_alone() -> None:
    cosine = relevance("paper_000")
    assert semantics.informed(cosine, {}) is cosine
    informed = semantics.informed(relevance("ssvsm"), {"GTK": [[1.0, 0.5], [0.5, 1.0]]})
    assert isinstance(informed, SemanticCosine)
    assert json.dumps(np.asarray(informed.similarities["GTK"]).tolist()) == "[[1.0, 0.5], [0.5, 1.0]]"


def test_other_strategies_keep_no_similarities(command: Command, space: Workspace) -> None:
    run = ("crawl", "run", "--world", WORLD, "--strategy", "best_first", "--no-graph", "--workspace", space.root)
    assert command(*run, "--run", "plain", "--limit-pages", "5", "--json").code == 0
    journal = Journal(space.run("plain") / runs.JOURNAL)
    assert runs.read_config(journal).similarities == {}
    journal.close()
