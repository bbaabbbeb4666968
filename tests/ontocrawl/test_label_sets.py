"""Sets of labelled pages, of JSON files and of tables of categories."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontocrawl.errors import UsageError
from ontocrawl.runs import crawl_setup

TABLE = """# PAGE   CATEGORY

Linux\tsubject.IT.Software
Cipher\tsubject.IT.Cryptography
Cipher\tsubject.IT.Software
Italy\tsubject.ITALY
Chip\tsubject.IT
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "categories.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("subject.IT", ["Linux", "Cipher", "Chip"]),
        ("subject.IT.Software", ["Linux", "Cipher"]),
        ("subject.IT.Cryptography", ["Cipher"]),
        ("subject", ["Linux", "Cipher", "Italy", "Chip"]),
    ],
)
def test_a_set_of_a_table_is_a_category_with_those_below_it(table: Path, name: str, pages: list[str]) -> None:
    found = crawl_setup.pages(f"{table}#{name}")
    assert sorted(found) == sorted(pages)
    assert len(found) == len(set(found))


def test_a_set_of_json_is_a_list_of_its_name_only(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('{"a": ["Rain", "Rain"], "a.b": ["Flood"]}', encoding="utf-8")
    assert crawl_setup.pages(f"{path}#a") == ["Rain"]
    assert crawl_setup.read(path) == {"a": ["Rain", "Rain"], "a.b": ["Flood"]}


@pytest.mark.parametrize("name", ["subject.I", "subject.IT.", "", "Linux"])
def test_what_is_no_category_is_an_error(table: Path, name: str) -> None:
    with pytest.raises(UsageError, match="has no set"):
        crawl_setup.pages(f"{table}#{name}")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("t.tsv", "Rain\n", "line 1: expected PAGE, a tab, CATEGORY"),
        ("t.tsv", "# names\nRain\t\n", "line 2"),
        ("t.tsv", "Rain\ta\tb\n", "line 1"),
        ("t.json", "{", "is not JSON"),
        ("t.json", "[]", "expected a JSON object"),
        ("t.json", '{"a": "Rain"}', "the set 'a' is not a list"),
    ],
)
def test_another_form_is_an_error(tmp_path: Path, file: str, text: str, said: str) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        crawl_setup.read(tmp_path / file)
