"""Incidence of the formal context: which document contains which term.

Source: paper 000, section 3.1 (document-term matrix). The paper does not define an occurrence; here surface forms (a
term and its synonyms in the lexicon) are matched leftmost-longest, and an occurrence counts for the term and for the
terms that are its head, never for its modifiers: 特大暴雨 is a 暴雨, 心理台风眼效应 is no 台风. English text of a
record is matched with the English words of the lexicon.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ontology.model import Document
from ontology.terms.form_matcher import BREAK, FormMatcher, in_simplified, with_inflections
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.wordforms import has_han, normal, simplified

_PRIVATIVE = "反非无防抗减未不"
"""Prefixes that reverse the meaning of a head: 反气旋 is no 气旋."""
_PRIVATIVE_EN = frozenset(("non", "anti", "pseudo", "quasi"))
_GRADES = ("特大",)
"""Grades that contain another grade: 特大暴雨 is no 大暴雨."""
_MIN_HEAD = 2
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_WORDS_FOR_EACH = 4
"""Number of Latin words for each Han character from which a text is English."""


def is_chinese(document: Document) -> bool:
    """Return True if title and abstract are Chinese (`is_chinese_text`)."""
    return _is_chinese(document.title, document.abstract)


@lru_cache(maxsize=32_768)
def _is_chinese(title: str, abstract: str) -> bool:
    return is_chinese_text(f"{title}\n{abstract}")  # each step of learning asks this of each record


def is_chinese_text(text: str) -> bool:
    """Return True if a text is Chinese: it has a Han character for every four Latin words, at least.

    An English text with a name in Chinese characters is English.

    >>> is_chinese_text("WRF模式"), is_chinese_text("Heavy rain in the city of Wuhan (武)")
    (True, False)
    """
    return has_han(text) and len(_HAN.findall(text)) * _WORDS_FOR_EACH >= len(_LATIN_WORD.findall(text))


def is_head(form: str, compound: str) -> bool:
    """Return True if a form is the head of a Chinese compound: its last part, which the compound is a kind of.

    Args:
        form: the possible head, 2 characters or more.
        compound: the longer word.

    >>> is_head("暴雨", "特大暴雨"), is_head("大暴雨", "特大暴雨"), is_head("气旋", "反气旋")
    (True, False, False)
    """
    before = len(compound) - len(form)
    if before <= 0 or len(form) < _MIN_HEAD or not compound.endswith(form):
        return False
    return compound[before - 1] not in _PRIVATIVE and compound[before - 1 : before + 1] not in _GRADES


class TermMatcher:
    """A counter of terms in text by their surface forms; a compound also counts for the terms that are its head.

    Args:
        forms: surface form -> term. Where two forms are equal when folded, a form that is itself a term takes
            precedence.
        english: the forms are English: their singular and plurals match too, and a phrase counts for the terms without
            a Han character that are its head.
    """

    def __init__(self, forms: Mapping[str, str], *, english: bool = False) -> None:
        pairs = sorted(forms.items(), key=lambda pair: pair[0] != pair[1])
        numbers = with_inflections((form, number, english) for number, (form, _) in enumerate(pairs))
        terms = {form: pairs[number][1] for form, number in numbers.items()}
        heads_of = _heads_en if english else _heads
        heads = {number: heads_of(form, terms) for form, number in numbers.items()}
        self._counted = [(term, *heads.get(number, ())) for number, (_, term) in enumerate(pairs)]
        self._matcher = FormMatcher([numbers])

    def count(self, text: str) -> Counter[str]:
        """Count the occurrences of each term in a text, as head of a compound too; no match spans two lines."""
        (spans,) = self._matcher.spans(normal(text.replace("\n", BREAK)))
        return Counter(term for _, _, number in spans for term in self._counted[number])


def _heads(form: str, terms: Mapping[str, str]) -> tuple[str, ...]:
    suffixes = (form[i:] for i in range(1, len(form) - _MIN_HEAD + 1))
    heads = (terms[s] for s in suffixes if s in terms and is_head(s, form))
    return tuple(dict.fromkeys(t for t in heads if t != terms[form]))


def _heads_en(form: str, terms: Mapping[str, str]) -> tuple[str, ...]:
    words = form.split()
    spans = ((words[i - 1], " ".join(words[i:])) for i in range(1, len(words)))
    heads = (terms[head] for before, head in spans if head in terms and before not in _PRIVATIVE_EN)
    return tuple(dict.fromkeys(t for t in heads if t != terms[form] and not has_han(t)))


def surface_forms(terms: Iterable[str], lexicon: Lexicon) -> tuple[dict[str, str], dict[str, str]]:
    """Return the surface forms of terms and of their synonyms in the lexicon.

    Args:
        terms: the terms to match.
        lexicon: its other words are matched too, as themselves, so that a long word hides the terms within it.

    Returns:
        Surface form -> term, for Chinese and for English text.
    """
    requested = dict.fromkeys(terms)
    chinese = {form: entry.name for form, entry in lexicon.by_zh.items()}
    chinese.update((term, term) for term in requested)
    english = {form: entry.name for form, entry in lexicon.by_en.items() if entry.name in requested}
    english.update((term, term) for term in requested if not has_han(term))
    return chinese, english


def text_zh(document: Document) -> str:
    """Return title, abstract and keywords on separate lines; of an English document only its Chinese keywords."""
    if not is_chinese(document):
        return "\n".join(k for k in document.keywords if has_han(k))
    return "\n".join((document.title, document.abstract, *document.keywords))


def text_en(document: Document) -> str:
    """Return the English title, abstract and keywords on separate lines.

    The main fields of a document without a Han character in title and abstract count as English.
    """
    main_fields = () if is_chinese(document) else (document.title, document.abstract, *document.keywords)
    return "\n".join((document.title_en, document.abstract_en, *document.keywords_en, *main_fields))


class TermCounter:
    """A counter of terms in documents of both languages.

    Args:
        terms: the terms to count.
        lexicon: adds synonyms.
    """

    def __init__(self, terms: Sequence[str], lexicon: Lexicon = EMPTY) -> None:
        self._written = {simplified(term): term for term in terms}
        chinese, english = surface_forms(self._written, in_simplified(lexicon))
        self._zh, self._en = TermMatcher(chinese), TermMatcher(english, english=True)

    def count(self, document: Document) -> Counter[str]:
        """Count the occurrences of the terms in a document; terms that it lacks are not in the result."""
        counts = self._zh.count(text_zh(document))
        counts.update(self._en.count(text_en(document)))
        return Counter({self._written[term]: n for term, n in counts.items() if term in self._written})


def term_counts(
    documents: Sequence[Document], terms: Sequence[str], lexicon: Lexicon = EMPTY
) -> tuple[Counter[str], ...]:
    """Count the occurrences of terms in documents.

    Args:
        documents: the corpus.
        terms: the terms to count.
        lexicon: adds synonyms.

    Returns:
        One counter for each document; terms that a document lacks are not in it.
    """
    counter = TermCounter(terms, lexicon)
    return tuple(counter.count(document) for document in documents)


def incidence(
    documents: Sequence[Document], terms: Sequence[str], lexicon: Lexicon = EMPTY
) -> tuple[tuple[str, str], ...]:
    """Return the incidence of the formal context.

    Args:
        documents: the objects.
        terms: the attributes.
        lexicon: adds synonyms.

    Returns:
        Pairs (document id, term), in the order of the documents and, for each, of the terms.
    """
    rows = zip(documents, term_counts(documents, terms, lexicon), strict=True)
    return tuple((document.id, term) for document, counts in rows for term in terms if term in counts)
