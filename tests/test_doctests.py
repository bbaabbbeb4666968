"""Examples in docstrings and in the tutorial give what they say."""

from __future__ import annotations

import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.engine import embedded

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ontology", "kg", "crawler", "queries", "ontocrawl")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def _modules_with_examples() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "\n    >>> " in (text := path.read_text(encoding="utf-8")) or "\n>>> " in text:
                parts = path.relative_to(ROOT).with_suffix("").parts
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("name", list(_modules_with_examples()))
def test_examples_in_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert results.attempted
    assert not results.failed, f"{results.failed} examples of {name} failed; see the output"


@pytest.mark.slow
def test_the_tutorial_goes_round_the_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    monkeypatch.chdir(tmp_path)
    tutorial = ROOT / "docs" / "tutorial.md"
    try:
        results = doctest.testfile(str(tutorial), module_relative=False, optionflags=OPTIONS, encoding="utf-8")
    finally:
        embedded.stop(tmp_path / "work" / "graph")
    assert results.attempted >= 15
    assert not results.failed


def test_every_public_name_is_documented_and_imported_late() -> None:
    import ontocrawl

    for name in ontocrawl.__all__:
        assert (getattr(ontocrawl, name).__doc__ or "").strip(), name
    assert {"learn", "Topic", "crawl", "Graph", "ask", "propose"} <= set(ontocrawl.__all__)
