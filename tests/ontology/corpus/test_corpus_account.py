"""Nothing vanishes: every line of an export and every cell of a table is used, or named in a problem."""

from __future__ import annotations

import io
import re
from html import escape
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ontology.corpus.reading import RecordFile
from ontology.corpus.records import clean_abstract, clean_text, split_list
from ontology.model import Document, Problem
from ontology.terms import load_terms
from ontology.terms.wordforms import at_commas
from tests.ontology.corpus import damage, xls_bytes
from tests.ontology.corpus.paper import OTHER, PAPERS, WRITERS, Paper, written
from tests.ontology.corpus.test_corpus_damage import TEXTS
from tests.ontology.corpus.test_corpus_formats import ABSTRACT_PAGE

SHORT, LONG = 120, 2_500


def bases(folder: Path) -> list[damage.Base]:
    """Return samples of every format, each in the encodings of its tests."""
    texts = {**TEXTS, "abstract_page": ABSTRACT_PAGE, **{f"paper_{name}": written(name) for name in WRITERS}}
    found = [damage.base(name, text.encode(), "utf-8", folder) for name, text in texts.items()]
    for name in ("cnki_refworks", "ris", "csv", "endnote_xml"):
        plain = TEXTS[name].replace("Ü", "U")
        found.append(damage.base(f"{name}_gb18030", plain.encode("gb18030"), "gb18030", folder))
        found.append(damage.base(f"{name}_utf16", plain.encode("utf-16"), "utf-16", folder))
    rows = [["题名", "年", "关键词"], ["暴雨研究", 2020.0, "暴雨;洪水"], ["台风", 2021.0, "台风"]]
    found.append(damage.base("xls", xls_bytes.workbook(rows), "utf-16-le", folder))
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    found.append(damage.base("xlsx", stream.getvalue(), "utf-8", folder))
    return found


@pytest.mark.parametrize("count", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)])
def test_of_damaged_files_no_record_goes_without_a_problem(tmp_path: Path, count: int) -> None:
    seed = 49
    failures = [f for _, f in damage.run(bases(tmp_path), count, seed, tmp_path) if f is not None]
    assert not failures, f"seed {seed}: {[(f.base, f.damage, f.reason) for f in failures[:5]]}"


def parsed(tmp_path: Path, text: str, name: str = "a.txt") -> tuple[list[Document], list[Problem], str]:
    (tmp_path / name).write_bytes(text.encode())
    file = RecordFile(tmp_path / name)
    found = list(file)
    return [d for d in found if isinstance(d, Document)], [p for p in found if isinstance(p, Problem)], file.layout


def titles_and_problems(tmp_path: Path, text: str) -> tuple[list[str], list[tuple[int, str]]]:
    documents, problems, _ = parsed(tmp_path, text)
    return [d.title for d in documents], [(p.line, p.reason) for p in problems]


# ---- A. one cleaner: one paper in every format is one document

_FIELDS = ("title", "abstract", "keywords", "authors", "source", "year")
_HAN = st.text("暴雨洪涝台风预报模型评估", min_size=2, max_size=8)
_TEXT = st.lists(st.sampled_from(["CO₂ 与 É", "p < 0.05", "A&B", "(内涝)", "x > 3", "“引号”", "10%"]), min_size=1)
_MARKUP = st.sampled_from(
    ["{}", "<sub>{}</sub>", "<i>{}</i>", "{}&nbsp;", "{}<p></p>", "{}\u200b", "<jats:p>{}</jats:p>", "{}_x000D_",
     "<mml:math><mml:mi>{}</mml:mi></mml:math>"]
)  # fmt: skip


def content(document: Document) -> dict[str, object]:
    return {name: getattr(document, name) for name in _FIELDS}


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=_HAN, parts=_TEXT, keywords=st.lists(_HAN, min_size=2, max_size=4, unique=True), markup=_MARKUP)
def test_one_paper_written_in_every_format_is_one_and_the_same_document(
    tmp_path: Path, title: str, parts: list[str], keywords: list[str], markup: str
) -> None:
    abstract = "，".join(["采用模型", *parts])
    paper = Paper(markup.format(title), markup.format(escape(abstract)), tuple(keywords))
    plain = Paper(title, abstract, tuple(keywords))
    for name in WRITERS:
        documents, problems, _ = parsed(tmp_path, written(name, [paper, OTHER]))
        found = content(documents[0])
        assert found == {name: getattr(plain, name) for name in _FIELDS}, (name, problems)
        assert problems == [], name


