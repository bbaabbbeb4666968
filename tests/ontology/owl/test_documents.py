"""The examples of docs/ontologies.md run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_the_examples_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = str(ROOT / "docs" / "ontologies.md")
    found = doctest.testfile(page, module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert found.attempted >= 60
    assert found.failed == 0
