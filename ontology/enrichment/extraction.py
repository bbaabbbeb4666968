"""Enrichment proposals: what the relevant pages of a crawl say that an ontology lacks.

The way through: the pages are cut into sentences (reading.py); candidates are extracted and contrasted with the other
pages of the crawl (ontology.terms.contrast), their variants joined; one pass finds all candidates and concepts in the
sentences, and the candidates are ranked by it (ranking.py); from the best downward, what is no term is left out
(filters.py). The terms that remain get a parent by a named reason (placing.py), or are other names of classes
(naming.py). Relations are read from the sentences that name two classes (relating.py). Reconstruction; the papers print
no algorithm.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import combinations
from statistics import median

from ontology import owl
from ontology.enrichment.filters import why_malformed, why_no_term
from ontology.enrichment.page_text import PageText
from ontology.enrichment.placing import Classes, Names, Parent, parents, stated
from ontology.enrichment.placing import Stated as StatedClass
from ontology.enrichment.proposal import PageSentence, Proposal
from ontology.enrichment.ranking import (
    Located,
    Place,
    RankedTerm,
    Variants,
    folded_variants,
    is_fragment,
    is_independent,
    pages_of,
    ranked,
)
from ontology.enrichment.reading import OnProgress, Reading, ignored, read
from ontology.errors import Message
from ontology.evidence.english_sentence import EnglishSentence
from ontology.evidence.noun_phrases_zh import ChinesePhrases
from ontology.evidence.relation_cues_en import EnglishCues
from ontology.evidence.relation_cues_zh import ChineseCues, Stated
from ontology.model import Document, Ontology
from ontology.terms import ContrastTerm, contrast_terms
from ontology.terms.abbreviations import Abbreviation, find_abbreviations
from ontology.terms.form_matcher import AsWritten, Span, in_simplified
from ontology.terms.keyness import association
from ontology.terms.noun_phrases_en import words_of
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import dictionary_form, fold, has_han, normal

SENTENCES = 5
"""Number of sentences of a proposal at most."""
_CANDIDATES = 3_000
"""Number of best candidates that are looked for in the sentences."""
_SAYS = {kind: f"enrichment.reason_{kind}" for kind in ("causes", "part_of", "measured_by")}


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
    reading = read(pages, on_progress)
    if not reading.sentences:
        return []
    names = (form for ontology in ontologies for concept in ontology.concepts for _, form in concept.forms())
    written = AsWritten((sentence.written for sentence in reading.sentences), names, cased=True)
    plain = [in_simplified(ontology) for ontology in ontologies]
    known = _known_besides(ontologies) if others is None else others
    found = _proposals(reading, Classes(plain), limit, min_pages, [in_simplified(o) for o in known], on_progress)
    shown = written.restored([replace(p, sentences=()) for p in found])
    return [replace(p, sentences=one.sentences) for p, one in zip(shown, found, strict=True)]


def _proposals(
    reading: Reading,
    classes: Classes,
    limit: int,
    min_pages: int,
    known: Sequence[Ontology],
    on_progress: OnProgress,
) -> list[Proposal]:
    """Return the proposals of pages, best first, with texts in simplified characters but for sentences."""
    found = candidates(reading, min_pages, classes.labels.is_trivial)[:_CANDIDATES]
    variants = folded_variants(found, classes.labels)
    on_progress("terms", len(variants), len(variants))
    quality = median(v.quality for v in variants) if variants else 1.0
    short = _abbreviations(reading, classes)
    located = ranked([*variants, *_as_variants(short, quality)], reading, classes.labels, on_progress)
    terms = _terms(located, reading, classes, frozenset(short), limit, min_pages)
    on_progress("places", 0, len(terms))
    said = stated(terms, located, reading, classes)
    names = _other_names(terms, located, reading, classes, said) | _abbreviated_names(terms, short, classes)
    above = parents(terms, located, reading, classes, said, known)
    on_progress("places", len(terms), len(terms))
    proposals = [
        _proposal(term, names.get(number), above.get(number), reading, classes) for number, term in enumerate(terms)
    ]
    proposals += _relations(located, reading, classes, quality, limit, on_progress)
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
    term: RankedTerm, name: _OtherName | None, parent: Parent | None, reading: Reading, classes: Classes
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


# ---- the ontologies that ship with ontocrawl, as other ontologies that may have a term


def _known_besides(ontologies: Sequence[Ontology]) -> tuple[Ontology, ...]:
    """Return the ontologies of the package that are of another topic than some ontologies.

    Args:
        ontologies: the ontologies to be enriched.
    """
    topics = {ontology.topic for ontology in ontologies}
    given = {ontology.iri for ontology in ontologies}
    return tuple(o for o in _packaged() if o.topic not in topics and o.iri not in given)


@lru_cache(maxsize=1)
def _packaged() -> tuple[Ontology, ...]:
    found = []
    for source in sorted(files("ontologies").iterdir(), key=lambda entry: entry.name):
        if source.name.endswith(".ttl"):
            with as_file(source) as path:
                found.append(owl.read(path))
    return tuple(found)


# ---- relations between classes that sentences of pages state by cue words: causes, part of, measured by
#
# The readers are those of learning (ontology/evidence/relation_cues_zh.py, relation_cues_en.py), which know negations
# and read both directions. Left out is what the ontologies have, of the two classes or of superclasses of theirs, and
# a relation of a class to a kind of itself. The score is comparable with that of terms; G2 is that of both classes in
# one sentence:
#
#     score = log2(1 + pages) * quality * (1 + ln(1 + G2))


_Stated = tuple[str, str, str]
"""A relation that sentences state: IRI of the cause, the part, or what is measured; its kind; IRI of the other end."""


def _relations(
    located: Located, reading: Reading, classes: Classes, quality: float, limit: int, on_progress: OnProgress
) -> list[Proposal]:
    """Find the relations that sentences state and the ontologies lack, best first.

    Args:
        located: the concepts in the sentences.
        reading: the pages.
        classes: the classes of the ontologies.
        quality: factor of the score: the median quality of the candidate terms.
        limit: number of relations that are returned.
        on_progress: called with the number of sentences read.
    """
    names = Names((), classes)
    readers = ChineseCues(names.chinese), EnglishCues(names.english)
    places: defaultdict[_Stated, list[tuple[int, int, int]]] = defaultdict(list)
    cues: defaultdict[_Stated, Counter[str]] = defaultdict(Counter)
    several = [n for n, spans in located.concepts.items() if len({c for _, _, c in spans}) > 1]
    for done, number in enumerate(several, start=1):
        for relation, cue in _new(reading.sentences[number].text, readers, classes):
            place = _place(located.concepts[number], relation[0], relation[2], classes)
            if place is not None and (number, *place) not in places[relation]:
                places[relation].append((number, *place))
                cues[relation][cue] += 1
        if done % 500 == 0 or done == len(several):
            on_progress("relations", done, len(several))
    counted = _Counts(located, classes)
    scores = {relation: _score(relation, at, reading, counted, quality) for relation, at in places.items() if at}
    ordered = sorted(scores, key=lambda relation: (-scores[relation], relation))[:limit]
    return [
        _related(relation, scores[relation], places[relation], cues[relation], reading, classes) for relation in ordered
    ]


def _new(text: str, readers: tuple[ChineseCues, EnglishCues], classes: Classes) -> Iterator[tuple[_Stated, str]]:
    """Yield the relations of a sentence that the ontologies lack, with their cue words."""
    chinese, english = readers
    for clause in clauses(" ".join(text.split())):
        said: Iterator[Stated] = chinese.read(fold(clause)) if has_han(clause) else english.read(clause)
        for one in said:
            for source in one.sources:
                for target in one.targets:
                    known = classes.are_kinds(source, target) or classes.has_relation(source, one.kind, target)
                    if not known:
                        yield (source, one.kind, target), one.cue


def _place(spans: tuple[Span, ...], source: str, target: str, classes: Classes) -> tuple[int, int] | None:
    """Return where two classes stand nearest to each other, from the first name to the last."""
    ends = [
        [(start, end) for start, end, concept in spans if classes.labels.iri(concept) == iri]
        for iri in (source, target)
    ]
    pairs = [(min(a[0], b[0]), max(a[1], b[1])) for a in ends[0] for b in ends[1]]
    return min(pairs, key=lambda pair: (pair[1] - pair[0], pair), default=None)


class _Counts:
    """Sentences that name a class, and that name two."""

    def __init__(self, located: Located, classes: Classes) -> None:
        self.total = located.total
        self.one: Counter[str] = Counter()
        self.both: Counter[tuple[str, str]] = Counter()
        for spans in located.concepts.values():
            named = sorted({classes.labels.iri(concept) for _, _, concept in spans})
            self.one.update(named)
            self.both.update(combinations(named, 2))


def _score(
    relation: _Stated, places: Sequence[tuple[int, int, int]], reading: Reading, counted: _Counts, quality: float
) -> float:
    low, high = sorted((relation[0], relation[2]))
    g2 = association(counted.both[low, high], counted.one[relation[0]], counted.one[relation[2]], counted.total)
    return math.log2(1 + _pages(places, reading)) * quality * (1 + math.log1p(max(g2, 0.0)))


def _pages(places: Sequence[tuple[int, int, int]], reading: Reading) -> int:
    return len({reading.sentences[number].page for number, _, _ in places})


def _related(
    relation: _Stated,
    score: float,
    places: Sequence[tuple[int, int, int]],
    cues: Counter[str],
    reading: Reading,
    classes: Classes,
) -> Proposal:
    source, kind, target = relation
    said = Message("enrichment.reason_sentences", sentences=len({number for number, _, _ in places}))
    reason = Message(_SAYS[kind], said=said, cues=", ".join(cue for cue, _ in cues.most_common(3)))
    return Proposal(
        kind="relation",
        term=str(classes.label(source)),
        relation=kind,
        target=target,
        target_label=classes.label(target),
        score=round(score, 6),
        pages=_pages(places, reading),
        of_pages=reading.relevant,
        sentences=_best([Place(*place, in_context=True) for place in places], reading, frozenset()),
        source=source,
        rule="cue",
        reason=str(reason),
    )


# ---- other names of classes: sentences that say that a term and a label are the same, and abbreviations of labels
#
#     X（又称Y）    X，也叫Y    X (also known as Y)    X（即Y）    X (i.e. Y)    X（Y）, in two pages at least
#
# Both are whole noun phrases: 局地暴雨（又称Y） does not name 暴雨. A bracket with a number, a unit or a place is
# no name, since only terms are looked for. Abbreviations are those of `ontology.terms.abbreviations`.


_CALLED = (
    "又称|又叫|又名|亦称|亦名|也称|也叫|俗称|简称|(?:sometimes |often |commonly |otherwise )?(?:also )?"
    "(?:known as|called|referred to as)"
)
_CUE = re.compile(
    rf"\s*(?:[（(]\s*(?P<bracket>{_CALLED}|即|i\.e\.,?|or)?|[，,]\s*(?P<comma>{_CALLED}))[为作是]?\s*", re.IGNORECASE
)
_QUOTES = "“”\"'‘’「」『』 "
_CLOSE = re.compile(r"[)）,，。；;.]")
_LEAST_BARE = 2
"""Pages that have a bracket without a word like 又称, at least."""
_MAY_NAME = re.compile(rf"[（(]|{_CALLED}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _OtherName:
    """The class that a term is another name of, with the reason, and the numbers of the sentences that say so."""

    iri: str
    reason: str
    sentences: tuple[int, ...]


def _other_names(
    terms: Sequence[RankedTerm],
    located: Located,
    reading: Reading,
    classes: Classes,
    stated: Mapping[int, tuple[StatedClass, ...]],
) -> dict[int, _OtherName]:
    """Find the terms that are other names of classes.

    Args:
        terms: the terms.
        located: the concepts in the sentences.
        reading: the pages.
        classes: the classes of the ontologies.
        stated: what sentences state of the terms, by number of the term.

    Returns:
        Number of a term -> what it names. A term that sentences call as often another class is left out.
    """
    names = Names(terms, classes)
    reader = _Reader(names, terms, classes)
    found = {}
    for number, term in enumerate(terms):
        said: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for one in stated.get(number, ()):
            if one.rule == "synonym":
                said[one.iri][one.sentence] = one.pattern
        bare: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for place in term.places:
            text = reading.sentences[place.sentence].text
            if place.in_context and place.sentence in located.concepts and _MAY_NAME.search(text):
                for iri, cue in reader.read(text, number):
                    (said if cue else bare)[iri].setdefault(place.sentence, cue or Message("enrichment.reason_bracket"))
        for iri, sentences in bare.items():
            if len({reading.sentences[n].page for n in sentences}) >= _LEAST_BARE:
                said[iri].update({n: cue for n, cue in sentences.items() if n not in said[iri]})
        if (name := _most(said)) is not None:
            found[number] = name
    return found


def _most(said: Mapping[str, Mapping[int, str]]) -> _OtherName | None:
    votes = Counter({iri: len(sentences) for iri, sentences in said.items()}).most_common(2)
    if not votes or (len(votes) == 2 and votes[0][1] == votes[1][1]):
        return None
    sentences = said[votes[0][0]]
    cue = Counter(sentences.values()).most_common(1)[0][0]
    return _OtherName(votes[0][0], str(Message("enrichment.reason_name", cue=cue)), tuple(sorted(sentences)))


class _Reader:
    """Reads sentences that give two names of one thing."""

    def __init__(self, names: Names, terms: Sequence[RankedTerm], classes: Classes) -> None:
        self._names = names
        self._phrases = ChinesePhrases(names.chinese)
        self._terms = {normal(form): number for number, term in enumerate(terms) for form in term.variants.forms}
        self._classes = classes

    def read(self, text: str, term: int) -> Iterator[tuple[str, str]]:
        """Yield (class, cue) where a sentence gives a term as its name; an empty cue for a bracket alone."""
        text = " ".join(text.split())
        for match in _CUE.finditer(text):
            inside = _CLOSE.split(text[match.end() :], maxsplit=1)[0].strip(_QUOTES)
            left, right = self._ending(text[: match.start()].rstrip(_QUOTES)), self._name(inside)
            of_term = f"term {term}"
            if left is None or right is None or of_term not in (left, right):
                continue
            other = right if left == of_term else left
            if other in self._classes.concepts:
                yield other, (match["bracket"] or match["comma"] or "").strip()

    def _name(self, text: str) -> str | None:
        if has_han(text):
            return self._names.chinese.name(fold(text))
        return self._names.english.name(words_of(text)) if text else None

    def _ending(self, text: str) -> str | None:
        """Return the name that the whole noun phrase at the end of a text is."""
        if not text:
            return None
        if has_han(text[-1]):
            ends = self._phrases.ending(fold(text), exact=True)
            return ends[0] if len(ends) == 1 else None
        sentence = EnglishSentence(text, self._names.english)
        name = sentence.name_before(len(sentence))
        return name[0] if name else None


def _abbreviations(reading: Reading, classes: Classes) -> dict[str, Abbreviation]:
    """Return the abbreviations of labels that are no labels: short form -> abbreviation.

    Args:
        reading: the pages.
        classes: the classes of the ontologies.
    """
    forms = classes.labels.forms
    pages: defaultdict[int, list[str]] = defaultdict(list)
    for sentence in reading.sentences:
        if "(" in sentence.text or "（" in sentence.text or "简称" in sentence.text:
            pages[sentence.page].append(" ".join(sentence.text.split()))
    documents = [Document(str(page), "", "\n".join(texts), ()) for page, texts in pages.items()]
    found = (a for a in find_abbreviations(documents) if normal(a.short) not in forms)
    return {a.short: a for a in found if _label(a) in forms}


def _label(abbreviation: Abbreviation) -> str:
    long = abbreviation.long
    return normal(long if has_han(long) else dictionary_form(long))


def _abbreviated_names(
    terms: Sequence[RankedTerm], found: Mapping[str, Abbreviation], classes: Classes
) -> dict[int, _OtherName]:
    """Return the terms that are abbreviations of labels, with their classes."""
    forms = classes.labels.forms
    names = {}
    for number, term in enumerate(terms):
        if (one := found.get(term.text)) is not None:
            pages = {int(document) for document, _ in one.definitions}
            reason = str(Message("enrichment.reason_short", long=one.long, pages=len(pages)))
            names[number] = _OtherName(classes.labels.iri(forms[_label(one)]), reason, ())
    return names


def _as_variants(found: Mapping[str, Abbreviation], quality: float) -> list[Variants]:
    """Return abbreviations as candidates."""
    return [Variants((short,), quality) for short in sorted(found)]
