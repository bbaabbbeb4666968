"""Classes and terms as topics of crawls, by their extents: the papers of the topic that have them.

The words of a class are those that its papers have more often than all papers of the topic
(`ontology.topic_words.class_words`), with its forms in front. Forms, papers and texts are read from the graph by query,
so what changes a class there, a decision or a new record, changes its words. A class with few papers has the words of
the topic at a tenth of their weights in their place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

from crawler.scoring.relevance import WordDensity
from crawler.text import Matcher, Vocabulary, Word
from kg import papers
from kg.records import WeightedTerm
from kg.weights import WordRow, words_of
from ontocrawl.errors import UsageError, nearest
from ontocrawl.topics.other_fields import Compared, compared
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic
from ontology import topic_words
from ontology.errors import Message
from ontology.model import Document
from ontology.terms.wordforms import has_han, normal
from ontology.topic_words import FULL, GIVEN, LABEL, TopicWord

LOCAL = "local"
"""The local ontologies of a topic, to take turns over."""
MOST = 8
"""Classes of a level that take turns."""
FEWEST = 10
"""Papers below which a class has no words of its own."""
SHOWN = 15
"""Words that are shown before a crawl begins."""
_OF_FIELD = 0.1
"""Part of their weights with which the words of the topic stand in for those of a class with few papers."""
_WIDE = 0.5
"""Share of the topic's papers above which a class is as wide as the topic, and the contrast to it says little."""
_NAMED = 3
"""How often a page of a class of few papers names it, by its threshold."""


@dataclass(frozen=True)
class ClassTopic:
    """A class, or a term that is none, as a topic.

    Attributes:
        name: its label, or the term.
        iri: its IRI in its ontology; empty for a term.
        forms: its forms as (language, form).
        extent: number of the topic's papers that have one of them.
        papers: number of the topic's papers.
        words: the words that steer, forms first.
        threshold: R above which a page is of the class: between general text and the extent, at least that of a page of
            1,000 words that names it once; with few papers that of one that names it three times.
        remark: what a person should know before crawling; empty for nothing.
    """

    name: str
    iri: str
    forms: tuple[tuple[str, str], ...]
    extent: int
    papers: int
    words: tuple[TopicWord, ...]
    threshold: float
    remark: str = ""

    def vocabulary(self, name: str, scale: float = 1.0) -> Vocabulary:
        """Return the words as a topic vector, with their weights times ``scale``."""
        return Vocabulary(name, tuple(Word(one.word, scale * one.weight, one.forms) for one in self.words))

    @property
    def shown(self) -> list[str]:
        """The first words that are no forms, as written."""
        own = [one for one in self.words if one.source not in (LABEL, GIVEN)]
        own.sort(key=lambda one: (-one.weight * one.prominence, -one.weight))  # a topic without a list has no shares
        return [(one.zh or one.en or (one.word,))[0] for one in own[:SHOWN]]

    def line(self) -> str:
        """Return what a person should see of it before a crawl."""
        words = f", words: {', '.join(self.shown)}" if self.shown else ""
        return f"{self.name}: {self.extent} of {self.papers} papers{words}{f'. {self.remark}' if self.remark else ''}"

    def as_json(self) -> dict[str, Any]:
        """Return the class as values of JSON, with its first words."""
        return {
            "name": self.name, "iri": self.iri, "extent": self.extent, "papers": self.papers,
            "words": self.shown, "threshold": round(self.threshold, 4), "remark": self.remark,
            "remark_message": self.remark.as_json() if isinstance(self.remark, Message) else {},
        }  # fmt: skip


