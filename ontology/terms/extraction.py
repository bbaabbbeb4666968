"""Term extraction: candidates, rules, ranking, and why each candidate was kept or dropped.

Sources of candidates: the authors' keywords, the words of the domain lexicon, a white list, and noun compounds and
nouns of the texts (ngrams.py). Synonyms of the lexicon count for their preferred word. Rules (term_rules.py) exclude
candidates and state the reason; papers 000 and Zhu 2017 filter by hand. The ranking is not from a paper [R]: the
expected number of documents that have the term as a keyword,

    score(t) = (K(t) + sum of P(t, d) over the other documents d that have t + H(t) / 50) * W(t)

K(t) is the number of documents whose authors give it, P the scorer's probability that an author would
(term_scorer.py), H(t) the number of documents that have it only within longer words, as their head. W(t) is 2 for a
word of the lexicon, 1 for one that a curated class has a place for, and else the relevance (relevance.py), of which the
P of English terms has its part already (candidates_en.py). A generic word is in many documents and a keyword of few,
and other corpora have it as often, so that it ranks low without a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from ontology.errors import OntocrawlError
from ontology.model import Document, Term
from ontology.terms.abbreviations import Abbreviation, abbreviation_lexicon, find_abbreviations
from ontology.terms.document_frequencies import shipped
from ontology.terms.keyness import Background, general
from ontology.terms.lexicon import EMPTY, Entry, Lexicon
from ontology.terms.occurrences import is_chinese, term_counts
from ontology.terms.relevance import relevance_by_documents
from ontology.terms.segment import Token
from ontology.terms.term_figures import Evidence, TermFigures, keywords_of, number_of_documents, preferred
from ontology.terms.term_lists import NO_LISTS, TermLists
from ontology.terms.term_rules import (
    Rules,
    has_head,
    weight,
    why_general_en,
    why_general_zh,
    why_hardly_a_keyword,
    why_no_kind,
    why_unlikely,
)
from ontology.terms.wordforms import fold, has_han, normal, singular

MAX_TERMS = 400
MIN_DOCUMENTS = 2
_MIN_SHARE = 0.05
"""Minimum score per document: a term in many documents that hardly any author gives as a keyword is a general word."""
_HEAD_CHANCE = 0.02
"""Contribution to a term's score of a document that has it only as the head of longer words."""
_MANY = 10
_SHORT = 2


