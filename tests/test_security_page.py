"""What docs/live-web.md says of a hostile web: every row names a test, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
TEXT = (TESTS.parent / "docs" / "live-web.md").read_text(encoding="utf-8")
PAGE = TEXT.partition("\n## Know what a hostile web can do\n")[2]
_NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def _rows() -> list[str]:
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    return [line for line in lines if not line.startswith(("|---", "| what comes |"))]


def _tests_of(name: str) -> set[str]:
    """Names of the tests of all files of a name; empty where there is none."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob(name)]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_row_names_a_test_that_exists() -> None:
    rows = _rows()
    assert len(rows) > 40
    assert [row for row in rows if not _NAMED.search(row)] == []
    files = {name: _tests_of(name) for name, _ in _NAMED.findall(PAGE)}
    assert [f"{name}::{test}" for name, test in _NAMED.findall(PAGE) if test not in files[name]] == []


def test_every_row_says_what_comes_what_happens_and_where_it_is_tested() -> None:
    for row in _rows():
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert len(cells) == 3 and all(cells), row
        assert _NAMED.sub("", cells[2]).strip(" ,") == "", row  # nothing but names of tests


def test_the_number_of_cases_of_robots_files_is_right() -> None:
    from tests.crawler.test_robots_file import CASES

    paths = sum(len(case.allowed) + len(case.forbidden) for case in CASES)
    assert f"{len(CASES)} files with {paths} paths" in " ".join(PAGE.split())
    decision = next((TESTS.parent / "docs" / "decisions").glob("0011-*.md")).read_text(encoding="utf-8")
    assert f"{len(CASES)} files with {paths} paths" in " ".join(decision.split())