def of_classes(
    topic: TopicGraph,
    terms: Mapping[str, Sequence[WeightedTerm]],
    names: Sequence[str],
    cover: str = "",
    given: Mapping[str, float] | None = None,
) -> list[ClassTopic]:
    """Make topics of classes and terms.

    Args:
        topic: the topic in its graph.
        terms: vector -> the weighted terms of its ontology, as of `TopicGraph.vectors`.
        names: labels, other forms or IRIs of classes, or terms of the papers; each once.
        cover: further classes: a number for those so many levels below the root, or `LOCAL` for the local ontologies
            of the topic, each by its cue words. Of these the `MOST` with the most papers count, and none with fewer
            than `FEWEST`; `topic.on_stage` gets those that are left out.
        given: words that a person gives with weights above 0 to 1: each class has them too, with max(v, h).

    Raises:
        UsageError: a name that is neither a class nor a term, a topic without an ontology, or nothing to cover.
    """
    if not topic.topic.levels:
        raise UsageError("topics.class_topic_ontology", topic=topic.topic.name)
    topic.load_papers()
    key = [topic.topic.levels[0].ontology.key]
    documents = [*papers.texts(topic.graph, key).values()]
    named = [_class_of(name, terms) or _Class(name, "", (_form(name),)) for name in names]
    found = [*{one.forms: one for one in named}.values()]
    if len(found) < len(named):
        twice = [one.name for one in found if named.count(one) > 1]
        topic.on_stage(Message("topics.class_twice", twice=", ".join(twice)))
    extents = _extents(found, documents)
    for one, extent in zip(found, extents, strict=True):
        if not (one.iri or extent):
            labels = [form for level in terms.values() for term in level for _, form in term.forms]
            raise UsageError(
                "topics.class_topic_none", topic=topic.topic.name, one=one.name, nearest=nearest(one.name, labels)
            )
    if cover:
        more = _covered(topic.topic, terms, cover)
        kept = _largest_extents(more, _extents(more, documents), {one.forms for one in found}, topic.on_stage)
        found, extents = found + [one for one, _ in kept], extents + [extent for _, extent in kept]
        if not found:
            raise UsageError("topics.class_topic_cover", topic=topic.topic.name, n_more=len(more), fewest=FEWEST)
    alike = Counter(one.name for one in found)
    found = [replace(one, name=f"{one.name} ({one.iri})") if alike[one.name] > 1 else one for one in found]
    file = topic.topic.file
    fields = compared(topic.topic.workspace, file.name, file.label, topic_words.texts_of(documents))
    scale = _OF_FIELD if topic.topic.words else _OF_FIELD * FULL  # without a list, 1 is the weight of a name
    of_topic = [_listed(row, scale * row.weight) for row in words_of(topic.graph, file.name)]
    return [
        _topic_of(one, extent, len(documents), fields, of_topic, given or {})
        for one, extent in zip(found, extents, strict=True)
    ]


@dataclass(frozen=True)
class _Class:
    name: str
    iri: str
    forms: tuple[tuple[str, str], ...]


def _class_of(name: str, terms: Mapping[str, Sequence[WeightedTerm]]) -> _Class | None:
    """Return the class of a name with the forms of all classes equivalent to it; None for no class."""
    folded = normal(name)
    tests: tuple[Callable[[WeightedTerm], bool], ...] = (
        lambda one: name == one.iri,
        lambda one: folded == normal(one.word),
        lambda one: folded in {normal(form) for _, form in one.forms},
    )  # a label goes before another name of another class
    for is_named, level in product(tests, terms.values()):
        for one in level:
            if is_named(one):
                same = [two for two in level if two.class_ == one.class_]
                return _Class(one.word, one.iri, tuple(dict.fromkeys(form for two in same for form in two.forms)))
    return None


def _form(name: str) -> tuple[str, str]:
    return "zh" if has_han(name) else "en", name


def _covered(topic: Topic, terms: Mapping[str, Sequence[WeightedTerm]], cover: str) -> list[_Class]:
    """Return the classes of a level below the root, or the local topics of a topic."""
    if cover == LOCAL:
        if not topic.file.local:
            raise UsageError("topics.class_topic_local", topic=topic.name)
        return [_Class(one.label.zh, "", tuple(map(_form, one.cues))) for one in topic.file.local]
    ontology = topic.levels[0].ontology
    level = {ontology.root}
    for _ in range(int(cover)):
        level = {one for one, above in ontology.parents.items() if level.intersection(above)}
    found = (_class_of(iri, terms) for iri in sorted(level))
    return [*{one.iri: one for one in found if one is not None}.values()]


