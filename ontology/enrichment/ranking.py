"""Ranking of candidate terms: by the company they keep in sentences, by pages, and by what their parts go with.

    score = log2(1 + support) * quality * share * (1 + ln(1 + G2)) * specificity

support is the number of pages, or of different words before or after the term if that is smaller: a sentence that many
pages repeat, or a template that they fill in, is one statement. G2 is the log-likelihood ratio (Dunning 1993) of
standing in one sentence with *another* concept of the ontology, 0 where that is rarer than by chance; share is the
share of the term's sentences with one, (a + 1/2) / (n + 1); quality is the part of the contrastive score
(ontology.terms.contrast) that depends on no number of pages. The product is a reconstruction. specificity lowers a term
whose modifier goes with many heads (*severe damage*, *severe case*), unless the term is much of what the modifier is
used for: with h heads, and p the share of the term among all of them,

    specificity = min(1, (1 + log2(1 + p h)) / (1 + log2 h))
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ontology.enrichment.labels import Labels
from ontology.enrichment.reading import OnProgress, Reading, Sentence, ignored
from ontology.terms import ContrastTerm
from ontology.terms.form_matcher import FormMatcher, Span, leftmost_longest, with_inflections
from ontology.terms.keyness import association
from ontology.terms.lexicon import word_list
from ontology.terms.segment import word_segmenter
from ontology.terms.wordforms import has_han, normal, singular

_SITE_SHARE = 0.6
_FRAGMENT = 0.8
"""Share of the sentences of a term within a longer one from which it is a fragment of that."""
_NEAR, _NEAR_HAN = 8, 2
"""Characters beside a term that are its context: a word or two."""
_DIGITS = re.compile(r"\d+")
_FROM_ONE_PAGE = 10
"""Sentences of one page that count for a term at most, so that no page can push its words."""


@dataclass(frozen=True, slots=True)
class Variants:
    """A candidate with its spellings, the best one first."""

    forms: tuple[str, ...]
    quality: float

    @property
    def text(self) -> str:
        """The best spelling."""
        return self.forms[0]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence with a term: its number, and the offsets of the term in its folded form."""

    sentence: int
    start: int
    end: int
    in_context: bool
    """Whether the sentence names another concept."""


@dataclass(slots=True)
class RankedTerm:
    """A candidate with its places in relevant pages and its score."""

    variants: Variants
    places: list[Place] = field(default_factory=list)
    counted: int = 0
    """Sentences that count, those of other pages included."""
    context: int = 0
    """Those with another concept."""
    inside: int = 0
    """Those with a concept in the term only."""
    g2: float = 0.0
    score: float = 0.0
    contexts: set[tuple[str, str]] = field(default_factory=set)
    """What stands before it and after it in sentences of relevant pages, numbers alike."""
    _page: int = -1
    _of_page: int = 0

    @property
    def text(self) -> str:
        """The best spelling."""
        return self.variants.text

    def variety(self) -> int:
        """Return the number of different contexts, on the side where there are fewer."""
        return min(len({before for before, _ in self.contexts}), len({after for _, after in self.contexts}))

    def find(self, place: Place, sentence: Sentence) -> None:
        """Add a place in a relevant page; titles, which shorten and have no grammar, are no contexts."""
        self.places.append(place)
        if sentence.in_title:
            return
        near, folded = _NEAR_HAN if has_han(self.text) else _NEAR, sentence.folded
        before, after = folded[max(0, place.start - near) : place.start], folded[place.end : place.end + near]
        self.contexts.add((_DIGITS.sub("0", before), _DIGITS.sub("0", after)))

    def count(self, page: int, *, in_context: bool, named: bool) -> None:
        """Count a sentence, unless its page has enough of them."""
        self._of_page = self._of_page + 1 if page == self._page else 1
        self._page = page
        if self._of_page <= _FROM_ONE_PAGE:
            self.counted += 1
            self.context += in_context
            self.inside += named and not in_context


@dataclass(frozen=True)
class Located:
    """The candidates and the concepts in the sentences of a crawl.

    Attributes:
        terms: the candidates, best first.
        concepts: number of a relevant sentence -> the concepts that it names, with their offsets in its folded form.
        total: sentences read, without titles; named: those that name a concept.
    """

    terms: tuple[RankedTerm, ...]
    concepts: Mapping[int, tuple[Span, ...]]
    total: int
    named: int


def folded_variants(candidates: Sequence[ContrastTerm], labels: Labels) -> list[Variants]:
    """Join the variants of a term: inflection, hyphens and blanks, order of words, stop words.

    Args:
        candidates: the candidates, best first.
        labels: a variant of a label is left out.
    """
    known = {key for form in labels.forms for key in _variant_keys(form)}
    groups: list[tuple[list[str], float]] = []
    group_of: dict[str, int] = {}
    for candidate in candidates:
        keys = _variant_keys(candidate.text)
        if not known.isdisjoint(keys):
            continue
        at = next((group_of[key] for key in keys if key in group_of), len(groups))
        if at == len(groups):
            groups.append(([], candidate.score / math.log2(1 + candidate.documents)))
        groups[at][0].append(candidate.text)
        for key in keys:
            group_of.setdefault(key, at)
    return [Variants(tuple(forms), quality) for forms, quality in groups]


def _variant_keys(text: str) -> tuple[str, ...]:
    """Return what variants of a term share: its words in the singular without stop words, joined, and sorted.

    >>> _variant_keys("flood plains"), _variant_keys("flood-plain"), _variant_keys("damage of floods")
    (('floodplain', 'flood plain'), ('floodplain', 'flood plain'), ('damageflood', 'damage flood'))
    """
    words = [w for w in words_of(text) if w not in word_list("stop_en") and w not in ("的", "之")]
    singulars = [singular(word) for word in words]
    return "".join(singulars), " ".join(sorted(singulars))


