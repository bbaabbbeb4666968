"""Find mappings between the concepts of two ontologies by their names.

Names are compared folded, English ones in the singular. The rules, most trusted first:

* equal labels: the Chinese labels are equal; or the English ones, if one of the two concepts has no Chinese label. Two
  different Chinese labels with one English gloss are no match.
* lexicon: a row of the lexicon has the Chinese label of one and the English label of the other, which has no Chinese
  one.
* label and synonym: the label of one is a synonym of the other, and a second name of the two is equal, both in the same
  language, under the same condition. One name is not enough: synonyms are often those of a narrower or a related thing.
* shared name: any of these where several concepts fit, or where one of the two is mapped exactly to another; also two
  equal synonyms. The two are close, not one.
* head: the longest end of a label that is a name in the other ontology is broader (山洪灾害预警 < 预警), for concepts
  without an exact mapping; under the same condition. Where a name may be cut is for `ontology.evidence.heads` to say.

The first three make exact mappings, and beside equal labels only where no other concept fits on either side. Of
concepts with equal labels the first is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Literal, get_args

from ontology.evidence.compounds import Compounds
from ontology.evidence.heads import Heads
from ontology.mapping.mappings import BACKGROUND, BROAD, CLOSE, EXACT, LABEL, LEXICAL, SYNONYM, TermMapping
from ontology.model import Concept
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.wordforms import has_han, normal, singular

# ---- the rules of the alignment, and the confidence of a mapping by each
#
# The confidence of a row is an estimate of the probability that the row is right:
#
#     confidence = (right + 1) / (judged + 2) / candidates
#
# ``right`` of ``judged`` rows by the same rule were right in the judged sample (docs/judged-mappings.tsv; Laplace's
# rule of succession keeps small samples from 0 and 1), and ``candidates`` is the number of concepts that fit equally
# well.


Rule = Literal["equal labels", "lexicon", "paired keywords", "label and synonym", "shared name", "head"]
RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of trust: the first four make exact mappings, "shared name" close ones, "head" broad ones."""