@given(st.text(max_size=80))
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)
    assert clean_abstract(clean_abstract(text)) == clean_abstract(text)


@pytest.mark.parametrize(
    "text",
    [
        "[No abstract available]",
        "Abstract not available.",
        "无",
        "摘要缺失",
        "本文无摘要",
        "N.A.",
        "暂无摘要",
        "N/A",
        "-",
        "null",
    ],
)
def test_what_stands_for_no_abstract_is_none(tmp_path: Path, text: str) -> None:
    for name in WRITERS:
        documents, _, _ = parsed(tmp_path, written(name, [Paper(abstract=text), OTHER]))
        assert documents[0].abstract == "", name
        assert len(documents) == 2


# ---- B. BibTeX


def test_bibtex_ties_powers_and_formulas_are_no_accents(tmp_path: Path) -> None:
    text = r"""@article{a, title = {Floods in {San~Marco}},
    author = {A.~Bird and {World Bank and others} and C{\"u}b, D.}, keywords = {flood~risk, {GIS}},
    abstract = {See Fig.~1; m^3, $10^{-3}$ and $\alpha$ cost \$5 or $6 for {DNA}, 5\% of a_b.
    \textbf{CO$_2$} of $P(x)$, \(x^2\); $5, $7/$8 and $9 are prices.}}
    """
    (document,), problems, _ = parsed(tmp_path, text)
    assert document.title == "Floods in San Marco"
    assert document.abstract == (
        "See Fig. 1; m^3, 10^{-3} and α cost $5 or $6 for DNA, 5% of a_b."
        " CO_2 of P(x), x^2; $5, $7/$8 and $9 are prices."
    )
    assert document.authors == ("A. Bird", "World Bank and others", "Cüb, D.")
    assert (document.keywords_en, problems) == (("flood risk", "GIS"), [])


def test_bibtex_strings_are_joined_and_repeated_fields_add(tmp_path: Path) -> None:
    text = """@string{jx = "Journal of X"}
@article{b, title = "A " # {study of } # "hail", journal = jx # " and Y", keywords = {hail}, keywords = {ice},
  month = jan # "~1"} @article{c, title = {Second on the line}, journal = nojournal}
and this is no entry
"""
    (first, second), problems, _ = parsed(tmp_path, text)
    assert (first.title, first.source, first.keywords_en) == ("A study of hail", "Journal of X and Y", ("hail", "ice"))
    assert second.title == "Second on the line"
    assert any("nojournal is not defined" in p.reason for p in problems)
    assert any("text between entries" in p.reason for p in problems)


@pytest.mark.parametrize(
    "entry",
    ["@article{a,\n title = {One}\n author = {B}, year = 2000}", '@article{a, title = "One" "two",\n year = 2000}',
     "@article{a, title = {One, author = {B}, year = {2000}}\n}", "@article{a, title = {Open {brace}, year = 2000}"],
)  # fmt: skip
def test_a_bibtex_entry_that_swallowed_a_field_is_a_problem_with_its_line(tmp_path: Path, entry: str) -> None:
    titles, problems = titles_and_problems(tmp_path, f"{entry}\n@article{{b, title = {{Good}}}}\n")
    assert titles == ["Good"]
    assert all(reason[-1] != ":" for _, reason in problems)
    assert problems and all(line in (1, 2) for line, _ in problems)


# ---- C. an account of lines


def test_ris_records_begin_before_their_type_and_end_at_er(tmp_path: Path) -> None:
    record = "DB  - X\nTI  - Paper {0}\nAB  - About {0}.\nTY  - JOUR\nKW  - word {0}\nPY  - 200{0}\nER  - \n\n"
    usual = "TY  - JOUR\nTI  - Paper {0}\nAB  - About {0}.\nKW  - word {0}\nPY  - 200{0}\nER  - \n\n"
    for mixed in ([record] * 3, [usual, record, usual], [record, usual, usual]):
        documents, problems, _ = parsed(tmp_path, "".join(text.format(n) for n, text in enumerate(mixed)))
        assert [(d.title, d.keywords_en, d.year) for d in documents] == [
            (f"Paper {n}", (f"word {n}",), 2000 + n) for n in range(3)
        ]
        assert problems == []


