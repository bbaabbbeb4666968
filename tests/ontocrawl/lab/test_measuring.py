"""Measures of a lab against values that were computed by hand."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ontocrawl.errors import UsageError
from ontocrawl.lab import summaries, trace
from ontocrawl.lab.summaries import Count, Finished, _measures, _printed_measures, summary, superposition, tunnels
from ontocrawl.lab.trace import Trace


def a_trace(labelled: list[bool] | None = None, requests: list[int] | None = None) -> Trace:
    """Four pages by six requests: the second page cost three (a redirect and a failure before it)."""
    label = [False, True, False, True] if labelled is None else labelled
    return Trace(
        requests=np.array(requests or [1, 4, 5, 6]),
        R=np.array([0.2, 0.8, 0.6, 0.4]),
        judged=np.array([False, True, True, False]),
        labelled=np.array(label, dtype=np.bool_),
        parent=np.array([-1, 0, 1, 2]),
        pages=np.array([1, 2, 3, 4], dtype=np.uint64),
        facts={"targets": 5, "requests": 7, "stop": "frontier_empty", "seconds": 1.0, "choice_us": 2.0,
               "counts": "fetched"},
    )  # fmt: skip


def test_measures_at_equal_requests() -> None:
    found = _measures(a_trace(), 5)
    assert found["dp"] == 3
    assert found["relevant_by_label"] == 1
    assert found["relevant_by_judge"] == 2
    assert found["precision"] == pytest.approx(1 / 3)
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["recall"] == pytest.approx(1 / 5)
    assert found["first_hit"] == 4
    assert found["cost"] == 5
    assert found["ar"] == pytest.approx(np.mean([0.2, 0.8, 0.6]))
    assert found["sd_lp"] == pytest.approx(0.1)
    assert found["area"] == pytest.approx((0 + 1 + 1 + 1 + 1) / 15)


def test_measures_at_equal_dp_differ_where_pages_cost_more() -> None:
    found = _measures(a_trace(), 2, at_dp=True)
    assert (found["dp"], found["relevant_by_label"], found["requests"]) == (2, 1, 4)
    assert _measures(a_trace(), 2)["relevant_by_label"] == 0


def test_a_crawl_that_ended_early_keeps_its_last_value() -> None:
    found = _measures(a_trace(), 1000)
    assert (found["dp"], found["relevant_by_label"], found["requests"]) == (4, 2, 7)
    assert found["cost"] == 3.5
    assert _measures(a_trace(), 1000, at_dp=True)["requests"] == 6


def test_what_needs_labels_is_none_without_them() -> None:
    unlabelled = Trace(**{**a_trace().__dict__, "labelled": None})
    found = _measures(unlabelled, 5)
    assert {name for name, value in found.items() if value is None} == {
        "relevant_by_label", "precision", "recall", "area", "first_hit", "cost", "tunnel_mean", "tunnel_max",
    }  # fmt: skip


def test_no_page_has_no_shares() -> None:
    found = _measures(a_trace(requests=[3, 4, 5, 6]), 2)
    assert (found["dp"], found["relevant_by_label"]) == (0, 0)
    assert found["precision"] is found["ar"] is found["cost"] is None


def test_tunnels_follow_the_links_by_which_pages_were_first_seen() -> None:
    parent = np.array([-1, 0, 1, 1, 3, 0])
    relevant = np.array([False, False, True, False, True, True])
    assert tunnels(parent, relevant).tolist() == [0, 1, 2, 2, 3, 1]


def test_superposition_of_two_crawls() -> None:
    one = replace(a_trace(), pages=a_trace().pages << np.uint64(32))
    other = replace(one, pages=np.array([1, 9, 3, 8], dtype=np.uint64) << np.uint64(32))
    crawls = [summary(trace, [7]) for trace in (one, other)]
    assert superposition(crawls, 100)[0, 1] == pytest.approx(2 / 6)
    assert superposition(crawls, 1)[0, 1] == 1.0


def test_harvest_counts_by_requests() -> None:
    curves = summary(a_trace(), [7]).curves
    assert curves["relevant_by_label"].tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert curves["relevant_by_judge"].tolist() == [0, 0, 0, 1, 2, 2, 2]


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = a_trace()
    trace.write(tmp_path / "a.npz", written)
    read = trace.read(tmp_path / "a.npz")
    assert read.facts == written.facts
    assert all(np.array_equal(getattr(read, name), getattr(written, name)) for name in trace.ARRAYS)


def admitted(printed: Trace | None) -> Trace:
    """A crawl by a strategy that counts admitted links."""
    crawl = a_trace()
    return replace(crawl, facts={**crawl.facts, "counts": "admitted"}, printed=printed)


def test_fetched_pages_are_the_printed_count_of_most_papers() -> None:
    assert _printed_measures(a_trace(), 3) == _measures(a_trace(), 3, at_dp=True)


def test_admitted_pages_are_counted_one_by_one_and_only_where_they_are_known() -> None:
    three = replace(
        a_trace(), requests=np.array([5, 5, 9]), R=np.array([0.9, 0.3, 0.7]), judged=np.array([True, False, True]),
        labelled=np.array([True, True, False]), parent=np.array([-1, -1, 0]),
        pages=np.array([2, 7, 8], dtype=np.uint64),
    )  # fmt: skip
    found = _printed_measures(admitted(three), 2)
    assert (found["dp"], found["relevant_by_judge"], found["relevant_by_label"], found["requests"]) == (2, 1, 2, 5)
    assert found["accuracy"] == 0.5
    assert found["ar"] == pytest.approx(0.6)
    assert _printed_measures(admitted(three), 100)["accuracy"] == pytest.approx(2 / 3)  # it ended early
    assert set(_printed_measures(admitted(None), 2).values()) == {None}


def test_a_printed_count_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = admitted(replace(a_trace(), R=np.array([0.1, 0.2, 0.3, 0.4]), labelled=None))
    trace.write(tmp_path / "a.npz", written)
    read = trace.read(tmp_path / "a.npz")
    assert read.printed is not None
    assert read.printed.labelled is None
    assert read.printed.R.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert read.R.tolist() == written.R.tolist()
    assert _printed_measures(read, 4) == _printed_measures(written, 4)


# ---- a file of finished cells


def test_a_finished_cell_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = summary(admitted(replace(a_trace(), R=np.array([0.1, 0.2, 0.3, 0.4]))), [2, 7], [Count(0.6, False)])
    line = Finished("key", {"world": "w", "strategy": "s", "seed": 0}, "program", one)
    path = tmp_path / "new" / "cells.jsonl.xz"
    summaries.write(path, [line])
    read = summaries.read(path)["key"]
    assert (read.cell, read.program) == (line.cell, line.program)
    assert (read.summary.facts, read.summary.pages) == (one.facts, one.pages)
    assert list(read.summary.values) == [summaries.OWN, Count(0.6, False)]
    assert list(read.summary.values[summaries.OWN]) == list(one.values[summaries.OWN])  # the order of results.csv
    for count, values in one.values.items():
        assert read.summary.values[count] == pytest.approx(values, rel=1e-6, nan_ok=True)
    assert read.summary.values[Count(0.6, False)]["relevant_by_judge", 7] == 2
    for name, curve in one.curves.items():
        assert read.summary.curves[name] == pytest.approx(curve, rel=1e-6)
    assert superposition([read.summary, one], 7)[0, 1] == 1.0


def test_a_sample_of_the_pages_tells_how_many_two_crawls_share(tmp_path: Path) -> None:
    pages = np.random.default_rng(0).integers(0, 2**64, 9000, dtype=np.uint64)
    whole = np.ones(6000, dtype=np.bool_)
    first = Trace(np.arange(1, 6001), whole * 0.5, whole, None, np.full(6000, -1), pages[:6000], a_trace().facts)
    crawls = [summary(one, [6000]) for one in (first, replace(first, pages=pages[3000:]))]
    names = [{"world": "w", "strategy": "s", "seed": seed} for seed in range(2)]
    rows = [Finished(str(i), name, "", one) for i, (name, one) in enumerate(zip(names, crawls, strict=True))]
    summaries.write(tmp_path / "cells", rows)
    kept = [row.summary for row in summaries.read(tmp_path / "cells").values()]
    assert all(200 < len(one.hashes) < 400 for one in kept)
    assert superposition(crawls, 6000)[0, 1] == pytest.approx(1 / 3)
    assert superposition(kept, 6000)[0, 1] == pytest.approx(1 / 3, abs=0.1)
    assert superposition([crawls[0], kept[1]], 6000)[0, 1] == superposition(kept, 6000)[0, 1]


@pytest.mark.parametrize(
    "content",
    [b"", b"no xz", lzma.compress(b"[]\n"), lzma.compress(b'{"key": 1}\n')],
    ids=["empty", "text", "list", "row"],
)
def test_a_file_that_has_no_finished_cells_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cells"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="no file of finished cells"):
        summaries.read(path)
