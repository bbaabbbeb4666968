"""Enrichment proposals: what the relevant pages of a crawl say that an ontology lacks.

The way through: the pages are cut into sentences (reading.py); candidates are extracted and contrasted with the other
pages of the crawl (ontology.terms.contrast), their variants joined; one pass finds all candidates and concepts in the
sentences, and the candidates are ranked by it (ranking.py); from the best downward, what is no term is left out
(filters.py). The terms that remain get a parent by a named reason (placing.py), or are other names of classes
(naming.py). Relations are read from the sentences that name two classes (relating.py). Reconstruction; the papers print
no algorithm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from ontology.enrichment.classes import Classes
from ontology.enrichment.filters import why_malformed, why_no_term
from ontology.enrichment.known_ontologies import known_besides
from ontology.enrichment.naming import OtherName, abbreviated_names, abbreviations, as_variants, other_names
from ontology.enrichment.page_text import PageText
from ontology.enrichment.placing import Parent, parents
from ontology.enrichment.progress import OnProgress, ignored
from ontology.enrichment.proposal import PageSentence, Proposal
from ontology.enrichment.ranking import (
    Located,
    Place,
    RankedTerm,
    folded_variants,
    is_fragment,
    is_independent,
    pages_of,
    ranked,
)
from ontology.enrichment.reading import Reading, read
from ontology.enrichment.relating import StatedRelation, relations
from ontology.enrichment.stating import stated
from ontology.model import Ontology
from ontology.terms import ContrastTerm, contrast_terms

SENTENCES = 5
"""Number of sentences of a proposal at most."""
_CANDIDATES = 3_000
"""Number of best candidates that are looked for in the sentences."""
_WORD_OF_RELATION = {"causes": "causes", "part_of": "is part of", "measured_by": "is measured by"}


def propose(
    pages: Iterable[PageText],
    ontologies: Sequence[Ontology],
    *,
    limit: int = 50,
    min_pages: int = 2,
    others: Sequence[Ontology] | None = None,
    on_progress: OnProgress = ignored,
) -> list[Proposal]:
    """Propose terms, other names and relations for an ontology from the pages of a crawl.

    Args:
        pages: the pages, relevant ones and others.
        ontologies: the ontologies of a topic, the global one first.
        limit: maximum number of proposals.
        min_pages: minimum number of relevant pages with a term.
        others: other ontologies that may have a term and its superclasses; by default those of the package that are of
            another topic.
        on_progress: called with a stage, the number done and of all, for a progress bar.

    Returns:
        The proposals, best first, each with its best sentences.

    Raises:
        ValueError: limit or min_pages is below 1.
    """
    if limit < 1 or min_pages < 1:
        raise ValueError(f"limit and min_pages must be 1 or more, found {limit} and {min_pages}")
    classes = Classes(ontologies)
    reading = read(pages, on_progress)
    if not reading.sentences:
        return []
    found = candidates(reading, min_pages, classes.labels.is_trivial)[:_CANDIDATES]
    variants = folded_variants(found, classes.labels)
    on_progress("terms", len(variants), len(variants))
    quality = median(v.quality for v in variants) if variants else 1.0
    short = abbreviations(reading, classes)
    located = ranked([*variants, *as_variants(short, quality)], reading, classes.labels, on_progress)
    terms = _terms(located, reading, classes, frozenset(short), limit, min_pages)
    on_progress("places", 0, len(terms))
    said = stated(terms, located, reading, classes)
    names = other_names(terms, located, reading, classes, said) | abbreviated_names(terms, short, classes)
    known = known_besides(ontologies) if others is None else others
    above = parents(terms, located, reading, classes, said, known)
    on_progress("places", len(terms), len(terms))
    proposals = [
        _proposal(term, names.get(number), above.get(number), reading, classes) for number, term in enumerate(terms)
    ]
    proposals += [
        _related(relation, reading, classes)
        for relation in relations(located, reading, classes, quality, on_progress)[:limit]
    ]
    return sorted(proposals, key=lambda p: (-p.score, p.key))[:limit]


def candidates(
    reading: Reading, min_pages: int, is_known: Callable[[str], bool] = lambda text: False
) -> list[ContrastTerm]:
    """Find what may be terms of the relevant pages, by `contrast_terms`; the names of hosts are none.

    Args:
        reading: the pages.
        min_pages: minimum number of relevant pages with a term.
        is_known: returns True for a term to leave out.

    Returns:
        The terms by falling score.
    """
    documents, wanted = reading.documents()
    stop = tuple({word for host in set(reading.hosts) for word in re.findall(r"[a-z]+", host)})
    found = contrast_terms(documents, wanted, min_documents=min_pages, stop=stop, is_known=is_known)
    return [term for term in found if not why_malformed(term.text)]


def _terms(
    located: Located, reading: Reading, classes: Classes, sure: frozenset[str], limit: int, min_pages: int
) -> list[RankedTerm]:
    """Return the best candidates that are terms; abbreviations of labels are sure to be names."""
    kept: list[RankedTerm] = []
    for term in located.terms:
        if len(kept) == limit:
            break
        if min(len(pages_of(term, reading)), len(term.contexts)) < min_pages:
            continue
        if term.text in sure or (
            is_independent(term, reading)
            and not is_fragment(term, kept)
            and not why_no_term(term, reading, classes.labels.forms)
        ):
            kept.append(term)
    return kept


def _proposal(
    term: RankedTerm, name: OtherName | None, parent: Parent | None, reading: Reading, classes: Classes
) -> Proposal:
    target = name.iri if name else parent.iri if parent else None
    stating = name.sentences if name else parent.sentences if parent else ()
    return Proposal(
        kind="concept" if name is None else "label",
        term=term.text,
        relation="subclass_of" if name is None else "synonym",
        target=target,
        target_label=classes.label(target),
        score=round(term.score, 6),
        pages=len(pages_of(term, reading)),
        of_pages=reading.relevant,
        sentences=_best(term.places, reading, frozenset(stating)),
        rule="alias" if name else parent.rule if parent else None,
        reason=name.reason if name else parent.reason if parent else "",
    )


def _related(relation: StatedRelation, reading: Reading, classes: Classes) -> Proposal:
    places = [Place(number, start, end, in_context=True) for number, start, end in relation.places]
    sentences = len({number for number, _, _ in relation.places})
    count = "1 sentence says" if sentences == 1 else f"{sentences} sentences say"
    return Proposal(
        kind="relation",
        term=str(classes.label(relation.source)),
        relation=relation.kind,
        target=relation.target,
        target_label=classes.label(relation.target),
        score=round(relation.score, 6),
        pages=relation.pages,
        of_pages=reading.relevant,
        sentences=_best(places, reading, frozenset()),
        source=relation.source,
        rule="cue",
        reason=f"{count} that one {_WORD_OF_RELATION[relation.kind]} the other: {', '.join(relation.cues[:3])}",
    )


def _best(places: Sequence[Place], reading: Reading, stating: frozenset[int]) -> tuple[PageSentence, ...]:
    """Return the best sentences, each text once, those of different pages first."""

    def order(place: Place) -> tuple[bool, bool, bool, bool, float, str, int]:
        sentence = reading.sentences[place.sentence]
        page = reading.pages[sentence.page]
        handy = 15 <= len(sentence.text) <= 200
        states = place.sentence in stating
        return not states, sentence.in_title, not place.in_context, not handy, -page.relevance, page.url, place.sentence

    chosen: list[Place] = []
    texts: set[str] = set()
    pages: set[int] = set()
    ordered = sorted(places, key=order)
    for again in (False, True):
        for place in ordered:
            sentence = reading.sentences[place.sentence]
            if len(chosen) < SENTENCES and sentence.folded not in texts and (again or sentence.page not in pages):
                chosen.append(place)
                texts.add(sentence.folded)
                pages.add(sentence.page)
    return tuple(reading.shown(reading.sentences[p.sentence], p.start, p.end) for p in sorted(chosen, key=order))
