"""docs/ask.md on the demo's graph: its Python has the output shown, its commands run, its picture has no boxes."""

from __future__ import annotations

import csv
import doctest
import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.graph.tables import Table
from ontology.printable import csv_cell
from tests.ontocrawl.conftest import Command, command  # noqa: F401 - a fixture
from tests.test_doctests import OPTIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "ask.md"
TEXT = PAGE.read_text(encoding="utf-8").partition("<!-- not run by the tests")[0]
PICTURE = "import matplotlib.pyplot as plt"


@pytest.fixture
def beside_the_demo(demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the demo in it, as the page has it, made the current one."""
    (tmp_path / "demo").symlink_to(demo_folder, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_python(text: str) -> dict[str, Any]:
    """Run the examples of a text and return their names; the page is one session of Python."""
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(text, names, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test, clear_globs=False)
    assert runner.tries >= 40
    assert not runner.failures, "see the output"
    return test.globs


@pytest.mark.slow
def test_the_python_of_the_page(beside_the_demo: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    run_python(TEXT)
    for name in ("pages.csv", "frame.csv", "links.gexf", "links.graphml"):
        assert (beside_the_demo / name).stat().st_size > 1000
    assert "暴雨" in (beside_the_demo / "links.gexf").read_text(encoding="utf-8")


def test_the_recommended_csv_has_no_formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    titles = ("=1+1", "@SUM(A1)", " +cmd|' /C calc'!A0", "-2+3", "\uff1d1+1", "\t=1", "a\n=1", "暴雨")
    table = Table(("title", "relevance"), tuple((title, -0.5) for title in titles))
    (section,) = re.findall(r"## Take it to other programs\n.*?```python\n(.*?)```", TEXT, re.DOTALL)
    lines = [line.removeprefix(">>> ") for line in section.splitlines() if line.startswith(">>> ")]
    code = "\n".join(line for line in lines if "nx." not in line and "graph.ask" not in line)
    exec(code, {"table": table, "pages": table.to_pandas(), "pandas": pandas})
    for name in ("pages.csv", "frame.csv"):
        rows = list(csv.reader((tmp_path / name).read_text(encoding="utf-8-sig").splitlines(keepends=True)))
        assert rows[0] == ["title", "relevance"] and len(rows) == 1 + len(titles)
        assert all(csv_cell(title) == title and number == "-0.5" for title, number in rows[1:]), rows
    assert ".to_csv(" not in code.replace("safe.to_csv(", ""), "the frame as it is"


@pytest.mark.slow
def test_the_commands_of_the_page(beside_the_demo: Path, command: Command) -> None:  # noqa: F811
    lines = "".join(re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)).splitlines()
    assert lines[0] == "ontocrawl demo --out demo" and len(lines) >= 15
    for line in lines[1:]:
        done = command(*shlex.split(line)[1:])
        assert done.code == 0, (line, done.err)
        assert len(done.out.splitlines()) >= 3 or "--out" in line, line


@pytest.mark.slow
def test_the_picture_has_a_glyph_for_each_character(beside_the_demo: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("pylopdf_fonts_zh_cn", reason="extra pictures")
    matplotlib.use("agg")
    (code,) = (block for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if block.startswith(PICTURE))
    names = run_python(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing glyph is a warning
        exec(compile(code, str(PAGE), "exec"), names)
    assert (beside_the_demo / "flood.png").stat().st_size > 10_000
    assert len(names["labels"]) >= 4 and all(re.search(r"[\u4e00-\u9fff]", text) for text in names["labels"].values())
