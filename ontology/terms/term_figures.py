"""Figures of every candidate of a corpus, from its n-grams, the background and the scorer.

A text that is cut in two ways (城市|内涝 and 城市内涝) is several n-gram types. Their frequencies and expected
keywords are added; entropies, C-value, cohesion and keyness are those of the most common type. A term of English
records has the counts and the rank of candidates_en.py.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.candidates_en import EnglishCandidates
from ontology.terms.keyness import Background, general
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.ngrams import NGrams, ngrams
from ontology.terms.occurrences import is_chinese
from ontology.terms.segment import Token
from ontology.terms.term_features import FAMILIES, NAMES, CandidateFeatures, Rows
from ontology.terms.token_stream import (
    LATIN,
    MARK,
    NUMBER,
    document_text,
    document_title,
    joined,
    latin_words,
    token_stream,
)
from ontology.terms.wordforms import dictionary_form, fold, has_han, normal, singular

_MANY_TYPES = 400_000
"""About the number of n-grams of 2,000 abstracts; of a larger corpus the rare ones are left out."""

_NOUNS = ("n", "vn", "an", "l", "j", "i")
_NAMES = ("nr", "nrt")
"""Word classes of nouns, and of persons among them."""


@dataclass(frozen=True, slots=True)
class TermFigures:
    """Figures of a candidate; all but the keyword documents are 0 for a term that does not occur as an n-gram.

    Attributes:
        text: the candidate, folded.
        words: number of words it is cut into.
        documents: documents with it as an n-gram, in title or abstract.
        frequency: such occurrences.
        c_value, left_entropy, right_entropy, cohesion: see ngrams.py.
        keyness: mean log ratio of its words to the background; log_likelihood: that of its last word.
        keyword_documents: documents whose authors give it as a keyword.
        expected: probability that the author would give it, summed over the other documents that have it.
    """

    text: str
    words: int = 0
    documents: int = 0
    frequency: int = 0
    c_value: float = 0.0
    left_entropy: float = 0.0
    right_entropy: float = 0.0
    cohesion: float = 0.0
    keyness: float = 0.0
    log_likelihood: float = 0.0
    keyword_documents: int = 0
    expected: float = 0.0


class Evidence:
    """N-grams, features and expected keywords of a corpus.

    Args:
        documents: the corpus.
        lexicon: a synonym's keywords count for the preferred word.
        background: word frequencies for keyness.
        least: in a large corpus n-grams in fewer documents have no figures.
        scorer: estimates the probability that a candidate is a keyword; the bundled one if None.
        stop: words that no candidate contains.
        uncut: its words are not cut apart; ``lexicon`` if None.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        lexicon: Lexicon,
        background: Background,
        least: int,
        scorer: _Scorer | None = None,
        stop: Collection[str] = frozenset(),
        uncut: Lexicon | None = None,
    ) -> None:
        self.grams = ngrams(token_stream(documents, lexicon if uncut is None else uncut, stop))
        self.background = background
        self._documents = documents
        self._lexicon = lexicon
        self._features = CandidateFeatures(self.grams, background)
        self._scorer = scorer or _fitted()
        self._figures: dict[str, TermFigures] = {}
        self._expected: dict[int, float] = {}
        self._least = least if self.grams.size > _MANY_TYPES else 1

    @cached_property
    def word_counts(self) -> Mapping[str, int]:
        """Occurrences of each word of titles and abstracts, English ones in the singular."""
        stream, counts = self.grams.stream, Counter[str]()
        for word, tag, count in zip(stream.words, stream.tags, stream.counts.tolist(), strict=True):
            if tag not in ("", MARK):
                counts[singular(word)] += count
        return counts

    @cached_property
    def types(self) -> Mapping[str, Sequence[int]]:
        """Text of each candidate in enough documents -> its n-gram types, the most common first.

        The simple plural of an English candidate counts for its singular.
        """
        g, spread = self.grams, self.grams.document_frequency
        latin = np.array([t == LATIN for t in g.stream.tags])[g.last_word]  # rare plurals join their singulars
        by_text: defaultdict[str, list[int]] = defaultdict(list)
        for ngram in np.flatnonzero(self._features.of_type.candidate & ((spread >= self._least) | latin)):
            by_text[singular(g.text(int(ngram)))].append(int(ngram))
        return {
            text: sorted(types, key=lambda t: (-spread[t], t))
            for text, types in by_text.items()
            if self.count_documents(types) >= self._least
        }

    def count_documents(self, types: Sequence[int]) -> int:
        """Return the number of documents that have any of some n-gram types."""
        return int(self.grams.document_frequency[types[0]]) if len(types) == 1 else len(self.grams.records(types))

    @cached_property
    def english(self) -> EnglishCandidates:
        """The noun phrases of the English records."""
        english = (d for d in self._documents if not is_chinese(d))
        return EnglishCandidates([f"{document_title(d)}\n{document_text(d)}" for d in english])

    @cached_property
    def _chinese(self) -> NDArray[np.bool_]:
        return np.array([is_chinese(d) for d in self._documents])

    def n_grams(self) -> Iterator[tuple[str, int]]:
        """Yield the candidates of the Chinese records with the number of documents that have them.

        Latin words of English records are left out: `english` has them.
        """
        only = bool(self._chinese.all())
        for text, types in self.types.items() if self._chinese.any() else ():
            if only or has_han(text):
                yield text, self.count_documents(types)
            else:
                yield text, int(self._chinese[self.grams.records(types)].sum())

    def words(self, text: str) -> list[Token]:
        """Return the words of a text of `types`, as it is cut most often."""
        stream = self.grams.stream
        return [Token(stream.words[i], stream.tags[i]) for i in self.grams.word_ids(self.types[text][0])]

    def bounds_phrases(self, text: str) -> tuple[float, float]:
        """Return the shares of the occurrences of a text of `types` that no noun precedes, and that no noun follows.

        The text is cut as it mostly is. Latin words and numbers before it count as nouns: HPLC|法测定.
        """
        ngram = self.types[text][0]
        return float(self._bounds[0][ngram]), float(self._bounds[1][ngram])

    @cached_property
    def _bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        grams, stream = self.grams, self.grams.stream
        nouns = np.array([tag.startswith(_NOUNS) and tag not in _NAMES for tag in stream.tags])
        before = nouns | np.array([tag in (LATIN, NUMBER, "m") for tag in stream.tags])
        types, starts = grams.occurrences
        sides = before[stream.ids[starts - 1]], nouns[stream.ids[starts + grams.length[types]]]
        left, right = (1 - np.bincount(types, side, grams.size) / grams.frequency for side in sides)
        return left, right

    def longer(self, spread: Mapping[str, int]) -> dict[str, str]:
        """Map each candidate that is part of longer ones to the longer one in the most documents.

        Args:
            spread: candidate -> number of documents that have it.
        """
        longest: dict[str, str] = {}
        for text, documents in spread.items():
            words = [w.text for w in self.words(text)]
            glue = " " if " " in text else ""
            spans = ((i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
            for part in {singular(glue.join(words[i:j])) for i, j in spans}:
                if part in spread and part != text and documents > spread.get(longest.get(part, ""), 0):
                    longest[part] = text
        return longest

    @cached_property
    def keyword_documents(self) -> Counter[str]:
        """Folded keyword, synonyms of the lexicon joined -> number of documents whose authors give it."""
        return Counter(k for keywords in self._author_keywords for k in keywords)

    @cached_property
    def _author_keywords(self) -> list[frozenset[str]]:
        return [frozenset(fold(preferred(k, self._lexicon)) for k in keywords_of(d)) for d in self._documents]

    def score(self, texts: Iterable[str]) -> None:
        """Estimate for some texts of `types` at once how often they are keywords; for others it is done one by one."""
        self._score([t for text in texts for t in self.types.get(text, ())])

    def _score(self, types: Sequence[int]) -> None:
        """Sum for each n-gram type its probability to be a keyword over documents whose authors do not give it."""
        size, open_types = self.grams.size, [t for t in dict.fromkeys(types) if t not in self._expected]
        if not open_types:
            return
        total = np.zeros(size)
        candidates, among = np.zeros(size, bool), np.zeros(self.grams.stream.size, bool)
        candidates[np.array(open_types, np.int64)] = True
        among[self.grams.records(open_types)] = True
        for rows in self._features.blocks(candidates, among):
            open_ = ~np.isin(rows.records * size + rows.types, self._named)
            total += np.bincount(rows.types[open_], self._scorer.probabilities(rows)[open_], size)
        self._expected.update((t, float(total[t])) for t in open_types)

    @cached_property
    def _named(self) -> NDArray[np.int64]:
        """Document and n-gram type of each author's keyword, as one sorted number."""
        return np.unique(np.fromiter(self._named_types(), np.int64))

    def _named_types(self) -> Iterator[int]:
        for record, keywords in enumerate(self._author_keywords):
            for keyword in keywords:
                for form in self._forms(keyword):
                    for ngram in self.types.get(form, ()):
                        yield record * self.grams.size + ngram

    def _forms(self, term: str) -> Iterable[str]:
        entry = self._lexicon.entry(term)
        forms = entry.words if entry else (term,)
        return dict.fromkeys(singular(fold(f)) for f in forms)

    def figures(self, term: str) -> TermFigures:
        """Return the figures of a term, those of its synonyms in the lexicon included."""
        if term not in self._figures:
            self._figures[term] = self._figures_of(term)
        return self._figures[term]

    def _figures_of(self, term: str) -> TermFigures:
        if not has_han(term) and (forms := self._english_forms(term)):
            return self._english_figures(term, forms)
        types = [t for form in self._forms(term) for t in self.types.get(form, ())]
        text = fold(preferred(term, self._lexicon))
        named = self.keyword_documents[text]
        if not types:
            return TermFigures(text, keyword_documents=named)
        self._score(types)
        g = self.grams
        main = max(types, key=lambda t: (int(g.document_frequency[t]), -t))
        last = int(g.last_word[main])
        stream = g.stream
        g2 = self.background.log_likelihood(stream.words[last], int(stream.counts[last]), stream.tokens)
        return TermFigures(
            text,
            int(g.length[main]),
            self.count_documents(types),
            int(sum(g.frequency[t] for t in types)),
            round(float(g.c_value[main]), 3),
            round(float(g.left_entropy[main]), 3),
            round(float(g.right_entropy[main]), 3),
            round(float(g.cohesion[main]), 3),
            round(float(self._features.of_type.keyness[main]), 3),
            round(g2, 1),
            named,
            round(sum(self._expected[t] for t in types), 3),
        )

    def _english_forms(self, term: str) -> list[str]:
        return [form for form in dict.fromkeys(map(normal, self._forms(term))) if form in self.english.counts]

    def _english_figures(self, term: str, forms: Sequence[str]) -> TermFigures:
        english = self.english
        main = max(forms, key=lambda form: english.counts[form].documents)
        folded = fold(preferred(term, self._lexicon))
        named = self.keyword_documents[folded]
        documents = sum(english.counts[form].documents for form in forms)
        others = max(documents - named, 0) / documents
        return TermFigures(
            folded,
            1 + main.count(" "),
            documents,
            sum(english.counts[form].frequency for form in forms),
            round(english.c_value(main), 3),
            keyword_documents=named,
            expected=round(others * sum(map(english.expected, forms)), 3),
        )

    def parts(self, term: str) -> tuple[tuple[str, float], ...]:
        """Return the contributions to a term's log odds by family of features, averaged over its documents.

        Empty for a term without an n-gram.
        """
        types = [t for form in self._forms(term) for t in self.types.get(form, ())]
        if not types:
            return ()
        g = self.grams
        selected = np.zeros(g.size, bool)
        selected[np.array(types)] = True
        among = np.zeros(g.stream.size, bool)
        among[g.records(types)] = True
        values = np.concatenate([rows.values for rows in self._features.blocks(selected, among)])
        return self._scorer.parts(values.mean(axis=0))

    @cached_property
    def _spelled(self) -> Mapping[str, Counter[str]]:
        """Folded Latin word -> its spellings in the texts with their frequencies."""
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        texts = (f"{document_title(document)}\n{document_text(document)}" for document in self._documents)
        for word, times in Counter(word for text in texts for word in latin_words(text)).items():
            seen[fold(word)][word] += times
        return seen

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Folded Latin word -> its most common spelling in the texts; lower case if that is as common."""
        return {word: min(counts, key=lambda w: (-counts[w], w != word, w)) for word, counts in self._spelled.items()}

    def lower_case(self, word: str) -> float:
        """Return the share of the occurrences of a folded Latin word that are in lower case."""
        return self._spelled[word][word] / max(self._spelled[word].total(), 1)

    def spelled(self, text: str) -> str:
        """Return a candidate as the texts spell it: WRF模式 for wrf模式.

        An English word without capitals after its first letter is returned in lower case.
        """
        parts = [self.spellings.get(w.text, w.text) for w in self.words(text)]
        return singular(joined([p if not p[1:].islower() else p.lower() for p in parts]))


def preferred(term: str, lexicon: Lexicon) -> str:
    """Return the preferred word of the lexicon for a Chinese or English word, or else the term itself.

    An English term that the lexicon lacks is put in the singular, its words in lower case unless they have inner
    capitals.

    Args:
        term: a term as spelled.
        lexicon: the domain lexicon.

    >>> from ontology.terms.lexicon import EMPTY
    >>> preferred("Flash Floods", EMPTY), preferred("WRF Models", EMPTY)
    ('flash flood', 'WRF model')
    """
    if has_han(term):
        return lexicon.canonical(term)
    entry = lexicon.entry(term) or lexicon.entry(singular(term))
    return entry.name if entry else dictionary_form(term)


def keywords_of(document: Document) -> tuple[str, ...]:
    """Return the keywords in the language that candidates are taken from."""
    return document.keywords if is_chinese(document) else (*document.keywords, *document.keywords_en)


def number_of_documents(count: int) -> str:
    """Return a number of documents in words.

    >>> number_of_documents(1), number_of_documents(2)
    ('1 document', '2 documents')
    """
    return "1 document" if count == 1 else f"{count} documents"


# ---- probability that an author gives a candidate of a document as a keyword: logistic regression on named features
#
# The weights (data/term_weights.json) were fitted once (docs/evidence.md) on one half of 18,751 Chinese abstracts and
# evaluated on the other half (docs/benchmarks/terms.md). A score is a sum, so that explanations can print its parts.
# Terms of English records are ranked by candidates_en.py instead.


WEIGHTS = "term_weights.json"
_FAMILY = {name: family for family, names in FAMILIES.items() for name in names}


@dataclass(frozen=True)
class _Scorer:
    """A linear scorer.

    Attributes:
        weights: weight of each feature of NAMES.
        centres: mean of each feature over the candidates that the weights were fitted on.
        intercept: log odds of a candidate that has the mean in every feature.
    """

    weights: NDArray[np.float64]
    centres: NDArray[np.float64]
    intercept: float

    def log_odds(self, rows: Rows) -> NDArray[np.float64]:
        """Return the log odds that each row is a keyword of its document, (r,)."""
        weights = self.weights.astype(np.float32)
        return (rows.values @ weights).astype(np.float64) + (self.intercept - float(self.weights @ self.centres))

    def probabilities(self, rows: Rows) -> NDArray[np.float64]:
        """Return the probability that each row is a keyword of its document, in (0, 1), (r,)."""
        return 1 / (1 + np.exp(-np.clip(self.log_odds(rows), -40, 40)))

    def parts(self, values: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """Return the contribution of each family of features to the log odds of a mean candidate, the largest first.

        The parts and the intercept add up to the log odds.
        """
        by_family: defaultdict[str, float] = defaultdict(float)
        for name, part in zip(NAMES, self.weights * (values - self.centres), strict=True):
            factors = name.split(" x ")
            for factor in factors:
                by_family[_FAMILY.get(factor, "shape")] += float(part) / len(factors)
        return tuple(
            sorted(((f, round(v, 3)) for f, v in by_family.items()), key=lambda pair: (-abs(pair[1]), pair[0]))
        )


@lru_cache(maxsize=1)
def _fitted() -> _Scorer:
    """Return the scorer with the bundled weights."""
    stored = json.loads((files("ontology") / "data" / WEIGHTS).read_text(encoding="utf-8"))
    rows = stored["features"]
    return _Scorer(
        np.array([rows[name]["weight"] if name in rows else 0.0 for name in NAMES]),
        np.array([rows[name]["mean"] if name in rows else 0.0 for name in NAMES]),
        float(stored["intercept"]),
    )


@dataclass(frozen=True, slots=True)
class DocumentTerm:
    """A candidate of one document with the probability, in (0, 1), that its author would give it as a keyword."""

    text: str
    probability: float


def document_terms(
    documents: Sequence[Document], top: int = 10, lexicon: Lexicon = EMPTY, background: Background | None = None
) -> list[tuple[DocumentTerm, ...]]:
    """Return the best candidates of each document, best first; the documents' keywords are not read.

    Args:
        documents: scored together: the frequency of a candidate in all of them counts.
        top: number of candidates of each document.
        lexicon: its words are not cut apart.
        background: word frequencies for keyness; jieba's dictionary if None.
    """
    if not documents:
        return []
    grams = ngrams(token_stream(documents, lexicon))
    best: list[tuple[DocumentTerm, ...]] = [()] * len(documents)
    for rows, chances in scored(grams, background or general()):
        order = np.lexsort((rows.types, -chances, rows.records))
        edges = np.flatnonzero(np.diff(rows.records[order])) + 1
        for part in np.split(order, edges):
            best[int(rows.records[part[0]])] = tuple(
                DocumentTerm(grams.text(int(rows.types[i])), float(chances[i])) for i in part[:top]
            )
    return best


def scored(
    grams: NGrams, background: Background, scorer: _Scorer | None = None
) -> Iterator[tuple[Rows, NDArray[np.float64]]]:
    """Yield every candidate of every document with its probability, block by block.

    Args:
        grams: the n-grams of the corpus.
        background: word frequencies for keyness.
        scorer: a fitted scorer; the bundled one if None.
    """
    scorer = scorer or _fitted()
    for rows in CandidateFeatures(grams, background).blocks():
        yield rows, scorer.probabilities(rows)
