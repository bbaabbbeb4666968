"""The file of papers beside a learned ontology: written and read back, joined, and refused where it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.load import load_ontology
from kg.store import GraphStore
from ontocrawl.topics import papers
from ontocrawl.topics.papers import Papers, PapersError
from ontology.model import Document
from tests.kg import small_crawl as web

PAPERS = Papers("x:o/0.1.0+aaa", tuple(Document(d.id, d.title, year=d.year) for d in web.DOCUMENTS), web.TERMS)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rainstorm.papers.jsonl"
    papers.write(PAPERS, file)
    assert papers.read(file) == PAPERS
    assert "暴雨与城市内涝" in file.read_text(encoding="utf-8")


def test_a_text_may_contain_any_character(tmp_path: Path) -> None:
    document = Document("d", "暴雨\u2028灾害", abstract="一\u0085二\r\n三\u2029")
    papers.write(Papers("x:o/1", (document,), {"d": {}}), tmp_path / "p.jsonl")
    assert papers.read(tmp_path / "p.jsonl").documents == (document,)


def test_another_version_has_the_counts_of_its_new_names(tmp_path: Path) -> None:
    documents = (
        Document("d1", "特大沙尘暴", abstract="沙尘暴与反沙尘暴。", abstract_en="Dust storms, and a storm of dust"),
        Document("d2", "暴雨"),
    )
    file = tmp_path / "p.jsonl"
    papers.write(Papers("x:o/1", documents, {"d1": {"沙尘": 7}, "d2": {"暴雨": 1}}), file)
    file.write_bytes(papers.of_version(file.read_bytes(), "x:o/2", ["暴雨", "沙尘暴", "dust storm", "冰雹"]))
    assert papers.read(file) == Papers(
        "x:o/2", documents, {"d1": {"沙尘": 7, "沙尘暴": 3, "dust storm": 1}, "d2": {"暴雨": 1}}
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [], r"line 1: no paper"),
        (lambda lines: lines[:-1], r"3 papers announced, 2 found"),
        (lambda lines: [*lines[:2], lines[2][:20], *lines[3:]], r"line 3: no paper"),
        (lambda lines: [lines[0], lines[1].replace('"terms"', '"words"'), *lines[2:]], r"line 2: no paper"),
        (lambda lines: [lines[0], "[]", *lines[2:]], r"line 2: no paper"),
        (lambda lines: lines[1:], r"line 1: no paper"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, change: object, says: str) -> None:
    file = tmp_path / "p.jsonl"
    papers.write(PAPERS, file)
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(change(lines)) + "\n", encoding="utf-8")  # type: ignore[operator]
    with pytest.raises(PapersError, match=says):
        papers.read(file)


def test_a_common_paper_has_the_terms_of_both() -> None:
    other = Papers(
        "x:p/0.1.0+bbb", (Document("d1", "别的题"), Document("d9", "新")), {"d1": {"城市内涝": 1, "排水": 2}}
    )
    both = papers.joined([PAPERS, other], "x:joined/0.1.0+ccc")
    assert both.ontology == "x:joined/0.1.0+ccc"
    assert {d.id: d.title for d in both.documents} == {d.id: d.title for d in (*PAPERS.documents, other.documents[1])}
    assert both.terms["d1"] == {"暴雨灾害": 2, "城市内涝": 3, "排水": 2}


def test_they_are_loaded_once(embedded_store: GraphStore) -> None:
    load_ontology(embedded_store, web.ONTOLOGY)
    mine = Papers(web.ONTOLOGY.key, PAPERS.documents, PAPERS.terms)
    assert papers.load(embedded_store, mine)
    assert not papers.load(embedded_store, mine)
    fewer = Papers(mine.ontology, mine.documents[:2], mine.terms)
    assert papers.load(embedded_store, fewer)
    rows = embedded_store.read("MATCH (:Ontology)-[:LEARNED_FROM]->(d:Document) RETURN d.id AS id ORDER BY id")
    assert [row["id"] for row in rows] == ["d1", "d2"]
