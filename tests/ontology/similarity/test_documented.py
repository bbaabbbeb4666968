"""The table of measures in docs/ontologies.md."""

from __future__ import annotations

from pathlib import Path

from ontology.similarity import MEASURES

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "ontologies.md"


def test_every_measure_is_in_the_document() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [name for name in MEASURES if f"{name} " not in text] == []
