"""CSL-JSON, the exchange format of citation processors: an array of items, or an object with such an array (``items``).

The array is parted at its items, so that a file is never held as a whole, and each item is parsed by the standard
library. Behind a damaged item reading goes on at the next text that opens one. In real files: all items on one line,
keywords as one text, years as texts or numbers, markup in titles, abstracts of publishers in JATS.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ontology.corpus.index_terms import keyword_line
from ontology.corpus.records import Line, Parsed, clean_text, document_of, place, problem, split_list
from ontology.errors import Message
from ontology.model import Document, Problem

NAME = "csl_json"
READ = "title, abstract, keywords, authors, source, year, doi, id"
_LARGEST = 1 << 25
"""Maximum characters of an item; a longer one is a problem and not kept in memory."""
_START = re.compile(r"\s*(?:\[\s*\{|\{\s*\"items\"\s*:\s*\[\s*\{)")
_TYPE = re.compile(
    r'"type"\s*:\s*"(?:article(?:-\w+)?|book|chapter|dataset|document|entry(?:-\w+)?|manuscript|paper-conference'
    r'|patent|report|review(?:-\w+)?|software|standard|speech|thesis|webpage|post(?:-weblog)?|legislation|legal_case)"'
)
_KEYS = re.compile(r'"(?:title|issued|container-title|author|DOI|abstract)"\s*:')
_MARK = re.compile(r'["{}\[\]]|\\.?', re.DOTALL)
_OPENS = re.compile(r'(?<=[,\[])\s*(?=\{\s*"(?:id|type|title|abstract|author|DOI)"\s*:)')


def matches(head: str) -> bool:
    """Return True if the text starts as a list of items does, and the first ones have a type and keys of CSL."""
    return _START.match(head) is not None and _TYPE.search(head) is not None and _KEYS.search(head) is not None


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each item.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages and ids.
    """
    number = 0
    for line, text in _items(lines):
        if isinstance(text, Message):
            yield Problem(file, line, text)
            continue
        number += 1
        found = _parsed(text, file, line, number)
        yield found
        if isinstance(found, Problem) and (inner := _OPENS.search(text, 1)):  # an item may have swallowed others
            below = line + text.count("\n", 0, inner.end())
            yield from parse(
                [Line(below + n, part) for n, part in enumerate(f"[{text[inner.end() :]}".split("\n"))], file
            )


def _parsed(text: str, file: str, line: int, number: int) -> Document | Problem:
    try:
        item = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        return problem(file, line, "corpus.json_item", error=str(error))
    title = clean_text(_text(item, "title"))
    if not title:
        return problem(file, line, "corpus.untitled", place=place("key title"))
    return _document(item, title, f"{file}-{number}")


def _items(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each item, or of damage its line and what it is, as a message."""
    splitter = _Splitter()
    for line in lines:
        yield from splitter.feed(line.text + ("\n" if line.ends else ""), line.number)
    yield from splitter.end()


class _Splitter:
    """Parts an array at its items: the parts of the item so far, and what is open in it."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = self._first = self._depth = 0
        self._begun = self._quoted = self._escaped = False

    def feed(self, text: str, number: int) -> Iterator[tuple[int, str]]:
        """Read on.

        Args:
            text: a line or a piece of one.
            number: of the line.
        """
        yield from self._scan(text, number)
        if self._size > _LARGEST:
            yield from self._damaged(Message("corpus.item_long", characters=_LARGEST))

    def end(self) -> Iterator[tuple[int, str]]:
        """End the file: an open item is damaged, and items within it are read."""
        while self._depth:
            yield from self._damaged(Message("corpus.item_cut"))

    def _scan(self, text: str, number: int) -> Iterator[tuple[int, str]]:
        """Read a text whose last line has this number."""
        start, at = 0, int(self._escaped)
        self._escaped = False
        while (mark := _MARK.search(text, at)) is not None:
            sign, at = mark.group(), mark.end()
            if sign == "\\":
                self._escaped = True
            elif not self._depth:
                self._begun = self._begun or sign == "["
                if sign == "{" and self._begun:
                    start, self._depth = mark.start(), 1
                    self._first = number - text.count("\n", start, len(text) - 1)
            elif sign == '"':
                self._quoted = not self._quoted
            elif not self._quoted:
                self._depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign, 0)
                if not self._depth:
                    yield self._first, "".join((*self._parts, text[start:at]))
                    self._parts, self._size = [], 0
        if self._depth:
            self._parts.append(text[start:])
            self._size += len(text) - start

    def _damaged(self, reason: Message) -> Iterator[tuple[int, str]]:
        """Report the item and go on at the next one that opens in its text."""
        yield self._first, reason
        text = "".join(self._parts)
        last = self._first + text.count("\n", 0, len(text) - 1)
        following = _OPENS.search(text, 1)
        self._parts, self._size, self._depth, self._quoted = [], 0, 0, False
        if following:
            yield from self._scan(text[following.end() :], last)


def _text(item: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        value = item.get(key)
        if isinstance(value, list):
            value = next((entry for entry in value if isinstance(entry, str)), "")
        if isinstance(value, str | int | float) and str(value).strip():
            return str(value).strip()
    return ""


def _document(item: Mapping[str, Any], title: str, fallback_id: str) -> Document:
    keywords = item.get("keyword")
    listed = [str(entry) for entry in keywords] if isinstance(keywords, list) else split_list(_text(item, "keyword"))
    return document_of(
        _text(item, "id") or fallback_id,
        title,
        abstract=clean_text(_text(item, "abstract")),
        keywords=[keyword_line(listed)],
        authors=tuple(dict.fromkeys(name for name in map(_name, _listed(item.get("author"))) if name)),
        source=clean_text(_text(item, "container-title", "publisher")),
        years=(_year(item.get("issued")), _year(item.get("published")), _text(item, "year")),
        dois=(_text(item, "DOI"), _text(item, "URL")),
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) and value.strip() else []


def _name(author: Any) -> str:
    """Return a name as *family, given, suffix*, with the particles where CSL has them (*La Fontaine, J de*)."""
    if isinstance(author, str):
        return author.strip()
    if not isinstance(author, Mapping):
        return ""
    family = " ".join(filter(None, (_text(author, "non-dropping-particle"), _text(author, "family"))))
    given = " ".join(filter(None, (_text(author, "given"), _text(author, "dropping-particle"))))
    return ", ".join(filter(None, (family, given, _text(author, "suffix")))) or _text(author, "literal", "name")


def _year(date: Any) -> str:
    """Return a date's year part, or the text of a date that was not taken apart."""
    if not isinstance(date, Mapping):
        return str(date) if isinstance(date, str | int) else ""
    parts = _listed(date.get("date-parts"))
    first = _listed(parts[0]) if parts else []
    return str(first[0]) if first else _text(date, "raw", "literal", "season")
