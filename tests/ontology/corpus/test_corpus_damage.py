"""Exports as they should not be: mixed, cut, wrongly labelled, with endless lines."""

from __future__ import annotations

import gzip
import io
import re
import sys
from itertools import permutations
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ontology.corpus import CorpusError, read, survey
from ontology.corpus.encoding import misread
from ontology.corpus.reading import RecordFile
from ontology.corpus.records import clean_doi, split_list, title_key
from ontology.errors import Message
from ontology.model import Problem
from tests.ontology.corpus import test_corpus_formats as samples
from tests.ontology.corpus.export_samples import SAMPLES
from tests.ontology.corpus.test_corpus import REFWORKS, SELF_DEFINED

TEXTS = {
    "cnki_refworks": REFWORKS,
    "cnki_self_defined": SELF_DEFINED,
    "cnki_estudy": samples.ESTUDY,
    "noteexpress": samples.NOTEEXPRESS,
    "wanfang_noteexpress": samples.WANFANG,
    "endnote": samples.ENDNOTE,
    "cssci": samples.CSSCI,
    "ris": samples.RIS,
    "bibtex": samples.BIBTEX,
    "csv": samples.CSV,
    "saved_page": samples.RESULT_LIST,
    "json_lines": '{"title": "暴雨", "keywords": ["洪水"]}\n{"title": "台风"}\n',
    **SAMPLES,
}
NOT_TAGGED = {"csv", "saved_page", "json_lines", "wanfang_noteexpress", "web_of_science_table", "pubmed_xml",
              "endnote_xml", "csl_json", "zotero_rdf"}  # fmt: skip
