"""Values that a server returns, as scalars, lists and maps."""

from __future__ import annotations

from typing import Any

from kg.store import StoreError


def plain(value: Any, column: str) -> Any:
    """Convert a value of a column to scalar, list or map, times to ISO-8601 text; StoreError for nodes and paths."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if hasattr(value, "iso_format"):  # dates, times and durations of the driver
        return value.iso_format()
    if type(value) in (list, tuple):  # points of the driver are tuples too
        return [plain(item, column) for item in value]
    if isinstance(value, dict):
        return {key: plain(item, column) for key, item in value.items()}
    raise StoreError(
        f"column {column!r} holds a {type(value).__name__}: return scalars, lists and maps only, as in"
        f" `RETURN n.url` or `RETURN properties(n) AS n`"
    )
