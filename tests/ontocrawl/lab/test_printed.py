"""The papers' printed tables: as in the papers' text, and judged against measurements made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.strategies import STRATEGIES
from ontocrawl.lab import printed
from ontocrawl.lab.printed import counts, kendall_tau, tables, verdicts

PAPERS = Path(__file__).resolve().parents[4] / "shared" / "papers"


def test_tables_name_our_strategies_and_are_whole() -> None:
    for table in tables():
        assert {row.strategy for row in table.rows} <= STRATEGIES.keys(), table.id
        assert all(len(row.values) == len(table.at) for row in table.rows), table.id
        assert len({row.strategy for row in table.rows}) == len(table.rows), table.id


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers' texts (../shared/papers) are absent")
def test_every_value_stands_in_its_paper() -> None:
    for table in tables():
        text = next(PAPERS.glob(f"{table.paper}_*.txt")).read_text(encoding="utf-8")
        for row in table.rows:
            for value in row.values:
                assert f"{value:.4f}" in text or f"{value:.3f}" in text, (table.id, row.name, value)


def test_an_order_holds_is_reversed_or_stays_open() -> None:
    printed_values = {"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1, "unmeasured": 0.3}
    measured = {
        "a": [50.0, 60.0, 55.0, 52.0],
        "b": [40.0, 45.0, 44.0, 41.0],
        "c": [41.0, 43.0, 45.0, 40.0],
        "d": [70.0, 80.0, 75.0, 71.0],
    }
    found = {(pair.better, pair.worse): pair for pair in verdicts(printed_values, measured)}
    assert len(found) == 6
    assert found["a", "b"].verdict == "holds"
    assert found["a", "b"].measured == pytest.approx((10 + 15 + 11 + 11) / 4)
    assert found["a", "d"].verdict == "reversed"
    assert found["b", "c"].verdict == "undecided"
    assert counts(list(found.values())) == {"holds": 2, "reversed": 3, "undecided": 1}
    assert next(pair.printed for pair in verdicts(printed_values, measured)) == pytest.approx(0.8)


def test_equal_printed_values_are_no_order() -> None:
    assert verdicts({"a": 0.5, "b": 0.5}, {"a": [1.0, 2.0], "b": [3.0, 4.0]}) == []


def test_kendall_tau_against_a_value_by_hand() -> None:
    printed_values = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
    swapped = {"a": [3.0], "b": [4.0], "c": [2.0], "d": [1.0]}  # one pair of six is discordant
    assert kendall_tau(printed_values, swapped) == pytest.approx((5 - 1) / 6)
    assert kendall_tau({"a": 1.0}, {"a": [1.0]}) is None


def test_columns_of_a_table() -> None:
    table = next(table for table in printed.tables() if table.id == "000 Table 4")
    assert table.printed_at(1000)["best_first"] == 0.744
    assert max(table.printed_at(15000), key=table.printed_at(15000).__getitem__) == "fcosa_lg"
