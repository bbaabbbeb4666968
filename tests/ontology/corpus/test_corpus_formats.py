"""One test or more for each format of the corpus readers: fields, the traps of real files, damage."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from ontology.corpus import CorpusError, read
from ontology.model import Document
from tests.ontology.corpus import xls_bytes

ESTUDY = """DataType: 1
Title-题名: 城市内涝模拟
Author-作者: 甲一;乙二;
Source-刊名: 水文
Year-年: 2021
Keyword-关键词: 内涝;模拟
Summary-摘要: <正>第一句~([1-3])。
Organ-机构: 某大学;
SrcDatabase-来源库: 期刊
DataType: 1
Title-题名: 没有作者和年
PubTime-出版时间: 2020-01-18
SrcDatabase-来源库: 期刊
Title-题名: 又一个题名行
"""

NOTEEXPRESS = """{Reference Type}: Journal Article
{Title}: 台风路径预报
{Translated Title}: Forecasting typhoon tracks
{Author}: 甲一;;乙二
{Author Address}: 某大学 湖北
,湖北武汉430074
{Journal}: 气象
{Year}: 2005
{Keywords}: 台风;;路径;;预报
{Abstract}：Abstract(#br)第一段(#br)第二段
{URL}：https://link.cnki.net/doi/10.1000/N.1


{Reference Type}: Thesis
{Title}: 第二篇
{Date}: 2011-06-01
{Publisher}: 某大学
"""

WANFANG = """{Reference Type}: Journal Article
{Title}: 暴雨致灾研究
{Translated Title}: Rainstorm disasters
{Author}: 甲一
{Author}: 乙二
{Journal}: 灾害学
{Year}: 2020
{Keywords}: 暴雨
{Keywords}:  WRF
{Keywords}:  风险
{Translated Keywords}: rainstorm
{Translated Keywords}:  WRF
{Translated Keywords}:  risk
{Translated Abstract}: English text
{DOI}: 10.1000/w.1
{Database Provider}: 北京万方数据股份有限公司
"""

ENDNOTE = """%0 Journal Article
%A 甲一
%A 乙二
%+ 某大学;
%T 洪水预报
%J 水文
%K 洪水;预报
%X 目的：第一行，
第二行占20% 左右
%U https://link.cnki.net/doi/10.1000/e.1
%W CNKI

%0 Patent
%T 专利
%A 丙三;丁四
%8 2023-05-16
%~ 海外专利
PageCount-页码 0
%W CNKI
"""

CSSCI = """南京大学中国社会科学研究评价中心
数字文献处理系统 版本：2.1
版权所有 (C) 2000 - 2001 CSSCI Corp.


【来源篇名】灾害治理研究
【英文篇名】Governing Disasters
【来源作者】甲一/乙二
【基    金】
【期    刊】某刊
【年代卷期】2019,38(020):30-40
【关 键 词】灾害/治理
【参考文献】
1.某某.【目的】一书.2018
-----------------------------------------------------------------------

【来源篇名】第二篇
【来源作者】丙三
【年代卷期】,(050):1-2
【关　键　词】台风
"""

RIS = """TY  - JOUR
TI  - 暴雨预警
AU  - 甲一
AU  - Smith, John
JO  - 气象
PY  - 2020/03/01
KW  - 暴雨
KW  - 预警
AB  - 第一行
第二行
AB  - 第三行
DO  - 10.1000/R.1
ER  -

TY - CHAP
T1 - 一个空格
TT - One blank
Y1 - 2001
KW - 台风；路径
UR - https://doi.org/10.1000/r.2
ER -
"""

BIBTEX = r"""% Zotero
@string{hydro = "水文"}
@article{甲2020,
  title = {基于 {GIS} 的暴雨研究},
  author = {甲一 and 乙二;丙三 and Smith, John},
  journal = hydro, year = 2020, keywords = {暴雨; GIS},
  abstract = {增加了 20% 左右的 \"Uberlauf \& 更多
@ 第二行},
  doi = {https://doi.org/10.1000/B.1}
}
@article{broken, title = {没有结束
@article{same, title = "一", title = "二", year = {1999}}
@article{same, title = {三}, date = {2001-02-03}, booktitle = {会议}}
@comment{nothing}
@misc{untitled, year = {2000}}
"""

CSV = (
    "序号,篇名,作者,刊名,发表时间,关键词,摘要\n"
    '1,"暴雨,洪水",甲一;乙二,水文,2020-01-02,暴雨;洪水,"第一行\n'
    '第二行有""引号"""\n'
    '2,5" 降水管,丙三,气象,2019,降水,单个 " 引号\n'
    ",,,,,,\n"
    "3,,丁四,气象,2018,空,没有题名\n"
)


def one(tmp_path: Path, text: str, name: str = "a.txt") -> tuple[Document, ...]:
    corpus = read(write(tmp_path, text, name))
    assert corpus.problems == ()
    return corpus.documents


def write(tmp_path: Path, text: str, name: str = "a.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def format_of(path: Path) -> str:
    return read(path).files[0].format


def test_estudy_records_open_at_data_type_and_a_title_without_it_is_a_record_that_lost_it(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, ESTUDY))
    first, second, third = corpus.documents
    assert corpus.files[0].format == "cnki_estudy"
    assert (first.title, first.source, first.year, first.abstract) == ("城市内涝模拟", "水文", 2021, "第一句。")
    assert first.keywords == ("内涝", "模拟")
    assert (second.title, second.year, second.authors) == ("没有作者和年", 2020, ())
    assert third.title == "又一个题名行"
    assert [(p.line, "without its beginning (DataType:)" in p.reason) for p in corpus.problems] == [(14, True)]


def test_noteexpress_chinese_colon_line_break_and_html_breaks(tmp_path: Path) -> None:
    first, second = one(tmp_path, NOTEEXPRESS.replace("\n", "\r\n"))
    assert format_of(tmp_path / "a.txt") == "noteexpress"
    assert first.abstract == "第一段 第二段"
    assert first.keywords == ("台风", "路径", "预报")
    assert (first.title_en, first.authors, first.doi) == ("Forecasting typhoon tracks", ("甲一", "乙二"), "10.1000/n.1")
    assert (second.source, second.year) == ("某大学", 2011)


def test_wanfang_lists_of_one_entry_a_line(tmp_path: Path) -> None:
    (document,) = one(tmp_path, WANFANG)
    assert format_of(tmp_path / "a.txt") == "wanfang_noteexpress"
    assert document.authors == ("甲一", "乙二")
    assert document.keywords == ("暴雨", "WRF", "风险")
    assert document.keywords_en == ("rainstorm", "WRF", "risk")
    assert (document.abstract_en, document.title_en) == ("English text", "Rainstorm disasters")
    assert document.doi == "10.1000/w.1"


def test_endnote_percent_signs_foreign_line_and_date(tmp_path: Path) -> None:
    first, second = one(tmp_path, ENDNOTE)
    assert format_of(tmp_path / "a.txt") == "endnote"
    assert first.abstract == "目的：第一行， 第二行占20% 左右"
    assert (first.authors, first.doi, first.source) == (("甲一", "乙二"), "10.1000/e.1", "水文")
    assert (second.authors, second.year, second.title) == (("丙三", "丁四"), 2023, "专利")


def test_endnote_without_its_opening_tag_is_parted_at_blank_lines(tmp_path: Path) -> None:
    text = "%T 一\n%D 2001\n%K 甲\n\n%T 二\n%D 2002\n"
    assert [(d.title, d.year) for d in one(tmp_path, text)] == [("一", 2001), ("二", 2002)]


def test_cssci_blanks_in_names_slashes_and_references(tmp_path: Path) -> None:
    first, second = one(tmp_path, CSSCI)
    assert format_of(tmp_path / "a.txt") == "cssci"
    assert first.keywords == ("灾害", "治理")
    assert (first.title_en, first.year, first.source) == ("Governing Disasters", 2019, "某刊")
    assert second.keywords == ("台风",)
    assert second.year is None


def test_ris_both_spacings_repeated_tags_and_wrapped_lines(tmp_path: Path) -> None:
    first, second = one(tmp_path, RIS)
    assert format_of(tmp_path / "a.txt") == "ris"
    assert first.abstract == "第一行 第二行 第三行"
    assert first.authors == ("甲一", "Smith, John")
    assert (first.keywords, first.year, first.doi) == (("暴雨", "预警"), 2020, "10.1000/r.1")
    assert (second.title, second.title_en, second.year) == ("一个空格", "One blank", 2001)
    assert (second.keywords, second.doi) == (("台风", "路径"), "10.1000/r.2")


def test_ris_cut_before_its_end_is_read_and_reported(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, RIS + "TY  - JOUR\nTI  - 被截断\nAB  - 半"))
    assert corpus.documents[-1].title == "被截断"
    (only,) = corpus.problems
    assert (only.line, "cut" in only.reason) == (22, True)


def test_bibtex_percent_latex_strings_doubled_fields_and_damage(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, BIBTEX, "a.bib"))
    first, second, third = corpus.documents
    assert corpus.files[0].format == "bibtex"
    assert first.title == "基于 GIS 的暴雨研究"
    assert first.abstract == "增加了 20% 左右的 Überlauf & 更多 @ 第二行"
    assert first.authors == ("甲一", "乙二", "丙三", "Smith, John")
    assert (first.source, first.year, first.doi) == ("水文", 2020, "10.1000/b.1")
    assert first.keywords == ("暴雨", "GIS")
    assert (second.title, second.year) == ("一", 1999)
    assert (third.title, third.year, third.source) == ("三", 2001, "会议")
    assert [p.line for p in corpus.problems] == [11, 12, 15], "a comment is none"
    assert "not a BibTeX entry" in corpus.problems[0].reason


def test_bibtex_takes_source_and_year_from_the_volume_of_crossref(tmp_path: Path) -> None:
    text = """% Encoding: UTF-8
@software{s, title={Tools}, year=2021}
@inproceedings{a, title={Floods}, crossref={Conf 20}}
@inproceedings{b, title={Surges}, year=2019, booktitle={Own}, crossref={Conf 20}}
@inproceedings{c, title={Flows}, crossref={lost}}
@proceedings{conf 20, title={Proceedings on Floods}, year=2020, publisher={X}}
@inproceedings{d, title={Landslides}, crossref={conf 20}}
@softwareversion{t, title={Tools 2}, crossref={s}}
"""
    corpus = read(write(tmp_path, text, "a.bib"))
    found = {d.title: (d.source, d.year) for d in corpus.documents}
    of_volume = ("Proceedings on Floods", 2020)
    assert {title: found[title] for title in ("Floods", "Landslides")} == dict.fromkeys(
        ("Floods", "Landslides"), of_volume
    )
    assert (found["Surges"], found["Flows"], found["Tools 2"]) == (("Own", 2019), ("", None), ("Tools", 2021))
    assert [(p.line, p.reason.values["volume"]) for p in corpus.problems] == [(5, "lost")]


def test_csv_quoted_line_breaks_lone_quotation_marks_and_blank_rows(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, CSV, "a.csv"))
    first, second = corpus.documents
    assert corpus.files[0].format == "csv"
    assert first.title == "暴雨,洪水"
    assert first.abstract == '第一行 第二行有"引号"'
    assert (first.year, first.keywords, first.id) == (2020, ("暴雨", "洪水"), "a-2")
    assert (second.title, second.abstract) == ('5" 降水管', '单个 " 引号')
    (untitled,) = corpus.problems
    assert (untitled.line, "title" in untitled.reason) == (6, True)


