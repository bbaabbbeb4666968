"""benchmarks/kills.py: ten kills lose nothing; and its page says so, or what does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import kills, report


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    found = kills.measure(tmp_path, kills=10, pages=800, seed=3)
    assert [name for name, held in found["checks"].items() if not held] == [], found["requested_too_often"]
    assert found["eight_or_more_open"] >= 9
    assert found["named_as_fetched_again"] >= 80
    page = kills.table(report.head("kills", pages=800, seed=3, found=found))
    assert "| of these with eight or more picks open | " in page and "| NO |" not in page
