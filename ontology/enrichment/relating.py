"""Relations between classes that sentences of pages state by cue words: causes, part of, measured by.

The readers are those of learning (ontology/evidence/relation_cues_zh.py, relation_cues_en.py), which know negations and
read both directions. Left out is what the ontologies have, of the two classes or of superclasses of theirs, and a
relation of a class to a kind of itself. The score is comparable with that of terms; G2 is that of both classes in one
sentence:

    score = log2(1 + pages) * quality * (1 + ln(1 + G2))
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ontology.enrichment.classes import Classes
from ontology.enrichment.progress import OnProgress, ignored
from ontology.enrichment.ranking import Located
from ontology.enrichment.reading import Reading
from ontology.enrichment.stating import Names
from ontology.evidence.relation_cues_en import EnglishCues
from ontology.evidence.relation_cues_zh import ChineseCues, Stated
from ontology.terms.form_matcher import Span
from ontology.terms.keyness import association
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import fold, has_han


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation that sentences state.

    Attributes:
        source: IRI of the cause, the part, or what is measured.
        kind: the relation.
        target: IRI of the other end.
        cues: the cue words, the most common first.
        places: (number of a sentence, start, end): from the first name to the last, in its folded form.
        pages: number of pages.
        score: as above.
    """

    source: str
    kind: str
    target: str
    cues: tuple[str, ...]
    places: tuple[tuple[int, int, int], ...]
    pages: int
    score: float


def relations(
    located: Located, reading: Reading, classes: Classes, quality: float, on_progress: OnProgress = ignored
) -> list[StatedRelation]:
    """Find the relations that sentences state and the ontologies lack, best first.

    Args:
        located: the concepts in the sentences.
        reading: the pages.
        classes: the classes of the ontologies.
        quality: factor of the score: the median quality of the candidate terms.
        on_progress: called with the number of sentences read.
    """
    names = Names((), classes)
    readers = ChineseCues(names.chinese), EnglishCues(names.english)
    places: defaultdict[tuple[str, str, str], list[tuple[int, int, int]]] = defaultdict(list)
    cues: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    several = [n for n, spans in located.concepts.items() if len({c for _, _, c in spans}) > 1]
    for done, number in enumerate(several, start=1):
        for relation, cue in _new(reading.sentences[number].text, readers, classes):
            place = _place(located.concepts[number], relation[0], relation[2], classes)
            if place is not None and (number, *place) not in places[relation]:
                places[relation].append((number, *place))
                cues[relation][cue] += 1
        if done % 500 == 0 or done == len(several):
            on_progress("relations", done, len(several))
    counted = _Counts(located, classes)
    found = [
        _relation(relation, at, cues[relation], reading, counted, quality) for relation, at in places.items() if at
    ]
    return sorted(found, key=lambda r: (-r.score, r.source, r.kind, r.target))


def _new(
    text: str, readers: tuple[ChineseCues, EnglishCues], classes: Classes
) -> Iterator[tuple[tuple[str, str, str], str]]:
    """Yield the relations of a sentence that the ontologies lack, with their cue words."""
    chinese, english = readers
    for clause in clauses(" ".join(text.split())):
        said: Iterator[Stated] = chinese.read(fold(clause)) if has_han(clause) else english.read(clause)
        for one in said:
            for source in one.sources:
                for target in one.targets:
                    known = classes.are_kinds(source, target) or classes.has_relation(source, one.kind, target)
                    if not known:
                        yield (source, one.kind, target), one.cue


def _place(spans: tuple[Span, ...], source: str, target: str, classes: Classes) -> tuple[int, int] | None:
    """Return where two classes stand nearest to each other, from the first name to the last."""
    ends = [
        [(start, end) for start, end, concept in spans if classes.labels.iri(concept) == iri]
        for iri in (source, target)
    ]
    pairs = [(min(a[0], b[0]), max(a[1], b[1])) for a in ends[0] for b in ends[1]]
    return min(pairs, key=lambda pair: (pair[1] - pair[0], pair), default=None)


class _Counts:
    """Sentences that name a class, and that name two."""

    def __init__(self, located: Located, classes: Classes) -> None:
        self.total = located.total
        self.one: Counter[str] = Counter()
        self.both: Counter[tuple[str, str]] = Counter()
        for spans in located.concepts.values():
            named = sorted({classes.labels.iri(concept) for _, _, concept in spans})
            self.one.update(named)
            self.both.update(combinations(named, 2))


def _relation(
    relation: tuple[str, str, str],
    places: list[tuple[int, int, int]],
    cues: Counter[str],
    reading: Reading,
    counted: _Counts,
    quality: float,
) -> StatedRelation:
    source, kind, target = relation
    pages = len({reading.sentences[number].page for number, _, _ in places})
    low, high = sorted((source, target))
    both = counted.both[low, high]
    g2 = association(both, counted.one[source], counted.one[target], counted.total)
    score = math.log2(1 + pages) * quality * (1 + math.log1p(max(g2, 0.0)))
    return StatedRelation(
        source, kind, target, tuple(cue for cue, _ in cues.most_common()), tuple(places), pages, score
    )
