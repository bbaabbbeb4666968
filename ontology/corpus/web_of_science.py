"""Web of Science: tagged text (``PT`` opens a record, ``ER`` ends it) and its table with the same tags.

The package rispy has a parser of the tagged text; it stops a file at its first damaged line, so it serves the tests
as a second opinion. In real files: wrapped lines behind three blanks, authors one a line, tags of patents and of other
databases on the platform, ``AB`` with its text on the lines below, several exports in one file, a file without ``EF``.
The table quotes nothing: a quotation mark is a character. Its rows may have one more, empty cell than its header.
Titles, abstracts and keywords in a second language (``Z1``, ``Z4``, ``ZK``) come first where they are Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ontology.corpus import tagged
from ontology.corpus.index_terms import keyword_line, parted
from ontology.corpus.records import Line, Parsed, clean_text, document_of, has_chinese, one_line, place, problem
from ontology.model import Document

_READ = tagged.tags(
    title="TI Z1", abstract="AB Z4", keywords="DE ZK", index_terms="ID", authors="AU AF", source="SO",
    year="PY PD EY EA", doi="DI", id="UT",
)  # fmt: skip
_LEFT = tagged.names(
    "PT ER BA BE GP BF CA SE BS LA DT CT CY CL SP HO C1 C3 RP EM RI OI FU FP FX CR NR TC Z9 U1 U2 PU PI PA SN EI"
    " BN J9 JI VL IS PN SU SI MA BP EP AR D2 PG WC WE SC GA PM OA HC HP DA ED CN PE PP SD NT Z2 Z3 Z5 Z6 Z7 Z8"
    " ZB ZR ZS ZA AE DC MC CP AD FD DS GE GN TN MQ PR OR TA BD BC CC PS PV MH RC DN CO TT LT AN RN ME EF FN VR CE"
    " CS PC TM MI"
)
LAYOUT = tagged.Layout("web_of_science", _READ, _LEFT, "tag TI", "PT", "PT", closes="ER", once=frozenset({"TI", "UT"}))
NAME = LAYOUT.name
TABLE = "web_of_science_table"
_TAG = re.compile(r"^([A-Z][A-Z0-9])(?: (?! ?- )(.*)|)$")
_AROUND = re.compile(r"^(?:FN .*|VR [\d.]+|EF)\s*$")
_NEEDED = {"PT", "TI"}
_USUAL = {"AU", "SO", "PY", "UT", "AB", "DE", "ID", "DI"}


def matches(head: str) -> bool:
    """Return True if a line opens a record and two or more other tags of most records start a line."""
    tags = {m.group(1) for m in map(_TAG.match, head.splitlines()) if m}
    return "PT" in tags and len(tags & {"TI", "ER", *_USUAL}) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record of a tagged file.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    inside = (line for line in lines if not _AROUND.match(line.text))
    return tagged.parse(inside, file, LAYOUT, split, _tagged_document)


def split(text: str) -> tuple[str, str] | None:
    """Return a line as (tag, value), None for one that goes on."""
    match = _TAG.match(text.rstrip())
    return (match.group(1), match.group(2) or "") if match else None


def _tagged_document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    return _document({tag: raw.text(tag) for tag in raw.fields}, raw.lines("AU") or raw.lines("AF"), title, fallback_id)


def matches_table(head: str) -> bool:
    """Return True if the first line is a header of two-character tags, PT, TI and two usual ones among them."""
    tags = _header(next((line for line in head.splitlines() if line.strip()), ""))
    return set(tags) >= _NEEDED and len(_USUAL.intersection(tags)) >= 2 and all(len(tag) <= 2 for tag in tags)


def _header(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split("\t")]


def parse_table(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each row of a table.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    rows = _rows(lines)
    header = _header(next(rows, Line(0, "")).text)
    last = max(number for number, tag in enumerate(header) if tag)
    for line in rows:
        cells = line.text.split("\t")
        if "".join(cells[last + 1 :]).strip():
            yield problem(file, line.number, "corpus.row_wide", cells=len(cells), columns=last + 1)
            continue
        row = {tag: cell.strip() for tag, cell in zip(header, cells, strict=False) if tag}
        title = clean_text(row.get("TI") or row.get("Z1", ""))
        if title:
            yield _document(row, (row.get("AU") or row.get("AF", "")).split(";"), title, f"{file}-{line.number}")
        else:
            yield problem(file, line.number, "corpus.untitled", place=place("column TI"))
        if len(cells) <= last:
            yield problem(file, line.number, "corpus.row_cut", cells=len(cells), columns=last + 1)


def _rows(lines: Iterable[Line]) -> Iterator[Line]:
    return (line for line in lines if line.text.strip())


def _document(texts: Mapping[str, str], authors: Sequence[str], title: str, fallback_id: str) -> Document:
    second_title = clean_text(texts.get("Z1", ""))
    second_abstract = texts.get("Z4", "")
    chinese = has_chinese(second_title) and second_title != title
    chinese_abstract = has_chinese(second_abstract)
    abstract = texts.get("AB", "")
    return document_of(
        one_line(texts.get("UT", "")) or fallback_id,
        second_title if chinese else title,
        abstract=second_abstract if chinese_abstract else abstract,
        keywords=[keyword_line(parted(texts.get("ZK") or texts.get("DE", "")), parted(texts.get("ID", "")))],
        title_en=title if chinese else "",
        abstract_en=abstract if chinese_abstract else "",
        authors=tuple(dict.fromkeys(name for name in map(one_line, authors) if name)),
        source=texts.get("SO", ""),
        years=[texts.get(tag, "") for tag in _READ["year"]],
        dois=(texts.get("DI", ""),),
    )
