"""The figures of every candidate of a corpus: what the n-grams, the background and the scorer say of it.

A text that is cut in two ways (城市|内涝 and 城市内涝) is several n-gram types. Their frequencies and expected
keywords are added; entropies, C-value, cohesion and keyness are those of the commonest of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.keyness import Background
from ontology.terms.lexicon import Lexicon
from ontology.terms.ngrams import ngrams
from ontology.terms.occurrences import is_chinese
from ontology.terms.segment import Token
from ontology.terms.term_features import CandidateFeatures
from ontology.terms.term_scorer import Scorer, fitted
from ontology.terms.token_stream import LATIN, document_text, document_title, joined, latin_words, token_stream
from ontology.terms.wordforms import fold, has_han, singular

_MANY_TYPES = 400_000
"""About the n-grams of 2,000 abstracts; of more, the rare ones are left out."""


@dataclass(frozen=True, slots=True)
class TermFigures:
    """What is known of a candidate. Without an occurrence as an n-gram all but the keyword documents is 0.

    Attributes:
        text: the candidate, folded.
        words: number of words it is cut into.
        documents: documents with it as an n-gram, in title or abstract.
        frequency: such occurrences.
        c_value, left_entropy, right_entropy, cohesion: see ngrams.py.
        keyness: mean log ratio of its words to the background; log_likelihood: that of its last word.
        keyword_documents: documents whose authors give it as a keyword.
        expected: chance that the author would give it, summed over the other documents that have it.
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
        lexicon: its words are not cut apart; a synonym's keywords count for the preferred word.
        background: what keyness contrasts with.
        least: in a large corpus n-grams in fewer documents have no figures.
        scorer: gives the chance that a candidate is a keyword.
        stop: words that no candidate holds.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        lexicon: Lexicon,
        background: Background,
        least: int,
        scorer: Scorer | None = None,
        stop: Collection[str] = frozenset(),
    ) -> None:
        self.grams = ngrams(token_stream(documents, lexicon, stop))
        self.background = background
        self._documents = documents
        self._lexicon = lexicon
        self._features = CandidateFeatures(self.grams, background)
        self._scorer = scorer or fitted()
        self._least = least if self.grams.size > _MANY_TYPES else 1

    @cached_property
    def types(self) -> Mapping[str, Sequence[int]]:
        """Text of each candidate in enough documents -> its n-gram types, the commonest first.

        The simple plural of an English candidate counts for its singular.
        """
        g, spread = self.grams, self.grams.document_frequency
        latin = np.array([t == LATIN for t in g.stream.tags])[g.last_word]  # rare plurals join their singulars
        found: defaultdict[str, list[int]] = defaultdict(list)
        for ngram in np.flatnonzero(self._features.of_type.candidate & ((spread >= self._least) | latin)):
            found[singular(g.text(int(ngram)))].append(int(ngram))
        return {
            text: sorted(types, key=lambda t: (-spread[t], t))
            for text, types in found.items()
            if self.count_documents(types) >= self._least
        }

    def count_documents(self, types: Sequence[int]) -> int:
        """The documents that have any of some n-gram types."""
        return int(self.grams.document_frequency[types[0]]) if len(types) == 1 else len(self.grams.records(types))

    def words(self, text: str) -> list[Token]:
        """The words of a text of `types`, as it is cut most often."""
        stream = self.grams.stream
        return [Token(stream.words[i], stream.tags[i]) for i in self.grams.word_ids(self.types[text][0])]

    def longer(self, spread: Mapping[str, int]) -> dict[str, str]:
        """Candidate that is part of longer ones -> that of them in the most documents.

        Args:
            spread: candidate -> documents that have it.
        """
        found: dict[str, str] = {}
        for text, documents in spread.items():
            words = [w.text for w in self.words(text)]
            glue = " " if " " in text else ""
            spans = ((i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
            for part in {singular(glue.join(words[i:j])) for i, j in spans} & spread.keys() - {text}:
                if documents > spread.get(found.get(part, ""), 0):
                    found[part] = text
        return found

    @cached_property
    def keyword_documents(self) -> Counter[str]:
        """Folded keyword, synonyms of the lexicon joined -> documents whose authors give it."""
        return Counter(k for given in self._given for k in given)

    @cached_property
    def _given(self) -> list[frozenset[str]]:
        return [frozenset(fold(preferred(k, self._lexicon)) for k in keywords_of(d)) for d in self._documents]

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """For each n-gram type the chance of being a keyword, summed over the documents whose authors don't give it."""
        size = self.grams.size
        named = np.unique(np.fromiter(self._named(), np.int64))
        total = np.zeros(size)
        wanted = np.zeros(size, bool)
        wanted[np.array([t for types in self.types.values() for t in types], np.int64)] = True
        for rows in self._features.blocks(wanted):
            open_ = ~np.isin(rows.records * size + rows.types, named)
            total += np.bincount(rows.types[open_], self._scorer.probabilities(rows)[open_], size)
        return total

    def _named(self) -> Iterable[int]:
        for record, given in enumerate(self._given):
            for keyword in given:
                for form in self._forms(keyword):
                    for ngram in self.types.get(form, ()):
                        yield record * self.grams.size + ngram

    def _forms(self, term: str) -> Iterable[str]:
        entry = self._lexicon.by_zh.get(term)
        forms = entry.words if entry else (term,)
        return dict.fromkeys(singular(fold(f)) for f in forms)

    def figures(self, term: str) -> TermFigures:
        """The figures of a term, those of its synonyms in the lexicon joined."""
        types = [t for form in self._forms(term) for t in self.types.get(form, ())]
        text = fold(preferred(term, self._lexicon))
        named = self.keyword_documents[text]
        if not types:
            return TermFigures(text, keyword_documents=named)
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
            round(float(sum(self.expected[t] for t in types)), 3),
        )

    def parts(self, term: str) -> tuple[tuple[str, float], ...]:
        """What makes a term's log odds, family by family, averaged over the documents that have it; () without
        figures."""
        types = [t for form in self._forms(term) for t in self.types.get(form, ())]
        if not types:
            return ()
        g = self.grams
        wanted = np.zeros(g.size, bool)
        wanted[np.array(types)] = True
        among = np.zeros(g.stream.size, bool)
        among[g.records(types)] = True
        values = np.concatenate([rows.values for rows in self._features.blocks(wanted, among)])
        return self._scorer.parts(values.mean(axis=0))

    @cached_property
    def _spelled(self) -> Mapping[str, Counter[str]]:
        """Folded Latin word -> how the texts spell it, and how often."""
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        texts = (f"{document_title(document)}\n{document_text(document)}" for document in self._documents)
        for word, times in Counter(word for text in texts for word in latin_words(text)).items():
            seen[fold(word)][word] += times
        return seen

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Folded Latin word -> how the texts spell it most often; lower case where that is as common."""
        return {word: min(found, key=lambda w: (-found[w], w != word, w)) for word, found in self._spelled.items()}

    def lower_case(self, word: str) -> float:
        """Share of the occurrences of a folded Latin word that are in lower case."""
        return self._spelled[word][word] / max(self._spelled[word].total(), 1)

    def spelled(self, text: str) -> str:
        """A candidate as the texts spell it: WRF模式 for wrf模式. English words of small letters stay small."""
        parts = [self.spellings.get(w.text, w.text) for w in self.words(text)]
        return singular(joined([p if not p[1:].islower() else p.lower() for p in parts]))


def preferred(term: str, lexicon: Lexicon) -> str:
    """The preferred word of the lexicon, also for an English word; else the term itself.

    An English one is put in the singular, and in small letters where no capital stands within a word.
    """
    if has_han(term):
        return lexicon.canonical(term)
    known = lexicon.chinese(term) or lexicon.chinese(singular(term))
    return known or singular(" ".join(w.lower() if w[1:].islower() else w for w in term.split()))


def keywords_of(document: Document) -> tuple[str, ...]:
    """The keywords in the language that candidates are taken from."""
    return document.keywords if is_chinese(document) else (*document.keywords, *document.keywords_en)
