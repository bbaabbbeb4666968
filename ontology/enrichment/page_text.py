"""The main text of a crawled page, as enrichment reads it."""

from __future__ import annotations

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
    """

    url: str
    title: str
    text: str
    relevance: float
    relevant: bool
    fetched: str = ""
