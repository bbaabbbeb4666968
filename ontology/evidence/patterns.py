"""Lexico-syntactic patterns: sentences, Chinese and English, that state what is a kind of what, or the same.

Source: Hearst 1992. The patterns of each language are in patterns_zh.py and patterns_en.py; this module reads the
documents and makes claims of the statements. The narrower one is a name of the corpus, whether it is a term or not. The
broader one may be a noun that is no name (*an organ*); from_claims.py makes a class of it if several names are below
it. Text that occurrences.py takes for English is read by the English patterns, the main fields of a record without Han
characters included.

A statement that is no definition is dropped if as many documents list both names side by side (coordination.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ontology.evidence import patterns_en, patterns_zh
from ontology.evidence.claims import Claim, merged
from ontology.evidence.coordination import coordinated
from ontology.evidence.english_sentence import EnglishNames
from ontology.evidence.patterns_zh import ChineseNames
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.statement import DEFINITION, Statement
from ontology.model import Document
from ontology.terms.lexicon import Lexicon
from ontology.terms.occurrences import surface_forms, text_en, text_zh
from ontology.terms.sentences import clauses


def find(documents: Sequence[Document], names: Iterable[str], lexicon: Lexicon) -> tuple[Claim, ...]:
    """Find the sentences that state that a name is a kind of another, or the same.

    Args:
        documents: the documents; titles and abstracts are read.
        names: the names of the corpus, terms and labels of curated classes included.
        lexicon: further surface forms of the names, English ones included.

    Returns:
        One claim for each pair and rule.
    """
    known = frozenset(names)
    zh, en = surface_forms(known, lexicon)
    chinese = ChineseNames({form: name for form, name in zh.items() if name in known})
    english = EnglishNames({form: name for form, name in en.items() if name in known})
    claims = [
        _claim(statement, document, sentence)
        for document in documents
        for sentence, statement in _statements(document, chinese, english)
        if statement.narrower != statement.broader
    ]
    return tuple(_uncontradicted(merged(claims), documents))


def _uncontradicted(claims: Sequence[Claim], documents: Sequence[Document]) -> Iterator[Claim]:
    """Yield the claims but those of lists about two names that as many documents list side by side."""
    weak = [c for c in claims if c.rule == "pattern" and not c.evidence.endswith(DEFINITION)]
    side_by_side = coordinated(documents, [name for c in weak for name in (c.narrower, c.broader)])
    refused = {c for c in weak if side_by_side.get(frozenset((c.narrower, c.broader)), 0) >= c.support}
    return (c for c in claims if c not in refused)


def _statements(document: Document, chinese: ChineseNames, english: EnglishNames) -> Iterator[tuple[str, Statement]]:
    """Yield (sentence, statement) of a document."""
    for sentence in clauses(text_zh(document)):
        if patterns_zh.TRIGGER.search(sentence):
            yield from ((sentence, statement) for statement in patterns_zh.statements(sentence, chinese))
    for line in text_en(document).split("\n") if english else ():
        for position, sentence in enumerate(clauses(line)):
            if patterns_en.TRIGGER.search(sentence):
                found = patterns_en.statements(sentence, english, first=position == 0)
                yield from ((sentence, statement) for statement in found)


def _claim(statement: Statement, document: Document, sentence: str) -> Claim:
    prefix = "" if statement.rule == "synonym" else "pattern "
    evidence = f"{prefix}{statement.pattern}"
    return Claim(statement.narrower, statement.broader, statement.rule, evidence, (document.id,), 1, 1.0, sentence)


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
    return find(corpus.documents, (*corpus.labels, *corpus.names), corpus.lexicon)


PATTERNS = EvidenceSource("patterns of sentences", _of_corpus)
