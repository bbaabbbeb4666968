"""What is no term: organisations, people, places, dates, clauses and fragments, and what is no text at all.

The rules and lists are general ones: word classes of jieba and TextBlob in the sentences of a term, endings of names of
organisations, the rules of `ontology.terms.term_rules`. A term is judged by most of its sentences
(filters_zh.py, filters_en.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise

from ontology.enrichment import filters_en, filters_zh
from ontology.enrichment.filters_zh import Phrase
from ontology.enrichment.ranking import Place, RankedTerm, words_of
from ontology.enrichment.reading import Reading, has_mixed_scripts, is_unreadable
from ontology.terms.lexicon import word_list
from ontology.terms.phrases import MAX_LENGTH
from ontology.terms.term_rules import MAX_LENGTH_EN
from ontology.terms.wordforms import has_han, normal, singular

_LOOKED_AT = 12
"""Sentences of a term that are looked at."""
_MOSTLY_NAMED = 0.8
"""Share of the sentences with capitals from which a term is a name; *Tropical Storm Agnes* is a tropical storm."""
_NO_NOUN = re.compile(r"\w+(?:wards?|wise)|\w+'s")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|\w+tie)th")


def why_malformed(text: str) -> str:
    r"""Return the reason why a string can be no term whatever its sentences, or "".

    >>> why_malformed("storm surge"), why_malformed("storm <b>surge"), why_malformed("x" * 500)
    ('', 'has marks that no term has', 'longer than 60 characters')
    >>> why_malformed("st\u043erm surge"), why_malformed("rain rain"), why_malformed("nbsp storm")
    ('mixes alphabets', 'repeats a word', 'has a word of a markup language')
    """
    limit = MAX_LENGTH if has_han(text) else MAX_LENGTH_EN
    if len(text) > limit:
        return f"longer than {limit} characters"
    if is_unreadable(text) or not all(c.isalnum() or c in " -'’./+&·–" for c in text):
        return "has marks that no term has"
    if has_mixed_scripts(text):
        return "mixes alphabets"
    words = words_of(text)
    if any(_NO_NOUN.fullmatch(word) for word in words):
        return "has an adverb or a genitive"
    if any(one == other for one, other in pairwise(words)):
        return "repeats a word"
    if not _MARKUP_WORDS.isdisjoint(words):
        return "has a word of a markup language"
    if _ORDINAL.fullmatch(words[0]) or singular(words[-1]) in word_list("empty_heads_en"):
        return "generic word or description"
    return "" if any(c.isalpha() for c in text) else "has no letter"


_MARKUP_WORDS = frozenset(("nbsp", "amp", "quot", "href", "div", "span", "br", "lt", "gt", "js", "css", "html", "px"))
"""Names of elements, attributes and entities of HTML that are no words."""


def why_no_term(term: RankedTerm, reading: Reading, labels: Container[str] = frozenset()) -> str:
    """Return the reason why the sentences of a term show that it names no class, or "".

    Args:
        term: the term with its places.
        reading: the pages.
        labels: folded labels of the ontology, which are no names.
    """
    places = _spread(term.places, reading)
    if not places:
        return "in no sentence"
    sentences = [reading.sentences[place.sentence] for place in places]
    if not has_han(term.text):
        forms = term.variants.forms
        reasons = [filters_en.why_no_term_in(sentence.text, forms) for sentence in sentences]
        return _english_organisation(term.text) or _most(reasons, filters_en.NAME)
    phrases = [Phrase.at(s.folded, place) for s, place in zip(sentences, places, strict=True)]
    reasons = [filters_zh.why_no_term_in(term.text, phrase, labels) for phrase in phrases]
    return filters_zh.why_organisation(term.text) or filters_zh.why_place(phrases, labels) or _most(reasons)


def _most(reasons: Sequence[str], name: str = "") -> str:
    """Return the most common reason if half of the sentences have one, those with a name apart."""
    named = sum(reason == name for reason in reasons) if name else 0
    if named > _MOSTLY_NAMED * len(reasons):
        return name
    wrong = Counter(reason for reason in reasons if reason and reason != name)
    return wrong.most_common(1)[0][0] if wrong and 2 * wrong.total() >= len(reasons) - named else ""


def _spread(places: Sequence[Place], reading: Reading) -> list[Place]:
    """Return some places, evenly spaced, those in titles last."""
    body = [p for p in places if not reading.sentences[p.sentence].in_title] or list(places)
    keep = min(_LOOKED_AT, len(body))
    return [body[at * len(body) // keep] for at in range(keep)]


def _english_organisation(text: str) -> str:
    last = singular(normal(text)).split()[-1]
    return f"organisation: ends with {last}" if last in word_list("organisations_en") and " " in text else ""