@pytest.mark.parametrize(
    ("names", "source"),
    [
        (("display_name", "authorships.author.display_name", "primary_location.source.display_name"), "OpenAlex"),
        (("Title", "Authors", "Journal/Book"), "PubMed"), (("title", "authors", "venue"), "Semantic Scholar"),
        (("Document Title", "Authors", "Publication Title"), "IEEE Xplore"),
        (("Title", "Authors", "pubtitle"), "ProQuest"),
    ],
)  # fmt: skip
def test_tables_of_databases_by_the_names_of_their_columns(tmp_path: Path, names: tuple[str, ...], source: str) -> None:
    (found,) = read(write(tmp_path, f"{','.join(names)}\nFloods,A. Bird|C. Dove,{source}\n", "a.csv")).documents
    assert (found.title, found.authors, found.source) == ("Floods", ("A. Bird", "C. Dove"), source)


def test_csv_quotation_mark_that_never_closes_costs_its_line_only(tmp_path: Path) -> None:
    rows = ["Title,Year,Abstract", '"open,2001,x', "后面一,2002,y", '后面二,2003,"z"']
    corpus = read(write(tmp_path, "\n".join(rows)))
    assert [d.title for d in corpus.documents] == ["后面一", "后面二"]
    assert [(p.line, "never closes" in p.reason) for p in corpus.problems] == [(2, True)]


