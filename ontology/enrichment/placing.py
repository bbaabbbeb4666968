"""The parent of a term, by a named reason or not at all.

* head      the term ends with a name of a class, cut between words (ontology.evidence.heads): 岩质滑坡 < 滑坡
* pattern   a sentence states it (ontology.evidence.patterns): *tornadoes and other storms*, and none states the reverse
* mapping   a class of another ontology has the term as its label; the parent is the concept that the nearest superclass
            there is mapped to
* lattice   in the formal context of pages and concepts, superclasses included, the extent of the term is within that of
            the concept but for noise, and chance does not explain that (ontology.hierarchy.tolerant); and the term is
            listed side by side with two kinds of the concept at least, and with no class that is none. The most
            specific such concept is taken. Inclusion alone would take what a term is *about* for what it is.

A term that is placed by none of these is left unplaced. A root, which says nothing, is no parent by pattern or lattice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontology.context import Bools
from ontology.enrichment.labels import Labels
from ontology.enrichment.proposal import Rule
from ontology.enrichment.ranking import Located, RankedTerm, pages_of
from ontology.enrichment.reading import Reading
from ontology.errors import Message
from ontology.evidence import patterns_en, patterns_zh
from ontology.evidence.compounds import Compounds
from ontology.evidence.coordination import coordinated
from ontology.evidence.english_sentence import EnglishNames
from ontology.evidence.heads import Heads
from ontology.evidence.patterns_zh import ChineseNames
from ontology.evidence.statement import DEFINITION, Statement
from ontology.hierarchy.tolerant import tolerant_inclusions
from ontology.mapping import align
from ontology.model import Concept, Document, Ontology
from ontology.reachable import reachable
from ontology.terms import word_novelty
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import fold, has_han, normal, singular

_LEAST_LISTED = 2
"""Number of different kinds of a concept that a term is listed with at least."""


@dataclass(frozen=True, slots=True)
class Parent:
    """The parent of a term, with its reason in words, and the sentences that state it, if any does."""

    iri: str
    rule: Rule
    reason: str
    sentences: tuple[int, ...] = ()


def parents(
    terms: Sequence[RankedTerm],
    located: Located,
    reading: Reading,
    classes: Classes,
    stated: Mapping[int, tuple[Stated, ...]],
    others: Iterable[Ontology] = (),
) -> dict[int, Parent]:
    """Find the parents of terms.

    Args:
        terms: the terms.
        located: the concepts in the sentences.
        reading: the pages.
        classes: the classes of the ontologies.
        stated: what sentences state of the terms, by number of the term.
        others: other ontologies, to be mapped.

    Returns:
        Number of a term -> its parent; a term without a named reason is missing.
    """
    beside = _beside(terms, located, reading, classes)
    found = _by_lattice(terms, located, reading, classes, beside)
    found |= _by_mapping(terms, classes, others)
    for number in range(len(terms)):
        if (parent := _by_pattern(stated.get(number, ()), beside[number], reading, classes)) is not None:
            found[number] = parent
    return found | _by_head(terms, classes)


def _by_head(terms: Sequence[RankedTerm], classes: Classes) -> dict[int, Parent]:
    named = {fold(form): iri for forms in classes.names.values() for form, iri in forms.items()}
    heads = Heads(Compounds({term.text: 1 for term in terms}), classes=list(named))
    found = {}
    for number, term in enumerate(terms):
        head = heads.head_of(term.text, known=True)
        if head is not None and fold(head) in named:
            found[number] = Parent(named[fold(head)], "head", str(Message("enrichment.reason_ends", head=head)))
    return found


def _by_pattern(said: Sequence[Stated], beside: Counter[str], reading: Reading, classes: Classes) -> Parent | None:
    """Return the class that most pages state to be broader.

    It does not count where as many sentences list both side by side, or state the reverse.
    """
    by_class: defaultdict[str, list[Stated]] = defaultdict(list)
    reverse: Counter[str] = Counter()
    for one in said:
        if one.rule == "pattern" and one.below and one.iri not in classes.roots:
            by_class[one.iri].append(one)
        elif one.rule == "pattern" and not one.below:
            reverse[one.iri] += 1
    support = {
        iri: len({reading.sentences[one.sentence].page for one in ones})
        for iri, ones in by_class.items()
        if len(ones) > reverse[iri] and (len(ones) > beside[iri] or any(one.pattern == DEFINITION for one in ones))
    }
    if not support:
        return None
    best = max(support, key=lambda iri: (support[iri], classes.depth(iri), iri))
    pattern = by_class[best][0].pattern
    reason = str(Message("enrichment.reason_pages", pages=support[best], pattern=pattern))
    return Parent(best, "pattern", reason, tuple(one.sentence for one in by_class[best]))


def _by_mapping(terms: Sequence[RankedTerm], classes: Classes, others: Iterable[Ontology]) -> dict[int, Parent]:
    found: dict[int, Parent] = {}
    for ontology in others:
        there = Classes([ontology])
        named = {singular(normal(x)): c.iri for c in ontology.concepts for x in (c.label_en, c.label_zh) if x}
        known = {n: named[key] for n, t in enumerate(terms) if (key := singular(normal(t.text))) in named}
        if not known:
            continue
        ours = _mapped(ontology, classes)
        for number, concept in known.items():
            if (parent := _mapped_parent(there, concept, ours)) is not None:
                above, iri = parent
                title = ontology.title_zh or ontology.title_en or ontology.iri
                reason = str(Message("enrichment.reason_mapping", ontology=title, above=there.label(above)))
                found.setdefault(number, Parent(iri, "mapping", reason))
    return found


def _mapped(ontology: Ontology, classes: Classes) -> dict[str, str]:
    """Map the classes of another ontology to those with which they are exactly the same."""
    pairs = {iri: iri for iri in ontology.by_iri if iri in classes.concepts}
    rows = align(ontology.concepts, list(classes.concepts.values()), heads=False)
    return {row.subject: row.object for row in rows if row.joins} | pairs


def _mapped_parent(there: Classes, iri: str, ours: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the nearest superclass that is mapped, and what it is mapped to."""
    above = [c for c in there.above(iri) - {iri} if c in ours and c not in there.roots]
    nearest = min(above, key=lambda c: (-there.depth(c), c), default=None)
    return (nearest, ours[nearest]) if nearest is not None else None


