"""What steers the crawls of a lab besides the topic's own words: the tables [ontologies], and the axis `ontology`.

A value of the axis is a name, which settings may follow: ``learned?join=0.5&weights=key``. On the webs of a folder of
fields it names the words of the field that steer: learned from its abstracts, typed by hand, or others.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qsl

from pydantic import Field, model_validator

from ontocrawl.base.config import checked
from ontocrawl.base.options import CrawlSettings, Section
from ontocrawl.errors import UsageError, nearest
from ontology import corpus, topic_words
from ontology.terms.lexicon import word_list
from ontology.terms.wordforms import has_han

CURATED, NONE = "curated", "none"
"""Ontologies that every lab knows: those of the topic, and none."""
_OF_AN_ONTOLOGY = ("join", "weights")
"""Crawl settings that may follow the name of an ontology."""


_BAG = 20
"""Words of a TF-IDF bag."""


class FieldWords(StrEnum):
    """The words of a field that can steer its crawls."""

    LEARNED = "learned"
    """Those of ``ontology build`` from its abstracts."""
    NAME = "name"
    TF_IDF = "tf_idf"
    HAND = "hand"


class LabField(Section):
    """A field in the ``fields.json`` of a folder: its name, its abstracts, and the web on which it is crawled."""

    label: str | dict[str, str]
    """Its name, or its names by language, ``zh`` and ``en``."""
    abstracts: str = ""
    """Literature export; empty for NAME.jsonl.xz or NAME.jsonl beside the file."""
    where: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Column -> values: only records with one of them are of the field. Empty for all records."""
    records: int = 0
    """Number of its records, for readers of the file."""
    web: str = ""
    """Folder of a corpus, or a world as for ``crawl run --world``; empty for the ``web`` of the file."""
    labels: str = ""
    """FILE#SET, or a SET of labels.json beside the file; empty for the labels of a synthetic web."""
    starts: tuple[str | tuple[str, ...], ...] = ()
    """As in a table [[worlds]]."""
    hand: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(min_length=1)
    """Words that a person typed before any crawl, the best first, with their weights."""

    @property
    def labels_by_language(self) -> dict[str, str]:
        """Its names by language, as for ``ontology build --label``."""
        if isinstance(self.label, str):
            return {"zh" if has_han(self.label) else "en": self.label}
        return self.label

    def first_by_hand(self, n: int) -> dict[str, float]:
        """Return the first words by hand."""
        return dict(islice(self.hand.items(), n))

    def words(self, kind: FieldWords, abstracts: Path) -> Mapping[str, float]:
        """Return the words of a kind that is not learned, with weights above 0 to 1; ``abstracts`` are its records."""
        match kind:
            case FieldWords.HAND:
                return self.hand
            case FieldWords.TF_IDF:
                return _tf_idf(abstracts)
            case _:
                return topic_words.label_words([*self.labels_by_language.values()])


def _tf_idf(abstracts: Path) -> dict[str, float]:
    """Return the words with the largest TF-IDF in a corpus: occurrences times ln(N / texts with the word).

    Function words are left out. The largest weight is 1.
    """
    found: dict[str, float] = {}
    no_words = word_list("stop_zh") | word_list("stop_en")
    for texts in topic_words.texts_of(corpus.read(str(abstracts)).documents).values():
        counts = topic_words.count_words(texts)
        for word, n in counts.counts.items():
            written = max(counts.written[word].items(), key=lambda item: (item[1], item[0]))[0]
            if not {word, written} & no_words:
                found[written] = n * math.log(counts.texts / counts.containing[word])
    best = sorted(found, key=lambda word: (-found[word], word))[:_BAG]
    return {word: found[word] / found[best[0]] for word in best if found[word] > 0}


class LabOntology(Section):
    """A table [ontologies.NAME]: what steers in place of the ontologies of a world's topic."""

    topic: str | None = None
    """Topic whose ontologies are taken."""
    abstracts: str | None = None
    """Literature export from which they are learned, as by ``ontology build``."""
    file: str | None = None
    """Ontology in any format that ``ontology convert`` reads, taken as the global one."""
    words: FieldWords | None = None
    """Words of a world's field that steer, without an ontology."""
    added: int = Field(default=0, ge=0)
    """How many of the field's words by hand are given to ``ontology build``, with ``words = "learned"``."""
    classes: tuple[str, ...] = ()
    """Classes that are crawled for, by turns if there are several, in place of the whole topic."""
    guide: str | None = None
    """Guide of the crawls by it, in place of that of the axis ``guide``, such as the default for its words."""

    @model_validator(mode="after")
    def _one_source(self) -> LabOntology:
        if sum(source is not None for source in (self.topic, self.abstracts, self.file, self.words)) != 1:
            raise ValueError("an ontology needs one of `topic`, `abstracts`, `file` and `words`")
        if self.added and self.words is not FieldWords.LEARNED:
            raise ValueError('`added` words need words = "learned"')
        return self


def name_and_settings(written: str) -> tuple[str, dict[str, str]]:
    """Return the name of an ontology and the crawl settings behind it.

    >>> name_and_settings("learned?join=0.5&weights=key")
    ('learned', {'join': '0.5', 'weights': 'key'})
    """
    name, _, query = written.partition("?")
    return name, dict(parse_qsl(query, keep_blank_values=True))


def check(written: str, known: Collection[str], axes: Collection[str], where: str) -> None:
    """Check a value of the axis `ontology`.

    Args:
        written: the value.
        known: names of ontologies.
        axes: names of the axes beside it.
        where: name of the lab, for messages.

    Raises:
        UsageError: an unknown name or setting, an invalid value, a setting that is an axis too, or a setting of none.
    """
    name, settings = name_and_settings(written)
    if name not in known:
        raise UsageError("lab.no_ontology_describe_ontologies", where=where, name=name)
    for key in settings:
        if key not in _OF_AN_ONTOLOGY:
            told = f"{nearest(key, _OF_AN_ONTOLOGY)}; settings of an ontology are {' and '.join(_OF_AN_ONTOLOGY)}"
            raise UsageError("lab.no_setting_ontology", where=where, key=key, told=told)
        if key in axes:
            raise UsageError("lab.axis_setting_ontology_remove", where=where, key=key, written=written)
    if name == NONE and settings:
        raise UsageError(
            "lab.sets_no_ontology_write", where=where, written=written, settings=" and ".join(settings), none=NONE
        )
    checked(CrawlSettings, settings, f"{where}: settings of the ontology {written}")
