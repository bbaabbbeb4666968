"""Turtle (W3C, RDF 1.1 Turtle, 2014) in one canonical form: one statement per line.

So an added or removed statement is one line in the difference of two versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from ontology.owl.triples import Term, Text, Triple, Triples, blank_order, is_blank, prefixes
from ontology.owl.vocabulary import (
    DCTERMS,
    OC,
    OWL,
    PREFIXES,
    PROV,
    RDF,
    RDFS,
    SKOS,
    TYPE,
    XSD,
    local_part,
    namespace_of,
)

SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""Local parts that every reader of Turtle and of functional syntax accepts after a prefix."""
_INTEGER = re.compile(r"-?[0-9]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\\"\n\r\t]")


def serialise(triples: Triples) -> str:
    """Return the triples as Turtle; the namespace of the root concept has the empty prefix."""
    return "".join(_Writer(triples).lines())


def statements(triples: Triples, chosen: Set[Triple]) -> Iterator[tuple[str, str, list[Triple]]]:
    """Yield statements as a line of Turtle each, with all that a blank node in it says; prefixes are not declared.

    A blank node that no other node names is one statement.

    Args:
        triples: the triples, the blank nodes named by `canonical_names`.
        chosen: those to be written.

    Yields:
        Subject, Turtle, and the triples of the statement.
    """
    yield from _Writer(triples).statements(chosen)


def quoted(text: str) -> str:
    """Return a string of Turtle or N-Triples."""
    return f'"{_ESCAPED.sub(lambda match: _ESCAPES[match.group()], text)}"'


def own_namespace(triples: Triples) -> str:
    """Return the namespace of the root concept, or "" if there is none or it has a prefix."""
    root = next((str(o) for s in triples.subjects() for o in triples.objects(s, OC.root)), "")
    space = namespace_of(root)
    return "" if space in PREFIXES.values() else space


class _Writer:
    def __init__(self, triples: Triples) -> None:
        self._triples = triples
        namespace = own_namespace(triples)
        declared = {prefix: space for prefix, space in prefixes(triples, of_build=True).items() if space != namespace}
        self._prefixes = {"": namespace} | declared if namespace else declared
        self._of_space = {space: prefix for prefix, space in self._prefixes.items()}
        counts = _references(triples)
        _, circles = blank_order(triples)
        self._inside = {b for b, n in counts.items() if n == 1 and b not in circles}
        self._named = {b for b in counts if b not in self._inside}

    def lines(self) -> Iterator[str]:
        for prefix, space in self._prefixes.items():
            yield f"@prefix {prefix}: <{space}> .\n"
        for subject in subjects(self._triples):
            if subject in self._inside:
                continue
            statements = [f"{self._verb(p)} {self._term(o)}" for p, o in ordered_statements(self._triples, subject)]
            yield f"\n{self._subject(subject)} " + " ;\n    ".join(statements)
            yield " ;\n    .\n" if len(statements) > 1 else " .\n"

    def statements(self, chosen: Set[Triple]) -> Iterator[tuple[str, str, list[Triple]]]:
        """Yield subject, Turtle and triples of statements; see the function of this name."""
        for subject in subjects(self._triples):
            if subject in self._inside:
                continue
            stated = [(subject, p, o) for p, o in ordered_statements(self._triples, subject)]
            if is_blank(subject) and subject not in self._named:
                if not chosen.isdisjoint(stated):
                    yield subject, f"{self._content(subject)} .", [*self._below(stated)]
                continue
            for triple in stated:
                if triple in chosen:
                    text = f"{self._subject(subject)} {self._verb(triple[1])} {self._term(triple[2])} ."
                    yield subject, text, [*self._below([triple])]

    def _below(self, stated: list[Triple]) -> Iterator[Triple]:
        waiting = list(stated)
        for triple in waiting:
            yield triple
            node = triple[2]
            if isinstance(node, str) and node in self._inside:
                waiting += [(node, p, o) for p, o in self._triples.statements(node)]

    def _subject(self, node: str) -> str:
        if is_blank(node):
            return node if node in self._named else "[]"
        return self._iri(node)

    def _verb(self, predicate: str) -> str:
        return "a" if predicate == TYPE else self._iri(predicate)

    def _term(self, term: Term) -> str:
        if isinstance(term, Text):
            if term.datatype == XSD.integer and _INTEGER.fullmatch(term.value):
                return term.value
            mark = f"@{term.language}" if term.language else f"^^{self._iri(term.datatype)}" if term.datatype else ""
            return quoted(term.value) + mark
        if term not in self._inside:
            return term if is_blank(term) else self._iri(term)
        members = self._members(term)
        if members:
            return f"( {' '.join(map(self._term, members))} )"
        return self._content(term)

    def _content(self, node: str) -> str:
        inner = (f"{self._verb(p)} {self._term(o)}" for p, o in ordered_statements(self._triples, node))
        return f"[ {' ; '.join(inner)} ]"

    def _members(self, node: str) -> list[Term]:
        """Return the members of a list whose nodes say nothing else; none for any other node."""
        members: list[Term] = []
        while node != RDF.nil:
            said = dict(self._triples.statements(node))
            is_cell = said.keys() == {RDF.first, RDF.rest} and sum(1 for _ in self._triples.statements(node)) == 2
            rest = said.get(RDF.rest)
            if not is_cell or node not in self._inside or not isinstance(rest, str):
                return []
            members.append(said[RDF.first])
            node = rest
        return members

    def _iri(self, iri: str) -> str:
        prefix = self._of_space.get(namespace_of(iri))
        local = local_part(iri)
        return f"{prefix}:{local}" if prefix is not None and SAFE.fullmatch(local) else f"<{iri}>"


