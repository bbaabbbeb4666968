"""BibTeX: entries by the package bibtexparser, one block at a time, so that a damaged entry does not affect the others.

Values are joined (``"A " # name``) and decoded from LaTeX here, by pylatexenc, which bibtexparser needs too: its own
middlewares take ``A # B`` for text and lose the blank of ``~`` ([decision 30](../../docs/decisions)). Peculiarities of
files of Chinese databases: bare percent signs, which are comments in LaTeX and would swallow the rest of an abstract;
Chinese citation keys; ``keywords`` twice; several authors within one name, separated by semicolons.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ontology.corpus import tagged
from ontology.corpus.records import (
    Line,
    Parsed,
    clean_text,
    document_of,
    in_two_languages,
    one_line,
    place,
    problem,
    split_list,
)
from ontology.errors import Message
from ontology.extras import require
from ontology.model import Document, Problem

_READ = tagged.tags(
    title="title", abstract="abstract", keywords="keywords keyword", authors="author",
    source="journal journaltitle booktitle school publisher", year="year date", doi="doi url",
)  # fmt: skip
LAYOUT = tagged.Layout(
    "bibtex", _READ, tagged.names(
    "@ volume number pages issn isbn month note editor series edition address annote file type organization "
    "institution howpublished chapter crossref language urldate eprint eprinttype shortjournal"
),
    "field title", "@",
)  # fmt: skip
NAME = LAYOUT.name
_ONE = {"title", "year", "doi", "journal", "date", "booktitle"}
_NO_VOLUMES = frozenset(
    ("article", "inproceedings", "conference", "incollection", "misc", "phdthesis", "mastersthesis", "techreport")
)
"""The types of which large files have most entries; the titles of all others are kept for entries that come later."""
_INHERITED = ("title", "booktitle", "journal", "year", "date")
_ENTRY = re.compile(r"^\s*@\s*([A-Za-z]+)\s*[{(]")
_LINE = re.compile(r"^\s*([A-Za-z][A-Za-z0-9_-]*)\s*=\s*(.*)$")
_FIELD = re.compile(r"^\s*(?:author|title|year|journal|abstract|keywords)\s*=", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(r"(?<!\\)([%&#_$])")
_LATEX = re.compile(r"[\\{~$]|``|''")
_MATH = re.compile(
    r"(?<!\\)(\$\$?)(?=\S)((?:[^${}]|\{(?:[^${}]|\{[^${}]*\})*\}){1,400}?)(?<![\s\\])\1(?!\d)"
    r"|\\\((.{1,400}?)\\\)|\\\[(.{1,400}?)\\\]",
    re.DOTALL,
)
_FORMULA = re.compile(r"[\\^_{}=<>]|^\S+$")
_PLACE = 0xF0000
"""First private character, which stands for a formula while the text around it is decoded."""
_SWALLOWED = re.compile(
    r"[,}\"\n]\s*(title|author|year|journal|abstract|keywords?|doi|url|volume|number|pages|publisher|booktitle|issn)\s*=\s*"
    r"(?:[{\"]|\d+\s*[,}\n])",
    re.IGNORECASE,
)
_MONTHS = {name[:3].lower(): name for name in (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December")}  # fmt: skip


def matches(head: str) -> bool:
    """Return True if a line opens an entry and a usual field is present, on the same line or another."""
    entries = [line for line in head.splitlines() if _ENTRY.match(line)]
    return bool(entries) and (_FIELD.search(head) is not None or any("=" in entry for entry in entries))


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each entry; @string, @comment and @preamble are no entries.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    reader, volumes = _Reader(), _Volumes()
    number = 0
    for first, kind, text in _entries(lines):
        if kind in {"comment", "preamble"}:
            continue
        if not kind:
            if any(line.strip() and not line.startswith("%") for line in text.splitlines()):
                yield problem(file, first, "corpus.bibtex_before")
            continue
        for line, found in reader.read(text, first):
            if isinstance(found, str):
                yield Problem(file, line, found)
                continue
            number += 1
            for entry in volumes.joined(_Entry(line, number, found)):
                yield _parsed(entry.fields, file, entry.line, entry.number)
        for reason in reader.notes():
            yield Problem(file, first, reason)
    for volume, entry in volumes.missing():
        yield problem(file, entry.line, "corpus.bibtex_crossref", volume=volume)
        yield _parsed(entry.fields, file, entry.line, entry.number)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``name = value`` as (name, value), and one that opens an entry as (``@``, its type)."""
    match = _ENTRY.match(text)
    if match:
        return "@", match.group(1)
    match = _LINE.match(text)
    return (match.group(1).lower(), match.group(2)) if match else None