def _beside(terms: Sequence[RankedTerm], located: Located, reading: Reading, classes: Classes) -> list[Counter[str]]:
    """Return for each term the classes that sentences list it with, and in how many pages."""
    numbers = sorted({p.sentence for t in terms for p in t.places if p.in_context and p.sentence in located.concepts})
    of_page: defaultdict[int, list[str]] = defaultdict(list)
    for number in numbers:
        of_page[reading.sentences[number].page].append(" ".join(reading.sentences[number].text.split()))
    documents = [Document(str(page), "", "\n".join(texts), ()) for page, texts in of_page.items()]
    texts = {normal(term.text): number for number, term in enumerate(terms)}
    counts: list[Counter[str]] = [Counter() for _ in terms]
    for pair, often in coordinated(documents, [*classes.labels.forms, *texts]).items():
        one, other = sorted(pair)
        for text, form in ((one, other), (other, one)):
            if text in texts and form in classes.labels.forms:
                counts[texts[text]][classes.labels.iri(classes.labels.forms[form])] += often
    return counts


def _by_lattice(
    terms: Sequence[RankedTerm], located: Located, reading: Reading, classes: Classes, beside: Sequence[Counter[str]]
) -> dict[int, Parent]:
    listed = [n for n in range(len(terms)) if len(beside[n]) >= _LEAST_LISTED]
    if not listed:
        return {}
    context, columns = _context(terms, listed, located, reading, classes)
    above = tolerant_inclusions(context)
    found = {}
    for at, number in enumerate(listed, start=len(columns)):
        kinds = {iri for iri, column in columns.items() if above[at, column] and iri not in classes.roots}
        common = [iri for iri in kinds if all(iri in classes.above(c) and iri != c for c in beside[number])]
        best = max(common, key=lambda iri: (classes.depth(iri), iri), default=None)
        if best is not None:
            among = ", ".join(str(classes.label(c)) for c, _ in beside[number].most_common(3))
            inside = int((context[:, at] & context[:, columns[best]]).sum())
            about = {"inside": inside, "pages": int(context[:, at].sum()), "label": classes.label(best)}
            found[number] = Parent(best, "lattice", str(Message("enrichment.reason_lattice", among=among, **about)))
    return found


def _context(
    terms: Sequence[RankedTerm], listed: Sequence[int], located: Located, reading: Reading, classes: Classes
) -> tuple[Bools, dict[str, int]]:
    """Return the formal context of pages x (concepts, then terms); a page has the superclasses of its concepts too."""
    named: defaultdict[int, set[str]] = defaultdict(set)
    for number, spans in located.concepts.items():
        for _, _, concept in spans:
            named[reading.sentences[number].page] |= classes.above(classes.labels.iri(concept))
    rows = {page: row for row, page in enumerate(sorted({s.page for s in reading.sentences}))}
    columns = {iri: column for column, iri in enumerate(sorted({iri for iris in named.values() for iri in iris}))}
    table = np.zeros((len(rows), len(columns) + len(listed)), dtype=np.bool_)
    for page, iris in named.items():
        table[rows[page], [columns[iri] for iri in iris]] = True
    for column, number in enumerate(listed, start=len(columns)):
        table[[rows[page] for page in pages_of(terms[number], reading)], column] = True
    return table, columns


# ---- sentences that state something of terms and classes: read once for the parents of terms, and for other names


_TERM = "term "
"""Before the number of a term, in the place of the IRI of a class."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a sentence states of a term and a class.

    Attributes:
        sentence: number of the sentence.
        iri: the class; below: whether the term is the narrower one.
        pattern: form of the sentence; rule: "pattern" or "synonym".
    """

    sentence: int
    iri: str
    below: bool
    pattern: str
    rule: str


