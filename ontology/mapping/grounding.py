"""A foreign ontology as upper classes: which of its classes a corpus names, by which name, and what that maps.

A hierarchy is learned over the names of a corpus, so a class of an OWL, SKOS or OBO file is an upper class under the
name that the corpus has for it, most trusted first:

1. its label, Chinese or English ("equal labels")
2. the Chinese word for its English label in the lexicon ("lexicon")
3. the Chinese keyword that authors pair with it ("paired keywords")
4. a synonym, or the lexicon's word for one, that no other class has ("shared name"); the mapping is a close one

Only classes with a name in the documents, and those above them, are kept: a few of SWEET's thousands. A class that is
above a named one and has no name in the corpus is called by its own label. Terms with the name of a class as their head
are placed below it when the hierarchy is learned (ontology/evidence/heads.py), which is a broad mapping.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ontology.evidence.skeleton import Skeleton, SkeletonClass
from ontology.mapping.alignment import Rule, confidence
from ontology.mapping.mappings import BACKGROUND, BROAD, CLOSE, EXACT, LABEL, LEXICAL, SYNONYM, TermMapping
from ontology.model import Concept, Document, Ontology
from ontology.owl.vocabulary import SKOS
from ontology.reachable import reachable
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.lexicon import Lexicon
from ontology.terms.occurrences import text_en, text_zh
from ontology.terms.wordforms import dictionary_form, has_han, normal

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JUSTIFICATIONS: dict[Rule, str] = {"lexicon": BACKGROUND, "paired keywords": BACKGROUND}
_FIELDS: dict[Rule, str] = {"shared name": SYNONYM}


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a foreign class in the language of a corpus."""

    text: str
    rule: Rule
    source: str
    """The name in the ontology that it is, or that it translates."""
    preferred: bool = False
    """Whether it is a label, or the lexicon translates the label by this very word, and not by a synonym of it."""


@dataclass(frozen=True)
class Grounding:
    """The upper classes that a corpus needs of foreign ontologies.

    Attributes:
        classes: the upper classes, by the names that the corpus has for them.
        named: label of a class -> the foreign concepts that it is, each with the name that says so.
        source_of: IRI of a foreign concept -> the ontology that declares it. Concepts of one ontology with the same
            name are candidates of which one is right; those of several ontologies can all be right.
        total: number of classes in the files.
    """

    classes: Skeleton
    named: Mapping[str, tuple[tuple[Concept, _Name], ...]]
    source_of: Mapping[str, str]
    total: int

    def mappings(self, ontology: Ontology) -> tuple[TermMapping, ...]:
        """Return the mappings from a learned ontology to the foreign ones.

        Args:
            ontology: what was learned with `classes` as upper classes.

        Returns:
            Exact and close mappings of its classes, in their order, and broad ones of those that have the name of such
            a class as their head.
        """
        rows = [row for c in ontology.concepts for row in self._same(c)]
        by_iri = ontology.by_iri
        for relation in ontology.edges("subclass_of"):
            child, parent = by_iri[relation.source], by_iri[relation.target]
            if "head noun" in relation.evidence and not self._same(child):
                rows += self._broader(child, parent)
        return tuple(rows)

    def _same(self, concept: Concept) -> list[TermMapping]:
        found = self.named.get(concept.label, ())
        rows = []
        for other, name in found:
            justification, field = _JUSTIFICATIONS.get(name.rule, LEXICAL), _FIELDS.get(name.rule, LABEL)
            candidates = self._candidates(other, found)
            predicate = EXACT if candidates == 1 and name.rule != "shared name" else CLOSE
            row = TermMapping(
                concept.iri, concept.label, predicate, other.iri, other.label, justification,
                confidence(name.rule, candidates), _match_string(name), LABEL, field, name.rule,
            )  # fmt: skip
            rows.append(row)
        return rows

    def _candidates(self, concept: Concept, found: Sequence[tuple[Concept, _Name]]) -> int:
        return sum(self.source_of[other.iri] == self.source_of[concept.iri] for other, _ in found)

    def _broader(self, child: Concept, parent: Concept) -> Iterator[TermMapping]:
        found = self.named.get(parent.label, ())
        for other, name in found:
            yield TermMapping(
                child.iri, child.label, BROAD, other.iri, other.label, LEXICAL,
                confidence("head", self._candidates(other, found)),
                parent.label, LABEL, _FIELDS.get(name.rule, LABEL), "head",
            )  # fmt: skip


def _match_string(name: _Name) -> str:
    same = normal(name.text) == normal(name.source)
    return normal(name.text) if same else f"{normal(name.text)} = {normal(name.source)}"


def ground(
    ontologies: Sequence[Ontology],
    documents: Sequence[Document],
    lexicon: Lexicon,
    paired: Mapping[str, str],
) -> Grounding:
    """Choose the upper classes that documents need of foreign ontologies.

    Args:
        ontologies: the ontologies; classes with equal IRIs are one class.
        documents: the documents.
        lexicon: Chinese and English words for the same thing.
        paired: Chinese keyword -> the English keyword that authors pair with it.

    Returns:
        The classes with a name in the documents, and those above them.
    """
    concepts, above, source_of = _united(ontologies)
    translated = _translations(paired)
    names = {iri: tuple(_names(c, lexicon, translated)) for iri, c in concepts.items()}
    present = _present({name.text for of_class in names.values() for name in of_class}, documents)
    label_of = _labels(names, present)
    kept = {high for iri in label_of for high in reachable(iri, lambda i: above[i])}
    label = {iri: label_of[iri].text if iri in label_of else _own_label(concepts[iri]) for iri in sorted(kept)}
    groups: dict[str, list[str]] = {}
    for iri, text in label.items():
        groups.setdefault(text, []).append(iri)
    groups = {text: _translated_by_it(iris, label_of) for text, iris in groups.items()}
    classes = [
        _skeleton_class(text, iris, concepts, above, label, f"skeleton {source_of[iris[0]]}")
        for text, iris in groups.items()
    ]
    named = {
        text: tuple((concepts[i], label_of.get(i, _Name(text, "equal labels", text))) for i in iris)
        for text, iris in groups.items()
    }
    return Grounding(Skeleton(tuple(_without_cycles(classes))), named, source_of, len(concepts))


