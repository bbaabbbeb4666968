"""benchmarks/explorer.py: its page is that of its result, and says which goals are missed."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import explorer

RESULT = Path(__file__).parents[1] / "docs" / "benchmarks" / "explorer.json"


def test_the_page_is_made_from_the_result() -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    assert RESULT.with_suffix(".md").read_text(encoding="utf-8") == explorer.table(result)
    assert {row["view"] for row in result["rows"]} >= {"overview", "crawls", "map, 300 pages", "map, 2,000 pages"}
    assert result["size"]["pages"] >= 50_000 and result["size"]["links"] >= explorer.LINKS


def test_a_goal_that_is_missed_is_said() -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    slow = {"view": "map, 2,000 pages", "cold": dict.fromkeys(result["rows"][0]["cold"], 9.0)}
    said = explorer.goals({**result, "rows": [{**slow, "warm": slow["cold"]}], "memory": {"server": 100}})
    assert [row[-1] for row in said] == ["**missed**", "**missed**", "met", "**missed**"]
