"""docs/why.md is what the commands print."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from crawler.reasons import REASONS
from tools import why_page

PAGE = Path(__file__).resolve().parents[2] / why_page.PAGE


@pytest.mark.slow
def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    assert why_page.main([str(PAGE), "--check"]) == 0, "run python -m tools.why_page"
    old = tmp_path / "why.md"
    old.write_text("old", encoding="utf-8")
    assert why_page.main([str(old), "--check"]) == 3
    assert old.read_text(encoding="utf-8") == "old"


def test_it_shows_each_kind_of_answer_and_every_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for fate, heading, *_ in why_page.EXAMPLES:
        answer = text.split(f"## {heading}\n")[1].split("\n## ")[0]
        assert answer.count("$ ontocrawl crawl explain first http") == 1
        assert (f"\n{fate}: " in answer) != (fate == "fetched")
    assert all(f"| `{code}` | {reason.happened} |" in text for code, reason in REASONS.items())
    assert max(len(line) for line in text.split("```text")[3].splitlines()) <= 80


def test_outputs_are_shortened_by_whole_tables() -> None:
    assert doctest.testmod(why_page).failed == 0
