"""The benchmark of the circle: which crawls it makes, what it counts, and what the committed page says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import circle
from benchmarks.strategies import MILESTONES

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "docs" / "benchmarks" / "circle.json"


def row(strategy: str, setting: str, seed: int, found: int, world: str = "planted", stop: str = "limit_pages") -> Any:
    return {
        "strategy": strategy, "setting": setting, "world": world, "seed": seed, "fetched": 1000, "stop": stop,
        "found_at": {str(n): found for n in MILESTONES}, "labelled": 100, "by_label": found, "by_judge": 0,
    }  # fmt: skip


def test_every_strategy_crawls_by_both_ontologies() -> None:
    tasks = circle.tasks(circle.WORLDS, 5, 10)
    assert len(tasks) == len(set(tasks))
    for world in ("planted", "wikispeedia"):
        for name in circle.GUIDED:
            settings = {setting for strategy, setting, of, _ in tasks if (strategy, of) == (name, world)}
            assert {s.name for s in circle.SETTINGS if s.ontology} - settings <= {"learned, saturated, sem_key"}
    starts = {seed for *task, seed in tasks if tuple(task) == (*circle.FINAL, "wikispeedia")}
    assert starts == set(range(10))
    assert {seed for *task, seed in tasks if tuple(task) == (*circle.FINAL, "tangled")} == set(range(5))


def test_differences_are_paired_by_seed() -> None:
    one, other = ("fcosa_lg", "a"), ("fcosa_lg", "b")
    rows = [row(*one, seed, 10 + seed) for seed in range(3)] + [row(*other, seed, 8 + 2 * seed) for seed in (0, 1)]
    assert circle._paired(rows, one, other, "planted", 100) == "+1.5 ± 6.4"
    assert circle._paired(rows[:1], one, other, "planted", 100) == "-"


def test_a_row_tells_what_ended_early() -> None:
    rows = [row("best_first", "topic words", 0, 5), row("best_first", "topic words", 1, 7, stop="frontier_empty")]
    assert circle.table(rows) == [("`best_first`", "topic words", 2, 6, 6, 6, "5, 7", 1000, 1)]


def test_the_page_is_made_from_the_result() -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    assert RESULT.with_suffix(".md").read_text(encoding="utf-8") == circle.page(result)


@pytest.mark.parametrize("world", circle.WORLDS)
def test_what_was_learned_steers_better_than_topic_words_at_first(world: str) -> None:
    """The claim of decision 7, by labels, from the committed result."""
    rows = json.loads(RESULT.read_text(encoding="utf-8"))["rows"]

    def mean(strategy: str, setting: str, fetches: str) -> float:
        of = {circle.key(r): r["found_at"][fetches] for r in rows}
        return sum(of[strategy, setting, world, seed] for seed in range(5)) / 5

    for fetches in ("100", "300"):
        final = mean(*circle.FINAL, fetches)
        assert final > mean("best_first", circle.TK.name, fetches)
        assert final > mean("fcosa_lg", "learned, published", fetches)
