"""BibTeX, by the package bibtexparser: one entry at a time, so that a damaged entry does not affect the others.

Values are decoded from LaTeX only if they have a command or a group. Peculiarities of files of Chinese databases: bare
percent signs, which are comments in LaTeX and would swallow the rest of an abstract; Chinese citation keys;
``keywords`` twice; several authors within one name, separated by semicolons.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ontology.corpus.records import Line, Parsed, document_of, one_line, problem, split_list
from ontology.extras import require
from ontology.model import Document

NAME = "bibtex"
_ENTRY = re.compile(r"^\s*@\s*([A-Za-z]+)\s*[{(]")
_FIELD = re.compile(r"^\s*(?:author|title|year|journal|abstract|keywords)\s*=", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(r"(?<!\\)([%&#_~^$])")
_LATEX = re.compile(r"\\[a-zA-Z\"'`^~=.&%$#_{}]|\{")


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
    reader = _Reader()
    number = 0
    for first, kind, text in _entries(lines):
        if kind in {"comment", "preamble"}:
            continue
        if kind == "string":
            reader.strings.append(text)
            continue
        if not kind:
            yield problem(file, first, "text before the first entry (@article{...})")
            continue
        number += 1
        fields, reason = reader.fields(text)
        title = one_line(fields.get("title", ""))
        if title:
            yield _document(fields, title, f"{file}-{number}")
        else:
            yield problem(file, first, reason or "record without a title (field title)")


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


class _Reader:
    """A bibtexparser for one entry, with the @string definitions before it."""

    def __init__(self) -> None:
        self._parser = require("bibtexparser", "readers", "reading BibTeX")
        middlewares = require("bibtexparser.middlewares", "readers", "reading BibTeX")
        self._latex = middlewares.LatexDecodingMiddleware(keep_braced_groups=False, keep_math_mode=True)
        # damaged blocks come back as problems with file and line; the library would print them on stderr besides
        logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
        self.strings: list[str] = []

    def fields(self, text: str) -> tuple[dict[str, str], str]:
        """Return the entry's fields by lower-case name, or none of them and the reason."""
        parsed = self._parser.parse_string("\n".join([*self.strings, text]))
        entries = list(parsed.entries)
        if not entries and parsed.failed_blocks:
            failed = parsed.failed_blocks[0]
            if failed.ignore_error_block is None:
                return {}, f"not a BibTeX entry: {one_line(str(failed.error))}"
            entries = [failed.ignore_error_block]
        values: dict[str, str] = {}
        for entry in entries[:1]:
            for field in entry.fields:
                values.setdefault(field.key.lower(), self._plain(str(field.value)))
        return values, "" if entries else "not a BibTeX entry"

    def _plain(self, value: str) -> str:
        text = value.strip()
        if len(text) > 1 and text[0] + text[-1] in {"{}", '""'} and text.count("{") == text.count("}"):
            text = text[1:-1]
        if not _LATEX.search(text):
            return text
        from_latex = self._latex.transform_entry(_entry_of(self._parser, _BARE.sub(r"\\\1", text)), None)
        return str(from_latex.fields[0].value)


def _entry_of(parser: Any, value: str) -> Any:
    model = parser.model
    return model.Entry(entry_type="misc", key="x", fields=[model.Field(key="title", value=value)])


def _document(fields: Mapping[str, str], title: str, fallback_id: str) -> Document:
    source = next(
        filter(None, (fields.get(k) for k in ("journal", "journaltitle", "booktitle", "school", "publisher"))), ""
    )
    return document_of(
        fallback_id,
        title,
        abstract=fields.get("abstract", ""),
        keywords=[fields.get("keywords") or fields.get("keyword", "")],
        authors=_authors(fields.get("author", "")),
        source=source,
        years=(fields.get("year", ""), fields.get("date", "")),
        dois=(fields.get("doi", "") or fields.get("url", ""),),
    )


def _authors(text: str) -> tuple[str, ...]:
    """Return the names separated by ``and``; one name with semicolons is a list."""
    names = re.split(r"\s+and\s+", text)
    return tuple(dict.fromkeys(e for name in names for e in split_list(f"{name};")))
