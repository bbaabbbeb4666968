"""benchmarks/strategies.py: the counts at the milestones, the settings that it asks for, and the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import strategies as benchmark
from crawler import metrics
from crawler.metrics import FetchedPages
from ontocrawl.base import workspace
from ontocrawl.base.options import CrawlOptions
from ontocrawl.runs import plan


def found_at(found: list[bool]) -> dict[str, int]:
    """What a crawl counts whose pages are labelled or not."""
    addresses = [(str(at),) for at in range(len(found))]
    targets = {url for (url,), labelled in zip(addresses, found, strict=True) if labelled}
    pages = FetchedPages([0.5] * len(found), [True] * len(found), addresses, targets)
    return benchmark.found_at(metrics.milestones(pages, benchmark.MILESTONES))


def row(strategy: str, found: list[bool], seed: int = 0) -> dict[str, Any]:
    return {
        "strategy": strategy, "world": "planted", "seed": seed, "fetched": len(found), "by_judge": len(found) // 2,
        "by_label": sum(found), "found_at": found_at(found), "labelled": 500, "choice_us": 10.4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("found", "counts"),
    [
        ([], (0, 0, 0)),
        ([True] * 40, (40, 40, 40)),
        ([False] * 99 + [True], (1, 1, 1)),
        ([False] * 100 + [True], (0, 1, 1)),
        ([True, False] * 200, (50, 150, 200)),
        ([True] * 1001, (100, 300, 1000)),
    ],
)
def test_milestones_count_the_first_fetches(found: list[bool], counts: tuple[int, int, int]) -> None:
    assert found_at(found) == dict(zip(("100", "300", "1000"), counts, strict=True))


@pytest.mark.slow
def test_the_published_forms_are_measured_whatever_the_defaults_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace whose settings name a guide stands for a crawl that has one by default."""
    template = workspace._TEMPLATE.replace("[graph]", 'guide = "density"\n\n[graph]')
    monkeypatch.setattr(workspace, "_TEMPLATE", template)
    config = benchmark.base_config(50)
    assert config.crawl.limit_pages == 50
    for setting, value in benchmark.PUBLISHED.items():
        assert getattr(config.crawl, setting) == value


@pytest.mark.slow
def test_published_settings_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[CrawlOptions] = []
    without_vectors = plan.without_vectors

    def noted(space: Any, topic: Any, options: CrawlOptions, on_note: Any) -> Any:
        seen.append(options)
        return without_vectors(space, topic, options, on_note)

    monkeypatch.setattr(benchmark.plan, "without_vectors", noted)
    benchmark.base_config(50)
    assert benchmark.PUBLISHED.items() <= dict(seen[0].settings).items()


def test_the_table_has_the_best_at_the_end_first() -> None:
    early = [True] * 120
    late = [False] * 100 + [True] * 200
    lines = benchmark.table([row("early", early), row("late", late), row("late", late[:150], 1)], "planted")
    assert [dict(zip(benchmark.COLUMNS, line, strict=True)) for line in lines] == [
        {
            "strategy": "`late`", "labelled at 100": 0, "at 300": 125, "at 1,000": 125, "at the end": 125,
            "from, to (at the end)": "50, 200", "fetches at the end": 225, "precision": "0.556", "recall": "0.250",
            "accuracy of the judge": "0.500", "a choice, microseconds": 10,
        },
        {
            "strategy": "`early`", "labelled at 100": 100, "at 300": 120, "at 1,000": 120, "at the end": 120,
            "from, to (at the end)": "120, 120", "fetches at the end": 120, "precision": "1.000", "recall": "0.240",
            "accuracy of the judge": "0.500", "a choice, microseconds": 10,
        },
    ]  # fmt: skip


def test_rows_without_counts_at_the_milestones_are_measured_again(tmp_path: Path) -> None:
    new, old = row("new", [True]), row("old", [True])
    del old["found_at"]
    file = tmp_path / "strategies.json"
    file.write_text(json.dumps({"fetches": 1000, "rows": [new, old]}), encoding="utf-8")
    assert benchmark.known_rows(file, 1000) == [new]
    assert benchmark.known_rows(file, 500) == []
