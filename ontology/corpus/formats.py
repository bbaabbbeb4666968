"""The formats of exports: detection of a text's format, and reading of a file that changes its format."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

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
    tagged,
    wanfang,
    web_of_science,
    workbook,
    zotero_rdf,
)
from ontology.corpus.records import Line, Parsed


class RecordFormat(NamedTuple):
    """A reader: its name, a test of a text's first 65,536 characters, its parser, and the fields of a tagged format.

    A parser of ``pieces`` takes a line of any length as several; those before the last do not end it (``Line.ends``).
    ``describe`` says how the table of a text is read. ``splitter`` returns what splits the lines of one text.
    """

    name: str
    matches: Callable[[str], bool]
    parse: Callable[[Iterable[Line], str], Parsed]
    pieces: bool = False
    describe: Callable[[str], str] = lambda _: ""
    layout: tagged.Layout | None = None
    splitter: Callable[[], tagged.Split] | None = None

    def accounted(self, head: str) -> int:
        """Return how many lines of a text have a tag of the format."""
        if self.layout is None or self.splitter is None:
            return 0
        split, known = self.splitter(), self.layout.known
        return sum(pair is not None and pair[0] in known for pair in map(split, head.splitlines()))


def _tagged(module: Any) -> RecordFormat:
    """Return the reader of a module with a layout and a function that splits its lines."""
    layout, split = module.LAYOUT, module.split
    return RecordFormat(module.NAME, module.matches, module.parse, layout=layout, splitter=lambda: split)


_TAGGED = (
    *map(_tagged, (wanfang, noteexpress, endnote, ris, bibtex, cnki_estudy, cnki_self_defined, cssci)),
    RecordFormat(cssci.VIP, cssci.matches_vip, cssci.parse_vip, layout=cssci.VIP_LAYOUT, splitter=lambda: cssci.split),
    RecordFormat(ovid.NAME, ovid.matches, ovid.parse, layout=ovid.LAYOUT, splitter=ovid.Split),
    *map(_tagged, (nbib, web_of_science, cnki_refworks)),
)
_TABLES = (
    RecordFormat(web_of_science.TABLE, web_of_science.matches_table, web_of_science.parse_table),
    *(
        RecordFormat(n, delimited.matches(n), delimited.parser(n), describe=delimited.described(n))
        for n in (delimited.TSV, delimited.CSV)
    ),
)
_OF_ANY_LINES = tuple(
    RecordFormat(m.NAME, m.matches, m.parse, pieces=True) for m in (pubmed_xml, endnote_xml, zotero_rdf, csl_json)
)
FORMATS = (
    *_OF_ANY_LINES,
    RecordFormat(json_lines.NAME, json_lines.matches, json_lines.parse, describe=json_lines.described),
    RecordFormat(saved_page.NAME, saved_page.matches, saved_page.parse),
    *_TAGGED,
    *_TABLES,
)
"""In the order in which they are tried: unambiguous formats first."""

NAMES = (*(f.name for f in FORMATS), workbook.XLSX, workbook.XLS)
_BY_NAME = {f.name: f for f in _TAGGED}
_OPENERS = {
    noteexpress.NAME: r"\{Reference Type\}",
    endnote.NAME: r"%0[ \t]+[A-Z]",
    ris.NAME: r"TY {1,2}- ?[A-Z]",
    bibtex.NAME: r"@(?:article|book|inproceedings|phdthesis|mastersthesis|misc|string)\s*\{",
    cnki_estudy.NAME: r"DataType:",
    cnki_self_defined.NAME: r"SrcDatabase-来源库\s*[:：]",
    cssci.NAME: r"【来源篇名】|南京大学中国社会科学研究评价中心\s*$",
    cssci.VIP: r"【题\s*名】",
    ovid.NAME: r" ?<\s*\d+\s*\.?\s*>\s*$| ?VN {1,2}- Ovid",
    nbib.NAME: r"PMID- ?\d|OWN - [A-Z]",
    web_of_science.NAME: r"FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\s*$",
    cnki_refworks.NAME: r"RT[ \t]+(?:Journal|Dissertation|Conference|Newspaper|Book|Patent|Thesis)",
}
_AHEAD = 12
"""Number of lines behind one that opens a record of another format which say whether the format changes."""
_OPENER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _OPENERS.items()), re.IGNORECASE)
_SIGNS = frozenset(("{r", "%0", "ty", "da", "sr", "vn", "pm", "ow", "fn", "pt", "rt"))
_MARKS = frozenset("@【南< ")
"""What the lines begin with that may open a record: most lines do not, and need no search."""
_SAME_SIGNS = (cnki_estudy.NAME, wanfang.NAME)
"""Formats whose lines another one has too, and which open records by a line of their own."""
_SAME = {wanfang.NAME: {noteexpress.NAME}, cnki_estudy.NAME: {cnki_self_defined.NAME}}


def format_of(head: str) -> RecordFormat | None:
    """Return the format of a text by its beginning; None if there is none.

    Of several tagged formats the one that accounts for most lines is returned, of two in one file (each opens records)
    the one whose record opens first.
    """
    candidates = [form for form in FORMATS if form.matches(head)]
    if not head.lstrip().startswith("<"):  # a field may hold a tag of HTML
        candidates = [form for form in candidates if form.name != saved_page.NAME] or candidates
    if len(candidates) < 2 or candidates[0] not in _TAGGED:
        return candidates[0] if candidates else None
    lines = head.splitlines()
    openers = [m.lastgroup for m in map(_OPENER.match, lines) if m]
    names = {form.name: form for form in candidates}
    if wanfang.NAME in names:
        names.pop(noteexpress.NAME, None)
        openers = [wanfang.NAME if name == noteexpress.NAME else name for name in openers]
    opened = [name for name in dict.fromkeys(openers) if name in names]
    if len(opened) == 1 and opened[0] in _SAME_SIGNS:
        return names[opened[0]]
    if len(opened) > 1 and not _is_rare(openers, opened[0] or ""):
        return names[opened[0] or ""]
    return max(names.values(), key=lambda form: form.accounted(head))


def _is_rare(openers: Sequence[str | None], name: str) -> bool:
    """Return whether a format opens hardly a record of a text: such a line stands within another format's record."""
    return openers.count(name) * 10 < len(openers)


