"""benchmarks/queries.py on a small graph: the generator, the measurement of every query, and the table."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import queries
from kg.bolt import BoltStore
from kg.schema import KEYS, RELATIONSHIPS

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "queries.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    before = list(sys.path)
    spec = importlib.util.spec_from_file_location("benchmark_of_queries", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


@pytest.mark.slow
def test_the_graph_is_made_from_a_seed_and_has_all_that_queries_look_at(benchmark: ModuleType) -> None:
    made = list(benchmark.graph(200))
    assert made == list(benchmark.graph(200))
    assert made != list(benchmark.graph(200, seed=1))
    text = "".join(statement for statement, _ in made)
    assert all(f":{label} " in text for label in KEYS if label != "GraphSchema")
    others = ("PART_OF", "EQUIVALENT_TO", "MEASURED_BY", "LINKS_TO_HOST")  # the last one is computed of the links
    assert all(f":{kind}]" in text for kind in RELATIONSHIPS if kind not in others)
    links = [row for statement, rows in made if ":LINKS_TO]" in statement for row in rows]
    assert len(links) == pytest.approx(benchmark.LINKS_PER_PAGE * 200, rel=0.05)
    assert len({(row["a"], row["b"], row["props"]["crawl"]) for row in links}) == len(links)
    more = [row for statement, rows in benchmark.graph(200, 4_000) if ":LINKS_TO]" in statement for row in rows]
    assert len(more) == pytest.approx(4_000, rel=0.1)


@pytest.mark.slow
def test_each_page_was_shown_by_an_earlier_one(benchmark: ModuleType) -> None:
    step: dict[tuple[str, str], int] = {}
    for statement, rows in benchmark.graph(200):
        if ":FETCHED]" in statement:
            step |= {(row["a"], row["b"]): row["props"]["step"] for row in rows}
    tree = [row for statement, rows in benchmark.graph(200) if ":LED_TO]" in statement for row in rows]
    assert tree
    for row in tree:
        crawl = row["props"]["crawl"]
        assert step[crawl, row["a"]] < step.get((crawl, row["b"]), 10**6)


@pytest.mark.slow
def test_every_query_is_measured_and_has_rows(benchmark: ModuleType, embedded_store: BoltStore) -> None:
    told: list[str] = []
    result = benchmark.load_and_measure(embedded_store, 300, told.append)
    assert [m["query"] for m in result["queries"]] == [q.name for q in queries.all_queries()]
    assert [line for line in benchmark.over(result["queries"]) if "no rows" in line] == []
    assert all(any(name in line for line in told) for name in ("crawl/list", "pages/similar"))
    assert set(result["full_scans"]) == set(benchmark.FULL_SCANS)
    assert benchmark.counted([{"engine": "embedded", **result}])[4].startswith("| crawl/by_depth | ")


def test_a_slow_query_must_say_so(benchmark: ModuleType) -> None:
    measured = [
        {"query": "a/fast", "seconds": 1.9, "rows": 1, "cost": "little"},
        {"query": "a/late", "seconds": 2.1, "rows": 1, "cost": "little"},
        {"query": "a/slow", "seconds": 9.0, "rows": 1, "cost": "slow: all links"},
        {"query": "a/empty", "seconds": 0.1, "rows": 0, "cost": "little"},
    ]
    assert benchmark.over(measured) == [
        "a/late took 2.1 s, and its header does not call it slow",
        "a/empty has no rows",
    ]
    measured.append({"query": "a/modest", "seconds": 0.2, "rows": 1, "cost": "slow: it was thought"})
    quicker = [{**m, "seconds": m["seconds"] / 10} for m in measured]
    said = ["a/modest took 0.2 s at most, and its header calls it slow"]
    assert benchmark.needlessly_slow([{"queries": quicker}, {"queries": measured}]) == said


def test_a_slow_command_is_told(benchmark: ModuleType) -> None:
    assert benchmark.commands.late({"cold": 2.9, "warm": 0.4}) == []
    assert benchmark.commands.late({"cold": 3.1, "warm": 0.6}) == [
        "query run took 3.1 s cold, promised 3 s",
        "query run took 0.6 s warm, promised 0.5 s",
    ]


def test_the_table_has_a_column_for_each_engine(benchmark: ModuleType) -> None:
    def engine(name: str, seconds: float) -> dict[str, Any]:
        measured = [{"query": "a/b", "seconds": seconds, "rows": 1200, "cost": "little"}]
        taken = {"warm": seconds}
        return {"engine": name, "load_seconds": 60, "links": 10, "queries": measured, "command": taken}

    result = {
        "pages": 100_000, "links": 1_000_000, "python": "3.11", "system": "Linux", "cores": 2,
        "load_average": [0.5, 0.6], "disagree": ["a/c has no rows"],
        "engines": [engine("embedded", 0.5), engine("Neo4j", 0.25)],
    }  # fmt: skip
    text = benchmark.table(result)
    assert "| query | embedded, s | Neo4j, s | rows | cost, as its header says |" in text
    assert "| a/b | 0.500 | 0.250 | 1,200 | little |" in text
    assert "100,000 pages and 1,000,000 links" in text
    assert "The command `query run` on Neo4j: 0.25 s warm." in text
    assert "* Header or promise and measurement disagree: a/c has no rows" in text
