"""The examples of docs/owl.md run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_the_examples_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs" / "owl.md"), module_relative=False, encoding="utf-8")
    assert found.attempted >= 15
    assert found.failed == 0
