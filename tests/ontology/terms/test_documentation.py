"""The examples of docs/terms.md."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_examples_of_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[3]
    monkeypatch.chdir(root)
    found = doctest.testfile(str(root / "docs" / "terms.md"), module_relative=False)
    assert (found.failed, found.attempted > 5) == (0, True)
