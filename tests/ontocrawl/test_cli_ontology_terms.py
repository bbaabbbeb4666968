"""`ontocrawl ontology terms`: the table, explanations, files, and wrong inputs."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
import typer

from ontocrawl.cli import main
from ontocrawl.cli.commands import answering
from ontocrawl.cli.ontology_terms import terms
from ontocrawl.errors import USAGE
from tests.ontocrawl.conftest import Command, CommandResult

SAMPLE = Path(__file__).parents[2] / "ontocrawl" / "sample" / "abstracts.txt"


@pytest.fixture
def run(command: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command by itself, with the program's handling of errors."""
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(answering(terms))
    monkeypatch.setattr(main, "app", app)

    def call(*arguments: str | Path) -> CommandResult:
        return command("--corpus", SAMPLE, *arguments)

    return call


def test_terms_of_the_sample(run: Command) -> None:
    answer = run("--json", "--top", "30", "--min-documents", "2")
    assert answer.code == 0
    found = answer.json
    names = [row["term"] for row in found["terms"]]
    assert len(names) == 30 <= found["kept"]
    assert {"暴雨", "城市内涝"} <= set(names)
    scores = [row["score"] for row in found["terms"]]
    assert scores == sorted(scores, reverse=True)
    assert all(row["why"] and row["documents"] >= 2 for row in found["terms"])
    assert "暴雨" in answer.out  # not escaped


def test_a_table(run: Command) -> None:
    answer = run("--top", "3")
    assert answer.code == 0
    assert "terms kept" in answer.out
    assert "--explain TERM" in answer.err


@pytest.mark.slow
def test_explanations(run: Command) -> None:
    answer = run("--explain", "暴雨", "--explain", "影响", "--explain", "火山灰", "--json")
    assert answer.code == 0
    kept, dropped, absent = answer.json["explanations"]
    assert (kept["status"], dropped["status"], absent["status"]) == ("kept", "dropped", "no candidate")
    assert kept["figures"]["documents"] > 0
    assert dropped["reasons"] == ["generic word or description"]
    said = run("--explain", "暴雨", "--field", "earth").out
    for word in ("暴雨: kept, rank", "entropy", "keyness", "C-value", "lexicon: 暴雨"):
        assert word in said
    assert any(identifier in said for identifier, _ in kept["sentences"])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json"])
def test_files(run: Command, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"terms{suffix}"
    answer = run("--out", out, "--max-terms", "20", "--json")
    assert answer.code == 0
    shown = [row["term"] for row in answer.json["terms"]]
    if suffix == ".json":
        written = json.loads(out.read_text(encoding="utf-8"))
        assert len(written["dropped"]) == answer.json["dropped"]
        rows = written["terms"]
    else:
        text = out.read_text(encoding="utf-8-sig")
        rows = list(csv.DictReader(text.splitlines(), delimiter="," if suffix == ".csv" else "\t"))
    assert [row["term"] for row in rows] == shown
    assert len(rows) == 20


@pytest.mark.slow
def test_lists_of_the_user(run: Command, tmp_path: Path) -> None:
    lists = {}
    for name, text in (("white", "时段\n"), ("black", "# no rain\n暴雨\n"), ("stop", "预警\n")):
        lists[name] = tmp_path / f"{name}.txt"
        lists[name].write_text(text, encoding="utf-8")
    asked = [x for name, path in lists.items() for x in (f"--{name}", path)]
    answer = run(*asked, "--json", "--top", "300", "--max-terms", "300")
    names = {row["term"] for row in answer.json["terms"]}
    assert "暴雨" not in names
    explained = run(*asked, "--explain", "暴雨", "--explain", "时段", "--json").json["explanations"]
    assert explained[0]["reasons"] == ["on the black list"]
    assert explained[1]["status"] == "kept" or "none of" in explained[1]["reasons"][0]


def test_own_lexicon_and_background(run: Command, tmp_path: Path) -> None:
    lexicon, background = tmp_path / "own.tsv", tmp_path / "frequency.tsv"
    lexicon.write_text("zh\ten\tsynonyms_zh\tsynonyms_en\n内涝\twaterlogging\t城市内涝\n", encoding="utf-8")
    background.write_text("暴雨\t100000\n的\t1000\n", encoding="utf-8")
    answer = run(
        "--lexicon", lexicon, "--background", background, "--explain", "城市内涝", "--explain", "暴雨", "--json"
    )
    joined, rain = answer.json["explanations"]
    assert joined["term"] == "内涝"
    assert rain["figures"]["keyness"] < 0


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        ("--lexicon", None, "could not be read"),
        ("--lexicon", "zh,en\n", "line 1"),
        ("--white", None, "could not be read"),
        ("--white", "暴雨\t3\n", "line 1"),
        ("--black", "暴雨;洪水\n", "line 1"),
        ("--stop", b"\xff\xfe\x00", "UTF-8"),
        ("--background", "暴雨 3\n", "line 1"),
        ("--out", None, ".csv, .tsv, .json"),
    ],
)
def test_wrong_inputs(run: Command, tmp_path: Path, option: str, text: str | bytes | None, says: str) -> None:
    path = tmp_path / "given.txt"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    answer = run(option, path)
    assert answer.code == USAGE
    assert "given.txt" in answer.err
    assert says in answer.err
    assert answer.out == ""


def test_white_and_black_contradict(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("暴雨\n", encoding="utf-8")
    answer = run("--white", path, "--black", path)
    assert answer.code == USAGE
    assert "暴雨" in answer.err


def test_an_empty_corpus(run: Command, command: Command, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    for path in (empty, tmp_path / "none", tmp_path):
        answer = command("--corpus", path)
        assert answer.code == USAGE
        assert answer.out == ""
        assert answer.err


def test_nothing_in_so_many_documents(run: Command) -> None:
    answer = run("--min-documents", "5000")
    assert answer.code == USAGE
    assert "give no term that 5000 of them share" in answer.err
    explained = run("--min-documents", "5000", "--explain", "暴雨")
    assert explained.code == 0
    assert "fewer than 5000" in explained.out


def test_the_explanation_in_the_documentation(run: Command) -> None:
    text = (SAMPLE.parents[2] / "docs" / "learn.md").read_text(encoding="utf-8")
    block = re.findall(r"```text\n\$ (ontocrawl ontology terms .*?)\n```", text, re.DOTALL)[0]
    asked, _, printed = block.partition("\n")
    words = asked.split()
    assert words[:5] == ["ontocrawl", "ontology", "terms", "--corpus", "ontocrawl/sample/abstracts.txt"]
    assert run(*words[5:]).out.rstrip() == printed
