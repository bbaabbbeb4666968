"""Exports of citation indexes and reference managers, written by hand after the forms that real ones have."""

from __future__ import annotations

WEB_OF_SCIENCE = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Li, W
   Dou, ZG
AF Li, Wei
   Dou, Zhiguo
TI Urban flood risk under
   heavy rain
SO NATURAL HAZARDS
LA English
DE flood risk; early
   warning; 内涝 model
ID CLIMATE-CHANGE; FLOOD RISK
AB First line of the abstract
   and 50% of the second.
PD DEC 16
PY 2020
DI 10.1000/W.1
UT WOS:000000000000001
ER

PT P
AU WANG Y
TI Reagent kit
AB\x20
   NOVELTY - The text begins below its tag.
UT DIIDW:2020000001
ER

PT J
AU Chen, A
SO A JOURNAL
PY 1999
UT WOS:000000000000003
ER

PT J
TI Typhoon tracks
Z1 台风路径
Z4 中文摘要
AB English abstract
ZK 台风; 路径
ID TRACK
PY 2011
UT CSCD:1
ER

EF
"""

_HEADER = ["PT", "AU", "TI", "SO", "DE", "ID", "AB", "PY", "DI", "UT"]
_ROWS = [
    ["J", "Li, W; Dou, ZG", "Flood \"risk\" of 城市", "NATURAL HAZARDS", "flood; risk, urban", "FLOOD; RAIN",
     "An abstract with \"one mark", "2020", "10.1000/T.1", "WOS:1"],
    ["J", "", "", "NO TITLE", "", "", "", "2001", "", "WOS:2"],
    ["J", "Chen, A", "Second", "A JOURNAL", "", "TYPHOON", "", "2002", "", "WOS:3"],
]  # fmt: skip
WEB_OF_SCIENCE_TABLE = "\n".join("\t".join(row) for row in (_HEADER, *([*row, ""] for row in _ROWS))) + "\n"

NBIB = """
PMID- 30000001
OWN - NLM
STAT- MEDLINE
LID - 10.1000/nb.1 [doi]
TI  - Rescue of patients after
      heavy rain.
AB  - BACKGROUND: First. METHODS: Second line
      with 内涝 in it.