def _largest_extents(
    classes: Sequence[_Class],
    extents: Sequence[list[Document]],
    known: Collection[tuple[tuple[str, str], ...]],
    on_stage: Callable[[str], None],
) -> list[tuple[_Class, list[Document]]]:
    """Return the classes that take turns, those with the most papers first, and say which are left out."""
    order = sorted(range(len(classes)), key=lambda i: (-len(extents[i]), classes[i].name))
    enough = [i for i in order if len(extents[i]) >= FEWEST and classes[i].forms not in known]
    if left := [classes[i].name for i in order if i not in enough[:MOST] and classes[i].forms not in known]:
        on_stage(
            Message(
                "topics.class_left_out",
                n_left=len(left),
                n_classes=len(classes),
                fewest=FEWEST,
                most=MOST,
                left=", ".join(left[:SHOWN]),
                part=" .." if len(left) > SHOWN else "",
            )
        )
    return [(classes[i], extents[i]) for i in enough[:MOST]]


def _extents(classes: Sequence[_Class], documents: Sequence[Document]) -> list[list[Document]]:
    """Return the papers that have a form of each class.

    The papers of narrower classes are not among them: a wrong is-a relation would add all of its papers.
    """
    vocabularies = [Vocabulary(str(i), (Word(one.name, 1.0, one.forms),)) for i, one in enumerate(classes)]
    texts = ["\n".join((d.title, d.abstract, d.title_en, d.abstract_en)) for d in documents]
    counts = Matcher(vocabularies).count_many(texts)
    return [[d for d, n in zip(documents, counts[v.name].sum(axis=1), strict=True) if n] for v in vocabularies]


def _listed(row: WordRow, weight: float) -> TopicWord:
    en = row.en if row.zh or row.en else (row.word,)
    p, _, o = row.shares
    return TopicWord(row.word, row.zh, en, weight, p or 0.0, topic_words.general_share(row.word), o)


def _topic_of(
    one: _Class,
    extent: Sequence[Document],
    of: int,
    fields: Sequence[Compared],
    of_topic: Iterable[TopicWord],
    given: Mapping[str, float],
) -> ClassTopic:
    own = {language: topic_words.count_words(texts) for language, texts in topic_words.texts_of(extent).items()}
    few = len(extent) < FEWEST
    if few:
        words = [*of_topic]
        remark: str = Message("topics.class_few_papers", n_extent=len(extent), fewest=FEWEST)
    else:
        of_extent = (
            topic_words.class_words(own[field.language], field.counts, field.others)
            for field in fields if field.language in own
        )  # fmt: skip
        words = [*topic_words.each_once(chain.from_iterable(of_extent)).values()]
        remark = _remark(one, len(extent), of, words)
    words = topic_words.with_words(words, {form: 1.0 for _, form in one.forms}, LABEL)
    words = topic_words.with_words(words, given, GIVEN)
    weight = _NAMED * FULL
    if not few:
        weight = max(topic_words.threshold_weight(words, own.values()), FULL)  # general text may have none of its words
    threshold = WordDensity().of(weight, topic_words.PAGE)
    return ClassTopic(one.name, one.iri, one.forms, len(extent), of, tuple(words), threshold, remark)


def _remark(one: _Class, extent: int, of: int, words: Collection[TopicWord]) -> str:
    if extent > _WIDE * of:
        return Message("topics.class_wide", extent=extent, of=of)
    if len(words) < SHOWN:
        return Message("topics.class_few_words", n_words=len(words))
    return ""


def steered(vectors: TopicVectors, classes: Sequence[ClassTopic]) -> TopicVectors:
    """Return topic vectors whose TK is that of classes.

    TK has the words of all classes with their largest weights. Several classes are crawled by turns, each by a vector
    of its own, TK_1 .. TK_k in the order of ``classes``, all on the scale on which one threshold holds.

    Args:
        vectors: the vectors of the topic.
        classes: one class or more.
    """
    threshold = math.exp(math.fsum(math.log(one.threshold) for one in classes) / len(classes))
    each = {f"TK_{i}": one.vocabulary(f"TK_{i}", threshold / one.threshold) for i, one in enumerate(classes, 1)}
    words: dict[tuple[tuple[str, str], ...], Word] = {}
    for vocabulary in each.values():
        for word in vocabulary.words:
            if word.forms not in words or words[word.forms].weight < word.weight:
                words[word.forms] = word
    all_words = sorted(words.values(), key=lambda word: -word.weight)
    vocabularies = {**vectors.vocabularies, "TK": Vocabulary("TK", tuple(all_words))}
    if len(classes) > 1:
        vocabularies |= each
    return replace(
        vectors, vocabularies=vocabularies, classes=tuple(one.as_json() for one in classes), threshold=threshold
    )
