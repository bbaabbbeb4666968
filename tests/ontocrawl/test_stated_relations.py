"""From the bundled sample to an answer: what causes landslides, as the abstracts state it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from kg.engine import embedded
from ontology import owl
from tests.ontocrawl.conftest import Command

SENTENCE = "暴雨常在山区诱发山洪、滑坡和泥石流并形成灾害链"


@pytest.mark.slow
def test_what_abstracts_state_is_in_the_files_and_answers_queries(command: Command, tmp_path: Path) -> None:
    corpus, out = tmp_path / "abstracts.txt", tmp_path / "out"
    corpus.write_bytes((files("ontocrawl") / "sample" / "abstracts.txt").read_bytes())
    where = ("--workspace", tmp_path, "--json")
    assert command("ontology", "build", "--corpus", corpus, "--out", out, *where).code == 0
    (entry,) = command("ontology", "show", out / "rainstorm.ttl", "--class", "暴雨", *where).json["classes"]
    caused = {row["class"]: row for row in entry["above"] if row["relation"] == "causes"}
    assert {"山洪", "滑坡", "泥石流"} <= set(caused)
    row = caused["滑坡"]
    assert (row["evidence"], row["sentence"], row["support"], len(row["documents"])) == ("cue 诱发", SENTENCE, 1, 1)
    text = (out / "rainstorm.ttl").read_text(encoding="utf-8")
    assert "owl:onProperty oc:causes" in text and owl.read(out / "rainstorm.rdf") == owl.read(out / "rainstorm.ttl")
    assert command("graph", "load", out / "rainstorm.toml", *where).code == 0
    answers = command("query", "run", "ontology/causes", "concept=滑坡", *where).json["rows"]
    assert ["暴雨", 1, ["暴雨", "滑坡"]] in answers
    stated = command("query", "run", "evidence/relations_of_concept", "concept=滑坡", *where).json["rows"]
    assert ("暴雨", "CAUSES", "滑坡", "cue 诱发") in {(*row[:3], row[-1]) for row in stated}
    embedded.stop(tmp_path / "graph")
