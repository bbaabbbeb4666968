"""Counts of concepts from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.model import Concept, Ontology
from ontology.similarity import CountError, Similarities, read_counts

FLOODS = Ontology(
    "t", "global", "t", "1", "http://t#Disaster",
    (
        Concept("http://t#Disaster", "灾害", "disaster"),
        Concept("http://t#Flood", "洪水", "flood", alt_zh=("洪涝",)),
        Concept("http://t#Rain", "雨", "rain", alt_zh=("降水",)),
        Concept("http://t#Snow", "雪", "snow", alt_zh=("降水",)),
    ),
    (),
)  # fmt: skip


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "counts.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_of_names_and_counts(tmp_path: Path) -> None:
    text = "\ufeff# from a corpus\n洪水\t3\n洪涝\t4\n\nhttp://t#Rain\t1.5\n地震\t9\n降水\t2\n"
    path = written(tmp_path, text)
    found = read_counts(path, FLOODS)
    assert found.by_iri == {"http://t#Flood": 7, "http://t#Rain": 1.5}
    assert [(p.line, p.file) for p in found.skipped] == [(6, str(path)), (7, str(path))]
    assert "地震" in found.skipped[0].reason
    assert "2 concepts" in found.skipped[1].reason
    assert read_counts(path, FLOODS, cumulative=True).by_iri["http://t#Flood"] == 4
    assert Similarities.of(FLOODS, counts=found.by_iri).ground.content.kind == "corpus"


def test_a_json_object(tmp_path: Path) -> None:
    found = read_counts(written(tmp_path, '{"灾害": 10, "flood": 3, "x": 1}'), FLOODS)
    assert found.by_iri == {"http://t#Disaster": 10, "http://t#Flood": 3}
    assert [p.line for p in found.skipped] == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("洪水 3\n", "line 1: expected a name, a tab and a count, found '洪水 3'"),
        ("雨\t1\n洪水\tmany\n", "line 2: expected a non-negative number, found 'many'"),
        ("洪水\t-1\n", "line 1: expected a non-negative number"),
        ("洪水\tnan\n", "line 1: expected a non-negative number"),
        ('{"洪水": true}', "洪水: expected a non-negative number, found True"),
        ('{"洪水": 1', "line 1: broken JSON"),
        ("地震\t1\n", "1 names, none of a concept of t"),
        ("", "0 names"),
    ],
)
def test_what_is_no_count(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CountError, match=message):
        read_counts(written(tmp_path, text), FLOODS)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_bytes("洪水\t1\n".encode("gb18030"))
    with pytest.raises(CountError, match="expected UTF-8, found byte 0xba at 0"):
        read_counts(path, FLOODS)
