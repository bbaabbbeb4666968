"""One file of records: detects its encoding and format from the content and yields documents and problems lazily."""

from __future__ import annotations

import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ontology.corpus import delimited, formats, workbook
from ontology.corpus.encoding import MIXED, Lines, detect, misread, open_bytes, open_text
from ontology.corpus.records import CorpusError, Line, Parsed, problem
from ontology.corpus.xml_records import root_of
from ontology.errors import Message, recognised
from ontology.extras import MissingExtra
from ontology.model import Document, Problem

_HEAD = 1 << 16
_LONGEST = 1 << 25
"""Maximum characters of a line; a longer one is a problem and not kept in memory."""
_PIECE = 1 << 16
"""Maximum characters of a piece of a line, for formats that are read in pieces."""
_BINARY = "binary"
_PROGRAMS = (
    ".bat", ".c", ".cpp", ".cs", ".css", ".go", ".h", ".ipynb", ".java", ".js", ".mjs", ".ps1", ".py", ".pyc", ".r",
    ".rb", ".rs", ".sh", ".sql", ".ts",
)  # fmt: skip
"""Endings of files with code, which lie beside exports. Decorators and lists in code look like entries and tables."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """Counts of one file: ``format`` and ``encoding`` are empty if it could not be read.

    A file with several formats has all their names, joined by ``+``.
    """

    file: str
    format: str
    encoding: str
    records: int
    problems: int
    layout: str = ""
    """How a table is read: its separator, the columns that are read, and those that are left out."""


class RecordFile:
    """A file to iterate over: each record as a document or a problem, in file order, in bounded memory.

    ``format``, ``encoding`` and the counts are those of the iteration so far. Damage to the file as a whole is a
    problem in line 0.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.encoding = ""
        self.records = 0
        self.problems = 0
        self._layouts: list[str] = []
        self._format = ""
        self._segments: formats.Segments | None = None
        self._noted: list[Problem] = []
        self._misread: dict[str, tuple[int, str]] = {}
        """Encoding that texts of records were in before they were misread -> number of records, a word of the first."""

    @property
    def format(self) -> str:
        """Names of its formats, joined by ``+``; empty if there is none."""
        return "+".join(self._segments.names) if self._segments else self._format

    @property
    def layout(self) -> str:
        """How its tables are read; a message, or empty."""
        return Message("hints.several", parts=tuple(self._layouts)) if self._layouts else ""

    def report(self) -> FileReport:
        """Return the counts of the iteration so far."""
        return FileReport(str(self.path), self.format, self.encoding, self.records, self.problems, self.layout)

    def __iter__(self) -> Parsed:
        for parsed in self._guarded():
            while self._noted:
                yield self._counted(self._noted.pop(0))
            yield self._counted(parsed)
        for encoding, (count, word) in self._misread.items():
            counts = {"count": count, "records": self.records}
            self._note(0, "corpus.misread", encoding=encoding, word=word, **counts)
        while self._noted:
            yield self._counted(self._noted.pop(0))
        if not self.records and not self.problems:
            values = {"path": self.path, "format": self.format}
            yield self._counted(problem(str(self.path), 0, "corpus.no_record", **values))

    def _counted(self, parsed: Document | Problem) -> Document | Problem:
        if isinstance(parsed, Document):
            self.records += 1
            for text in (parsed.title, parsed.abstract, parsed.title_en, parsed.abstract_en):
                if found := misread(text):
                    encoding, word = found
                    count, first = self._misread.get(encoding, (0, word))
                    self._misread[encoding] = count + 1, first
                    break
            return parsed
        self.problems += 1
        return replace(parsed, file=str(self.path))

    def _guarded(self) -> Parsed:
        try:
            yield from self._parsed()
        except CorpusError as error:
            yield Problem(str(self.path), 0, error.message)
        except MissingExtra as error:
            yield problem(str(self.path), 0, "corpus.not_read", path=self.path, error=error.message)
        except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error) as error:
            yield problem(str(self.path), 0, "corpus.unpacked_not", path=self.path, error=str(error))
        except OSError as error:
            yield problem(str(self.path), 0, "corpus.unread", path=self.path, error=str(error))

    def _parsed(self) -> Parsed:
        stem = self.path.stem
        if self.path.suffix.lower() in _PROGRAMS:
            raise CorpusError("corpus.program", path=self.path)
        with open_bytes(self.path) as stream:
            binary = workbook.kind(stream.read(8))
        if binary:
            self._format, self.encoding = binary, _BINARY
            yield from workbook.parse(self.path, binary, stem, self._say)
            return
        self.encoding = detect(self.path)
        with open_text(self.path, self.encoding) as text:
            head = _head(text)
            form = self._format_of(head)
            self._say(form.describe(head))
        if self.encoding == MIXED:
            self._note(0, "corpus.lines_mixed", path=self.path)
        with open_text(self.path, self.encoding) as text:
            pieces = form.pieces and self.encoding != MIXED
            self._segments = formats.Segments(self._pieces(text) if pieces else self._lines(text), form, stem)
            yield from self._segments

    def _format_of(self, head: str) -> formats.RecordFormat:
        if not head.strip("\ufeff \t\r\n"):
            raise CorpusError("corpus.empty_export_records_again", path=self.path)
        record_format = formats.format_of(head)
        if record_format is None:
            known = ", ".join(formats.NAMES)
            seems = _looks_like(head)
            lacks = "" if seems else delimited.untitled(head)
            if lacks:
                raise CorpusError("corpus.name_column_titles_export", path=self.path, lacks=lacks)
            looks = Message("corpus.looks_like", seems=seems) if seems else ""
            raise CorpusError("corpus.none_known_formats_export", path=self.path, known=known, looks=looks)
        return record_format

    def _say(self, layout: str) -> None:
        self._layouts += [layout] if layout else []

    def _note(self, line: int, code: str, **values: Any) -> None:
        self._noted.append(problem(str(self.path), line, code, **values))

    def _lines(self, stream: Lines) -> Iterator[Line]:
        number = 0
        while text := stream.readline(_LONGEST):
            number += 1
            if len(text) >= _LONGEST and not text.endswith("\n"):
                self._note(number, "corpus.line_long", characters=_LONGEST)
                _skip_line(stream)
                continue
            if "\ufffd" in text:
                self._note_undecoded(number, text)
            text = text.rstrip("\r\n")
            yield Line(number, text[1:] if text[:1] == "\ufeff" else text)

    def _pieces(self, stream: Lines) -> Iterator[Line]:
        number = 1
        while text := stream.readline(_PIECE):
            ends = text.endswith("\n")
            self._note_undecoded(number, text)
            yield Line(number, text.removesuffix("\n").removeprefix("\ufeff"), ends)
            number += ends

    def _note_undecoded(self, number: int, text: str) -> None:
        if "\ufffd" in text:
            self._note(number, "corpus.undecoded")