class TermError(OntocrawlError, ValueError):
    """No terms, or a requested term that no document contains; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The terms kept, by falling score, and the reason for each candidate that was dropped."""

    terms: tuple[Term, ...]
    dropped: tuple[tuple[str, str], ...]
    general: tuple[tuple[str, str], ...] = ()
    """General words among those dropped, by falling score: words that no name would place, each with the reason."""
    why: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Term kept -> the sources that made it a candidate."""


def study_terms(
    documents: Sequence[Document],
    lexicon: Lexicon = EMPTY,
    *,
    wanted: Iterable[str] = (),
    min_documents: int = MIN_DOCUMENTS,
    lists: TermLists = NO_LISTS,
    background: Background | None = None,
    is_known: Callable[[str], bool] = lambda term: False,
) -> TermStudy:
    """Return all candidates of a corpus with their figures.

    Args:
        documents: the corpus.
        lexicon: adds its words as candidates and joins synonyms.
        wanted: required terms; kept whatever their rank, even if they are on the black list.
        min_documents: a term must be in at least this many documents.
        lists: white terms are kept if any document has them, whatever the rules; black ones never. No term equals a
            stop word, begins or ends with one.
        background: word frequencies of general text for keyness; jieba's dictionary if None.
        is_known: returns True for a word that is known to belong to the field: it is relevant however many other texts
            have it.

    Raises:
        TermError: a required term is in no document.
    """
    asked = tuple(dict.fromkeys(lexicon.canonical(w) for w in wanted))
    study = TermStudy(tuple(documents), lexicon, asked, min_documents, lists, background or general(), is_known)
    missing = [t for t in asked if study.measured[t].document_frequency == 0]
    if missing:
        raise TermError("terms.no_document_contains_take", missing=", ".join(missing))
    return study


@dataclass(frozen=True)
class TermStudy:
    """The candidates of a corpus: their figures, and which are kept. Created by `study_terms`."""

    documents: tuple[Document, ...] = field(repr=False)
    given: Lexicon = field(repr=False)
    """The user's lexicon: its words are candidates whatever the rules."""
    wanted: tuple[str, ...]
    min_documents: int
    lists: TermLists
    background: Background = field(repr=False)
    is_known: Callable[[str], bool] = field(default=lambda term: False, repr=False)

    @cached_property
    def abbreviations(self) -> Mapping[str, Abbreviation]:
        """Short form -> the abbreviation that the documents define."""
        return MappingProxyType({a.short: a for a in find_abbreviations(self.documents)})

    @cached_property
    def lexicon(self) -> Lexicon:
        """The user's lexicon, and the abbreviations of the documents as synonyms where it has neither form."""
        return abbreviation_lexicon(self.abbreviations.values(), self.documents).with_words_of(self.given)

    @cached_property
    def evidence(self) -> Evidence:
        """N-grams, features and expected keywords."""
        return Evidence(self.documents, self.lexicon, self.background, self.min_documents, uncut=self.given)

    @cached_property
    def rules(self) -> Rules:
        """The exclusion rules of this corpus."""
        return Rules(self.given, self.lists.stop)

    @cached_property
    def black(self) -> frozenset[str]:
        """Folded terms that are never kept: the black list without the required terms."""
        return frozenset(fold(self.lexicon.canonical(t)) for t in self.lists.black) - set(map(fold, self.wanted))

    @cached_property
    def idle(self) -> tuple[tuple[str, str], ...]:
        """Rows of the user's lists and lexicon that did nothing, as (list, row)."""
        texts = fold("\n".join(text for d in self.documents for text in (d.title, d.abstract, d.title_en, d.abstract_en,
                                                                         *d.keywords, *d.keywords_en)))  # fmt: skip
        candidates = {*map(fold, self.measured), *map(fold, self.keywords[1]), *map(fold, self.from_texts[1])}
        known = candidates - {fold(text) for text, term in self.measured.items() if not term.document_frequency}
        rows = {
            "white list": (t for t in self.lists.white if fold(self.canonical(t)) not in known),
            "black list": (t for t in self.lists.black if fold(self.lexicon.canonical(t)) not in known),
            "stop list": (t for t in self.lists.stop if fold(t) not in texts),
            "lexicon": (e.name for e in self.given.own if not any(fold(word) in texts for word in e.words)),
        }
        return tuple((name, row) for name, idle in rows.items() for row in idle)

    @cached_property
    def keywords(self) -> tuple[dict[str, None], dict[str, str]]:
        """Author keywords that can name a class; the others with the reason."""
        kept: dict[str, None] = {}
        dropped: dict[str, str] = {}
        pairs = dict.fromkeys((k, is_chinese(d) or has_han(k)) for d in self.documents for k in keywords_of(d))
        for keyword, chinese in pairs:
            reason = "no Han character, in a Chinese record" if chinese and not has_han(keyword) else ""
            entry = self.lexicon.by_zh.get(keyword)
            if entry and keyword in self.given.by_zh:
                reason = ""
            else:
                reason = self.rules.keyword(entry.name) if entry else reason or self.rules.keyword(keyword)
            if reason:
                dropped[keyword] = reason
            else:
                kept[self.canonical(keyword)] = None
        return kept, dropped

    def canonical(self, term: str) -> str:
        """Return the word that a term counts for; see `preferred`."""
        return preferred(term, self.lexicon)

    @cached_property
    def from_texts(self) -> tuple[dict[str, str], dict[str, str]]:
        """Candidates of the texts (as spelled -> folded) that no other source has; the others with the reason."""
        known = {fold(t) for t in self._named} | {fold(w) for w in self.lexicon.by_zh}
        known |= {singular(fold(w)) for w in self.lexicon.by_en} | {fold(w) for w in self.lexicon.by_en}
        chinese = _chinese_candidates(self.evidence, self.rules, known, self.min_documents)
        english = self._from_english({normal(word) for word in known})
        return english[0] | chinese[0], english[1] | chinese[1]

    def _from_english(self, known: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
        english = self.evidence.english
        kept: dict[str, str] = {}
        refused: dict[str, str] = {}
        for text, one in english.counts.items():
            if one.documents < self.min_documents or text in known:
                continue
            reason = self.rules.stop_word(text) or english.why_no_term(text)
            if reason:
                refused[english.spelled(text)] = reason
            else:
                kept[english.spelled(text)] = text
        return kept, refused

    @cached_property
    def _named(self) -> dict[str, None]:
        """Candidates that are not from texts alone: required and white terms, keywords, words of the lexicon."""
        white = [self.canonical(t) for t in self.lists.white]
        return dict.fromkeys(
            (*self.wanted, *white, *self.keywords[0], *(e.name for e in self.lexicon.entries if self._names(e)))
        )

    def _names(self, entry: Entry) -> bool:
        """Return whether an entry of the lexicon is a candidate: one of the user's, or an abbreviated class."""
        if entry.name in self.given.by_zh or entry.name.casefold() in self.given.by_en:
            return True
        if self.rules.keyword(entry.name):
            return False
        counts = self.evidence.english.counts
        text = next((t for t in map(normal, (entry.en, *entry.synonyms_en)) if t in counts), "")
        return bool(entry.zh) or (bool(text) and not self.evidence.english.is_name(text))

    @cached_property
    def measured(self) -> Mapping[str, Term]:
        """Every candidate with its frequencies over the corpus; the score of one in too few documents is 0."""
        texts = list(dict.fromkeys((*self._named, *self.from_texts[0])))
        spread: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for counts in term_counts(self.documents, texts, self.lexicon):
            spread.update(counts.keys())
            total.update(counts)
        known = {e.name for e in self.given.entries}
        terms = {}
        self.evidence.score(map(fold, texts))
        for text in texts:
            if spread[text] < self.min_documents and text not in self.sure:
                terms[text] = Term(text, spread[text], total[text], 0.0, text in self.keywords[0])
                continue
            figures = self.evidence.figures(text)
            heads = max(spread[text] - max(figures.documents, figures.keyword_documents), 0)
            weight = 2.0 if text in known else self._relevance(text, spread[text])
            score = (figures.keyword_documents + figures.expected + _HEAD_CHANCE * heads) * weight
            terms[text] = Term(text, spread[text], total[text], round(score, 6), text in self.keywords[0])
        return terms

    def _relevance(self, text: str, documents: int) -> float:
        if not (has_han(text) and documents) or self.is_known(text):
            return 1.0
        return relevance_by_documents(text, documents, len(self.documents), shipped())

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Every keyword and candidate that the rules and the black list accept -> the number of its documents, above 0.

        The terms are the best of them; what a name's head is, and which suffixes name classes, is counted over all.
        """
        return {
            term.text: term.document_frequency
            for term in self.measured.values()
            if term.document_frequency and fold(term.text) not in self.black
        }

    def why(self, term: str) -> tuple[str, ...]:
        """Return the sources that made a term a candidate."""
        figures = self.evidence.figures(term)
        sources = ["asked for"] if term in self.wanted else []
        if fold(term) in {fold(self.canonical(t)) for t in self.lists.white}:
            sources.append("on the white list")
        if term in self.keywords[0]:
            sources.append(f"author keyword of {number_of_documents(figures.keyword_documents)}")
        if self.given.entry(term):
            sources.append("in the lexicon")
        elif entry := self.lexicon.entry(term):
            sources.extend(self._why_abbreviated(entry))
        if term in self.from_texts[0]:
            kind = "noun" if figures.words == 1 else f"compound of {figures.words} words"
            sources.append(f"{kind} in {number_of_documents(figures.documents)}")
        return tuple(sources)

    def _why_abbreviated(self, entry: Entry) -> Iterator[str]:
        """Yield for each short form of an entry where the documents define it."""
        for short in dict.fromkeys(entry.words):
            if abbreviation := self.abbreviations.get(short):
                record, sentence = abbreviation.definitions[0]
                often = number_of_documents(len({d for d, _ in abbreviation.definitions}))
                yield f"{abbreviation.long} is abbreviated as {short} in {often}; {record}: {sentence[:120]}"

    def selection(self, max_terms: int = MAX_TERMS) -> Selection:
        """Return the best terms.

        Raises:
            TermError: no term is left.
        """
        if not self.ranked[0]:
            general = f"; {len(self._chosen[2])} general words are no terms" if self._chosen[2] else ""
            raise TermError(
                "terms.records_give_no_term",
                n_documents=len(self.documents),
                min_documents=self.min_documents,
                general=general,
            )
        return self.best(max_terms)

    def best(self, max_terms: int = MAX_TERMS) -> Selection:
        """Return the best terms, which may be none."""
        ranked, dropped = self.ranked
        cut = max(max_terms, sum(t.text in self.sure for t in ranked))
        first = sorted(ranked, key=lambda t: t.text not in self.sure)
        left_out = {t.text: f"rank {n}, below the best {cut}" for n, t in enumerate(first[cut:], cut + 1)}
        kept = sorted(first[:cut], key=lambda t: (-t.score, t.text))
        why = MappingProxyType({t.text: self.why(t.text) for t in kept})
        general = tuple(self._chosen[2].items())
        return Selection(tuple(kept), tuple(sorted((dropped | left_out).items())), general, why)

    @cached_property
    def sure(self) -> frozenset[str]:
        """Required and white terms."""
        return frozenset((*self.wanted, *(self.canonical(t) for t in self.lists.white)))

    @cached_property
    def accepted(self) -> tuple[tuple[Term, ...], dict[str, str]]:
        """The names that the rules about words accept, by falling score; the other candidates with the reason."""
        dropped = self.keywords[1] | self.from_texts[1]
        passed = []
        for term in self.measured.values():
            least = 1 if term.text in self.sure else self.min_documents
            if fold(term.text) in self.black:
                dropped[term.text] = "on the black list"
            elif term.document_frequency < least:
                dropped[term.text] = f"in {number_of_documents(term.document_frequency)}, fewer than {least}"
            elif reason := self._why_general(term):
                dropped[term.text] = reason
            else:
                dropped.pop(term.text, None)
                passed.append(term)
        return tuple(sorted(passed, key=lambda t: (-t.score, t.text))), dropped

    @cached_property
    def _chosen(self) -> tuple[tuple[Term, ...], dict[str, str], dict[str, str]]:
        """The accepted names that can be placed, by falling score times weight; why others cannot; the general ones."""
        passed, refused = self.accepted
        dropped, general, chosen = dict(refused), {}, []
        for term in passed:
            if term.text in self.sure or self.given.entry(term.text) or self.is_known(term.text):
                chosen.append(term)
                continue
            figures = self.evidence.figures(term.text)
            words = self.rules.tokens(fold(term.text))
            weighted = replace(
                term, score=round(term.score * weight([w.text for w in words], figures.keyword_documents), 6)
            )
            if reason := self._why_alone(term.text, words, figures):
                dropped[term.text] = general[term.text] = reason
            elif has_han(term.text) and (reason := self._why_not_placed(weighted, words, figures.keyword_documents)):
                dropped[term.text] = reason
            else:
                chosen.append(weighted)
        return tuple(sorted(chosen, key=lambda t: (-t.score, t.text))), dropped, general

    def _why_not_placed(self, term: Term, words: Sequence[Token], named: int) -> str:
        """Return the reason why a Chinese name, with its weighted score, cannot be placed, or ""."""
        reason = why_no_kind(words, self._ends[normal(term.text)], named)
        if not reason and not term.is_keyword:
            reason = why_unlikely(words, term.document_frequency, self._alike(term.text))
        return reason or why_hardly_a_keyword(term.score)

    def _alike(self, text: str) -> int:
        """Return the number of names that share an end of two characters or more with a Chinese name, itself too."""
        name = normal(text)
        return max((self._ends[name[i:]] for i in range(1, len(name) - 1)), default=0)

    def _why_alone(self, text: str, words: Sequence[Token], figures: TermFigures) -> str:
        """Return the reason why a word without a modifier is a general one, or ""."""
        folded, english = normal(text), self.evidence.english
        if has_han(text):
            alone = len(text) == _SHORT or (len(words) == 1 and not has_head(text, self._alike(text)))
            ends = self._ends[folded]
            return why_general_zh(figures.keyword_documents, ends, figures.keyness) if alone else ""
        if len(words) > 1 or folded not in english.counts:
            return ""
        return why_general_en(folded, english.relevance(folded), self._ends[folded])

    @cached_property
    def _ends(self) -> Counter[str]:
        """Folded end of names, shorter than the name -> the number of names that end with it."""
        ends: Counter[str] = Counter()
        for name in {normal(name) for name in self.names}:
            if has_han(name):
                ends.update(name[i:] for i in range(1, len(name) - 1))
            else:
                words = name.split()
                ends.update(" ".join(words[i:]) for i in range(1, len(words)))
        return ends

    @property
    def ranked(self) -> tuple[tuple[Term, ...], dict[str, str]]:
        """The names that can be placed, by falling score; the other candidates with the reason."""
        return self._chosen[:2]

    def _why_general(self, term: Term) -> str:
        """Return the reason why a term that is neither required nor in the lexicon is a general word, or ""."""
        n = term.document_frequency
        if term.text in self.sure or term.text in self.given.by_zh:
            return ""
        if term.text in self.from_texts[0] and (reason := self.evidence.english.why_general(normal(term.text))):
            return reason
        if n < _MANY or term.score >= _MIN_SHARE * n:
            return ""
        named = self.evidence.figures(term.text).keyword_documents
        return f"general word: in {n} documents, a keyword of {named}, and seldom like one"


# ---- chinese candidates: the n-grams of the texts (ngrams.py) that can be terms, and why the others cannot
#
# Candidates that the authors give as keywords, and words of the lexicon, are accepted elsewhere (extraction.py).


_MIN_WORD_CHANCE = 0.06
"""Minimum mean probability to be a keyword, for a word of the texts that is in no author's keywords nor the lexicon."""
_MIN_BOUND = 0.2
"""Minimum share of the occurrences of a compound of the texts that no noun follows (全国体育), or precedes (法分析)."""
_ALONE = 2
"""A part of a longer compound must be in at least this many documents more than the compound."""


def _chinese_candidates(
    evidence: Evidence, rules: Rules, known: Collection[str], min_documents: int
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the candidates of the Chinese texts, and why other n-grams are none.

    Args:
        evidence: the n-grams and their figures.
        rules: the rules about words.
        known: folded terms that other sources have; they are candidates already.
        min_documents: a candidate is in this many documents.

    Returns:
        Candidate as spelled -> folded; n-gram that is none -> the reason.
    """
    refused: dict[str, str] = {}
    spread: dict[str, int] = {}
    for text, often in evidence.n_grams():
        if often < min_documents:
            continue
        reason = "" if text in known else rules.candidate(evidence.words(text))
        if reason:
            refused[text] = reason
        else:
            spread[text] = often
    fragments = _fragments(spread, evidence)
    evidence.score((*known, *spread))
    kept: dict[str, str] = {}
    for text, often in spread.items():
        if text in known:
            continue
        reason = fragments.get(text, "") or _why_no_term(text, often, evidence)
        if reason:
            refused[text] = reason
        else:
            kept[evidence.spelled(text)] = text
    return kept, refused


def _fragments(spread: Mapping[str, int], evidence: Evidence) -> dict[str, str]:
    """Return why candidates (text -> documents) are dropped that are almost only part of one longer candidate."""
    return {
        part: f"almost only within {text} ({spread[text]} of {number_of_documents(spread[part])})"
        for part, text in evidence.longer(spread).items()
        if spread[part] - spread[text] < _ALONE
    }


def _why_no_term(text: str, often: int, evidence: Evidence) -> str:
    """Return the reason why a candidate is no term: part of phrases, too general, unlike a keyword."""
    if not has_han(text):
        return "" if " " in text else "a single English word that is no keyword"
    if len(evidence.words(text)) > 1:
        for share, where in zip(evidence.bounds_phrases(text), ("after", "before"), strict=True):
            if share < _MIN_BOUND:
                return f"{where} a noun in {1 - share:.0%} of its occurrences: part of longer phrases"
    if len(text) >= 4:
        return ""
    figures = evidence.figures(text)
    if figures.keyness <= 0:
        return "as common in general text as here"
    chance = figures.expected / max(often, 1)
    return "" if chance >= _MIN_WORD_CHANCE else f"seldom like a keyword (mean chance {chance:.3f})"
