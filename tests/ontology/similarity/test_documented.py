"""The examples of docs/similarity.md, and its table of measures."""

from __future__ import annotations

import doctest
from pathlib import Path

from ontology.similarity import MEASURES

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "similarity.md"


def test_examples_of_the_document() -> None:
    found = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert found.attempted > 20
    assert found.failed == 0


def test_every_measure_is_in_the_document() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"{name} " not in text] == []
