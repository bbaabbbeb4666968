"""docs/evolve.md shows what the commands print, on a crawl of the sample web."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import review_page

PAGE = Path(__file__).resolve().parents[1] / review_page.PAGE


@pytest.mark.slow
def test_the_sessions_are_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "evolve.md"
    old.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    assert review_page.main([str(old), "--check"]) == 0, "run python -m tools.review_page"
    text = PAGE.read_text(encoding="utf-8")
    assert "列车效应: accepted" in text and "1 accepted proposal came into it; 1 was rejected" in text
