"""What a file holds beyond the ontology: a header of dates and people, and a ledger of what was left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from ontology.model import Ontology
from ontology.owl.vocabulary import OwlError

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Header:
    """Dates and people of an ontology's header. Dates are the caller's: this room reads no clock."""

    created: str = ""
    """ISO 8601, 2024-05-01 or 2024-05-01T12:00:00+08:00."""
    modified: str = ""
    creators: tuple[str, ...] = ()
    """Names or IRIs, in any order; files keep them sorted."""


NO_HEADER = Header()


@dataclass(frozen=True)
class Report:
    """What an ontology file holds and what of it was left out, counted by reason. Nothing goes silently."""

    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> how often, most first."""
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Reason -> up to three of the IRIs that it concerns."""
    imports: tuple[str, ...] = ()
    """What owl:imports names. It is cut: nothing is ever fetched."""
    notes: tuple[str, ...] = ()
    """What was changed or made up on the way: a virtual root, cycles, labels that were chosen."""


@dataclass(frozen=True)
class Loaded:
    """An ontology with its header, what was left out, and whether the file is one of ours."""

    ontology: Ontology
    header: Header
    report: Report
    own: bool


def is_date(text: str) -> bool:
    """Whether the text is an ISO 8601 date, or date and time."""
    try:
        if _DATE.fullmatch(text):
            date.fromisoformat(text)
        else:
            datetime.fromisoformat(text)
    except ValueError:
        return False
    return "-" in text


def date_type(text: str, name: str) -> str:
    """``date`` or ``dateTime``; OwlError where the text is neither."""
    if not is_date(text):
        raise OwlError(f"header: {name} must be a date such as 2024-05-01 or 2024-05-01T12:00:00+08:00, found {text!r}")
    return "date" if _DATE.fullmatch(text) else "dateTime"
