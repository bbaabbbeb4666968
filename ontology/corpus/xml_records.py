"""Records of large XML files: one element at a time, damage to a record kept from the others, nothing expanded.

Expat is fed line by line. Behind an error, within a record or not, reading goes on at the next tag that opens a record.
A document type may name its definition, which is never fetched; one that declares entities is refused at the first of
them, before anything is expanded. Names keep their prefixes (``dc:title``), as the exports always write the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ontology.corpus.records import CorpusError, Line, Parsed, one_line, place, problem, unescaped
from ontology.errors import Message
from ontology.model import Document, Problem

_PROLOG = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>\s*)*", re.DOTALL)
_NAME = re.compile(r"<([A-Za-z_][\w:.-]*)")
_DEEPEST = 200
_LARGEST = 1 << 25
"""Maximum characters of a record; a longer one is a problem and not kept in memory."""
_TAIL = 64
_PREFIXES = {name: name for name in ("bib", "dc", "dcterms", "foaf", "prism", "rdf", "z")}
"""Names with a prefix are kept as ``{prefix}name``, so that paths can have them."""


class Found(NamedTuple):
    """A record: the number of its first line, and its element."""

    line: int
    element: Element


def root_of(head: str) -> str:
    """Return the name of the first element of an XML text, "" for another text.

    >>> root_of("<?xml version='1.0'?><!-- x --><!DOCTYPE a SYSTEM 'a.dtd'><a b='c'>"), root_of("a <b>")
    ('a', '')
    """
    prolog = _PROLOG.match(head)
    name = _NAME.match(head, prolog.end() if prolog else 0)
    return name.group(1) if name else ""


def text_of(element: Element | None, path: str = "") -> str:
    """Return the text of an element, or of the first below it that has one, on one line; "" if there is none.

    Args:
        element: an element, or None.
        path: where to look below it, by the rules of ElementTree; "" for the element.
    """
    if element is None:
        return ""
    found = below(element, path) if path else (element,)
    return next((text for e in found if (text := one_line("".join(e.itertext())))), "")


def texts_of(element: Element, path: str) -> list[str]:
    """Return the texts of all elements at a path, without empty ones.

    Args:
        element: where to look.
        path: by the rules of ElementTree.
    """
    return [text for e in below(element, path) if (text := text_of(e))]


def below(element: Element, path: str) -> Iterator[Element]:
    """Yield the elements at a path.

    Args:
        element: where to look.
        path: by the rules of ElementTree, with the prefixes of the file.
    """
    return element.iterfind(path, _PREFIXES)


class _DamagedError(Exception):
    """What the parser of one stretch found wrong that expat takes; a message."""


@dataclass(slots=True)
class _Open:
    """An element around the records, as it is written again where reading goes on behind damage."""

    name: str
    attributes: Mapping[str, str]


def records(
    lines: Iterable[Line], file: str, opens: re.Pattern[str], resume: re.Pattern[str] | None = None
) -> Iterator[Found | Problem]:
    """Yield each record, or a problem with its line for one that is damaged.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages.
        opens: matches the name of an element that is a record.
        resume: matches where reading may go on behind damage; by default at any record, and none is within another.

    Raises:
        CorpusError: the document type declares an entity.
    """
    stretch = _Stretch(file, opens, resume is not None, [])
    start = resume or re.compile(rf"<(?={opens.pattern}[\s/>])")
    lost = False
    tail = ""
    last = 0
    for line in lines:
        last = line.number
        text: str | None = line.text + ("\n" if line.ends else "")
        while text:
            if lost:
                text, tail = tail + text, ""
                found = start.search(text)
                if found is None:
                    tail = text[-_TAIL:]
                    break
                text, lost = text[found.start() :], False
                stretch = _Stretch(file, opens, resume is not None, stretch.around or [_Open("around", {})])
            text = stretch.feed(text, line.number)
            lost = text is not None
            yield from stretch.taken()
    if not lost:
        stretch.end(last)
        yield from stretch.taken()


def documents(
    lines: Iterable[Line],
    file: str,
    opens: re.Pattern[str],
    read: Callable[[Element, str], Document | None],
    title: str,
) -> Parsed:
    """Yield a document or a problem for each record.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages and ids.
        opens: matches the name of an element that is a record.
        read: returns the document of a record, with the id for one that has none; None for a record without a title.
        title: where titles stand, for messages.

    Raises:
        CorpusError: the document type declares an entity.
    """
    for number, found in enumerate(records(lines, file, opens), start=1):
        if isinstance(found, Problem):
            yield found
        else:
            document = read(found.element, f"{file}-{number}")
            yield document or problem(file, found.line, "corpus.untitled", place=place(f"element {title}"))


class _Stretch:
    """Expat on the text from the start, or from the record behind damage, up to the next damage."""

    def __init__(self, file: str, opens: re.Pattern[str], nests: bool, around: list[_Open]) -> None:
        self._file, self._opens, self._nests = file, opens, nests
        self._found: list[Found | Problem] = []
        self._builder: TreeBuilder | None = None
        self._depth = self._size = self._first = self._line = self._fed = self._at = 0
        self.around: list[_Open] = []
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        self._parser = parser
        for element in around:
            written = "".join(f' {name}="{_quoted(value)}"' for name, value in element.attributes.items())
            self._parse(f"<{element.name}{written}>".encode())

    def taken(self) -> list[Found | Problem]:
        """Return what was found since the last call."""
        found, self._found = self._found, []
        return found

    def feed(self, text: str, number: int) -> str | None:
        """Read on; return None, or else the text behind the place of damage.

        Args:
            text: a line or a piece of one.
            number: of the line.
        """
        self._line = number
        before = self._fed
        data = text.encode("utf-8", "replace")
        try:
            self._parse(data)
        except expat.ExpatError as error:
            self._damage(Message("corpus.xml_invalid", error=expat.errors.messages[error.code]))
            at = self._parser.ErrorByteIndex - before
        except _DamagedError as error:
            self._damage(error.args[0])
            return data[max(self._at - before, 0) :].decode("utf-8", "replace")
        else:
            return None
        return data[max(at, 0) + 1 :].decode("utf-8", "ignore")

    def end(self, number: int) -> None:
        """End the file.

        Args:
            number: of its last line.
        """
        self._line = number
        try:
            self._parser.Parse(b"", True)
        except expat.ExpatError:
            self._damage(Message("corpus.element_cut"))

    def _parse(self, data: bytes) -> None:
        self._fed += len(data)
        self._parser.Parse(data, False)

    def _damaged(self, code: str, **values: Any) -> _DamagedError:
        self._at = self._parser.CurrentByteIndex
        return _DamagedError(Message(code, **values))

    def _damage(self, reason: Message) -> None:
        if self._builder is not None and self._first != self._line:
            reason = Message("corpus.record_from", first=self._first, reason=reason)
        elif self._builder is not None:
            reason = Message("corpus.record_left", reason=reason)
        self._found.append(Problem(self._file, self._line, reason))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        record = self._opens.fullmatch(name) is not None
        if self._builder is None:
            if not record:
                self.around.append(_Open(name, attributes))
                if len(self.around) > _DEEPEST:
                    raise self._damaged("corpus.elements_deep", deepest=_DEEPEST)
                return
            self._builder, self._depth, self._size, self._first = TreeBuilder(), 0, 0, self._line
        elif record and not self._nests:
            raise self._damaged("corpus.record_open", name=name)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._damaged("corpus.elements_deep", deepest=_DEEPEST)
        self._builder.start(_named(name), attributes)

    def _end(self, name: str) -> None:
        if self._builder is None:
            if self.around:
                self.around.pop()
            return
        self._builder.end(_named(name))
        self._depth -= 1
        if self._depth == 0:
            self._found.append(Found(self._first, self._builder.close()))
            self._builder = None

    def _data(self, text: str) -> None:
        if self._builder is not None:
            self._size += len(text)
            if self._size > _LARGEST:
                raise self._damaged("corpus.record_long", characters=_LARGEST)
            self._builder.data(text)

    def _skipped(self, name: str, parameter: bool) -> None:
        """Take an entity of the definition that was not fetched (``&alpha;``) as HTML has it."""
        if not parameter:
            self._data(unescaped(f"&{name};"))

    def _entity(self, name: str, *_: object) -> None:
        raise CorpusError("corpus.line_document_type_declares", file=self._file, line=self._line, name=name)


def _named(name: str) -> str:
    prefix, colon, local = name.partition(":")
    return f"{{{prefix}}}{local}" if colon else name


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
