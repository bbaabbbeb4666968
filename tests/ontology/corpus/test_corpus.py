"""The corpus readers: formats, encodings, traps of real exports, duplicates, and the words where nothing is found."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from ontology.corpus import CorpusError, read
from ontology.corpus.records import clean_abstract, portable_id, split_keywords
from ontology.model import Document

EXPORTS = Path(__file__).parents[3] / ".." / "shared" / "data" / "cnki_exports" / "files"
ABSTRACTS = Path(__file__).parents[3] / ".." / "shared" / "data" / "abstracts_zh"
SAMPLE = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"

real_exports = pytest.mark.skipif(not EXPORTS.exists(), reason=f"real exports are not at {EXPORTS}")
real_abstracts = pytest.mark.skipif(not ABSTRACTS.exists(), reason=f"real abstracts are not at {ABSTRACTS}")

SELF_DEFINED = """SrcDatabase-来源库:  期刊
Title-题名:  暴雨内涝模拟
Author-作者:  甲一;乙二;
Keyword-关键词:  暴雨;;内涝;
 rainstorm;waterlogging
Summary-摘要:  <正>第一行~([1-3])
第二行：仍是摘要。
PubTime-发表时间:  2019-04-19 10:00


SrcDatabase-来源库:  期刊
Title-题名:  没有摘要的一条
Keyword-关键词:  WRF;暴雨
Year-年:  2020
"""

REFWORKS = """RT Journal Article
SR 1
A1 甲一;乙二;
T1 复杂流域洪水预报
JF 水文
YR 2021
IS 12
vo
K1 洪水;预报
 flood;forecasting

AB 摘要第一段
摘要第二段
DO 10.1000/ABC
IS 12

