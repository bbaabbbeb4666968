"""The examples run, one for each family of strategies."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from crawler.strategies import STRATEGIES

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py") if path.stem not in ("__init__", "cautious"))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_it_finds_relevant_pages_for_each_value(name: str) -> None:
    found = import_module(f"examples.{name}").main(webs=1)
    assert len(found) >= 2
    assert all(harvest > 0 for harvest in found.values()), found


def test_every_family_has_one() -> None:
    asked = {import_module(f"examples.{name}") for name in EXAMPLES}
    files = {
        STRATEGIES[strategy].__module__
        for module in asked
        for strategy in (getattr(module, "STRATEGIES", None) or (module.STRATEGY,))
    }
    assert len(files) >= 12, files
