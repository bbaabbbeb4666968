"""The embedded engine's own check of its structures: records, links between them, indexes."""

from __future__ import annotations

from kg.engine import java as engine_java
from kg.engine.files import EngineState

SECONDS = 3_600.0
"""Time limit of the check."""
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

    Args:
        state: a running engine.

    Raises:
        StoreError: the engine cannot check its database.
    """
    report = engine_java.check_database(state, SECONDS)
    wrong = [(name, report[name]) for name in _FIGURES if report.get(name)]
    if not wrong:
        return []
    counts = [f"{len(value) if isinstance(value, list) else value} {_FIGURES[name]}" for name, value in wrong]
    warnings = report.get("warnings")
    example = f", as {warnings[0]}" if isinstance(warnings, list) and warnings else ""
    return [f"{', '.join(counts)}{example}"]
