"""Ontologies as OWL 2 files: Turtle (.ttl) and RDF/XML (.rdf, .owl), written and read without loss.

How values stand in OWL (W3C, OWL 2 Mapping to RDF Graphs, 2012):

* concept: owl:Class with rdfs:label, skos:altLabel and skos:definition, language-tagged
* subclass_of, equivalent_to: rdfs:subClassOf, owl:equivalentClass between named classes
* part_of, causes: subclass of an existential restriction on the object property oc:partOf or oc:causes (every
  instance of the part is part of some instance of the whole)
* support, confidence and evidence: an owl:Axiom that annotates the relation's axiom
* what the ontology says about itself: its owl:Ontology header, in Dublin Core terms and in annotations of oc:

Files of one ontology are byte-equal whenever they are written, so that version control shows real changes only.
"""

from __future__ import annotations

import hashlib
import re
import xml.sax
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rdflib import OWL, RDF, RDFS, SKOS, XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS
from rdflib.plugins.parsers.notation3 import BadSyntax
from rdflib.term import Node

from ontology.files import write_atomically
from ontology.model import Concept, Ontology, Relation, RelationKind

OC = Namespace("https://w3id.org/ontocrawl/vocabulary#")
_FORMATS = {".ttl": "turtle", ".rdf": "xml", ".owl": "xml"}
_NAMED: dict[RelationKind, URIRef] = {"subclass_of": RDFS.subClassOf, "equivalent_to": OWL.equivalentClass}
_RESTRICTED: dict[RelationKind, URIRef] = {"part_of": OC.partOf, "causes": OC.causes}
_PROPERTIES = (
    (OWL.ObjectProperty, OC.partOf, "是…的一部分", "part of"),
    (OWL.ObjectProperty, OC.causes, "可能导致", "may cause"),
    (OWL.AnnotationProperty, OC.support, "支持度", "support"),
    (OWL.AnnotationProperty, OC.confidence, "置信度", "confidence"),
    (OWL.AnnotationProperty, OC.evidence, "证据", "evidence"),
    (OWL.AnnotationProperty, OC.kind, "本体类别", "kind of ontology"),
    (OWL.AnnotationProperty, OC.topic, "主题", "topic"),
    (OWL.AnnotationProperty, OC.root, "根概念", "root concept"),
)
_ANNOTATIONS = (DCTERMS.title, DCTERMS.license, SKOS.altLabel, SKOS.definition)


class OwlError(ValueError):
    """A file that is no ontology of ours, or an ontology that can't be written: what, where, what to do."""


def canonical(ontology: Ontology) -> Ontology:
    """The same ontology in the order that files keep: concepts by IRI, relations by kind and ends, labels sorted."""
    concepts = (
        replace(c, alt_zh=tuple(sorted(set(c.alt_zh))), alt_en=tuple(sorted(set(c.alt_en)))) for c in ontology.concepts
    )
    relations = sorted(set(ontology.relations), key=lambda r: (r.kind, r.source, r.target))
    return replace(ontology, concepts=tuple(sorted(concepts, key=lambda c: c.iri)), relations=tuple(relations))


