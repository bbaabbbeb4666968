"""The embedded engine's own check of its structures: records, links between them, indexes."""

from __future__ import annotations

from kg.engine import java as engine_java
from kg.engine.files import EngineState

SECONDS = 3_600.0
"""Time limit of the check."""
_FAULTS = {
    "corruptedRecords": "corrupted records",
    "undecodableRecords": "records that cannot be decoded",
    "invalidLinks": "invalid links",
    "corruptedIndexes": "corrupted indexes",
    "missingReferences": "missing references",
}


def findings(state: EngineState) -> list[str]:
    """Return what the engine finds wrong with its database, in sentences.

    Args:
        state: a running engine.

    Raises:
        StoreError: the engine cannot check its database.
    """
    report = engine_java.check_database(state, SECONDS)
    return [f"{report[name]} {what}" for name, what in _FAULTS.items() if report.get(name)] if report else []
