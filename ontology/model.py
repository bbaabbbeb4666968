"""The data types of ontology learning: documents, terms, concepts, relations, ontologies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Generic, Literal, TypeVar
from urllib.parse import quote

RelationKind = Literal["subclass_of", "part_of", "equivalent_to", "causes", "measured_by"]
OntologyKind = Literal["global", "local"]
_Kind = TypeVar("_Kind", bound=str)
_T = TypeVar("_T")
NameRole = Literal["label", "synonym", "definition"]
NameScope = Literal["broad", "narrow", "related"]


@dataclass(frozen=True, slots=True)
class Document:
    """The record of one paper, as a literature database exports it."""

    id: str
    title: str
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    title_en: str = ""
    abstract_en: str = ""
    keywords_en: tuple[str, ...] = ()
    """English keywords; where their number equals that of ``keywords`` the two are paired in order."""
    authors: tuple[str, ...] = ()
    source: str = ""
    year: int | None = None
    doi: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A record, or a part of one, that could not be read; every skipped record is reported by one."""

    file: str
    line: int
    reason: str
    """A `ontology.errors.Message`, which `ontology.errors.said` puts into a language."""


@dataclass(frozen=True, slots=True)
class Term:
    """A candidate term of the domain with its frequencies in a corpus."""

    text: str
    document_frequency: int
    frequency: int
    score: float
    is_keyword: bool


_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003134f]")
_KANA = re.compile(r"[\u3040-\u30ff]")


@lru_cache(maxsize=1 << 10)
def language_tag(tag: str) -> str:
    """Return a language tag in the letters that RFC 5646, section 2.1.1 recommends; case means nothing in it.

    >>> language_tag("ZH-hant-tw"), language_tag("en-gb"), language_tag("pt-BR")
    ('zh-Hant-TW', 'en-GB', 'pt-BR')
    """
    first, *others = tag.lower().split("-")
    sizes = {2: str.upper, 4: str.title}
    private = next((i for i, part in enumerate(others) if len(part) == 1), len(others))
    return "-".join(
        (first, *(sizes.get(len(part), str.lower)(part) if i < private else part for i, part in enumerate(others)))
    )


def view_of(language: str, text: str) -> Literal["zh", "en", ""]:
    """Return which of the two languages of a concept a text is of: ``zh``, ``en``, or "" for another language.

    A text without a tag is Chinese if it has Chinese characters and no kana, or else English.

    Args:
        language: its language tag, or "".
        text: the text.

    >>> view_of("", "暴雨"), view_of("", "rain"), view_of("zh-Hant", "災害"), view_of("en-GB", "grey")
    ('zh', 'en', 'zh', 'en')
    """
    primary = language.partition("-")[0].lower()
    if not primary:
        return "zh" if _CHINESE.search(text) and not _KANA.search(text) else "en"
    return "zh" if primary in ("zh", "cmn") else "en" if primary == "en" else ""


@dataclass(frozen=True, order=True, slots=True)
class OtherText:
    """A label, synonym or definition whose language tag is neither ``zh`` nor ``en``: zh-Hans, en-GB, fr, or none.

    Those in Chinese or English (`view_of`) are among the labels, other names or definitions of their concept too, which
    are views of what files have.
    """

    role: NameRole
    language: str
    """Its language tag (`language_tag`), such as ``de`` or ``pt-BR``; "" for a text without one."""
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", language_tag(self.language))

    @property
    def view(self) -> Literal["zh", "en", ""]:
        """The language among Chinese and English, or ""."""
        return view_of(self.language, self.text)


@dataclass(frozen=True, order=True, slots=True)
class ScopedName:
    """An other name of a concept that does not mean quite the same: a wider or narrower thing, or a related one."""

    scope: NameScope
    language: str
    """``zh``, ``en``, or the language tag of an `OtherText`."""
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", language_tag(self.language))


def rank(text: OtherText) -> tuple[int, int, str]:
    """Return the sort key by which one of several labels in Chinese or English is chosen.

    The plain tag is before all others, simplified Chinese before traditional; then the shorter text.

    >>> names = ("zh-Hant", "災害"), ("zh-CN", "灾害"), ("zh-HK", "災")
    >>> min((OtherText("label", *name) for name in names), key=rank).text
    '灾害'
    """
    subtags = {part.lower() for part in text.language.split("-")[1:]}
    place = 2 if subtags & {"hant", "tw", "hk", "mo"} else int(text.language not in ("zh", "en"))
    return place, len(text.text), text.text


