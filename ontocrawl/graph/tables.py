"""Tables of results, with conversion to JSON, CSV and DataFrames."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ontology.extras import require
from ontology.printable import csv_cell

EXTRA = "frames"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of results. The values of each row are in the order of the columns: scalars, lists and maps.

    ``types`` are the declared types of columns (queries.columns), which their columns of a DataFrame have; for others
    the type of the name applies.

    >>> Table(("url", "relevance"), (("http://a.example/", 0.5), ("http://b.example/", float("nan")))).as_json()
    {'columns': ['url', 'relevance'], 'rows': [['http://a.example/', 0.5], ['http://b.example/', None]]}
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""
    types: Mapping[str, str] = field(default_factory=dict, compare=False)
    reasons: tuple[str, ...] = ()
    """Why there are no rows, where that is known."""

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Table {self.title!r}: {len(self.rows)} rows of {', '.join(self.columns)}>"

    def as_json(self) -> dict[str, Any]:
        """Return ``{columns, rows}`` with JSON values; NaN and infinity become null. Without rows also ``reasons``."""
        document = {"columns": list(self.columns), "rows": [[_json_value(value) for value in row] for row in self.rows]}
        return document if self.rows or not self.reasons else {**document, "reasons": list(self.reasons)}

    def as_csv(self) -> str:
        """Return CSV with a header and CRLF line ends; None is empty, lists and maps are JSON.

        Text has no control characters, and an apostrophe in front where a spreadsheet program would run it.
        """
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(map(csv_cell, self.columns))
        writer.writerows([_csv_value(value) for value in row] for row in self.rows)
        return text.getvalue()

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame. Raises MissingExtra if pandas is not installed.

        Texts are of dtype ``string``, integers ``Int64``, flags ``boolean``, numbers ``float64`` and dates
        ``datetime64[us]`` (times in UTC, without a time zone), also in an empty table; lists and maps are objects.
        """
        from ontocrawl.graph import frames  # with numpy

        pandas = require("pandas", EXTRA, "a table as a DataFrame")
        return frames.to_pandas(pandas, self.columns, self.rows, self.types)

    def to_polars(self) -> Any:
        """Return a polars DataFrame with columns of the same types. Raises MissingExtra if polars is not installed."""
        from ontocrawl.graph import frames

        polars = require("polars", EXTRA, "a table as a DataFrame")
        return frames.to_polars(polars, self.columns, self.rows, self.types)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame, else a polars one. Raises MissingExtra if neither is installed."""
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
    return csv_cell(json.dumps(plain, ensure_ascii=False) if isinstance(plain, list | dict | bool) else plain)
