"""N-Triples, RDF/XML and JSON-LD in the fixed order of `order`: equal triples are written as equal bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from ontology.owl import turtle
from ontology.owl.triples import Term, Triples, is_blank, prefixes, renamed
from ontology.owl.turtle import quoted
from ontology.owl.vocabulary import EXTRA_PREFIXES, PREFIXES, TYPE, OwlError, local_part, namespace_of

_XML_NAME = re.compile(r"[^\W\d][\w.\u00b7-]*")
"""A name after a prefix (W3C, Namespaces in XML 1.0, NCName)."""
_XML = {"\r": "&#13;"}
_XML_ATTRIBUTE = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
_PREFIX_OF = {space: prefix for prefix, space in (*PREFIXES.items(), *EXTRA_PREFIXES.items())}


def ntriples(triples: Triples) -> str:
    """Return N-Triples (W3C, RDF 1.1 N-Triples, 2014): one statement a line."""

    def node(term: str) -> str:
        return term if is_blank(term) else f"<{term}>"

    def value(term: Term) -> str:
        if isinstance(term, str):
            return node(term)
        mark = f"@{term.language}" if term.language else f"^^<{term.datatype}>" if term.datatype else ""
        return quoted(term.value) + mark

    return "".join(
        f"{node(subject)} <{predicate}> {value(object_)} .\n"
        for subject in turtle.subjects(triples)
        for predicate, object_ in turtle.ordered_statements(triples, subject)
    )


def rdf_xml(triples: Triples) -> str:
    """Return RDF/XML (W3C, RDF 1.1 XML Syntax, 2014). Every predicate must be in a vocabulary with a prefix."""
    return "".join(_rdf_xml_lines(triples))


def _rdf_xml_lines(triples: Triples) -> Iterator[str]:
    declared = prefixes(triples)
    prefix_of = {space: prefix for prefix, space in declared.items()}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF\n'
    yield "\n".join(f'    xmlns:{prefix}="{space}"' for prefix, space in declared.items()) + ">\n"
    for subject in turtle.subjects(triples):
        statements = list(turtle.ordered_statements(triples, subject))
        tag = "rdf:Description"
        if statements[0][0] == TYPE and namespace_of(str(statements[0][1])) in _PREFIX_OF:
            tag = _name(str(statements.pop(0)[1]), _PREFIX_OF)
        yield f"\n  <{tag} {_reference('about', subject)}" + (">\n" if statements else "/>\n")
        for predicate, value in statements:
            yield f"    {_element(_name(predicate, prefix_of), value)}\n"
        if statements:
            yield f"  </{tag}>\n"
    yield "</rdf:RDF>\n"


def with_names_of_xml(triples: Triples) -> Triples:
    """Return the triples whose property ends with a name of XML; RDF/XML can hold no others."""
    return renamed((t for t in triples if _XML_NAME.fullmatch(local_part(t[1]))), {})


def _name(iri: str, prefix_of: Mapping[str, str]) -> str:
    if not _XML_NAME.fullmatch(local_part(iri)):
        raise OwlError("owl.ends_no_name_xml", iri=iri)
    return f"{prefix_of[namespace_of(iri)]}:{local_part(iri)}"


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
    """Return JSON-LD 1.1 (W3C, 2020), flattened, with our prefixes as its context; reading it needs no network."""
    graph = [_json_subject(triples, subject) for subject in turtle.subjects(triples)]
    return json.dumps({"@context": prefixes(triples), "@graph": graph}, ensure_ascii=False, indent=1) + "\n"


def _json_subject(triples: Triples, subject: str) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": subject}
    for predicate, value in turtle.ordered_statements(triples, subject):
        key = "@type" if predicate == TYPE else _compact(predicate)
        node.setdefault(key, []).append(_compact(str(value)) if predicate == TYPE else _json_value(value))
    return {key: value[0] if isinstance(value, list) and len(value) == 1 else value for key, value in node.items()}


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