RT Dissertation/Thesis
A1林三
T1 台风路径
YR 2015
AB 只有摘要
"""


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_self_defined_fields(tmp_path: Path) -> None:
    corpus = read(write(tmp_path / "a.txt", SELF_DEFINED))
    first, second = corpus.documents
    assert corpus.files[0].format == "cnki_self_defined"
    assert corpus.problems == ()
    assert first.keywords == ("暴雨", "内涝")
    assert first.keywords_en == ("rainstorm", "waterlogging")
    assert first.abstract == "第一行 第二行：仍是摘要。"
    assert first.authors == ("甲一", "乙二")
    assert (first.year, second.year) == (2019, 2020)
    assert second.abstract == ""
    assert second.keywords == ("WRF", "暴雨")


def test_self_defined_without_source_opens_records_at_a_repeated_field(tmp_path: Path) -> None:
    text = "Author-作者: 甲\nTitle-题名: 一\n\nAuthor-作者: 乙\nTitle-题名: 二\n"
    documents = read(write(tmp_path / "a.txt", text)).documents
    assert [(d.title, d.authors) for d in documents] == [("一", ("甲",)), ("二", ("乙",))]


def test_refworks_blank_line_lower_case_tag_doubled_tag_and_glued_author(tmp_path: Path) -> None:
    corpus = read(write(tmp_path / "a.txt", REFWORKS.replace("\n", "\r\n")))
    first, second = corpus.documents
    assert corpus.files[0].format == "cnki_refworks"
    assert first.abstract == "摘要第一段 摘要第二段"
    assert first.keywords == ("洪水", "预报")
    assert first.keywords_en == ("flood", "forecasting")
    assert first.doi == "10.1000/abc"
    assert (first.source, first.year) == ("水文", 2021)
    assert second.authors == ("林三",)


def test_refworks_fragment_is_a_problem_and_the_rest_is_read(tmp_path: Path) -> None:
    corpus = read(write(tmp_path / "a.txt", "K1 洪水;预报\n\nAB 半条\nIS 1\n\n" + REFWORKS))
    assert len(corpus.documents) == 2
    (only,) = corpus.problems
    assert only.line == 1
    assert "middle of a record" in only.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"])
@pytest.mark.parametrize("text", [SELF_DEFINED, REFWORKS, '{"title": "暴雨", "keywords": ["洪水"]}\n'])
def test_every_encoding_gives_the_same_documents(tmp_path: Path, encoding: str, text: str) -> None:
    plain = read(write(tmp_path / "plain.txt", text)).documents
    path = tmp_path / "other" / "plain.txt"
    path.parent.mkdir()
    assert read(write(path, text, encoding)).documents == plain


def test_truncated_gb18030_is_read_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(SELF_DEFINED.encode("gb18030") + "Title-题名: 半个字".encode("gb18030")[:-1])
    corpus = read(path)
    assert corpus.files[0].encoding == "gb18030"
    assert len(corpus.documents) == 3
    assert "U+FFFD" in corpus.problems[0].reason


def test_one_bad_byte_does_not_make_utf8_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(SELF_DEFINED.encode() + b"Summary-" + "摘要: 后面".encode() + b"\xff\n")
    corpus = read(path)
    assert corpus.files[0].encoding == "utf-8"
    assert len(corpus.problems) == 1


def test_json_lines_need_no_title_where_there_is_an_abstract(tmp_path: Path) -> None:
    lines = ['{"abstract": "A text on floods."}', '{"abstract": "A text on floods."}', '{"abstract": "Another."}']
    corpus = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    assert [(d.title, d.abstract) for d in corpus.documents] == [("", "A text on floods."), ("", "Another.")]
    assert corpus.duplicates == 1 and not corpus.problems


def test_json_lines_bad_lines_become_problems(tmp_path: Path) -> None:
    lines = [
        '{"title": "好的", "keywords": "暴雨；洪水", "year": "2001", "doi": "https://doi.org/10.1/X"}',
        '{"title": ',
        "[1]",
        '{"keywords": ["没有题名"]}',
        '{"title": "坏关键词", "keywords": [1]}',
        '{"title": ["不是文字"]}',
        "",
        json.dumps({"title": "英文", "keywords": ["暴雨"], "keywords_en": ["rainstorm"], "title_en": "A"}),
    ]
    corpus = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    assert [d.title for d in corpus.documents] == ["好的", "英文"]
    assert corpus.documents[0].keywords == ("暴雨", "洪水")
    assert corpus.documents[0].doi == "10.1/x"
    assert corpus.documents[1].keywords_en == ("rainstorm",)
    assert [p.line for p in corpus.problems] == [2, 3, 4, 5, 6]


def test_duplicates_merge_by_doi_else_by_title_and_year(tmp_path: Path) -> None:
    records = [
        {"id": "a", "title": "暴雨 预警", "year": 2001, "doi": "10.1/A"},
        {"id": "b", "title": "另一题名", "doi": "10.1/a", "abstract": "长摘要", "keywords": ["暴雨"]},
        {"id": "c", "title": "暴雨，预警", "year": 2001, "source": "刊"},
        {"id": "d", "title": "暴雨预警", "year": 2002},
        {"id": "e", "title": "暴雨预警", "year": 2001, "doi": "10.1/other"},
    ]
    corpus = read(write(tmp_path / "a.jsonl", "\n".join(json.dumps(r) for r in records)))
    assert [d.id for d in corpus.documents] == ["a", "d", "e"]
    assert corpus.duplicates == 2
    merged = corpus.documents[0]
    assert (merged.abstract, merged.keywords, merged.source) == ("长摘要", ("暴雨",), "刊")


def test_ids_stay_distinct(tmp_path: Path) -> None:
    lines = '{"id": "x", "title": "一"}\n{"id": "x", "title": "二"}\n'
    assert [d.id for d in read(write(tmp_path / "a.jsonl", lines)).documents] == ["x", "x~2"]


def test_folder_reads_all_its_files_and_reports_the_others(tmp_path: Path) -> None:
    write(tmp_path / "b.txt", REFWORKS)
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub" / "a.txt", SELF_DEFINED, "utf-16")
    write(tmp_path / "notes.md", "# 没有记录")
    write(tmp_path / ".hidden", SELF_DEFINED)
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04\0\0\0")
    with lzma.open(tmp_path / "c.jsonl.xz", "wt", encoding="utf-8") as stream:
        stream.write('{"title": "压缩的"}\n')
    corpus = read(tmp_path)
    assert [Path(f.file).name for f in corpus.files] == ["b.txt", "book.xlsx", "c.jsonl.xz", "notes.md", "a.txt"]
    assert [f.records for f in corpus.files] == [2, 0, 1, 0, 2]
    assert [Path(p.file).name for p in corpus.problems] == ["book.xlsx", "notes.md"]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.txt", b"", "is empty"),
        ("blank.txt", b"\n \n", "is empty"),
        ("prose.txt", "只是一段话".encode(), "known formats"),
        ("picture.png", b"\x89PNG\r\n\0\0", "not a text file"),
        ("noise.bin", bytes(range(128, 256)) * 9, "neither UTF-8"),
        ("broken.xz", b"\xfd7zXZ no", "could not be read"),
        ("untitled.jsonl", b'{"year": "2001"}\n', "not one record"),
    ],
)
def test_unreadable_corpus_is_one_sentence(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(CorpusError, match=says) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_code_beside_exports_is_skipped_and_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SELF_DEFINED, encoding="utf-8")
    code = '@article(key="a", title="A title")\n"title","abstract"\n"Rain","It rains."\n'
    (tmp_path / "b.PY").write_text(code, encoding="utf-8")
    found = read(tmp_path)
    assert {d.title for d in found.documents} == {"暴雨内涝模拟", "没有摘要的一条"}
    (skipped,) = found.problems
    assert (skipped.file, skipped.line) == (str(tmp_path / "b.PY"), 0) and "is code" in skipped.reason


def test_absent_path_and_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="does not exist"):
        read(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match="no file to read"):
        read([tmp_path])


def test_keywords_of_both_languages_on_one_line_are_parted() -> None:
    assert split_keywords(["暴雨;洪水;rainstorm;flood"]) == (("暴雨", "洪水"), ("rainstorm", "flood"))
    assert split_keywords(["暴雨;WRF"]) == (("暴雨", "WRF"), ())
    assert split_keywords([";;"]) == ((), ())


def test_the_bundled_sample() -> None:
    corpus = read(SAMPLE)
    assert len(corpus.documents) >= 45
    assert corpus.problems == ()
    assert corpus.duplicates == 0
    for document in corpus.documents:
        assert 120 <= len(document.abstract) <= 250, document.title
        assert len(document.keywords) == len(document.keywords_en) >= 3, document.title
        assert document.year is not None
        assert 2008 <= document.year <= 2024


def manifest() -> list[tuple[str, str, int]]:
    """(File, kind, records) of each real export; empty where they are not there."""
    path = EXPORTS.parent / "MANIFEST.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return [(name, kind, int(records)) for name, kind, records in (line.split("\t")[:3] for line in lines)]


KINDS = {
    "CNKI RefWorks": "cnki_refworks",
    "CNKI custom": "cnki_self_defined",
    "CNKI E-Study": "cnki_estudy",
    "CNKI NoteExpress": "noteexpress",
    "CNKI EndNote": "endnote",
    "Wanfang": "wanfang_noteexpress",
    "CSSCI": "cssci",
    "tsv": "tsv",
    "xlsx": "xlsx",
}


@real_exports
@pytest.mark.parametrize(("name", "kind", "records"), manifest())
def test_real_exports_give_as_many_records_as_their_manifest_says(name: str, kind: str, records: int) -> None:
    corpus = read(EXPORTS / name)
    (report,) = corpus.files
    assert report.records == records
    assert report.format == next(form for start, form in KINDS.items() if kind.startswith(start))
    assert report.problems == (1 if "fragment" in name else 0)
    assert all(d.title and "<正>" not in d.abstract and "(#br)" not in d.abstract for d in corpus.documents)


@pytest.mark.slow
@real_exports
def test_real_exports_together() -> None:
    corpus = read(EXPORTS)
    assert sum(f.records for f in corpus.files) == sum(records for _, _, records in manifest())
    assert len(corpus.documents) + corpus.duplicates == 3681
    (only,) = corpus.problems
    assert (only.line, "middle of a record" in only.reason) == (1, True)


@pytest.mark.slow
@real_exports
def test_real_traps() -> None:
    """Those of the exports' README that change a field, and not the count."""
    big = {d.title: d for d in read(EXPORTS / "cnki_refworks_complexnet_2021.txt").documents}
    first = big["基于复杂网络的Psor链路预测算法"]
    assert first.abstract.startswith("复杂网络领域中") and first.keywords[-1] == "相似性算法"
    assert sum(not d.authors for d in big.values()) == 7
    (fragment, _) = read(EXPORTS / "cnki_refworks_fragment.txt").documents
    assert (len(fragment.keywords), len(fragment.keywords_en)) == (6, 6)
    (address,) = read(EXPORTS / "cnki_noteexpress_withLineBreakInAddress.net").documents
    assert (address.authors, address.source) == (("谢昕", "王小增"), "湖北社会科学")
    (colon,) = read(EXPORTS / "cnki_noteexpress_ChineseColon.net").documents
    assert colon.abstract.startswith("软组织肉瘤是一类") and len(colon.keywords) == 5
    table = read(EXPORTS / "cnki_table_zhuoyue.xlsx").documents
    text = read(EXPORTS / "cssci_like_from_cnki_zhuoyue.txt").documents
    assert [(d.title, d.keywords) for d in table] == [(d.title, d.keywords) for d in text]