TAGGED = [name for name in TEXTS if name not in NOT_TAGGED]
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def write(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gbk", "gb18030"])
def test_every_format_in_every_encoding_under_a_wrong_name(tmp_path: Path, name: str, encoding: str) -> None:
    text = TEXTS[name].replace("Ü", "U").replace("🌀", "")
    plain = read(write(tmp_path / "x.pdf", text))
    (tmp_path / "y").mkdir()
    other = read(write(tmp_path / "y" / "x.pdf", text.encode(encoding)))
    assert other.files[0].format == plain.files[0].format == name
    assert other.documents == plain.documents


# within E-Study a line SrcDatabase-来源库 is a field, so that a self-defined record does not open by it
@pytest.mark.parametrize(
    ("first", "second"), [p for p in permutations(TAGGED, 2) if p != ("cnki_estudy", "cnki_self_defined")]
)
def test_two_formats_in_one_file_are_both_read(tmp_path: Path, first: str, second: str) -> None:
    corpora = [read(write(tmp_path / f"{n}.txt", TEXTS[n])) for n in (first, second)]
    text = TEXTS[first] + "\n" + TEXTS[second].removeprefix("% Zotero\n")
    both = read(write(tmp_path / "both.txt", text))
    titles = {d.title for d in both.documents}
    assert {d.title for corpus in corpora for d in corpus.documents} == titles
    assert both.files[0].format == f"{first}+{second}"
    assert both.files[0].records == sum(corpus.files[0].records for corpus in corpora)


def test_lines_of_two_encodings_are_read_each_in_its_own(tmp_path: Path) -> None:
    data = SELF_DEFINED.encode() * 3 + b"\n" + REFWORKS.encode("gb18030")
    corpus = read(write(tmp_path / "a.txt", data))
    assert corpus.files[0].encoding == "utf-8+gb18030"
    assert [d.title for d in corpus.documents] == [
        "暴雨内涝模拟", "没有摘要的一条", "复杂流域洪水预报", "台风路径",
    ]  # fmt: skip
    assert [(p.line, "mixes" in p.reason) for p in corpus.problems] == [(0, True)]


@pytest.mark.slow
def test_a_line_of_ten_megabytes(tmp_path: Path) -> None:
    long = "暴雨" * 2_500_000
    for name, text in {
        "a.txt": REFWORKS.replace("摘要第一段", long),
        "b.csv": f'Title,Abstract,Year\n一,"{long}",2001\n二,x,2002\n',
        "c.jsonl": f'{{"title": "一", "abstract": "{long}"}}\n{{"title": "二"}}\n',
        "d.bib": f"@article{{a, title={{一}},\nabstract = {{{long}}}}}\n@article{{b, title={{二}}}}\n",
    }.items():
        corpus = read(write(tmp_path / name, text))
        assert len(corpus.documents) == 2, name
        assert len(corpus.documents[0].abstract) >= 5_000_000, name
        assert corpus.problems == (), name


@pytest.mark.slow
def test_a_line_without_end_is_left_out_and_told(tmp_path: Path) -> None:
    text = '{"title": "一"}\n{"title": "' + "x" * (1 << 25) + '"}\n{"title": "二"}\n'
    corpus = read(write(tmp_path / "a.jsonl", text))
    assert [d.title for d in corpus.documents] == ["一", "二"]
    assert [(p.line, "33,554,432" in p.reason) for p in corpus.problems] == [(2, True)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_cut_within_a_gb18030_character(tmp_path: Path, name: str) -> None:
    data = TEXTS[name].replace("Ü", "U").encode("gb18030")
    cut = next(n for n in range(len(data) - 1, 0, -1) if _half(data[:n]))
    try:
        corpus = read(write(tmp_path / "a.txt", data[:cut]))
    except CorpusError as error:
        assert "\n" not in str(error)
        return
    assert corpus.files[0].encoding == "gb18030"
    assert any("U+FFFD" in p.reason for p in corpus.problems)


@pytest.mark.parametrize(
    ("before", "word"),
    [("mac_roman", "doesÕt"), ("utf-8", "doesâ€™t"), ("gb18030", "¡°ÎÄ±¾¡±")],
)
def test_text_that_was_misread_before_the_export_is_named(tmp_path: Path, before: str, word: str) -> None:
    text = "“文本”" if before == "gb18030" else "It does’t rain in a week"
    wrong = text.encode(before).decode("latin-1")
    corpus = read(write(tmp_path / "a.jsonl", f'{{"title": "{wrong}"}}\n{{"title": "It’s “Größe” – çãé 50 °C"}}\n'))
    assert len(corpus.documents) == 2
    (found,) = corpus.problems
    assert found.line == 0
    assert "1 of 2 records" in found.reason
    assert repr(word) in found.reason
    seen: list[Problem] = []
    survey(tmp_path / "a.jsonl", on_problem=seen.append)
    assert [p.reason for p in seen] == [found.reason]


@pytest.mark.parametrize(
    "text", ["”——“善管、善用", "得出，×²=1010", "Größe, œuvre VOCÊ, FORÊT", "_.······^", "£€5, «été» Ñandú"]
)
def test_text_in_order_is_not_called_misread(text: str) -> None:
    assert misread(text) is None


XML = {name: text for name, text in TEXTS.items() if text.startswith("<?xml")}


WORDS = {
    "ISO-8859-1": "résumé", "windows-1252": "Übersicht – 50 €", "GBK": "中文摘要", "Big5": "臺灣豪雨",
    "UTF-16": "中文摘要", "UTF-8": "中文摘要",
}  # fmt: skip


@pytest.mark.parametrize("encoding", WORDS)
@pytest.mark.parametrize("name", XML)
def test_xml_is_read_in_the_encoding_that_it_declares(tmp_path: Path, name: str, encoding: str) -> None:
    text = "".join(c if c.isascii() else "x" for c in _declaring(encoding, XML[name]))
    text = text.replace("Flood risk", WORDS[encoding]).replace("Typhoon tracks", WORDS[encoding])
    corpus = read(write(tmp_path / "a.xml", text.encode(encoding)))
    assert any(WORDS[encoding] in d.title + d.title_en for d in corpus.documents)
    plain = read(write(tmp_path / "b" / "a.xml", text.encode()))
    assert corpus.documents == plain.documents


def test_a_wrong_declaration_does_not_spoil_utf_8_and_an_unknown_one_is_passed_over(tmp_path: Path) -> None:
    text = XML["pubmed_xml"]
    for declared in ("ISO-8859-1", "UTF-16", "x-none", "hex", "rot13", "idna", "unicode_escape"):
        said = _declaring(declared, text)
        assert read(write(tmp_path / "a.xml", said.encode())).files[0].encoding == "utf-8"


def test_a_declaration_that_names_no_encoding_of_texts_is_passed_over(tmp_path: Path) -> None:
    for declared in ("idna", "unicode_escape", "utf-7", "x-none"):
        said = _declaring(declared, XML["pubmed_xml"]).replace("Typhoon tracks", "\u53f0\u98ce\u8def\u5f84")
        assert read(write(tmp_path / "a.xml", said.encode("gb18030"))).files[0].encoding == "gb18030"


def _declaring(encoding: str, text: str) -> str:
    return re.sub(r"<\?xml[^>]*\?>", f'<?xml version="1.0" encoding="{encoding}"?>', text, count=1)


def _half(data: bytes) -> bool:
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return True
    return False


def test_keywords_of_marks_only_and_terms_with_signs(tmp_path: Path) -> None:
    keywords = ['"引号"', "A/B", "50%", "台风🌀", "ＷＲＦ", "1,2-二氯乙烷", "R&amp;D", "a=b,c", "<i>x</i>"]
    text = f"RT Journal Article\nT1 一\nK1 {';'.join(keywords)};;\n\nRT Journal Article\nT1 二\nK1 ;;\n"
    first, second = read(write(tmp_path / "a.txt", text)).documents
    assert first.keywords == ('"引号"', "A/B", "50%", "台风🌀", "ＷＲＦ", "1,2-二氯乙烷", "R&D", "a=b,c", "x")
    assert second.keywords == ()
    assert split_list("1,2-二氯乙烷") == ("1,2-二氯乙烷",)
    assert split_list("暴雨,洪水、台风") == ("暴雨", "洪水", "台风")


def test_what_is_no_doi_merges_nothing(tmp_path: Path) -> None:
    rows = ["题名,DOI,年", "一,-,2001", "二,-,2001", "三,无,2001", "四,https://doi.org/10.1000/A(1)2;3-4,2001"]
    documents = read(write(tmp_path / "a.csv", "\n".join(rows))).documents
    assert [d.doi for d in documents] == ["", "", "", "10.1000/a(1)2;3-4"]
    assert clean_doi("DOI：10.1000/x y") == "10.1000/x"


def test_titles_of_marks_only_are_not_the_same() -> None:
    assert title_key("……") != title_key("？？")
    assert title_key("Ａ-b 1") == "ab1"


def test_deeply_nested_page_and_json(tmp_path: Path) -> None:
    page = "<html>" + "<div>" * 5_000 + samples.RESULT_LIST
    assert len(read(write(tmp_path / "a.html", page)).documents) == 2
    nested = '{"title": "一"}\n{"title": ' + "[" * 100_000
    corpus = read(write(tmp_path / "a.jsonl", nested))
    assert [p.line for p in corpus.problems] == [2]


@pytest.mark.parametrize(("name", "module"), [("bibtex", "bibtexparser"), ("xlsx", "openpyxl"), ("xls", "xlrd")])
def test_a_missing_library_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    data: dict[str, bytes] = {"xlsx": b"PK\x03\x04", "xls": b"\xd0\xcf\x11\xe0"}
    write(tmp_path / "a", data.get(name) or TEXTS[name])
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CorpusError, match=rf"needs {module}; install it by: pip install 'ontocrawl\[readers\]'"):
        read(tmp_path / "a")


@pytest.mark.slow
@quick
@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_damaged_files_give_documents_and_problems_never_another_error(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    raw = TEXTS[name].encode(data.draw(st.sampled_from(["utf-8", "gb18030", "utf-16"]), "encoding"))
    start = data.draw(st.integers(0, len(raw)), "start")
    end = data.draw(st.integers(start, len(raw)), "end")
    damaged = raw[:start] + data.draw(st.binary(max_size=20), "put in") + raw[end:]
    problems: list[Problem] = []
    path = write(tmp_path / "damaged", damaged)
    try:
        found = survey(path, on_problem=problems.append)
    except CorpusError as error:
        assert "\n" not in str(error)
        return
    assert found.records >= 1
    assert sum(f.problems for f in found.files) == len(problems)


@pytest.mark.slow
@quick
@given(
    st.sampled_from(sorted(TEXTS)),
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=200),
)
def test_any_text_behind_an_export_is_survived(tmp_path: Path, name: str, text: str) -> None:
    found = survey(write(tmp_path / "a", TEXTS[name] + text), on_problem=lambda _: None)
    assert found.records >= 1


# ---- problems are messages, in English and in Chinese

ARTICLE = "<PubmedArticle><Article><ArticleTitle>{}</ArticleTitle></Article></PubmedArticle>\n"
BAD: dict[str, tuple[str | bytes, str]] = {
    "csv": (
        '导出,时间\n题名,摘要,年份,\n暴雨,水\n一,二,三,四,五\n,无题,2001,\n台风,风,2001,值\n"开,始\n',
        "row_above row_cut row_unquoted untitled_row column_unnamed quotation_open",
    ),
    "csv without a row": ("题名,年份\n", "no_record"),
    "web_of_science_table": (
        "PT\tTI\tAU\tSO\tPY\nJ\t暴雨\t甲\t乙\t2001\t多\nJ\t\t甲\t乙\t2001\nJ\t台风\n", "row_wide untitled row_cut",
    ),
    "bibtex": (
        ("前言\n@article{a, title = {暴雨}, title = {台风}, journal = undefined}\n 之间\n@article{b, title = {一}\n"
        " author = {二}}\n@article{c, year = 2001}\n@article{d, title = {三\n@article{e, title = {好}}\n"
        "@inproceedings{f, title = {四}, crossref = {g}}\n"),
        (
            "bibtex_before bibtex_between bibtex_crossref bibtex_entry bibtex_field_again bibtex_string "
            "bibtex_swallowed untitled"
        ),
    ),
    "json_lines": (
        ('{"title": "暴雨"}\n[1]\n{"标题": "暴雨"}\n{"title": ["暴雨"]}\n{"title": "暴", "keywords": [1]}\n'
        f'{{"title": "雨",}}\n{{"title": {"[" * 100_000}\n{{"title": "一", "year": {"1" * 5_000}}}\n'),
        "json_object json_untitled json_text json_list json_invalid json_deep json_unread",
    ),
    "json_lines misread": ('{"title": "It doesâ€™t rain"}\n', "misread"),
    "csl_json": (
        '[{"type": "article", "title": "雨"}, {"type": "article", "abstract": "无"}, {"title": "风" 1}, {"title": "台',
        "untitled json_item item_cut",
    ),
    "cnki_refworks": (
        "K1 半条\nAB 断\n\nRT Journal Article\nT1 暴雨\nAB 摘\nK1 甲\nT1 别\n\nRT Journal Article\nAB 无题\n",
        "start_untitled record_beginning untitled",
    ),
    "noteexpress": (samples.NOTEEXPRESS + "{Reference Type}: Journal Article\n{Author}: 甲\n", "untitled"),
    "ris": (
        "亲爱的读者\nTY  - JOUR\nTI  - 暴雨\nAB  - 摘要。\nN2  - 别的文字。\nER  - \n\n之间\nTY  - JOUR\nTI  - 台风\n"
        "QQ  - x\nQQ  - y\nAB  - 一\nKW  - a\nAB  - 二\n" + "".join(f"Q{n}  - x\n" for n in range(10)),
        "text_before text_between ris_abstract field_again record_end field_unknown fields_unknown lines_few",
    ),
    "pubmed_xml": (
        (f"<?xml version='1.0'?>\n<PubmedArticleSet>\n{ARTICLE.format('暴雨')}{ARTICLE.format('')}<PubmedArticle>\n"
        "<Article></PubmedArticle>\n<PubmedArticle>\n<PubmedArticle><x/></PubmedArticle>\n<PubmedArticle>"
        f"{'<a>' * 300}\n<PubmedArticle><Article"),
        "untitled record_from record_left element_cut",
    ),
    "saved_page": (
        ("<html><table><tr><th>题名</th><th>作者</th></tr><tr><td>暴雨</td><td>甲</td><td>乙</td></tr></table>"
        "<tr><td>外</td></tr><td>格</td></html>"),
        "cells_behind row_outside cells_outside",
    ),
    "saved_page without records": ("<html></html>", "saved_page_without_records"),
    "mixed": ("题名,摘要\n".encode() + "暴雨,水很大\n".encode() * 30 + "台风,风\n".encode("gb18030"), "lines_mixed"),
    "undecoded": ("题名,摘要\n".encode() + "暴雨,水很大\n".encode() * 500 + b"\xe6\x9a,x\n", "undecoded"),
    "empty": ("", "empty_export_records_again"),
    "a note": ("只是一段话", "none_known_formats_export"),
    "a PDF": ("%PDF-1.4\n", "none_known_formats_export"),
    "another XML": ("<某/>\n", "none_known_formats_export"),
    "a table": ("名,值\n甲,乙\n丙,丁\n", "name_column_titles_export"),
    "zeros": (b"\x89PNG\r\n\0\0", "not_text_file_zero"),
    "cut.gz": (gzip.compress("题名\n暴雨\n".encode())[:-9], "unpacked_not"),
    "no workbook": (b"PK\x03\x04", "could_not_read_workbook"),
}  # fmt: skip
"""Name of a file -> its content, and the codes of its problems."""
PROSE = re.compile(r"[a-z]{2,}(?:[ ,:;]+[a-z]{2,}){2}")
"""Three English words."""


@pytest.mark.parametrize("name", BAD)
def test_each_problem_is_a_message_that_is_said_in_chinese(tmp_path: Path, name: str) -> None:
    data, codes = BAD[name]
    file = RecordFile(write(tmp_path / name.replace(" ", "_"), data))
    reasons = [one.reason for one in file if isinstance(one, Problem)]
    found = set()
    for reason in [*reasons, *filter(None, [file.layout])]:
        assert isinstance(reason, Message) and reason.said("en") == reason
        chinese = re.sub(r"（\w+(?:, \w+)+）", "", reason.said("zh"))  # the names of the formats
        assert re.search("[\u4e00-\u9fff]", chinese) and not PROSE.search(chinese.replace(str(file.path), "")), chinese
        found |= {part.code for part in (reason, reason.values.get("reason")) if isinstance(part, Message)}
    assert found >= {f"corpus.{code}" for code in codes.split()}


def test_problems_of_workbooks_are_said_in_chinese(tmp_path: Path) -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (["导出", "时间"], ["题名", "摘要"], ["暴雨", "水", "值"]):
        book.active.append(row)
    book.create_sheet("无名").append(["甲", "乙"])
    hidden = book.create_sheet("隐藏")
    hidden.sheet_state = "hidden"
    book.save(stream)
    file = RecordFile(write(tmp_path / "a.xlsx", stream.getvalue()))
    said = [one.reason.said("zh") for one in file if isinstance(one, Problem) and isinstance(one.reason, Message)]
    assert said == [
        "工作表 Sheet：列名上方的行；已略去", "第 3 列没有列名；其单元格已略去",
        "工作表 无名：没有含题名列（题名, Title）的列名行；其首行为 甲, 乙", "工作表 隐藏 已隐藏；已略去",
    ]  # fmt: skip
    assert isinstance(file.layout, Message)
    assert file.layout.said("zh") == "工作表 Sheet：读取：题名 (title), 摘要 (abstract)；列名上方略去：“导出 时间”"


def test_problems_that_say_the_same_are_one_message(tmp_path: Path) -> None:
    corpus = read(write(tmp_path / "a.csv", "题名,年份\n暴雨,2001\n" + ",2001\n" * 50 + "台风\n" * 50))
    assert len(corpus.problems) == 100 and len({id(one.reason) for one in corpus.problems}) == 2
