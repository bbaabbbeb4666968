"""RDF files to triples: by pyoxigraph where it is installed (it is much faster), else by rdflib.

Both are told the same text, which was decoded and, for XML, guarded before. Errors name the file, and the line where
the parser tells it. No parser here fetches anything: JSON-LD whose context is elsewhere is refused.
"""

from __future__ import annotations

import json
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ontology.owl.triples import Term, Triples, literal
from ontology.owl.vocabulary import OwlError

TURTLE, RDF_XML, NTRIPLES, JSON_LD = "turtle", "rdfxml", "ntriples", "jsonld"
TITLES = {TURTLE: "Turtle", RDF_XML: "RDF/XML", NTRIPLES: "N-Triples", JSON_LD: "JSON-LD"}
_LINE = re.compile(r"\bline (\d+)")


def parse(text: str, rdf_format: str, path: Path) -> Triples:
    """The triples of a text in one of the four formats; relative IRIs are read against the file's own address."""
    name = str(path)
    if rdf_format == JSON_LD:
        _check_json(text, name)
    base = path.absolute().as_uri()
    return (_by_pyoxigraph if find_spec("pyoxigraph") else _by_rdflib)(text, rdf_format, name, base)


def _by_pyoxigraph(text: str, rdf_format: str, name: str, base: str) -> Triples:
    import pyoxigraph as ox

    formats = {
        TURTLE: ox.RdfFormat.TURTLE, RDF_XML: ox.RdfFormat.RDF_XML, NTRIPLES: ox.RdfFormat.N_TRIPLES,
        JSON_LD: ox.RdfFormat.JSON_LD,
    }  # fmt: skip

    triples = Triples()

    def term(value: Any) -> Term:
        if isinstance(value, ox.NamedNode):
            return triples.iri(value.value)
        if isinstance(value, ox.BlankNode):
            return f"_:{value.value}"
        return literal(value.value, value.language, value.datatype.value)

    base_iri = None if rdf_format == NTRIPLES else base
    try:
        for quad in ox.parse(input=text, format=formats[rdf_format], base_iri=base_iri, lenient=True):
            triples.add(str(term(quad.subject)), triples.iri(quad.predicate.value), term(quad.object))
    except (SyntaxError, ValueError) as error:
        message = str(error.args[0] if error.args else error)
        line = getattr(error, "lineno", None)
        raise _broken(name, rdf_format, message.removeprefix("Parser error "), line) from error
    return triples


def _by_rdflib(text: str, rdf_format: str, name: str, base: str) -> Triples:
    import rdflib
    from rdflib.plugins.parsers.notation3 import BadSyntax

    names = {TURTLE: "turtle", RDF_XML: "xml", NTRIPLES: "nt", JSON_LD: "json-ld"}
    graph = rdflib.Graph(bind_namespaces="none")
    try:
        with literal_rdflib():
            graph.parse(data=text.encode(), format=names[rdf_format], publicID=base)
    except BadSyntax as error:
        told = str(error.message if hasattr(error, "message") else error).splitlines()[0]
        raise _broken(name, rdf_format, told, error.lines + 1) from error
    except Exception as error:  # rdflib's parsers raise many types for a broken file
        raise _broken(name, rdf_format, f"{type(error).__name__}: {error}", None) from error

    triples = Triples()

    def term(value: Any) -> Term:
        if isinstance(value, rdflib.BNode):
            return f"_:{value}"
        if isinstance(value, rdflib.Literal):
            return literal(str(value), value.language, str(value.datatype) if value.datatype else None)
        return triples.iri(str(value))

    for subject, predicate, value in graph:
        triples.add(str(term(subject)), triples.iri(str(predicate)), term(value))
    return triples


@contextmanager
def literal_rdflib() -> Iterator[None]:
    """rdflib that keeps 2024-01-01T00:00:00Z and 1e-9 as they were written, and does not complain of what it reads."""
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
    told = _LINE.search(message)
    line = line or (int(told.group(1)) if told else None)
    where = f"{name}, line {line}" if line else name
    return OwlError(f"{where}: not {TITLES[rdf_format]} that can be read: {' '.join(message.split())}")


def _check_json(text: str, name: str) -> None:
    """Well-formed JSON whose contexts all stand in the file itself."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise OwlError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise OwlError(f"{name}: JSON that is nested too deep to be an ontology") from error
    for elsewhere in _contexts_elsewhere(document):
        raise OwlError(
            f"{name}: its @context is {elsewhere!r}, which would have to be fetched; nothing is. "
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
