"""The data types of ontology learning: documents, terms, concepts, relations, ontologies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import quote

RelationKind = Literal["subclass_of", "part_of", "equivalent_to", "causes", "measured_by"]
OntologyKind = Literal["global", "local"]
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


@dataclass(frozen=True, slots=True)
class Term:
    """A candidate term of the domain with its frequencies in a corpus."""

    text: str
    document_frequency: int
    frequency: int
    score: float
    is_keyword: bool


@dataclass(frozen=True, order=True, slots=True)
class OtherText:
    """A label, synonym or definition in a language other than Chinese and English."""

    role: NameRole
    language: str
    """Its language tag in lower case, such as ``de`` or ``pt-br``."""
    text: str


@dataclass(frozen=True, order=True, slots=True)
class ScopedName:
    """An other name of a concept that does not mean quite the same: a wider or narrower thing, or a related one."""

    scope: NameScope
    language: str
    """``zh``, ``en``, or the language tag of an `OtherText`."""
    text: str


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
    """What it is called in other languages; kept for files, no term of ours."""
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
        others = ((text.language, text.text) for text in self.texts if text.role != "definition")
        return tuple(dict.fromkeys((*self.forms(), *others)))


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed edge between two concepts, with its evidence.

    ``subclass_of``: source is the narrower. ``part_of``: source is the part. ``causes``: source is the cause.
    ``measured_by``: source is what is measured, target the instrument, the method or the index. ``equivalent_to`` has
    no direction; it is stored once, with the smaller IRI as source.
    """

    source: str
    kind: RelationKind
    target: str
    support: int | None = None
    """Number of documents that are evidence of the edge: that state it, or name both; None for an edge made by hand."""
    confidence: float | None = None
    """Share of these among the documents that name the narrower term, in [0, 1]; no probability that the edge is
    right."""
    evidence: str = ""
    """Origin of the edge: names of rules, or of an outline written by hand."""
    documents: tuple[str, ...] = ()
    """Ids of some documents that are evidence of the edge."""
    sentence: str = ""
    """A sentence of one of them that states the relation, if there is one."""


@dataclass(frozen=True)
class Ontology:
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

    iri: str
    kind: OntologyKind
    topic: str
    version: str
    root: str
    concepts: tuple[Concept, ...]
    relations: tuple[Relation, ...]
    title_zh: str = ""
    title_en: str = ""
    comment: str = ""
    licence: str = ""
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
