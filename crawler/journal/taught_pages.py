"""The events of a journal by which persons taught a crawl: their verdicts about pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from crawler.journal.journal import Event, Journal
from ontology.errors import OntocrawlError

KIND = "taught"
"""Kind of the events."""
FORGOTTEN = "forgotten"
"""Reason code of a link that was in the queue only because a person had asked for its page, and took that back."""


class VerdictsError(OntocrawlError, ValueError):
    """Verdicts that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What a person says of a page."""

    url: str
    """Its canonical URL."""
    liked: bool | None
    """Whether it is a page of the kind that the person looks for; None where an earlier verdict is taken back."""
    at: str
    """Time, ISO 8601."""


@dataclass(frozen=True, slots=True)
class TaughtPage(PageVerdict):
    """A verdict that a crawl took."""

    link: int
    """The link through which the page was read; the link of its URL where it was not."""
    asked: bool
    """Whether it had not been read, so that it went to the head of the queue."""
    event: int
    """Number of the event."""
    fetched: int
    """Pages that had been fetched."""

    @property
    def verdict(self) -> PageVerdict:
        """The verdict as the person gave it."""
        return PageVerdict(self.url, self.liked, self.at)

    def as_json(self) -> dict[str, Any]:
        """Return what the event holds of it."""
        return {**asdict(self.verdict), "link": self.link, "asked": self.asked}


def of_event(event: Event) -> list[TaughtPage]:
    """Return the verdicts of an event, in order."""
    return [TaughtPage(**page, event=event.seq, fetched=event.data["fetched"]) for page in event.data["pages"]]


def verdicts(journal: Journal) -> Iterator[TaughtPage]:
    """Yield all verdicts that a crawl took, in order, those that were replaced or taken back included."""
    for event in journal.events_of(KIND):
        yield from of_event(event)


def present(journal: Journal) -> dict[str, TaughtPage]:
    """Return the verdicts that count now, by URL, the last one last."""
    found = dict[str, TaughtPage]()
    for page in verdicts(journal):
        found.pop(page.url, None)
        if page.liked is not None:
            found[page.url] = page
    return found


def about(journal: Journal, url: str, link: int) -> TaughtPage | None:
    """Return the verdict that counts now about a page, given by its URL and its link, or by another URL of it."""
    pages = list(present(journal).values())
    return next((page for page in reversed(pages) if page.url == url or page.link == link), None)
