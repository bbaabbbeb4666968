"""Other names of classes: sentences that say that a term and a label are the same, and abbreviations of labels.

    X（又称Y）    X，也叫Y    X (also known as Y)    X（即Y）    X (i.e. Y)    X（Y）, in two pages at least

Both are whole noun phrases: 局地暴雨（又称Y） does not name 暴雨. A bracket with a number, a unit or a place is
no name, since only terms are looked for. Abbreviations are those of `ontology.terms.abbreviations`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ontology.enrichment.classes import Classes
from ontology.enrichment.ranking import Located, RankedTerm, Variants
from ontology.enrichment.reading import Reading
from ontology.enrichment.stating import Names, Stated
from ontology.evidence.english_sentence import EnglishSentence
from ontology.evidence.noun_phrases_zh import ChinesePhrases
from ontology.model import Document
from ontology.terms.abbreviations import Abbreviation, find_abbreviations
from ontology.terms.noun_phrases_en import words_of
from ontology.terms.wordforms import dictionary_form, fold, has_han, normal

_CALLED = (
    "又称|又叫|又名|亦称|亦名|也称|也叫|俗称|简称|(?:sometimes |often |commonly |otherwise )?(?:also )?"
    "(?:known as|called|referred to as)"
)
_CUE = re.compile(
    rf"\s*(?:[（(]\s*(?P<bracket>{_CALLED}|即|i\.e\.,?|or)?|[，,]\s*(?P<comma>{_CALLED}))[为作是]?\s*", re.IGNORECASE
)
_QUOTES = "“”\"'‘’「」『』 "
_CLOSE = re.compile(r"[)）,，。；;.]")
_LEAST_BARE = 2
"""Pages that have a bracket without a word like 又称, at least."""
_MAY_NAME = re.compile(rf"[（(]|{_CALLED}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OtherName:
    """The class that a term is another name of, with the reason, and the numbers of the sentences that say so."""

    iri: str
    reason: str
    sentences: tuple[int, ...]


def other_names(
    terms: Sequence[RankedTerm],
    located: Located,
    reading: Reading,
    classes: Classes,
    stated: Mapping[int, tuple[Stated, ...]],
) -> dict[int, OtherName]:
    """Find the terms that are other names of classes.

    Args:
        terms: the terms.
        located: the concepts in the sentences.
        reading: the pages.
        classes: the classes of the ontologies.
        stated: what sentences state of the terms, by number of the term.

    Returns:
        Number of a term -> what it names. A term that sentences call as often another class is left out.
    """
    names = Names(terms, classes)
    reader = _Reader(names, terms, classes)
    found = {}
    for number, term in enumerate(terms):
        said: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for one in stated.get(number, ()):
            if one.rule == "synonym":
                said[one.iri][one.sentence] = one.pattern
        bare: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for place in term.places:
            text = reading.sentences[place.sentence].text
            if place.in_context and place.sentence in located.concepts and _MAY_NAME.search(text):
                for iri, cue in reader.read(text, number):
                    (said if cue else bare)[iri].setdefault(place.sentence, cue or "a bracket")
        for iri, sentences in bare.items():
            if len({reading.sentences[n].page for n in sentences}) >= _LEAST_BARE:
                said[iri].update({n: cue for n, cue in sentences.items() if n not in said[iri]})
        if (name := _most(said)) is not None:
            found[number] = name
    return found


def _most(said: Mapping[str, Mapping[int, str]]) -> OtherName | None:
    votes = Counter({iri: len(sentences) for iri, sentences in said.items()}).most_common(2)
    if not votes or (len(votes) == 2 and votes[0][1] == votes[1][1]):
        return None
    sentences = said[votes[0][0]]
    cue = Counter(sentences.values()).most_common(1)[0][0]
    return OtherName(votes[0][0], f"a sentence gives both names: {cue}", tuple(sorted(sentences)))


class _Reader:
    """Reads sentences that give two names of one thing."""

    def __init__(self, names: Names, terms: Sequence[RankedTerm], classes: Classes) -> None:
        self._names = names
        self._phrases = ChinesePhrases(names.chinese)
        self._terms = {normal(form): number for number, term in enumerate(terms) for form in term.variants.forms}
        self._classes = classes

    def read(self, text: str, term: int) -> Iterator[tuple[str, str]]:
        """Yield (class, cue) where a sentence gives a term as its name; an empty cue for a bracket alone."""
        text = " ".join(text.split())
        for match in _CUE.finditer(text):
            inside = _CLOSE.split(text[match.end() :], maxsplit=1)[0].strip(_QUOTES)
            left, right = self._ending(text[: match.start()].rstrip(_QUOTES)), self._name(inside)
            of_term = f"term {term}"
            if left is None or right is None or of_term not in (left, right):
                continue
            other = right if left == of_term else left
            if other in self._classes.concepts:
                yield other, (match["bracket"] or match["comma"] or "").strip()

    def _name(self, text: str) -> str | None:
        if has_han(text):
            return self._names.chinese.name(fold(text))
        return self._names.english.name(words_of(text)) if text else None

    def _ending(self, text: str) -> str | None:
        """Return the name that the whole noun phrase at the end of a text is."""
        if not text:
            return None
        if has_han(text[-1]):
            ends = self._phrases.ending(fold(text), exact=True)
            return ends[0] if len(ends) == 1 else None
        sentence = EnglishSentence(text, self._names.english)
        name = sentence.name_before(len(sentence))
        return name[0] if name else None


def abbreviations(reading: Reading, classes: Classes) -> dict[str, Abbreviation]:
    """Return the abbreviations of labels that are no labels: short form -> abbreviation.

    Args:
        reading: the pages.
        classes: the classes of the ontologies.
    """
    forms = classes.labels.forms
    pages: defaultdict[int, list[str]] = defaultdict(list)
    for sentence in reading.sentences:
        if "(" in sentence.text or "（" in sentence.text or "简称" in sentence.text:
            pages[sentence.page].append(" ".join(sentence.text.split()))
    documents = [Document(str(page), "", "\n".join(texts), ()) for page, texts in pages.items()]
    found = (a for a in find_abbreviations(documents) if normal(a.short) not in forms)
    return {a.short: a for a in found if _label(a) in forms}


def _label(abbreviation: Abbreviation) -> str:
    long = abbreviation.long
    return normal(long if has_han(long) else dictionary_form(long))


def abbreviated_names(
    terms: Sequence[RankedTerm], found: Mapping[str, Abbreviation], classes: Classes
) -> dict[int, OtherName]:
    """Return the terms that are abbreviations of labels, with their classes."""
    forms = classes.labels.forms
    names = {}
    for number, term in enumerate(terms):
        if (one := found.get(term.text)) is not None:
            pages = {int(document) for document, _ in one.definitions}
            often = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
            names[number] = OtherName(classes.labels.iri(forms[_label(one)]), f"short for {one.long} in {often}", ())
    return names


def as_variants(found: Mapping[str, Abbreviation], quality: float) -> list[Variants]:
    """Return abbreviations as candidates."""
    return [Variants((short,), quality) for short in sorted(found)]
