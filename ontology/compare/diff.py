"""Differences between two ontologies: concepts, names, positions in the hierarchy, relations, header.

Concepts are compared by IRI. A concept whose IRI is in one ontology only, and whose labels are those of exactly one
concept that is in the other only, is the same concept under another IRI ("reidentified"); relations of the two are then
compared as if it had kept its IRI. The order of concepts, relations, other names and documents never matters.

Files are compared by their statements (`diff_files`): two are equal if their graphs are, and what the classes and
relations do not hold (restrictions, disjoint classes, labels in further languages, scopes of synonyms) is listed as
statements that were added and removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace

from ontology.errors import Message, joined, recognised
from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.owl import graph, turtle
from ontology.owl.additions import merged
from ontology.owl.contents import Loaded
from ontology.owl.triples import Term, Text, Triple, Triples, canonical_names, is_blank, is_iri, lexical, renamed
from ontology.owl.vocabulary import AXIOM_ENDS, OWL, SCOPES
from ontology.reachable import reachable
from ontology.terms.wordforms import fold

HEADER = ("iri", "kind", "topic", "version", "root", "title_zh", "title_en", "comment", "licence")
LABELS = ("label_zh", "label_en")
DETAILS = ("alt_zh", "alt_en", "definition", "definition_en", "xrefs")


@dataclass(frozen=True, slots=True)
class Change:
    """A field with its value before and after; other names are sorted."""

    field: str
    old: str | tuple[str, ...] | None
    new: str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ConceptChange:
    """A concept in both ontologies, with its new values and the fields that changed."""

    concept: Concept
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Reidentified:
    """A concept with the same labels and another IRI."""

    old: Concept
    new: Concept


@dataclass(frozen=True, slots=True)
class Moved:
    """A concept in both ontologies that lost or gained direct superclasses; IRIs as in the new ontology."""

    concept: Concept
    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationChange:
    """The same relation of the same two concepts with other evidence (support, confidence, documents, sentence ..)."""

    old: tuple[Relation, ...]
    new: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of a file, as a line of Turtle, and the IRI that it is about; "" for one about no named thing."""

    subject: str
    statement: str


