"""DataFrames of tables: each column gets a type that does not depend on how many rows there are, or which are empty."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from queries.columns import type_of

_INT64 = 2**63
Values = Sequence[Any]


def to_pandas(pandas: ModuleType, columns: Sequence[str], rows: Sequence[Values], types: Mapping[str, str]) -> Any:
    """Return a pandas DataFrame.

    Texts are of dtype ``string``, integers ``Int64``, flags ``boolean``, numbers ``float64`` and dates
    ``datetime64[us]`` (times in UTC, without a time zone); lists and maps are Python objects.

    Args:
        pandas: the module.
        columns: names of the columns.
        rows: values of each row, in the order of the columns.
        types: declared types of columns; for others the type of the name applies (queries.columns).
    """
    series = [_series(pandas, values, kind) for values, kind in _typed(columns, rows, types)]
    frame = pandas.DataFrame(dict(enumerate(series)), index=pandas.RangeIndex(len(rows)))
    frame.columns = list(columns)
    return frame


def to_polars(polars: ModuleType, columns: Sequence[str], rows: Sequence[Values], types: Mapping[str, str]) -> Any:
    """Return a polars DataFrame with String, Int64, Boolean, Float64, Datetime and List columns; see `to_pandas`.

    Args:
        polars: the module.
        columns: names of the columns.
        rows: values of each row, in the order of the columns.
        types: declared types of columns; for others the type of the name applies (queries.columns).
    """
    kinds = {
        "text": polars.String, "integer": polars.Int64, "number": polars.Float64, "flag": polars.Boolean,
        "date": polars.Datetime("us"),
    }  # fmt: skip
    typed = zip(columns, _typed(columns, rows, types), strict=True)
    return polars.DataFrame([_polars_series(polars, name, values, kind, kinds) for name, (values, kind) in typed])


def _column_type(values: Values, declared: str | None) -> str | None:
    """Return the type of a column's values, one of queries.columns.COLUMN_TYPES.

    Args:
        values: the values; None where there is none.
        declared: the type that the column should have.

    Returns:
        The declared type if every value has it, else the first type that every value has, or None. A column without
        values has the declared type.

    >>> _column_type([1, None], None), _column_type([1, 0.5], "integer"), _column_type([], "date")
    ('integer', 'number', 'date')
    >>> _column_type([{}], None)
    """
    present = [value for value in values if value is not None]
    if not present:
        return declared
    candidates = [kind for kind in (declared, "flag", "integer", "number", "text", "list") if kind is not None]
    return next((kind for kind in candidates if all(map(_HAS_TYPE[kind], present))), None)


def _typed(
    columns: Sequence[str], rows: Sequence[Values], types: Mapping[str, str]
) -> list[tuple[list[Any], str | None]]:
    """Return values and type of each column."""
    values = [[row[at] for row in rows] for at in range(len(columns))]
    return [
        (column, _column_type(column, types.get(name, type_of(name))))
        for name, column in zip(columns, values, strict=True)
    ]


def _series(pandas: ModuleType, values: list[Any], kind: str | None) -> Any:
    if kind == "date":
        return pandas.Series(np.array([_moment(value) for value in values], dtype="datetime64[us]"))
    if kind == "number":
        return pandas.Series([math.nan if value is None else value for value in values], dtype="float64")
    return pandas.Series(values, dtype=_PANDAS.get(kind or "", "object"))


def _polars_series(polars: ModuleType, name: str, values: list[Any], kind: str | None, kinds: Mapping[str, Any]) -> Any:
    if kind == "list" and not any(values):
        return polars.Series(name, values, dtype=polars.List(polars.String))
    converted = [_moment(value) for value in values] if kind == "date" else values
    return polars.Series(name, converted, dtype=kinds.get(kind or ""), strict=False)


def _moment(value: str | None) -> datetime.datetime | None:
    """Return a day or a time, in UTC and without a time zone."""
    if value is None:
        return None
    moment = datetime.datetime.fromisoformat(value)
    return moment.astimezone(datetime.UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _is_date(value: Any) -> bool:
    try:
        return isinstance(value, str) and _moment(value) is not None
    except (ValueError, OverflowError):
        return False


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64


_PANDAS: Mapping[str, str] = MappingProxyType({"text": "string", "integer": "Int64", "flag": "boolean"})
_HAS_TYPE: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {
        "text": lambda value: isinstance(value, str),
        "integer": _is_integer,
        "number": lambda value: isinstance(value, float) or _is_integer(value),
        "flag": lambda value: isinstance(value, bool),
        "date": _is_date,
        "list": lambda value: isinstance(value, list | tuple),
    }
)
