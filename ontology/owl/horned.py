"""OWL functional syntax and OWL/XML, written and read by py-horned-owl (an extra: ``owl``); Manchester syntax, read.

Writing: the axioms are added to the library one by one, because it keeps their order. Reading: the library translates a
text to RDF/XML, which is then read as any RDF.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ontology.extras import require
from ontology.owl import plain_formats
from ontology.owl.triples import Axioms, Term, Text, Triples, is_blank, is_iri, prefixes
from ontology.owl.turtle import SAFE, own_namespace
from ontology.owl.vocabulary import AXIOM_ENDS, OC, OWL, RDF, RDFS, TYPE, OwlError, local_part, namespace_of

FUNCTIONAL, OWL_XML, MANCHESTER = "functional", "owlxml", "manchester"
TITLES = {FUNCTIONAL: "OWL functional syntax", OWL_XML: "OWL/XML", MANCHESTER: "Manchester syntax"}
_SUPERCLASSES = (RDFS.subClassOf, OWL.equivalentClass)
_DECLARED = (OWL.Class, OWL.ObjectProperty, OWL.AnnotationProperty)
_ANNOTATIONS = frozenset({
    RDFS.label, RDFS.comment, RDFS.seeAlso, RDFS.isDefinedBy, OWL.versionInfo, OWL.versionIRI, OWL.priorVersion,
    OWL.deprecated, OWL.backwardCompatibleWith, OWL.incompatibleWith,
})  # fmt: skip
"""Annotation properties of OWL itself, and owl:versionIRI."""
_SERIAL = {FUNCTIONAL: "ofn", OWL_XML: "owx", MANCHESTER: "omn"}
_POSITION = re.compile(r"line_col: Pos\(\((\d+), (\d+)\)\)")
_BYTE = re.compile(r"BytePosition\((\d+)\)")
_WANTED = re.compile(r"positives: \[([^\]]*)\]")


def as_rdf_xml(text: str, owl_format: str, path: Path) -> tuple[str, Triples]:
    """Translate a text in one of the three syntaxes to RDF/XML.

    Args:
        text: content of the file.
        owl_format: one of TITLES.
        path: the file, for messages.

    Returns:
        RDF/XML, and the triples of axioms that the library does not write in it; what has none of these either is
        counted in their `Triples.left`.

    Raises:
        OwlError: the text is broken; with the line if the library reports it.
    """
    purpose = f"reading {TITLES[owl_format]}"
    horned, model = (require(module, "owl", purpose) for module in ("pyhornedowl", "pyhornedowl.model"))
    if owl_format == OWL_XML:
        text = _without_empty_prefix(text)
    try:
        opened = horned.open_ontology_from_string(text, _SERIAL[owl_format])
        translated: str = opened.save_to_string("owl")
    except ValueError as error:
        raise _broken(str(error), text, owl_format, path) from error
    others = Triples()
    written = _written(horned, translated)
    lost = [
        row for row in opened.get_components()
        if "_:" not in str(row.component)
        and (_is_unwritten(row, model) if written is None else _said(row) not in written)
    ]  # fmt: skip
    for number, row in enumerate(sorted(lost, key=lambda row: str(row.component))):
        if isinstance(row.component, model.Import) and opened.get_iri():
            others.add(str(opened.get_iri()), OWL.imports, str(row.component.first))
        elif not _add_disjoint(others, row.component, model, f"_:d{number}"):
            others.left.setdefault(f"{type(row.component).__name__} that cannot be read", []).append(
                str(row.component)[:80]
            )
    return translated.replace("\r", "&#13;"), others


def _written(horned: Any, rdf_xml: str) -> set[str] | None:
    """Return the axioms that a translation has; None where the library, which wants all names declared, refuses it."""
    try:
        return {_said(row) for row in horned.open_ontology_from_string(rdf_xml, "owl").get_components()}
    except ValueError:
        return None


def _is_unwritten(row: Any, model: Any) -> bool:
    """Return whether an axiom is of the kinds that the library is known not to write in RDF/XML."""
    component = row.component
    return isinstance(component, model.Import) or (
        isinstance(component, model.DisjointClasses) and len(list(component.first)) > 2
    )


def _said(row: Any) -> str:
    """Return an axiom as text; language tags differ in case only, and a plain literal may say that it is a string."""
    return str(row.component).lower().replace("^^<http://www.w3.org/2001/xmlschema#string>", "")


def _add_disjoint(triples: Triples, component: Any, model: Any, node: str) -> bool:
    """Add an axiom of several disjoint named classes; return whether it is one."""
    if not isinstance(component, model.DisjointClasses):
        return False
    members = list(component.first)
    if not all(isinstance(member, model.Class) for member in members):
        return False
    triples.add(node, TYPE, OWL.AllDisjointClasses)
    links = [f"{node}m{n}" for n in range(len(members))]
    triples.add(node, OWL.members, links[0])
    for link, member, after in zip(links, members, [*links[1:], RDF.nil], strict=True):
        triples.add(link, RDF.first, str(member.first))
        triples.add(link, RDF.rest, after)
    return True


def _without_empty_prefix(text: str) -> str:
    """Remove the empty prefix if no abbreviated IRI needs it.

    OWL/XML (W3C 2012, section 3.1) resolves a relative IRI against xml:base; the library puts the empty prefix before
    it.
    """
    if re.search(r"abbreviatedIRI\s*=\s*[\"']:", text) or "<AbbreviatedIRI>:" in text or "xml:base" not in text:
        return text
    return re.sub(r"<Prefix\s+name=\"\"[^>]*/>", "", text)


def _broken(message: str, text: str, owl_format: str, path: Path) -> OwlError:
    line = int(found.group(1)) if (found := _POSITION.search(message)) else None
    if line is None and (found := _BYTE.search(message)):
        line = text.encode()[: int(found.group(1))].count(b"\n") + 1
    wanted = found.group(1) if (found := _WANTED.search(message)) else ""
    reason = f"expected {wanted}" if wanted else message.removeprefix("Failed to open ontology: ")
    where = f"{path}, line {line}" if line else str(path)
    return OwlError("owl.not_read", where=where, titles=TITLES[owl_format], reason=reason)


def serialise(triples: Triples, owl_format: str) -> str:
    """Return triples of `graph.to_triples` in one of the two syntaxes that are written.

    Args:
        triples: the triples.
        owl_format: functional syntax or OWL/XML.
    """
    purpose = f"writing {TITLES[owl_format]}"
    horned, model = (require(module, "owl", purpose) for module in ("pyhornedowl", "pyhornedowl.model"))
    ontology = horned.PyIndexedOntology()
    if owl_format == FUNCTIONAL:  # in OWL/XML the library writes a short form that no reader would resolve
        _add_prefixes(ontology, triples)
    simple, others = _parted(triples)
    axioms = _Axioms(model, simple)
    for component, evidence in axioms.all():
        ontology.add_component(component, evidence)
    for component, evidence in _translated(horned, model, others):
        ontology.add_component(component, evidence)
    text: str = ontology.save_to_string(_SERIAL[owl_format])
    return text.replace("\r", "&#13;") if owl_format == OWL_XML else text


def _parted(triples: Triples) -> tuple[Triples, Triples]:
    """Part the triples into those that `_Axioms` makes components of, and all others, with the declarations.

    Args:
        triples: the triples.

    Returns:
        Declarations, annotations of named things and of relations between named classes; the rest, empty if there is
        none.
    """
    declared = _ANNOTATIONS | set(triples.of_type(OWL.AnnotationProperty))
    header = next((subject for subject, _ in triples.pairs(OC.kind)), next(iter(triples.of_type(OWL.Ontology)), ""))
    simple, others, inside = Triples(), Triples(), set()
    for subject, predicate, value in triples:
        if is_blank(subject):
            continue
        if predicate in _SUPERCLASSES and is_blank(value):
            said = dict(triples.statements(str(value)))
            parts = said.get(OWL.onProperty), said.get(OWL.someValuesFrom)
            if said.keys() != {TYPE, OWL.onProperty, OWL.someValuesFrom} or any(
                part is None or is_blank(part) for part in parts
            ):
                continue
            inside.add(value)
        elif predicate == TYPE:
            if value not in _DECLARED and not (value == OWL.Ontology and subject == header):
                continue
        elif predicate not in (*_SUPERCLASSES, *declared) or is_blank(value):
            continue
        simple.add(subject, predicate, value)
    annotated = triples.annotated()
    for (source, predicate_, target), nodes in ((tuple(ends), nodes) for ends, nodes in annotated.items()):
        if target in simple.objects(str(source), str(predicate_)):
            inside |= {
                n for n in nodes if not any(is_blank(o) for p, o in triples.statements(n) if p not in AXIOM_ENDS)
            }
    for subject, predicate, value in triples:
        if subject in inside:
            simple.add(subject, predicate, value)
        elif value not in simple.objects(subject, predicate):
            others.add(subject, predicate, value)
    if not len(others):
        return simple, others
    for subject, predicate, value in triples:
        if predicate == TYPE and isinstance(value, str) and value.startswith(OWL.iri) and not is_blank(subject):
            others.add(subject, predicate, value)
    return simple, others


def _translated(horned: Any, model: Any, others: Triples) -> Iterator[tuple[Any, set[Any]]]:
    """Yield the library's own components of triples, in a fixed order; what it makes none of is left out."""
    if not len(others):
        return
    opened = horned.open_ontology_from_string(plain_formats.rdf_xml(plain_formats.with_names_of_xml(others)), "owl")
    known = (model.OntologyID, model.DeclareClass, model.DeclareObjectProperty, model.DeclareAnnotationProperty)
    found = [row for row in opened.get_components() if not isinstance(row.component, known)]
    for row in sorted(found, key=lambda row: (str(row.component), sorted(map(str, row.ann)))):
        yield row.component, set(row.ann)
    for axiom in others.of_type(OWL.AllDisjointClasses):  # the library writes these, and does not read them
        members = others.members(others.node(axiom, OWL.members))
        if len(members) > 1 and all(map(is_iri, members)):
            yield model.DisjointClasses([model.Class(model.IRI.parse(iri)) for iri in members]), set()


