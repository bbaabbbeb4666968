"""docs/evolve.md shows what the command prints, on the bundled sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import settle_page

PAGE = Path(__file__).resolve().parents[1] / settle_page.PAGE


@pytest.mark.slow
def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    """Its sessions settle ten terms of the sample, and the next build replays the decisions."""
    old = tmp_path / "evolve.md"
    old.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    assert settle_page.main([str(old), "--check"]) == 0, "run python -m tools.settle_page"
    text = PAGE.read_text(encoding="utf-8")
    assert "the order of 10 terms is settled by 8 answers" in text
    assert text.count("  above: 洪涝灾害 (subclass_of)") == 1 and "  above: 洪涝 (subclass_of)" in text