def test_ris_tags_may_lack_the_blank_behind_their_hyphen(tmp_path: Path) -> None:
    glued = "TY  -JOUR\nTI  -Hail\nAB  -Hail hurts.\nII -x is a line of it.\nER  -\n"
    for text in (RIS_RECORD * 9 + glued, glued + RIS_RECORD * 9):
        documents, problems, _ = parsed(tmp_path, text)
        assert ("Hail", "Hail hurts. II -x is a line of it.") in {(d.title, d.abstract) for d in documents}
        assert (len(documents), problems) == (10, [])


RIS_RECORD = "TY  - JOUR\nTI  - Dikes\nAB  - T2 - weighted\nT2 - weighted pictures\nKW  - a\nER  - \n\n"


def test_ris_second_abstract_is_the_other_language_or_named(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - 暴雨\nAB  - 中文摘要。\nN2  - {}\nER  - \n"
    (document,), problems, _ = parsed(tmp_path, text.format("The English abstract, another text."))
    assert (document.abstract, document.abstract_en) == ("中文摘要。", "The English abstract, another text.")
    (document,), problems, _ = parsed(tmp_path, text.format("别的中文。"))
    assert (document.abstract, ["N2 has another text" in p.reason for p in problems]) == ("中文摘要。", [True])
    (document,), problems, _ = parsed(tmp_path, text.format("别的中文。").replace("中文摘要。", "[暂无摘要]"))
    assert (document.abstract, problems) == ("别的中文。", [])


def test_a_sentence_within_an_abstract_is_no_field_whatever_it_begins_with(tmp_path: Path) -> None:
    lines = (
        "T2 weighted images show the area.\nDO we see a trend? Yes.\nT1 期病例共20例。\nK1 values are low.\n"
        "PB 含量高。\nRT 检测有效。"
    )
    head = "RT Journal Article\nA1 甲\nT1 城市内涝\nK1 内涝;GIS，WRF\nAB 采用模型。\n"
    behind = "\nK1 urban flood; rain\nPB 科学出版社\nDO 10.1/a\nDS CNKI\n"
    (document,), problems, _ = parsed(tmp_path, f"{head}{lines}{behind}")
    assert document.abstract == f"采用模型。 {' '.join(lines.splitlines())}"
    assert (document.title, document.doi, document.keywords) == ("城市内涝", "10.1/a", ("内涝", "GIS", "WRF"))
    assert (document.keywords_en, document.source, len(problems)) == (("urban flood", "rain"), "科学出版社", 1)


def test_a_line_of_an_abstract_that_looks_like_a_tag_is_judged_by_the_file(tmp_path: Path) -> None:
    lines = (
        "A1型区域积水明显。\nT1 weighted pictures show it.\nIS good at finding floods, which are many here.\nVO2 也高。"
    )
    head = "RT Journal Article\nA1 甲;乙\nT1 城市内涝\nYR 2020\nIS 3\nK1 内涝；暴雨，洪涝,海绵城市\n"
    text = f"{head}AB 采用模型，\n{lines}\nDS CNKI\nIS 3\n"
    documents, problems, _ = parsed(tmp_path, text * 2)
    assert [d.abstract for d in documents] == [f"采用模型， {' '.join(lines.splitlines())}"] * 2
    assert documents[0].keywords == ("内涝", "暴雨", "洪涝", "海绵城市")
    assert (documents[0].title, documents[0].authors, problems) == ("城市内涝", ("甲", "乙"), [])


@pytest.mark.parametrize("name", ["cnki_refworks", "cnki_estudy", "noteexpress", "ris", "web_of_science"])
def test_a_record_whose_first_line_is_lost_is_kept_apart_and_named(tmp_path: Path, name: str) -> None:
    lines = written(name).splitlines(keepends=True)
    opener = next(line for line in lines if line[:2] in {"RT", "Da", "{R", "TY", "PT"})
    second = [n for n, line in enumerate(lines) if line == opener][1]
    titles, problems = titles_and_problems(tmp_path, "".join(lines[:second] + lines[second + 1 :]))
    assert titles == [paper.title for paper in PAPERS]
    assert ["without its beginning" in reason for _, reason in problems] == [True]


def test_unknown_fields_and_text_outside_records_are_named(tmp_path: Path) -> None:
    text = "Dear reader\n" + RIS_RECORD + "some text\n" + "TY  - JOUR\nTI  - Two\nQQ  - what\nQQ  - more\nER  - \n"
    titles, problems = titles_and_problems(tmp_path, text)
    assert titles == ["Dikes", "Two"]
    assert [(line, re.split("[:;](?= if|.*“)", reason)[0]) for line, reason in problems] == [
        (1, "text before the first record (TY  - )"), (9, "text between records (TY  - )"),
        (12, "QQ is no field of ris; it was left out (and 1 more of its lines)"),
        (0, "read as ris, which accounts for 69% of the lines (4 of 13 were left out)"),
    ]  # fmt: skip


def test_the_reader_that_accounts_for_most_lines_is_taken(tmp_path: Path) -> None:
    text = (
        RIS_RECORD.replace("KW  - a", "N1  - @article{a, title = {b}}\n@article{x, title = {y}}\nRT Journal\nKW  - a")
        * 3
    )
    titles, problems = titles_and_problems(tmp_path, text)
    assert (titles, problems) == (["Dikes"] * 3, [])


# ---- D. tables


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_separator_header_and_left_out_columns_are_said(tmp_path: Path, mark: str) -> None:
    rows = [
        ["Export of 2020"],
        ["Title", "Cited by", "Abstract", ""],
        ["Dikes", "3", "Water.", "x"],
        ["Hail", "1", "Ice.", ""],
    ]
    documents, problems, layout = parsed(tmp_path, "\n".join(map(mark.join, rows)) + "\n")
    assert [(d.title, d.abstract) for d in documents] == [("Dikes", "Water."), ("Hail", "Ice.")]
    assert layout.endswith(
        "read: Title (title), Abstract (abstract); left out: Cited by; above the names, left out: “Export of 2020”"
    )
    assert [(p.line, "4 cells" in p.reason or "column 4" in p.reason) for p in problems] == [(3, True)]


def test_rows_that_do_not_fit_their_header_are_problems_with_their_number(tmp_path: Path) -> None:
    rows = ["Title,Abstract,Year", '"He said "hail", it fell","Ice",2001', "One, two and three,Water,2002", "Short,x",
            '"An "inner mark" of one","He said "a, b" there",2004']  # fmt: skip
    documents, problems, _ = parsed(tmp_path, "\n".join(rows))
    assert [(d.title, d.abstract) for d in documents] == [
        ("Short", "x"), ('An "inner mark" of one', 'He said "a, b" there'),
    ]  # fmt: skip
    assert [p.line for p in problems] == [2, 3, 4]


def test_rows_of_several_lines_may_end_in_a_separator(tmp_path: Path) -> None:
    text = 'Title,Year,Abstract\n"Rain",2019,"heavy\nrain",\n"Flood",2020,"deep\nwater",,\n'
    documents, problems, _ = parsed(tmp_path, text)
    assert [(d.title, d.abstract) for d in documents] == [("Rain", "heavy rain"), ("Flood", "deep water")]
    assert not problems


def test_further_authors_of_bibtex_are_no_author(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@article{a, title={Flood}, author={Li, A and Wu, B and others}}", encoding="utf-8")
    (document,) = list(RecordFile(tmp_path / "a.bib"))
    assert isinstance(document, Document) and document.authors == ("Li, A", "Wu, B")


def test_scopus_index_keywords_come_behind_those_of_the_authors(tmp_path: Path) -> None:
    text = 'Title,Author Keywords,Index Keywords\nDikes,"dike; 2,4-D","Levees; DIKE; Rivers, wide"\n'
    (document,), problems, _ = parsed(tmp_path, text)
    assert (document.keywords_en, problems) == (("dike", "2,4-D", "Levees", "Rivers, wide"), [])


def test_a_hidden_sheet_is_named_and_escapes_of_workbooks_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["题名", "摘要", "备注"], ["暴雨_x000D_\n研究", "摘要_x000D_二", 1]):
        book.active.append(row)
    other = book.create_sheet("隐藏")
    other.append(["题名"])
    other.append(["不读"])
    other.sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    file = RecordFile(tmp_path / "a.xlsx")
    document, problem = list(file)
    assert isinstance(document, Document) and (document.title, document.abstract) == ("暴雨 研究", "摘要 二")
    assert isinstance(problem, Problem) and problem.reason == "sheet 隐藏 is hidden; it was left out"
    assert file.layout == "sheet Sheet: read: 题名 (title), 摘要 (abstract); left out: 备注"


@pytest.mark.parametrize("form", ["xlsx", "xls"])
def test_hidden_rows_are_read_and_counted(tmp_path: Path, form: str) -> None:
    rows: list[list[str | float]] = [["Title", "Year"], *([f"Flood {number}", 2000] for number in range(2, 30))]
    hidden = (3, 4, 25)
    if form == "xls":
        (tmp_path / "a.xls").write_bytes(xls_bytes.workbook(rows, hidden=hidden))
    else:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.active.title = "Sheet1"
        book.active.auto_filter.ref = "A1:B29"
        for number in (*hidden, 40):  # and one without a record
            book.active.row_dimensions[number].hidden = True
        book.save(tmp_path / "a.xlsx")
    *documents, problem = list(RecordFile(tmp_path / f"a.{form}"))
    assert [document.title for document in documents if isinstance(document, Document)] == [row[0] for row in rows[1:]]
    assert isinstance(problem, Problem) and problem.line == 3
    assert problem.reason.startswith("3 hidden rows were read as records in sheet Sheet1")


def test_sheets_of_charts_have_no_rows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Title"], ["Flood"]):
        book.active.append(row)
    book.create_chartsheet("Chart", 0)  # without a chart
    book.save(tmp_path / "a.xlsx")
    (document,) = list(RecordFile(tmp_path / "a.xlsx"))
    assert isinstance(document, Document) and document.title == "Flood"


def test_a_file_without_a_record_is_a_problem_and_unknown_keys_are_said(tmp_path: Path) -> None:
    assert [p.reason[-26:] for p in parsed(tmp_path, "Title,Year\n")[1]] == ["has no record, read as csv"]
    documents, problems, layout = parsed(
        tmp_path, '{"title": "a", "lang": "en"}{"title": "b"}\n{"title": "c", "x": 1}\n'
    )
    assert ([d.title for d in documents], layout) == (["b", "c"], "left out: x")
    assert [p.line for p in problems] == [1]


# ---- E. VIP, and commas within names


def test_vip_text(tmp_path: Path) -> None:
    text = """【题　名】城市暴雨内涝
【作　者】张三[1] 李四[1,2]
【机　构】[1]某大学 [2]某院
【刊　名】《水利学报》
【年　份】2012
【关键词】暴雨 内涝;GIS 技术
【文　摘】采用模型。
继续。

【题　名】台风
【作　者】王五;赵六
【关键词】台风 路径
"""
    (first, second), problems, _ = parsed(tmp_path, text)
    assert (first.title, first.authors, first.source, first.year) == (
        "城市暴雨内涝",
        ("张三", "李四"),
        "水利学报",
        2012,
    )
    assert (first.keywords, first.abstract) == (("暴雨 内涝", "GIS 技术"), "采用模型。 继续。")
    assert (second.authors, second.keywords, problems) == (("王五", "赵六"), ("台风", "路径"), [])


def test_a_comma_within_a_name_parts_no_list(tmp_path: Path) -> None:
    names = ("2,4-D", "N,N-dimethyl", "1,2-二氯乙烷", "flood (fast, slow)")
    assert at_commas(",".join(names)) == list(names)
    assert split_list(",".join((*names, "flood"))) == (*names, "flood")
    (tmp_path / "white.txt").write_text("\n".join(names), encoding="utf-8")
    assert load_terms(tmp_path / "white.txt") == names