def _head(stream: Lines) -> str:
    """Return the first lines, 65,536 characters at most."""
    taken: list[str] = []
    room = _HEAD
    while room > 0 and (text := stream.readline(room)):
        taken.append(text)
        room -= len(text)
    return "".join(taken).replace("\ufeff", "")


def _skip_line(stream: Lines) -> None:
    while (text := stream.readline(_LONGEST)) and not text.endswith("\n"):
        pass


# ---- names of formats that are not read, for the message that refuses a file: what it looks like, by its beginning


_ROOTS = {
    "modsCollection": "MODS XML", "mods": "MODS XML", "collection": "MARC XML", "marc:collection": "MARC XML",
    "record": "MARC or other XML records", "doi_records": "Crossref XML", "crossref_result": "Crossref XML",
    "MedlineCitationSet": "an old MEDLINE XML", "CitaviExchangeData": "Citavi XML", "TEI": "TEI XML",
    "article": "JATS or DocBook XML of one article", "pmc-articleset": "PubMed Central XML of full texts",
    "eSearchResult": "a list of PubMed's numbers", "feed": "an Atom feed", "rss": "an RSS feed",
    "b:Sources": "Word bibliography XML", "OAI-PMH": "OAI-PMH XML",
    "rdf:RDF": "RDF that Zotero did not write",
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


def _looks_like(head: str) -> str:
    """Return what a text that no reader takes looks like, as a message unless it is a name; "" where not known.

    >>> _looks_like('<?xml version="1.0"?><modsCollection>'), _looks_like("<x/>"), _looks_like("Dear reader")
    ('MODS XML', 'XML with the first element x', '')
    """
    root = root_of(head)
    kind = _ROOTS.get(root, f"XML with the first element {root}") if root else ""
    return recognised(kind or next((name for pattern, name in _PATTERNS if pattern.match(head)), ""), "corpus.kind_")
