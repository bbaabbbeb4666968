"""Sentences that state something of terms and classes: read once for the parents of terms, and for other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ontology.enrichment.classes import Classes
from ontology.enrichment.ranking import Located, RankedTerm
from ontology.enrichment.reading import Reading
from ontology.evidence import patterns_en, patterns_zh
from ontology.evidence.english_sentence import EnglishNames
from ontology.evidence.patterns_zh import ChineseNames
from ontology.evidence.statement import Statement
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import fold, has_han

_TERM = "term "
"""Before the number of a term, in the place of the IRI of a class."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a sentence states of a term and a class.

    Attributes:
        sentence: number of the sentence.
        iri: the class; below: whether the term is the narrower one.
        pattern: form of the sentence; rule: "pattern" or "synonym".
    """

    sentence: int
    iri: str
    below: bool
    pattern: str
    rule: str


class Names:
    """The names of terms and classes, for readers of sentences."""

    def __init__(self, terms: Sequence[RankedTerm], classes: Classes) -> None:
        chinese, english = dict(classes.names["zh"]), dict(classes.names["en"])
        for number, term in enumerate(terms):
            for form in term.variants.forms:
                (chinese if has_han(form) else english).setdefault(form, f"{_TERM}{number}")
        self.chinese, self.english = ChineseNames(chinese), EnglishNames(english)


def stated(
    terms: Sequence[RankedTerm], located: Located, reading: Reading, classes: Classes
) -> Mapping[int, tuple[Stated, ...]]:
    """Read the sentences that have a term and a class by the patterns of `ontology.evidence`.

    Returns:
        Number of a term -> what is stated of it.
    """
    names = Names(terms, classes)
    numbers = {p.sentence for term in terms for p in term.places if p.in_context and p.sentence in located.concepts}
    found: dict[int, list[Stated]] = {}
    for number in sorted(numbers):
        for statement in _statements(reading, number, names):
            for one, other, below in (
                (statement.narrower, statement.broader, True),
                (statement.broader, statement.narrower, False),
            ):
                if one.startswith(_TERM) and other in classes.concepts:
                    said = Stated(number, other, below, statement.pattern, statement.rule)
                    found.setdefault(int(one.removeprefix(_TERM)), []).append(said)
    return {term: tuple(said) for term, said in found.items()}


def _statements(reading: Reading, number: int, names: Names) -> Iterator[Statement]:
    sentence = reading.sentences[number]
    if has_han(sentence.text):
        for clause in clauses(sentence.text):
            if patterns_zh.TRIGGER.search(clause):
                yield from patterns_zh.statements(fold(clause), names.chinese)
        return
    for position, clause in enumerate(clauses(sentence.text)):
        if patterns_en.TRIGGER.search(clause):
            yield from patterns_en.statements(clause, names.english, first=sentence.first and position == 0)
