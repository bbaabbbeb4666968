"""The time, for records of builds and runs; everything else gets it from its caller."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return the current time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
