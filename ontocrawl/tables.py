"""Tables of results: rows in the order of their columns, as JSON, CSV or a DataFrame."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import math
from dataclasses import dataclass
from typing import Any

from ontology.extras import require

EXTRA = "frames"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows in the order of their columns; values are scalars, lists and maps."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""

    def as_json(self) -> dict[str, Any]:
        """``{columns, rows}``, of values that JSON has: what is no finite number becomes null."""
        return {"columns": list(self.columns), "rows": [[_json_value(value) for value in row] for row in self.rows]}

    def as_csv(self) -> str:
        """Comma-separated text with a header line; null is empty, lists and maps are JSON, line ends are CRLF."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(self.columns)
        writer.writerows([_csv_value(value) for value in row] for row in self.rows)
        return text.getvalue()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Raises MissingExtra where pandas is not installed."""
        pandas = require("pandas", EXTRA, "a table as a DataFrame")
        return pandas.DataFrame([list(row) for row in self.rows], columns=list(self.columns))

    def to_polars(self) -> Any:
        """A polars.DataFrame. Raises MissingExtra where polars is not installed."""
        polars = require("polars", EXTRA, "a table as a DataFrame")
        values = {name: [row[at] for row in self.rows] for at, name in enumerate(self.columns)}
        return polars.DataFrame(values, strict=False)

    def to_frame(self) -> Any:
        """A DataFrame of pandas, else of polars. Raises MissingExtra where neither is installed."""
        only_polars = not _installed("pandas") and _installed("polars")
        return self.to_polars() if only_polars else self.to_pandas()


def _installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _json_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _json_value(item) for key, item in value.items()}
    return value


def _csv_value(value: Any) -> Any:
    plain = _json_value(value)
    if isinstance(plain, list | dict | bool):
        return json.dumps(plain, ensure_ascii=False)
    return plain
