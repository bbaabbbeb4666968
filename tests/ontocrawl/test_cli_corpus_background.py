"""`ontocrawl corpus background`: the table that it writes, its JSON, wrong input."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from ontology.terms.document_frequencies import load
from tests.ontocrawl.conftest import Command

ROOT = Path(__file__).resolve().parents[2]
ROWS = (
    {"title": "暴雨灾害", "abstract": "暴雨的管理"},
    {"title": "灾害管理", "abstract": "暴雨"},
    {"title": "灾害", "abstract": "土壤"},
)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "export.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["table.tsv", "table.tsv.gz"])
def test_json_and_the_file(command: Command, export: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "new" / name
    answer = command("corpus", "background", export, "--out", out, "--least", "2", "--source", "by hand", "--json")
    assert answer.code == 0
    assert answer.json == {"documents": 3, "forms": 3, "least": 2, "source": "by hand", "file": str(out)}
    assert "written" in answer.err and "problems" not in answer.err
    table = load(out)
    assert dict(table.frequency) == {"暴雨": 2, "灾害": 3, "管理": 2}
    assert (table.documents, table.least, table.source) == (3, 2, "by hand")


def test_the_table_on_the_screen_and_the_defaults(command: Command, export: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.tsv"
    answer = command("corpus", "background", export, "--out", out)
    assert answer.code == 0
    for word in ("documents", "forms", "source", "file", "export.jsonl"):
        assert word in answer.out
    assert dict(load(out).frequency) == {"灾害": 3}
    assert load(out).source == "export.jsonl"
    folder = tmp_path / "many"
    folder.mkdir()
    copies = [folder / f"{letter}.jsonl" for letter in "abcde"]
    for copy in copies:
        copy.write_bytes(export.read_bytes())
    found = command("corpus", "background", *copies, "--out", out, "--json").json
    assert (found["source"], found["documents"]) == ("a.jsonl, b.jsonl, c.jsonl and 2 more", 3)


def test_the_example_of_the_documentation(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "topics.md").read_text(encoding="utf-8")
    typed, shown = re.findall(r"```sh\nontocrawl (corpus background .*)\n```\n\n```json\n(.*?)```", text, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    arguments = [str(ROOT / word) if "/" in word else word for word in shlex.split(typed)]
    assert command(*arguments).json == json.loads(shown)


def test_problems_are_noted(command: Command, export: Path, tmp_path: Path) -> None:
    export.write_text(export.read_text(encoding="utf-8") + '{"keywords": "无题"}\n', encoding="utf-8")
    answer = command("corpus", "background", export, "--out", tmp_path / "t.tsv", "--json")
    assert answer.code == 0
    assert "1 problems in the corpus" in answer.err
    assert answer.json["documents"] == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export.jsonl", "--out", "t.csv"], "a file *.tsv or *.tsv.gz"),
        (["export.jsonl", "--out", "t.gz"], "a file *.tsv or *.tsv.gz"),
        (["export.jsonl"], "--out"),
        (["export.jsonl", "--out", "t.tsv", "--least", "0"], "--least"),
        (["export.jsonl", "--out", "t.tsv", "--least", "4"], "no word occurs in 4 of 3 documents"),
        (["none.jsonl", "--out", "t.tsv"], "none.jsonl"),
        (["--out", "t.tsv"], "PATH"),
    ],
)
def test_wrong_input_writes_nothing(
    command: Command,
    export: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = command("corpus", "background", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert says in " ".join(answer.err.split()) and "Traceback" not in answer.err
    assert list(tmp_path.iterdir()) == [export]
