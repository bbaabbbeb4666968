"""The sentences from the engine's own check: only what two checks in a row report."""

from __future__ import annotations

import pytest

from kg.engine import embedded, java
from kg.engine.embedded import Report, in_both
from kg.engine.files import EngineState

MISSING: Report = {"corruptedRecords": ["#1:7"], "invalidLinks": 1, "warnings": ["edge #1:7 not found"]}
OTHER: Report = {"corruptedRecords": ["#1:9"], "invalidLinks": 1, "warnings": ["edge #1:9 not found"]}
BOTH: Report = {
    "corruptedRecords": ["#1:7", "#1:9"], "invalidLinks": 2, "warnings": ["edge #1:7 not found", "edge #1:9 not found"],
}  # fmt: skip
WHOLE: Report = {"corruptedRecords": [], "invalidLinks": 0, "warnings": []}


def reported(monkeypatch: pytest.MonkeyPatch, *reports: Report) -> list[str]:
    left = list(reports)
    monkeypatch.setattr(java, "check_database", lambda state, seconds: left.pop(0))
    said = embedded._findings(EngineState(0, 0, "", 0, 0, "2026-01-01T00:00:00Z", "", True))
    assert not left, "each report is asked for"
    return said


def test_what_both_reports_have_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "1 corrupted records, 1 invalid links, as edge #1:7 not found"
    assert reported(monkeypatch, MISSING, MISSING) == [sentence]
    assert reported(monkeypatch, BOTH, MISSING) == [sentence]
    assert reported(monkeypatch, {"corruptedIndexes": 2}, {"corruptedIndexes": 3}) == ["2 corrupted indexes"]


def test_what_one_report_has_was_being_written(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reported(monkeypatch, MISSING, WHOLE) == []
    assert reported(monkeypatch, MISSING, OTHER) == []
    assert reported(monkeypatch, {"corruptedIndexes": 2}, {}) == []


def test_a_whole_graph_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reported(monkeypatch, WHOLE) == []


def test_figures_without_warnings_are_kept() -> None:
    assert in_both({"totalErrors": 3}, {"totalErrors": 2, "warnings": ["other"]}) == {"totalErrors": 2}
