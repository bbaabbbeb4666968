"""One paper, written in every format that is read, as the databases and programs write it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Paper:
    """The fields that every format has."""

    title: str = "暴雨内涝的风险评估"
    abstract: str = "采用模型评估暴雨，结果较好。"
    keywords: tuple[str, ...] = ("暴雨", "城市内涝")
    authors: tuple[str, ...] = ("甲一", "乙二")
    source: str = "水文学报"
    year: int = 2020
    doi: str = "10.1000/x.1"


OTHER = Paper(
    "台风路径的数值预报",
    "台风路径由数值模式给出。",
    ("台风", "数值预报"),
    ("丙三", "丁四"),
    "气象学报",
    2019,
    "10.1000/x.2",
)
PAPERS = (Paper(), OTHER)


def written(name: str, papers: Sequence[Paper] = PAPERS) -> str:
    """Return papers in a format."""
    return WRITERS[name](papers)


def _refworks(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"RT Journal Article\nSR 1\nA1 {';'.join(p.authors)};\nT1 {p.title}\nJF {p.source}\nYR {p.year}\n"
        f"K1 {';'.join(p.keywords)};\n\nAB {p.abstract}\nDO {p.doi}\nDS CNKI\n"
        for p in papers
    )


def _self_defined(papers: Sequence[Paper], opener: str = "SrcDatabase-来源库: 期刊\n") -> str:
    return "\n".join(
        f"{opener}Title-题名: {p.title}\nAuthor-作者: {';'.join(p.authors)};\nSource-刊名: {p.source}\n"
        f"Keyword-关键词: {';'.join(p.keywords)};\nSummary-摘要: {p.abstract}\nYear-年: {p.year}\nDOI-DOI号: {p.doi}\n"
        for p in papers
    )


def _noteexpress(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"{{Reference Type}}: Journal Article\n{{Title}}: {p.title}\n{{Author}}: {';'.join(p.authors)}\n"
        f"{{Journal}}: {p.source}\n{{Year}}: {p.year}\n{{Keywords}}: {';'.join(p.keywords)}\n"
        f"{{Abstract}}: {p.abstract}\n{{DOI}}: {p.doi}\n"
        for p in papers
    )


def _wanfang(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"{{Reference Type}}: Journal Article\n{{Title}}: {p.title}\n"
        + "".join(f"{{Author}}: {name}\n" for name in p.authors)
        + f"{{Journal}}: {p.source}\n{{Year}}: {p.year}\n"
        + "".join(f"{{Keywords}}: {word}\n" for word in p.keywords)
        + f"{{Abstract}}: {p.abstract}\n{{DOI}}: {p.doi}\n{{Database Provider}}: 北京万方数据股份有限公司\n"
        for p in papers
    )


def _endnote(papers: Sequence[Paper]) -> str:
    return "\n".join(
        "%0 Journal Article\n"
        + "".join(f"%A {name}\n" for name in p.authors)
        + f"%T {p.title}\n%J {p.source}\n%D {p.year}\n%K {';'.join(p.keywords)}\n%X {p.abstract}\n%R {p.doi}\n%W CNKI\n"
        for p in papers
    )


def _cssci(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"【来源篇名】{p.title}\n【来源作者】{'/'.join(p.authors)}\n【期    刊】{p.source}\n"
        f"【年代卷期】{p.year},1(1):1-2\n【关 键 词】{'/'.join(p.keywords)}\n【文    摘】{p.abstract}\n{'-' * 40}\n"
        for p in papers
    )


def _vip(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"【题 名】{p.title}\n【作 者】{' '.join(p.authors)}\n【机 构】某大学\n【刊 名】{p.source}\n【年 份】{p.year}\n"
        f"【关键词】{';'.join(p.keywords)}\n【文 摘】{p.abstract}\n【DOI】{p.doi}\n"
        for p in papers
    )


def _ris(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"TY  - JOUR\nTI  - {p.title}\n"
        + "".join(f"AU  - {name}\n" for name in p.authors)
        + f"JO  - {p.source}\nPY  - {p.year}\n"
        + "".join(f"KW  - {word}\n" for word in p.keywords)
        + f"AB  - {p.abstract}\nDO  - {p.doi}\nER  - \n"
        for p in papers
    )


def _bibtex(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"@article{{a{n},\n  title = {{{p.title}}},\n  author = {{{' and '.join(p.authors)}}},\n"
        f"  journal = {{{p.source}}},\n  year = {p.year},\n  keywords = {{{', '.join(p.keywords)}}},\n"
        f"  abstract = {{{p.abstract}}},\n  doi = {{{p.doi}}}\n}}\n"
        for n, p in enumerate(papers)
    )


def _ovid(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"<{n}. >\nVN  - Ovid Technologies\nTI  - {p.title}\n"
        + "".join(f"AU  - {name}\n" for name in p.authors)
        + f"JN  - {p.source}\nYR  - {p.year}\nKW  - {'; '.join(p.keywords)}\nAB  - {p.abstract}\nDO  - {p.doi}\n"
        for n, p in enumerate(papers, start=1)
    )


def _nbib(papers: Sequence[Paper]) -> str:
    return "\n".join(
        f"PMID- 3000000{n}\nOWN - NLM\nTI  - {p.title}\nAB  - {p.abstract}\n"
        + "".join(f"FAU - {name}\n" for name in p.authors)
        + f"JT  - {p.source}\nDP  - {p.year} Jan\n"
        + "".join(f"OT  - {word}\n" for word in p.keywords)
        + f"LID - {p.doi} [doi]\n"
        for n, p in enumerate(papers)
    )


def _web_of_science(papers: Sequence[Paper]) -> str:
    records = (
        "PT J\nAU "
        + "\n   ".join(p.authors)
        + f"\nTI {p.title}\nSO {p.source}\nDE {'; '.join(p.keywords)}\nAB {p.abstract}\n"
        f"PY {p.year}\nDI {p.doi}\nER\n"
        for p in papers
    )
    return "FN Clarivate Analytics Web of Science\nVR 1.0\n" + "\n".join(records) + "\nEF\n"


def _rows(papers: Sequence[Paper]) -> list[list[str]]:
    return [
        [p.title, "; ".join(p.authors), p.source, str(p.year), "; ".join(p.keywords), p.abstract, p.doi] for p in papers
    ]


def _web_of_science_table(papers: Sequence[Paper]) -> str:
    rows = [["PT", "TI", "AU", "SO", "PY", "DE", "AB", "DI"], *(["J", *row] for row in _rows(papers))]
    return "\n".join(map("\t".join, rows)) + "\n"


def _table(mark: str) -> Callable[[Sequence[Paper]], str]:
    def write(papers: Sequence[Paper]) -> str:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=mark, lineterminator="\n")
        writer.writerow(["Title", "Authors", "Source title", "Year", "Author Keywords", "Abstract", "DOI"])
        writer.writerows(_rows(papers))
        return out.getvalue()

    return write


def _pubmed_xml(papers: Sequence[Paper]) -> str:
    records = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>3000000{n}</PMID><Article><Journal><JournalIssue><PubDate><Year>{p.year}"
        f"</Year></PubDate></JournalIssue><Title>{escape(p.source)}</Title></Journal><ArticleTitle>{escape(p.title)}"
        f"</ArticleTitle><ELocationID EIdType='doi'>{p.doi}</ELocationID><Abstract><AbstractText>{escape(p.abstract)}"
        "</AbstractText></Abstract><AuthorList>"
        + "".join(f"<Author><CollectiveName>{escape(name)}</CollectiveName></Author>" for name in p.authors)
        + "</AuthorList></Article><KeywordList>"
        + "".join(f"<Keyword>{escape(word)}</Keyword>" for word in p.keywords)
        + "</KeywordList></MedlineCitation></PubmedArticle>\n"
        for n, p in enumerate(papers)
    )
    return f"<?xml version='1.0'?>\n<PubmedArticleSet>\n{records}</PubmedArticleSet>\n"


def _endnote_xml(papers: Sequence[Paper]) -> str:
    records = "".join(
        "<record><contributors><authors>"
        + "".join(f"<author>{escape(name)}</author>" for name in p.authors)
        + f"</authors></contributors><titles><title><style>{escape(p.title)}</style></title><secondary-title>"
        f"{escape(p.source)}</secondary-title></titles><keywords>"
        + "".join(f"<keyword>{escape(word)}</keyword>" for word in p.keywords)
        + f"</keywords><dates><year>{p.year}</year></dates><abstract>{escape(p.abstract)}</abstract>"
        f"<electronic-resource-num>{p.doi}</electronic-resource-num></record>\n"
        for p in papers
    )
    return f"<?xml version='1.0'?><xml><records>\n{records}</records></xml>\n"


def _zotero_rdf(papers: Sequence[Paper]) -> str:
    records = "".join(
        f'<bib:Article rdf:about="#item_{n}"><z:itemType>journalArticle</z:itemType><dcterms:isPartOf><bib:Journal>'
        f"<dc:title>{escape(p.source)}</dc:title><dc:identifier>DOI {p.doi}</dc:identifier></bib:Journal>"
        "</dcterms:isPartOf><bib:authors><rdf:Seq>"
        + "".join(
            f"<rdf:li><foaf:Person><foaf:surname>{escape(name)}</foaf:surname></foaf:Person></rdf:li>"
            for name in p.authors
        )
        + "</rdf:Seq></bib:authors>"
        + "".join(f"<dc:subject>{escape(word)}</dc:subject>" for word in p.keywords)
        + f"<dc:title>{escape(p.title)}</dc:title><dcterms:abstract>{escape(p.abstract)}</dcterms:abstract>"
        f"<dc:date>{p.year}</dc:date></bib:Article>\n"
        for n, p in enumerate(papers)
    )
    return f'<rdf:RDF xmlns:bib="http://purl.org/net/biblio#">\n{records}</rdf:RDF>\n'


def _csl_json(papers: Sequence[Paper]) -> str:
    items = [
        {
            "id": f"a{n}", "type": "article-journal", "title": p.title, "abstract": p.abstract,
            "container-title": p.source, "keyword": "; ".join(p.keywords), "DOI": p.doi,
            "author": [{"literal": name} for name in p.authors], "issued": {"date-parts": [[p.year]]},
        }
        for n, p in enumerate(papers)
    ]  # fmt: skip
    return json.dumps(items, ensure_ascii=False, indent=1)


def _json_lines(papers: Sequence[Paper]) -> str:
    return "".join(
        json.dumps(
            {"title": p.title, "abstract": p.abstract, "keywords": p.keywords, "authors": p.authors, "source": p.source,
             "year": p.year, "doi": p.doi},
            ensure_ascii=False,
        ) + "\n"
        for p in papers
    )  # fmt: skip


def _saved_page(papers: Sequence[Paper]) -> str:
    names = "<tr><th>题名</th><th>作者</th><th>刊名</th><th>年</th><th>关键词</th><th>摘要</th><th>DOI</th></tr>"
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in _rows(papers))
    return f"<!DOCTYPE html>\n<html><body><table>{names}\n{rows}</table></body></html>\n"


WRITERS: dict[str, Callable[[Sequence[Paper]], str]] = {
    "cnki_refworks": _refworks,
    "cnki_self_defined": _self_defined,
    "cnki_estudy": lambda papers: _self_defined(papers, "DataType: 1\n"),
    "noteexpress": _noteexpress,
    "wanfang_noteexpress": _wanfang,
    "endnote": _endnote,
    "cssci": _cssci,
    "vip": _vip,
    "ris": _ris,
    "bibtex": _bibtex,
    "ovid": _ovid,
    "nbib": _nbib,
    "web_of_science": _web_of_science,
    "web_of_science_table": _web_of_science_table,
    "csv": _table(","),
    "tsv": _table("\t"),
    "pubmed_xml": _pubmed_xml,
    "endnote_xml": _endnote_xml,
    "zotero_rdf": _zotero_rdf,
    "csl_json": _csl_json,
    "json_lines": _json_lines,
    "saved_page": _saved_page,
}