class Names:
    """The names of terms and classes, for readers of sentences."""

    def __init__(self, terms: Sequence[RankedTerm], classes: Classes) -> None:
        chinese, english = dict(classes.names["zh"]), dict(classes.names["en"])
        for number, term in enumerate(terms):
            for form in term.variants.forms:
                (chinese if has_han(form) else english).setdefault(form, f"{_TERM}{number}")
        self.chinese, self.english = ChineseNames(chinese), EnglishNames(english)


def stated(
    terms: Sequence[RankedTerm], located: Located, reading: Reading, classes: Classes
) -> Mapping[int, tuple[Stated, ...]]:
    """Read the sentences that have a term and a class by the patterns of `ontology.evidence`.

    Returns:
        Number of a term -> what is stated of it.
    """
    names = Names(terms, classes)
    numbers = {p.sentence for term in terms for p in term.places if p.in_context and p.sentence in located.concepts}
    found: dict[int, list[Stated]] = {}
    for number in sorted(numbers):
        for statement in _statements(reading, number, names):
            for one, other, below in (
                (statement.narrower, statement.broader, True),
                (statement.broader, statement.narrower, False),
            ):
                if one.startswith(_TERM) and other in classes.concepts:
                    said = Stated(number, other, below, statement.pattern, statement.rule)
                    found.setdefault(int(one.removeprefix(_TERM)), []).append(said)
    return {term: tuple(said) for term, said in found.items()}


def _statements(reading: Reading, number: int, names: Names) -> Iterator[Statement]:
    sentence = reading.sentences[number]
    if has_han(sentence.text):
        for clause in clauses(sentence.text):
            if patterns_zh.TRIGGER.search(clause):
                yield from patterns_zh.statements(fold(clause), names.chinese)
        return
    for position, clause in enumerate(clauses(sentence.text)):
        if patterns_en.TRIGGER.search(clause):
            yield from patterns_en.statements(clause, names.english, first=sentence.first and position == 0)


# ---- the classes of a topic's ontologies, as one hierarchy


def _is_loose(form: str, concept: Concept) -> bool:
    """Return whether a name of a class is a common word of the language, and no part of the label.

    >>> convection = Concept("#C", "强对流天气", "severe convective weather", alt_en=("storm", "thunderstorm"))
    >>> [form for _, form in convection.forms() if _is_loose(form, convection)]
    ['storm']
    """
    label = (concept.label_zh if has_han(form) else concept.label_en) or concept.label
    return " " not in form and normal(form) not in normal(label) and word_novelty(normal(form)) == 0


class Classes:
    """The classes of some ontologies; one that several ontologies have is one class.

    Args:
        ontologies: the ontologies of a topic, the global one first.
    """

    def __init__(self, ontologies: Sequence[Ontology]) -> None:
        self.ontologies = tuple(ontologies)
        self.concepts: dict[str, Concept] = {c.iri: c for o in ontologies for c in o.concepts}
        self.roots = frozenset(o.root for o in ontologies)
        self._parents: defaultdict[str, set[str]] = defaultdict(set)
        for o in ontologies:
            for iri, parents in o.parents.items():
                self._parents[iri].update(parents)
        self._above: dict[str, frozenset[str]] = {}

    @cached_property
    def labels(self) -> Labels:
        """The labels of all classes."""
        return Labels(self.concepts.values())

    @cached_property
    def names(self) -> dict[str, dict[str, str]]:
        """Language -> surface form -> class, without loose names; of equal forms that of the smallest IRI counts.

        A loose name is a common word of the language that is an other name of a class and no part of its label, as
        *storm* of severe convective weather: it stands for more than the class.
        """
        forms: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
        for concept in sorted(self.concepts.values(), key=lambda c: c.iri):
            for language, form in concept.forms():
                if not _is_loose(form, concept):
                    forms[language].setdefault(form, concept.iri)
        return forms

    def label(self, iri: str | None) -> str | None:
        """Return the preferred label of a class, None for no class."""
        return self.concepts[iri].label if iri is not None else None

    def above(self, iri: str) -> frozenset[str]:
        """Return a class and all its superclasses."""
        if iri not in self._above:
            self._above[iri] = frozenset(reachable(iri, lambda node: sorted(self._parents[node])))
        return self._above[iri]

    def are_kinds(self, one: str, other: str) -> bool:
        """Return whether one of two classes is a kind of the other."""
        return other in self.above(one) or one in self.above(other)

    def depth(self, iri: str) -> int:
        """Return the number of superclasses of a class, which is larger for a more specific one."""
        return len(self.above(iri)) - 1

    @cached_property
    def related(self) -> frozenset[tuple[str, str, str]]:
        """(source, kind, target) of the relations that the ontologies have besides is-a."""
        return frozenset(
            (r.source, r.kind, r.target)
            for ontology in self.ontologies
            for r in ontology.relations
            if r.kind != "subclass_of"
        )

    def has_relation(self, source: str, kind: str, target: str) -> bool:
        """Return whether a relation is stated of two classes, or of superclasses of theirs."""
        return any((s, kind, t) in self.related for s in self.above(source) for t in self.above(target))