@pytest.mark.parametrize(("mark", "name"), [(",", "csv"), (";", "csv"), ("\t", "tsv")])
def test_tables_with_english_names_of_scopus(tmp_path: Path, mark: str, name: str) -> None:
    cells = ["Authors", "Title", "Year", "Source title", "Author Keywords", "DOI"]
    values = ['"Smith, J."', "Flood risk", "2019", "Nat. Hazards", '"flood; risk"', "10.1000/S.1"]
    (document,) = one(tmp_path, f"\ufeff{mark.join(cells)}\n{mark.join(values)}\n")
    assert format_of(tmp_path / "a.txt") == name
    assert (document.title, document.year, document.source) == ("Flood risk", 2019, "Nat. Hazards")
    assert (document.authors, document.keywords_en, document.doi) == (("Smith, J.",), ("flood", "risk"), "10.1000/s.1")


def test_table_without_header_of_addresses_and_titles(tmp_path: Path) -> None:
    text = "http://a.example/1\t暴雨\t\nhttp://a.example/2\t2020年洪水\t\n"
    assert [d.title for d in one(tmp_path, text)] == ["暴雨", "2020年洪水"]


def test_a_table_without_a_title_column_is_told_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"lacks a column for titles .* its columns are Name, Age;"):
        read(write(tmp_path, "Name,Age\nx,1\ny,2\n"))


