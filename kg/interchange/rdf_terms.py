"""Names and values of the graph in RDF: IRIs of nodes, the vocabulary, literals; used for writing and reading.

A concept, an ontology and a page keep their IRI if it is a plain one that no other node has; every other node is
https://w3id.org/ontocrawl/graph/LABEL/KEY with the key percent-encoded. Labels, types and properties are names of one
namespace. A list is JSON text with the datatype rdf:JSON, because RDF has sets.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import quote, unquote

from kg.interchange.elements import InterchangeError, kind_of
from ontology.owl import vocabulary
from ontology.owl.triples import Text

VOCABULARY = "https://w3id.org/ontocrawl/graph#"
"""Namespace of labels, types and properties."""
N10S_VOCABULARY = "neo4j://graph.schema#"
"""The namespace that neosemantics uses for a graph that it did not import."""
_INDIVIDUALS = "https://w3id.org/ontocrawl/graph/"
RDF, RDFS, XSD, OWL, SKOS, DCTERMS = (vocabulary.PREFIXES[p] for p in ("rdf", "rdfs", "xsd", "owl", "skos", "dcterms"))
NATURAL = ("Ontology", "Concept", "Page")
"""Labels whose keys are IRIs; if two have the same IRI, the earlier label keeps it."""
_PLAIN = re.compile(
    r"(?:https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?=[/?#]|\Z)|urn:[A-Za-z0-9-]+:)"
    r"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
)
_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def iri(label: str, key: str, taken: Collection[str] = ()) -> str:
    """Return the IRI of a node.

    Args:
        label: label of the node.
        key: its key.
        taken: IRIs of nodes of earlier labels.

    >>> iri("Page", "http://a.cn/1"), iri("Crawl", "run 1")
    ('http://a.cn/1', 'https://w3id.org/ontocrawl/graph/Crawl/run%201')
    """
    if label in NATURAL and _PLAIN.fullmatch(key) and not key.startswith(_INDIVIDUALS) and key not in taken:
        return key
    return f"{_INDIVIDUALS}{label}/{quote(key, safe='')}"


def key_of(label: str, node: str) -> str:
    """Return the key of a node from an IRI that ``iri`` returned.

    Args:
        label: label of the node.
        node: its IRI.

    >>> key_of("Crawl", "https://w3id.org/ontocrawl/graph/Crawl/run%201")
    'run 1'
    """
    prefix = f"{_INDIVIDUALS}{label}/"
    return unquote(node.removeprefix(prefix), errors="strict") if node.startswith(prefix) else node


def text(value: str, language: str = "") -> str:
    r"""Return a string as a literal of N-Triples and Turtle.

    Args:
        value: the string.
        language: its language tag, if any.

    >>> text('a "b"'), text("雨", "zh")
    ('"a \\"b\\""', '"雨"@zh')
    """
    plain = _SPECIAL.sub(lambda match: _NAMED.get(match[0]) or f"\\u{ord(match[0]):04X}", value)
    return f'"{plain}"@{language}' if language else f'"{plain}"'


def literal(value: Any) -> tuple[str, str]:
    """Return a value as its text, escaped and quoted, and the IRI of its datatype (empty: a string)."""
    if isinstance(value, bool):
        return ('"true"' if value else '"false"'), f"{XSD}boolean"
    if isinstance(value, int):
        return f'"{value}"', f"{XSD}integer"
    if isinstance(value, float):
        odd = {"nan": "NaN", "inf": "INF", "-inf": "-INF"}
        return f'"{repr(value) if math.isfinite(value) else odd[repr(value)]}"', f"{XSD}double"
    if isinstance(value, str):
        return text(value), ""
    return text(json.dumps(value, ensure_ascii=False)), f"{RDF}JSON"


def value_of(literal: Text, where: str) -> Any:
    """Return the value of a literal.

    Args:
        literal: a literal that was read.
        where: its place, for messages.

    Raises:
        InterchangeError: ``literal`` writes no such datatype.
    """
    lexical, datatype = literal.value, f"{RDF}langString" if literal.language else literal.datatype
    try:
        if not datatype:
            return lexical
        if datatype == f"{XSD}integer":
            return int(lexical)
        if datatype == f"{XSD}double":
            return float(lexical)
        if datatype == f"{XSD}boolean":
            return {"true": True, "false": False, "1": True, "0": False}[lexical]
        if datatype == f"{RDF}JSON":
            items = json.loads(lexical)
            kind_of(items)
            return items
    except (ValueError, KeyError) as error:
        raise InterchangeError("interchange.no", where=where, text=lexical[:40], kind=datatype) from error
    raise InterchangeError("interchange.literal_datatype_graph_export", where=where, datatype=datatype)
