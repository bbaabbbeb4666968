"""`ontocrawl ontology lattice`: the JSON that scripts rely on, stability, basis, cut, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer

from ontocrawl.cli.commands import answering
from ontocrawl.cli.main import sentence
from ontocrawl.cli.ontology_lattice import lattice as lattice_command
from ontology import formats
from ontology.lattice import lattice, stability
from tests.ontocrawl.conftest import Command, CommandResult
from tests.ontology.contexts import named, table1


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command by itself, so that it is tested wherever it is registered."""
    app = typer.Typer()
    app.command()(answering(lattice_command))

    def one(*arguments: str | Path) -> CommandResult:
        capsys.readouterr()
        code, said = 0, ""
        try:
            app([str(a) for a in arguments], standalone_mode=False)
        except (ValueError, OSError) as error:
            code, said = 1, sentence(error)
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err + said)

    return one


@pytest.fixture
def table1_file(tmp_path: Path) -> Path:
    formats.write(table1(), tmp_path / "table1.cxt")
    return tmp_path / "table1.cxt"


def test_the_shape_that_scripts_rely_on(run: Command, table1_file: Path) -> None:
    found = run(table1_file, "--json").json
    assert {k: found[k] for k in ("objects", "attributes", "concepts", "edges")} == {
        "objects": 5, "attributes": 8, "concepts": 12, "edges": 19,
    }  # fmt: skip
    assert found["seconds"] > 0
    assert found["cut"] is None
    part = run(table1_file, "--json", "--min-support", "2").json
    assert (part["concepts"], part["min_support"]) == (7, 2)


def test_stability_and_the_stable_part(run: Command, table1_file: Path, tmp_path: Path) -> None:
    values = stability(lattice(table1())).values
    found = run(table1_file, "--stability", "--json").json
    assert found["stability"]["exact"] == 12
    assert found["stability"]["median"] == pytest.approx(float(np.median(values)))
    out, svg = tmp_path / "out" / "lattice.json", tmp_path / "lattice.svg"
    answer = run(table1_file, "--min-stability", "0.5", "--out", out, "--svg", svg, "--json")
    kept = int((values >= 0.5).sum())
    assert answer.json["concepts"] == kept < 12
    assert answer.json["stability"]["concepts_before"] == 12
    written = json.loads(out.read_text(encoding="utf-8"))
    assert [c["stability"] for c in written["concepts"]] == [v for v in values.tolist() if v >= 0.5]
    assert len(written["covers"]) == answer.json["edges"]
    assert written["min_stability"] == 0.5
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert formats.read(out) == table1()
    assert f"written: {out}" in " ".join(answer.err.split())


def test_the_file_has_all_concepts_covers_and_implications(run: Command, table1_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "lattice.json"
    found = run(table1_file, "--basis", "--out", out, "--json").json
    written = json.loads(out.read_text(encoding="utf-8"))
    whole = lattice(table1())
    assert [(sum(1 << g for g in c["extent"]), sum(1 << m for m in c["intent"])) for c in written["concepts"]] == [
        (c.extent, c.intent) for c in whole.concepts
    ]
    assert written["covers"] == whole.covers.tolist()
    assert found["implications"] == len(found["basis"]) == len(written["implications"]) == 9
    assert {"premise": ["T1", "T7"], "conclusion": ["T6"], "support": 1} in found["basis"]
    assert {"premise": [0, 6], "conclusion": [5], "support": 1} in written["implications"]
    text = run(table1_file, "--basis", "--stability")
    assert "T1 T7" in text.out
    assert "stability, median" in text.out
    assert len(run(table1_file, "--basis", "--min-support", "1", "--json").json["basis"]) == 7


def test_what_is_too_large_is_refused_or_cut_and_said(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "diagonal.csv"
    formats.write(named(~np.eye(26, dtype=bool)), file)
    out = tmp_path / "out.json"
    refused = run(file, "--out", out)
    assert refused.code == 1
    assert "allowed are 2,000,000" in refused.err
    assert "minimal support of" in refused.err
    assert not out.exists()
    answer = run(file, "--cut", "--limit", "20000", "--json")
    found = answer.json
    assert found["concepts"] <= 20_000
    assert found["cut"]["min_support"] == found["min_support"] >= 20
    assert 2**24 < found["cut"]["estimate"] < 2**28
    assert "kept are those with at least" in " ".join(answer.err.split())


def test_chinese_is_not_escaped_and_bad_files_name_the_line(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "terms.csv"
    file.write_text(",暴雨,内涝\nD1,X,X\nD2,X,\n", encoding="utf-8")
    assert "暴雨" in run(file, "--basis", "--json").out
    assert "暴雨" in run(file, "--basis").out
    out = tmp_path / "o.json"
    run(file, "--out", out)
    assert "暴雨" in out.read_text(encoding="utf-8")
    file.write_text(",暴雨\nD1,X\nD1,X\n", encoding="utf-8")
    answer = run(file)
    assert answer.code == 1
    assert f"{file}, line 3" in answer.err