def _translated_by_it(iris: list[str], label_of: Mapping[str, _Name]) -> list[str]:
    """Return of several classes with one name those of which it is the preferred one, if there are any."""
    return [iri for iri in iris if iri in label_of and label_of[iri].preferred] or iris


def _united(ontologies: Sequence[Ontology]) -> tuple[dict[str, Concept], dict[str, set[str]], dict[str, str]]:
    """Return the classes of all ontologies, what is above each, and the name of the first ontology that declares it.

    Virtual roots, and classes of SKOS itself, which name no thing of a field, are left out.
    """
    concepts: dict[str, Concept] = {}
    above: defaultdict[str, set[str]] = defaultdict(set)
    source_of: dict[str, str] = {}
    for ontology in ontologies:
        for concept in ontology.concepts:
            known = concepts.get(concept.iri)
            if not _is_class(concept.iri):
                continue
            if known is None or (known.label_en is None and not known.label_zh):
                concepts[concept.iri] = concept
                source_of[concept.iri] = ontology.topic
            above[concept.iri].update(filter(_is_class, ontology.parents[concept.iri]))
    return concepts, dict(above), source_of


def _is_class(iri: str) -> bool:
    return not iri.endswith("#virtual-root") and not iri.startswith(SKOS.iri)


def _translations(paired: Mapping[str, str]) -> dict[str, str]:
    """Return English keyword -> Chinese keyword, for those that only one Chinese keyword is paired with."""
    times = Counter(normal(en) for en in paired.values())
    return {normal(en): zh for zh, en in paired.items() if times[normal(en)] == 1 and has_han(zh)}


def _names(concept: Concept, lexicon: Lexicon, paired: Mapping[str, str]) -> Iterator[_Name]:
    """Yield the names of a class, the most trusted first."""
    english = _english(concept)
    if concept.label_zh:
        yield _Name(concept.label_zh, "equal labels", concept.label_zh, preferred=True)
    if english:
        chinese = lexicon.chinese(english)
        if chinese:
            best = lexicon.english(chinese) or ""
            yield _Name(chinese, "lexicon", english, preferred=normal(best) == normal(english))
        elif normal(english) in paired:
            yield _Name(paired[normal(english)], "paired keywords", english)
        yield _Name(english, "equal labels", english)
    for synonym in (*concept.alt_zh, *(dictionary_form(s) for s in concept.alt_en)):
        word = synonym if has_han(synonym) else lexicon.chinese(synonym)
        yield from (_Name(text, "shared name", synonym) for text in dict.fromkeys((word, synonym)) if text)


def _own_label(concept: Concept) -> str:
    return concept.label_zh or _english(concept)


def _english(concept: Concept) -> str:
    """Return the English label in dictionary form; without any label, the words of the end of the IRI."""
    if concept.label_zh and not concept.label_en:
        return ""
    return dictionary_form(concept.label_en or _CAPITAL.sub(" ", concept.label).replace("_", " "))


def _present(names: Iterable[str], documents: Sequence[Document]) -> set[str]:
    """Return the names that occur in the documents."""
    ordered = sorted(name for name in names if normal(name))
    matcher = FormMatcher([with_inflections((name, n, not has_han(name)) for n, name in enumerate(ordered))])
    found: set[int] = set()
    for document in documents:
        keywords = " , ".join((*document.keywords, *document.keywords_en))
        for text in (text_zh(document), text_en(document), keywords):
            found.update(number for _, _, number in matcher.spans(normal(text))[0])
    return {ordered[number] for number in found}


def _labels(names: Mapping[str, Sequence[_Name]], present: set[str]) -> dict[str, _Name]:
    """Return the name in the documents of each class that has one; a synonym only if no other class has it."""
    owners = Counter(text for of_class in names.values() for text in {name.text for name in of_class})
    chosen: dict[str, _Name] = {}
    for iri, of_class in names.items():
        for name in of_class:
            alone = name.rule != "shared name" or owners[name.text] == 1
            if name.text in present and alone:
                chosen[iri] = name
                break
    return chosen


def _skeleton_class(
    label: str,
    iris: Sequence[str],
    concepts: Mapping[str, Concept],
    above: Mapping[str, set[str]],
    label_of: Mapping[str, str],
    source: str,
) -> SkeletonClass:
    parents = dict.fromkeys(label_of[p] for iri in iris for p in sorted(above[iri]) if label_of.get(p, label) != label)
    english = next((e for iri in iris if (e := _english(concepts[iri]))), None)
    return SkeletonClass(label, english, tuple(parents), accepts=frozenset("*"), source=source)


def _without_cycles(classes: Sequence[SkeletonClass]) -> Iterator[SkeletonClass]:
    """Yield the classes without the edges that would close a cycle, as classes of one name can make one."""
    above: dict[str, tuple[str, ...]] = {}
    for one in classes:
        parents = [p for p in one.parents if one.label not in reachable(p, lambda label: above.get(label, ()))]
        above[one.label] = tuple(parents)
        yield replace(one, parents=tuple(parents))
