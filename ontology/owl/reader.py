"""The one reader of RDF: files and texts in any syntax to triples.

`parse` reads a whole file: the format is detected by suffix and content, the encoding is decoded, XML is checked, and
RDF is parsed by pyoxigraph if it is installed (it is much faster), or else by rdflib. `stream` reads a large file of
Turtle or N-Triples one statement after another. Errors name the file, and the line if the parser reports one. No
parser here fetches anything: JSON-LD with a remote context is refused.
"""

from __future__ import annotations

import codecs
import json
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urljoin
from xml.parsers import expat

from ontology.extras import require
from ontology.owl import formats, horned, obo, obo_graphs
from ontology.owl.formats import JSON_LD, N3, NTRIPLES, OBO, OBO_GRAPHS, RDF_XML, TITLES, TURTLE
from ontology.owl.triples import Term, Text, Triple, Triples, literal, renamed
from ontology.owl.vocabulary import RDF, TYPE, OwlError

Statement = tuple[str, str, Term | Triple]
"""A triple whose object may be a triple itself (RDF-star)."""
_ONLY_READ = {".xml": RDF_XML, ".n3": N3, ".omn": horned.MANCHESTER}
_OPENING = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<([A-Za-z_][\w.-]*:)?([A-Za-z]+)", re.DOTALL)
_LINE = re.compile(r"\bline (\d+)")


