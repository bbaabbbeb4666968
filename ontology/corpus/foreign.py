"""Names of formats that are not read, for the message that refuses a file: what it looks like, by its beginning."""

from __future__ import annotations

import re

from ontology.corpus.xml_records import root_of

_ROOTS = {
    "modsCollection": "MODS XML", "mods": "MODS XML", "collection": "MARC XML", "marc:collection": "MARC XML",
    "record": "MARC or other XML records", "doi_records": "Crossref XML", "crossref_result": "Crossref XML",
    "MedlineCitationSet": "an old MEDLINE XML", "CitaviExchangeData": "Citavi XML", "TEI": "TEI XML",
    "article": "JATS or DocBook XML of one article", "pmc-articleset": "PubMed Central XML of full texts",
    "eSearchResult": "a list of PubMed's numbers", "feed": "an Atom feed", "rss": "an RSS feed",
    "b:Sources": "Word bibliography XML", "OAI-PMH": "OAI-PMH XML",
}  # fmt: skip
_BEGINNINGS = (
    (r"%PDF-", "a PDF"),
    (r"\{\\rtf", "RTF"),
    (r"(?s:\s*Scopus\r?\n.*?EXPORT DATE)", "Scopus plain text"),
    (r"LEADER |=LDR ", "MARC text"),
    (r"(?s:\s*\{.*?\"itemType\"\s*:)|(?s:\s*\[.*?\"itemType\"\s*:)", "Zotero's own JSON (export it as CSL JSON)"),
    (r"(?s:\s*\{\s*\"status\"\s*:.*?\"message-type\"\s*:)", "an answer of Crossref's interface"),
    (r"(?s:\s*\{\s*\"meta\"\s*:.*?\"results\"\s*:)", "an answer of OpenAlex's interface"),
    (r"\s*\[\s*\{", "a JSON array without the types of CSL-JSON"),
    (r"\s*\[", "a JSON array"),
    (r"(?:\s*\d{5,9}\s*\n)+\s*$", "a list of numbers of records, without the records"),
    (r"(?s:.*?^_{20,}\s*\n.*?Document \d+ of \d+)", "ProQuest plain text"),
    (r"(?s:.*?^TITLE: .*?^(?:ABSTRACT|SOURCE): )", "labelled plain text (EBSCO or alike)"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.MULTILINE), name) for pattern, name in _BEGINNINGS)


def looks_like(head: str) -> str:
    """Return what a text that no reader takes looks like, "" where that is not known.

    >>> looks_like('<?xml version="1.0"?><modsCollection>'), looks_like("<x/>"), looks_like("Dear reader")
    ('MODS XML', 'XML with the first element x', '')
    """
    root = root_of(head)
    if root == "rdf:RDF":
        return "RDF that Zotero did not write"
    if root:
        return _ROOTS.get(root, f"XML with the first element {root}")
    return next((name for pattern, name in _PATTERNS if pattern.match(head)), "")
