"""Checks of foreign XML before it is parsed as RDF: its encoding, its entities, and its well-formedness.

Entities that only shorten IRIs (``<!ENTITY owl "http://..#">``) are common in OWL files and are expanded here. Anything
that could grow without bound or read another resource is refused before it is expanded: entities of entities, entities
of other files, and values so long and frequent that the text would grow tenfold.
"""

from __future__ import annotations

import codecs
import re
from xml.parsers import expat

from ontology.owl.vocabulary import OwlError

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"^\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_REFERENCE = re.compile(r"&(?!#)")
_GROWTH, _ALLOWANCE = 10, 1 << 20


def decoded(data: bytes, name: str, encoding: str = "") -> str:
    """Return the file's text, decoded by its byte-order mark, or else the given encoding, or else UTF-8.

    Args:
        data: content of the file.
        name: the file, for messages.
        encoding: declared encoding, or "".

    Raises:
        OwlError: the encoding is unknown or wrong; with the line.
    """
    codec_name = next((codec for mark, codec in _MARKS if data.startswith(mark)), encoding or "utf-8")
    try:
        return data.decode(codec_name)
    except LookupError:
        raise OwlError(f"{name}, line 1: encoding {codec_name!r} is unknown here; save the file as UTF-8") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OwlError(f"{name}, line {line}: not {codec_name}: {error.reason}; save the file as UTF-8") from error


def checked(data: bytes, name: str) -> str:
    """Return well-formed XML without a document type, its entities expanded.

    Args:
        data: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: it is not well-formed, or refused; with line and column.
    """
    declared = _ENCODING.match(data)
    text = decoded(data, name, declared.group(1).decode() if declared else "")
    text = _DECLARATION.sub('<?xml version="1.0"?>', text.replace("\r\n", "\n").replace("\r", "\n"), count=1)
    guard = _Guard(text, name)
    guard.run()
    return guard.plain()


class _Guard:
    """One pass of expat, which reports the position of an error and the declarations of the document type."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._bytes = text.encode()
        self._name = name
        self._entities: dict[str, str] = {}
        self._start = self._end = 0
        self._parser = expat.ParserCreate("utf-8")
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EndDoctypeDeclHandler = self._doctype_end
        self._parser.EntityDeclHandler = self._entity

    def run(self) -> None:
        try:
            self._parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            message = expat.errors.messages[error.code]
            where = f"{self._name}, line {error.lineno}, column {error.offset + 1}"
            raise OwlError(f"{where}: not well-formed XML: {message}") from error

    def _refuse(self, what: str) -> None:
        raise OwlError(
            f"{self._name}, line {self._parser.CurrentLineNumber}: {what}; refused, nothing was expanded or fetched. "
            "Write the file anew without it"
        )

    def _doctype(self, doctype: str, system: str | None, public: str | None, internal: bool) -> None:
        self._start = self._bytes.rfind(b"<!DOCTYPE", 0, self._parser.CurrentByteIndex + 1)

    def _entity(
        self, name: str, parameter: bool, value: str | None, base: str | None, system: str | None, *_: object
    ) -> None:
        if parameter:
            self._refuse(f"the document type declares the parameter entity %{name};")
        elif value is None:
            self._refuse(f"the entity &{name}; is in another file ({system})")
        elif _REFERENCE.search(value):
            self._refuse(f"the entity &{name}; is made of other entities")
        else:
            self._entities.setdefault(name, value)

    def _doctype_end(self) -> None:
        self._end = self._parser.CurrentByteIndex + 1
        grown = sum(self._text.count(f"&{name};") * len(value) for name, value in self._entities.items())
        if grown > _GROWTH * len(self._text) + _ALLOWANCE:
            self._refuse(f"the entities of the document type would make {grown} characters of {len(self._text)}")

    def plain(self) -> str:
        """Return the text without its document type, line numbers unchanged, and with the entities expanded."""
        if not self._end:
            return self._text
        before, type_ = self._bytes[: self._start], self._bytes[self._start : self._end]
        body = self._bytes[self._end :].decode()
        if self._entities:
            values = {name: value.replace('"', "&quot;") for name, value in self._entities.items()}
            named = re.compile(r"<!\[CDATA\[.*?\]\]>|&(" + "|".join(map(re.escape, values)) + ");", re.DOTALL)
            body = named.sub(lambda match: values[match.group(1)] if match.group(1) else match.group(), body)
        return before.decode() + "\n" * type_.count(b"\n") + body
