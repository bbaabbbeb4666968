"""What is no term: organisations, people, places, dates, clauses and fragments, and what is no text at all.

The rules and lists are general ones: word classes of jieba and TextBlob in the sentences of a term, endings of names of
organisations, the rules of `ontology.terms.term_rules`. A term is judged by most of its sentences
(filters_zh.py, filters_en.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ontology.enrichment.ranking import Place, RankedTerm, words_of
from ontology.enrichment.reading import Reading, has_mixed_scripts, is_unreadable
from ontology.terms.contrast import PLACES
from ontology.terms.lexicon import word_list
from ontology.terms.noun_phrases_en import ADJECTIVES, NOUNS, PARTICIPLES, tag_words
from ontology.terms.noun_phrases_en import words_of as phrase_words
from ontology.terms.phrases import MAX_LENGTH, is_part, is_place, why_no_phrase
from ontology.terms.segment import Token, dictionary, segmenter
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
        reasons = [_why_no_english_term(sentence.text, forms) for sentence in sentences]
        return _english_organisation(term.text) or _most(reasons, _NAME_BY_CAPITALS)
    phrases = [_Phrase.at(s.folded, place) for s, place in zip(sentences, places, strict=True)]
    reasons = [_why_no_chinese_term(term.text, phrase, labels) for phrase in phrases]
    return _why_organisation(term.text) or _why_place(phrases, labels) or _most(reasons)


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


# ---- what is no English term in a sentence: names, dates, units, clauses and fragments


_NAME_BY_CAPITALS = "name: written with capitals"
_GRADED = frozenset(("JJR", "JJS"))
_OPEN = NOUNS | ADJECTIVES | PARTICIPLES
_VERBAL = PARTICIPLES | {"VBD"}
_BEFORE_NOUN = frozenset(("DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "CC", "TO", ",", "(", ":"))
"""Tags of words that a noun phrase follows. A participle that begins a phrase elsewhere is the verb of a clause."""
_SENTENCE_MARKS = frozenset(".!?:;\"“”'")
_MONTHS = "(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october"
_DATE = re.compile(rf"(?:\d+|{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?")


def _why_no_english_term(sentence: str, forms: Sequence[str]) -> str:
    """Return the reason why a term is no noun phrase in a sentence, or "".

    Args:
        sentence: the sentence as written.
        forms: the spellings of the term.
    """
    spelled = phrase_words(sentence)
    span = _span([normal(word) for word in spelled], forms)
    if span is None:
        joined = next((form for form in forms if f"-{form.lower()}" in sentence.lower()), "")
        return f"fragment: a hyphen joins {joined} to a word" if joined else ""
    start, end = span
    tags = tag_words([w.lower() if start <= at < end else w for at, w in enumerate(spelled)])
    if _is_named(spelled, start, end):
        return _NAME_BY_CAPITALS
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


# ---- what is no Chinese term in its sentences: clauses and fragments, people, places, organisations, times, and
# names


_NAME_IN_QUOTES = "name: in quotation marks"
_AROUND = 30
"""Characters on both sides that are tagged with a term."""
_QUOTES = ("“‘\"'「『《", "”’\"'」』》")
_LISTED = "、"
_LEAST_LISTED = 2
"""Sentences that list a term with places from which it is one."""
_GUESSED = 3
"""Frequency in jieba's dictionary of words that were taken over from lists and not counted in texts."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A term in a sentence.

    Attributes:
        before, words, after: the words before it, in it, and after it, with their classes.
        across: a word that goes on beyond it, or "".
        quoted: whether it is all that stands in quotation marks.
    """

    before: tuple[Token, ...]
    words: tuple[Token, ...]
    after: tuple[Token, ...]
    across: str = ""
    quoted: bool = False

    @classmethod
    def at(cls, folded: str, place: Place) -> _Phrase:
        """Return the phrase at a place of a folded sentence."""
        first = max(0, place.start - _AROUND)
        start, end = place.start - first, place.end - first
        near = folded[first : place.end + _AROUND]
        tokens = segmenter().cut(near)
        ends = list(accumulate(len(token.text) for token in tokens))
        spans = list(zip([0, *ends[:-1]], ends, tokens, strict=True))
        return cls(
            tuple(token for _, e, token in spans if e <= start),
            tuple(_sure(token) for s, e, token in spans if s >= start and e <= end),
            tuple(token for s, _, token in spans if s >= end),
            next((t.text for s, e, t in spans if s < start < e or s < end < e), ""),
            start > 0 and near[start - 1] in _QUOTES[0] and near[end : end + 1] in tuple(_QUOTES[1]),
        )

    def listed_with(self) -> list[Token]:
        """Return the words that a list has before and after the term.

        >>> phrase = _Phrase.at("越秀、海珠、天河发布预警", Place(0, 3, 5, in_context=False))
        >>> [token.text for token in phrase.listed_with()]
        ['越秀', '天河']
        """
        sides = (self.before[::-1], self.after)
        return [side[1] for side in sides if len(side) > 1 and side[0].text == _LISTED]


def _why_no_chinese_term(text: str, phrase: _Phrase, labels: Container[str]) -> str:
    """Return the reason why a phrase is no term where it stands, or ""."""
    if phrase.across:
        return f"fragment: a word goes on beyond it ({phrase.across})"
    if phrase.quoted:
        return _NAME_IN_QUOTES
    return _why_names(phrase.words, labels) or _why_clause(phrase.words) or why_no_phrase(phrase.words, text)


def _why_organisation(text: str) -> str:
    """Return the reason why a term is the name of an organisation, or "".

    >>> _why_organisation("广州气象台"), _why_organisation("水利部"), _why_organisation("西北部")
    ('organisation: ends with 气象台', 'organisation: ends with 部', '')
    """
    endings = [ending for ending in word_list("organisations_zh") if text.endswith(ending)]
    ministry = text[-1] == "部" and len(text) > 2 and text in dictionary() and text[-2:] not in dictionary()
    ending = max(endings, key=len, default="部" if ministry else "")
    return f"organisation: ends with {ending}" if ending else ""


def _why_place(phrases: Sequence[_Phrase], labels: Container[str]) -> str:
    """Return the reason why a term is the name of a place: most lists that it is in have places beside it; or ""."""
    lists = [listed for phrase in phrases if (listed := phrase.listed_with())]
    with_places = [[t.text for t in listed if is_place(t) and t.text not in labels] for listed in lists]
    named = [places[0] for places in with_places if places]
    return f"place: listed with {named[0]}" if len(named) >= max(_LEAST_LISTED, len(lists) / 2) else ""


def _why_names(words: Sequence[Token], labels: Container[str]) -> str:
    """Return the reason why words are a name or a time, or begin or end with one, or ""."""
    if len(words) == 1 and words[0].tag.startswith("nr"):
        return f"person: {words[0].text}"
    if words[0].text[-1] in PLACES and (len(words[0].text) == 1 or not _is_counted(words[0].text)):
        return f"place: {words[0].text}"
    for word in (words[0], words[-1]):
        if word.tag.startswith("nr") and _class(word).startswith("nr") and word.text not in labels:
            return f"person: {word.text}"
        if word.tag == "nt":
            return f"organisation: {word.text}"
        if word.tag == "t":
            return f"time: {word.text}"
    return ""


def _is_counted(word: str) -> bool:
    """Return whether the dictionary counted a word in texts, or else what it is without its last character: 下载区."""
    known, stem = dictionary().get(word), dictionary().get(word[:-1])
    return known is not None and any(one is not None and one.frequency > _GUESSED for one in (known, stem))


def _why_clause(words: Sequence[Token]) -> str:
    """Return the reason why words are no noun phrase: a verb alone or between nouns, an adverb, an idiom."""
    odd = next((word.text for word in words if not is_part(word)), "")
    if odd:
        return f"part of a clause: {odd}"
    if words[-1].tag == "i":
        return f"idiom: {words[-1].text}"
    if len(words) == 1 and _class(words[0]) == "v":
        return f"verb: {words[0].text}"
    if len(words) == 1 and words[0].tag == "l" and _is_verb_phrase(words[0].text):
        return f"part of a clause: {words[0].text}"
    for before, word in pairwise(words[:-1] if len(words[-1].text) > 1 else ()):
        verb = word.tag == "v" or (word.tag != "vn" and _class(word) == "v")
        if before.tag.startswith("n") and verb and min(len(before.text), len(word.text)) > 1:
            return f"part of a clause: {word.text} is a verb"
    return ""


def _is_verb_phrase(word: str) -> bool:
    """Return whether a fixed phrase of the dictionary is an adverb and a verb: 切实做好."""
    first, last = (dictionary().get(half) for half in (word[: len(word) // 2], word[len(word) // 2 :]))
    return first is not None and last is not None and first.tag in ("d", "ad", "a") and last.tag == "v"


def _sure(word: Token) -> Token:
    """Return a word as a noun where the tagger takes it for a verb and the dictionary lacks it."""
    return Token(word.text, "n") if word.tag.startswith("v") and not _class(word) else word


def _class(word: Token) -> str:
    """Return the class of a word in the dictionary; the tagger guesses that of a word from its neighbours."""
    known = dictionary().get(word.text)
    return known.tag if known else ""
