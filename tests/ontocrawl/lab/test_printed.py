"""What the papers print: as in the papers' texts; and orders of measured values, judged by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from crawler.strategies import STRATEGIES
from ontocrawl.lab import loading, paper_tables
from ontocrawl.lab.paper_tables import _kendall_tau, _neighbours, counts, together, verdicts
from ontocrawl.lab.printed import LOWER_IS_BETTER, PrintedTable, printed

PAPERS = Path(__file__).resolve().parents[4] / "shared" / "papers"


def test_tables_name_our_strategies_and_are_whole() -> None:
    for table in printed().tables:
        assert {row.strategy.partition("?")[0] for row in table.rows} <= STRATEGIES.keys(), table.id
        assert all(len(values) == len(table.at) for row in table.rows for values in row.values.values()), table.id
        assert len({row.strategy for row in table.rows}) == len(table.rows), table.id
    for grid in printed().grids:
        for values in grid.values.values():
            assert len(values) == len(grid.rows), grid.id
            assert all(len(line) == len(grid.columns) for line in values), grid.id
    assert len({item.id for item in printed().items}) == len(printed().items)


def _text(paper: str) -> str:
    text = next(PAPERS.glob(f"{paper}_*.txt")).read_text(encoding="utf-8")
    return "".join(text.replace("\u00a0", " ").split(" "))


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers' texts (../shared/papers) are absent")
def test_every_value_stands_in_its_paper() -> None:
    values = [(t.paper, t.id, x) for t in printed().tables for row in t.rows for of in row.values.values() for x in of]
    values += [(g.paper, g.id, x) for g in printed().grids for of in g.values.values() for line in of for x in line]
    values += [(r.paper, r.id, x) for r in printed().runs for of in r.values.values() for x in of]
    values += [(g.paper, g.id, x) for g in printed().gains for x in g.values]
    values += [(o.paper, o.id, float(row[2].rstrip("%"))) for o in printed().overlaps for row in o.rows]
    texts = {paper: _text(paper) for paper in {paper for paper, _, _ in values}}
    for paper, id_, value in values:
        if not math.isnan(value):
            written = (f"{value:.0f}",) if value > 50 else tuple(f"{value:.{n}f}" for n in (1, 2, 3, 4))
            assert any(text in texts[paper] for text in written if float(text) == value), (id_, value)


def test_the_number_of_relevant_pages_fits_the_accuracy() -> None:
    """LP = accuracy x DP, but for the papers' rounding (trap T46) and a row of 001 without an accuracy."""
    checked = 0
    for table in printed().tables:
        for dp in table.at:
            accuracy = table.printed_at(dp)
            for strategy, lp in table.printed_at(dp, "lp").items():
                if strategy in accuracy:
                    checked += 1
                    assert lp / dp == pytest.approx(accuracy[strategy], abs=0.001), (table.id, strategy, dp)
    assert checked > 100


def _shown(table: PrintedTable, metric: str, dp: int) -> dict[str, float]:
    sign = -1 if metric in LOWER_IS_BETTER else 1
    return {name: sign * value for name, value in table.printed_at(dp, metric).items()}


def test_claims_are_true_in_print_but_for_those_that_say_so() -> None:
    wrong = set()
    for claim in printed().claims:
        source = printed().by_id[claim.table]
        assert {*claim.better, *claim.worse} <= source.names.keys(), claim.text
        if isinstance(source, PrintedTable):
            for dp in {*claim.at} & {*source.at}:
                values = _shown(source, claim.metric, dp)
                worse = claim.worse or [name for name in values if name not in claim.better]
                if values and min(values[name] for name in claim.better) <= max(values[name] for name in worse):
                    wrong.add((claim.text, dp))
    assert {dp for _, dp in wrong} == {15000}
    assert all("false in print" in text for text, _ in wrong), wrong


def test_printed_ranks_follow_from_the_printed_tables() -> None:
    """The averages that the papers print (golden values G16)."""
    averages = {
        "000 Table 5": [8, 6.667, 2.667, 5, 2.333, 6.333, 4, 1],
        "002 Table 2": [6, 5, 3.5, 2.5, 2.25, 1.75],
        "002 Table 4": [5.5, 5, 3, 3, 2.25, 2.25],
        "002 Table 6": [7, 5.75, 5.25, 4, 2, 2.5, 1.5],
        "003 Table 4": [8, 6.5, 5.25, 3.5, 2.5, 5.75, 3, 1.5],
    }
    assert averages.keys() == {ranks.id for ranks in printed().ranks}
    for ranks in printed().ranks:
        table = printed().table(ranks.table)
        values = [table.printed_at(ranks.at, metric) for metric in ranks.metrics]
        found = paper_tables._ranked(values, ranks.metrics, list(table.names))
        assert [line[-1] for line in found.values()] == pytest.approx(averages[ranks.id], abs=0.001), ranks.id


def test_the_lab_of_the_papers_crawls_what_is_printed() -> None:
    lab = loading.parsed(loading.shipped()["papers"], "papers")
    shown = {name for world in lab.worlds for name in world.printed}
    assert shown == {item.id for item in printed().items}
    for world in lab.worlds:
        crawled = {str(strategy) for strategy in lab.axes_of(world.name)["strategy"]}
        for name in world.printed:
            if (source := printed().by_id.get(name)) is not None:
                assert source.names.keys() <= crawled, (world.name, name)


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
    assert _kendall_tau(printed_values, swapped) == pytest.approx((5 - 1) / 6)
    assert _kendall_tau({"a": 1.0}, {"a": [1.0]}) is None


def test_the_next_crawler_below_and_the_verdict_on_a_claim() -> None:
    printed_values = {"a": 0.9, "b": 0.5, "c": 0.4}
    found = verdicts(printed_values, {"a": [5.0, 6.0], "b": [1.0, 1.5], "c": [3.0, 4.0]})
    below = _neighbours(printed_values, found)
    assert {name: (pair.worse, pair.verdict) for name, pair in below.items()} == {
        "a": ("b", "holds"), "b": ("c", "reversed"),
    }  # fmt: skip
    assert together(found) == "reversed"
    assert together([pair for pair in found if pair.better == "a"]) == "holds"
    assert together([]) == "undecided"


def test_equal_printed_neighbours_have_no_verdict() -> None:
    printed_values = {"a": 0.5, "b": 0.5, "c": 0.1}
    found = verdicts(printed_values, {"a": [5.0, 6.0], "b": [1.0, 2.0], "c": [0.0, 0.5]})
    assert set(_neighbours(printed_values, found)) == {"b"}


def test_columns_of_a_table() -> None:
    table = printed().table("000 Table 4")
    assert table.printed_at(1000)["best_first"] == 0.744
    assert max(table.printed_at(15000), key=table.printed_at(15000).__getitem__) == "fcosa_lg"
    assert set(table.printed_at(1000, "ar_lp")) == {"breadth_first", "best_first", "fcsa", "fcosa_g", "fcosa_lg"}
    assert table.printed_at(1000, "hours") == {}
    assert table.printed_at(15000, "hours")["fcosa_lg"] == 13.12
