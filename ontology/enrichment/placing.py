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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontology.context import Bools
from ontology.enrichment.classes import Classes
from ontology.enrichment.proposal import Rule
from ontology.enrichment.ranking import Located, RankedTerm, pages_of
from ontology.enrichment.reading import Reading
from ontology.enrichment.stating import Stated
from ontology.evidence.compounds import Compounds
from ontology.evidence.coordination import coordinated
from ontology.evidence.heads import Heads
from ontology.evidence.statement import DEFINITION
from ontology.hierarchy.tolerant import tolerant_inclusions
from ontology.mapping import align
from ontology.model import Document, Ontology
from ontology.terms.wordforms import fold, normal, singular

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
            found[number] = Parent(named[fold(head)], "head", f"ends with {head}")
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
    often = "1 page says so" if support[best] == 1 else f"{support[best]} pages say so"
    return Parent(best, "pattern", f"{often}: {pattern}", tuple(one.sentence for one in by_class[best]))


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
                reason = f"{title} has it, below {there.label(above)}"
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
            reason = f"{inside} of its {int(context[:, at].sum())} pages name a {classes.label(best)}, and it is listed"
            found[number] = Parent(best, "lattice", f"{reason} with {among}")
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
