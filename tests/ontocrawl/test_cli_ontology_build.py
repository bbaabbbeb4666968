"""`ontocrawl ontology build`: what a user adds to what is bundled, and what remains to be translated."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from ontocrawl.errors import USAGE
from ontology import owl
from ontology.terms.lexicon import load
from tests.ontocrawl.conftest import Command


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Papers on rock bursts, which nothing that is bundled knows."""
    path = tmp_path / "papers.jsonl"
    words = ["岩爆", "岩爆烈度", "微震台网", "滑坡"]
    papers = [
        {"id": number, "title": f"岩爆与滑坡之{number}", "abstract": "岩爆烈度由微震台网监测。", "keywords": words}
        for number in "一二三四"
    ]
    path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in papers), encoding="utf-8")
    return path


@pytest.mark.slow
def test_what_lacks_english_is_a_lexicon_to_fill_in(command: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build = ("ontology", "build", "--corpus", corpus, "--out", out, "--unplaced", "root")
    first = command(*build)
    assert first.code == 0
    todo = out / "untranslated.tsv"
    assert f"--lexicon {todo}" in first.err.replace("\n", "")
    assert "岩爆" in [e.zh for e in load(todo).entries]
    filled = tmp_path / "filled.tsv"
    filled.write_text(todo.read_text(encoding="utf-8").replace("岩爆\t", "岩爆\trockburst", 1), encoding="utf-8")
    assert command(*build, "--lexicon", filled).code == 0
    assert "岩爆" not in [e.zh for e in load(todo).entries]
    todo.write_text(todo.read_text(encoding="utf-8") + "微震台网\tmicroseismic network\n", encoding="utf-8")
    again = command(*build, "--lexicon", filled, "--lexicon", todo)
    assert again.code == 0
    assert load(todo).english("微震台网") == "microseismic network"
    unnamed = next(e.zh for e in load(todo).entries if not e.en)
    todo.write_text(
        todo.read_text(encoding="utf-8").replace(f"{unnamed}\t\t", f"{unnamed}\t\t同义词", 1), encoding="utf-8"
    )
    assert command(*build, "--lexicon", filled).code == 0
    assert load(todo).by_zh[unnamed].synonyms_zh == ("同义词",)
    named = {c.label_zh: c.label_en for c in owl.read(out / "rainstorm.ttl").concepts}
    assert named["岩爆"] == "rockburst"
    assert named["滑坡"] == "landslide"


@pytest.mark.slow
def test_own_classes_hold_the_terms_and_the_bundled_ones_can_be_left_out(
    command: Command, corpus: Path, tmp_path: Path
) -> None:
    classes = tmp_path / "classes.tsv"
    header = "zh\ten\tparents\tmembers\tendings\taccepts\n"
    classes.write_text(header + "动力灾害\tdynamic disaster\t\t岩爆\n", encoding="utf-8")
    for bundled, expected in (("--bundled", True), ("--no-bundled", False)):
        out = tmp_path / bundled
        build = ("ontology", "build", "--corpus", corpus, "--out", out, "--classes", classes, bundled)
        assert command(*build).code == 0
        learned = owl.read(out / "rainstorm.ttl")
        parents = {learned.by_iri[r.source].label: learned.by_iri[r.target].label for r in learned.edges("subclass_of")}
        assert parents["岩爆"] == "动力灾害"
        assert ("工程与设施" in parents) is expected


@pytest.mark.slow
def test_a_single_member_keeps_a_class_that_the_user_asked_for(command: Command, corpus: Path, tmp_path: Path) -> None:
    classes = tmp_path / "classes.tsv"
    classes.write_text(
        "zh\ten\tparents\tmembers\tendings\taccepts\n岩爆灾害\trockburst disaster\t自然灾害\t岩爆\n", "utf-8"
    )
    out = tmp_path / "out"
    assert command("ontology", "build", "--corpus", corpus, "--out", out, "--classes", classes).code == 0
    learned = owl.read(out / "rainstorm.ttl")
    parents = {learned.by_iri[r.source].label: learned.by_iri[r.target].label for r in learned.edges("subclass_of")}
    assert parents["岩爆"] == "岩爆灾害"


@pytest.mark.slow
def test_what_does_not_fit_together_is_told(command: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build = ("ontology", "build", "--corpus", corpus)
    first = command(*build, "--out", out, "--licence", "CC-BY-4.0")
    assert "only 0% of the records have a word of the topic rainstorm, such as “岩爆与滑坡之一”" in first.err
    assert first.err.index("4 records, 100% with abstracts") < first.err.index("written:")
    assert owl.read(out / "rainstorm.ttl").licence == "CC-BY-4.0"
    for wrong, says in (
        (("--out", out, "--topic", "typhoon"), "holds an ontology of another topic"),
        (("--out", tmp_path / "o", "--reading", "published", "--unplaced", "drop"), "is for --reading evidence"),
        (("--out", corpus), "choose another with --out"),
    ):
        answer = command(*build, *wrong)
        assert answer.code in (1, USAGE)
        assert says in answer.err.replace("\n", "")
    same = command(*build, "--out", tmp_path / "p", "--reading", "published")
    assert "terms of the same documents became one class" in same.err


def test_own_classes_that_break_are_named(command: Command, corpus: Path, tmp_path: Path) -> None:
    classes = tmp_path / "classes.tsv"
    classes.write_text("zh\ten\n", encoding="utf-8")
    answer = command("ontology", "build", "--corpus", corpus, "--out", tmp_path / "out", "--classes", classes)
    assert answer.code == USAGE
    assert "classes.tsv" in answer.err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_commands_to_go_on_with_can_be_pasted_into_a_shell(command: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "my papers" / "it's out"
    built = command("ontology", "build", "--corpus", corpus, "--out", out, "--unplaced", "root")
    told = " ".join(built.err.split("\n"))
    assert shlex.split(told.partition("Crawl with it: ontocrawl ")[2])[:4] == [
        "crawl", "run", "--topic", str(out / "rainstorm.toml"),
    ]  # fmt: skip
    lexicon = told.partition("then build with ")[2].partition(" written: ")[0]
    assert shlex.split(lexicon)[:2] == ["--lexicon", str(out / "untranslated.tsv")]
    file = tmp_path / "my topic.toml"
    words = command("topic", "build", "bursts", "--corpus", corpus, "--out", file)
    assert shlex.split(words.err.partition("then: ")[2])[-2:] == ["--topic", str(file)]
    (tmp_path / "other file.ttl").write_text("<http://x.example/a> a <http://x.example/B> .", encoding="utf-8")
    with pytest.raises(owl.OwlError) as caught:
        owl.read(tmp_path / "other file.ttl")
    assert shlex.split(str(caught.value).partition("convert it: ")[2])[3] == str(tmp_path / "other file.ttl")


def _parents(file: Path) -> dict[str, str]:
    learned = owl.read(file)
    return {learned.by_iri[r.source].label: learned.by_iri[r.target].label for r in learned.edges("subclass_of")}


@pytest.mark.slow
def test_lists_of_a_field_act_only_where_the_topic_names_it(command: Command, corpus: Path, tmp_path: Path) -> None:
    build = ("ontology", "build", "--corpus", corpus, "--topic", "bursts", "--label", "zh=冲击地压,en=bursts")
    placed = {}
    for name, given in (("none", ("--unplaced", "root")), ("earth", ("--field", "earth"))):
        out = tmp_path / name
        assert command(*build, "--out", out, *given).code == 0
        placed[name] = _parents(out / "bursts.ttl")
        field = tomllib.loads((out / "bursts.toml").read_text(encoding="utf-8")).get("field", "none")
        assert field == name
    assert placed["earth"]["滑坡"] == "灾害"
    assert placed["none"]["滑坡"] == "冲击地压" and "灾害" not in placed["none"]
    figures = json.loads((tmp_path / "earth" / "summary.json").read_text(encoding="utf-8"))
    below = [child for child, parent in placed["earth"].items() if parent != "冲击地压"]
    assert {"滑坡", "岩爆烈度"} <= set(below) and figures["placed"] == len(below) < figures["terms"]
    assert figures["terms"] == figures["placed"] + figures["below_topic"] + len(figures["waiting"])
    assert sum(figures["edges_by_rule"].values()) == len(below) and figures["edges_by_rule"]["top class"] > 0
    again = command(
        "ontology", "build", "--corpus", corpus, "--topic", tmp_path / "earth" / "bursts.toml", "--out", out
    )
    assert again.code == 0 and _parents(out / "bursts.ttl") == placed["earth"]  # the topic file names its field


def test_a_field_is_of_a_new_topic_and_has_lists(command: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build = ("ontology", "build", "--corpus", corpus, "--out", out)
    exists = command(*build, "--field", "earth")
    assert exists.code == USAGE and "its field is in its file" in exists.err.replace("\n", " ")
    unknown = command(*build, "--topic", "bursts", "--label", "en=bursts", "--field", "erath")
    assert unknown.code == USAGE and "did you mean 'earth'" in unknown.err.replace("\n", " ")
    assert not out.exists()
    file = tmp_path / "odd.toml"
    file.write_text(
        'name = "odd"\nlabel = {zh = "x", en = "x"}\nfield = "medicine"\n[[words]]\nweight = 1\nen = ["x"]\n', "utf-8"
    )
    odd = command(*build, "--topic", file)
    assert odd.code == USAGE and "no lists come with ontocrawl for the field 'medicine'" in odd.err.replace("\n", " ")


@pytest.mark.slow
def test_lists_of_terms_are_those_of_the_terms_command(command: Command, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    black = tmp_path / "black.txt"
    black.write_text("岩爆烈度\n", encoding="utf-8")
    build = ("ontology", "build", "--corpus", corpus, "--out", out, "--unplaced", "root")
    before = command(*build, "--json").json
    assert "岩爆烈度" in _parents(out / "rainstorm.ttl")
    after = command(*build, "--black", black, "--json").json
    assert "岩爆烈度" not in _parents(out / "rainstorm.ttl")
    assert after["terms"] == before["terms"] - 1 and after["version"] != before["version"]


@pytest.mark.slow
def test_nothing_learned_is_a_failure_that_says_what_to_try(command: Command, tmp_path: Path) -> None:
    path, out = tmp_path / "papers.jsonl", tmp_path / "out"
    words = ["岩爆", "微震", "滑坡"]
    papers = [{"id": n, "title": f"岩爆、微震、滑坡之{n}", "abstract": "", "keywords": words} for n in "一二三四"]
    path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in papers), encoding="utf-8")
    build = ("ontology", "build", "--corpus", path, "--topic", "bursts", "--label", "zh=冲击地压", "--out", out)
    answer = command(*build)
    told = " ".join(answer.err.split())
    assert answer.code == 1 and "nothing was learned: none of the 3 terms of 4 records" in told
    assert "--min-documents" in told and "--classes" in told and "--unplaced root" in told
    assert not out.exists()
    assert command(*build, "--unplaced", "root").code == 0


def test_a_column_that_may_be_that_of_the_abstracts_is_named(command: Command, tmp_path: Path) -> None:
    for column, says in (("内容", True), ("摘要", False)):
        rows = "".join(f"小麦产量{n},小麦的产量与品种,小麦;产量\n" for n in range(4))
        (tmp_path / "wheat.csv").write_text(f"题名,{column},关键词\n{rows}", encoding="utf-8")
        line = ("--corpus", tmp_path / "wheat.csv", "--topic", "wheat", "--label", "zh=小麦", "--out", tmp_path / "out")
        said = command("ontology", "build", *line).err.replace("\n", " ")
        assert ("left out: 内容" in said) is says and ("have no abstract" in said) is says
