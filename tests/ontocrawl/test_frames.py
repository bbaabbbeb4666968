"""DataFrames of tables: the type of a column depends neither on the number of its rows nor on empty values."""

from __future__ import annotations

from typing import Any

import pytest

import queries
from ontocrawl.graph import frames
from ontocrawl.graph.tables import Table

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
TYPES = {
    "url": "text",
    "published": "date",
    "relevant": "flag",
    "step": "integer",
    "relevance": "number",
    "path": "list",
}
DTYPES = {"url": "string", "published": "datetime64[us]", "relevant": "boolean", "step": "Int64",
          "relevance": "float64", "path": "object"}  # fmt: skip
POLARS = {"url": polars.String, "published": polars.Datetime("us"), "relevant": polars.Boolean, "step": polars.Int64,
          "relevance": polars.Float64, "path": polars.List(polars.String)}  # fmt: skip
FULL = ("http://a.cn/", "2024-05-01", True, 3, 0.5, ["暴雨"])
NOTHING = (None,) * 6


def dtypes(table: Table) -> dict[str, str]:
    return {name: str(kind) for name, kind in table.to_pandas().dtypes.items()}


@pytest.mark.parametrize("rows", [(), (FULL,), (NOTHING,), (NOTHING, FULL), (FULL, NOTHING)], ids=repr)
def test_the_types_are_the_same_whatever_the_rows(rows: tuple[tuple[Any, ...], ...]) -> None:
    table = Table(tuple(TYPES), rows)
    assert dtypes(table) == DTYPES
    assert dict(table.to_polars().schema) == POLARS
    assert len(table.to_pandas()) == len(table.to_polars()) == len(rows)


def test_values_are_kept() -> None:
    frame = Table(tuple(TYPES), (FULL, NOTHING)).to_pandas()
    assert frame["url"].tolist() == ["http://a.cn/", pandas.NA]
    assert frame["published"][0] == pandas.Timestamp("2024-05-01") and frame["published"][1] is pandas.NaT
    assert (frame["step"][0], bool(frame["relevant"][0]), frame["path"][0]) == (3, True, ["暴雨"])
    assert frame["step"].isna().tolist() == [False, True]
    assert Table(tuple(TYPES), (FULL,)).to_polars().row(0)[2:] == (True, 3, 0.5, ["暴雨"])


def test_times_are_in_utc_without_a_zone() -> None:
    times = ("2024-02-01T00:30:00Z", "2024-02-01T08:30:00+08:00", "2024-02-01T00:30:00.000+00:00", None)
    table = Table(("started",), tuple((time,) for time in times))
    frame = table.to_pandas()
    assert frame["started"].nunique() == 1 and frame["started"][0] == pandas.Timestamp("2024-02-01 00:30")
    assert table.to_polars()["started"].n_unique() == 2


@pytest.mark.parametrize(
    ("values", "declared", "kind"),
    [
        ([True, False], "integer", "flag"), ([1, True], None, None), ([1, 2.5], None, "number"),
        ([1], "number", "number"),
        ([2**63], None, None), ([2**63 - 1, -(2**63)], None, "integer"), (["2024-13-01"], "date", "text"),
        (["2024-05-01"], None, "text"), ([["a"], []], "text", "list"), ([{"a": 1}], "flag", None), ([None], None, None),
        (["x", 1], "text", None), ([float("nan")], "number", "number"),
    ],
)  # fmt: skip
def test_a_declared_type_that_does_not_fit_gives_way(values: list[Any], declared: str | None, kind: str | None) -> None:
    assert frames._column_type(values, declared) == kind
    assert len(Table(("x",), tuple((v,) for v in values), types={"x": declared} if declared else {}).to_pandas())


def test_names_may_repeat_and_rows_may_have_no_columns() -> None:
    assert list(Table(("x", "x"), ((1, "a"),)).to_pandas().dtypes.astype(str)) == ["Int64", "string"]
    assert Table((), ()).to_pandas().shape == Table((), ()).to_polars().shape == (0, 0)


@pytest.mark.parametrize("query", queries.all_queries(), ids=lambda q: q.name)
def test_an_empty_result_of_a_query_has_its_types(query: queries.Query) -> None:
    table = Table(query.returns, (), query.title, query.types)
    expected = {"text": "string", "date": "datetime64[us]", "flag": "boolean", "integer": "Int64", "number": "float64",
                "list": "object"}  # fmt: skip
    assert dtypes(table) == {name: expected[query.types[name]] for name in query.returns}
    assert polars.Null not in table.to_polars().schema.values()
