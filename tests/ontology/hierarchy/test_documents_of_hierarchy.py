"""The verdicts and the figures of the benchmark are whole."""

from __future__ import annotations

import csv
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_every_verdict_has_a_reason_and_stands_once() -> None:
    with (ROOT / "docs" / "judged-edges.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) >= 400
    assert {row["verdict"] for row in rows} == {"right", "wrong"}
    assert all(row["reason"] and row["child"] and row["parent"] for row in rows)
    assert len({(row["child"], row["parent"]) for row in rows}) == len(rows)


def test_the_figures_reach_what_was_aimed_at() -> None:
    result = json.loads((ROOT / "docs" / "benchmarks" / "hierarchy.json").read_text(encoding="utf-8"))
    planted = {(row["noise"], row["reading"]): row["mean_f1"] for row in result["planted"]}
    assert planted[0.0, "published"] == planted[0.0, "tolerant"] == 1.0
    assert planted[0.05, "tolerant"] >= 0.85
    judged = {row["name"]: row for row in result["judged"]}
    assert judged["after"]["share_right"] >= 0.8 > judged["before"]["share_right"]
    assert all(row["right"] + row["wrong"] + row["not_judged"] == row["drawn"] for row in judged.values())
