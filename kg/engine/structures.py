"""The embedded engine's own check of its structures: records, links between them, indexes."""

from __future__ import annotations

from kg.engine import java as engine_java
from kg.engine.files import EngineState

SECONDS = 3_600.0
"""Time limit of the check."""
Report = dict[str, object]
"""The engine's report by name of its figures and lists."""
_FIGURES = {
    "corruptedRecords": "corrupted records",
    "undecodableRecords": "records that cannot be decoded",
    "topMissingReferences": "references to records that are gone",
    "unreachableEdgeRecordsFound": "relationships that no node has",
    "corruptedIndexes": "corrupted indexes",
    "unreadableStripeDirectories": "unreadable lists of relationships",
    "unreferencedFiles": "files that no label or type has",
    "invalidLinks": "invalid links",
    "missingReferenceBack": "relationships that one end lacks",
    "totalErrors": "errors",
}
"""Figure or list of the engine's report -> what it counts. Outdated counters and free space are no fault."""


def findings(state: EngineState) -> list[str]:
    """Return what the engine finds wrong with its database, in sentences.

    The check reads records while other commands write them, and reports a relationship whose other end is not written
    yet. What it finds is checked once more, and only what both checks report is told.

    Args:
        state: a running engine.

    Raises:
        StoreError: the engine cannot check its database.
    """
    report = engine_java.check_database(state, SECONDS)
    if _wrong(report):
        report = in_both(report, engine_java.check_database(state, SECONDS))
    wrong = _wrong(report)
    if not wrong:
        return []
    counts = [f"{len(value) if isinstance(value, list) else value} {_FIGURES[name]}" for name, value in wrong.items()]
    warnings = report.get("warnings")
    example = f", as {warnings[0]}" if isinstance(warnings, list) and warnings else ""
    return [f"{', '.join(counts)}{example}"]


def in_both(first: Report, second: Report) -> Report:
    """Return what two reports agree in: elements of both lists, the smaller of two figures.

    Args:
        first: a report of the engine's check.
        second: a later one.

    Returns:
        The common report; empty if both have warnings and none in common, since figures do not tell which records
        they count.
    """
    common: Report = {}
    for name, value in first.items():
        other = second.get(name)
        if isinstance(value, list) and isinstance(other, list):
            common[name] = [item for item in value if item in other]
        elif isinstance(value, int) and isinstance(other, int):
            common[name] = min(value, other)
    told = [report.get("warnings") for report in (first, second, common)]
    return {} if told[0] and told[1] and not told[2] else common


def _wrong(report: Report) -> dict[str, object]:
    return {name: report[name] for name in _FIGURES if report.get(name)}