def write(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology, whole or not at all; the suffix names the format. OwlError for what a file can't hold."""
    path = Path(path)
    rdf_format = _format(path)
    graph = to_graph(canonical(ontology))
    text = graph.serialize(format=rdf_format, encoding="utf-8").decode("utf-8")
    write_atomically(path, (_sorted_xml(text) if rdf_format == "xml" else text).encode("utf-8"))


def _sorted_xml(text: str) -> str:
    """rdflib's RDF/XML with descriptions, and elements within each, in alphabetical order; rdflib has none.

    Its indentation tells the elements apart: within a literal no line can start with a <, which is escaped there.
    """
    head, *descriptions = re.split(r"(?m)^(?=  <rdf:Description )", text.removesuffix("</rdf:RDF>\n"))
    ordered = []
    for description in descriptions:
        opening, *elements = re.split(r"(?m)^(?=    <)", description.removesuffix("  </rdf:Description>\n"))
        ordered.append(opening + "".join(sorted(elements)) + "  </rdf:Description>\n")
    return head + "".join(sorted(ordered)) + "</rdf:RDF>\n"


def read(path: str | Path) -> Ontology:
    """Read an ontology that `write` made, in canonical order. OwlError with file, and line where the parser tells."""
    path = Path(path)
    return from_graph(_parse(path, _format(path)), str(path))


def _format(path: Path) -> str:
    found = _FORMATS.get(path.suffix.lower())
    if not found:
        raise OwlError(f"{path}: the suffix names no format that we write; use one of {', '.join(_FORMATS)}")
    return found


def _parse(path: Path, rdf_format: str) -> Graph:
    graph = Graph()
    try:
        graph.parse(data=path.read_bytes(), format=rdf_format, publicID=path.absolute().as_uri())
    except OSError as error:
        raise OwlError(f"{path} could not be read: {error.strerror or error}") from error
    except xml.sax.SAXParseException as error:
        where = f"line {error.getLineNumber()}, column {error.getColumnNumber()}"
        raise OwlError(f"{path}, {where}: not well-formed RDF/XML: {error.getMessage()}") from error
    except BadSyntax as error:
        message = str(error.message if hasattr(error, "message") else error).splitlines()[0]
        raise OwlError(f"{path}, line {error.lines + 1}: not Turtle: {message}") from error
    except Exception as error:  # rdflib's parsers raise many types for a broken file
        raise OwlError(f"{path}: not RDF that can be read: {type(error).__name__}: {error}") from error
    return graph


def to_graph(ontology: Ontology) -> Graph:
    """The ontology as RDF triples. Blank nodes have fixed names, so that two graphs of it are the same."""
    graph = Graph(bind_namespaces="none")
    for prefix, space in (
        ("owl", OWL),
        ("rdf", RDF),
        ("rdfs", RDFS),
        ("skos", SKOS),
        ("xsd", XSD),
        ("dcterms", DCTERMS),
    ):
        graph.bind(prefix, space)
    graph.bind("oc", OC)
    graph.bind("", Namespace(_namespace_of(ontology.root)))
    _add_header(graph, ontology)
    for concept in ontology.concepts:
        _add_concept(graph, concept)
    for relation in ontology.relations:
        _add_relation(graph, relation)
    return graph


def _namespace_of(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def _add_header(graph: Graph, ontology: Ontology) -> None:
    own = _iri(ontology.iri)
    graph.add((own, RDF.type, OWL.Ontology))
    graph.add((own, OWL.versionIRI, _iri(f"{ontology.iri}/{ontology.version}")))
    graph.add((own, OWL.versionInfo, _text(ontology.version)))
    graph.add((own, OC.kind, Literal(ontology.kind)))
    graph.add((own, OC.topic, _text(ontology.topic)))
    graph.add((own, OC.root, _iri(ontology.root)))
    _add_texts(graph, own, DCTERMS.title, "zh", [ontology.title_zh])
    _add_texts(graph, own, DCTERMS.title, "en", [ontology.title_en])
    _add_texts(graph, own, RDFS.comment, None, [ontology.comment])
    if ontology.licence:
        is_iri = ontology.licence.startswith(("http://", "https://"))
        graph.add((own, DCTERMS.license, _iri(ontology.licence) if is_iri else _text(ontology.licence)))
    for type_, property_, label_zh, label_en in _PROPERTIES:
        graph.add((property_, RDF.type, type_))
        _add_texts(graph, property_, RDFS.label, "zh", [label_zh])
        _add_texts(graph, property_, RDFS.label, "en", [label_en])
    for property_ in _ANNOTATIONS:
        graph.add((property_, RDF.type, OWL.AnnotationProperty))


def _add_concept(graph: Graph, concept: Concept) -> None:
    iri = _iri(concept.iri)
    graph.add((iri, RDF.type, OWL.Class))
    _add_texts(graph, iri, RDFS.label, "zh", [concept.label_zh])
    _add_texts(graph, iri, RDFS.label, "en", [concept.label_en or ""])
    _add_texts(graph, iri, SKOS.altLabel, "zh", concept.alt_zh)
    _add_texts(graph, iri, SKOS.altLabel, "en", concept.alt_en)
    _add_texts(graph, iri, SKOS.definition, "zh", [concept.definition])
    _add_texts(graph, iri, SKOS.definition, "en", [concept.definition_en])


def _add_relation(graph: Graph, relation: Relation) -> None:
    own = hashlib.sha256(f"{relation.kind} {relation.source} {relation.target}".encode()).hexdigest()[:12]
    source, target = _iri(relation.source), _iri(relation.target)
    predicate: Node = _NAMED.get(relation.kind, RDFS.subClassOf)
    value: Node = target
    if relation.kind in _RESTRICTED:
        value = BNode(f"r{own}")
        graph.add((value, RDF.type, OWL.Restriction))
        graph.add((value, OWL.onProperty, _RESTRICTED[relation.kind]))
        graph.add((value, OWL.someValuesFrom, target))
    graph.add((source, predicate, value))
    figures = _figures(relation)
    if figures:
        axiom = BNode(f"a{own}")
        graph.add((axiom, RDF.type, OWL.Axiom))
        graph.add((axiom, OWL.annotatedSource, source))
        graph.add((axiom, OWL.annotatedProperty, predicate))
        graph.add((axiom, OWL.annotatedTarget, value))
        for property_, literal in figures:
            graph.add((axiom, property_, literal))


def _figures(relation: Relation) -> list[tuple[URIRef, Literal]]:
    figures = []
    if relation.support is not None:
        figures.append((OC.support, Literal(relation.support, datatype=XSD.integer)))
    if relation.confidence is not None:
        # A plain literal of seventeen digits: rdflib shortens xsd:double in Turtle.
        figures.append((OC.confidence, Literal(repr(float(relation.confidence)))))
    if relation.evidence:
        figures.append((OC.evidence, _text(relation.evidence)))
    return figures


def _add_texts(graph: Graph, subject: Node, predicate: Node, language: str | None, texts: Iterable[str]) -> None:
    for text in texts:
        if text:
            graph.add((subject, predicate, _text(text, language)))


def _text(text: str, language: str | None = None) -> Literal:
    if any((ord(c) < 0x20 and c not in "\t\n") or c in "\x7f\ufffe\uffff" or 0xD800 <= ord(c) < 0xE000 for c in text):
        raise OwlError(f"text {text!r} has a control character, which XML does not allow; take it out")
    return Literal(text, lang=language)


def _iri(text: str) -> URIRef:
    if ":" not in text or any(c in text for c in ' <>"{}|\\^`\n\t'):
        raise OwlError(f"{text!r} is not an IRI; mint IRIs by ontology.iris")
    return URIRef(text)


def from_graph(graph: Graph, name: str) -> Ontology:
    """The ontology in a graph that `to_graph` made, in canonical order; ``name`` is for messages."""
    headers = sorted(str(s) for s in graph.subjects(RDF.type, OWL.Ontology))
    if len(headers) != 1:
        raise OwlError(f"{name}: expected one owl:Ontology header, found {len(headers)}")
    own = URIRef(headers[0])
    kind, topic, root = (_one(graph, own, p, name) for p in (OC.kind, OC.topic, OC.root))
    if kind not in ("global", "local"):
        raise OwlError(f"{name}: oc:kind must be global or local, found {kind!r}")
    concepts = tuple(_concept(graph, iri, name) for iri in _classes(graph))
    try:
        ontology = Ontology(
            iri=str(own),
            kind="global" if kind == "global" else "local",
            topic=topic,
            version=_one(graph, own, OWL.versionInfo, name),
            root=root,
            concepts=concepts,
            relations=tuple(_relations(graph, name)),
            title_zh=_first(graph, own, DCTERMS.title, "zh"),
            title_en=_first(graph, own, DCTERMS.title, "en"),
            comment=_first(graph, own, RDFS.comment, None),
            licence=str(graph.value(own, DCTERMS.license) or ""),
        )
    except ValueError as error:
        raise OwlError(f"{name}: {error}") from error
    return canonical(ontology)


def _classes(graph: Graph) -> list[URIRef]:
    return sorted({s for s in graph.subjects(RDF.type, OWL.Class) if isinstance(s, URIRef)})


def _one(graph: Graph, subject: Node, predicate: Node, name: str) -> str:
    found = list(graph.objects(subject, predicate))
    if len(found) != 1:
        raise OwlError(
            f"{name}: expected one {_short(predicate)} of <{subject}>, found {len(found)}; "
            "only ontologies written by ontocrawl can be read here"
        )
    return str(found[0])


def _short(predicate: Node) -> str:
    return str(predicate).replace(str(OC), "oc:").replace(str(OWL), "owl:").replace(str(RDFS), "rdfs:")


def _texts(graph: Graph, subject: Node, predicate: Node, language: str | None) -> list[str]:
    found = (o for o in graph.objects(subject, predicate) if isinstance(o, Literal) and o.language == language)
    return sorted(str(o) for o in found)


def _first(graph: Graph, subject: Node, predicate: Node, language: str | None) -> str:
    return next(iter(_texts(graph, subject, predicate, language)), "")


def _concept(graph: Graph, iri: URIRef, name: str) -> Concept:
    zh, en = (_texts(graph, iri, RDFS.label, language) for language in ("zh", "en"))
    if len(zh) != 1 or len(en) > 1:
        raise OwlError(f"{name}: <{iri}> must have one label @zh and at most one @en, found {len(zh)} and {len(en)}")
    return Concept(
        iri=str(iri),
        label_zh=zh[0],
        label_en=en[0] if en else None,
        alt_zh=tuple(_texts(graph, iri, SKOS.altLabel, "zh")),
        alt_en=tuple(_texts(graph, iri, SKOS.altLabel, "en")),
        definition=_first(graph, iri, SKOS.definition, "zh"),
        definition_en=_first(graph, iri, SKOS.definition, "en"),
    )


def _relations(graph: Graph, name: str) -> Iterable[Relation]:
    figures = _annotated(graph)
    kind_of: dict[Node | None, RelationKind] = {property_: kind for kind, property_ in _RESTRICTED.items()}
    for source, value in graph.subject_objects(RDFS.subClassOf):
        found = figures.get((source, RDFS.subClassOf, value), {})
        if isinstance(value, URIRef):
            yield _relation(source, "subclass_of", value, found, name)
            continue
        kind = kind_of.get(graph.value(value, OWL.onProperty))
        target = graph.value(value, OWL.someValuesFrom)
        if kind is None or target is None:
            raise OwlError(
                f"{name}: <{source}> has a superclass that is neither a class nor partOf or causes some class"
            )
        yield _relation(source, kind, target, found, name)
    for source, target in graph.subject_objects(OWL.equivalentClass):
        found = figures.get((source, OWL.equivalentClass, target), {})
        yield _relation(source, "equivalent_to", target, found, name)


def _annotated(graph: Graph) -> dict[tuple[Node | None, ...], dict[Node, str]]:
    ends = (OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget)
    return {
        tuple(graph.value(axiom, end) for end in ends): {p: str(o) for p, o in graph.predicate_objects(axiom)}
        for axiom in graph.subjects(RDF.type, OWL.Axiom)
    }


def _relation(source: Node, kind: RelationKind, target: Node, figures: dict[Node, str], name: str) -> Relation:
    def number(property_: URIRef, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(figures[property_]) if property_ in figures else None
        except ValueError:
            raise OwlError(f"{name}: {_short(property_)} of <{source}>: no number: {figures[property_]!r}") from None

    support, confidence = number(OC.support, int), number(OC.confidence, float)
    return Relation(str(source), kind, str(target), support, confidence, figures.get(OC.evidence, ""))
