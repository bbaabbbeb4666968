"""The page of the million-page crawl and the page of sizes: what they compute from samples, and that they are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import million, million_page, sizing

DOCS = Path(__file__).resolve().parent.parent / "docs" / "benchmarks"


def crawl(pages: int, seconds: float, processor: float) -> dict[str, Any]:
    """A sample: 300 MB, 700 bytes a page, 250 bytes a known URL, of which there are two for each page."""
    mb = 300 + (700 * pages + 250 * 2 * pages) / 1e6
    return {"phase": "crawl", "pages": pages, "queued": pages, "crawled": seconds, "processor": processor, "mb": mb}


@pytest.fixture
def result() -> dict[str, Any]:
    """A crawl of 10,000 pages that was killed at the half; a process reads modules for 2 s before its first page."""
    samples = [{"phase": "begun", "pages": 0, "seconds": 1.5}]
    samples += [crawl(pages, pages / 100, 2 + pages * 0.004) for pages in range(1_000, 5_001, 500)]
    samples += [{"phase": "killed", "pages": 5_000}, {"phase": "begun", "pages": 4_800, "seconds": 2.5}]
    samples += [crawl(pages, pages / 100, 2 + (pages - 4_800) * 0.006) for pages in range(5_500, 10_001, 500)]
    return {"pages": 10_000, "samples": samples}


def test_processor_time_is_that_of_each_process_between_its_samples(result: dict[str, Any]) -> None:
    assert million_page.processor_ms(result, 0, 5_000) == pytest.approx(4.0)
    assert million_page.processor_ms(result, 5_500, 10_000) == pytest.approx(6.0)
    tenths = million_page.parts(result)
    assert [row["pages"] for row in tenths] == list(range(1_000, 10_001, 1_000))
    assert {row["pages a second"] for row in tenths} == {100}


def test_memory_is_fitted_by_pages_and_known_urls(result: dict[str, Any]) -> None:
    for row in result["samples"]:  # the queue must not grow as the pages do, or the two cannot be told apart
        if row["phase"] == "crawl":
            row["queued"] = 1_000 + row["pages"] ** 2 // 10_000
            row["mb"] = 300 + (700 * row["pages"] + 250 * (row["pages"] + row["queued"])) / 1e6
    base, page, known = sizing.memory_model(result)
    assert (base / 1e6, page, known) == pytest.approx((300, 700, 250), rel=1e-3)


@pytest.mark.parametrize("name", ["million.md", "sizing.md"])
def test_the_committed_pages_are_made_from_the_committed_result(name: str) -> None:
    found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in DOCS.glob("*.json")}
    if "million" not in found:
        pytest.skip("no crawl of a million pages has been published: python -m benchmarks.million")
    text = million_page.page_of(found["million"]) if name == "million.md" else sizing.page_of(found["million"], found)
    assert (DOCS / name).read_text(encoding="utf-8") == text


def test_a_graph_that_was_ended_early_is_taken_to_go_on_at_its_rate(result: dict[str, Any]) -> None:
    result["samples"] += [
        {"phase": "project", "seconds": 300.0, "mb": 500.0, "engine_mb": 900.0, "graph": 4_000_000},
        {"phase": "counted", "whole": False, "rows": {"page": 10_000, "link": 250_000}, "nodes": {"Page": 10_000},
         "edges": {"FETCHED": 10_000, "ON_HOST": 10_000, "LINKS_TO": 130_000}},
    ]  # fmt: skip
    assert sizing.load_ms(result) == pytest.approx(30.0 * (1 + 120_000 / 150_000))
    (said, *_) = million_page._into_the_graph(result)
    assert "was ended early; it had written 10,000 of 10,000 pages, and 130,000 of 250,000 links" in said
    result["samples"] += [{"phase": "projected", "seconds": 600.0, "graph": 5_000_000}]
    result["samples"] += [{**result["samples"][-2], "whole": True}]
    assert sizing.load_ms(result) == 60.0
    assert million_page._into_the_graph(result)[0].startswith("`graph rebuild` wrote the run into the embedded engine")


def test_published_samples_are_evenly_spaced_and_have_the_last_one_of_each_phase() -> None:
    rows = [{"phase": "crawl", "pages": n} for n in range(1, 1_001)] + [{"phase": "killed", "pages": 500}]
    kept = million.thinned(rows, 100)
    assert [row["pages"] for row in kept if row["phase"] == "crawl"] == list(range(10, 1_001, 10))
    assert kept[-1] == {"phase": "killed", "pages": 500}