def _entries(lines: Iterable[Line]) -> Iterator[tuple[int, str, str]]:
    """Yield (first line, lower-case type, text) of each block; the type of text before the first block is empty."""
    first, kind, block = 0, "", list[str]()
    for line in lines:
        match = _ENTRY.match(line.text)
        if match:
            if any(map(str.strip, block)):
                yield first, kind, "\n".join(block)
            first, kind, block = line.number, match.group(1).lower(), []
        elif not block and not line.text.strip():
            continue
        first = first or line.number
        block.append(line.text)
    if any(map(str.strip, block)):
        yield first, kind, "\n".join(block)


Fields = Mapping[str, Sequence[str]]
"""Values of an entry by lower-case name, as often as the entry has the field."""


class _Entry(NamedTuple):
    line: int
    number: int
    fields: Fields


class _Volumes:
    """Volumes to which entries refer by ``crossref``; an entry waits for its volume, which BibTeX wants behind it."""

    def __init__(self) -> None:
        self._volumes: dict[str, Fields] = {}
        self._waiting: dict[str, list[_Entry]] = {}

    def joined(self, entry: _Entry) -> Iterator[_Entry]:
        """Yield an entry unless its volume is still to come, and the entries that waited for it."""
        kind, key = entry.fields["@"]
        if kind not in _NO_VOLUMES:
            self._volumes[key] = {name: entry.fields[name] for name in _INHERITED if name in entry.fields}
        volume = _volume_of(entry)
        if volume and volume not in self._volumes:
            self._waiting.setdefault(volume, []).append(entry)
        else:
            yield _inherited(entry, self._volumes.get(volume, {}))
        for child in self._waiting.pop(key, ()):
            yield _inherited(child, entry.fields)

    def missing(self) -> Iterator[tuple[str, _Entry]]:
        """Yield the entries whose volume the file does not have, each behind the key of the volume."""
        return ((volume, entry) for volume, waiting in self._waiting.items() for entry in waiting)


def _volume_of(entry: _Entry) -> str:
    return next(iter(entry.fields.get("crossref", ())), "").strip().lower()


def _inherited(entry: _Entry, volume: Fields) -> _Entry:
    """Return an entry with the year of its volume, and with the volume's title as its source, where it has none."""
    fields = dict(entry.fields)
    if not any(map(fields.get, _READ["year"])):
        fields |= {name: volume[name] for name in _READ["year"] if name in volume}
    if not any(map(fields.get, _READ["source"])):
        fields["booktitle"] = volume.get("booktitle") or volume.get("title") or volume.get("journal", ())
    return entry._replace(fields=fields)