@dataclass(frozen=True, order=True, slots=True)
class DefinitionCandidate:
    """A sentence of a document that may define a class; nobody has judged it."""

    language: str
    """"zh" or "en"."""
    sentence: str
    document: str
    """Id of the document."""
    pattern: str
    """Form of the sentence: "defined as" or "is a"."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One class of an ontology.

    ``label_en`` may be None for a learned or foreign class; ``label_zh`` is empty for one that occurs in English papers
    only, and for foreign classes.

    >>> Concept("https://example.org/d#FlashFlood", "", "flash flood", alt_en=("flash flooding",)).forms()
    (('en', 'flash flood'), ('en', 'flash flooding'))
    """

    iri: str
    label_zh: str
    label_en: str | None = None
    alt_zh: tuple[str, ...] = ()
    alt_en: tuple[str, ...] = ()
    definition: str = ""
    definition_en: str = ""
    texts: tuple[OtherText, ...] = ()
    """What it is called in other languages, and names whose tag in files is another than ``zh`` or ``en``."""
    xrefs: tuple[str, ...] = ()
    """Names of the same thing in other databases, as oboInOwl:hasDbXref gives them."""
    replaced_by: tuple[str, ...] = ()
    """IRIs (or names) of the classes to use in place of a deprecated one."""
    scopes: tuple[ScopedName, ...] = ()
    """Which of the other names are broad, narrow or related synonyms, as oboInOwl has them; the rest are exact."""
    candidates: tuple[DefinitionCandidate, ...] = ()
    """Sentences that may define it, for a reviewer; a definition is written by hand."""

    @property
    def label(self) -> str:
        """The preferred label: the Chinese one, else the English one, else the end of the IRI."""
        return self.label_zh or self.label_en or self.iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]

    def forms(self) -> tuple[tuple[str, str], ...]:
        """Return all labels as (language, form), preferred labels first, each once."""
        zh = (("zh", form) for form in (self.label_zh, *self.alt_zh) if form)
        en = (("en", form) for form in (self.label_en, *self.alt_en) if form)
        return tuple(dict.fromkeys((*zh, *en)))

    def names(self) -> tuple[tuple[str, str], ...]:
        """Return `forms` and the labels and synonyms in other languages as (language, name), each once.

        >>> Concept("flood", "", "flood", texts=(OtherText("label", "fr", "crue"),)).names()
        (('en', 'flood'), ('fr', 'crue'))
        """
        others = ((t.language, t.text) for t in self.texts if t.role != "definition" and not t.view)
        return tuple(dict.fromkeys((*self.forms(), *others)))

    def with_views(self) -> Concept:
        """Return the concept with its texts in Chinese and English among its labels, other names and definitions.

        >>> names = ("zh-Hant", "災害"), ("zh-Hans", "灾害"), ("fr", "aléa")
        >>> texts = tuple(OtherText("label", *name) for name in names)
        >>> viewed = Concept("x:hazard", "", texts=texts).with_views()
        >>> viewed.label_zh, viewed.alt_zh
        ('灾害', ('災害',))
        """
        if not any(text.view for text in self.texts):
            return self
        zh = self._view("zh", self.label_zh, self.alt_zh, self.definition)
        en = self._view("en", self.label_en or "", self.alt_en, self.definition_en)
        return replace(
            self, label_zh=zh[0], alt_zh=zh[1], definition=zh[2], label_en=en[0] or None, alt_en=en[1],
            definition_en=en[2],
        )  # fmt: skip

    def _view(
        self, language: str, label: str, others: tuple[str, ...], definition: str
    ) -> tuple[str, tuple[str, ...], str]:
        texts = sorted((text for text in self.texts if text.view == language), key=rank)
        label = label or next((t.text for t in texts if t.role == "label"), "")
        names = dict.fromkeys((*others, *(t.text for t in texts if t.role != "definition")))
        told = definition or next((t.text for t in texts if t.role == "definition"), "")
        return label, tuple(name for name in names if name != label or name in others), told


@dataclass(frozen=True, slots=True)
class WeightedWord:
    """A word that steers crawls on a topic.

    Attributes:
        word: the class of its forms, as folded.
        zh: its Chinese forms.
        en: its other forms.
        weight: its weight in a crawl, 0 or more; 0 leaves the word out.
    """

    word: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    weight: float

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """Surface forms as (language, form)."""
        return (*(("zh", form) for form in self.zh), *(("en", form) for form in self.en))


@dataclass(frozen=True, slots=True)
class Factors(Generic[_T]):
    """The five factors of Sem, each in [0, 1]: numbers of a pair of concepts, or arrays of several pairs."""

    distance: _T
    density: _T
    depth: _T
    coincidence: _T
    relation: _T


