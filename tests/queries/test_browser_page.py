"""The statements of docs/browser.md find something on the demo's graph. They return paths: their rows are counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.store import GraphStore

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs" / "browser.md"
STATEMENTS = re.findall(r"```cypher\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_of_the_page_finds_something(statement: str, demo_store: GraphStore) -> None:
    head, mark, _ = statement.rpartition("RETURN ")
    assert mark
    assert demo_store.read(f"{head}RETURN count(*) AS n")[0]["n"] > 0


def test_the_page_has_statements() -> None:
    assert len(STATEMENTS) >= 5
