"""How the graph's names and values stand in RDF: IRIs of nodes, the vocabulary, literals. One meaning both ways.

A concept, an ontology and a page have the IRI that they are known by, where it is a plain one that no other node has;
every other node is https://w3id.org/ontocrawl/graph/LABEL/KEY with the key percent-encoded. Labels, types and
properties are names of one namespace. A list is JSON text with the datatype rdf:JSON, because RDF has sets.
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
"""The same as neosemantics exports them from a graph that it did not import."""
INDIVIDUALS = "https://w3id.org/ontocrawl/graph/"
RDF, RDFS, XSD, OWL, SKOS, DCTERMS = (vocabulary.PREFIXES[p] for p in ("rdf", "rdfs", "xsd", "owl", "skos", "dcterms"))
NATURAL = ("Ontology", "Concept", "Page")
"""Labels whose keys are IRIs by themselves; an earlier one keeps an IRI that a later one has too."""
_PLAIN = re.compile(
    r"(?:https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?=[/?#]|\Z)|urn:[A-Za-z0-9-]+:)"
    r"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
)
_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def iri(label: str, key: str, taken: Collection[str] = ()) -> str:
    """The IRI of a node; ``taken`` are IRIs of nodes of other labels that come before."""
    if label in NATURAL and _PLAIN.fullmatch(key) and not key.startswith(INDIVIDUALS) and key not in taken:
        return key
    return f"{INDIVIDUALS}{label}/{quote(key, safe='')}"


def key_of(label: str, found: str) -> str:
    """The key of a node from its IRI, which ``iri`` made."""
    own = f"{INDIVIDUALS}{label}/"
    return unquote(found.removeprefix(own), errors="strict") if found.startswith(own) else found


def text(value: str, language: str = "") -> str:
    """A string as a literal of N-Triples and Turtle."""
    plain = _SPECIAL.sub(lambda found: _NAMED.get(found[0]) or f"\\u{ord(found[0]):04X}", value)
    return f'"{plain}"@{language}' if language else f'"{plain}"'


def literal(value: Any) -> tuple[str, str]:
    """A value as its text, escaped and in quotes, and the IRI of its datatype (empty: a string)."""
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
    """The value of a literal. Raises InterchangeError for a datatype that ``literal`` does not write."""
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
            found = json.loads(lexical)
            kind_of(found)
            return found
    except (ValueError, KeyError) as error:
        raise InterchangeError(f"{where}: {lexical[:40]!r} is no {datatype}") from error
    raise InterchangeError(f"{where}: a literal of the datatype {datatype}, which graph export does not write")
