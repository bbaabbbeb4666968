"""Relations beside is-a, stated in one sentence by a cue word: causes, part of, measured by.

The cues of each language are in relation_cues_zh.py and relation_cues_en.py. What may cause something (可能导致) counts
as what does; what does not (未导致, *does not cause*) and what is only asked (是否导致, *whether it causes*) do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ontology.evidence.english_sentence import EnglishNames
from ontology.evidence.patterns_zh import ChineseNames
from ontology.evidence.relation_cues_en import EnglishCues
from ontology.evidence.relation_cues_zh import ChineseCues, Stated
from ontology.model import Concept, Document, Relation, RelationKind
from ontology.terms.occurrences import text_en, text_zh
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import fold


def find_relations(documents: Iterable[Document], concepts: Sequence[Concept]) -> tuple[Relation, ...]:
    """Find the relations between classes that sentences state.

    Args:
        documents: the documents; titles and abstracts are read.
        concepts: the classes; all their labels are looked for.

    Returns:
        One relation for each kind and pair of different classes, in the order of the first statements, with all
        documents that state it; the evidence is the cue word of the first.
    """
    forms: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
    for concept in concepts:
        for language, form in concept.forms():
            forms[language].setdefault(form, concept.iri)
    chinese, english = ChineseCues(ChineseNames(forms["zh"])), EnglishCues(EnglishNames(forms["en"]))
    claims: dict[tuple[RelationKind, str, str], Relation] = {}
    for document in documents:
        for sentence, stated in _statements(document, chinese, english):
            for source in stated.sources:
                for target in stated.targets:
                    if source != target:
                        first = claims.get((stated.kind, source, target))
                        by = tuple(dict.fromkeys((*(first.documents if first else ()), document.id)))
                        why, said = (first.evidence, first.sentence) if first else (f"cue {stated.cue}", sentence)
                        claims[stated.kind, source, target] = Relation(
                            source, stated.kind, target, len(by), evidence=why, documents=by, sentence=said
                        )
    return tuple(claims.values())


def _statements(document: Document, chinese: ChineseCues, english: EnglishCues) -> Iterator[tuple[str, Stated]]:
    """Yield (sentence, relations that it states) of a document."""
    for sentence in clauses(text_zh(document)):
        yield from ((sentence, stated) for stated in chinese.read(fold(sentence)))
    for sentence in clauses(text_en(document)):
        yield from ((sentence, stated) for stated in english.read(sentence))
