"""Content of a file besides the ontology: a header with dates and people, and a report of what was left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from ontology.model import Ontology
from ontology.owl.additions import NO_ADDITIONS
from ontology.owl.triples import Triple, Triples
from ontology.owl.vocabulary import OwlError

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


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


@dataclass(frozen=True)
class Loaded:
    """An ontology with its header and report; ``own`` is True if ontocrawl wrote the file.

    ``additions`` are what a person added to a file of ours beyond what the model has (`ontology.owl.additions`).
    """

    ontology: Ontology
    header: Header
    report: Report
    own: bool
    additions: Triples = NO_ADDITIONS
    source: Triples = NO_ADDITIONS
    """All statements of the file."""
    unused: frozenset[Triple] = frozenset()
    """Those among them that the ontology and its header do not hold."""


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
        raise OwlError(f"header: {name} must be a date such as 2024-05-01 or 2024-05-01T12:00:00+08:00, found {text!r}")
    return "date" if _DATE.fullmatch(text) else "dateTime"