def words_of(text: str) -> list[str]:
    """Return the words of a term, folded."""
    folded = normal(text)
    if not has_han(folded):
        return folded.split()
    return [word for part in folded.split() for word in word_segmenter().cut(part)]


def ranked(
    variants: Sequence[Variants], reading: Reading, labels: Labels, on_progress: OnProgress = ignored
) -> Located:
    """Find all candidates and all concepts in one pass over the sentences, and rank the candidates.

    Args:
        variants: the candidates.
        reading: the pages.
        labels: the labels of the ontology.
        on_progress: called with the number of sentences searched.
    """
    terms = [RankedTerm(v) for v in variants]
    forms = with_inflections((form, number, not has_han(form)) for number, v in enumerate(variants) for form in v.forms)
    matcher = FormMatcher([forms, labels.forms])
    concepts: dict[int, tuple[Span, ...]] = {}
    named = 0
    total = len(reading.sentences) + len(reading.others)
    titles = sum(sentence.in_title for sentence in _all(reading))
    for number, sentence in enumerate(_all(reading)):
        of_terms, of_labels = matcher.spans_within(sentence.folded)
        spans = tuple(leftmost_longest(of_labels))
        named += bool(spans) and not sentence.in_title
        relevant = number < len(reading.sentences)
        if spans and relevant:
            concepts[number] = spans
        first: dict[int, tuple[int, int]] = {}
        for start, end, term in of_terms:
            first.setdefault(term, (start, end))
        for term, (start, end) in first.items():
            in_context = any(s >= end or e <= start for s, e, _ in spans)
            if not sentence.in_title:
                terms[term].count(sentence.page, in_context=in_context, named=bool(spans))
            if relevant:
                terms[term].find(Place(number, start, end, in_context), sentence)
        if number % 10_000 == 0:
            on_progress("sentences", number, total)
    on_progress("sentences", total, total)
    _score(terms, reading, labels, total - titles, named)
    return Located(tuple(sorted(terms, key=lambda t: (-t.score, t.text))), concepts, total - titles, named)


def _all(reading: Reading) -> Iterator[Sentence]:
    yield from reading.sentences
    yield from reading.others


def pages_of(term: RankedTerm, reading: Reading) -> frozenset[int]:
    """Return the numbers of the relevant pages with a term."""
    return frozenset(reading.sentences[place.sentence].page for place in term.places)


def _score(terms: Sequence[RankedTerm], reading: Reading, labels: Labels, total: int, named: int) -> None:
    specificity = _specificities({t.text: len(pages_of(t, reading)) for t in terms}, lambda w: w in labels.forms)
    for term in terms:
        term.g2 = association(term.context, term.counted, named - term.inside, total) if term.counted else 0.0
        share = (term.context + 0.5) / (term.counted + 1)
        support = math.log2(1 + min(len(pages_of(term, reading)), term.variety()))
        bond = 1 + math.log1p(max(term.g2, 0.0))
        term.score = support * term.variants.quality * share * bond * specificity[term.text]


def _specificities(pages: Mapping[str, int], is_label: Callable[[str], bool]) -> dict[str, float]:
    """Return how specific the modifier of each term is, in (0, 1].

    Args:
        pages: term -> number of its pages.
        is_label: whether a folded word is a label of the ontology; then it is specific.

    >>> pages = {f"severe {head}": 2 for head in ("damage", "case", "loss", "pain")} | {"storm surge": 3}
    >>> {term: round(value, 2) for term, value in _specificities(pages, lambda word: False).items()}
    {'severe damage': 0.67, 'severe case': 0.67, 'severe loss': 0.67, 'severe pain': 0.67, 'storm surge': 1.0}
    """
    heads: defaultdict[str, Counter[str]] = defaultdict(Counter)
    parts = {text: words_of(text) for text in pages}
    for text, words in parts.items():
        if len(words) > 1:
            heads[words[0]][words[-1]] += max(pages[text], 1)
    return {
        text: 1.0 if len(words) < 2 or is_label(words[0]) else _specificity(heads[words[0]], max(pages[text], 1))
        for text, words in parts.items()
    }


def _specificity(heads: Counter[str], pages: int) -> float:
    share = pages / heads.total()
    return min(1.0, (1 + math.log2(1 + share * len(heads))) / (1 + math.log2(len(heads))))


def is_independent(term: RankedTerm, reading: Reading) -> bool:
    """Return whether a term is more than the boilerplate of one site."""
    pages = pages_of(term, reading)
    hosts = {reading.hosts[page] for page in pages}
    relevant_hosts = reading.relevant_hosts
    if len(hosts) != 1 or len(set(relevant_hosts)) == 1:
        return bool(hosts)
    of_host = relevant_hosts.count(next(iter(hosts)))
    return of_host < 5 or len(pages) <= _SITE_SHARE * of_host


def is_fragment(term: RankedTerm, better: Iterable[RankedTerm]) -> bool:
    """Return whether most sentences of a term have it within a longer term that is ranked above it."""
    text = f" {normal(term.text)} " if not has_han(term.text) else normal(term.text)
    of_term = {place.sentence for place in term.places}
    for other in better:
        longer = f" {normal(other.text)} " if not has_han(term.text) else normal(other.text)
        if text != longer and text in longer:
            shared = len(of_term & {place.sentence for place in other.places})
            if shared >= _FRAGMENT * len(of_term):
                return True
    return False