# ---- order of statements in files, chosen so that a change of the ontology is a small change of the file
#
# The header is first, then properties, then classes by IRI. A blank node that no other node needs follows the class
# that it annotates, so that an edge and its evidence are together.


_FIRST = (OWL.Ontology, SKOS.ConceptScheme)
_SECOND = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty)
_PREDICATES = (
    TYPE, OWL.versionIRI, OWL.versionInfo, DCTERMS.title, RDFS.label, SKOS.prefLabel, SKOS.altLabel, SKOS.definition,
    SKOS.inScheme, SKOS.topConceptOf, SKOS.broader, SKOS.narrower, OWL.equivalentClass, RDFS.subClassOf,
    OWL.annotatedSource, OWL.annotatedProperty, OWL.annotatedTarget, OWL.onProperty, OWL.someValuesFrom,
    OC.support, OC.confidence, OC.evidence, OC.document, OC.sentence,
    PROV.wasGeneratedBy, PROV.wasDerivedFrom,
)  # fmt: skip
_RANK = {predicate: rank for rank, predicate in enumerate(_PREDICATES)}
Key = tuple[object, ...]


def subjects(triples: Triples) -> list[str]:
    """Return all subjects in file order; a blank node follows the one that it annotates."""
    owners = _owners(triples)
    keys: dict[str, Key] = {}
    for subject in triples.subjects():
        if is_blank(subject):
            owner = owners.get(subject, subject)
            keys[subject] = (*_rank(triples, owner), 1, *_about(triples, subject))
        else:
            keys[subject] = (*_rank(triples, subject), 0)
    return sorted(keys, key=keys.__getitem__)


def ordered_statements(triples: Triples, subject: str) -> Iterator[tuple[str, Term]]:
    """Yield predicates and objects of a subject in file order.

    Args:
        triples: the triples.
        subject: a node.
    """
    for predicate in sorted(triples.predicates(subject), key=lambda p: (_RANK.get(p, len(_RANK)), p)):
        for value in sorted(triples.objects(subject, predicate), key=lambda v: _value_key(triples, v)):
            yield predicate, value


def _references(triples: Triples) -> dict[str, int]:
    """Return blank node -> number of triples with it as object."""
    counts: dict[str, int] = {}
    for _, _, value in triples:
        if is_blank(value):
            counts[str(value)] = counts.get(str(value), 0) + 1
    return counts


def _owners(triples: Triples) -> dict[str, str]:
    owners = {}
    for subject, _, value in triples:
        if is_blank(value) and not is_blank(subject):
            owners[str(value)] = subject
    for axiom in triples.of_type(OWL.Axiom):
        owners[axiom] = triples.node(axiom, OWL.annotatedSource) or axiom
    return owners


def _rank(triples: Triples, subject: str) -> tuple[int, str]:
    types = triples.objects(subject, TYPE)
    rank = 0 if any(t in types for t in _FIRST) else 1 if any(t in types for t in _SECOND) else 2
    return rank, subject


def _about(triples: Triples, blank: str) -> Key:
    """Return the sort key of a blank node: restrictions by property and class, then axioms by what they annotate."""
    kind = [o for o in triples.objects(blank, TYPE) if isinstance(o, str)]
    target = triples.node(blank, OWL.annotatedTarget) or blank
    parts = [triples.node(blank, OWL.annotatedProperty) or "", *_described(triples, target), blank]
    return (int(OWL.Axiom in kind), *parts)


def _described(triples: Triples, node: str) -> tuple[str, str]:
    if not is_blank(node):
        return "", node
    return triples.node(node, OWL.onProperty) or "", triples.node(node, OWL.someValuesFrom) or ""


def _value_key(triples: Triples, value: Term) -> Key:
    if isinstance(value, Text):
        return (2, value.language, value.value, value.datatype)
    if is_blank(value):
        return (1, *_described(triples, value), value)
    return (0, value)