def test_a_table_in_an_unknown_encoding_is_told_so(tmp_path: Path) -> None:
    """Shift JIS reads as GB18030, as other characters: the names in the message are not those of the file."""
    path = tmp_path / "a.csv"
    path.write_bytes("ｪｫ,ｬｭ\n豪雨による洪水,本稿では台風を論じる\n".encode("shift_jis"))
    with pytest.raises(CorpusError, match=r"its encoding, such as Shift JIS, is not recognised; save it as UTF-8"):
        read(path)


def test_a_table_in_big5_with_traditional_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("題名,摘要,關鍵詞,年\n針灸治療偏頭痛,本文討論問題,針灸;頭痛,2001\n".encode("big5"))
    corpus = read(path)
    assert [(d.title, d.keywords, d.year) for d in corpus.documents] == [("針灸治療偏頭痛", ("針灸", "頭痛"), 2001)]
    assert corpus.files[0].encoding == "big5hkscs" and not corpus.problems


def test_rows_that_repeat_the_names_and_titles_that_say_nothing_are_no_papers(tmp_path: Path) -> None:
    text = (
        'Title,Abstract,Year\n"=HYPERLINK(""http://a.cn/"",""Rain"")","=""ab""",2001\nTitle,Abstract,Year\nNA,x,2002\n'
    )
    corpus = read(write(tmp_path, text))
    assert [(d.title, d.abstract) for d in corpus.documents] == [("Rain", "ab")]
    assert [p.line for p in corpus.problems] == [3, 4] and "repeats the names" in corpus.problems[0].reason


