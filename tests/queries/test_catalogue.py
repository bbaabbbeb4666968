"""docs/queries.md is what the headers and the demo give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import queries
from kg.store import GraphStore
from ontocrawl.graph.tables import Table
from tools import query_catalogue as catalogue

PAGE = Path(__file__).resolve().parents[2] / catalogue.PAGE
STALE = "docs/queries.md is out of date: run python -m tools.query_catalogue"
NOTHING = {name: Table(queries.get(name).returns, ()) for name in catalogue.SHOWN}


def test_the_page_is_that_of_the_headers() -> None:
    found = catalogue.without_answers(PAGE.read_text(encoding="utf-8"))
    assert found == catalogue.without_answers(catalogue.page(NOTHING)), STALE


@pytest.mark.slow
def test_the_answers_are_those_of_the_demo(demo_store: GraphStore) -> None:
    assert PAGE.read_text(encoding="utf-8") == catalogue.page(catalogue.ask_all(demo_store)), STALE


def test_every_query_stands_on_the_page_with_all_its_header_says() -> None:
    text = catalogue.page(NOTHING)
    for query in queries.all_queries():
        entry = text.split(f"\n### {query.name}\n")[1].split("\n#")[0]
        assert query.title in entry and query.answers in entry and query.cost in entry and query.example in entry
        assert all(f"| `{p.name}` | {p.expected} |" in entry for p in query.parameters)
        assert all(f"`{column}`" in entry for column in query.returns)


def test_queries_are_shown_with_tables_that_markdown_can_read() -> None:
    assert len(catalogue.SHOWN) >= 10
    for name, given in catalogue.SHOWN.items():
        queries.get(name).bind(given)
    rows = (("a|b\nc", "<i>", None, True, 0.5, ["x", 1], '{"a": 1}'),)
    answer = Table(("u", "v", "w", "x", "y", "z", "e"), rows)
    text = catalogue.page({**NOTHING, "hosts/that_pay": answer})
    assert '| a\\|b c | &lt;i> |  | yes | 0.5000 | x, 1 | `{"a": 1}` |' in text
    tables = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1, table


def test_check_tells_a_stale_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "build", lambda: catalogue.page(NOTHING))
    page = tmp_path / "docs" / "queries.md"
    assert catalogue.main([str(page), "--check"]) == 3
    assert "run python -m tools.query_catalogue" in capsys.readouterr().err
    assert not page.exists()
    assert catalogue.main([str(page)]) == 0
    assert catalogue.main([str(page), "--check"]) == 0
    page.write_text(page.read_text(encoding="utf-8") + "x", encoding="utf-8")
    assert catalogue.main([str(page), "--check"]) == 3
