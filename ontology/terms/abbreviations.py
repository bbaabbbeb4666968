"""Abbreviations that the documents define, with their long forms.

English: Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical text",
Pacific Symposium on Biocomputing 8: a long form before the parenthesis is matched with the letters of the short form
from right to left; both orders. Chinese [R]: 全称（缩写）, 全称（English full name, ABBR）, 缩写（全称）, 简称. A Latin
short form shares no letters with a Chinese long form, which is then the noun phrase before the parenthesis; its letters
come from an English name given with it, or the noun phrase has more characters than the short form capitals. A Chinese
short form has characters of the long form in their order. A Chinese long form is in two documents at least. A short
form with two long forms is not used.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ontology.model import Document
from ontology.terms.lexicon import Entry, Lexicon, word_list
from ontology.terms.phrases import is_part, why_no_phrase
from ontology.terms.segment import NEW, Token, WordSegmenter, word_segmenter
from ontology.terms.sentences import clauses
from ontology.terms.token_stream import LATIN
from ontology.terms.wordforms import dictionary_form, has_han, normal

_PARENTHESIS = re.compile(r"\(([^()]{1,80})\)")
_CUE = re.compile(
    r"^(?:(?:以下|下文|下|又|也|英文)?(?:简称|缩写|简写)(?:为|是)?|abbreviated(?: as)?|or)[\s:]*", re.IGNORECASE
)
_OTHER_NAME = re.compile(r"^(?:[又亦也或]称|又名|也叫|俗称|旧称|即)")
"""Before another name of the same thing, which is no abbreviation."""
_AFTER_COMMA = re.compile(r"[,，]\s*(?:以下)?简称为?[\"“'‘]?([\u3400-\u9fffA-Za-z0-9-]{2,8})[\"”'’]?(?=[,，)。]|$)")
_QUOTES = "\"“”'‘’《》 "
_SHORT = re.compile(r"[A-Z][A-Za-z0-9&-]{1,9}")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_BEFORE = re.compile(r"[\u3400-\u9fffA-Za-z0-9-]+$")
_LATIN_BEFORE = re.compile(r"[A-Za-z][A-Za-z0-9 ,/'’&-]*$")
_ROMAN = re.compile(r"[IVX]+")
_FUNCTION = ("v", "u", "p", "c", "r", "d", "y", "x")
_SMALL = ("v", "p", "c", "d", "f", "s")
"""Classes of words that seldom begin a long form."""
_LONGEST = 15
"""Longest Chinese long form, in characters."""
_LONGEST_SHORT = 6
_USUAL = 5
"""How many times more documents must have the short form than the long one for the short one to be the label."""


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form with its long form.

    Attributes:
        short: as written.
        long: Chinese, or English in the singular.
        english: the English full name of a Chinese long form, or "".
        definitions: document id and sentence of each definition.
    """

    short: str
    long: str
    english: str
    definitions: tuple[tuple[str, str], ...]


