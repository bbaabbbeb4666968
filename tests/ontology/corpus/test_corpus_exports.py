"""Exports of Web of Science, PubMed, Ovid, EndNote, Zotero and citation processors: fields, damage, second opinions."""

from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ontology.corpus import CorpusError, read
from ontology.corpus.reading import RecordFile
from ontology.model import Document, Problem
from tests.ontology.corpus import export_samples as samples
from tests.ontology.corpus.test_corpus_formats import write


def parsed(tmp_path: Path, text: str, name: str = "a.txt") -> tuple[list[Document], list[Problem]]:
    """Documents and problems of a file, duplicates not merged."""
    found = list(RecordFile(write(tmp_path, text, name)))
    return [d for d in found if isinstance(d, Document)], [p for p in found if isinstance(p, Problem)]


def test_web_of_science(tmp_path: Path) -> None:
    (first, patent, chinese), problems = parsed(tmp_path, samples.WEB_OF_SCIENCE)
    assert (first.id, first.title, first.source) == (
        "WOS:000000000000001", "Urban flood risk under heavy rain", "NATURAL HAZARDS",
    )  # fmt: skip
    assert first.abstract == "First line of the abstract and 50% of the second."
    assert first.keywords == ("flood risk", "early warning", "内涝 model")
    assert (first.authors, first.year, first.doi) == (("Li, W", "Dou, ZG"), 2020, "10.1000/w.1")
    assert patent.abstract == "NOVELTY - The text begins below its tag."
    assert (chinese.title, chinese.title_en, chinese.keywords) == ("台风路径", "Typhoon tracks", ("台风", "路径"))
    assert (chinese.abstract, chinese.abstract_en) == ("中文摘要", "English abstract")
    assert [(p.line, "tag TI" in p.reason) for p in problems] == [(31, True)]


def test_web_of_science_early_access_has_no_other_year(tmp_path: Path) -> None:
    (found,), problems = parsed(tmp_path, "PT J\nTI Floods\nSO WATER\nEA MAR 2019\nEY 2019\nUT WOS:1\nER\n")
    assert (found.year, problems) == (2019, [])


def test_web_of_science_agrees_with_rispy(tmp_path: Path) -> None:
    rispy = pytest.importorskip("rispy")
    text = samples.WEB_OF_SCIENCE.replace("AB \n   NOVELTY", "AB NOVELTY")
    theirs = rispy.loads(text, implementation=rispy.WokParser, skip_unknown_tags=True)
    documents, problems = parsed(tmp_path, text)
    assert len(documents) + len(problems) == len(theirs)
    assert [d.title_en or d.title for d in documents] == [
        title if isinstance(title, str) else " ".join(title)
        for title in (r.get("document_title") for r in theirs) if title
    ]  # fmt: skip


def test_keywords_plus_come_behind_and_once(tmp_path: Path) -> None:
    text = samples.WEB_OF_SCIENCE.replace("内涝 model", "modelling")
    assert parsed(tmp_path, text)[0][0].keywords_en == ("flood risk", "early warning", "modelling", "CLIMATE-CHANGE")


