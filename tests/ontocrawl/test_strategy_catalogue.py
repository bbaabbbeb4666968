"""docs/strategies.md is what the classes give."""

from __future__ import annotations

from pathlib import Path

from crawler.strategies import STRATEGIES
from tools import strategy_catalogue

PAGE = Path(__file__).resolve().parents[2] / strategy_catalogue.PAGE


def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    assert strategy_catalogue.main([str(PAGE), "--check"]) == 0, "run python -m tools.strategy_catalogue"
    old = tmp_path / "strategies.md"
    old.write_text("old", encoding="utf-8")
    assert strategy_catalogue.main([str(old), "--check"]) == 3
    assert strategy_catalogue.main([str(old)]) == 0
    assert old.read_text(encoding="utf-8") == strategy_catalogue.page()


def test_every_strategy_has_its_row_and_its_readings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, cls in STRATEGIES.items():
        entry = text.split(f"\n### {name}\n")[1].split("\n### ")[0]
        assert f"| `{name}` | {cls.title} |" in text
        assert all(f"* {trap}: {reading}" in entry for trap, reading in cls.readings.items())
