"""The main text of a crawled page, as enrichment reads it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageText:
    """The main text of a fetched page.

    Attributes:
        url: its URL.
        title: its title.
        text: its main text; paragraphs are lines.
        relevance: relevance under the judge of the crawl, in [0, 1].
        relevant: the judge's decision.
        fetched: date and time of the fetch, ISO 8601; empty if unknown.
        page_starts: where in the text each page of a document begins; empty where that is unknown, and for other pages.
    """

    url: str
    title: str
    text: str
    relevance: float
    relevant: bool
    fetched: str = ""
    page_starts: tuple[int, ...] = ()


def page_number(page_starts: Sequence[int], place: int) -> int | None:
    """Return the number of the page of a document that a place of its text is on; None where that is unknown.

    >>> page_number((0, 40, 40, 90), 45), page_number((), 45)
    (3, None)
    """
    return bisect_right(page_starts, place) or None