def test_web_of_science_cut_and_joined(tmp_path: Path) -> None:
    cut = samples.WEB_OF_SCIENCE.partition("ID CLIMATE")[0]
    (document,), (problem,) = parsed(tmp_path, cut)
    assert (document.title, problem.line, "cut" in problem.reason) == ("Urban flood risk under heavy rain", 3, True)
    documents, problems = parsed(tmp_path, samples.WEB_OF_SCIENCE * 2)
    assert (len(documents), len(problems)) == (6, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_web_of_science_table(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "savedrecs.txt"
    path.write_bytes(samples.WEB_OF_SCIENCE_TABLE.replace("\n", "\r\n").encode(encoding))
    corpus = read(path)
    first, second = corpus.documents
    assert corpus.files[0].format == "web_of_science_table"
    assert (first.id, first.title, first.abstract) == ("WOS:1", 'Flood "risk" of 城市', 'An abstract with "one mark')
    assert (first.authors, first.keywords_en) == (("Li, W", "Dou, ZG"), ("flood", "risk, urban", "RAIN"))
    assert (first.year, first.doi, second.keywords_en) == (2020, "10.1000/t.1", ("TYPHOON",))
    assert [(p.line, "column TI" in p.reason) for p in corpus.problems] == [(3, True)]
    theirs = list(
        csv.DictReader(io.StringIO(samples.WEB_OF_SCIENCE_TABLE), delimiter="\t", quoting=csv.QUOTE_NONE)
    )  # fmt: skip
    assert [d.title for d in corpus.documents] == [row["TI"] for row in theirs if row["TI"]]


def test_web_of_science_table_of_wrong_widths(tmp_path: Path) -> None:
    text = samples.WEB_OF_SCIENCE_TABLE + "J\ta\tToo wide" + "\tx" * 9 + "\nJ\tLi, W\tCut row\tNAT"
    documents, problems = parsed(tmp_path, text)
    assert [d.title for d in documents][2:] == ["Cut row"]
    assert [(p.line, "left out" in p.reason, "cut" in p.reason) for p in problems[1:]] == [
        (5, True, False), (6, False, True),
    ]  # fmt: skip


def test_nbib(tmp_path: Path) -> None:
    (first, chinese, eric), problems = parsed(tmp_path, samples.NBIB)
    assert (first.id, first.title, first.source) == (
        "PMID:30000001", "Rescue of patients after heavy rain.", "Journal of tests",
    )  # fmt: skip
    assert first.abstract == "BACKGROUND: First. METHODS: Second line with 内涝 in it."
    assert first.keywords_en == ("rescue", "heavy rain", "Humans", "Rescue Work")
    assert (first.authors, first.year, first.doi) == (("Smith, John", "王, 一"), 2021, "10.1000/nb.1")
    assert (chinese.title, chinese.title_en) == ("台风路径", "Typhoon tracks")
    assert (chinese.abstract, chinese.abstract_en) == ("中文摘要", "English abstract.")
    assert (eric.id, eric.doi, eric.year) == ("EJ0000001", "10.1000/nb.4", 2019)
    assert [(p.line, "tag TI" in p.reason) for p in problems] == [(31, True)]


def test_pubmed_xml(tmp_path: Path) -> None:
    (first, chinese, book), problems = parsed(tmp_path, samples.PUBMED_XML)
    assert (first.id, first.title, first.source) == (
        "PMID:30000001", "Rescue of patients in CO2 & rain.", "Journal of tests",
    )  # fmt: skip
    assert first.abstract == "BACKGROUND: First β part. METHODS: Second part, 内涝. Third."
    assert first.keywords_en == ("rescue", "heavy rain", "Neoplasms, Experimental")
    assert (first.authors, first.year, first.doi) == (("Smith, John", "A Group"), 2021, "10.1000/x.1")
    assert (chinese.title, chinese.title_en, chinese.abstract) == ("台风路径", "Typhoon tracks", "中文摘要")
    assert (book.title, book.source, book.year) == ("A book", "House", 2001)
    assert [(p.line, "ArticleTitle" in p.reason) for p in problems] == [(31, True)]
    root = ElementTree.fromstring(samples.PUBMED_XML.replace("&beta;", "β"))
    assert len(root) == 3 + len(problems)


def test_endnote_xml_on_one_line(tmp_path: Path) -> None:
    (first, second), problems = parsed(tmp_path, samples.ENDNOTE_XML)
    assert (first.id, first.title, first.source) == ("WOS:1", "Flood risk of CO2 & rain", "Hazards")
    assert first.keywords == ("flood", "risk", "rain", "内涝 model")
    assert (first.authors, first.year, first.doi) == (("Smith, John",), 2020, "10.1000/e.1")
    assert first.abstract == "The abstract."
    assert (second.id, second.source, second.year, second.doi) == ("a-3", "A journal", 2001, "10.1000/e.2")
    assert [(p.line, "titles/title" in p.reason) for p in problems] == [(1, True)]
    assert len(ElementTree.fromstring(samples.ENDNOTE_XML)[0]) == 3


@pytest.mark.parametrize("layout", ["as it is", "items", "one line"])
def test_csl_json(tmp_path: Path, layout: str) -> None:
    items = json.loads(samples.CSL_JSON)
    text = {
        "as it is": samples.CSL_JSON,
        "items": json.dumps({"items": items}, indent=2),
        "one line": json.dumps(items),
    }
    (first, second), problems = parsed(tmp_path, text[layout])
    assert (first.id, first.title) == ("http://zotero.org/users/1/items/A", 'Flood risk {of} "cities" ]')
    assert (first.abstract, first.source) == ("About 内涝, p < 0.05.", "Natural Hazards")
    assert (first.keywords_en, first.authors) == (("flood", "risk, urban"), ("Smith, John", "A Group"))
    assert (first.year, first.doi, second.id, second.year, second.source) == (2020, "10.1000/c.1", "2", 2001, "House")
    assert ["key title" in p.reason for p in problems] == [True]
    assert len(items) == 3


def test_csl_json_damaged_and_cut(tmp_path: Path) -> None:
    text = (
        '[{"id":"a","type":"book","title":"One"},\n{"id":"b","type":"book","title":"Lone " mark"},\n'
        '{"id":"c","type":"book","title":"Three"},{"id":"d","type":"book","title":"Cut'
    )
    documents, problems = parsed(tmp_path, text)
    assert [d.title for d in documents] == ["One", "Three"]
    assert [(p.line, "cut" in p.reason) for p in problems] == [(2, True), (3, True)]


def test_zotero_rdf(tmp_path: Path) -> None:
    (first, second), problems = parsed(tmp_path, samples.ZOTERO_RDF)
    assert (first.title, first.abstract, first.source) == ("Flood risk & rain", "About 内涝.", "Natural Hazards")
    assert (first.keywords_en, first.authors) == (("flood risk", "Rain"), ("Smith, John",))
    assert (first.year, first.doi) == (2020, "10.1000/z.1")
    assert (second.title, second.source, second.year, second.doi) == ("Second", "A journal", 2001, "10.1000/z.2")
    assert [(p.line, "dc:title" in p.reason) for p in problems] == [(32, True)]


def test_ovid_tagged(tmp_path: Path) -> None:
    (first, second), problems = parsed(tmp_path, samples.OVID_TAGGED)
    assert (first.id, first.title, first.source) == ("30000001", "Rescue after heavy rain.", "Journal of Tests")
    assert first.abstract == "An abstract that goes on with 内涝 and TI in it."
    assert first.keywords_en == ("rescue", "heavy rain", "Humans", "Rescue Work")
    assert (first.authors, first.year, first.doi) == (("Smith, John", "王, 一"), 2021, "10.1000/o.1")
    assert (second.title, second.keywords_en) == ("One blank", ("first concept", "second concept"))
    assert (second.source, second.year) == ("House", 1999)
    assert [(p.line, "Title" in p.reason) for p in problems] == [(18, True)]


def test_ovid_without_numbers_is_parted_at_the_vendor(tmp_path: Path) -> None:
    text = re.sub(r"<\d+\. >\n", "", samples.OVID_TAGGED)
    (first, second), problems = parsed(tmp_path, text)
    assert (first.title, second.title, len(problems)) == ("Rescue after heavy rain.", "One blank", 1)


def test_an_unknown_tagged_text_is_no_refworks_and_no_web_of_science(tmp_path: Path) -> None:
    text = "PT  - Article\nT1  - A title\nAB  - An abstract\nA1  - Smith, J\nSO  - A journal\nDE  - x\n"
    with pytest.raises(CorpusError, match="none of the known formats"):
        read(write(tmp_path, text))


def test_ovid_citation_with_long_and_short_labels(tmp_path: Path) -> None:
    (first, second), problems = parsed(tmp_path, samples.OVID_CITATION)
    assert (first.id, first.title) == ("00000000-000000000-00001", "Effects of heavy rain: a review.")
    assert (first.abstract, first.source) == ("An abstract of 内涝 on two lines.", "Journal of Tests")
    assert (first.keywords_en, first.year, first.doi) == (("rescue", "heavy rain"), 2015, "10.1000/oc.1")
    assert (first.authors, second.title, problems) == (("Smith, John MD", "Mathes, Tim"), "Second", [])
    (short,), problems = parsed(tmp_path, samples.OVID_SHORT)
    assert (short.id, short.title, short.abstract, short.keywords_en, problems) == (
        "77", "Short labels", "The abstract.", ("a", "b"), [],
    )  # fmt: skip


XML = {
    "pubmed_xml": (
        "<PubmedArticleSet>\n{}</PubmedArticleSet>",
        "<PubmedArticle><MedlineCitation><Article><ArticleTitle>{}</ArticleTitle></Article>"  # noqa: ISC004
        "</MedlineCitation></PubmedArticle>\n",
    ),
    "endnote_xml": ("<xml><records>\n{}</records></xml>", "<record><titles><title>{}</title></titles></record>\n"),
    "zotero_rdf": (
        '<rdf:RDF xmlns:bib="http://purl.org/net/biblio#">\n{}</rdf:RDF>',
        '<bib:Article rdf:about="#1"><z:itemType>book</z:itemType><dc:title>{}</dc:title></bib:Article>\n',
    ),
}


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize("damage", ["a & b", "<b>open", "\x01", "</record>", "<i>" * 300])
def test_a_damaged_record_costs_itself_only(tmp_path: Path, name: str, damage: str) -> None:
    around, record = XML[name]
    text = around.format("".join(record.format(title) for title in ("One", damage, "Three", "Four")))
    documents, problems = parsed(tmp_path, text)
    assert [d.title for d in documents] == ["One", "Three", "Four"]
    assert [p.line for p in problems] == [3]


@pytest.mark.parametrize("name", XML)
def test_a_cut_file_keeps_what_is_whole(tmp_path: Path, name: str) -> None:
    around, record = XML[name]
    text = around.format("".join(record.format(title) for title in ("One", "Two", "Three")))
    documents, problems = parsed(tmp_path, text[: text.index("Three") + 2])
    assert [d.title for d in documents] == ["One", "Two"]
    assert [(p.line, "cut" in p.reason) for p in problems] == [(4, True)]


@pytest.mark.parametrize("name", ["pubmed_xml", "endnote_xml"])
def test_a_record_without_its_end_does_not_swallow_the_next(tmp_path: Path, name: str) -> None:
    around, record = XML[name]
    open_one = record.format("Two").replace("</record>", "").replace("</PubmedArticle>", "")
    documents, problems = parsed(tmp_path, around.format(record.format("One") + open_one + record.format("Three")))
    assert [d.title for d in documents] == ["One", "Three"]
    assert ["no end before the next one" in p.reason for p in problems] == [True]


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize(
    "declared",
    ['<!ENTITY a "b">', '<!ENTITY a SYSTEM "file:///etc/hostname">', '<!ENTITY % a SYSTEM "http://localhost/">',
     '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">'],
)  # fmt: skip
def test_entities_are_refused_before_anything_is_expanded(tmp_path: Path, name: str, declared: str) -> None:
    around, record = XML[name]
    text = f"<?xml version='1.0'?>\n<!DOCTYPE x [{declared}]>\n" + around.format(record.format("&a;&b;"))
    with pytest.raises(CorpusError, match=r"declares the entity \w; refused"):
        read(write(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "seems"),
    [
        ("<?xml version='1.0'?><modsCollection/>", "MODS XML"),
        ("<records_of_mine><a/></records_of_mine>", "first element records_of_mine"),
        ('<rdf:RDF xmlns:bibo="http://purl.org/ontology/bibo/"/>', "RDF that Zotero did not write"),
        ('{\n "items": [{"itemType": "book", "title": "x"}]}', "Zotero's own JSON"),
        ('[{"title": "x"}]', "JSON array without the types"),
        ("Scopus\nEXPORT DATE: 1 May 2020\n", "Scopus plain text"),
        ("30000001\n30000002\n", "list of numbers"),
    ],
)
def test_a_format_that_is_not_read_is_refused_by_its_name(tmp_path: Path, text: str, seems: str) -> None:
    with pytest.raises(CorpusError, match=seems):
        read(write(tmp_path, text, "export.nbib"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["endnote_xml", "csl_json"])
def test_a_line_longer_than_the_limit_is_read_in_pieces(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ontology.corpus.reading._LONGEST", 1 << 23)
    filler = "rain 内涝 " * 20_000
    path = tmp_path / "a"
    with path.open("w", encoding="utf-8") as stream:
        stream.write("<xml><records>" if name == "endnote_xml" else "[")
        for number in range(60):
            if name == "endnote_xml":
                stream.write(
                    f"<record><titles><title>T {number}</title></titles><abstract>{filler}</abstract></record>"
                )
            else:
                stream.write("," * (number > 0) + f'{{"type":"book","title":"T {number}","abstract":"{filler}"}}')
        stream.write("</records></xml>" if name == "endnote_xml" else "]")
    assert path.stat().st_size > 1 << 23
    tracemalloc.start()
    titles = [p.title for p in RecordFile(path) if isinstance(p, Document)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert titles == [f"T {number}" for number in range(60)]
    assert peak < 1 << 23


def test_csl_json_names_have_their_particles_and_suffixes(tmp_path: Path) -> None:
    names = [
        {"family": "Gogh", "non-dropping-particle": "van", "given": "V"},
        {"family": "Fontaine", "non-dropping-particle": "La", "dropping-particle": "de", "given": "J", "suffix": "III"},
        "Plain Name",
    ]
    items = [{"type": "book", "title": f"v{n}", "author": author} for n, author in enumerate((names, "One Name"))]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    assert [d.authors for d in read(path).documents] == [
        ("van Gogh, V", "La Fontaine, J de, III", "Plain Name"),
        ("One Name",),
    ]


def test_latin_keywords_of_a_paper_stay_where_it_has_english_ones_too(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("题名,关键词,英文关键词\n戊,洪水;Copula,flood\n丁,洪水;flood,flood\n", encoding="utf-8")
    assert [(d.keywords, d.keywords_en) for d in read(path).documents] == [
        (("洪水", "Copula"), ("flood",)),
        (("洪水",), ("flood",)),
    ]


def test_a_cell_over_two_columns_shifts_none(tmp_path: Path) -> None:
    rows = "<tr><td>题名</td><td>作者</td><td>年</td></tr><tr><td colspan='2'>合并</td><td>2012</td></tr>"
    path = tmp_path / "x.html"
    path.write_text(f"<!DOCTYPE html><html><body><table>{rows}</table></body></html>", encoding="utf-8")
    (one,) = read(path).documents
    assert (one.title, one.authors, one.year) == ("合并", (), 2012)


@pytest.mark.parametrize("text", ["Müller, Jürgen", "Überflutung in Österreich", "Núñez, españoles", "Hélène Lefèvre"])
def test_western_text_is_not_read_as_chinese(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.ris"
    path.write_bytes(f"TY  - JOUR\nTI  - {text} floods\nER  - \n".encode("latin-1"))
    with pytest.raises(CorpusError, match=r"Western encoding|neither UTF-8"):
        read(path)


@pytest.mark.parametrize("text", ["暴雨洪水", "WRF模式研究与应用", "A股市场", "高氏, 李A", "台风Haiyan的路径"])
def test_chinese_text_in_gb18030_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.ris"
    path.write_bytes(f"TY  - JOUR\nTI  - {text}\nER  - \n".encode("gb18030"))
    assert [d.title for d in read(path).documents] == [text]