class Segments:
    """Lines of one file that may change from one tagged format to another, as concatenated exports do.

    Iterating yields what the parsers yield; ``names`` are the formats so far, in order of appearance.
    """

    def __init__(self, lines: Iterable[Line], first: RecordFormat, file: str) -> None:
        self._lines = iter(lines)
        self._first = first
        self._file = file
        self._next: tuple[RecordFormat, Line] | None = None
        self._ahead: deque[Line] = deque()
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
        """Yield the lines before one that opens a record of another format, with lines of that format behind it."""
        compatible = {form.name, *_SAME.get(form.name, ())}
        if opened_by is not None:
            yield opened_by
        while True:
            for line in chain(self._taken(), self._lines):
                sign = line.text[:2].lower()
                match = _OPENER.match(line.text) if sign in _SIGNS or sign[:1] in _MARKS else None
                if match and match.lastgroup is not None and match.lastgroup not in compatible:
                    other = _BY_NAME[match.lastgroup]
                    if self._goes_on(line, other, form):
                        self._next = (other, line)
                        return
                    yield line
                    break
                yield line
            else:
                return

    def _taken(self) -> Iterator[Line]:
        """Yield the lines that were read ahead."""
        while self._ahead:
            yield self._ahead.popleft()

    def _goes_on(self, line: Line, other: RecordFormat, form: RecordFormat) -> bool:
        """Return whether the lines from this one on have no fewer tags of another format than of the present one."""
        while len(self._ahead) < _AHEAD and (following := next(self._lines, None)) is not None:
            self._ahead.append(following)
        text = "\n".join([line.text, *(ahead.text for ahead in list(self._ahead)[:_AHEAD])])
        return other.accounted(text) >= form.accounted(text)
