"""N-Triples, RDF/XML and JSON-LD in the one order of `order`: a file is byte-equal whenever it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from ontology.owl import order
from ontology.owl.triples import Term, Triples, is_blank
from ontology.owl.turtle import quoted
from ontology.owl.vocabulary import PREFIXES, TYPE, OwlError, local_part, namespace_of

_XML = {"\r": "&#13;"}
_XML_ATTRIBUTE = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
_PREFIX_OF = {space: prefix for prefix, space in PREFIXES.items()}


def ntriples(triples: Triples) -> str:
    """N-Triples (W3C, RDF 1.1 N-Triples, 2014): one statement a line."""

    def node(term: str) -> str:
        return term if is_blank(term) else f"<{term}>"

    def value(term: Term) -> str:
        if isinstance(term, str):
            return node(term)
        mark = f"@{term.language}" if term.language else f"^^<{term.datatype}>" if term.datatype else ""
        return quoted(term.value) + mark

    return "".join(
        f"{node(subject)} <{predicate}> {value(object_)} .\n"
        for subject in order.subjects(triples)
        for predicate, object_ in order.statements(triples, subject)
    )


def rdf_xml(triples: Triples) -> str:
    """RDF/XML (W3C, RDF 1.1 XML Syntax, 2014). Every predicate must be of a vocabulary that has a prefix here."""
    return "".join(_rdf_xml_lines(triples))


def _rdf_xml_lines(triples: Triples) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF\n'
    yield "\n".join(f'    xmlns:{prefix}="{space}"' for prefix, space in PREFIXES.items()) + ">\n"
    for subject in order.subjects(triples):
        said = list(order.statements(triples, subject))
        tag = "rdf:Description"
        if said[0][0] == TYPE and namespace_of(str(said[0][1])) in _PREFIX_OF:
            tag = _name(str(said.pop(0)[1]))
        yield f"\n  <{tag} {_reference('about', subject)}" + (">\n" if said else "/>\n")
        for predicate, value in said:
            yield f"    {_element(_name(predicate), value)}\n"
        if said:
            yield f"  </{tag}>\n"
    yield "</rdf:RDF>\n"


def _name(iri: str) -> str:
    prefix = _PREFIX_OF.get(namespace_of(iri))
    if prefix is None:
        raise OwlError(f"{iri} has no prefix here, which RDF/XML needs for a property")
    return f"{prefix}:{local_part(iri)}"


def _reference(attribute: str, node: str) -> str:
    if is_blank(node):
        return f'rdf:nodeID="{node[2:]}"'
    return f'rdf:{attribute}="{escape(node, _XML_ATTRIBUTE)}"'


def _element(name: str, value: Term) -> str:
    if isinstance(value, str):
        return f"<{name} {_reference('resource', value)}/>"
    mark = f' xml:lang="{value.language}"' if value.language else ""
    if value.datatype:
        mark = f' rdf:datatype="{escape(value.datatype, _XML_ATTRIBUTE)}"'
    return f"<{name}{mark}>{escape(value.value, _XML)}</{name}>"


def json_ld(triples: Triples) -> str:
    """JSON-LD 1.1 (W3C, 2020), flattened, with our prefixes as its context; nothing has to be fetched to read it."""
    graph = [_json_subject(triples, subject) for subject in order.subjects(triples)]
    return json.dumps({"@context": dict(PREFIXES), "@graph": graph}, ensure_ascii=False, indent=1) + "\n"


def _json_subject(triples: Triples, subject: str) -> dict[str, Any]:
    said: dict[str, Any] = {"@id": subject}
    for predicate, value in order.statements(triples, subject):
        key = "@type" if predicate == TYPE else _compact(predicate)
        said.setdefault(key, []).append(_compact(str(value)) if predicate == TYPE else _json_value(value))
    return {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in said.items()}


def _compact(iri: str) -> str:
    prefix = _PREFIX_OF.get(namespace_of(iri))
    return f"{prefix}:{local_part(iri)}" if prefix else iri


def _json_value(value: Term) -> Any:
    if isinstance(value, str):
        return {"@id": value}
    if value.language:
        return {"@value": value.value, "@language": value.language}
    if value.datatype:
        return {"@value": value.value, "@type": _compact(value.datatype)}
    return value.value
