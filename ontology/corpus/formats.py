"""The formats of exports: detection of a text's format, and reading of a file that changes its format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ontology.corpus import (
    bibtex,
    cnki_estudy,
    cnki_refworks,
    cnki_self_defined,
    csl_json,
    cssci,
    delimited,
    endnote,
    endnote_xml,
    json_lines,
    nbib,
    noteexpress,
    ovid,
    pubmed_xml,
    ris,
    saved_page,
    wanfang,
    web_of_science,
    workbook,
    zotero_rdf,
)
from ontology.corpus.records import Line, Parsed


class RecordFormat(NamedTuple):
    """A reader: its name, a test of a text's first 65,536 characters, and its parser.

    A parser of ``pieces`` takes a line of any length as several; those before the last do not end it (``Line.ends``).
    """

    name: str
    matches: Callable[[str], bool]
    parse: Callable[[Iterable[Line], str], Parsed]
    pieces: bool = False


_TAGGED = tuple(
    RecordFormat(m.NAME, m.matches, m.parse)
    for m in (
        wanfang,
        noteexpress,
        endnote,
        ris,
        bibtex,
        cnki_estudy,
        cnki_self_defined,
        cssci,
        ovid,
        nbib,
        web_of_science,
        cnki_refworks,
    )
)
_TABLES = (
    RecordFormat(web_of_science.TABLE, web_of_science.matches_table, web_of_science.parse_table),
    *(RecordFormat(n, delimited.matches(n), delimited.parser(n)) for n in (delimited.TSV, delimited.CSV)),
)
_OF_ANY_LINES = tuple(
    RecordFormat(m.NAME, m.matches, m.parse, pieces=True) for m in (pubmed_xml, endnote_xml, zotero_rdf, csl_json)
)
FORMATS = (
    *_OF_ANY_LINES,
    *(RecordFormat(m.NAME, m.matches, m.parse) for m in (json_lines, saved_page)),
    *_TAGGED,
    *_TABLES,
)
"""In the order in which they are tried: unambiguous formats first."""

NAMES = (*(f.name for f in FORMATS), workbook.XLSX, workbook.XLS)
_BY_NAME = {f.name: f for f in _TAGGED}
_OPENERS = {
    noteexpress.NAME: r"\{Reference Type\}",
    endnote.NAME: r"%0[ \t]+[A-Z]",
    ris.NAME: r"TY {1,2}- ",
    bibtex.NAME: r"@(?:article|book|inproceedings|phdthesis|mastersthesis|misc|string)\s*\{",
    cnki_estudy.NAME: r"DataType:",
    cnki_self_defined.NAME: r"SrcDatabase-来源库\s*[:：]",
    cssci.NAME: r"【来源篇名】|南京大学中国社会科学研究评价中心\s*$",
    ovid.NAME: r" ?<\s*\d+\s*\.?\s*>\s*$| ?VN {1,2}- Ovid",
    nbib.NAME: r"PMID- ?\d|OWN - [A-Z]",
    web_of_science.NAME: r"FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\s*$",
    cnki_refworks.NAME: r"RT[ \t]+(?:Journal|Dissertation|Conference|Newspaper|Book|Patent|Thesis)",
}
_OPENER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _OPENERS.items()), re.IGNORECASE)
_SAME = {wanfang.NAME: {noteexpress.NAME}, cnki_estudy.NAME: {cnki_self_defined.NAME}}


def format_of(head: str) -> RecordFormat | None:
    """Return the format of a text by its beginning; None if there is none.

    Of several candidates, as in a concatenated file, the one whose record opens first is returned.
    """
    candidates = [form for form in FORMATS if form.matches(head)]
    opened = next((m.lastgroup for m in map(_OPENER.match, head.splitlines()) if m), None)
    if (
        len(candidates) > 1
        and candidates[0] in _TAGGED
        and (candidates[0].name, opened) != (wanfang.NAME, noteexpress.NAME)
    ):
        return next((form for form in candidates if form.name == opened), candidates[0])
    return candidates[0] if candidates else None


class Segments:
    """Lines of one file that may change from one tagged format to another, as concatenated exports do.

    Iterating yields what the parsers yield; ``names`` are the formats so far, in order of appearance.
    """

    def __init__(self, lines: Iterable[Line], first: RecordFormat, file: str) -> None:
        self._lines = iter(lines)
        self._first = first
        self._file = file
        self._next: tuple[RecordFormat, Line] | None = None
        self.names = [first.name]

    def __iter__(self) -> Parsed:
        if self._first.name not in _BY_NAME:
            yield from self._first.parse(self._lines, self._file)
            return
        yield from self._first.parse(self._segment(self._first, None), self._file)
        while self._next is not None:
            form, line = self._next
            self._next = None
            if form.name not in self.names:
                self.names.append(form.name)
            yield from form.parse(self._segment(form, line), self._file)

    def _segment(self, form: RecordFormat, opened_by: Line | None) -> Iterator[Line]:
        """Yield the lines before one that opens a record of another format."""
        compatible = {form.name, *_SAME.get(form.name, ())}
        if opened_by is not None:
            yield opened_by
        for line in self._lines:
            match = _OPENER.match(line.text)
            if match and match.lastgroup is not None and match.lastgroup not in compatible:
                self._next = (_BY_NAME[match.lastgroup], line)
                return
            yield line