def _add_prefixes(ontology: Any, triples: Triples) -> None:
    """Add the prefixes of namespaces whose local parts are all plain.

    The library would abbreviate others to names that it cannot read (``:a.``).
    """
    odd = {namespace_of(s) for s in triples.subjects() if not SAFE.fullmatch(local_part(s))}
    namespace = own_namespace(triples)
    declared = {prefix: space for prefix, space in prefixes(triples, of_build=True).items() if space != namespace}
    for prefix, space in (({"": namespace} if namespace else {}) | declared).items():
        if space not in odd:
            ontology.add_prefix_mapping(prefix, space)


class _Axioms:
    """Our triples as the library's components."""

    def __init__(self, model: Any, triples: Triples) -> None:
        self._model = model
        self._triples = triples
        self._iri = lru_cache(maxsize=None)(model.IRI.parse)

    def all(self) -> Iterator[tuple[Any, set[Any]]]:
        m, triples = self._model, self._triples
        annotated = triples.annotated()
        declared: dict[str, Callable[[Any], Any]] = {
            OWL.Class: lambda i: m.DeclareClass(m.Class(i)),
            OWL.ObjectProperty: lambda i: m.DeclareObjectProperty(m.ObjectProperty(i)),
            OWL.AnnotationProperty: lambda i: m.DeclareAnnotationProperty(m.AnnotationProperty(i)),
        }
        for subject in triples.subjects():
            if is_blank(subject):
                continue
            types = triples.objects(subject, TYPE)
            for type_, declare in declared.items():
                if type_ in types:
                    yield declare(self._iri(subject)), set()
            if OWL.Ontology in types:
                yield from self._header(subject)
            else:
                yield from self._statements(subject, annotated)

    def _header(self, ontology_iri: str) -> Iterator[tuple[Any, set[Any]]]:
        version = self._triples.node(ontology_iri, OWL.versionIRI)
        yield self._model.OntologyID(self._iri(ontology_iri), self._iri(version) if version else None), set()
        for predicate in self._triples.predicates(ontology_iri):
            if predicate not in (TYPE, OWL.versionIRI):
                for annotation, _ in self._annotations(ontology_iri, predicate):
                    yield self._model.OntologyAnnotation(annotation), set()

    def _statements(self, subject: str, annotated: Axioms) -> Iterator[tuple[Any, set[Any]]]:
        m = self._model
        for predicate in self._triples.predicates(subject):
            if predicate == TYPE:
                continue
            if predicate not in (RDFS.subClassOf, OWL.equivalentClass):
                for annotation, value in self._annotations(subject, predicate):
                    for axiom in annotated.get((subject, predicate, value), [""]):
                        yield m.AnnotationAssertion(self._iri(subject), annotation), self._evidence(axiom)
                continue
            for value in map(str, self._triples.objects(subject, predicate)):
                ends = self._expression(subject), self._expression(value)
                component = m.SubClassOf(*ends) if predicate == RDFS.subClassOf else m.EquivalentClasses(list(ends))
                for axiom in annotated.get((subject, predicate, value), [""]):
                    yield component, self._evidence(axiom)

    def _evidence(self, axiom: str) -> set[Any]:
        predicates = (p for p in self._triples.predicates(axiom) if p not in (TYPE, *AXIOM_ENDS))
        return {annotation for p in predicates for annotation, _ in self._annotations(axiom, p)}

    def _expression(self, node: str) -> Any:
        m = self._model
        if not is_blank(node):
            return m.Class(self._iri(node))
        property_, target = (str(self._triples.node(node, p)) for p in (OWL.onProperty, OWL.someValuesFrom))
        return m.ObjectSomeValuesFrom(m.ObjectProperty(self._iri(property_)), m.Class(self._iri(target)))

    def _annotations(self, subject: str, predicate: str) -> Iterator[tuple[Any, Term]]:
        """Yield the annotations of a subject by a predicate, each with its value as a term of the triples."""
        m = self._model
        for value in self._triples.objects(subject, predicate):
            if not isinstance(value, Text):
                annotation = self._iri(value)
            elif value.language:
                annotation = m.LanguageLiteral(value.value, value.language)
            elif value.datatype:
                annotation = m.DatatypeLiteral(value.value, self._iri(value.datatype))
            else:
                annotation = m.SimpleLiteral(value.value)
            yield m.Annotation(m.AnnotationProperty(self._iri(predicate)), annotation), value
