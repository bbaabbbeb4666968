"""The page about the hierarchy does what it shows; the verdicts and the figures of the benchmark are whole."""

from __future__ import annotations

import csv
import doctest
import json
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_does_what_it_shows() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "hierarchy.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 20
    assert found.failed == 0


def test_every_verdict_has_a_reason_and_stands_once() -> None:
    with (ROOT / "docs" / "judged-edges.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) >= 400
    assert {row["verdict"] for row in rows} == {"right", "wrong"}
    assert all(row["reason"] and row["child"] and row["parent"] for row in rows)
    assert len({(row["child"], row["parent"]) for row in rows}) == len(rows)
    page = (ROOT / "docs" / "judged-edges.md").read_text(encoding="utf-8")
    assert page.count(" | right | ") + page.count(" | wrong | ") == len(rows)


def test_the_figures_reach_what_was_aimed_at() -> None:
    result = json.loads((ROOT / "docs" / "benchmarks" / "hierarchy.json").read_text(encoding="utf-8"))
    planted = {(row["noise"], row["reading"]): row["mean_f1"] for row in result["planted"]}
    assert planted[0.0, "published"] == planted[0.0, "tolerant"] == 1.0
    assert planted[0.05, "tolerant"] >= 0.85
    judged = {row["name"]: row for row in result["judged"]}
    assert judged["after"]["share_right"] >= 0.8 > judged["before"]["share_right"]
    assert all(row["right"] + row["wrong"] + row["not_judged"] == row["drawn"] for row in judged.values())


def test_what_topics_and_rules_add_is_judged_and_costs_the_default_nothing() -> None:
    result = json.loads((ROOT / "docs" / "benchmarks" / "hierarchy.json").read_text(encoding="utf-8"))
    rows = {(row["corpus"], row["evidence"]): row for row in result["mined"]}
    assert {corpus for corpus, _ in rows} == {"disaster_core", "disaster_broad"}
    with (ROOT / "docs" / "judged-fields.tsv").open(encoding="utf-8", newline="") as stream:
        verdicts = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    disputed = Counter(row["field"] for row in verdicts if row["a"] != row["b"])
    for (corpus, _), row in rows.items():
        assert row["lost"] == 0
        assert row["added"]["not_judged"] <= disputed[corpus]
        assert row["edges"] == rows[corpus, "fca"]["edges"] + sum(row["added"].values())
