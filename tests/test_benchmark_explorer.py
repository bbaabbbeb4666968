"""benchmarks/explorer.py: its page is that of its result, and says which goals are missed."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import explorer

RESULT = Path(__file__).parents[1] / "docs" / "benchmarks" / "explorer.json"


def test_the_page_is_made_from_the_result() -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    assert RESULT.with_suffix(".md").read_text(encoding="utf-8") == explorer.table(result)
    views = {row["view"] for row in result["rows"]}
    assert views >= {"overview", "a page of it", "its lattice", "map of communities", "map, 2,000 pages"}
    assert result["size"]["pages"] >= 50_000 and result["size"]["links"] >= explorer.LINKS


def test_a_goal_that_is_missed_is_said() -> None:
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    slow, quick = (dict.fromkeys(result["rows"][0]["cold"], seconds) for seconds in (9.0, 0.2))
    rows = [
        {"view": "map, 2,000 pages", "cold": quick, "warm": slow},
        {"view": "a page of it", "cold": quick, "warm": quick},
    ]
    said = explorer.goals({**result, "rows": rows, "memory": {"server": 100}})
    missed, met = "**missed**", "met"
    assert [row[-1] for row in said] == [met, missed, met, missed, missed, met, met]