@dataclass(frozen=True)
class Difference:
    """All differences, each tuple sorted by IRI. ``labels`` has every concept of both ontologies.

    ``moved`` repeats, for each concept that is in both, the subclass-of relations among ``relations_added`` and
    ``relations_removed``. Relations have the IRIs of the new ontology if a concept is reidentified.
    """

    old: str
    new: str
    header: tuple[Change, ...]
    added: tuple[Concept, ...]
    removed: tuple[Concept, ...]
    renamed: tuple[ConceptChange, ...]
    """Same IRI, other label."""
    reidentified: tuple[Reidentified, ...]
    """Same labels, other IRI."""
    described: tuple[ConceptChange, ...]
    """Other names or definitions changed."""
    moved: tuple[Moved, ...]
    relations_added: tuple[Relation, ...]
    relations_removed: tuple[Relation, ...]
    relations_changed: tuple[RelationChange, ...]
    labels: Mapping[str, str]
    axioms_added: tuple[Stated, ...] = ()
    """Statements of files that none of the other differences tells of; by `diff_files`."""
    axioms_removed: tuple[Stated, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether the two ontologies have the same content."""
        return not any(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return the number of differences of each kind."""
        return {f.name: len(getattr(self, f.name)) for f in fields(self) if f.name not in ("old", "new", "labels")}


def diff(old: Ontology, new: Ontology) -> Difference:
    """Compute the changes that turn one ontology into another.

    Args:
        old: the ontology before.
        new: the ontology after.
    """
    same = {iri: iri for iri in old.by_iri if iri in new.by_iri}
    gone = [c for c in old.concepts if c.iri not in same]
    come = [c for c in new.concepts if c.iri not in same]
    reidentified = _reidentified(gone, come)
    same |= {pair.old.iri: pair.new.iri for pair in reidentified}
    kept = [(old.by_iri[before], new.by_iri[after]) for before, after in sorted(same.items(), key=lambda p: p[1])]
    before, after = _by_ends(_renamed_ends(old.relations, same)), _by_ends(new.relations)
    both = before.keys() & after.keys()
    return Difference(
        old=old.iri,
        new=new.iri,
        header=_changes(old, new, HEADER),
        added=_sorted(c for c in come if c.iri not in same.values()),
        removed=_sorted(c for c in gone if c.iri not in same),
        renamed=_concept_changes(kept, LABELS),
        reidentified=reidentified,
        described=_concept_changes(kept, DETAILS),
        moved=tuple(_moved(kept, before, after)),
        relations_added=tuple(r for ends in sorted(after.keys() - both) for r in after[ends]),
        relations_removed=tuple(r for ends in sorted(before.keys() - both) for r in before[ends]),
        relations_changed=tuple(
            RelationChange(before[ends], after[ends]) for ends in sorted(both) if before[ends] != after[ends]
        ),
        labels={c.iri: c.label for ontology in (old, new) for c in ontology.concepts},
    )


def diff_files(old: Loaded, new: Loaded) -> Difference:
    """Compute the changes that turn one file into another, by all their statements.

    Args:
        old: what was read of the file before.
        new: what was read of the file after.

    Returns:
        The changes; ``equal`` if the graphs of the two files are.
    """
    found = diff(old.ontology, new.ontology)
    before = _Side.of(old, {pair.old.iri: pair.new.iri for pair in found.reidentified})
    after = _Side.of(new, {})
    gone, come = set(before.triples) - set(after.triples), set(after.triples) - set(before.triples)
    lost, gained = before.told - after.told, after.told - before.told
    every = merged(before.triples, after.triples)
    removed, added = before.others(every, gone, lost), after.others(every, come, gained)
    if found.equal and not removed and not added:  # the two say the same in other words
        removed, added = _as_stated(turtle.statements(every, gone)), _as_stated(turtle.statements(every, come))
    return replace(found, axioms_removed=removed, axioms_added=added)


@dataclass(frozen=True)
class _Side:
    """One of two files.

    Attributes:
        triples: its statements, blank nodes under canonical names.
        unused: those that its classes and relations do not hold.
        told: (thing, value) of what `Difference` tells of them. Labels in further languages, scopes, candidates of
            definitions and deprecated classes are none of that, so that they are compared as statements.
    """

    triples: Triples
    unused: Set[Triple]
    told: Set[tuple[str, str]]

    @staticmethod
    def of(loaded: Loaded, names: Mapping[Term, str]) -> _Side:
        stated = renamed(loaded.source, names)
        blanks = _blank_names(stated)
        unused = set(renamed(renamed(loaded.unused, names), blanks))
        concepts = (replace(c, texts=(), scopes=(), replaced_by=(), candidates=()) for c in loaded.ontology.concepts)
        compared = replace(loaded.ontology, concepts=tuple(concepts), deprecated=())
        written = graph.to_triples(compared, loaded.header)
        told = {pair for _, _, triples in turtle.statements(written, set(written)) for pair in _pairs(triples)}
        return _Side(renamed(stated, blanks), unused, told)

    def others(self, every: Triples, chosen: Set[Triple], told: Set[tuple[str, str]]) -> tuple[Stated, ...]:
        """Return the statements among the chosen ones that nothing else tells of.

        Args:
            every: the statements of both files.
            chosen: those that only this file has.
            told: what only this file's classes and relations tell.
        """
        return _as_stated(
            (subject, text, triples)
            for subject, text, triples in turtle.statements(every, chosen)
            if not self.unused.isdisjoint(triples)
            or told.isdisjoint(_pairs(triples))
            or any(p in SCOPES.values() for _, p, _ in triples)
        )


def _blank_names(stated: Triples) -> dict[Term, str]:
    """Return blank node -> name; a class expression is not named by what is told of its axiom, such as evidence."""
    axioms = {subject for subject, predicate, _ in stated if predicate == AXIOM_ENDS[0]}
    unannotated = Triples()
    for subject, predicate, value in stated:
        if subject not in axioms:
            unannotated.add(subject, predicate, value)
    targets = [o for _, p, o in stated if p == AXIOM_ENDS[2] and is_blank(o)]
    within = {
        node
        for target in targets
        for node in reachable(target, lambda n: [o for _, o in stated.statements(str(n)) if is_blank(o)])
    }
    names = {node: name for node, name in canonical_names(unannotated).items() if node in within}
    return canonical_names(stated) | names


def _pairs(triples: Sequence[Triple]) -> set[tuple[str, str]]:
    """Return the thing that a statement is about, with each text and thing in it, in both directions."""
    about = _about(triples)
    named = {lexical(o) for _, p, o in triples if p not in (OWL.onProperty, AXIOM_ENDS[1]) and _is_said(o)}
    return {pair for other in named - {about} for pair in ((about, other), (other, about))}


def _is_said(term: Term) -> bool:
    return isinstance(term, Text) or (is_iri(term) and not term.startswith(OWL.iri))


def _about(triples: Sequence[Triple]) -> str:
    """Return the thing that a statement is about: its subject, or the subject of the axiom that it annotates."""
    subject = next(subject for subject, _, _ in triples)
    source = next((str(o) for _, p, o in triples if p == AXIOM_ENDS[0] and is_iri(o)), "")
    return source or (subject if is_iri(subject) else "")


def _as_stated(statements: Iterable[tuple[str, str, list[Triple]]]) -> tuple[Stated, ...]:
    return tuple(sorted((Stated(_about(triples), text) for _, text, triples in statements), key=repr))


Ends = tuple[RelationKind, str, str]


def _sorted(concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    return tuple(sorted(concepts, key=lambda c: c.iri))


def _changes(old: object, new: object, names: Sequence[str]) -> tuple[Change, ...]:
    pairs = ((name, _value(getattr(old, name)), _value(getattr(new, name))) for name in names)
    return tuple(Change(name, before, after) for name, before, after in pairs if before != after)


def _value(value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
    """Return a value whose order does not matter; no label and an empty one are equal."""
    return tuple(sorted(set(value))) if isinstance(value, tuple) else value or None


def _concept_changes(kept: Iterable[tuple[Concept, Concept]], names: Sequence[str]) -> tuple[ConceptChange, ...]:
    changed = ((after, _changes(before, after, names)) for before, after in kept)
    return tuple(ConceptChange(concept, changes) for concept, changes in changed if changes)


def _reidentified(gone: Sequence[Concept], come: Sequence[Concept]) -> tuple[Reidentified, ...]:
    """Return pairs of a lost and a new concept with the same labels, if there is one of each; also by one label alone.

    Both labels first, then the Chinese, then the English one: a label is compared folded.
    """
    matched: list[Reidentified] = []
    for names in (LABELS, LABELS[:1], LABELS[1:]):
        taken = {pair.old.iri for pair in matched} | {pair.new.iri for pair in matched}
        one, other = _by_labels(gone, names, taken), _by_labels(come, names, taken)
        for key in one.keys() & other.keys():
            if len(one[key]) == len(other[key]) == 1:
                matched.append(Reidentified(one[key][0], other[key][0]))
    return tuple(sorted(matched, key=lambda pair: pair.new.iri))


def _by_labels(
    concepts: Iterable[Concept], names: Sequence[str], taken: set[str]
) -> dict[tuple[str, ...], list[Concept]]:
    concepts_of: dict[tuple[str, ...], list[Concept]] = {}
    for concept in concepts:
        key = tuple(fold(getattr(concept, name) or "") for name in names)
        if all(key) and concept.iri not in taken:
            concepts_of.setdefault(key, []).append(concept)
    return concepts_of


def _renamed_ends(relations: Iterable[Relation], same: Mapping[str, str]) -> Iterator[Relation]:
    for relation in relations:
        source, target = same.get(relation.source, relation.source), same.get(relation.target, relation.target)
        yield replace(relation, source=source, target=target)


def _by_ends(relations: Iterable[Relation]) -> dict[Ends, tuple[Relation, ...]]:
    """Return relations by kind and ends; equivalence, which has no direction, by its sorted ends."""
    relations_of: dict[Ends, set[Relation]] = {}
    for relation in relations:
        ends = (relation.source, relation.target)
        source, target = sorted(ends) if relation.kind == "equivalent_to" else ends
        plain = replace(relation, source=source, target=target, documents=tuple(sorted(set(relation.documents))))
        relations_of.setdefault((relation.kind, source, target), set()).add(plain)
    return {ends: tuple(sorted(same, key=repr)) for ends, same in relations_of.items()}


def _moved(
    kept: Iterable[tuple[Concept, Concept]], before: Mapping[Ends, object], after: Mapping[Ends, object]
) -> Iterator[Moved]:
    parents: dict[str, tuple[set[str], set[str]]] = {concept.iri: (set(), set()) for _, concept in kept}
    for side, relations in enumerate((before, after)):
        for kind, source, target in relations:
            if kind == "subclass_of" and source in parents:
                parents[source][side].add(target)
    for _, concept in kept:
        lost, gained = parents[concept.iri]
        if lost != gained:
            yield Moved(concept, tuple(sorted(lost - gained)), tuple(sorted(gained - lost)))


# ---- what moved: classes with a broader class that they had not, and what is below them


MOST_MOVED = 5
"""Number of classes that evidence of documents may move from one version to the next."""
_BY_PERSONS = re.compile(r"(?:^|; )(?:decision|over|top class|own class|curated)\b")


@dataclass(frozen=True, slots=True)
class Move:
    """A class that is below other classes than before, and what moved with it.

    Attributes:
        concept: the class.
        below: number of classes of both ontologies that are below it.
        lost: its edges to superclasses that are not above it any more.
        gained: its new edges.
    """

    concept: Concept
    below: int
    lost: tuple[Relation, ...]
    gained: tuple[Relation, ...]

    def text(self, labels: Mapping[str, str]) -> str:
        """Return the move as a line: the class, from where to where, and by what evidence.

        Args:
            labels: the label of each IRI (`Difference.labels`).

        >>> flood, water, storm = (Concept(f"x:{name}", "", name) for name in ("flood", "water", "storm"))
        >>> lost, gained = (Relation(flood.iri, "subclass_of", c.iri, 2, 1, "pattern X is a Y") for c in (water, storm))
        >>> Move(flood, 3, (lost,), (gained,)).text({c.iri: c.label for c in (flood, water, storm)})
        'flood and 3 classes: water -> storm, by pattern X is a Y, 2 documents'
        """
        more = Message("ontology.move_below", below=self.below) if self.below else ""
        old, new = (", ".join(labels[r.target] for r in edges) for edges in (self.lost, self.gained))
        kept = dict.fromkeys(r.evidence for r in self.gained if r.evidence)
        why = joined([recognised(part, "evidence.kind_") for one in kept for part in one.split("; ")], "; ")
        support = max((r.support or 0 for r in self.gained), default=0)
        of_class, by = labels[self.concept.iri], Message("ontology.move_why", why=why) if why else ""
        documents = Message("ontology.move_documents", support=support) if support else ""
        place = Message("ontology.move_to", old=old, new=new) if old else Message("ontology.move_also", new=new)
        return Message("ontology.move", of=of_class, more=more, place=place, by=by, documents=documents)


def moves(old: Ontology, new: Ontology) -> tuple[Move, ...]:
    """Return the classes of both ontologies that moved, those with most classes below them first.

    A class whose old superclass is still above it did not leave it; a new superclass that was above it before is none.

    Args:
        old: the ontology before.
        new: the ontology after.

    >>> def ontology(*edges):
    ...     names = dict.fromkeys(["root", *(end for edge in edges for end in edge)])
    ...     concepts = tuple(Concept(name, "", name) for name in names)
    ...     relations = tuple(Relation(u, "subclass_of", t) for u, t in edges)
    ...     return Ontology("x:o", "global", "t", "1", "root", concepts, relations)
    >>> before = ontology(("disease", "root"), ("surgery", "root"), ("tumour", "disease"), ("glioma", "tumour"))
    >>> after = ontology(("disease", "root"), ("surgery", "root"), ("tumour", "surgery"), ("glioma", "tumour"))
    >>> [move.text(diff(before, after).labels) for move in moves(before, after)]
    ['tumour and 1 classes: disease -> surgery']
    """
    difference = diff(old, new)
    same = {pair.old.iri: pair.new.iri for pair in difference.reidentified}
    known = {same.get(iri, iri) for iri in old.by_iri}
    was = _by_ends(_renamed_ends(old.relations, same))
    before: dict[str, list[str]] = {}
    for kind, source, target in was:
        if kind == "subclass_of":
            before.setdefault(source, []).append(target)
    found = []
    for moved in difference.moved:
        iri = moved.concept.iri
        above = reachable(iri, lambda c: new.parents.get(c, ()))
        above_before = reachable(iri, lambda c: before.get(c, ()))
        lost = tuple(was["subclass_of", iri, t][0] for t in moved.lost if t not in above or t == new.root)
        gained = tuple(
            r for r in new.edges("subclass_of")
            if r.source == iri and r.target in moved.gained and (r.target not in above_before or r.target == new.root)
        )  # fmt: skip
        if gained:
            below = reachable(iri, new.children.__getitem__) & known - {iri}
            found.append(Move(moved.concept, len(below), lost, gained))
    return tuple(sorted(found, key=lambda m: (-m.below, m.concept.iri)))


def held(found: Iterable[Move], new: Ontology) -> tuple[Move, ...]:
    """Return the moves of more than `MOST_MOVED` classes that a person has to decide about.

    A move to the root is none of these, since the old place has lost its evidence, and neither is one from a place that
    is gone, or that a single sentence stated, or to one that persons or curated classes state.

    Args:
        found: the moves.
        new: the ontology after.
    """
    return tuple(
        move
        for move in found
        if move.below >= MOST_MOVED
        and not any(r.target == new.root or _BY_PERSONS.search(r.evidence) for r in move.gained)
        and all(r.target in new.by_iri and not _is_one_sentence(r) for r in move.lost)
    )


def _is_one_sentence(relation: Relation) -> bool:
    return relation.evidence.startswith("pattern") and (relation.support or 0) <= 1


def without(ontology: Ontology, moves: Iterable[Move]) -> Ontology:
    """Return an ontology in which classes have not moved; an old edge that would close a cycle is left out.

    Args:
        ontology: the ontology after the moves.
        moves: some of them.
    """
    for move in moves:
        iri = move.concept.iri
        below = reachable(iri, ontology.children.__getitem__)
        gained = {r.target for r in move.gained}
        kept = [
            r for r in ontology.relations if not (r.kind == "subclass_of" and r.source == iri and r.target in gained)
        ]
        kept += [r for r in move.lost if r.target not in below]
        if not any(r.kind == "subclass_of" and r.source == iri for r in kept):
            kept.append(Relation(iri, "subclass_of", ontology.root, evidence="topic root"))
        ontology = replace(ontology, relations=tuple(kept))
    return ontology
