"""Tests of the digest of a program: a changed file counts for the strategies that use it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.strategies import registry
from ontocrawl.lab.program import _named, program

NAMES = sorted(registry.STRATEGIES)
Changed = Callable[[str], set[str]]


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Changed:
    """Return a function that says whose digest a change of a file of `crawler` or `ontology` changes."""
    read = Path.read_bytes

    def whose(ending: str) -> set[str]:
        program.cache_clear()
        before = {name: program(name) for name in NAMES}
        changed = lambda path: read(path) + (b"#" if path.as_posix().endswith(ending) else b"")  # noqa: E731
        monkeypatch.setattr(Path, "read_bytes", changed)
        program.cache_clear()
        after = {name: program(name) for name in NAMES}
        program.cache_clear()
        return {name for name in NAMES if before[name] != after[name]}

    return whose


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "whose"),
    [
        ("crawler/strategies/evidence_sum.py", {"evidence_sum"}),
        ("crawler/scoring/link_evidence.py", {"evidence_sum"}),
        ("crawler/strategies/fcosa.py", {"fcsa", "fcosa_g", "fcosa_lg", "fcsa_host", "fcits_oh"}),
        ("crawler/kernels/cooling.py", {"sa_2009", "fcsa", "fcosa_g", "fcosa_lg", "fcsa_host", "fcits_oh", "ielp"}),
    ],
)
def test_a_file_counts_for_the_strategies_that_import_it(changed: Changed, file: str, whose: set[str]) -> None:
    assert changed(file) == whose | {"mixture", "switching"}  # which look any other up by its name


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [
        "crawler/strategies/base.py", "crawler/frontier/rescoring.py", "crawler/worlds/synthetic/calibrated/world.py",
        "ontology/errors.py", "crawler/scoring/bayes.py",
    ],
)  # fmt: skip
def test_what_all_crawl_with_counts_for_all(changed: Changed, file: str) -> None:
    assert changed(file) == set(NAMES)


def test_a_strategy_of_ones_own_counts_by_what_its_file_says(tmp_path: Path) -> None:
    def digest(title: str) -> str:
        place = tmp_path / f"{title}_strategy.py"
        place.write_text(
            "from crawler.strategies.breadth_first import BreadthFirst\n"
            f"class Mine(BreadthFirst):\n    name = 'mine'\n    title = {title!r}\n",
            encoding="utf-8",
        )
        return program(f"{place}:Mine")

    assert len({digest("one"), digest("two"), program("breadth_first"), program()}) == 4


def test_relative_imports_are_followed() -> None:
    node = ast.parse("from ..kernels import cooling").body[0]
    assert "crawler.kernels.cooling" in list(_named(node, "crawler.strategies"))