FAU - Smith, John
AU  - Smith J
FAU - 王, 一
JT  - Journal of tests
DP  - 2021 Jan-Feb
OT  - *rescue
OT  - heavy rain
MH  - Humans
MH  - *Rescue Work/methods/*standards
AID - S0000(21)00001-1 [pii]
AID - 10.1000/nb.1 [doi]

PMID- 30000002
OWN - NLM
TI  - [Typhoon tracks].
TT  - 台风路径
AB  - English abstract.
OAB - 中文摘要
OABL- chi
TA  - Test J
DP  - 1999
PMID- 30000003
OWN - NLM
AB  - No title here.

OWN - ERIC
TI  - Testing schools
OID - EJ0000001
LID - http://dx.doi.org/10.1000/nb.4
DP  - Article 10 2019
"""

PUBMED_XML = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2024//EN" "https://dtd.example/pubmed.dtd">
<PubmedArticleSet>
<PubmedArticle>
  <MedlineCitation Status="MEDLINE">
    <PMID Version="1">30000001</PMID>
    <Article>
      <Journal><JournalIssue><PubDate><MedlineDate>2021 Jan-Feb</MedlineDate></PubDate></JournalIssue>
      <Title>Journal of tests</Title></Journal>
      <ArticleTitle>Rescue of <i>patients</i> in CO<sub>2</sub> &amp; rain.</ArticleTitle>
      <ELocationID EIdType="pii">S1</ELocationID><ELocationID EIdType="doi">10.1000/X.1</ELocationID>
      <Abstract><AbstractText Label="BACKGROUND">First &beta; part.</AbstractText>
      <AbstractText Label="METHODS">Second <b>part</b>, 内涝.</AbstractText>
      <AbstractText Label="UNLABELLED">Third.</AbstractText><CopyrightInformation>C</CopyrightInformation></Abstract>
      <AuthorList><Author><LastName>Smith</LastName><ForeName>John</ForeName></Author>
      <Author><CollectiveName>A Group</CollectiveName></Author></AuthorList>
    </Article>
    <MeshHeadingList><MeshHeading><DescriptorName MajorTopicYN="Y">Neoplasms, Experimental</DescriptorName>
    <QualifierName>genetics</QualifierName></MeshHeading></MeshHeadingList>
    <KeywordList Owner="NOTNLM"><Keyword>rescue</Keyword><Keyword>heavy rain</Keyword></KeywordList>
  </MedlineCitation>
  <PubmedData><ArticleIdList><ArticleId IdType="doi">10.1000/x.1</ArticleId></ArticleIdList>
  <ReferenceList><Reference><ArticleIdList><ArticleId IdType="pubmed">1</ArticleId></ArticleIdList></Reference>
  </ReferenceList></PubmedData>
</PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>30000002</PMID><Article><ArticleTitle>[Typhoon tracks].</ArticleTitle>
<Abstract><AbstractText>English abstract.</AbstractText></Abstract><VernacularTitle>台风路径</VernacularTitle></Article>
<OtherAbstract Language="chi"><AbstractText>中文摘要</AbstractText></OtherAbstract></MedlineCitation></PubmedArticle>
<PubmedBookArticle><BookDocument><PMID>30000003</PMID><Book><Publisher><PublisherName>House</PublisherName></Publisher>
<BookTitle>A book</BookTitle><PubDate><Year>2001</Year></PubDate></Book></BookDocument></PubmedBookArticle>
<PubmedArticle><MedlineCitation><PMID>30000004</PMID><Article></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
"""

ENDNOTE_XML = (
    '<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><database name="a.enl">a.enl</database>'
    '<ref-type name="Journal Article">17</ref-type><contributors><authors><author><style face="normal">Smith, John'
    "</style></author></authors></contributors><titles><title><style>Flood risk of CO</style><style "
    'face="subscript">2</style><style> &amp; rain</style></title><secondary-title><style>Hazards</style>'
    "</secondary-title></titles><keywords><keyword><style>flood</style></keyword><keyword>risk&#13;rain; 内涝 model"
    "</keyword></keywords><dates><year><style>2020</style></year></dates><accession-num>WOS:1</accession-num>"
    "<electronic-resource-num><style>https://doi.org/10.1000/E.1</style></electronic-resource-num>"
    "<abstract><style>The abstract.</style></abstract></record>"
    "<record><titles><title></title></titles><dates><year>1999</year></dates></record>"
    "<record><titles><title>Second</title></titles><keywords/><periodical><full-title>A journal</full-title>"
    "</periodical><dates><pub-dates><date>May 2001</date></pub-dates></dates><accession-num>123</accession-num>"
    "<urls><related-urls><url>https://doi.org/10.1000/e.2</url></related-urls></urls></record></records></xml>\n"
)

CSL_JSON = """[
  {
    "id": "http://zotero.org/users/1/items/A", "type": "article-journal",
    "title": "Flood <i>risk</i> {of} \\"cities\\" ]",
    "abstract": "<jats:p>About 内涝, p < 0.05.</jats:p>",
    "container-title": "Natural Hazards", "keyword": "flood; risk, urban", "DOI": "10.1000/C.1",
    "author": [{"family": "Smith", "given": "John"}, {"literal": "A Group"}],
    "issued": {"date-parts": [["2020", 1]]}
  },
  {"id": 2, "type": "book", "title": "Second", "publisher": "House", "issued": {"raw": "May 2001"}},
  {"id": "c", "type": "book", "author": []}
]
"""

ZOTERO_RDF = """<rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:bib="http://purl.org/net/biblio#"
 xmlns:foaf="http://xmlns.com/foaf/0.1/">
    <bib:Article rdf:about="https://example.org/1">
        <z:itemType>journalArticle</z:itemType>
        <dcterms:isPartOf rdf:resource="urn:issn:0000-0001"/>
        <bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Smith</foaf:surname>
        <foaf:givenName>John</foaf:givenName></foaf:Person></rdf:li></rdf:Seq></bib:authors>
        <dc:subject>flood risk</dc:subject>
        <dc:subject><z:AutomaticTag><rdf:value>Rain</rdf:value></z:AutomaticTag></dc:subject>
        <dc:title>Flood risk &amp; rain</dc:title>
        <dcterms:abstract>About 内涝.</dcterms:abstract>
        <dc:date>2020-05-01</dc:date>
    </bib:Article>
    <bib:Journal rdf:about="urn:issn:0000-0001">
        <dc:title>Natural Hazards</dc:title>
        <dc:identifier>DOI 10.1000/Z.1</dc:identifier>
        <dc:identifier>ISSN 0000-0001</dc:identifier>
    </bib:Journal>
    <z:Attachment rdf:about="#item_9"><z:itemType>attachment</z:itemType><dc:title>a.pdf</dc:title></z:Attachment>
    <bib:Article rdf:about="#item_2">
        <z:itemType>journalArticle</z:itemType>
        <dcterms:isPartOf><bib:Journal><dc:title>A journal</dc:title><dc:identifier>DOI 10.1000/z.2</dc:identifier>
        </bib:Journal></dcterms:isPartOf>
        <dc:title>Second</dc:title><dc:date>May 2001</dc:date>
    </bib:Article>
    <bib:Memo rdf:about="#item_8"><rdf:value>a note</rdf:value></bib:Memo>
    <bib:Book rdf:about="#item_3"><z:itemType>book</z:itemType><dc:date>1999</dc:date></bib:Book>
    <z:Collection rdf:about="#collection_1"><dc:title>All</dc:title></z:Collection>
</rdf:RDF>
"""

OVID_TAGGED = """
<1. >
VN  - Ovid Technologies
DB  - Ovid MEDLINE(R)
UI  - 30000001
AU  - Smith, John [Author; E-mail: x@example.org]
AU  - 王, 一
TI  - Rescue after heavy rain. [Review]
SO  - Journal of Tests. 5(2):1899-1910, 2021 Jan.
AB  - An abstract that goes
      on with 内涝 and TI in it.
KW  - rescue;  heavy rain
MH  - Humans
MH  - *Rescue Work/mt [Methods]
DO  - https://dx.doi.org/10.1000/o.1
YR  - 2021

<241. >
VN  - Ovid Technologies
DS  - none
AB  - No title.

<242. >
VN - Ovid Technologies
TI - One blank
ID - first concept, second concept
SO - House. 1999.
"""

OVID_CITATION = """<8>
Score
  *****
Accession Number
  00000000-000000000-00001.
Author
  Smith, John MD 1;  Mathes, Tim 2
Title
  Effects of heavy rain: a review.[Review]
Source
  Journal of Tests.   28(2):103-106, April 2015.
Abstract
  An abstract of 内涝
  on two lines.
Author Keywords
  rescue;  heavy rain.
References
  Aber JD. 1989. Title. A journal: 1-2.

  Beier C. 1987. Abstract. A journal: 3.
DOI Number
  10.1000/oc.1

<9>
Author
  Nobody
Title
  Second
"""
OVID_SHORT = "<1>\nUI\n  77\nTI\n  Short labels\nAB\n  The abstract.\nKW\n  a; b\n"
SAMPLES = {
    "web_of_science": WEB_OF_SCIENCE,
    "web_of_science_table": WEB_OF_SCIENCE_TABLE,
    "nbib": NBIB,
    "pubmed_xml": PUBMED_XML,
    "endnote_xml": ENDNOTE_XML,
    "csl_json": CSL_JSON,
    "zotero_rdf": ZOTERO_RDF,
    "ovid": OVID_TAGGED,
}
