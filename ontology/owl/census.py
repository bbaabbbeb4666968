"""Bookkeeping of a reader: triples that are used are marked, so that all others can be reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Set

from ontology.owl.triples import Term, Text, Triple, Triples, is_blank
from ontology.owl.vocabulary import OWL, RDF, RDFS, SKOS, TYPE, short

_PROPERTIES = {
    OWL.ObjectProperty: "object property",
    OWL.DatatypeProperty: "data property",
    OWL.AnnotationProperty: "annotation property",
    RDF.Property: "property",
    RDFS.Datatype: "datatype",
}
_SUPERCLASSES = (RDFS.subClassOf, OWL.equivalentClass)
_QUANTIFIERS = {
    OWL.someValuesFrom: "some", OWL.allValuesFrom: "only", OWL.hasValue: "a value of", OWL.minCardinality: "at least n",
    OWL.maxCardinality: "at most n", OWL.cardinality: "exactly n", OWL.qualifiedCardinality: "exactly n",
    OWL.minQualifiedCardinality: "at least n", OWL.maxQualifiedCardinality: "at most n", OWL.hasSelf: "itself by",
}  # fmt: skip
_AXIOMS = frozenset({*_SUPERCLASSES, OWL.disjointWith, OWL.disjointUnionOf, OWL.hasKey})
_EXAMPLES = 3


class Reading:
    """Triples while they are read. ``name`` is the file, for messages."""

    def __init__(self, triples: Triples, name: str) -> None:
        self.triples = triples
        self.name = name
        self.used: set[Triple] = set()
        self.replaced: set[Triple] = set()
        self.changed: Counter[str] = Counter()
        self._told: set[Triple] = set()
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}

    def take(self, subject: str, predicate: str) -> tuple[Term, ...]:
        """Return all objects of a subject and predicate, and mark them as used.

        Args:
            subject: a node.
            predicate: IRI of a property.
        """
        objects = self.triples.objects(subject, predicate)
        for value in objects:
            self.used.add((subject, predicate, value))
        return objects

    def take_named(self, subject: str, predicate: str) -> tuple[Term, ...]:
        """Return the objects that are no blank nodes, and mark only them as used.

        Args:
            subject: a node.
            predicate: IRI of a property.
        """
        objects = tuple([value for value in self.triples.objects(subject, predicate) if not is_blank(value)])
        for value in objects:
            self.used.add((subject, predicate, value))
        return objects

    def texts(self, subject: str, predicate: str, wanted: Callable[[Text], bool]) -> list[str]:
        """Return the literals that pass a test, sorted, and mark only them as used.

        Args:
            subject: a node.
            predicate: IRI of a property.
            wanted: test of a literal.
        """
        literals = [o for o in self.triples.objects(subject, predicate) if isinstance(o, Text) and wanted(o)]
        self.used.update((subject, predicate, value) for value in literals)
        return sorted(text.value for text in literals)

    def mark(self, subject: str, predicate: str, value: Term) -> None:
        """Mark a triple as used.

        Args:
            subject: a node.
            predicate: IRI of a property.
            value: object of the triple.
        """
        self.used.add((subject, predicate, value))

    def mark_all(self, node: str) -> None:
        """Mark all triples of a node, and of the blank nodes below it, as used."""
        waiting, seen = [node], {node}
        while waiting:
            subject = waiting.pop()
            for predicate in self.triples.predicates(subject):
                below = {str(value) for value in self.take(subject, predicate) if is_blank(value)} - seen
                waiting += below
                seen |= below

    def replace(self, subject: str, predicate: str, value: Term, reason: str) -> None:
        """Mark a triple as used, and as one in whose place another one is written, which is counted.

        Args:
            subject: a node.
            predicate: IRI of a property.
            value: object of the triple.
            reason: short description of the change.
        """
        self.mark(subject, predicate, value)
        if (subject, predicate, value) not in self.replaced:
            self.replaced.add((subject, predicate, value))
            self.changed[reason] += 1

    def skip(self, reason: str, example: str, triple: Triple | None = None) -> None:
        """Record something that is left out.

        Args:
            reason: short description.
            example: IRI that it concerns.
            triple: the statement, which is then not counted by its kind.
        """
        self._counts[reason] += 1
        if triple is not None:
            self._told.add(triple)
        shown = self._examples.setdefault(reason, [])
        if example not in shown and len(shown) < _EXAMPLES:
            shown.append(example)

    def skipped(
        self, concepts: Collection[str], headers: Collection[str]
    ) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
        """Return counts of everything that was not used, by reason, most frequent first; and examples.

        Args:
            concepts: IRIs of the concepts.
            headers: IRIs of the headers.
        """
        seen: set[str] = set()
        above: dict[str, Triple] = {str(t[2]): t for t in self.triples if is_blank(t[2])}
        for reason, examples in self.triples.left.items():
            for example in examples:
                self.skip(reason, example)
        for triple in self.unused():
            if triple not in self._told and not self._is_within(triple, above):
                self._enter(triple, seen, concepts, headers)
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        return dict(ordered), {reason: tuple(self._examples[reason]) for reason, _ in ordered}

    def _is_within(self, triple: Triple, above: Mapping[str, Triple]) -> bool:
        """Return whether a triple is part of a statement that is counted itself: an expression of a class, a list."""
        passed: set[str] = set()
        while is_blank(triple[0]) and triple[0] in above and triple[0] not in passed:
            passed.add(triple[0])
            triple = above[triple[0]]
            if triple not in self.used:
                return True
        return False

    def unused(self) -> Iterator[Triple]:
        """Return the triples that were not marked."""
        return (triple for triple in self.triples if triple not in self.used)

    def _enter(self, triple: Triple, seen: set[str], concepts: Collection[str], headers: Collection[str]) -> None:
        """Record one unused triple: a statement of a class or header by itself, any other once for its subject."""
        subject, predicate, value = triple
        if subject in concepts:
            self.skip(self._of_class(predicate, value), subject)
        elif subject in headers:
            self.skip(f"header: {short(predicate)}", subject)
        elif subject not in seen:
            seen.add(subject)
            self.skip(self._of_other(subject), subject if not is_blank(subject) else short(predicate))

    def _of_class(self, predicate: str, value: Term) -> str:
        if is_blank(value) and predicate in _SUPERCLASSES:
            return f"{short(predicate)} {self.expression(str(value))}"
        if value == OWL.Thing and predicate in _SUPERCLASSES:
            return f"{short(predicate)} owl:Thing"
        if predicate == TYPE and value in (OWL.NamedIndividual, *self.triples.objects(str(value), TYPE)):
            return "individual with the same IRI as a class"
        if predicate == TYPE:
            return f"class that is of type {short(str(value))}" if str(value).startswith("http") else "typed class"
        if isinstance(value, Text) and value.language:
            return f"{short(predicate)} @{value.language}"
        return short(predicate)

    def expression(self, node: str) -> str:
        """Return the kind of class expression of a blank node: ``some partOf``, ``intersection`` .."""
        property_ = self.triples.node(node, OWL.onProperty)
        for predicate in self.triples.predicates(node):
            if predicate in _QUANTIFIERS and property_:
                named = "an expression" if is_blank(property_) else short(property_)
                return f"{_QUANTIFIERS[predicate]} {named}"
        for predicate in (OWL.intersectionOf, OWL.unionOf, OWL.complementOf, OWL.oneOf):
            if self.triples.objects(node, predicate):
                return f"by {short(predicate)}"
        return "without a name"

    def _of_other(self, subject: str) -> str:
        types = [t for t in self.triples.objects(subject, TYPE) if isinstance(t, str)]
        for type_ in types if not is_blank(subject) else ():
            if type_ in _PROPERTIES:
                return _PROPERTIES[type_]
        if OWL.Axiom in types:
            return "annotation of an axiom"
        if is_blank(subject):
            if any(p in _AXIOMS for p in self.triples.predicates(subject)):
                return "general class axiom"
            named = [t for t in types if t not in (OWL.Restriction, OWL.Class, RDF.List, RDFS.Datatype)]
            return f"{short(named[0])} without a name" if named else "details on a node without a name"
        if SKOS.Collection in types or SKOS.OrderedCollection in types:
            return "skos:Collection"
        return "individual" if types else "statement about something that is declared nowhere"


def counted(
    triples: Triples, chosen: Set[Triple], concepts: Collection[str], headers: Collection[str]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """Return counts of some of the statements of a file by reason, most frequent first; and examples.

    Args:
        triples: content of the file.
        chosen: the triples to be counted.
        concepts: IRIs of the concepts.
        headers: IRIs of the headers.
    """
    reading = Reading(triples, "")
    reading.used = set(triples) - chosen
    return reading.skipped(concepts, headers)