def test_xlsx_header_below_a_heading_other_sheets_and_slashes(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "导出"
    sheet.append(["检索结果"])
    sheet.append(["Title-题名", "Author-作者", "Keyword-关键词", "Year-年", "DOI-DOI"])
    sheet.append(["暴雨研究", "甲一;乙二;", "暴雨;;洪水;", 2020, "-"])
    sheet.append([None, None, None, None, None])
    sheet.append([None, "丙三", None, 2021, None])
    other = book.create_sheet("CSSCI")
    other.append(["【来源篇名】", "【关 键 词】", "【来源作者】"])
    other.append(["台风研究", "台风/路径", "丁四/戊五"])
    book.create_sheet("说明").append(["只有说明"])
    book.save(tmp_path / "a.xls")  # a wrong name
    corpus = read(tmp_path / "a.xls")
    first, second = corpus.documents
    assert (corpus.files[0].format, corpus.files[0].encoding) == ("xlsx", "binary")
    assert (first.keywords, first.year, first.doi, first.authors) == (("暴雨", "洪水"), 2020, "", ("甲一", "乙二"))
    assert (second.keywords, second.authors) == (("台风", "路径"), ("丁四", "戊五"))
    assert [p.line for p in corpus.problems] == [5, 1]
    assert "说明" in corpus.problems[1].reason


def test_xls(tmp_path: Path) -> None:
    rows = [["题名", "年", "关键词"], ["暴雨研究", 2020.0, "暴雨;洪水"], ["台风🌀", 2021.0, ";;"]]
    (tmp_path / "a.dat").write_bytes(xls_bytes.workbook(rows))
    corpus = read(tmp_path / "a.dat")
    assert corpus.files[0].format == "xls"
    assert [(d.title, d.year, d.keywords) for d in corpus.documents] == [
        ("暴雨研究", 2020, ("暴雨", "洪水")),
        ("台风🌀", 2021, ()),
    ]


def test_damaged_workbooks_are_one_sentence(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Title", "Year"])
    book.active.append(["x", 1999])
    whole = io.BytesIO()
    book.save(whole)
    damaged = {
        "cut.xlsx": whole.getvalue()[:-400],
        "cut.xls": xls_bytes.workbook([["Title", "Year"], ["x", 1.0]])[:900],
        "other.zip": b"PK\x05\x06" + b"\0" * 18,
        "nothing.xls": b"\xd0\xcf\x11\xe0" + b"\0" * 600,
    }
    for name, data in damaged.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(CorpusError) as caught:
            read(tmp_path / name)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)


RESULT_LIST = """<!DOCTYPE html><html><head><meta charset="gb2312"><title>检索-中国知网</title></head><body>
<table class="result-table-list"><thead><tr><td></td>
<td>题名</td><td>作者</td><td>来源</td><td>发表时间</td></tr></thead>
<tbody><tr><td class="seq"><input type="checkbox">1</td>
<td class="name"><a href="#">城市<font class="Mark">内涝</font>模拟</a> <b class="marktip">网络首发</b></td>
<td class="author"><a>甲一</a>; <a>乙二</a></td><td class="source"><p><a>水文</a></p></td>
<td class="date">2021-05-06 10:00</td></tr>
<tr><td class="seq">2</td><td class="name"><a>台风</a></td><td class="author"></td><td class="source"></td>
<td class="date">2019</td></tr></tbody></table></body></html>"""

ABSTRACT_PAGE = """<html><body><div class="top-tip"><span><a>气象学报 . </a> <a>2020 (03)</a></span></div>
<div class="wx-tit"><h1>暴雨机制<span>附视频</span></h1><h3 class="author"><span><a>甲一<sup>1</sup></a></span>
<span><a>乙二<sup>2</sup></a></span></h3></div>
<span class="abstract-text" id="ChDivSummary"> &lt;正&gt;摘要有 50% 与 A&amp;B。</span>
<p class="keywords"><a>暴雨;</a><a>机制;</a></p>
<ul><li><span class="rowtit">DOI：</span><p>10.1000/P.1</p></li></ul>
<table><tr><td>无关</td></tr></table></body></html>"""


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_saved_result_list(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(RESULT_LIST.encode(encoding))
    first, second = read(path).documents
    assert (first.title, first.authors, first.source, first.year) == ("城市内涝模拟", ("甲一", "乙二"), "水文", 2021)
    assert (second.title, second.year) == ("台风", 2019)


def test_saved_result_list_without_header_is_read_by_its_classes(tmp_path: Path) -> None:
    start, rest = RESULT_LIST.split("<thead>")
    (first, second) = one(tmp_path, start + rest.split("</thead>")[1])
    assert (first.title, first.authors, first.year) == ("城市内涝模拟", ("甲一", "乙二"), 2021)
    assert second.title == "台风"


@pytest.mark.slow
def test_saved_abstract_page(tmp_path: Path) -> None:
    (document,) = one(tmp_path, ABSTRACT_PAGE, "page.htm")
    assert format_of(tmp_path / "page.htm") == "saved_page"
    assert document.title == "暴雨机制"
    assert document.abstract == "摘要有 50% 与 A&B。"
    assert (document.keywords, document.authors) == (("暴雨", "机制"), ("甲一", "乙二"))
    assert (document.source, document.year, document.doi) == ("气象学报", 2020, "10.1000/p.1")


def test_older_abstract_page_and_meta_elements(tmp_path: Path) -> None:
    old = """<html><div class="wxTitle"><h2 class="title">旧页面</h2></div><span id="ChDivSummary">旧摘要</span>
    <p><label id="catalog_KEYWORD">关键词：</label><a>洪水;</a><a>模型;</a></p>
    <p><label id="catalog_DOI">DOI：</label>10.1000/o.1</p></html>"""
    (document,) = one(tmp_path, old)
    assert (document.title, document.keywords, document.doi) == ("旧页面", ("洪水", "模型"), "10.1000/o.1")
    meta = """<html><head><meta name="citation_title" content="Flood risk"><meta name="citation_author" content="A B">
    <meta name="citation_keywords" content="flood; risk"><meta name="citation_date" content="2018/02">
    <meta name="citation_doi" content="10.1000/M.1"></head><body><p>x</p></body></html>"""
    (document,) = one(tmp_path, meta)
    assert (document.title, document.year, document.keywords_en) == ("Flood risk", 2018, ("flood", "risk"))
    assert (document.authors, document.doi) == (("A B",), "10.1000/m.1")


def test_html_table_that_is_called_xls(tmp_path: Path) -> None:
    text = """<html><body><table border="1">
    <tr><td>SrcDatabase-来源库</td><td>Title-题名</td><td>Keyword-关键词</td><td>Year-年</td></tr>
    <tr><td>期刊</td><td>暴雨</td><td>暴雨;;洪水</td><td>2020</td></tr></table></body></html>"""
    (document,) = one(tmp_path, text, "a.xls")
    assert (document.title, document.keywords, document.year) == ("暴雨", ("暴雨", "洪水"), 2020)


def test_page_without_records_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="save the page as a complete page"):
        read(write(tmp_path, "<html><body><div id='app'></div></body></html>"))
