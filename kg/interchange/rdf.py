"""The graph as RDF: Turtle and N-Triples, and Turtle for neosemantics (n10s).

Besides the graph's names (`og:Page`, `og:url`, `og:LINKS_TO`) the standard ones are written: a concept is an owl:Class
with rdfs:label, skos:altLabel and skos:definition, SUBCLASS_OF is rdfs:subClassOf too, and so on. A relationship is a
triple, for paths, and a resource of its type with rdf:subject, rdf:object and its properties:

    <http://a.cn/1> og:LINKS_TO <http://a.cn/2> .
    _:r1 a og:LINKS_TO ; rdf:subject <http://a.cn/1> ; rdf:object <http://a.cn/2> ; og:crawl "run-1" ; og:anchor ".." .

For n10s (``handleVocabUris: 'IGNORE'``) all names are those of the graph in the namespace neo4j://graph.schema#, and
properties of a relationship are annotations of its triple, as in n10s exports (RDF-star):

    << <http://a.cn/1> n4sch:LINKS_TO <http://a.cn/2> >> n4sch:crawl "run-1" ; n4sch:anchor ".." .

A triple exists once, so of parallel relationships (two crawls, two ontologies) the first has the annotations, and the
others are in one more annotation, `parallel`, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import IO

from kg import schema
from kg.interchange import rdf_terms as terms
from kg.interchange.elements import Edge, Node, ends
from kg.interchange.spool import Spool

PREFIXES = {
    "og": terms.VOCABULARY,
    "rdf": terms.RDF,
    "rdfs": terms.RDFS,
    "xsd": terms.XSD,
    "owl": terms.OWL,
    "skos": terms.SKOS,
    "dcterms": terms.DCTERMS,
}
_N10S_PREFIXES = {"n4sch": terms.N10S_VOCABULARY, "rdf": terms.RDF, "xsd": terms.XSD}
_CLASSES = {"Concept": "owl:Class", "Ontology": "owl:Ontology"}
RELATIONS = {
    "SUBCLASS_OF": "rdfs:subClassOf",
    "EQUIVALENT_TO": "owl:equivalentClass",
    "IN_ONTOLOGY": "rdfs:isDefinedBy",
}
"""Type -> the standard predicate that its relationships are written with too."""
_TEXTS = {
    "Concept": (
        ("label_zh", "rdfs:label", "zh"),
        ("label_en", "rdfs:label", "en"),
        ("definition", "skos:definition", "zh"),
        ("definition_en", "skos:definition", "en"),
    ),
    "Ontology": (("title_zh", "dcterms:title", "zh"), ("title_en", "dcterms:title", "en")),
    "Document": (("title", "dcterms:title", ""),),
}
_ALTERNATIVES = (("alt_zh", "zh"), ("alt_en", "en"))
Pairs = list[tuple[str, str]]
"""Predicate and object of some triples, with prefixes."""


class Names:
    """IRIs of nodes as RDF writes them. Those of ontologies and concepts are reserved: a page with one gets another.

    Args:
        displaced: label -> keys of its nodes that cannot keep their IRI.
    """

    def __init__(self, displaced: Mapping[str, Collection[str]]) -> None:
        self.displaced = displaced

    @classmethod
    def of(cls, graph: Spool) -> Names:
        """Return the names of the nodes of a graph."""
        ontologies = {node.key for node in graph.nodes("Ontology")}
        concepts = {node.key for node in graph.nodes("Concept")}
        taken = ontologies | concepts
        pages = frozenset(node.key for node in graph.nodes("Page") if node.key in taken)
        return cls({"Concept": frozenset(concepts & ontologies), "Page": pages})

    def __call__(self, label: str, key: str) -> str:
        """Return the IRI of a node in angle brackets."""
        return f"<{terms.iri(label, key, self.displaced.get(label, ()))}>"


def write(graph: Spool, stream: IO[bytes], *, turtle: bool) -> None:
    """Write Turtle or N-Triples as UTF-8.

    Args:
        graph: all nodes and relationships.
        stream: a binary file.
        turtle: write Turtle instead of N-Triples.
    """
    names = Names.of(graph)
    if turtle:
        _write_prefixes(stream, PREFIXES)
    write_elements(stream, names, graph.elements(), turtle=turtle)


def write_elements(stream: IO[bytes], names: Names, elements: Iterable[Node | Edge], *, turtle: bool = False) -> None:
    """Write nodes and relationships as N-Triples, or as Turtle without its prefixes.

    Args:
        stream: a binary file.
        names: names of the nodes.
        elements: the nodes and relationships.
        turtle: write Turtle instead of N-Triples.
    """
    number = 0
    for element in elements:
        if isinstance(element, Node):
            _write_block(stream, names(element.label, element.key), _node(element), turtle=turtle)
        else:
            number += 1
            _write_edge(stream, names, element, f"_:r{number}", turtle=turtle)


def _write_edge(stream: IO[bytes], names: Names, edge: Edge, resource: str, *, turtle: bool) -> None:
    source, target = (names(*end) for end in zip(ends(edge.type), (edge.source, edge.target), strict=True))
    direct = [(f"og:{edge.type}", target)]
    if edge.type in RELATIONS:
        direct.append((RELATIONS[edge.type], target))
    _write_block(stream, source, direct, turtle=turtle)
    if edge.type == "IN_ONTOLOGY" and (more := _alternatives(edge)):
        _write_block(stream, source, more, turtle=turtle)
    pairs = [("rdf:type", f"og:{edge.type}"), ("rdf:subject", source), ("rdf:object", target)]
    _write_block(stream, resource, pairs + _props(edge, "og"), turtle=turtle)


def write_n10s(graph: Spool, stream: IO[bytes]) -> None:
    """Write Turtle with RDF-star in the names that neosemantics keeps unchanged.

    Args:
        graph: all nodes and relationships.
        stream: a binary file.
    """
    names = Names.of(graph)
    _write_prefixes(stream, _N10S_PREFIXES)
    for node in graph.all_nodes():
        pairs = [("rdf:type", f"n4sch:{node.label}"), (f"n4sch:{schema.KEYS[node.label]}", terms.text(node.key))]
        _write_block(stream, names(node.label, node.key), pairs + _props(node, "n4sch"), turtle=True)
    for edge_type in graph.types():
        source_label, target_label = ends(edge_type)
        for (source, target), parallel in groupby(graph.edges(edge_type), lambda edge: (edge.source, edge.target)):
            subject, object_ = names(source_label, source), names(target_label, target)
            _write_block(stream, subject, [(f"n4sch:{edge_type}", object_)], turtle=True)
            about = _annotations(list(parallel))
            if about:
                _write_block(stream, f"<< {subject} n4sch:{edge_type} {object_} >>", about, turtle=True)


def _annotations(parallel: list[Edge]) -> Pairs:
    about = _props(parallel[0], "n4sch")
    if len(parallel) > 1:
        others = json.dumps([dict(edge.props) for edge in parallel[1:]], ensure_ascii=False)
        about.append(("n4sch:parallel", terms.text(others)))
    return about


def _node(node: Node) -> Pairs:
    pairs = [("rdf:type", f"og:{node.label}")]
    if node.label in _CLASSES:
        pairs.append(("rdf:type", _CLASSES[node.label]))
    pairs.append((f"og:{schema.KEYS[node.label]}", terms.text(node.key)))
    pairs += _props(node, "og")
    for prop, predicate, language in _TEXTS.get(node.label, ()):
        value = node.props.get(prop)
        if isinstance(value, str) and value:
            pairs.append((predicate, terms.text(value, language)))
    return pairs


def _alternatives(edge: Edge) -> Pairs:
    """Return skos:altLabel triples of the concept, from the labels in the ontology."""
    return [
        ("skos:altLabel", terms.text(item, language))
        for prop, language in _ALTERNATIVES
        for item in edge.props.get(prop, ())
        if isinstance(item, str) and item
    ]


def _props(element: Node | Edge, prefix: str) -> Pairs:
    pairs = []
    for name, value in element.props.items():
        quoted, datatype = terms.literal(value)
        short = datatype.replace(terms.XSD, "xsd:").replace(terms.RDF, "rdf:")
        pairs.append((f"{prefix}:{name}", f"{quoted}^^{short}" if short else quoted))
    return pairs


# ---- the two syntaxes -------------------------------------------------------------------------------------------


def _write_prefixes(stream: IO[bytes], prefixes: dict[str, str]) -> None:
    for prefix, space in prefixes.items():
        stream.write(f"@prefix {prefix}: <{space}> .\n".encode())
    stream.write(b"\n")


def _write_block(stream: IO[bytes], subject: str, pairs: Pairs, *, turtle: bool) -> None:
    lines = _turtle(subject, pairs) if turtle else _n_triples(subject, pairs)
    stream.write(("\n".join(lines) + "\n").encode())


def _turtle(subject: str, pairs: Pairs) -> Iterator[str]:
    parts = [f"{'a' if predicate == 'rdf:type' else predicate} {object_}" for predicate, object_ in pairs]
    yield f"{subject} " + " ;\n    ".join(parts) + " ."


def _n_triples(subject: str, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for predicate, object_ in pairs:
        yield f"{subject} {_whole(predicate)} {_whole(object_)} ."


def _whole(term: str) -> str:
    """Expand the prefix of a term; <IRI>, a blank node and a literal without datatype are returned unchanged."""
    head, mark, datatype = term.rpartition("^^") if term.startswith('"') and not term.endswith('"') else ("", "", term)
    prefix, colon, name = datatype.partition(":")
    if colon and prefix in PREFIXES:
        datatype = f"<{PREFIXES[prefix]}{name}>"
    return f"{head}{mark}{datatype}"
