"""Foreign ontologies and thesauri: their classes, labels and hierarchy, and a report of what was left out.

A foreign file may have many roots, labels without language, classes that only an import declares, expressions without
a name, and cycles. Each has a fixed interpretation, which is reported:

* classes are owl:Class, rdfs:Class and skos:Concept, and everything above or below one
* rdfs:subClassOf, skos:broader, and "some broader X" make a subclass; a class that is defined as an intersection is a
  subclass of each named class in it (that much is entailed)
* classes on a cycle become equivalent, which is the meaning of a cycle of rdfs:subClassOf
* deprecated classes are kept apart, with their names and what replaces them, and without relations; a subclass of one
  becomes a subclass of what is above that
* several roots get a virtual one above them, named after the ontology
* owl:imports is ignored and reported
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from ontology.errors import Message
from ontology.iris import equal_names
from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.owl import naming
from ontology.owl.census import Reading
from ontology.owl.contents import Header, Loaded, Report, is_date
from ontology.owl.deprecation import BRIDGED, OBSOLETE, bridges, deprecated
from ontology.owl.graph import canonical
from ontology.owl.triples import Text, Triples, is_blank, is_iri, legible, lexical
from ontology.owl.vocabulary import (
    DC,
    DCTERMS,
    OC,
    OWL,
    RDF,
    RDFS,
    SKOS,
    TYPE,
    XSD,
    OwlError,
    local_part,
    namespace_of,
    short,
)

_CLASSES = (OWL.Class, RDFS.Class, SKOS.Concept, OWL.DeprecatedClass)
_BUILT_IN = (OWL.iri, RDF.iri, RDFS.iri, XSD.iri)
_HEADERS = (OWL.Ontology, SKOS.ConceptScheme)
_OBO_PART_OF = "http://purl.obolibrary.org/obo/BFO_0000050"
_PART_OF = frozenset({"partof", "part_of", "ispartof", "is_part_of"})
_CAUSES = frozenset({"causes", "cause", "iscauseof", "is_cause_of"})
_MEASURED_BY = frozenset({"measuredby", "measured_by", "ismeasuredby", "is_measured_by"})
_TITLES = (DCTERMS.title, DC.title, SKOS.prefLabel, RDFS.label)
_COMMENTS = (DCTERMS.description, DC.description, SKOS.definition, RDFS.comment)
_LICENCES = (DCTERMS.license, "http://creativecommons.org/ns#license", DCTERMS.rights, DC.rights)
_CREATORS = (DCTERMS.creator, DC.creator)
_PEOPLE = ("http://xmlns.com/foaf/0.1/name", RDFS.label)


def from_triples(triples: Triples, name: str) -> Loaded:
    """Convert a foreign ontology to ours.

    Args:
        triples: content of the file.
        name: the file, for messages.

    Raises:
        OwlError: there is no class.
    """
    reading = Reading(triples, name)
    headers = triples.of_type(*_HEADERS)
    iris = _classes(reading)
    if not iris:
        raise OwlError("owl.expected_owl_ontology_header_classes_owl", name=name, n_headers=len(headers))
    dead = iris & deprecated(triples)
    if dead == iris:
        raise OwlError("owl.all_classes_deprecated_expected", name=name, n_dead=len(dead))
    notes: list[str] = []
    ontology_iri = _header_iri(triples, headers, iris, notes)
    gone = [naming.concept(reading, iri, iris) for iri in sorted(dead)]
    stated = set(_edges(reading, iris))
    stated = _among_live(reading, stated - _on_cycles(reading, stated, notes), dead)
    iris -= dead
    concepts = [naming.concept(reading, iri, iris) for iri in sorted(iris)]
    edges, cycles = _without_cycles(sorted(stated))
    for source, kind, target, _ in stated - set(edges):
        if kind == "subclass_of" and target in triples.objects(source, RDFS.subClassOf):
            reading.replace(source, RDFS.subClassOf, target, "subclass on a cycle, which the equivalence implies")
    for cycle in cycles:
        notes.append(Message("owl.note_cycle", cycle=" -> ".join(map(short, cycle))))
    header, parts = _header(reading, ontology_iri)
    thesaurus = not any(is_iri(iri) for iri in triples.of_type(OWL.Class, RDFS.Class))
    title_zh, title_en = parts["title_zh"], parts["title_en"]
    topic = re.sub(r"[^A-Za-z0-9_-]+", "-", _last_part(ontology_iri)).strip("-") or "ontology"
    root, added = _rooted(sorted(iris), edges, _virtual(ontology_iri))
    if added:
        notes.append(Message("owl.note_root", classes=len(added), root=root))
        concepts.append(Concept(root, title_zh, title_en or (None if title_zh else topic)))
    ontology = Ontology(
        ontology_iri, "global", topic, parts["version"], root, tuple(concepts), tuple(_relations([*edges, *added])),
        tuple(gone),
        title_zh=title_zh, title_en=title_en, comment=parts["comment"], licence=parts["licence"],
    )  # fmt: skip
    imports = {str(o) for s in triples.subjects() for o in reading.take(s, OWL.imports)}
    skipped, examples = reading.skipped(iris | dead, headers)
    if dead:
        notes.append(Message("owl.note_deprecated", classes=len(dead)))
    said = tuple(notes + _notes(triples, iris, concepts) + naming.names_of_other_kinds(triples, iris | dead))
    report = Report(skipped, examples, tuple(sorted(imports)), said, reading.changed)
    return Loaded(
        canonical(ontology), header, report, own=False, source=triples, used=reading.used, replaced=reading.replaced,
        thesaurus=thesaurus,
    )  # fmt: skip


def _among_live(reading: Reading, edges: set[_Edge], dead: set[str]) -> set[_Edge]:
    """Return the edges of live classes, with what a deprecated superclass stood between."""
    for iri in dead:
        reading.take(iri, OWL.deprecated)
    kept = {edge for edge in edges if edge[0] not in dead and edge[2] not in dead}
    for source, _, target, _ in sorted(edges - kept):
        reading.skip("relation of a deprecated class", source if source in dead else target)
    pairs = bridges([(s, t) for s, kind, t, _ in edges if kind == "subclass_of"], dead)
    return kept | {(source, "subclass_of", target, f"imported: {BRIDGED}") for source, target in pairs}


def _relations(edges: list[_Edge]) -> Iterator[Relation]:
    """Yield one relation for each kind and pair; several sources of evidence are listed together."""
    evidence_of: dict[tuple[str, RelationKind, str], list[str]] = {}
    for source, kind, target, evidence in edges:
        evidence_of.setdefault((source, kind, target), []).append(evidence)
    return (Relation(*key, evidence=", ".join(sorted(set(sources)))) for key, sources in evidence_of.items())


def _classes(reading: Reading) -> set[str]:
    """Return the IRIs of classes and concepts, and of everything above or below one."""
    triples = reading.triples
    iris = {s for s in triples.of_type(*_CLASSES) if is_iri(s)}
    for subject, predicate, value in triples:
        if predicate in (RDFS.subClassOf, OWL.equivalentClass, SKOS.broader, SKOS.narrower):
            iris.update(str(node) for node in (subject, value) if is_iri(node))
    classes = {iri for iri in iris if not iri.startswith(_BUILT_IN) and iri != OBSOLETE}
    reading.mark_all(OBSOLETE)
    for iri in classes:
        for type_ in _CLASSES:
            reading.mark(iri, TYPE, type_)
    return classes


def _header_iri(triples: Triples, headers: list[str], iris: set[str], notes: list[str]) -> str:
    named = [h for h in headers if is_iri(h)]
    if named:
        ontology_iri = max(
            named, key=lambda h: (OWL.Ontology in triples.objects(h, TYPE), len(triples.predicates(h)), h)
        )
        if len(named) > 1:
            notes.append(Message("owl.note_headers", headers=len(named), iri=ontology_iri))
        return ontology_iri
    spaces = Counter(namespace_of(iri) for iri in sorted(iris))
    ontology_iri = spaces.most_common(1)[0][0].rstrip("/#")
    notes.append(Message("owl.note_no_header", iri=ontology_iri))
    return ontology_iri


def _virtual(ontology_iri: str) -> str:
    """Return the IRI of the virtual root; an IRI has one fragment at most."""
    iri = ontology_iri.rstrip("/#")
    return f"{iri}-virtual-root" if "#" in iri else f"{iri}#virtual-root"


def _last_part(iri: str) -> str:
    return local_part(iri.rstrip("/#"))


def _edges(reading: Reading, iris: set[str]) -> Iterator[_Edge]:
    triples = reading.triples
    for iri in iris:
        for predicate, kind in ((RDFS.subClassOf, "subclass_of"), (OWL.equivalentClass, "equivalent_to")):
            for value in triples.objects(iri, predicate):
                if value == iri:
                    reading.replace(iri, predicate, value, "class below or equivalent to itself")
                elif is_blank(value):
                    yield from _of_expression(reading, iri, predicate, str(value), iris)
                elif value in iris:
                    reading.mark(iri, predicate, value)
                    yield from _edge(iri, "subclass_of" if kind == "subclass_of" else "equivalent_to", str(value), "")
                elif value == OBSOLETE and kind == "subclass_of":
                    reading.mark(iri, predicate, value)
        for predicate in triples.predicates(iri):
            kind_of = _kind(triples, predicate)
            for value in triples.objects(iri, predicate):
                if not isinstance(value, str) or value not in iris:
                    continue
                if value == iri and (predicate in (SKOS.narrower, SKOS.exactMatch) or kind_of):
                    reading.replace(iri, predicate, value, "relation of a class to itself")
                    continue
                if predicate == SKOS.narrower:
                    yield from _edge(value, "subclass_of", iri, "skos:narrower")
                elif predicate == SKOS.exactMatch:
                    yield from _edge(iri, "equivalent_to", value, "skos:exactMatch")
                elif kind_of:
                    yield from _edge(iri, kind_of, value, short(predicate))
                else:
                    continue
                reading.mark(iri, predicate, value)
        for predicate in (SKOS.inScheme, SKOS.topConceptOf):
            reading.take(iri, predicate)


def _edge(source: str, kind: RelationKind, target: str, evidence: str) -> Iterator[_Edge]:
    """Yield an edge, but none from a class to itself; equivalence has the smaller IRI first."""
    if kind == "equivalent_to":
        source, target = sorted((source, target))
    if source != target:
        yield source, kind, target, f"imported: {evidence}" if evidence else "imported"


def _of_expression(reading: Reading, iri: str, predicate: str, node: str, iris: set[str]) -> Iterator[_Edge]:
    """Yield the edges of a class expression: some values of a known property, intersections."""
    triples = reading.triples
    property_, target = triples.node(node, OWL.onProperty), triples.node(node, OWL.someValuesFrom)
    if property_ and target in iris and predicate == RDFS.subClassOf:
        kind = _kind(triples, property_)
        if kind and target != iri:  # the model has no relation of a class to itself
            reading.mark(iri, predicate, node)
            reading.mark_all(node)
            yield from _edge(iri, kind, str(target), f"some {short(property_)}")
        return
    parts = triples.members(triples.node(node, OWL.intersectionOf))
    others = [part for part in parts if part in iris and part != iri]
    for part in others:
        yield from _edge(iri, "subclass_of", part, "intersection")
    named = [part in iris for part in parts]
    if others and all(named) and predicate == RDFS.subClassOf:
        reading.mark(iri, predicate, node)
        reading.mark_all(node)
    elif others:
        unnamed = "part of an intersection without a name"
        defining = "intersection that defines a class; kept as its superclasses"
        reading.skip(defining if all(named) else unnamed, iri, (iri, predicate, node))


def _kind(triples: Triples, property_: str) -> RelationKind | None:
    """Return the relation that a property, or a property above it, represents."""
    waiting, seen = [property_], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        local = local_part(name).lower()
        if name == SKOS.broader:
            return "subclass_of"
        if name in (OC.partOf, _OBO_PART_OF) or local in _PART_OF:
            return "part_of"
        if name == OC.causes or local in _CAUSES:
            return "causes"
        if name == OC.measuredBy or local in _MEASURED_BY:
            return "measured_by"
        waiting += [str(o) for o in triples.objects(name, RDFS.subPropertyOf) if is_iri(o)]
    return None


def _header(reading: Reading, ontology_iri: str) -> tuple[Header, dict[str, str]]:
    for type_ in _HEADERS:
        reading.mark(ontology_iri, TYPE, type_)
    title_zh, title_en = naming.by_language(reading, ontology_iri, _TITLES)
    comment_zh, comment_en = naming.by_language(reading, ontology_iri, _COMMENTS)
    version_iri, *others = sorted(filter(is_iri, reading.take(ontology_iri, OWL.versionIRI))) or [""]
    for other in others:
        reading.replace(ontology_iri, OWL.versionIRI, other, "header: further owl:versionIRI")
    versions = sorted(filter(None, _versions(reading, ontology_iri)))
    version = versions[0] if versions else _last_part(str(version_iri)) if version_iri else "0"
    licences = [
        (predicate, o) for predicate in _LICENCES
        for o in sorted(reading.triples.objects(ontology_iri, predicate), key=lexical)
    ]  # fmt: skip
    for predicate, licence in licences[:1]:
        reading.mark(ontology_iri, predicate, licence)
    reading.take(ontology_iri, SKOS.hasTopConcept)
    header = Header(
        _date(reading, ontology_iri, DCTERMS.created),
        _date(reading, ontology_iri, DCTERMS.modified),
        _people(reading, ontology_iri),
        version_iri=str(version_iri),
    )
    return header, {
        "title_zh": title_zh,
        "title_en": title_en,
        "comment": comment_en or comment_zh,
        "version": version or "0",
        "licence": next((_plain(o) for _, o in licences), ""),
    }


def _versions(reading: Reading, ontology_iri: str) -> Iterator[str]:
    """Yield the versions; only the first one is written, as it is read."""
    stated = reading.take(ontology_iri, OWL.versionInfo)
    for other in (o for o in stated if not isinstance(o, Text)):
        reading.replace(ontology_iri, OWL.versionInfo, other, "header: owl:versionInfo that is no text")
    told = [o for o in stated if isinstance(o, Text)]
    first = min((legible(o.value) for o in told if legible(o.value)), default="")
    for text in told:
        yield legible(text.value)
        if text != Text(first):
            reason = (
                "header: further owl:versionInfo" if legible(text.value) != first else "header: tag of owl:versionInfo"
            )
            reading.replace(ontology_iri, OWL.versionInfo, text, reason)


def _plain(term: str | Text) -> str:
    return legible(term.value) if isinstance(term, Text) else term


def _date(reading: Reading, ontology_iri: str, predicate: str) -> str:
    stated = reading.triples.objects(ontology_iri, predicate)
    first = min((o for o in stated if isinstance(o, Text) and is_date(o.value)), default=None)
    if first:
        reading.mark(ontology_iri, predicate, first)
    return first.value if first else ""


def _people(reading: Reading, ontology_iri: str) -> tuple[str, ...]:
    """Return the names of the creators; who is named again, in another way, is counted."""
    people: set[str] = set()
    stated = ((p, o) for p in _CREATORS for o in reading.triples.objects(ontology_iri, p))
    for predicate, creator in sorted(stated, key=lambda row: is_blank(row[1])):
        names = [o.value for p in _PEOPLE for o in reading.triples.objects(str(creator), p) if isinstance(o, Text)]
        name = legible(names[0]) if names and not isinstance(creator, Text) else _plain(creator)
        if is_blank(creator) and not names:
            reading.skip("creator without a name", ontology_iri, (ontology_iri, predicate, creator))
        elif name not in people:
            people.add(name)
            reading.mark(ontology_iri, predicate, creator)
            if is_blank(creator):
                reading.mark_all(str(creator))
    return tuple(sorted(people))


def _notes(triples: Triples, iris: set[str], concepts: list[Concept]) -> list[str]:
    undeclared = sum(not set(_CLASSES) & set(triples.objects(iri, TYPE)) for iri in iris)
    unnamed = sum(not c.label_zh and not c.label_en for c in concepts)
    notes = list[str]()
    if undeclared:
        notes.append(Message("owl.note_undeclared", classes=undeclared))
    if triples.mended:
        notes.append(Message("owl.note_encoded", iris=len(triples.mended)))
    if of_file := sum(iri.startswith("file:") for iri in iris):
        notes.append(Message("owl.note_relative", classes=of_file))
    if unnamed:
        notes.append(Message("owl.note_unlabelled", classes=unnamed))
    return notes


# ---- normalisation of a foreign hierarchy: no cycles, one root


_Edge = tuple[str, RelationKind, str, str]
_OF_CLASSES = ("imported", "imported: intersection")
"""Evidence of the edges that say that every one is the other."""
"""Source, kind, target, evidence."""


def _without_cycles(edges: list[_Edge]) -> tuple[list[_Edge], list[tuple[str, ...]]]:
    """Replace each cycle of subclasses by equivalences; return the edges and the cycles, first = last.

    Classes on a cycle of rdfs:subClassOf, which is transitive, are the same; a subclass edge between equivalent classes
    is redundant and dropped. Equivalences count as edges in both directions.

    >>> edges = [("a", "subclass_of", "b", ""), ("b", "subclass_of", "a", "")]
    >>> [edge[:3] for edge in _without_cycles(edges)[0]]
    [('a', 'equivalent_to', 'b')]
    """
    taxonomy = [e for e in edges if e[1] in ("subclass_of", "equivalent_to")]
    names = sorted({name for e in taxonomy for name in (e[0], e[2])})
    group = _groups(names, taxonomy)
    inner = {e for e in taxonomy if e[1] == "subclass_of" and group[e[0]] == group[e[2]]}
    declared = joined(names, taxonomy)
    kept = [e for e in edges if e not in inner]
    cycles = []
    for number in sorted({group[e[0]] for e in inner}):
        members = [name for name in names if group[name] == number]
        leaders = sorted({declared[name] for name in members})
        if len(leaders) > 1:
            cycles.append(_cycle_through(members[0], [e for e in taxonomy if group[e[0]] == number == group[e[2]]]))
            kept += [(leaders[0], "equivalent_to", other, "cycle of subclasses") for other in leaders[1:]]
    return kept, cycles


def cuts(pairs: Collection[tuple[str, str]], others: Collection[tuple[str, str]] = ()) -> set[tuple[str, str]]:
    """Return the narrower and broader concepts whose pairs have to be left out of a hierarchy without cycles.

    skos:broader is no rdfs:subClassOf: concepts on a cycle are not the same. A concept of the cycle that is below
    something else, or else the first by IRI, counts as the top of it; what leads away from there is left out.

    Args:
        pairs: narrower and broader concepts.
        others: subclasses and superclasses, and equivalent classes in both directions, which are kept.

    >>> cuts([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")])
    {('a', 'b')}
    """
    taxonomy: list[_Edge] = [(s, "subclass_of", t, "") for s, t in (*pairs, *others)]
    names = sorted({name for pair in (*pairs, *others) for name in pair})
    group = _groups(names, taxonomy)
    mixed = {group[s] for s, t in others if group[s] == group[t]}
    inside = sorted((s, t) for s, t in pairs if group[s] == group[t])
    found = {(s, t) for s, t in inside if group[s] in mixed or s == t}
    below: dict[str, list[str]] = {}
    for source, target in inside:
        below.setdefault(target, []).append(source)
    tops = {s for s, t in pairs if group[s] != group[t] and s in below}
    first: dict[int, str] = {}
    for name in sorted(below):
        first.setdefault(group[name], name)
    tops |= {name for number, name in first.items() if number not in {group[top] for top in tops}}
    depth = dict.fromkeys(sorted(tops), 0)
    for name in (waiting := list(depth)):
        for other in below.get(name, ()):
            if other not in depth:
                depth[other] = depth[name] + 1
                waiting.append(other)
    return found | {(s, t) for s, t in inside if group[s] not in mixed and depth[s] <= depth[t]}


def _on_cycles(reading: Reading, stated: set[_Edge], notes: list[str]) -> set[_Edge]:
    """Return the edges of thesauri that would close a cycle; what states them is counted, and stays as it is."""
    of_classes = {
        pair for s, kind, t, evidence in stated for pair in (((s, t), (t, s)) if kind == "equivalent_to" else ((s, t),))
        if kind == "equivalent_to" or (kind == "subclass_of" and evidence in _OF_CLASSES)
    }  # fmt: skip
    pairs = {(s, t) for s, kind, t, _ in stated if kind == "subclass_of"} - of_classes
    cut = cuts(pairs, of_classes)
    for source, target in sorted(cut):
        notes.append(Message("owl.note_broader_cycle", narrower=short(source), broader=short(target)))
        for subject, value in ((source, target), (target, source)):
            for predicate in reading.triples.predicates(subject):
                triple = subject, predicate, value
                is_stated = value in reading.triples.objects(subject, predicate)
                if is_stated and triple in reading.used and predicate != RDFS.subClassOf:
                    reading.used.discard(triple)
                    reading.skip("skos:broader on a cycle", source, triple)
    return {edge for edge in stated if edge[1] == "subclass_of" and (edge[0], edge[2]) in cut}


def _groups(names: list[str], taxonomy: list[_Edge]) -> dict[str, int]:
    """Return name -> number of its strongly connected component."""
    import numpy as np  # a fifth of a second, for commands that only need the names of this package
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not names:
        return {}
    number = {name: i for i, name in enumerate(names)}
    pairs = [(number[s], number[t]) for s, _, t, _ in taxonomy]
    pairs += [(number[t], number[s]) for s, kind, t, _ in taxonomy if kind == "equivalent_to"]
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    matrix = csr_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(len(names), len(names)))
    _, label = connected_components(matrix, directed=True, connection="strong")
    return dict(zip(names, label.tolist(), strict=True))


def joined(names: Iterable[str], taxonomy: Iterable[_Edge]) -> dict[str, str]:
    """Return name -> smallest name that declared equivalences join it with.

    Args:
        names: IRIs of the classes.
        taxonomy: edges between them; those of other kinds than `equivalent_to` are passed over.
    """
    return equal_names(names, ((source, target) for source, kind, target, _ in taxonomy if kind == "equivalent_to"))


def _cycle_through(start: str, inside: list[_Edge]) -> tuple[str, ...]:
    """Return a path from a class over edges of its component back to a class on the path; first = last."""
    above: dict[str, list[str]] = {}
    for source, kind, target, _ in sorted(inside):
        above.setdefault(source, []).append(target)
        if kind == "equivalent_to":
            above.setdefault(target, []).append(source)
    before = dict.fromkeys(above[start], start)
    waiting = sorted(before)
    for name in waiting:  # breadth first, so that the path is a shortest one
        for other in above[name]:
            if other not in before:
                before[other] = name
                waiting.append(other)
    way = [start, before[start]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def _rooted(names: list[str], edges: list[_Edge], virtual: str) -> tuple[str, list[_Edge]]:
    """Return the root, and edges to a virtual root if there are several; equivalent classes count as one.

    Args:
        names: IRIs of the classes.
        edges: edges without cycles.
        virtual: IRI of the virtual root.

    >>> _rooted(["a", "b"], [("b", "subclass_of", "a", "")], "root")
    ('a', [])
    """
    taxonomy = [e for e in edges if e[1] in ("subclass_of", "equivalent_to")]
    leader = joined(names, taxonomy)
    below = {leader[s] for s, kind, _, _ in taxonomy if kind == "subclass_of"}
    tops = [name for name in names if leader[name] not in below]
    if len({leader[name] for name in tops}) == 1:
        return min(tops), []
    return virtual, [(name, "subclass_of", virtual, "virtual root") for name in tops]
