"""`ontocrawl ontology draw|document`: pictures by suffix, contexts and ontologies, wrong requests, whole files."""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import pytest

from ontology import formats
from tests.ontocrawl.conftest import Command
from tests.ontology.contexts import named, table1

ONTOLOGIES = Path(__file__).resolve().parents[2] / "ontologies"


@pytest.fixture
def context(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "table1.cxt"
    path.parent.mkdir()
    formats.write(table1(), path)
    return path


def test_a_lattice_as_svg_and_page(command: Command, context: Path, tmp_path: Path) -> None:
    for name, start in (("l.svg", "<svg"), ("l.html", "<!DOCTYPE html>")):
        answer = command("ontology", "draw", context, "--out", tmp_path / "out" / name, "--json")
        assert answer.code == 0, answer.err
        found = answer.json
        assert (found["kind"], found["concepts"], found["edges"], found["missing_glyphs"]) == ("lattice", 12, 19, [])
        assert Path(found["file"]).read_text(encoding="utf-8").startswith(start)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["l.html", "l.svg"], "no temporary file is left"
    answer = command("ontology", "draw", context, "--out", tmp_path / "i.svg", "--min-support", "2", "--json")
    assert answer.json["concepts"] == 7 and "至少" not in answer.json["caption"]
    assert "iceberg" in answer.json["caption"] and "冰山格" in answer.out
    small = command("ontology", "draw", context, "--out", tmp_path / "s.svg", "--max-concepts", "4", "--json").json
    assert small["concepts"] <= 4 and "of 12 concepts" in small["caption"]


def test_a_png_and_its_width(command: Command, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="extra pictures")
    odd = named(np.eye(3, dtype=bool))
    formats.write(type(odd)(odd.objects, ("暴雨", "\U0001f327", "c"), odd.rows), tmp_path / "odd.cxt")
    answer = command("ontology", "draw", tmp_path / "odd.cxt", "--out", tmp_path / "o.png", "--width", "400")
    assert answer.code == 0
    assert "U+1F327" in answer.err and answer.out == ""
    assert (tmp_path / "o.png").read_bytes()[16:20] == (400).to_bytes(4, "big")
    wide = command("ontology", "draw", "typhoon", "--out", tmp_path / "w.png", "--width", "900000")
    assert wide.code == 2 and "pixels" in wide.err and not (tmp_path / "w.png").exists()


@pytest.mark.parametrize("kind", ["tree", "dag"])
def test_ontologies_and_topics(command: Command, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "o.svg"
    answer = command("ontology", "draw", ONTOLOGIES / "rainstorm.ttl", "--kind", kind, "--out", out, "--depth", "1",
                     "--lang", "en", "--json")  # fmt: skip
    assert answer.code == 0 and answer.json["classes"] == 81
    text = out.read_text(encoding="utf-8")
    assert "monitoring and warning" in text and "4 classes are drawn" in text
    page = tmp_path / "o.html"
    topic = command("ontology", "draw", "typhoon", "--kind", kind, "--out", page)
    assert topic.code == 0 and "written" in topic.err
    assert "台风" in page.read_text(encoding="utf-8")


def test_titles_of_documents(command: Command, context: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"id": "D1", "title": "一次暴雨过程分析", "abstract": "暴雨。"}\n', encoding="utf-8")
    out = tmp_path / "l.html"
    answer = command("ontology", "draw", context, "--out", out, "--corpus", records)
    assert answer.code == 0, answer.err
    assert "一次暴雨过程分析" in out.read_text(encoding="utf-8")


def test_document(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "doc.html"
    answer = command("ontology", "document", "rainstorm", "--out", out, "--lang", "zh", "--json")
    assert answer.code == 0 and answer.json["classes"] == 81
    assert 'id="CityWaterlogging"' in out.read_text(encoding="utf-8")


def test_a_context_that_would_blow_up_is_drawn_as_an_iceberg(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ontocrawl.cli.ontology_draw.LIMIT", 1000)
    all_but_diagonal = named(~np.eye(20, dtype=bool))  # 2^20 concepts
    formats.write(all_but_diagonal, tmp_path / "big.cxt")
    answer = command("ontology", "draw", tmp_path / "big.cxt", "--out", tmp_path / "b.svg", "--max-concepts", "500",
                     "--json")  # fmt: skip
    assert answer.code == 0, answer.err
    # Each set of the 20 objects is an extent: 211 have 18 objects or more, and 1,351 have 17. A set has one upper cover
    # for each object that it lacks.
    assert answer.json["concepts"] == comb(20, 18) + comb(20, 19) + 1
    assert answer.json["edges"] == comb(20, 18) * 2 + comb(20, 19)
    assert "iceberg: 211 concepts, those with at least 18 objects" in answer.json["caption"]
    assert "only those with 18 documents are computed" in " ".join(answer.err.split())


def test_wrong_requests_write_nothing(command: Command, context: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for arguments in (
        ["draw", context, "--out", out / "x.pdf"],
        ["draw", context, "--out", out / "x.svg", "--kind", "dag"],
        ["draw", "rainstorm", "--out", out / "x.svg", "--kind", "lattice"],
        ["draw", tmp_path / "none.ttl", "--out", out / "x.svg"],
        ["draw", "nosuchtopic", "--out", out / "x.svg"],
        ["draw", context, "--out", out / "x.svg", "--min-support", "99"],
        ["document", context, "--out", out / "x.html"],
        ["document", "rainstorm", "--out", out / "x.svg"],
    ):
        answer = command("ontology", *arguments)
        assert (answer.code, answer.out) == (2, ""), arguments
        assert "expected" in answer.err or "there is no" in answer.err or "is drawn as" in answer.err
        assert not out.exists()
