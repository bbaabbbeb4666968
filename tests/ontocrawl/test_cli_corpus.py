"""`ontocrawl corpus import|stats`: the JSON that scripts rely on, files written whole, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ontology.corpus import read
from tests.ontocrawl.conftest import Command
from tests.ontology.corpus.test_corpus import EXPORTS, REFWORKS, SELF_DEFINED, manifest, real_exports
from tests.ontology.test_errors import CHINESE


def exports(tmp_path: Path) -> Path:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "a.txt").write_bytes(REFWORKS.encode("gb18030"))
    (folder / "b.txt").write_text(SELF_DEFINED, encoding="utf-16")
    (folder / "c.txt").write_text("K1 半条\nAB 断\n" + REFWORKS, encoding="utf-8")
    (folder / "d.bin").write_bytes(b"\x89PNG\r\n\0\0")
    return folder


def test_import_reports_each_file(command: Command, tmp_path: Path) -> None:
    answer = command("corpus", "import", exports(tmp_path), "--json")
    found = answer.json
    assert answer.code == 0
    rows = [(Path(f["file"]).name, f["format"], f["encoding"], f["records"], f["problems"]) for f in found["files"]]
    assert rows == [
        ("a.txt", "cnki_refworks", "gb18030", 2, 0),
        ("b.txt", "cnki_self_defined", "utf-16", 2, 0),
        ("c.txt", "cnki_refworks", "utf-8", 2, 1),
        ("d.bin", "", "", 0, 1),
    ]
    assert (found["records"], found["duplicates"], found["documents"]) == (6, 2, 3)  # one has no abstract
    assert (found["with_keywords"], found["languages"], found["warnings"]) == (3, {"zh": 4, "en": 0}, [])
    assert [(Path(p["file"]).name, p["line"]) for p in found["problems"]] == [("c.txt", 1), ("d.bin", 0)]
    assert "nothing was written" in answer.err


def test_import_of_a_relative_and_an_absolute_path(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = exports(tmp_path)
    monkeypatch.chdir(tmp_path)
    answer = command("corpus", "import", Path("exports/a.txt"), folder / "c.txt")
    assert answer.code == 0, answer.err
    assert "a.txt" in answer.out and "c.txt" in answer.out


def test_import_writes_one_clean_file_and_all_problems(command: Command, tmp_path: Path) -> None:
    out, problems = tmp_path / "out" / "corpus.jsonl", tmp_path / "problems.jsonl"
    folder = exports(tmp_path)
    answer = command("corpus", "import", folder, "--out", out, "--problems", problems)
    assert answer.code == 0
    assert "6 records read, 2 duplicates merged: 4 records, 2 problems" in " ".join(answer.out.split())
    assert read(out).documents == read(folder).documents
    told = [json.loads(line) for line in problems.read_text(encoding="utf-8").splitlines()]
    assert [sorted(p) for p in told] == [["file", "line", "reason"]] * 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["exports", "out", "problems.jsonl"]
    assert [p.name for p in out.parent.iterdir()] == ["corpus.jsonl"]


def test_nothing_half_written_where_nothing_can_be_read(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("只是一段话", encoding="utf-8")
    out = tmp_path / "corpus.jsonl"
    answer = command("corpus", "import", tmp_path / "a.txt", "--out", out, "--problems", tmp_path / "p.jsonl")
    assert (answer.code, answer.out) == (2, "")
    assert "known formats" in answer.err and "Traceback" not in answer.err
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert command("corpus", "import", tmp_path / "none").code == 2


def test_titles_are_no_documents(command: Command, tmp_path: Path) -> None:
    path, out = tmp_path / "titles.jsonl", tmp_path / "out.jsonl"
    titles = ["Drainage of pleural effusion", "Chest tubes", "Empyema in children", "Thoracoscopy"]
    path.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles), encoding="utf-8")
    answer = command("corpus", "import", path, "--out", out)
    said = answer.err.replace("\n", " ")
    assert answer.code == 0
    assert "4 records, 0% with abstracts, 0% with keywords, 0% Chinese, 100% English, 0 duplicates merged" in said
    assert "4 of 4 records have no abstract, such as “Drainage of pleural effusion”, “Chest tubes”, “Empyema" in said
    assert "(4 records, none of them with an abstract)" in said and "4 documents" not in said
    assert command("corpus", "import", path, "--json").json["documents"] == 0
    found = command("corpus", "stats", path)
    assert "4 of 4 records have no abstract" in found.err.replace("\n", " ")


def test_stats(command: Command, tmp_path: Path) -> None:
    found = command("corpus", "stats", exports(tmp_path), "--json").json
    assert {"files", "records", "duplicates", "documents", "years", "keywords", "sources", "fields"} <= set(found)
    assert found["years"] == {"2015": 1, "2019": 1, "2020": 1, "2021": 1}
    assert found["fields"]["abstract"] == 3
    assert found["keywords"][0] == {"keyword": "暴雨", "documents": 2}
    shown = command("corpus", "stats", tmp_path / "exports", "--top", "1")
    assert "暴雨" in shown.out and "内涝" not in shown.out
    (tmp_path / "bare.csv").write_text("题名,摘要\n台风,风很大\n", encoding="utf-8")
    bare = command("corpus", "stats", tmp_path / "bare.csv")
    assert {"Years: no rows", "Sources: no rows"} <= set(bare.err.splitlines())


def test_problems_and_layouts_are_said_in_chinese(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("题名,摘要,年份\n暴雨,水很大,2001\n台风\n,无题,2002\n", encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"")
    told = command("--lang", "zh", "corpus", "stats", tmp_path)
    lines = [line.replace(f"{tmp_path}/", "") for line in told.err.splitlines()]
    for line in (
        "a.csv：以逗号分隔；读取：题名 (title), 摘要 (abstract), 年份 (year)",
        "a.csv 第 3 行：有 1 个单元格，表头有 3 个：此行在这里被截断",
        "a.csv 第 4 行：记录没有题名（题名列中没有值）",
        "文件 b.txt：b.txt 是空的；请重新导出记录",
    ):
        assert line in lines, told.err
    assert not [line for line in lines if line and not CHINESE.search(line)]
    told = command("--lang", "zh", "corpus", "stats", tmp_path, "--json")
    assert told.json["problems"][1]["reason"] == "record without a title (no value in the title column)"
    assert told.json["files"][0]["layout"] == "parted by commas; read: 题名 (title), 摘要 (abstract), 年份 (year)"
    (tmp_path / "a.csv").write_text("题名,年份\n,2001\n", encoding="utf-8")
    told = command("--lang", "zh", "corpus", "stats", tmp_path / "a.csv")
    assert told.code == 2 and "第一个问题：" in told.err and "第 2 行：记录没有题名（题名列中没有值）" in told.err


@pytest.mark.slow
@real_exports
def test_import_of_the_real_exports_agrees_with_their_manifest(command: Command) -> None:
    found = command("corpus", "import", EXPORTS, "--json").json
    assert {Path(f["file"]).name: f["records"] for f in found["files"]} == {n: r for n, _, r in manifest()}
    assert found["records"] == 3681
    assert all(f["format"] and f["encoding"] for f in found["files"])
    assert sum(f["problems"] for f in found["files"]) == found["problem_count"] == len(found["problems"])
