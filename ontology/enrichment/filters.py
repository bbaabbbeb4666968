"""What is no term: organisations, people, places, dates, clauses and fragments, and what is no text at all.

The rules and lists are general ones: word classes of jieba and TextBlob in the sentences of a term, endings of names of
organisations, the rules of `ontology.terms.term_rules`. A term is judged by most of its sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import accumulate, pairwise

from ontology.enrichment.ranking import Place, RankedTerm, words_of
from ontology.enrichment.reading import Reading, has_mixed_scripts, is_unreadable
from ontology.terms.contrast import PLACES
from ontology.terms.lexicon import word_list
from ontology.terms.noun_phrases_en import ADJECTIVES, NOUNS, PARTICIPLES
from ontology.terms.noun_phrases_en import words_of as english_words
from ontology.terms.phrases import MAX_LENGTH, is_part, why_no_phrase
from ontology.terms.segment import Token, dictionary, segmenter
from ontology.terms.tagger_en import tag_words
from ontology.terms.term_rules import MAX_LENGTH_EN
from ontology.terms.wordforms import has_han, normal, singular

_LOOKED_AT = 12
"""Sentences of a term whose words are tagged."""
_AROUND = 30
"""Characters on both sides that are tagged with a Chinese term."""
_GRADED = frozenset(("JJR", "JJS"))
_OPEN = NOUNS | ADJECTIVES | PARTICIPLES
_NAME = "name: written with capitals"
_MOSTLY_NAMED = 0.8
"""Share of the sentences with capitals from which a term is a name; *Tropical Storm Agnes* is a tropical storm."""
_NO_NOUN = re.compile(r"\w+(?:wards?|wise)|\w+'s")
_VERBAL = PARTICIPLES | {"VBD"}
_BEFORE_NOUN = frozenset(("DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "CC", "TO", ",", "(", ":"))
"""Tags of words that a noun phrase follows. A participle that begins a phrase elsewhere is the verb of a clause."""
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|\w+tie)th")
_SENTENCE_MARKS = frozenset(".!?:;\"“”'")
_MONTHS = "(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october"
_DATE = re.compile(rf"(?:\d+|{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?")


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
    if organisation := _organisation(term.text):
        return f"organisation: ends with {organisation}"
    reasons = [
        _why_not_here(term.text, reading.sentences[place.sentence].folded, place, labels)
        if has_han(term.text)
        else _why_not_in_english(reading.sentences[place.sentence].text, term.variants.forms)
        for place in _spread(term.places, reading)
    ]
    if not reasons:
        return "in no sentence"
    named = sum(reason == _NAME for reason in reasons)
    if named > _MOSTLY_NAMED * len(reasons):
        return _NAME
    wrong = Counter(reason for reason in reasons if reason and reason != _NAME)
    return wrong.most_common(1)[0][0] if wrong and 2 * wrong.total() >= len(reasons) - named else ""


def _spread(places: Sequence[Place], reading: Reading) -> list[Place]:
    """Return some places, evenly spaced, those in titles last."""
    body = [p for p in places if not reading.sentences[p.sentence].in_title] or list(places)
    keep = min(_LOOKED_AT, len(body))
    return [body[at * len(body) // keep] for at in range(keep)]


def _organisation(text: str) -> str:
    if has_han(text):
        endings = (ending for ending in word_list("organisations_zh") if text.endswith(ending))
        return max(endings, key=len, default="")
    last = singular(normal(text)).split()[-1]
    return last if last in word_list("organisations_en") and " " in text else ""


def _why_not_here(text: str, folded: str, place: Place, labels: Container[str]) -> str:
    """Return the reason why the Chinese words at a place are no term there, or ""."""
    first = max(0, place.start - _AROUND)
    tokens = segmenter().cut(folded[first : place.end + _AROUND])
    ends = list(accumulate(len(token.text) for token in tokens))
    starts = [0, *ends[:-1]]
    start, end = place.start - first, place.end - first
    if start not in starts or end not in ends:
        across = next(t.text for s, e, t in zip(starts, ends, tokens, strict=True) if s < start < e or s < end < e)
        return f"fragment: a word goes on beyond it ({across})"
    inside = [_sure(token) for s, e, token in zip(starts, ends, tokens, strict=True) if s >= start and e <= end]
    return _why_names(inside, labels) or _why_clause(inside) or why_no_phrase(inside, text)


def _why_names(words: Sequence[Token], labels: Container[str]) -> str:
    """Return the reason why words are a name or a time, or begin or end with one, or ""."""
    if len(words) == 1 and words[0].tag.startswith("nr"):
        return f"person: {words[0].text}"
    if words[0].text[-1] in PLACES and (len(words[0].text) == 1 or not _class(words[0])):
        return f"place: {words[0].text}"
    for word in (words[0], words[-1]):
        if word.tag.startswith("nr") and _class(word).startswith("nr") and word.text not in labels:
            return f"person: {word.text}"
        if word.tag == "nt":
            return f"organisation: {word.text}"
        if word.tag == "t":
            return f"time: {word.text}"
    return ""


def _why_clause(words: Sequence[Token]) -> str:
    """Return the reason why words are no noun phrase: a verb alone or between nouns, an adverb, an idiom."""
    odd = next((word.text for word in words if not is_part(word)), "")
    if odd:
        return f"part of a clause: {odd}"
    if words[-1].tag == "i":
        return f"idiom: {words[-1].text}"
    if len(words) == 1 and _class(words[0]) == "v":
        return f"verb: {words[0].text}"
    for before, word in pairwise(words[:-1] if len(words[-1].text) > 1 else ()):
        verb = word.tag == "v" or (word.tag != "vn" and _class(word) == "v")
        if before.tag.startswith("n") and verb and min(len(before.text), len(word.text)) > 1:
            return f"part of a clause: {word.text} is a verb"
    return ""


def _sure(word: Token) -> Token:
    """Return a word as a noun where the tagger takes it for a verb and the dictionary lacks it."""
    return Token(word.text, "n") if word.tag.startswith("v") and not _class(word) else word


def _class(word: Token) -> str:
    """Return the class of a word in the dictionary; the tagger guesses that of a word from its neighbours."""
    known = dictionary().get(word.text)
    return known.tag if known else ""


def _why_not_in_english(sentence: str, forms: Iterable[str]) -> str:
    """Return the reason why the words of a term are no noun phrase in a sentence, or ""."""
    spelled = english_words(sentence)
    span = _span([normal(word) for word in spelled], forms)
    if span is None:
        return ""
    start, end = span
    tags = tag_words([w.lower() if start <= at < end else w for at, w in enumerate(spelled)])
    if _is_named(spelled, start, end):
        return _NAME
    graded = next((w.lower() for w, tag in zip(spelled[start:end], tags[start:end], strict=True) if tag in _GRADED), "")
    if graded:
        return f"description: {graded} compares"
    before = tags[start - 1] if start else ""
    if tags[start] in _VERBAL and end > start + 1 and before not in _BEFORE_NOUN:
        return f"part of a clause: {spelled[start].lower()} is a verb"
    if before == "CD" and end == start + 1:
        return "unit: a number stands before it"
    if _DATE.fullmatch(spelled[start].lower()) or _DATE.fullmatch(spelled[end - 1].lower()):
        return "date"
    if tags[end - 1] not in NOUNS and not _is_gerund(tags, start, end):
        return f"ends with {spelled[end - 1].lower()}, which is no noun"
    odd = next((w.lower() for w, tag in zip(spelled[start:end], tags[start:end], strict=True) if tag not in _OPEN), "")
    if odd:
        return f"part of a clause: {odd}"
    after = tags[end] if end < len(tags) else ""
    if after in ("NN", "NNS") and spelled[end][0].isalpha():
        return "fragment: a noun follows it"
    return ""


def _is_gerund(tags: Sequence[str], start: int, end: int) -> bool:
    """Return whether a phrase ends with a gerund that is its noun: *localized flooding*, *the street ponding*."""
    before = tags[start - 1] if start else ""
    described = end - start > 1 and tags[end - 2] in ADJECTIVES | PARTICIPLES
    return tags[end - 1] == "VBG" and (described or before in ("DT", "PRP$"))


def _span(words: Sequence[str], forms: Iterable[str]) -> tuple[int, int] | None:
    """Return where the words of one of some forms stand in a sentence, the last one in any number."""
    for form in forms:
        parts = normal(form).split()
        for start in range(len(words)):
            joined: list[str] = []
            for end in range(start, min(start + len(parts), len(words))):
                joined += words[end].split()
                if len(joined) >= len(parts):
                    break
            same = joined[:-1] == parts[:-1] and bool(joined) and singular(joined[-1]) == singular(parts[-1])
            if same:
                return start, end + 1
    return None


def _is_named(spelled: Sequence[str], start: int, end: int) -> bool:
    """Return whether some words are written with capitals, although they do not begin a sentence."""
    begins = start == 0 or spelled[start - 1] in _SENTENCE_MARKS
    words = spelled[start + 1 : end] if begins else spelled[start:end]
    return bool(words) and all(word[0].isupper() for word in words)
