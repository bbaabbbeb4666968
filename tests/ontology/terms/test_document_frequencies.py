"""Document frequencies of a background: counts by hand, the file, the table that ships."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from ontology.model import Document
from ontology.terms import document_frequencies as module
from ontology.terms.document_frequencies import DocumentFrequencies, document_frequencies, load, save, shipped
from ontology.terms.keyness import BackgroundError
from ontology.terms.lexicon import Entry, Lexicon
from ontology.terms.ngrams import ngrams
from ontology.terms.token_stream import TokenStream

DOCUMENTS = (
    Document("1", "暴雨灾害", "暴雨的管理，GPS 数据。暴雨。", keywords=("内涝",)),
    Document("2", "灾害管理", "暴雨灾害与 gps 数据"),
    Document("3", "Ｇｌｏｂａｌ Model", "The global model of 2021."),
)
COUNTS = {
    "暴雨": 2, "灾害": 2, "管理": 2, "数据": 2, "gps": 2,
    "暴雨灾害": 2, "gps数据": 2, "灾害管理": 1,
    "global": 1, "model": 1, "global model": 1,
}  # fmt: skip
HEADER = "# source: by hand\n# documents: 9\n# least: 2\n"


@pytest.mark.slow
def test_counts_by_hand() -> None:
    table = document_frequencies(DOCUMENTS, "by hand", least=1)
    assert dict(table.frequency) == COUNTS
    assert (table.documents, table.source, table.least) == (3, "by hand", 1)


def test_rare_forms_are_left_out() -> None:
    table = document_frequencies(DOCUMENTS, "by\n hand", least=2)
    assert dict(table.frequency) == {form: count for form, count in COUNTS.items() if count >= 2}
    assert (table.source, table.least) == ("by hand", 2)


def test_words_of_the_lexicon_are_not_cut_apart() -> None:
    table = document_frequencies(DOCUMENTS, "", least=1, lexicon=Lexicon((Entry("暴雨灾害", ""),)))
    assert (table.of(["暴雨灾害"]), table.of(["暴雨"]), table.of(["灾害"])) == (2, 1, 1)


def test_a_form_that_is_cut_in_two_ways_counts_each_document_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents: 甲|乙丙, 甲乙|丙, and one with both; 甲乙丙 is in three."""
    words = ("", "甲", "乙丙", "甲乙", "丙")
    ids, records = [0, 1, 2, 0, 3, 4, 0, 1, 2, 0, 3, 4, 0], [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    stream = TokenStream(
        words, ("", "n", "n", "n", "n"), np.array(ids, np.int32), np.array(records, np.int32), np.zeros(13, bool), 3
    )
    assert sorted(ngrams(stream).document_frequency.tolist()) == [2] * 6
    monkeypatch.setattr(module, "token_stream", lambda *_: stream)
    table = document_frequencies(DOCUMENTS, "", least=3)
    assert dict(table.frequency) == {"甲乙丙": 3}


def test_of_takes_the_largest_of_folded_forms() -> None:
    table = DocumentFrequencies({"暴雨": 3, "强降水": 7, "global model": 4, "gps数据": 2}, 9, "by hand", 2)
    assert table.of(["暴雨", "强降水", "没有"]) == 7
    assert table.of([" Ｇｌｏｂａｌ \t  MODEL "]) == 4
    assert table.of(["GPS 数据"]) == 2
    assert table.of(["没有", ""]) == table.of([]) == table.least - 1 == 1


@pytest.mark.parametrize(
    ("documents", "least", "says"),
    [((), 1, "no documents"), (DOCUMENTS, 0, "least is 0"), (DOCUMENTS, 3, "no word occurs in 3 of 3 documents")],
)
def test_nothing_to_count(documents: tuple[Document, ...], least: int, says: str) -> None:
    with pytest.raises(BackgroundError, match=says):
        document_frequencies(documents, "", least)


@pytest.mark.parametrize("name", ["table.tsv", "table.tsv.gz"])
def test_round_trip_and_the_same_bytes(tmp_path: Path, name: str) -> None:
    table = document_frequencies(DOCUMENTS, "by hand: a, b", least=1)
    save(table, tmp_path / "a" / name)
    assert load(tmp_path / "a" / name) == table
    backwards = DocumentFrequencies(dict(reversed(table.frequency.items())), 3, "by hand: a, b", 1)
    save(backwards, tmp_path / "b" / name)
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert [path.name for path in (tmp_path / "a").iterdir()] == [name]


def test_the_file_is_sorted_and_the_compressed_one_has_no_time_and_no_name(tmp_path: Path) -> None:
    table = DocumentFrequencies({"灾害": 3, "gps": 2, "暴雨": 9}, 9, "by hand", 2)
    save(table, tmp_path / "table.tsv")
    save(table, tmp_path / "table.tsv.gz")
    plain, packed = (tmp_path / "table.tsv").read_bytes(), (tmp_path / "table.tsv.gz").read_bytes()
    assert plain.decode() == HEADER + "gps\t2\n暴雨\t9\n灾害\t3\n"
    assert gzip.decompress(packed) == plain
    assert packed[3:8] == bytes(5)


def test_a_file_from_an_editor(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_bytes((HEADER + "\n暴雨\t9").replace("\n", "\r\n").encode("utf-8-sig"))
    assert load(path) == DocumentFrequencies({"暴雨": 9}, 9, "by hand", 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: expected '# source"),
        ("暴雨\t3\n", "line 1: expected '# source"),
        ("# source: by hand", "the end of the file"),
        ("# source: x\n# least: 2\n# documents: 9\n暴雨\t3\n", "line 2: expected '# documents"),
        ("# source: x\n# documents: many\n# least: 2\n暴雨\t3\n", "line 2: expected a whole number"),
        ("# source: x\n# documents: 0\n# least: 2\n暴雨\t3\n", "line 2: expected a whole number"),
        ("# source: x\n# documents: 9\n暴雨\t3\n", "line 3: expected '# least"),
        ("# source: x\n# documents: 9\n# least: 10\n暴雨\t3\n", "line 3: expected a whole number from 1 to 9"),
        (HEADER + "暴雨\t3\n灾害 3\n", "line 5: expected a new form"),
        (HEADER + "\t3\n", "line 4: expected a new form"),
        (HEADER + "暴雨\t3\n暴雨\t4\n", "line 5: expected a new form"),
        (HEADER + "暴雨\t3.5\n", "line 4: expected a whole number from 2 to 9, found '3.5'"),
        (HEADER + "暴雨\t-3\n", "line 4: expected a whole number"),
        (HEADER + "暴雨\t\n", "line 4: expected a whole number"),
        (HEADER + "暴雨\t10\n", "line 4: expected a whole number"),
        (HEADER + "暴雨\t1\n", "line 4: expected a whole number"),
        (HEADER + "暴雨\t" + "9" * 5000, "line 4: expected a whole number"),
        (HEADER, "has no form"),
    ],
)
@pytest.mark.parametrize("name", ["table.tsv", "table.tsv.gz"])
def test_a_broken_table_names_file_and_line(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    with pytest.raises(BackgroundError, match=re.escape(str(path)) + ".*" + says):
        load(path)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.tsv.gz", HEADER.encode(), "not a whole gzip file"),
        ("a.tsv.gz", gzip.compress(HEADER.encode(), mtime=0)[:-12], "not a whole gzip file"),
        ("a.tsv.gz", gzip.compress(HEADER.encode(), mtime=0)[:10] + b"\xff" * 20, "not a whole gzip file"),
        ("a.tsv.gz", gzip.compress(HEADER.encode() + b"\xff\t3\n", mtime=0), "line 4: is no text in UTF-8"),
        ("a.tsv", HEADER.encode() + "暴雨\t3\n".encode("gb18030"), "line 4: is no text in UTF-8"),
        ("a.tsv", gzip.compress(HEADER.encode(), mtime=0), "line 1: is no text in UTF-8"),
    ],
)
def test_bytes_that_are_no_table(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BackgroundError, match=re.escape(str(tmp_path / name)) + ".*" + says):
        load(tmp_path / name)


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.tsv", tmp_path):
        with pytest.raises(BackgroundError, match="could not be read"):
            load(path)


def test_the_table_that_ships() -> None:
    table = shipped()
    assert table is shipped()
    assert table.documents > table.of(["研究"]) > table.of(["管理"]) > table.of(["暴雨"]) > 0
    assert table.least == min(table.frequency.values()) == 3
    assert "Apache-2.0" in table.source and "CC BY 4.0" in table.source
    assert max(map(len, table.frequency)) < 60
    with pytest.raises(TypeError):
        table.frequency["暴雨"] = 1  # type: ignore[index]


def test_forms_of_a_table_are_read_in_simplified_characters(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(
        "# source: both scripts\n# documents: 90\n# least: 3\n颱風\t7\n台风\t5\n暴雨\t9\n", encoding="utf-8"
    )
    table = load(path)
    assert dict(table.frequency) == {"台风": 7, "暴雨": 9}
    assert table.of(["颱風"]) == table.of(["台风"]) == 7