@lru_cache(maxsize=1)
def judged() -> dict[str, tuple[int, int]]:
    """Return rule -> (right, judged) of the judged sample."""
    text = (resources.files("ontology") / "data" / "mapping_rules.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {rule: (int(right), int(total)) for rule, total, right in rows}


def confidence(rule: Rule, candidates: int = 1) -> float:
    """Return the confidence of a mapping.

    Args:
        rule: the rule that found it.
        candidates: number of concepts that fit equally well, 1 or more.

    Returns:
        The estimated probability that the mapping is right, in (0, 1), to three digits.
    """
    right, total = judged().get(rule, (0, 0))
    return round((right + 1) / (total + 2) / candidates, 3)


# ---- find mappings between the concepts of two ontologies by their names


_Key = tuple[str, str]
"""Language and folded name."""


@dataclass(frozen=True, slots=True)
class _Names:
    """The folded names of a concept."""

    concept: Concept
    labels: tuple[_Key, ...]
    synonyms: tuple[_Key, ...]
    has_chinese: bool
    """Whether the concept has a Chinese label, in this ontology or in another."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two concepts, by position, that share a name; the fields are where each has it."""

    subject: int
    object: int
    name: str
    subject_field: str
    object_field: str


def align(
    subjects: Sequence[Concept], objects: Sequence[Concept], lexicon: Lexicon = EMPTY, *, heads: bool = True
) -> tuple[TermMapping, ...]:
    """Map concepts of one ontology to concepts of another by their names.

    Args:
        subjects: the concepts to map.
        objects: the concepts of the other ontology. Concepts with equal IRIs are one concept and need no mapping; the
            same IRI may occur several times with the names of several ontologies.
        lexicon: Chinese and English words for the same thing.
        heads: whether to look for broader concepts by the heads of names.

    Returns:
        The mappings, by rule in the order of trust, then in the order of the subjects.

    >>> flood = Concept("a#Flood", "洪涝", "flood", alt_zh=("水灾", "洪灾"))
    >>> warning = Concept("a#Warning", "预警", "warning")
    >>> ours = [Concept("b#1", "水灾", alt_zh=("洪灾",)), Concept("b#2", "山洪灾害预警")]
    >>> for m in align(ours, [flood, warning]):
    ...     print(m.subject_label, m.predicate, m.object_label, m.match_string, m.comment)
    水灾 skos:exactMatch 洪涝 水灾 label and synonym
    山洪灾害预警 skos:broadMatch 预警 预警 head
    """
    search = _Search(_all_names(subjects), _all_names(objects))
    search.exact("equal labels", LEXICAL, search.shared("labels", "labels"))
    if lexicon.entries:
        search.exact("lexicon", BACKGROUND, search.translated(lexicon))
    by_synonym = [*search.shared("labels", "synonyms"), *search.shared("synonyms", "labels")]
    search.exact("label and synonym", LEXICAL, by_synonym)
    search.close(LEXICAL, search.shared("synonyms", "synonyms"))
    found = search.in_order()
    if not heads:
        return found
    mapped = {m.subject for m in found if m.predicate == EXACT}
    return (*found, *_broader([n for n in search.subjects if n.concept.iri not in mapped], search.objects))


@dataclass
class _Search:
    """The concepts of both sides, and the mappings found so far."""

    subjects: list[_Names]
    objects: list[_Names]
    rows: list[tuple[Rule, int, TermMapping]] = field(default_factory=list)
    _matched: set[str] = field(default_factory=set)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def shared(self, subject_names: str, object_names: str) -> list[_Pair]:
        """Return the pairs that share a name of these kinds, "labels" or "synonyms", Chinese names first."""
        index = _index(self.objects, object_names)
        fields = {"labels": LABEL, "synonyms": SYNONYM}
        pairs = [
            (language != "zh", _Pair(i, j, name, fields[subject_names], fields[object_names]))
            for i, names in enumerate(self.subjects)
            for language, name in getattr(names, subject_names)
            for j in index.get((language, name), ())
            if self._may_match(i, j, language)
        ]
        return [pair for _, pair in sorted(pairs, key=lambda p: p[0])]

    def translated(self, lexicon: Lexicon) -> list[_Pair]:
        """Return the pairs with a Chinese and an English label that are in one row of the lexicon."""
        index = _index(self.objects, "labels")
        pairs = [
            _Pair(i, j, f"{name} = {other[1]}", LABEL, LABEL)
            for i, names in enumerate(self.subjects)
            for language, name in names.labels
            for other in _translations(language, name, lexicon)
            for j in index.get(other, ())
        ]
        return [p for p in pairs if self.subjects[p.subject].has_chinese != self.objects[p.object].has_chinese]

    def _may_match(self, i: int, j: int, language: str) -> bool:
        subject, target = self.subjects[i], self.objects[j]
        if subject.concept.iri == target.concept.iri:
            return False
        return language == "zh" or not (subject.has_chinese and target.has_chinese)

    def exact(self, rule: Rule, justification: str, pairs: Sequence[_Pair]) -> None:
        """Add the pairs as exact mappings where no other concept fits, else as close ones."""
        fitting: defaultdict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            subject, target = self._iris(pair)
            fitting[subject].add(target)
            fitting[target].add(subject)
        later = []
        for pair in pairs:
            subject, target = self._iris(pair)
            candidates = max(len(fitting[subject]), len(fitting[target]))
            alone = rule == "equal labels" or (candidates == 1 and (rule == "lexicon" or self._shared_names(pair) > 1))
            if alone and not self._matched & {subject, target}:
                self._add(EXACT, rule, justification, pair, candidates)
            else:
                later.append((pair, candidates))
        for pair, candidates in later:
            self._add(CLOSE, "shared name", justification, pair, candidates)

    def close(self, justification: str, pairs: Sequence[_Pair]) -> None:
        """Add the pairs as close mappings."""
        fitting: defaultdict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            fitting[self._iris(pair)[0]].add(self._iris(pair)[1])
        for pair in pairs:
            self._add(CLOSE, "shared name", justification, pair, len(fitting[self._iris(pair)[0]]))

    def _iris(self, pair: _Pair) -> tuple[str, str]:
        return self.subjects[pair.subject].concept.iri, self.objects[pair.object].concept.iri

    def _shared_names(self, pair: _Pair) -> int:
        """Return the number of names that both have, in the language of the pair's name."""
        language = "zh" if has_han(pair.name) else "en"
        sides = (self.subjects[pair.subject], self.objects[pair.object])
        one, other = ({name for spoken, name in (*s.labels, *s.synonyms) if spoken == language} for s in sides)
        return len(one & other)

    def _add(self, predicate: str, rule: Rule, justification: str, pair: _Pair, candidates: int) -> None:
        if self._iris(pair) in self._seen:
            return
        self._seen.add(self._iris(pair))
        if predicate == EXACT:
            self._matched.update(self._iris(pair))
        subject, target = self.subjects[pair.subject].concept, self.objects[pair.object].concept
        row = TermMapping(
            subject.iri, subject.label, predicate, target.iri, target.label, justification,
            confidence(rule, candidates), pair.name.replace("|", r"\|"), pair.subject_field, pair.object_field, rule,
        )  # fmt: skip
        self.rows.append((rule, pair.subject, row))

    def in_order(self) -> tuple[TermMapping, ...]:
        """Return the exact mappings as they were found, then the close ones in the order of the subjects."""
        exact = [row for rule, _, row in self.rows if rule != "shared name"]
        shared = sorted((at, n) for n, (rule, at, _) in enumerate(self.rows) if rule == "shared name")
        return (*exact, *(self.rows[n][2] for _, n in shared))


def _broader(subjects: Sequence[_Names], objects: Sequence[_Names]) -> Iterator[TermMapping]:
    """Yield a broad mapping for each concept whose label has the name of another concept as its head."""
    named: dict[str, tuple[str, list[int]]] = {}
    for kind, where in (("labels", LABEL), ("synonyms", SYNONYM)):
        for (_, name), positions in _index(objects, kind).items():
            named.setdefault(name, (where, positions))
    labels = {name: 1 for names in subjects for _, name in names.labels}
    heads = Heads(Compounds(labels), classes=named)
    for names in subjects:
        head = next((h for _, name in names.labels if (h := heads.head_of(name, known=True)) in named), None)
        if head is None:
            continue
        where, positions = named[head]
        for j in positions:
            subject, target = names.concept, objects[j].concept
            in_english = not has_han(head) and names.has_chinese and objects[j].has_chinese
            if subject.iri != target.iri and not in_english:
                yield TermMapping(
                    subject.iri, subject.label, BROAD, target.iri, target.label, LEXICAL,
                    confidence("head", len(positions)), head, LABEL, where, "head",
                )  # fmt: skip


def _index(names: Sequence[_Names], kind: str) -> dict[_Key, list[int]]:
    """Return (language, name) -> positions of the concepts that have it as a label or as a synonym."""
    index: defaultdict[_Key, list[int]] = defaultdict(list)
    for position, of_concept in enumerate(names):
        for key in getattr(of_concept, kind):
            index[key].append(position)
    return dict(index)


def _translations(language: str, name: str, lexicon: Lexicon) -> Iterator[_Key]:
    """Yield the words of the other language in the lexicon's row of a name."""
    entry = lexicon.by_zh.get(name) if language == "zh" else lexicon.by_en.get(name)
    if entry is not None:
        words = (entry.en, *entry.synonyms_en) if language == "zh" else (entry.zh, *entry.synonyms_zh)
        other = "en" if language == "zh" else "zh"
        yield from dict.fromkeys((other, _folded(word, other)) for word in words if word)


def _all_names(concepts: Sequence[Concept]) -> list[_Names]:
    chinese = {c.iri for c in concepts if c.label_zh.strip()}
    return [_names(concept, concept.iri in chinese) for concept in concepts]


def _names(concept: Concept, has_chinese: bool) -> _Names:
    label_en = concept.label_en or ("" if concept.label_zh else concept.label)
    labels = _keys({"zh": (concept.label_zh,), "en": (label_en,)})
    synonyms = _keys({"zh": concept.alt_zh, "en": concept.alt_en})
    return _Names(concept, tuple(labels), tuple(key for key in synonyms if key not in labels), has_chinese)


def _keys(forms: Mapping[str, Sequence[str]]) -> dict[_Key, None]:
    return {(language, key): None for language, some in forms.items() for f in some if (key := _folded(f, language))}


def _folded(name: str, language: str) -> str:
    """Return the form of a name in which names are compared: folded, an English one in the singular.

    >>> _folded("Flash-Floods", "en"), _folded("ＷＲＦ模式", "zh")
    ('flash flood', 'wrf模式')
    """
    text = normal(name)
    return singular(text) if language == "en" else text
