"""Which document contains which term: the incidence of the formal context.

Source: paper 000, section 3.1 (document-term matrix). How an occurrence is found is our own reading, since the paper
does not say: surface forms (a term and its synonyms of the lexicon) are matched leftmost-longest, and an occurrence
counts for the term and for the terms that are its head, never for its modifiers: 特大暴雨 is a 暴雨, 心理台风眼效应
is no 台风. English text of a record counts by the English words of the lexicon.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import ahocorasick

from ontology.model import Document
from ontology.terms.lexicon import EMPTY, Lexicon

_PRIVATIVE = "反非无防抗减未不"
"""Before a head these turn the meaning: 反气旋 is no 气旋."""
_GRADES = ("特大",)
"""Grades that another grade is spelled within: 特大暴雨 is no 大暴雨."""
_MIN_HEAD = 2
_HAN = re.compile(r"[\u3400-\u9fff]")


def fold(text: str) -> str:
    """The text as it is compared: NFKC, case-folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def has_han(text: str) -> bool:
    """True if the text has a Han character."""
    return _HAN.search(text) is not None


def is_chinese(document: Document) -> bool:
    """True if the title or the abstract has a Han character."""
    return has_han(document.title) or has_han(document.abstract)


def is_head(form: str, compound: str) -> bool:
    """True if ``form`` is the head of the Chinese ``compound``: what the compound is a kind of, as its last part."""
    before = len(compound) - len(form)
    if before <= 0 or len(form) < _MIN_HEAD or not compound.endswith(form):
        return False
    return compound[before - 1] not in _PRIVATIVE and compound[before - 1 : before + 1] not in _GRADES


class Matcher:
    """Finds terms in text by their surface forms, all forms in one pass (Aho and Corasick 1975).

    Args:
        forms: surface form -> term. Forms are folded; a form that starts or ends with a Latin letter or a digit is
            matched at word boundaries.
        english: accept a simple English plural (s, es) as well.
    """

    def __init__(self, forms: Mapping[str, str], *, english: bool = False) -> None:
        folded = {fold(form): term for form, term in forms.items() if form.strip()}
        if english:
            folded = {plural: term for form, term in folded.items() for plural in (form + "s", form + "es")} | folded
        self._terms = folded
        self._heads = {f: () if english else _heads(f, folded) for f in folded}
        self._automaton = ahocorasick.Automaton()
        for form in folded:
            self._automaton.add_word(form, form)
        if folded:
            self._automaton.make_automaton()

    def count(self, text: str) -> Counter[str]:
        """Occurrences of each term in the text; those of heads included."""
        counts: Counter[str] = Counter()
        for form in self.forms(text):
            counts[self._terms[form]] += 1
            counts.update(self._heads[form])
        return counts

    def forms(self, text: str) -> list[str]:
        """The (folded) forms found in the text, leftmost-longest, in order."""
        if not self._terms:
            return []
        folded = fold(text)
        spans = sorted(
            (end + 1 - len(form), -(end + 1), form)
            for end, form in self._automaton.iter(folded)
            if _at_boundaries(folded, end + 1 - len(form), end + 1)
        )
        found: list[str] = []
        free = 0
        for start, minus_end, form in spans:
            if start >= free:
                found.append(form)
                free = -minus_end
        return found


def _heads(form: str, terms: Mapping[str, str]) -> tuple[str, ...]:
    suffixes = (form[i:] for i in range(1, len(form) - _MIN_HEAD + 1))
    found = (terms[s] for s in suffixes if s in terms and is_head(s, form))
    return tuple(dict.fromkeys(t for t in found if t != terms[form]))


def _at_boundaries(text: str, start: int, end: int) -> bool:
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    """True if a Latin word or a number goes on across this position."""
    return 0 < at < len(text) and _latin(text[at - 1]) and _latin(text[at])


def _latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def surface_forms(terms: Iterable[str], lexicon: Lexicon) -> tuple[dict[str, str], dict[str, str]]:
    """Surface form -> term, Chinese and English, for terms with their synonyms in the lexicon.

    The lexicon's other words are matched too, as themselves, so that a long one hides the terms within it.
    """
    wanted = dict.fromkeys(terms)
    chinese = {form: entry.zh for form, entry in lexicon.by_zh.items()}
    chinese.update((term, term) for term in wanted)
    english = {form: entry.zh for form, entry in lexicon.by_en.items() if entry.zh in wanted}
    english.update((term, term) for term in wanted if not has_han(term))
    return chinese, english


def text_zh(document: Document) -> str:
    """Title, abstract and keywords, parted so that no match runs across; of an English document the Chinese
    keywords."""
    if not is_chinese(document):
        return "\n".join(k for k in document.keywords if has_han(k))
    return "\n".join((document.title, document.abstract, *document.keywords))


def text_en(document: Document) -> str:
    """The English title, abstract and keywords, parted so that no match runs across.

    Of a document without a Han character in title and abstract these are English too, whatever their field.
    """
    own = () if is_chinese(document) else (document.title, document.abstract, *document.keywords)
    return "\n".join((document.title_en, document.abstract_en, *document.keywords_en, *own))


def term_counts(
    documents: Sequence[Document], terms: Sequence[str], lexicon: Lexicon = EMPTY
) -> tuple[Counter[str], ...]:
    """Occurrences of each of the terms, one counter per document; terms that a document lacks are not in it."""
    chinese, english = surface_forms(terms, lexicon)
    zh, en = Matcher(chinese), Matcher(english, english=True)
    wanted = frozenset(terms)
    found = []
    for document in documents:
        counts = zh.count(text_zh(document)) + en.count(text_en(document))
        found.append(Counter({term: n for term, n in counts.items() if term in wanted}))
    return tuple(found)


def incidence(
    documents: Sequence[Document], terms: Sequence[str], lexicon: Lexicon = EMPTY
) -> tuple[tuple[str, str], ...]:
    """The pairs (document id, term) of the formal context, documents in their order, terms in the order given."""
    rows = zip(documents, term_counts(documents, terms, lexicon), strict=True)
    return tuple((document.id, term) for document, counts in rows for term in terms if term in counts)
