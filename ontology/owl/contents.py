"""Content of a file besides the ontology: a header with dates and people, and a report of what was left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from ontology.model import Ontology
from ontology.owl.additions import NO_ADDITIONS, additions, legible_only
from ontology.owl.triples import Triple, Triples, is_blank, renamed
from ontology.owl.vocabulary import OC, OWL, RDF, RDFS, OwlError

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_STRUCTURE = (OWL.iri, RDF.iri, RDFS.iri)


@dataclass(frozen=True)
class Header:
    """Dates, people and sources of an ontology's header. Dates come from the caller; this package reads no clock."""

    created: str = ""
    """ISO 8601, 2024-05-01 or 2024-05-01T12:00:00+08:00."""
    modified: str = ""
    creators: tuple[str, ...] = ()
    """Names or IRIs, in any order; files keep them sorted."""
    sources: tuple[str, ...] = ()
    """Names of the corpus files that the ontology was learned from, without folders; files keep them sorted."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """Id of a document -> its IRI, for documents with one; files keep those that relations name."""
    prior: str = ""
    """IRI of the version before this one (owl:priorVersion)."""
    version_iri: str = ""
    """IRI of this version (owl:versionIRI) where a file gives another than that of `Ontology.version_iri`."""


NO_HEADER = Header()


@dataclass(frozen=True)
class Report:
    """Everything that reading an ontology file left out, counted by reason."""

    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> number of occurrences, most frequent first."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Reason -> up to three of the IRIs that it concerns."""
    imports: tuple[str, ...] = ()
    """IRIs of owl:imports, which are ignored; nothing is ever fetched."""
    notes: tuple[str, ...] = ()
    """Changes and additions: a virtual root, merged cycles, chosen labels."""
    changed: Mapping[str, int] = field(default_factory=dict)
    """Reason -> number of statements in whose place others are written."""


@dataclass(frozen=True)
class Loaded:
    """An ontology with its header and report; ``own`` is True if ontocrawl wrote the file."""

    ontology: Ontology
    header: Header
    report: Report
    own: bool
    source: Triples = NO_ADDITIONS
    """All statements of the file."""
    used: Set[Triple] = frozenset()
    """Those that the ontology and its header hold."""
    replaced: Set[Triple] = frozenset()
    """Those among them in whose place others are written: a second label is another name, a cycle an equivalence."""
    thesaurus: bool = False
    """Whether the file is SKOS without OWL classes."""
    written: Callable[[], Triples] = lambda: NO_ADDITIONS
    """Returns the statements that a file of the same kind has of the ontology and its header."""

    @cached_property
    def unused(self) -> Set[Triple]:
        """The statements that the ontology and its header do not hold."""
        if not self.own:
            return {t for t in self.source if t not in self.used}
        written = set(self.written())
        return {
            t for t in self.source
            if (t not in self.used or (not _has_blank(t) and t not in written)) and OC.digest not in t[:2]
        }  # fmt: skip

    @cached_property
    def additions(self) -> Triples:
        """What the file says beyond the model, to be written into its next version (`ontology.owl.additions`)."""
        return additions(self.source, self.unused, only_stated=self.own)

    def carried(self, *, as_skos: bool = False) -> Triples:
        """Return what a conversion writes besides the model.

        A file of the same kind has all statements of its source; the other view those that it does not translate.

        Args:
            as_skos: whether the SKOS view is written.
        """
        if self.own and not as_skos:
            return self.additions
        if self.thesaurus == as_skos:
            kept = [t for t in self.source if t not in self.replaced] if not self.own else self.unused
            return legible_only(additions(self.source, kept, only_stated=self.own))
        about = {c.iri for c in (*self.ontology.concepts, *self.ontology.deprecated)} | {self.ontology.iri}
        if as_skos:
            texts = (t for t in self.unused if t[0] in about and not _has_blank(t) and not t[1].startswith(_STRUCTURE))
            return legible_only(renamed(texts, {}))
        return legible_only(self.additions)


def _has_blank(triple: Triple) -> bool:
    return is_blank(triple[0]) or is_blank(triple[2])


def is_date(text: str) -> bool:
    """Return whether a text is an ISO 8601 date, or date and time.

    >>> is_date("2024-05-01"), is_date("1 May 2024")
    (True, False)
    """
    try:
        if _DATE.fullmatch(text):
            date.fromisoformat(text)
        else:
            datetime.fromisoformat(text)
    except ValueError:
        return False
    return "-" in text


def date_type(text: str, name: str) -> str:
    """Return the XSD type of a date, ``date`` or ``dateTime``.

    Args:
        text: an ISO 8601 date, or date and time.
        name: name of the field, for messages.

    Raises:
        OwlError: the text is neither.

    >>> date_type("2024-05-01T12:00:00+08:00", "created")
    'dateTime'
    """
    if not is_date(text):
        raise OwlError("owl.header_must_date_such", name=name, text=text)
    return "date" if _DATE.fullmatch(text) else "dateTime"