class _Reader:
    """A bibtexparser for one block of lines, and the @string definitions before it."""

    def __init__(self) -> None:
        purpose = Message("corpus.reading", format="BibTeX")
        self._parser = require("bibtexparser", "readers", purpose)
        latex = require("pylatexenc.latex2text", "readers", purpose)
        self._text = latex.LatexNodes2Text(math_mode="text")
        self._math = latex.LatexNodes2Text(math_mode="text", keep_braced_groups=True, keep_braced_groups_minlen=2)
        # damaged blocks come back as problems with file and line; the libraries would print them on stderr besides
        for name in ("bibtexparser", "pylatexenc"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._strings: dict[str, str] = dict(_MONTHS)
        self._notes: list[Message] = []

    def notes(self) -> list[Message]:
        """Return what was found wrong within values since the last call."""
        notes, self._notes = list(dict.fromkeys(self._notes)), []
        return notes

    def read(self, text: str, first: int) -> Iterator[tuple[int, Fields | Message]]:
        """Yield line and fields of each entry of a block, or line and reason of what is none.

        Args:
            text: an entry, and what stands between it and the next line that opens one.
            first: number of the first line.
        """
        library = self._parser.parse_string(text, parse_stack=[])
        for string in library.strings:
            self._strings[string.key.lower()] = self._joined(string.value) or ""
        nothing = True
        for block in library.blocks:
            line = first + (block.start_line or 0)
            entry = getattr(block, "ignore_error_block", None) or block
            if hasattr(entry, "fields"):
                yield line, self._fields(entry, first)
            elif type(block).__name__ == "ParsingFailedBlock":
                yield (
                    line,
                    Message(
                        "corpus.bibtex_entry", error=one_line(getattr(block.error, "abort_reason", str(block.error)))
                    ),
                )
            elif type(block).__name__ == "ImplicitComment" and not block.comment.startswith("%"):
                yield line, Message("corpus.bibtex_between", text=clean_text(block.comment)[:40])
            nothing = False
        if nothing:
            yield first, Message("corpus.bibtex_no_entry")

    def _fields(self, entry: Any, first: int) -> Fields | Message:
        values: dict[str, list[str]] = {"@": [entry.entry_type.lower(), entry.key.strip().lower()]}
        for field in entry.fields:
            line, raw = first + (field.start_line or 0), str(field.value)
            value = self._joined(raw)
            swallowed = _SWALLOWED.search(raw)
            if value is None or swallowed:
                found = f"{swallowed.group(1)} =" if swallowed else clean_text(raw)[-40:]
                return Message("corpus.bibtex_swallowed", field=field.key, line=line, found=found)
            texts = map(self.plain, _names(value) if field.key.lower() == "author" else [value])
            known = values.setdefault(field.key.lower(), [])
            known.extend(text for text in texts if text not in known)
            if field.key.lower() in _ONE and len(known) > 1:
                again = Message("corpus.bibtex_field_again", field=field.key, line=line, value=known[-1][:40])
                self._notes.append(again)
        return values

    def _joined(self, raw: str) -> str | None:
        """Return a value without its braces or quotation marks, its parts joined at ``#``; None for anything else."""
        parts, at = [], 0
        while True:
            part, at = _part(raw, at)
            if part is None:
                return None
            parts.append(part if part[:1] in '{"' else self._named(part))
            rest = raw[at:].lstrip()
            if not rest:
                break
            if not rest.startswith("#"):
                return None
            at = len(raw) - len(rest) + 1
        return "".join(part[1:-1] if part[:1] in ("{", '"') else part for part in parts)

    def _named(self, word: str) -> str:
        """Return the text of a @string, or the word where it is a number or none."""
        if word.lower() in self._strings:
            return "{" + self._strings[word.lower()] + "}"
        if not word.isdecimal() and re.fullmatch(r"[A-Za-z]\w*", word):
            self._notes.append(Message("corpus.bibtex_string", word=word[:40]))
        return word

    def plain(self, value: str) -> str:
        """Return a value decoded from LaTeX: ``~`` is a blank, formulas lose their dollar signs."""
        if not _LATEX.search(value):
            return value
        formulas: dict[int, str] = {}

        def kept(match: re.Match[str]) -> str:
            formula = match.group(2) or match.group(3) or match.group(4)
            if match.group(1) and not _FORMULA.search(formula):
                return match.group()
            place = _PLACE + len(formulas)
            formulas[place] = self._decoded(formula, math=True)
            return chr(place)

        return self._decoded(_MATH.sub(kept, value)).translate(formulas)

    def _decoded(self, text: str, *, math: bool = False) -> str:
        if not _LATEX.search(text):
            return text
        decoder, source = (self._math, f"${text}$") if math else (self._text, _BARE.sub(r"\\\1", text))
        try:
            return str(decoder.latex_to_text(source))
        except RecursionError as error:
            self._notes.append(Message("corpus.bibtex_latex", error=type(error).__name__))
            return text


def _part(raw: str, at: int) -> tuple[str | None, int]:
    """Return the part of a value at a position (``{..}``, ``".."`` or a word; None for none), and where it ends."""
    while at < len(raw) and raw[at].isspace():
        at += 1
    if raw[at : at + 1] not in ("{", '"'):
        match = re.compile(r"[^\s#{}\",]+").match(raw, at)
        return (match.group(), match.end()) if match else ("" if not raw.strip() else None, at)
    depth, quoted = 0, raw[at] == '"'
    for position in range(at, len(raw)):
        sign = raw[position]
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and ((sign == '"' and quoted and position > at) or (sign == "}" and not quoted)):
            return raw[at : position + 1], position + 1
    return None, at


def _parsed(fields: Fields, file: str, line: int, number: int) -> Document | Problem:
    titles = [text for value in fields.get("title", ()) if (text := clean_text(value))]
    title, title_en = in_two_languages(titles)
    if titles and not title_en:
        title = titles[0]
    if not title:
        return problem(file, line, "corpus.untitled", place=place(LAYOUT.title))
    abstract, abstract_en = in_two_languages(fields.get("abstract", ()))
    first = {name: next(filter(None, values), "") for name, values in fields.items()}
    return document_of(
        f"{file}-{number}",
        title,
        abstract=abstract,
        keywords=_keywords([value for name in _READ["keywords"] for value in fields.get(name, ())]),
        title_en=title_en,
        abstract_en=abstract_en,
        authors=tuple(e for name in fields.get("author", ()) for e in split_list(f"{name};")),
        source=next(filter(None, map(first.get, _READ["source"])), None) or "",
        years=[first.get(name, "") for name in _READ["year"]],
        dois=[first.get(name, "") for name in _READ["doi"]],
    )


def _keywords(values: Sequence[str]) -> list[str]:
    """Return the lines of keywords; of a field that is there for each keyword, they are one list."""
    single = len(values) > 1 and not any(re.search("[;；,，]", value) for value in values)
    return ["".join(f"{value};" for value in values)] if single else list(values)


def _names(value: str) -> list[str]:
    """Return the names that ``and`` parts, outside braces; ``others`` at their end is none."""
    names, depth, start = [], 0, 0
    for match in re.finditer(r"[{}]|\sand(?=\s)", value):
        sign = match.group()
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and len(sign) > 1:
            names.append(value[start : match.start()])
            start = match.end()
    return [name for part in (*names, value[start:]) if (name := part.strip()) != "others"]
