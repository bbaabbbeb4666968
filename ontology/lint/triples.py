"""Facts from the triples of a file: OWL classes, or SKOS concepts, as stated, also where no `Ontology` can be made.

Source: W3C, OWL 2 Mapping to RDF Graphs (2012): rdfs:subClassOf, owl:equivalentClass, existential restrictions, and
owl:Axiom for annotated axioms. Nothing is fetched: imports are named, and a JSON-LD context must stand in the file.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rdflib import OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, URIRef
from rdflib.namespace import DC, DCTERMS
from rdflib.term import Node

from ontology.lint.facts import Class, Edge, Facts, Text
from ontology.lint.finding import LintError
from ontology.owl import formats, plain_formats

_SUFFIXES = {".ttl": "turtle", ".rdf": "xml", ".owl": "xml", ".xml": "xml", ".nt": "nt", ".n3": "n3",
             ".jsonld": "json-ld"}  # fmt: skip
_OC = "https://w3id.org/ontocrawl/vocabulary#"
_KINDS = {f"{_OC}partOf": "part_of", f"{_OC}causes": "causes"}
_HEADER = {
    "title": (DCTERMS.title, DC.title, RDFS.label),
    "version": (OWL.versionInfo, OWL.versionIRI),
    "licence": (DCTERMS.license, DCTERMS.rights, DC.rights, URIRef("http://creativecommons.org/ns#license")),
}
_LABELS, _OTHERS, _DEFINITIONS = (
    (RDFS.label, SKOS.prefLabel), (SKOS.altLabel, SKOS.hiddenLabel), (SKOS.definition, DCTERMS.description)
)  # fmt: skip


def facts_of_file(path: str | Path) -> Facts:
    """The facts in an ontology file.

    Raises:
        LintError: not readable as RDF (with the line where the parser tells), or a JSON-LD context on the network.
        OwlError: OWL/XML or functional syntax that is broken, or a suffix that names no format.
        MissingExtra: OWL/XML or functional syntax, without the extra ``owl``.
        OSError: the file can't be opened.
    """
    path = Path(path)
    rdf_format = _SUFFIXES.get(path.suffix.lower())
    data = path.read_bytes()
    if rdf_format == "xml" and b"http://www.w3.org/2002/07/owl#" in data[:4096] and b"<rdf:RDF" not in data:
        rdf_format = None  # OWL/XML, in a file called .owl
    if rdf_format is None:  # by way of N-Triples, which is triples and nothing else
        data, rdf_format = plain_formats.ntriples(formats.parse(path)).encode(), "nt"
    if rdf_format == "json-ld":
        _refuse_remote_context(data, path)
    elif rdf_format == "xml":
        _refuse_entities(data, path)
    graph = Graph(bind_namespaces="none")
    try:
        with warnings.catch_warnings():  # rdflib's JSON-LD reader uses a class that rdflib deprecates
            warnings.simplefilter("ignore", DeprecationWarning)
            graph.parse(data=data, format=rdf_format, publicID=path.absolute().as_uri())
    except Exception as error:  # rdflib's parsers raise many types for a broken file
        raise LintError(_broken(path, error)) from error
    return facts_of_graph(graph, str(path))


def _broken(path: Path, error: Exception) -> str:
    """What a parser of rdflib says, in one line with the place."""
    line = getattr(error, "lines", None)
    if isinstance(line, int):
        line += 1
    elif hasattr(error, "getLineNumber"):
        line = error.getLineNumber()
    told = [t for t in str(error).strip().splitlines() if not t.startswith("at line")] or [type(error).__name__]
    where = f"{path}, line {line}" if line else str(path)
    return f"{where}: not RDF that can be read: {told[0][:200]}; mend the syntax first, lint reads whole files only"


_ENTITY = re.compile(rb"""<!ENTITY\s+(%\s+)?([^\s"']+)\s+("[^"]*"|'[^']*'|SYSTEM|PUBLIC)""")


def _refuse_entities(data: bytes, path: Path) -> None:
    """Abbreviations of namespaces, as ontology editors write them, pass; entities that grow or load something don't."""
    for percent, name, value in _ENTITY.findall(data.replace(b"\0", b"")):  # without the zeros of UTF-16
        if percent or value in (b"SYSTEM", b"PUBLIC") or b"&" in value or b"%" in value or len(value) > 1000:
            raise LintError(f"{path}: its entity {name.decode('utf-8', 'replace')!r} loads a file, refers to another "
                            "entity or is over-long; only short entities for namespaces are read")  # fmt: skip


def _refuse_remote_context(data: bytes, path: Path) -> None:
    try:
        document = json.loads(data)
    except ValueError as error:
        raise LintError(f"{path}: not JSON: {error}") from error
    remote = next(_remote(document), None)
    if remote:
        raise LintError(f"{path}: its JSON-LD context {remote!r} is elsewhere, and nothing is fetched; "
                        "put the context into the file")  # fmt: skip


def _remote(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            context = item.get("@context")
            inner = context if isinstance(context, list) else [context]
            yield from (c for c in inner if isinstance(c, str))
            yield from (c["@import"] for c in inner if isinstance(c, dict) and isinstance(c.get("@import"), str))
            stack += item.values()
        elif isinstance(item, list):
            stack += item


def facts_of_graph(graph: Graph, name: str) -> Facts:
    """The facts in an RDF graph; ``name`` is for messages. Classes and properties without an IRI are left out."""
    kinds = (OWL.Ontology, SKOS.ConceptScheme)
    named = (sorted(str(s) for s in graph.subjects(RDF.type, kind) if isinstance(s, URIRef)) for kind in kinds)
    headers = tuple(next(filter(None, named), ()))
    own = URIRef(headers[0]) if headers else None
    missing = tuple(n for n, ps in _HEADER.items() if own is not None and not any(graph.value(own, p) for p in ps))
    root = graph.value(own, URIRef(f"{_OC}root")) if own is not None else None
    return Facts(
        name=name,
        iri=headers[0] if headers else name,
        headers=headers,
        root=str(root) if root is not None else None,
        classes=tuple(_class(graph, iri) for iri in _classes(graph)),
        edges=tuple(_edges(graph)),
        missing=missing,
        imports=tuple(sorted(str(o) for s in headers for o in graph.objects(URIRef(s), OWL.imports))),
        undeclared_properties=_undeclared_properties(graph),
        loose_notes=tuple(_loose_notes(graph)),
    )


def _classes(graph: Graph) -> list[URIRef]:
    kinds = (OWL.Class, RDFS.Class, SKOS.Concept)
    found = {s for kind in kinds for s in graph.subjects(RDF.type, kind)}
    return sorted(s for s in found if isinstance(s, URIRef) and s not in (OWL.Thing, OWL.Nothing))


def _class(graph: Graph, iri: URIRef) -> Class:
    def texts(properties: tuple[Node, ...]) -> tuple[Text, ...]:
        values = (o for p in properties for o in graph.objects(iri, p) if isinstance(o, Literal))
        return tuple(sorted({_text(v) for v in values}, key=lambda t: (t.language, t.value)))

    return Class(str(iri), texts(_LABELS), texts(_OTHERS), texts(_DEFINITIONS))


def _text(value: Literal) -> Text:
    """Region and script of a language tag are left out: zh-Hans is zh."""
    return Text((value.language or "").split("-")[0].lower(), str(value))


def _edges(graph: Graph) -> Iterator[Edge]:
    notes: dict[tuple[Node, ...], list[Node]] = defaultdict(list)
    for axiom, ends in _notes(graph):
        notes[ends].append(axiom)
    for source, kind, target, triple in sorted(_stated(graph), key=lambda e: e[:3]):
        if triple not in notes:
            yield Edge(source, kind, target)
        for axiom in sorted(notes[triple], key=str):  # an axiom that is annotated twice is a doubled edge
            yield _edge(graph, source, kind, target, axiom)


def _stated(graph: Graph) -> Iterator[tuple[str, str, str, tuple[Node, ...]]]:
    for predicate, kind in ((RDFS.subClassOf, "subclass_of"), (OWL.equivalentClass, "equivalent_to"),
                            (SKOS.broader, "subclass_of")):  # fmt: skip
        for source, value in graph.subject_objects(predicate):
            triple = (source, predicate, value)
            if not isinstance(source, URIRef) or value in (OWL.Thing, OWL.Nothing):
                continue
            if isinstance(value, URIRef):
                yield str(source), kind, str(value), triple
            elif predicate == RDFS.subClassOf:
                property_, target = graph.value(value, OWL.onProperty), graph.value(value, OWL.someValuesFrom)
                if isinstance(property_, URIRef) and isinstance(target, URIRef):
                    yield str(source), _KINDS.get(str(property_), str(property_)), str(target), triple
    for narrower, value in graph.subject_objects(SKOS.narrower):
        if isinstance(value, URIRef) and (value, SKOS.broader, narrower) not in graph:
            yield str(value), "subclass_of", str(narrower), (narrower, SKOS.narrower, value)


def _edge(graph: Graph, source: str, kind: str, target: str, axiom: Node) -> Edge:
    return Edge(
        source, kind, target,
        support=_number(graph, axiom, "support", int),
        confidence=_number(graph, axiom, "confidence", float),
        evidence=str(graph.value(axiom, URIRef(f"{_OC}evidence")) or ""),
    )  # fmt: skip


def _number(graph: Graph, axiom: Node, name: str, kind: Any) -> Any:
    value = graph.value(axiom, URIRef(_OC + name))
    try:
        return None if value is None else kind(str(value))
    except ValueError:
        return None


def _notes(graph: Graph) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    ends = (OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget)
    for axiom in graph.subjects(RDF.type, OWL.Axiom):
        found = tuple(graph.value(axiom, end) for end in ends)
        whole = tuple(node for node in found if node is not None)
        if len(whole) == len(ends):
            yield axiom, whole


def _loose_notes(graph: Graph) -> Iterator[tuple[str, str, str]]:
    for _, (source, property_, target) in sorted(_notes(graph), key=lambda n: [str(end) for end in n[1]]):
        named = not isinstance(source, BNode) and not isinstance(target, BNode)
        if named and (source, property_, target) not in graph:
            yield str(source), str(property_), str(target)


def _undeclared_properties(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    kinds = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property)
    found: dict[str, set[str]] = defaultdict(set)
    for restriction, property_ in graph.subject_objects(OWL.onProperty):
        if isinstance(property_, URIRef) and not any((property_, RDF.type, k) in graph for k in kinds):
            users = {str(s) for s in graph.subjects(RDFS.subClassOf, restriction) if isinstance(s, URIRef)}
            found[str(property_)] |= users
    return {property_: tuple(sorted(users)) for property_, users in sorted(found.items())}
