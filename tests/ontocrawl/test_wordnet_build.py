"""`ontology build --wordnet FOLDER` and `learn(.., wordnet=FOLDER)`: places, their evidence, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ontocrawl
from ontocrawl.exceptions import WordnetError
from tests.ontocrawl.conftest import Command
from tests.ontology.wordnets import database

BIRDS = ("crane", "heron", "stork")
TEXTS = ("A {0} was fed at the lake. The {0} slept.", "We heard one {0}.", "The wings of a {0} are wide in winter.")
LABEL = {"zh": "动物园", "en": "zoo"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    records = [
        {"id": f"{bird}{i}", "title": f"Notes {i} on a {bird}", "abstract": text.format(bird)}
        for bird in BIRDS
        for i, text in enumerate(TEXTS)
    ]
    path = tmp_path / "birds.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_build_places_terms_by_a_wordnet_and_shows_why(command: Command, corpus: Path, tmp_path: Path) -> None:
    place = ("--workspace", tmp_path / "space")
    white = tmp_path / "white.txt"
    white.write_text("\n".join(BIRDS), encoding="utf-8")
    topic = ("--topic", "zoo", "--label", "zh=动物园,en=zoo", "--no-ask", "--out", tmp_path / "out")
    build = ("ontology", "build", "--corpus", corpus, "--white", white, *topic, *place)
    answer = command(*build, "--wordnet", tmp_path)
    assert answer.code == 2 and "data.noun and index.noun" in answer.err.replace("\n", " ")
    answer = command(*build, "--wordnet", database(tmp_path / "wordnet"), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["edges_by_rule"]["wordnet"] == 3
    assert any("3 placed by it" in note for note in answer.json["notes"])
    shown = command("ontology", "show", tmp_path / "out" / "zoo.ttl", "--class", "stork", *place)
    assert "above: flyer" in shown.out
    assert "a white flyer that clatters" in " ".join(shown.out.split())


@pytest.mark.slow
def test_learn_takes_the_folder_of_a_wordnet(corpus: Path, tmp_path: Path) -> None:
    def learned(wordnet: Path) -> ontocrawl.Learned:
        return ontocrawl.learn(
            corpus, "zoo", label=LABEL, out=tmp_path / "out", workspace=tmp_path / "space", wordnet=wordnet,
            options=ontocrawl.LearnOptions(required_terms=BIRDS),
        )  # fmt: skip

    with pytest.raises(WordnetError, match=r"no English wordnet"):
        learned(tmp_path)
    assert learned(database(tmp_path / "wordnet")).summary["edges_by_rule"]["wordnet"] == 3
