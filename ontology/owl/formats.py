"""The file formats of ontologies: which suffix and name is which, and the way in and out of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ontology.owl import horned, parsers, plain_formats, turtle, xml_guard
from ontology.owl.triples import Triples
from ontology.owl.vocabulary import OwlError


@dataclass(frozen=True, slots=True)
class Format:
    """One file format. ``name`` is what commands take."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[Triples], str]
    is_xml: bool = False


FORMATS: tuple[Format, ...] = (
    Format(parsers.TURTLE, "Turtle", (".ttl",), turtle.serialise),
    Format(parsers.RDF_XML, "RDF/XML", (".rdf", ".owl"), plain_formats.rdf_xml, is_xml=True),
    Format(parsers.NTRIPLES, "N-Triples", (".nt",), plain_formats.ntriples),
    Format(parsers.JSON_LD, "JSON-LD", (".jsonld",), plain_formats.json_ld),
    Format(horned.FUNCTIONAL, "OWL functional syntax", (".ofn",), lambda t: horned.serialise(t, horned.FUNCTIONAL)),
    Format(horned.OWL_XML, "OWL/XML", (".owx",), lambda t: horned.serialise(t, horned.OWL_XML), is_xml=True),
)
BY_NAME: Mapping[str, Format] = {format_.name: format_ for format_ in FORMATS}
BY_SUFFIX: Mapping[str, Format] = {suffix: format_ for format_ in FORMATS for suffix in format_.suffixes}
SUFFIXES = tuple(BY_SUFFIX)
_OPENING = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<([A-Za-z_][\w.-]*:)?([A-Za-z]+)", re.DOTALL)


def of_path(path: Path, name: str = "") -> Format:
    """The format that a name, else the file's suffix, stands for; OwlError with the choices."""
    if name:
        if name not in BY_NAME:
            raise OwlError(f"there is no format {name!r}; choose one of {', '.join(BY_NAME)}")
        return BY_NAME[name]
    found = BY_SUFFIX.get(path.suffix.lower())
    if not found:
        raise OwlError(f"{path}: the suffix names no format that we write or read; use one of {', '.join(SUFFIXES)}")
    return found


def parse(path: Path) -> Triples:
    """The triples of a file. The suffix names the format; what stands in .owl and .rdf files is found by looking.

    OwlError with the file, and the line where it is known. MissingExtra for OWL/XML and functional syntax.
    """
    format_ = of_path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OwlError(f"{path} could not be read: {error.strerror or error}") from error
    if ".owl" in format_.suffixes:
        format_ = BY_NAME[_looked_up(data)]
    text = xml_guard.checked(data, str(path)) if format_.is_xml else xml_guard.decoded(data, str(path))
    if format_.name == parsers.RDF_XML and _root(text) == "Ontology":
        format_ = BY_NAME[horned.OWL_XML]
    if format_.name in horned.TITLES:
        return horned.read(text, format_.name, path)
    return parsers.parse(text, format_.name, path)


def _looked_up(data: bytes) -> str:
    """What a file of suffix .owl or .rdf is: editors save several syntaxes under it."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(rb"(Prefix|Ontology)\s*\(", head):
        return horned.FUNCTIONAL
    if re.match(rb"(@prefix|@base|PREFIX|BASE|#)", head):
        return parsers.TURTLE
    return parsers.JSON_LD if head[:1] in (b"{", b"[") else parsers.RDF_XML


def _root(text: str) -> str:
    found = _OPENING.match(text)
    return found.group(2) if found else ""