def parse(path: Path, *, forgiving: bool = False) -> Triples:
    """Read the triples of a file.

    The suffix determines the format; that of .owl, .rdf, .xml and .json files is detected from the content.

    Args:
        path: the file.
        forgiving: keep illegal IRIs as the file has them, and try rdflib on what pyoxigraph refuses.

    Raises:
        OwlError: a file that is absent or broken, with the line where it is known.
        MissingExtra: OWL/XML, functional and Manchester syntax without py-horned-owl.
    """
    name = _format(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OwlError("files.could_not_be_read", path=path, error=error.strerror or error) from error
    return _of_bytes(data, name, path, forgiving)


def parse_bytes(data: bytes, path: Path) -> Triples:
    """Read the triples of a file's content, as `parse` does.

    Args:
        data: the content.
        path: name of the file; the suffix determines the format.

    Raises:
        OwlError, MissingExtra: as `parse`.
    """
    return _of_bytes(data, _format(path), path, False)


def _format(path: Path) -> str:
    name = _ONLY_READ.get(path.suffix.lower()) or formats.of_path(path).name
    if name == formats.ROBOT:
        raise OwlError("owl.written_not_read_make", path=path, titles=TITLES[name])
    return name


def _of_bytes(data: bytes, name: str, path: Path, forgiving: bool) -> Triples:
    if name == RDF_XML:
        name = _looked_up(data)
    is_xml = name in (RDF_XML, horned.OWL_XML)
    text = _checked(data, str(path)) if is_xml else _decoded(data, str(path))
    if name == OBO:
        return obo.triples(text, str(path))
    if name == OBO_GRAPHS and obo_graphs.is_obo_graphs(text):
        return obo_graphs.triples(_parsed_json(text, str(path)), str(path))
    if name == OBO_GRAPHS:
        name = JSON_LD
    if name == RDF_XML and _root(text) == "Ontology":
        name = horned.OWL_XML
    if name in horned.TITLES:
        rdf_xml, others = horned.as_rdf_xml(text, name, path)
        translated = parse_text(rdf_xml, RDF_XML, path, forgiving=forgiving)
        plain = renamed((t for t in (*translated, *others) if t[1:] != (TYPE, RDF.List)), {})  # nodes of lists have it
        plain.mended.update(translated.mended)
        plain.left.update(others.left)
        return plain
    return parse_text(text, name, path, forgiving=forgiving)


def _looked_up(data: bytes) -> str:
    """Return the syntax of a file of suffix .owl, .rdf or .xml: editors save several under it."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(rb"(Prefix|Ontology)\s*\(", head):
        return horned.FUNCTIONAL
    if re.match(rb"(#[^\n]*\s+)*(Prefix|Namespace|Ontology)\s*:\s", head):
        return horned.MANCHESTER
    if re.match(rb"(format-version:|\[Term\])", head):
        return OBO
    if re.match(rb"(@prefix|@base|PREFIX|BASE|#|_:|<https?:|<urn:)", head):
        return TURTLE
    return JSON_LD if head[:1] in (b"{", b"[") else RDF_XML


def _root(text: str) -> str:
    match = _OPENING.match(text)
    return match.group(2) if match else ""


def parse_text(text: str, rdf_format: str, path: Path, *, forgiving: bool = False) -> Triples:
    """Read the triples of a text in a format of RDF.

    Args:
        text: what was decoded and, for XML, guarded before.
        rdf_format: one of `formats.RDF`, or ``n3``.
        path: for messages; relative IRIs are resolved against its address.
        forgiving: as `parse`.

    Raises:
        OwlError: the text is broken.
    """
    name = str(path)
    if rdf_format == JSON_LD:
        _check_json(text, name)
    base = path.absolute().as_uri()
    if rdf_format == N3 or not find_spec("pyoxigraph"):
        return _by_rdflib(text, rdf_format, name, base, forgiving)
    try:
        return _by_pyoxigraph(text, rdf_format, name, base, forgiving)
    except OwlError:
        if forgiving:
            with suppress(OwlError):
                return _by_rdflib(text, rdf_format, name, base, forgiving)
        raise


def stream(path: Path, rdf_format: str) -> Iterator[Statement]:
    """Read the statements of a UTF-8 file in their order, in bounded memory.

    Args:
        path: the file; nothing is guessed or mended.
        rdf_format: one of `formats.RDF`.

    Raises:
        OwlError: the file is broken; the statements before the break were returned.
        MissingExtra: pyoxigraph is not installed.
        OSError: the file cannot be opened.
    """
    return _statements({"path": str(path)}, rdf_format, str(path), str)


def _statements(
    source: Mapping[str, Any], rdf_format: str, name: str, iri: Callable[[str], str], **options: Any
) -> Iterator[Statement]:
    """Yield the statements that pyoxigraph parses; each IRI is passed through ``iri``, options go to the parser."""
    ox = require("pyoxigraph", "owl", "reading RDF")
    syntaxes = {
        TURTLE: ox.RdfFormat.TURTLE, RDF_XML: ox.RdfFormat.RDF_XML, NTRIPLES: ox.RdfFormat.N_TRIPLES,
        JSON_LD: ox.RdfFormat.JSON_LD,
    }  # fmt: skip
    named_node, blank_node, quoted = ox.NamedNode, ox.BlankNode, ox.Triple

    def term(value: Any) -> Any:
        if isinstance(value, named_node):
            return iri(value.value)
        if isinstance(value, blank_node):
            return f"_:{value.value}"
        if isinstance(value, quoted):
            return term(value.subject), iri(value.predicate.value), term(value.object)
        return literal(value.value, value.language, value.datatype.value)

    try:
        for quad in ox.parse(**source, format=syntaxes[rdf_format], **options):
            yield term(quad.subject), iri(quad.predicate.value), term(quad.object)
    except (SyntaxError, ValueError) as error:
        message = str(error.args[0] if error.args else error)
        line = getattr(error, "lineno", None)
        raise _broken(name, rdf_format, message.removeprefix("Parser error "), line) from error


def _by_pyoxigraph(text: str, rdf_format: str, name: str, base: str, as_written: bool) -> Triples:
    triples = Triples(as_written=as_written)
    base_iri = None if rdf_format == NTRIPLES else base

    def iri(written: str) -> str:
        return triples.iri(_absolute(written, base))

    statements = _statements({"input": text}, rdf_format, name, iri, base_iri=base_iri, lenient=True)
    for subject, predicate, value in statements:
        if not isinstance(value, str | Text):
            raise _broken(name, rdf_format, "it has triples within triples, which ontologies do not have", None)
        triples.add(subject, predicate, value)
    return triples


def _by_rdflib(text: str, rdf_format: str, name: str, base: str, as_written: bool) -> Triples:
    import rdflib
    from rdflib.plugins.parsers.notation3 import BadSyntax

    names = {TURTLE: "turtle", RDF_XML: "xml", NTRIPLES: "nt", JSON_LD: "json-ld", N3: "n3"}
    graph = rdflib.Graph(bind_namespaces="none")
    try:
        with literal_rdflib():
            graph.parse(data=text.encode(), format=names[rdf_format], publicID=base)
    except BadSyntax as error:
        reported = str(error.message if hasattr(error, "message") else error).splitlines()[0]
        raise _broken(name, rdf_format, reported, error.lines + 1) from error
    except Exception as error:  # rdflib's parsers raise many types for a broken file
        raise _broken(name, rdf_format, f"{type(error).__name__}: {error}", None) from error
    return from_rdflib(graph, base=base, as_written=as_written)


def _absolute(iri: str, base: str) -> str:
    """Return an IRI completed by the place of the file where the file's own base (xml:base) is relative."""
    return iri if ":" in iri else urljoin(base, iri)


def from_rdflib(graph: Any, *, base: str = "", as_written: bool = False) -> Triples:
    """Convert an rdflib graph; what is no triple of RDF (formulas and variables of N3) is left out.

    Args:
        graph: an `rdflib.Graph`.
        base: completes relative IRIs.
        as_written: keep illegal IRIs as they are.
    """
    import rdflib

    triples = Triples(as_written=as_written)

    def term(value: Any) -> Term:
        if isinstance(value, rdflib.BNode):
            return f"_:{value}"
        if isinstance(value, rdflib.Literal):
            return literal(str(value), value.language, str(value.datatype) if value.datatype else None)
        return triples.iri(_absolute(str(value), base))

    nodes = (rdflib.URIRef, rdflib.BNode)
    for subject, predicate, value in graph:
        if isinstance(subject, nodes) and isinstance(value, (*nodes, rdflib.Literal)):
            triples.add(str(term(subject)), triples.iri(str(predicate)), term(value))
    return triples


@contextmanager
def literal_rdflib() -> Iterator[None]:
    """Configure rdflib to keep 2024-01-01T00:00:00Z and 1e-9 as written, without warnings about them."""
    import rdflib

    logger = logging.getLogger("rdflib.term")
    before = rdflib.NORMALIZE_LITERALS, logger.disabled
    rdflib.NORMALIZE_LITERALS, logger.disabled = False, True
    try:
        with warnings.catch_warnings():  # its JSON-LD parser warns of a class that rdflib itself uses
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        rdflib.NORMALIZE_LITERALS, logger.disabled = before


def _broken(name: str, rdf_format: str, message: str, line: int | None) -> OwlError:
    match = _LINE.search(message)
    line = line or (int(match.group(1)) if match else None)
    where = f"{name}, line {line}" if line else name
    return OwlError("owl.not_read", where=where, titles=TITLES[rdf_format], reason=" ".join(message.split()))


def _check_json(text: str, name: str) -> None:
    """Check that JSON is well-formed and that all its contexts are in the file itself."""
    for elsewhere in _contexts_elsewhere(_parsed_json(text, name)):
        raise OwlError("owl.context_never_fetched_put", name=name, elsewhere=elsewhere)


def _contexts_elsewhere(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            context = value.get("@context", [])
            yield from (c for c in (context if isinstance(context, list) else [context]) if isinstance(c, str))
            if isinstance(value.get("@import"), str):
                yield value["@import"]
            waiting += value.values()


# ---- checks of foreign XML before it is parsed as RDF: its encoding, its entities, and its well-formedness
#
# Entities that only shorten IRIs (``<!ENTITY owl "http://..#">``) are common in OWL files and are expanded here.
# Anything that could grow without bound or read another resource is refused before it is expanded: entities of
# entities, entities of other files, and values so long and frequent that the text would grow tenfold.


_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"^\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_REFERENCE = re.compile(r"&(?!#)")
_GROWTH, _ALLOWANCE = 10, 1 << 20


def _decoded(data: bytes, name: str, encoding: str = "") -> str:
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
        raise OwlError("owl.line_encoding_unknown_here", name=name, codec_name=codec_name) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OwlError(
            "owl.line_not_save_file", name=name, line=line, codec_name=codec_name, reason=error.reason
        ) from error


def _checked(data: bytes, name: str) -> str:
    """Return well-formed XML without a document type, its entities expanded.

    Args:
        data: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: it is not well-formed, or refused; with line and column.
    """
    declared = _ENCODING.match(data)
    text = _decoded(data, name, declared.group(1).decode() if declared else "")
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
            raise OwlError("owl.not_well_formed_xml", where=where, message=message) from error

    def _refuse(self, what: str) -> None:
        raise OwlError(
            "owl.line_refused_nothing_expanded",
            name=self._name,
            currentlinenumber=self._parser.CurrentLineNumber,
            what=what,
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


# ---- JSON of ontologies, parsed with errors that name the file and the line


def _parsed_json(text: str, name: str) -> Any:
    """Return the value of a JSON text.

    Args:
        text: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: the text is no JSON, with the line, or nested too deep.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise OwlError("files.line_not_json", path=name, line=error.lineno, error=error.msg) from error
    except RecursionError as error:
        raise OwlError("owl.json_nested_too_deep", name=name) from error
