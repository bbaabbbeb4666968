"""A guide that compares terms by meaning knows the similarities of the topic's words, in a resumed crawl too."""

from __future__ import annotations

import numpy as np
import pytest

from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, plan, runs
from ontocrawl.topics import topics
from ontology.similarity import five_factors
from tests.ontocrawl.conftest import Command

WORLD = "synthetic:planted?pages=600&seed=0"


@pytest.mark.slow
def test_the_similarities_are_those_of_the_ontology(command: Command, space: Workspace) -> None:
    run = ("crawl", "run", "--world", WORLD, "--strategy", "ssvsm_guide", "--no-graph", "--workspace", space.root)
    assert command(*run, "--run", "meaning", "--limit-pages", "20", "--json").json["fetched"] == 20
    config = runs.config_of(space, "meaning")
    words = config.vocabularies["GTK"].words
    sem = np.asarray(config.similarities["GTK"])
    assert sem.shape == (len(words), len(words)) and set(config.similarities) == {"GTK"}
    whole = five_factors.matrix(topics.load("rainstorm", space).ontologies[0])
    place = {iri: row for row, iri in enumerate(whole.iris)}
    for i, j in ((0, 1), (3, 7), (10, 2)):
        expected = whole.sem[place[words[i].iri], place[words[j].iri]]
        assert sem[i, j] == pytest.approx(expected, abs=10**-plan.DIGITS)
    whole_run = command(*run, "--run", "meaning2", "--limit-pages", "40", "--json").json
    resumed = command(
        "crawl", "resume", "meaning", "--limit-pages", "40", "--no-graph", "--workspace", space.root, "--json"
    )
    assert {k: resumed.json[k] for k in ("fetched", "relevant")} == {k: whole_run[k] for k in ("fetched", "relevant")}


@pytest.mark.slow
def test_only_a_guide_that_compares_by_meaning_is_given_them(command: Command, space: Workspace) -> None:
    run = ("crawl", "run", "--world", WORLD, "--no-graph", "--workspace", space.root, "--limit-pages", "5", "--json")
    for strategy in ("ssvsm_guide", "best_first"):
        assert command(*run, "--strategy", strategy, "--run", f"knows-{strategy}").code == 0
    config = runs.config_of(space, "knows-ssvsm_guide")
    informed = crawl_setup._guide_of("ssvsm", config, None)
    assert np.asarray(informed.similarities["GTK"]).tolist() == config.similarities["GTK"]  # type: ignore[attr-defined]
    assert not hasattr(crawl_setup._guide_of("paper_000", config, None), "similarities")
    assert runs.config_of(space, "knows-best_first").similarities == {}
