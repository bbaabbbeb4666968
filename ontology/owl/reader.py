"""The one reader of RDF: files and texts in any syntax to triples.

`parse` reads a whole file: the format is detected by suffix and content, the encoding is decoded, XML is checked, and
RDF is parsed by pyoxigraph if it is installed (it is much faster), or else by rdflib. `stream` reads a large file of
Turtle or N-Triples one statement after another. Errors name the file, and the line if the parser reports one. No
parser here fetches anything: JSON-LD with a remote context is refused.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ontology.extras import require
from ontology.owl import formats, horned, obo, obo_graphs, xml_guard
from ontology.owl.formats import JSON_LD, N3, NTRIPLES, OBO, OBO_GRAPHS, RDF_XML, TITLES, TURTLE
from ontology.owl.json_text import parsed_json
from ontology.owl.triples import Term, Text, Triple, Triples, literal
from ontology.owl.vocabulary import OwlError

Statement = tuple[str, str, Term | Triple]
"""A triple whose object may be a triple itself (RDF-star)."""
_ONLY_READ = {".xml": RDF_XML, ".n3": N3}
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
        MissingExtra: OWL/XML and functional syntax without py-horned-owl.
    """
    name = _ONLY_READ.get(path.suffix.lower()) or formats.of_path(path).name
    if name == formats.ROBOT:
        raise OwlError(f"{path}: a {TITLES[name]} is written, not read; make an OWL file of it by `robot template`")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OwlError(f"{path} could not be read: {error.strerror or error}") from error
    if name == RDF_XML:
        name = _looked_up(data)
    is_xml = name in (RDF_XML, horned.OWL_XML)
    text = xml_guard.checked(data, str(path)) if is_xml else xml_guard.decoded(data, str(path))
    if name == OBO:
        return obo.triples(text, str(path))
    if name == OBO_GRAPHS and obo_graphs.is_obo_graphs(text):
        return obo_graphs.triples(text, str(path))
    if name == OBO_GRAPHS:
        name = JSON_LD
    if name == RDF_XML and _root(text) == "Ontology":
        name = horned.OWL_XML
    if name in horned.TITLES:
        text, name = horned.as_rdf_xml(text, name, path), RDF_XML
    return parse_text(text, name, path, forgiving=forgiving)


def _looked_up(data: bytes) -> str:
    """Return the syntax of a file of suffix .owl, .rdf or .xml: editors save several under it."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(rb"(Prefix|Ontology)\s*\(", head):
        return horned.FUNCTIONAL
    if re.match(rb"(format-version:|\[Term\])", head):
        return OBO
    if re.match(rb"(@prefix|@base|PREFIX|BASE|#)", head):
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
    statements = _statements({"input": text}, rdf_format, name, triples.iri, base_iri=base_iri, lenient=True)
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
    return from_rdflib(graph, as_written=as_written)


def from_rdflib(graph: Any, *, as_written: bool = False) -> Triples:
    """Convert an rdflib graph; what is no triple of RDF (formulas and variables of N3) is left out.

    Args:
        graph: an `rdflib.Graph`.
        as_written: keep illegal IRIs as they are.
    """
    import rdflib

    triples = Triples(as_written=as_written)

    def term(value: Any) -> Term:
        if isinstance(value, rdflib.BNode):
            return f"_:{value}"
        if isinstance(value, rdflib.Literal):
            return literal(str(value), value.language, str(value.datatype) if value.datatype else None)
        return triples.iri(str(value))

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
    return OwlError(f"{where}: not {TITLES[rdf_format]} that can be read: {' '.join(message.split())}")


def _check_json(text: str, name: str) -> None:
    """Check that JSON is well-formed and that all its contexts are in the file itself."""
    for elsewhere in _contexts_elsewhere(parsed_json(text, name)):
        raise OwlError(
            f"{name}: its @context is {elsewhere!r}, which is never fetched. "
            "Put the content of that context into the file"
        )


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
