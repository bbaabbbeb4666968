"""Held-out classes: what of an ontology is taken out, and how much of it proposals bring back.

A class that is held out is removed with all its labels and relations; its children go to its nearest broader classes
that stay. Roots are never held out. 30 % of the classes are drawn by a hash of their IRIs; each split has another seed.

* A held-out class occurs if one of its labels stands in a relevant page, in any form that the matcher knows. A label
  within a longer label of any class is an occurrence of the longer one alone.
* It is found if one of the first k proposals is a new class or a name whose term is one of its labels.
* Its parent is right if the proposal is a new class below one of its nearest broader classes that stayed ("parent"), or
  below any broader class that stayed ("ancestor"). The root counts only where nothing else is broader.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.agreement import draw
from ontology.decisions import Decision
from ontology.decisions.applying import apply
from ontology.decisions.facts import Facts
from ontology.enrichment import PageText, Proposal, propose
from ontology.enrichment.labels import Labels
from ontology.model import Concept, Ontology
from ontology.reachable import reachable
from ontology.terms import clauses, sentences
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.lexicon import word_list
from ontology.terms.segment import segmenter
from ontology.terms.wordforms import has_han, normal

SHARE = 0.3
CUTS = (20, 50)
ALL = 1_000
"""Number of proposals, and of ranked terms, that "all" means."""
LONGEST = 3
"""Words of a candidate of the baselines."""


@dataclass(frozen=True)
class Split:
    """Ontologies without some of their classes.

    Attributes:
        ontologies: what stayed, the global ontology first.
        held_out: the classes that were taken out.
        parents: IRI of a held-out class -> its nearest broader classes that stayed.
        ancestors: IRI of a held-out class -> all broader classes that stayed.
    """

    ontologies: tuple[Ontology, ...]
    held_out: tuple[Concept, ...]
    parents: Mapping[str, frozenset[str]]
    ancestors: Mapping[str, frozenset[str]]

    @property
    def forms(self) -> dict[str, int]:
        """Folded label of a held-out class, in all its forms -> number of the class."""
        return with_inflections(_numbered(self.held_out))


def split(ontologies: Sequence[Ontology], seed: int, share: float = SHARE) -> Split:
    """Take classes out of the ontologies of a topic.

    Args:
        ontologies: the ontologies, the global one first; a class of several is taken out of all.
        seed: seed of the draw.
        share: which part of the classes is taken out.
    """
    concepts = {c.iri: c for ontology in reversed(ontologies) for c in ontology.concepts}
    roots = {ontology.root for ontology in ontologies}
    candidates = [(iri,) for iri in sorted(concepts.keys() - roots)]
    gone = {iri for (iri,) in draw(candidates, round(share * len(candidates)), seed)}
    decisions = [Decision("reject", iri, id=iri) for iri in sorted(gone)]
    facts = Facts.of(decisions, str)
    kept = tuple(apply(ontology, facts).ontology for ontology in ontologies)
    above: dict[str, set[str]] = {}
    for ontology in ontologies:
        for iri, higher in ontology.parents.items():
            above.setdefault(iri, set()).update(higher)
    parents = {iri: _nearest(iri, above, gone) for iri in gone}
    broader = {iri: reachable(iri, lambda c: above.get(c, ())) - gone for iri in gone}
    ancestors = {iri: frozenset(broader[iri] - roots or broader[iri]) for iri in gone}
    return Split(kept, tuple(concepts[iri] for iri in sorted(gone)), parents, ancestors)


def _nearest(iri: str, above: Mapping[str, set[str]], gone: set[str]) -> frozenset[str]:
    """Return the nearest broader classes that are not gone."""
    nearest = set[str]()
    waiting, seen = list(above.get(iri, ())), {iri}
    while waiting:
        high = waiting.pop()
        if high in gone and high not in seen:
            waiting += above.get(high, ())
        elif high not in gone:
            nearest.add(high)
        seen.add(high)
    return frozenset(nearest)


def _numbered(concepts: Sequence[Concept]) -> Iterator[tuple[str, int, bool]]:
    for number, concept in enumerate(concepts):
        for language, form in concept.forms():
            yield form, number, language == "en"


def occurring(held: Split, pages: Iterable[PageText]) -> Counter[int]:
    """Count the relevant pages with each held-out class, by its number."""
    staying = [c for ontology in held.ontologies for c in ontology.concepts]
    forms = held.forms
    others = with_inflections((form, -1, english) for form, _, english in _numbered(staying))
    matcher = FormMatcher([others | forms])
    pages_with: Counter[int] = Counter()
    for page in pages:
        if page.relevant:
            spans = matcher.spans(normal(f"{page.title}\n{page.text}"))[0]
            pages_with.update({number for _, _, number in spans if number >= 0})
    return pages_with


class Found(NamedTuple):
    """A held-out class that a proposal brings back: its number, the rank of the proposal from 1, and the proposal."""

    number: int
    rank: int
    proposal: Proposal


def found(held: Split, proposals: Sequence[Proposal]) -> list[Found]:
    """Return the held-out classes that proposals bring back, each by the first proposal that does."""
    forms = held.forms
    by_number: dict[int, Found] = {}
    terms = ((rank, p) for rank, p in enumerate(proposals, start=1) if p.kind != "relation")
    for rank, proposal in terms:
        number = forms.get(normal(proposal.term))
        if number is not None:
            by_number.setdefault(number, Found(number, rank, proposal))
    return list(by_number.values())


def is_right(held: Split, one: Found) -> tuple[bool, bool]:
    """Return whether the proposed parent is a nearest broader class that stayed, and whether it is any broader one."""
    target, iri = one.proposal.target, held.held_out[one.number].iri
    if one.proposal.kind != "concept" or target is None:
        return False, False
    return target in held.parents[iri], target in held.parents[iri] | held.ancestors[iri]


def figures(held: Split, pages: Sequence[PageText], *, limit: int = ALL) -> dict[str, Any]:
    """Propose, and count what comes back; of both baselines too.

    Args:
        held: the ontologies and what was taken out.
        pages: the pages of a crawl.
        limit: number of proposals that "all" means.
    """
    pages_with = occurring(held, pages)
    began = time.process_time()
    proposals = [p for p in propose(pages, held.ontologies, limit=limit) if p.kind != "relation"]
    seconds = time.process_time() - began
    back = [one for one in found(held, proposals) if one.number in pages_with]
    named = [one for one in back if one.proposal.kind == "concept" and one.proposal.target is not None]
    right = [is_right(held, one) for one in back]
    ranks = {"proposals": [one.rank for one in back], **baselines(held, pages, pages_with, limit)}
    return {
        "pages": len(pages),
        "relevant": sum(page.relevant for page in pages),
        "classes": len({c.iri for ontology in held.ontologies for c in ontology.concepts}),
        "held_out": len(held.held_out),
        "occurring": len(pages_with),
        "on_two_pages": sum(count > 1 for count in pages_with.values()),
        "proposed": len(proposals),
        "found": {name: found_at(of) for name, of in ranks.items()},
        "named_parents": len(named),
        "right_parents": sum(parent for parent, _ in right),
        "right_ancestors": sum(ancestor for _, ancestor in right),
        "processor_seconds": round(seconds, 1),
    }


def found_at(ranks: Iterable[int]) -> dict[str, int]:
    """Count ranks up to each of CUTS, and all."""
    listed = list(ranks)
    return {**{str(cut): sum(rank <= cut for rank in listed) for cut in CUTS}, "all": len(listed)}


def baselines(
    held: Split, pages: Sequence[PageText], pages_with: Mapping[int, int], limit: int = ALL
) -> dict[str, list[int]]:
    """Return the ranks of the held-out classes by frequency and by TF-IDF, among the terms that the ontology lacks."""
    forms = held.forms
    concepts = {c.iri: c for ontology in held.ontologies for c in ontology.concepts}
    labels = Labels(concepts.values())
    found_by = {}
    for name, ranked in ranked_terms(pages).items():
        ranks: dict[int, int] = {}
        for rank, term in enumerate(_first(ranked, labels, limit), start=1):
            number = forms.get(term)
            if number is not None and number in pages_with:
                ranks.setdefault(number, rank)
        found_by[name] = [*ranks.values()]
    return found_by


def _first(ranked: Iterable[str], labels: Labels, limit: int) -> Iterator[str]:
    kept = 0
    for term in ranked:
        if kept == limit:
            return
        if not labels.is_trivial(term):
            kept += 1
            yield term


def ranked_terms(pages: Sequence[PageText]) -> dict[str, list[str]]:
    """Rank the n-grams of relevant pages by the number of these pages, and by the sum of TF-IDF over them.

    TF-IDF is that of scikit-learn: tf * (ln((1 + n) / (1 + df)) + 1) with df over all pages, pages scaled to length 1.
    An n-gram has up to three words, lies within a clause, neither begins nor ends with a word of the bundled lists of
    stop words for pages, and is on two relevant pages.
    """
    counted = {n: Counter(candidates(page)) for n, page in enumerate(pages) if page.relevant}
    on = Counter(term for counts in counted.values() for term in counts)
    kept = {term for term, count in on.items() if count > 1}
    everywhere = Counter({term: on[term] for term in kept})
    for page in pages:
        if not page.relevant:
            everywhere.update({term for term in candidates(page) if term in kept})
    weight = {term: math.log((1 + len(pages)) / (1 + everywhere[term])) + 1 for term in kept}
    score: defaultdict[str, float] = defaultdict(float)
    for counts in counted.values():
        row = {term: count * weight[term] for term, count in counts.items() if term in kept}
        length = math.sqrt(sum(value * value for value in row.values())) or 1.0
        for term, value in row.items():
            score[term] += value / length
    by: dict[str, Mapping[str, float]] = {"frequency": on, "tf_idf": score}
    return {name: sorted(kept, key=lambda term: (-values[term], term)) for name, values in by.items()}


def candidates(page: PageText) -> Iterator[str]:
    """Yield the n-grams of a page that baselines rank, folded."""
    closed = word_list("stop_pages_zh") | word_list("stop_pages_en")
    for block in (page.title, page.text):
        for clause in (part for sentence in sentences(block) for part in clauses(sentence)):
            words = [token.text for token in segmenter().cut(normal(clause))]
            words = [word for word in words if word.strip()]
            for size in range(1, LONGEST + 1):
                for start in range(len(words) - size + 1):
                    some = words[start : start + size]
                    if some[0] not in closed and some[-1] not in closed and all(map(_is_word, some)):
                        term = ("" if has_han("".join(some)) else " ").join(some)
                        if len(term) > 1:
                            yield term


def _is_word(text: str) -> bool:
    return any(letter.isalpha() for letter in text)