def _long_form(short: str, before: str) -> str:
    """Return the long form of a short form at the end of a text by the algorithm of Schwartz and Hearst, or "".

    Args:
        short: the short form.
        before: the words before the parenthesis.

    >>> _long_form("ACE", "patients received an angiotensin-converting enzyme")
    'angiotensin-converting enzyme'
    >>> _long_form("WHO", "a report of last year")
    ''
    """
    words = before.split()
    text = " ".join(words[-min(len(short) + 5, 2 * len(short)) :])
    at = len(text)
    for index in range(len(short) - 1, -1, -1):
        letter = short[index].lower()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= 0 and (text[at].lower() != letter or (index == 0 and at > 0 and text[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return ""
    found = text[text.rfind(" ", 0, at) + 1 :].strip(" ,")
    fits = len(found) > len(short) and short.lower() not in normal(found).split()
    return found if fits and len(found.split()) <= 2 * len(short) else ""


def find_abbreviations(documents: Sequence[Document]) -> tuple[Abbreviation, ...]:
    """Return the abbreviations that documents define, by short form.

    Args:
        documents: titles, abstracts and keywords in both languages are read.
    """
    reader = _Reader(documents)
    found: defaultdict[str, list[_Definition]] = defaultdict(list)
    for document in documents:
        for sentence in _sentences(document):
            for definition in reader.definitions(document.id, sentence):
                found[definition.short].append(definition)
    merged = [a for short in sorted(found) if (a := _merged(found[short])) and not reader.is_word(short)]
    latin = Counter(a.long for a in merged if has_han(a.long) and not has_han(a.short))
    return tuple(a for a in merged if latin[a.long] < 2 or has_han(a.short))  # the head of several longer ones


def abbreviation_lexicon(abbreviations: Iterable[Abbreviation], documents: Sequence[Document]) -> Lexicon:
    """Return a lexicon with an entry for each long form.

    The long form is the preferred word, except for an English one that documents hardly use beside the short form.

    Args:
        abbreviations: a short form has one long form.
        documents: the corpus.
    """
    shorts: defaultdict[str, list[Abbreviation]] = defaultdict(list)
    for one in abbreviations:
        shorts[one.long].append(one)
    used = _documents_with([w for w in shorts if not has_han(w)] + [a.short for a in abbreviations], documents)
    entries: list[Entry] = []
    taken: set[str] = set()
    for long, of_long in shorts.items():
        words = tuple(dict.fromkeys(a.short for a in of_long))
        full = next((a.english for a in of_long if a.english), "")
        if has_han(long):
            entry = Entry(long, full, words, tuple(w for w in words if not has_han(w)))
        elif used[words[0]] >= _USUAL * max(used[long], 1):
            entry = Entry("", words[0], (), (long, *words[1:]))
        else:
            entry = Entry("", long, (), words)
        forms = {w.casefold() for w in entry.words}
        if taken.isdisjoint(forms):
            taken |= forms
            entries.append(entry)
    return Lexicon(tuple(entries))


def _documents_with(forms: Iterable[str], documents: Sequence[Document]) -> Counter[str]:
    """Count the documents whose text has each form, the definitions of long forms left out."""
    folded = {normal(form): form for form in forms}
    longest = max((f.count(" ") + 1 for f in folded), default=0)
    counts: Counter[str] = Counter()
    for document in documents:
        text = normal(" ".join((document.title, document.abstract, document.title_en, document.abstract_en)))
        grams = _word_grams(_PARENTHESIS.sub(" ) ", text), longest)
        counts.update(folded[g] for g in grams & folded.keys())
    return counts


def _word_grams(text: str, longest: int) -> set[str]:
    words = re.findall(r"[^\s,.;:()]+|[()]", text)
    return {" ".join(words[i : i + n]) for n in range(1, min(longest, 8) + 1) for i in range(len(words) - n + 1)}


@dataclass(frozen=True, slots=True)
class _Definition:
    short: str
    long: str
    english: str
    document: str
    sentence: str


def _sentences(document: Document) -> Iterator[str]:
    fields = (document.title, document.abstract, *document.keywords, document.title_en, document.abstract_en)
    for text in fields:
        yield from clauses(unicodedata.normalize("NFKC", text))


def _merged(definitions: Sequence[_Definition]) -> Abbreviation | None:
    """Return one abbreviation for all definitions of a short form, None if they disagree."""
    longs = Counter(d.long for d in definitions)
    chinese = [w for w in longs if has_han(w)]
    if chinese:
        shortest = min(chinese, key=len)
        if not all(w.endswith(shortest) for w in chinese):
            return None
        long = shortest
        english = Counter(d.english for d in definitions if d.english)
        english.update(w for w in longs if not has_han(w))
    else:
        folded = {normal(w) for w in longs}
        long = max(longs, key=lambda w: (longs[w], w == w.lower(), w))
        english = Counter()
        if len(folded) > 1:
            return None
    full = max(english, key=lambda w: (english[w], w)) if english else ""
    first = tuple(dict.fromkeys((d.document, d.sentence) for d in definitions))
    return Abbreviation(definitions[0].short, long, full, first)


class _Reader:
    """Finds definitions in sentences; the corpus tells where a Chinese long form begins."""

    def __init__(self, documents: Sequence[Document]) -> None:
        fields = ("\n".join((d.title, d.abstract, *d.keywords)) for d in documents)
        self._texts = [unicodedata.normalize("NFKC", text) for text in fields]
        self._keywords = frozenset(k for d in documents for k in d.keywords if has_han(k))
        self._cutter: WordSegmenter = word_segmenter(())
        self._lower: frozenset[str] | None = None
        self._index = _InvertedIndex(self._texts)
        self._documents_with: dict[str, int] = {}

    def is_word(self, short: str) -> bool:
        """Return whether a short form is an English word: a function word, or one that texts write in lower case."""
        if has_han(short):
            return False
        if self._lower is None:
            self._lower = frozenset(
                w for text in self._texts for w in re.findall(r"(?<![A-Za-z-])[a-z]+(?![A-Za-z-])", text)
            )
        return short.lower() in self._lower or short.lower() in word_list("stop_en")

    def definitions(self, document: str, sentence: str) -> Iterator[_Definition]:
        """Yield the definitions of a sentence (NFKC)."""
        for match in _PARENTHESIS.finditer(sentence):
            before, inside = sentence[: match.start()].rstrip(), match.group(1).strip(_QUOTES)
            found = self._defined(before, inside)
            if found:
                yield _Definition(*found, document, sentence)
        for match in _AFTER_COMMA.finditer(sentence):
            found = self._short_for(match.group(1), sentence[: match.start()].rstrip(_QUOTES))
            if found:
                yield _Definition(*found, document, sentence)

    def _defined(self, before: str, inside: str) -> tuple[str, str, str] | None:
        """Return short form, long form and English full name, None if the parenthesis defines no abbreviation."""
        if _OTHER_NAME.match(inside):
            return None
        short = _CUE.sub("", inside).strip(_QUOTES)
        parts = [p.strip(_QUOTES) for p in re.split(r"[,，;；:：]|简称", short) if p.strip(_QUOTES)]
        if not parts:
            return None
        last, full = parts[-1], parts[0] if len(parts) == 2 else ""
        if _is_short(last) and len(parts) <= 2:
            if full and not (full.isascii() and _long_form(last, full)):
                return None
            return self._short_for(last, before.rstrip(_QUOTES), full)
        if short != inside:
            return self._short_for(short, before.rstrip(_QUOTES))
        if _all_han(inside) and len(inside) <= _LONGEST_SHORT and (found := self._short_for(inside, before)):
            return found
        return _reversed(before, inside)

    def _short_for(self, short: str, before: str, full: str = "") -> tuple[str, str, str] | None:
        """Return the definition whose long form ends a text."""
        if _all_han(short):
            long = self._noun_phrase(before)
            return (short, long, "") if 2 <= len(short) <= _LONGEST_SHORT and _abbreviates(short, long) else None
        if not _is_short(short):
            return None
        if before and has_han(before[-1]):
            long = self._noun_phrase(before)
            fits = len(long) >= 2 and (full or _has_words_for(short, long))
            return (short, long, dictionary_form(full)) if fits else None
        latin = _LATIN_BEFORE.search(before)
        return _english(short, latin.group()) if latin else None

    def _noun_phrase(self, before: str) -> str:
        """Return the Chinese noun phrase that ends a text, "" where it is uncertain where it begins."""
        run = _BEFORE.search(before)
        tokens = self._tokens(run.group()) if run else []
        start = len(tokens)
        while start and self._extends(tokens, start):
            start -= 1
        if start and not tokens[start - 1].tag.startswith(_FUNCTION):
            return ""
        phrase = tokens[start:]
        while phrase and not self._begins(phrase):
            phrase = phrase[1:]
        long = _text(phrase)
        known = bool(phrase) and phrase[0].tag == NEW and self._is_keyword(phrase)
        certain = len(phrase) > 1 or len(long) > 3 or known
        return long if certain and not long[0].isascii() and self._often(long) > 1 else ""

    def _extends(self, tokens: Sequence[Token], start: int) -> bool:
        word = tokens[start - 1]
        if len(_text(tokens[start - 1 :])) > _LONGEST:
            return False
        if word.tag == "m" and len(word.text) == 1:  # 三丁基锡
            return True
        if word.tag not in (NEW, LATIN) and not is_part(word):
            return False
        if not word.tag.startswith("v") or word.tag == "vn":
            return True
        return start == len(tokens) or self._usual(tokens[start - 1 :])

    def _begins(self, phrase: Sequence[Token]) -> bool:
        """Return whether a phrase can be a whole long form: it is known, or no clause and without a verb before it."""
        if self._is_keyword(phrase):
            return True
        if phrase[0].tag.startswith(_SMALL):
            return len(phrase) > 1 and self._usual(phrase)
        return not why_no_phrase(phrase, _text(phrase))

    def _usual(self, phrase: Sequence[Token]) -> bool:
        """Return whether texts that have a phrase without its first word mostly have all of it."""
        whole = self._often(_text(phrase))
        return whole > 1 and 2 * whole >= self._often(_text(phrase[1:]))

    def _is_keyword(self, tokens: Sequence[Token]) -> bool:
        return _text(tokens) in self._keywords

    def _often(self, text: str) -> int:
        """Return the number of documents with a text; each text is looked for once."""
        if text not in self._documents_with:
            self._documents_with[text] = self._index.count(text)
        return self._documents_with[text]

    def _tokens(self, run: str) -> list[Token]:
        tokens: list[Token] = []
        for piece in re.findall(r"[\u3400-\u9fff]+|[^\u3400-\u9fff]+", run):
            if has_han(piece):
                tokens.extend(self._cutter.tokens(piece))
            else:
                tokens.append(Token(piece, LATIN))
        return tokens


def _abbreviates(short: str, long: str) -> bool:
    """Return whether a Chinese short form has characters of a longer one in their order, and is no part of it.

    >>> _abbreviates("政协", "中国人民政治协商会议"), _abbreviates("有机质", "土壤有机质")
    (True, False)
    """
    rest = iter(long)
    return len(short) < len(long) and short not in long and all(c in rest for c in short)


def _has_words_for(short: str, long: str) -> bool:
    """Return whether a Chinese name can have the words that the capitals of an abbreviation stand for.

    Few words of terms have one character, so that a name has more characters than capitals. The end of a longer name
    has not: 肺部感染 is no clinical pulmonary infection score, which is 临床肺部感染评分.

    >>> _has_words_for("CPIS", "肺部感染"), _has_words_for("SEM", "扫描电镜"), _has_words_for("HPLC", "高效液相色谱")
    (False, True, True)
    """
    return sum(c.isupper() for c in short) < len(long)


def _is_short(text: str) -> bool:
    capitals = sum(c.isupper() or c.isdigit() for c in text)
    letters = sum(c.isalpha() for c in text)
    return (
        bool(_SHORT.fullmatch(text))
        and letters > 1
        and capitals >= max(2, len(text) / 2)
        and not _ROMAN.fullmatch(text)
    )


def _all_han(text: str) -> bool:
    return _HAN_RUN.fullmatch(text) is not None


def _text(tokens: Sequence[Token]) -> str:
    return "".join(t.text for t in tokens)


def _english(short: str, before: str) -> tuple[str, str, str] | None:
    plural = short.endswith("s") and short[:-1].isupper()
    single = short[:-1] if plural else short
    long = _long_form(single, before)
    return (single, dictionary_form(long), "") if long else None


def _reversed(before: str, inside: str) -> tuple[str, str, str] | None:
    """Return the definition of a short form before the parenthesis that has its long form."""
    word = re.search(r"(?<![A-Za-z0-9.&/-])[A-Za-z0-9.&/-]+$", before)
    short = word.group() if word else ""
    if _is_short(short) and inside.isascii() and " " in inside:
        found = _english(short, inside)
        return found if found and normal(found[1]) == normal(dictionary_form(inside)) else None
    if _is_short(short) and _all_han(inside) and 4 <= len(inside) <= _LONGEST and _has_words_for(short, inside):
        return (short, inside, "") if not why_no_phrase(word_segmenter().tokens(inside), inside) else None
    if _all_han(inside) and len(inside) > 3:
        ends = (before[-n:] for n in range(_LONGEST_SHORT, 1, -1))
        return next(((end, inside, "") for end in ends if _all_han(end) and _abbreviates(end, inside)), None)
    return None


# ---- an inverted index of texts by character, which tells how many of them contain a string
#
# Only the texts that have the rarest character of the string are searched, not all.


class _InvertedIndex:
    """Texts and, for each character, the numbers of those that have it.

    Args:
        texts: the texts.

    >>> index = _InvertedIndex(["暴雨和洪水", "暴雨", "雨"])
    >>> index.count("暴雨"), index.count("雨"), index.count("雨暴"), index.count("雪")
    (2, 3, 0, 0)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._having: dict[str, array[int]] = {}
        for number, text in enumerate(texts):
            for character in set(text):
                if character not in self._having:
                    self._having[character] = array("i")
                self._having[character].append(number)

    def count(self, string: str) -> int:
        """Return the number of texts that contain a string."""
        if not string:
            return len(self._texts)
        having = min((self._having.get(character, ()) for character in string), key=len)
        return sum(string in self._texts[number] for number in having)
