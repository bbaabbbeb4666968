"""PubMed's tagged text (.nbib, MEDLINE display): ``PMID- `` opens a record, values go on behind six blanks.

In real files: records parted by a blank line or none, the DOI only within ``LID`` or ``AID``, keywords with the mark *
of their importance, a heading of the search page before the first record, books with ``BTI`` in place of ``TI``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus import pubmed, tagged
from ontology.corpus.records import Line, Parsed
from ontology.model import Document

_READ = tagged.tags(
    title="TI BTI", title_original="TT", abstract="AB", abstract_original="OAB", keywords="OT", index_terms="MH",
    authors="FAU AU", source="JT TA PB", year="DP DEP EDAT", doi="LID AID", id="PMID OID",
)  # fmt: skip
_LEFT = tagged.names(
    "OWN STAT DCOM LR IS VI IP PG LA PT PL JID SB MHDA CRDT PHST PST SO AD IRAD AUID OTO PMC PMCR GR GS CI COIS"
    " CN CON CIN CRF CRI DA DDIN DRIN DRDT ECF ECI EFR EIN ISBN ISSN ED FED EN CTI CP CDAT CTDT FIR FPS IR LIN"
    " MID NM OABL OCI ORI PS PUBM RF RIN RN ROF RPF RPI SFM SI SPIN TTL UIN UOF UI JC QL SPN GN RCT RRF RRI"
)
LAYOUT = tagged.Layout("nbib", _READ, _LEFT, "tag TI", "PMID", "PMID-", required=False, once=frozenset({"TI"}))
NAME = LAYOUT.name
_TAG = re.compile(r"^([A-Z][A-Z0-9]{1,3}) {0,2}-(?: (.*)|(?<=^PMID-)(\d+)|)$")
_SURE = {"PMID", "PMCR", "OWN", "STAT", "FAU", "LID", "AID", "EDAT", "MHDA", "CRDT", "OTO", "JT", "DP", "BTI", "MH"}
_UNIQUE = {"TI", "OWN", "STAT", "DP"}


def matches(head: str) -> bool:
    """Return True if a line has a PMID or title and two or more tags that only PubMed's records have start a line."""
    tags = {m.group(1) for m in map(_TAG.match, head.splitlines()) if m}
    return bool(tags & {"PMID", "TI", "BTI"}) and len(tags & _SURE) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return tagged.parse(lines, file, LAYOUT, split, _document, _opens, _title)


def _title(raw: tagged.Raw) -> str:
    return pubmed.title_of(_fields(raw))


def _document(raw: tagged.Raw, _: str, fallback_id: str) -> Document:
    return pubmed.document(_fields(raw), raw.text("OID") or fallback_id)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``TAG - value`` as (tag, value), None for another line."""
    match = _TAG.match(text)
    return (match.group(1), match.group(2) or match.group(3) or "") if match else None


def _opens(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a tag opens a record: ``PMID`` always; after a blank line a repeated tag that is unique."""
    return tag == "PMID" or (raw is not None and blank and tag in raw.fields and tag in _UNIQUE)


def _fields(raw: tagged.Raw) -> pubmed.Fields:
    return pubmed.Fields(
        pmid=raw.text("PMID"),
        title=raw.text("TI", "BTI"),
        vernacular=raw.text("TT"),
        abstract=raw.text("AB"),
        other_abstract=raw.text("OAB"),
        keywords=raw.lines("OT"),
        headings=raw.lines("MH"),
        authors=raw.lines("FAU") or raw.lines("AU"),
        source=raw.text("JT", "TA", "PB"),
        years=(raw.text("DP"), raw.text("DEP"), raw.text("EDAT")),
        dois=(*raw.lines("LID"), *raw.lines("AID")),
    )