@real_abstracts
def test_real_abstracts_as_json_lines() -> None:
    corpus = read(ABSTRACTS / "disaster_core.jsonl")
    assert corpus.files[0].records == 177
    assert len(corpus.documents) + corpus.duplicates == 177
    assert corpus.problems == ()


def test_ids_with_a_running_number_are_told_apart_by_title_and_year() -> None:
    first, other = Document("export-1", "暴雨", year=2020), Document("export-1", "洪水", year=2020)
    assert portable_id(first) != portable_id(other)
    assert portable_id(first) == portable_id(Document("export-1", " 暴雨。", "别的摘要", year=2020))
    assert portable_id(first).startswith("export-1-") and len(portable_id(first)) == len("export-1-") + 6
    assert portable_id(Document("7", "暴雨")).startswith("7-") and portable_id(Document("a-3~2", "x")) != "a-3~2"
    assert portable_id(Document("10.1000/xyz", "暴雨")) == "10.1000/xyz"
    assert portable_id(Document("csl00001", "暴雨")) == "csl00001"


@pytest.mark.parametrize("notice", [
    "© 2007 Elsevier B.V. All rights reserved.", "Copyright (C) 2003 John Wiley & Sons, Ltd.",
    "Crown Copyright © 2008 Published by Elsevier Ltd. All rights reserved.", "Copyright 2010 Wiley-Liss, Inc.",
    "(PsycInfo Database Record (c) 2020 APA, all rights reserved)", "&copy; 2020, The Author(s), under licence.",
])  # fmt: skip
def test_the_notice_of_a_publisher_is_no_part_of_an_abstract(notice: str) -> None:
    """It is in most records of an export, and its words would steer crawls."""
    assert clean_abstract(f"Prices rise. {notice}") == clean_abstract(f"Prices rise.{notice}") == "Prices rise."
    assert clean_abstract(f"摘要文字。{notice}") == "摘要文字。"


def test_a_notice_at_the_beginning_of_an_abstract_ends_with_its_sentences() -> None:
    begins = (
        "© 2016 IEEE.",
        "© 2016 Elsevier B.V. All rights reserved.",
        "© 2015 The Authors. Published by Elsevier B.V.",
    )
    text = "Prices rise. Wages do not."
    assert [clean_abstract(f"{notice} {text}") for notice in begins] == [text] * 3 and clean_abstract(begins[1]) == ""
    for text in (
        "The Copyright Act of 1976 is old.",
        "(a) 2008, (b) 2009, (c) 2010 are alike.",
        "Whose © in 2020?",
    ):
        assert clean_abstract(text) == text
