"""docs/compare.md shows what `lab label` prints, on a crawl of the sample web."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import label_page

PAGE = Path(__file__).resolve().parents[1] / label_page.PAGE


@pytest.mark.slow
def test_the_sessions_are_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "compare.md"
    old.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    assert label_page.main([str(old), "--check"]) == 0, "run python -m tools.label_page"
    text = PAGE.read_text(encoding="utf-8")
    assert "1 labelled in this session, 99 left" in text and "Recall cannot be estimated from a crawl alone" in text