@dataclass(frozen=True, slots=True)
class Statement(Generic[_Kind]):
    """A directed edge between two classes as it is stated, with its evidence."""

    source: str
    kind: _Kind
    target: str
    support: int | None = None
    """Number of documents that are evidence of the edge: that state it, or name both; None for an edge made by hand."""
    confidence: float | None = None
    """Share of these among the documents that name the narrower term, in [0, 1]; no probability that the edge is
    right."""
    evidence: str = ""
    """Origin of the edge: names of rules, or of an outline written by hand."""


@dataclass(frozen=True, slots=True)
class Relation(Statement[RelationKind]):
    """A directed edge between two concepts, with its evidence.

    ``subclass_of``: source is the narrower. ``part_of``: source is the part. ``causes``: source is the cause.
    ``measured_by``: source is what is measured, target the instrument, the method or the index. ``equivalent_to`` has
    no direction; it is stored once, with the smaller IRI as source.
    """

    documents: tuple[str, ...] = ()
    """Ids of some documents that are evidence of the edge."""
    sentence: str = ""
    """A sentence of one of them that states the relation, if there is one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What identifies and describes an ontology."""

    iri: str
    kind: OntologyKind
    topic: str
    version: str
    _: KW_ONLY
    title_zh: str = ""
    title_en: str = ""
    comment: str = ""
    licence: str = ""


@dataclass(frozen=True)
class Ontology(Header):
    """A rooted ontology: concepts and relations under one topic concept (GC or LC_j of paper 000, section 3).

    Raises:
        ValueError: two concepts with the same IRI, or a root or an end of a relation that is no live concept.

    >>> disaster, flood = Concept("disaster", "灾害"), Concept("flood", "洪水")
    >>> edges = (Relation("flood", "subclass_of", "disaster"),)
    >>> ontology = Ontology("o", "global", "t", "1", "disaster", (disaster, flood), edges)
    >>> ontology.parents
    {'disaster': (), 'flood': ('disaster',)}
    >>> ontology.key, ontology.version_iri
    ('o', 'o/1')
    """

    root: str
    concepts: tuple[Concept, ...]
    relations: tuple[Relation, ...]
    deprecated: tuple[Concept, ...] = ()
    """Classes that are no longer to be used. They stay in files, have no relations, and are not among ``concepts``."""
    by_iri: Mapping[str, Concept] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {c.iri: c for c in self.concepts}
        everything = (*self.concepts, *self.deprecated)
        if len({c.iri for c in everything}) != len(everything):
            counts = Counter(c.iri for c in everything)
            doubled = sorted(iri for iri, count in counts.items() if count > 1)
            raise ValueError(f"ontology {self.iri}: concepts with the same IRI: {', '.join(doubled)}")
        if self.root not in index:
            raise ValueError(f"ontology {self.iri}: its root {self.root} is not one of its concepts")
        for r in self.relations:
            for end in (r.source, r.target):
                if end not in index:
                    raise ValueError(f"ontology {self.iri}: relation {r.kind} names {end}, which is not a concept")
        object.__setattr__(self, "by_iri", index)

    @property
    def version_iri(self) -> str:
        """The IRI of this version: the IRI of the ontology, a slash, and the version."""
        return f"{self.iri.rstrip('/#')}/{quote(self.version, safe='+')}"

    @property
    def key(self) -> str:
        """The key of the ontology in a graph: the version IRI of a learned or joined ontology, the IRI of any other.

        A learned version ends with a digest of its input (``0.1.0+5f0c..``). Versions from different corpora are kept
        side by side in the graph. A new version of a curated ontology replaces the old one.
        """
        return self.version_iri if self.is_derived else self.iri

    @property
    def is_derived(self) -> bool:
        """Whether it was learned or joined: its version ends with a digest of its input."""
        return "+" in self.version

    def edges(self, kind: RelationKind) -> Iterator[Relation]:
        """Return the relations of one kind, in stored order."""
        return (r for r in self.relations if r.kind == kind)

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """IRI -> IRIs of its direct superclasses."""
        return self._grouped((r.source, r.target) for r in self.edges("subclass_of"))

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """IRI -> IRIs of its direct subclasses."""
        return self._grouped((r.target, r.source) for r in self.edges("subclass_of"))

    def _grouped(self, pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
        groups: dict[str, list[str]] = {c.iri: [] for c in self.concepts}
        for iri, other in pairs:
            groups[iri].append(other)
        return {iri: tuple(others) for iri, others in groups.items()}
