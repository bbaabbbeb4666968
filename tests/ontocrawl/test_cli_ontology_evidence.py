"""`ontocrawl ontology build --evidence`: topics and rules beside FCA, and a class with what speaks for it."""

from __future__ import annotations

import importlib
import json
from importlib.resources import files
from pathlib import Path

import pytest

from ontocrawl.errors import USAGE
from tests.ontocrawl.conftest import Command

SAMPLE = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Papers on hail whose authors never say that 降雹 is a 冰雹."""
    path = tmp_path / "papers.jsonl"
    texts = ["降雹 冰雹 雷达"] * 6 + ["冰雹 雷达 暴雨"] * 4 + ["暴雨 洪水"] * 10
    numbers = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉"
    rows = [
        {"id": n, "title": f"{text} {n}", "abstract": text, "keywords": text.split()}
        for n, text in zip(numbers, texts, strict=True)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_rule_is_named_where_the_class_is_shown(command: Command, papers: Path, tmp_path: Path) -> None:
    build = ("ontology", "build", "--corpus", papers, "--evidence", "fca,apriori", "--out", tmp_path / "out")
    assert command(*build).code == 0
    shown = command("ontology", "show", tmp_path / "out" / "rainstorm.ttl", "--class", "降雹", "--json")
    assert shown.code == 0
    (entry,) = json.loads(shown.out)["classes"]
    assert [row["class"] for row in entry["above"]] == ["冰雹"]
    assert "apriori, support 0.300, confidence 1.00, lift 2.0" in entry["above"][0]["evidence"]
    text = command("ontology", "show", tmp_path / "out" / "rainstorm.ttl", "--class", "降雹").out
    assert "above: 冰雹 (subclass_of) 6 documents, confidence 1.00" in text
    assert "confidence: share of the narrower term's documents that are evidence of the edge" in " ".join(text.split())
    assert "    apriori, support 0.300" in text


@pytest.mark.slow
def test_topics_are_told_and_kept_in_the_summary(command: Command, papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = command("ontology", "build", "--corpus", papers, "--evidence", "fca, lda", "--out", out)
    assert made.code == 0
    assert "lda, topic 1" in made.err
    assert any("lda, topic 2" in note for note in json.loads((out / "summary.json").read_text("utf-8"))["notes"])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--evidence", "foo"), "--evidence 'foo' is none of fca, lda, apriori"),
        (("--evidence", "fca,"), "--evidence '' is none of fca, lda, apriori"),
        (("--evidence", "lda"), "write fca,lda"),
        (("--evidence", "fca,apriori", "--reading", "published"), "--reading evidence"),
    ],
)
def test_wrong_values(command: Command, tmp_path: Path, options: tuple[str, ...], named: str) -> None:
    found = command("ontology", "build", "--corpus", SAMPLE, "--out", tmp_path / "out", *options)
    assert found.code == USAGE
    assert named in " ".join(found.err.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_without_scikit_learn_the_extra_is_named(
    command: Command, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.import_module

    def missing(name: str, package: str | None = None) -> object:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", missing)
    build = ("ontology", "build", "--corpus", papers, "--out", tmp_path / "out")
    found = command(*build, "--evidence", "fca,lda")
    assert found.code == 4
    assert "pip install 'ontocrawl[topics]'" in " ".join(found.err.split())
    assert command(*build, "--evidence", "fca,apriori").code == 0


def test_a_class_that_is_none(command: Command) -> None:
    found = command("ontology", "show", "rainstorm", "--class", "暴雨灾")
    assert found.code == USAGE
    assert "similar names: 暴雨灾情, 暴雨灾害" in " ".join(found.err.split())
    assert "暴雨灾害" in command("ontology", "show", "rainstorm", "--class", "rainstorm disaster").out


def test_a_class_is_shown_in_chinese(command: Command, flood_folder: Path) -> None:
    (file,) = flood_folder.glob("*.ttl")
    shown = " ".join(command("--lang", "zh", "ontology", "show", file, "--class", "山洪").out.split())
    assert "上位：洪水（subclass_of） 1 篇文献，置信度 1.00 中心词" in shown
    assert "置信度：下位术语的文献中" in shown and "confidence" not in shown and "head noun" not in shown


@pytest.mark.slow
def test_olmoaco_crawls_on_what_was_learned(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of docs/learn.md: learn, name the files in a topic, crawl; the graph names the evidence."""
    monkeypatch.chdir(tmp_path)
    build = ("ontology", "build", "--corpus", SAMPLE, "--evidence", "fca,lda,apriori", "--out", "learned")
    assert command(*build).code == 0
    shipped = files("ontologies") / "topics" / "rainstorm.toml"
    lines = shipped.read_text(encoding="utf-8").splitlines(keepends=True)
    own = 'ontologies = ["learned/rainstorm.ttl", "learned/rainstorm-monitoring.ttl"]\n'
    Path("my-rainstorm.toml").write_text(
        "".join(own if line.startswith("ontologies = ") else line for line in lines), encoding="utf-8"
    )
    world = ("--world", "synthetic:planted?pages=500&seed=1", "--limit-pages", "40")
    crawl = ("crawl", "run", "--topic", "./my-rainstorm.toml", "--strategy", "olmoaco", *world, "--run", "o", "--json")
    ran = command(*crawl)
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["strategy"], found["fetched"]) == ("olmoaco", 40)
    asked = "MATCH ()-[r:SUBCLASS_OF]->() WHERE r.evidence CONTAINS 'lda, both of topic' RETURN count(r) AS n"
    told = command("query", "cypher", asked, "--json")
    assert json.loads(told.out)["rows"][0][0] > 0
