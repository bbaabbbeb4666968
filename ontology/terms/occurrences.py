"""Which document contains which term: the incidence of the formal context.

Source: paper 000, section 3.1 (document-term matrix). How an occurrence is found is our own reading, since the paper
does not say: surface forms (a term and its synonyms of the lexicon) are matched leftmost-longest, and an occurrence
counts for the term and for the terms that are its head, never for its modifiers: 特大暴雨 is a 暴雨, 心理台风眼效应
is no 台风. English text of a record counts by the English words of the lexicon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ontology.model import Document
from ontology.terms.form_matcher import BREAK, FormMatcher, with_inflections
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.wordforms import has_han, normal

_PRIVATIVE = "反非无防抗减未不"
"""Before a head these turn the meaning: 反气旋 is no 气旋."""
_GRADES = ("特大",)
"""Grades that another grade is spelled within: 特大暴雨 is no 大暴雨."""
_MIN_HEAD = 2


def is_chinese(document: Document) -> bool:
    """True if the title or the abstract has a Han character."""
    return has_han(document.title) or has_han(document.abstract)


def is_head(form: str, compound: str) -> bool:
    """True if ``form`` is the head of the Chinese ``compound``: what the compound is a kind of, as its last part."""
    before = len(compound) - len(form)
    if before <= 0 or len(form) < _MIN_HEAD or not compound.endswith(form):
        return False
    return compound[before - 1] not in _PRIVATIVE and compound[before - 1 : before + 1] not in _GRADES


class TermMatcher:
    """Counts terms in text by their surface forms, and with a compound the terms that are its head.

    Args:
        forms: surface form -> term. Of forms that are folded alike the one that is a term itself goes first.
        english: the forms are English: they match their singular and plurals too, and have no heads.
    """

    def __init__(self, forms: Mapping[str, str], *, english: bool = False) -> None:
        pairs = sorted(forms.items(), key=lambda pair: pair[0] != pair[1])
        numbers = with_inflections((form, number, english) for number, (form, _) in enumerate(pairs))
        terms = {form: pairs[number][1] for form, number in numbers.items()}
        heads = {} if english else {numbers[form]: _heads(form, terms) for form in numbers}
        self._counted = [(term, *heads.get(number, ())) for number, (_, term) in enumerate(pairs)]
        self._matcher = FormMatcher([numbers])

    def count(self, text: str) -> Counter[str]:
        """Occurrences of each term in the text, those as a head included; no match spans two lines."""
        (spans,) = self._matcher.spans(normal(text.replace("\n", BREAK)))
        return Counter(term for _, _, number in spans for term in self._counted[number])


def _heads(form: str, terms: Mapping[str, str]) -> tuple[str, ...]:
    suffixes = (form[i:] for i in range(1, len(form) - _MIN_HEAD + 1))
    found = (terms[s] for s in suffixes if s in terms and is_head(s, form))
    return tuple(dict.fromkeys(t for t in found if t != terms[form]))


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
    zh, en = TermMatcher(chinese), TermMatcher(english, english=True)
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
