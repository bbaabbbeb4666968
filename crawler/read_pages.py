"""The pages that a crawl has read, by URL, by declared canonical URL and by text: no page counts twice.

A page that says that another URL is its canonical one is the same page as that one, if that one was read and has
nearly the same text. Nothing else is believed: content systems name the home page, or the first page of a list, as
canonical on every page, and intruders name a page of their own. So a canonical URL that was not read is fetched
(`Reading.asked`), and a declaration is refused, with a reason code that is kept with the page, that

* names another host (``www.``, the scheme and default ports aside): there, nobody vouches for it;
* names a URL that was read, and whose text is another one.

Texts are compared by crawler.near_duplicates, which also finds pages of all hosts without any declaration. That takes
no page away: it only says that a page is a copy.

Where the pages of a host repeat, one URL is asked for that no site has (`probe_of`). A host that shows a page there
says "not found" with status 200, and its pages with that text, or all but a tenth of it, are ``soft_404``. Half would
do for a copy, which stays a page, but a page that shares its frame with the message is a page of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from crawler.discovery import Discovery
from crawler.frontier.link_set import LinkSet
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.fingerprint import EDITED, Fingerprint, fingerprint
from crawler.pages.page import NO_TEXT, PageRecord
from crawler.protocol import Scheduler
from crawler.url import host, origin, path

REDIRECTED, CANONICAL, SOFT_404 = "duplicate_redirect", "duplicate_canonical", "soft_404"
"""Reason codes of links whose page was read before, by a redirect or by the canonical URL that it declares; and of
pages with the text that their host shows in place of pages that do not exist."""
OTHER_HOST, OTHER_TEXT = "other_host", "other_text"
"""Reason codes of canonical URLs that are not believed."""
REPEATS = 3
"""Number of copies of one page of a host, from the same host, from which it is asked for a page that does not exist."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of a page from the pages that were read before it."""

    duplicate: str | None = None
    """Reason code of a page that was read before, or does not exist: it has no score, and its links are not used."""
    near_duplicate_of: int | None = None
    """Link of the first page with the same or nearly the same text."""
    canonical: str | None = None
    """The canonical URL as which the page counts; in journals of earlier versions only."""
    refused: str | None = None
    """Reason code of a declared canonical URL that is not believed."""
    asked: str | None = None
    """The declared canonical URL, which was not read and is fetched."""
    probe: str | None = None
    """The URL that is asked for because the pages of the host repeat."""

    def about(self) -> dict[str, Any]:
        """Return what the journal keeps, as JSON values; the reason of a duplicate is its failure."""
        kept = {
            "near_duplicate_of": self.near_duplicate_of, "counts_as": self.canonical, "canonical_refused": self.refused,
            "asks": self.asked, "probes": self.probe,
        }  # fmt: skip
        return {name: value for name, value in kept.items() if value is not None}


FIRST_READING = Reading()


class ReadPages:
    """The pages that were read. A crawl and its replay make the same calls."""

    def __init__(self, known: Discovery, scheduler: Scheduler) -> None:
        """Start with no pages.

        Args:
            known: the known URLs, to which those of pages are added.
            scheduler: the queue, from which other links to a page are withdrawn.
        """
        self._known, self._scheduler = known, scheduler
        self._read = LinkSet()
        """Ids of the URLs at which pages were read: where a redirect led, not the link."""
        self._claimed = LinkSet()
        """Ids of the URLs that were not read, and as which a page counts that declares them: in runs that an earlier
        version began."""
        self._texts = NearDuplicates()
        self._repeats = Counter[str]()
        """Host -> copies of its pages; only until it is probed."""
        self._probed: dict[str, Print | None] = {}
        """Host that was probed -> the text of its page for what does not exist; None where it has none."""

    def __contains__(self, link: int) -> bool:
        """Return whether the page of a link was read, through this link or another one."""
        return link in self._read or link in self._claimed

    def read(self, link: int, record: PageRecord, journalled: Mapping[str, Any] | None = None) -> Reading:
        """Note a page, unless it was read before.

        Links are visited from their choice on, so this asks for pages that were read: of two redirects in flight to one
        page the first counts, also where a link to that page itself is in flight.

        Args:
            link: the link in flight.
            record: its page.
            journalled: in a replay, what the journal keeps of the reading, which counts: an earlier version may have
                compared texts in another way.

        Returns:
            What is known of it. Nothing changes for a page that was read before, as its replay does not come here.
        """
        text = _print(record)
        reading = self._compare(link, record, text) if journalled is None else _journalled(journalled)
        if reading.duplicate is not None:
            return reading
        page = self._note(record.final_url)
        if page != link:
            self._scheduler.withdraw(page)
        if text is not None:
            self._texts.add(page, link, text, reading.near_duplicate_of)
            self._count_repeat(record, reading)
        if reading.canonical is not None and text is not None:
            canonical = self._id(reading.canonical)
            self._claimed.add(canonical)
            self._scheduler.withdraw(canonical)
            self._texts.put(canonical, link, text)
        return reading

    def _compare(self, link: int, record: PageRecord, text: Print | None) -> Reading:
        """Compare a page that was just fetched with those that were read."""
        urls, site = self._known.urls, host(record.final_url)
        if self.learn(link, record):
            return Reading(SOFT_404)
        final = urls.id(record.final_url)
        if final is not None and final in self._read:
            return Reading(REDIRECTED)
        if text is None:
            return FIRST_READING
        if self.is_soft_404(record):
            return Reading(SOFT_404)
        if final is not None and final in self._claimed and self._is_like(final, text):
            return Reading(CANONICAL)
        declared = None if record.page.canonical == record.final_url else record.page.canonical
        refused = None if declared is None else self._refusal(record.final_url, declared, text)
        if refused == CANONICAL:
            return Reading(CANONICAL)
        first = self._texts.first(text)
        asked = declared if refused is None and declared is not None and self._is_open(declared) else None
        return Reading(None, first, None, refused, asked, self._probe(site, record.final_url, first))

    def is_soft_404(self, record: PageRecord) -> bool:
        """Return whether a page has the text that its host shows for what does not exist, as far as the crawl knows."""
        text, soft = _print(record), self._probed.get(host(record.final_url))
        is_home = path(record.final_url) == "/" and "?" not in record.final_url  # some hosts show it for all addresses
        return text is not None and soft is not None and not is_home and soft.is_like(text, EDITED)

    def copy_of(self, record: PageRecord) -> int | None:
        """Return the link of the first page that was read with nearly the text of another one; None for none."""
        text = _print(record)
        return None if text is None else self._texts.first(text)

    def _is_open(self, url: str) -> bool:
        """Return whether a URL was not chosen so far and is not queued."""
        link = self._known.urls.id(url)
        queued, visited = self._scheduler.frontier.is_queued, self._scheduler.visited
        return link is None or not (link in visited or queued(np.array([link]))[0])

    def _refusal(self, url: str, declared: str, text: Print) -> str | None:
        """Return why a page does not count as the canonical URL that it declares; None where that one was not read.

        Args:
            url: URL at which the page was read.
            declared: its canonical URL, another one.
            text: what is kept of its text.

        Returns:
            CANONICAL where the page was read there, else the reason code why the declaration is not believed.
        """
        if _site(url) != _site(declared):
            return OTHER_HOST
        canonical = self._known.urls.id(declared)
        if canonical is None or canonical not in self:
            return None
        return CANONICAL if self._is_like(canonical, text) else OTHER_TEXT

    def _is_like(self, page: int, text: Print) -> bool:
        """Return whether the page that was read at a URL, or counts as it, has nearly this text."""
        other = self._texts.of(page)
        return other is not None and other.is_like(text)

    # ---- hosts that show a page for what does not exist -----------------------------------------------------------

    def learn(self, link: int, record: PageRecord) -> bool:
        """Note the text of the page that a host shows for what does not exist, if the link is its probe.

        Args:
            link: the link in flight.
            record: its page; in a replay, the failure as which it was journalled.

        Returns:
            Whether the link is a probe.
        """
        url = self._known.urls.url(link)
        site, text = host(url), _print(record)
        is_probe = site in self._probed and url == probe_of(url)
        if is_probe and text is not None and not record.hops:
            self._probed[site] = text
        return is_probe

    def _probe(self, site: str, url: str, first: int | None) -> str | None:
        """Return the URL by which a host is probed whose pages repeat once more; None where it is not to be."""
        repeats = first is not None and site not in self._probed and host(self._known.urls.url(first)) == site
        if not repeats or self._repeats[site] + 1 < REPEATS:
            return None
        probe = probe_of(url)
        return probe if self._known.may_ask(probe) else None

    def _count_repeat(self, record: PageRecord, reading: Reading) -> None:
        """Count a copy of a page of its own host, until the host is probed."""
        site, first = host(record.final_url), reading.near_duplicate_of
        if reading.probe is not None:
            self._probed[site] = None
            del self._repeats[site]
        elif first is not None and site not in self._probed and host(self._known.urls.url(first)) == site:
            self._repeats[site] += 1

    # ---- ids ----------------------------------------------------------------------------------------------------

    def _note(self, url: str) -> int:
        """Note that a page was read at a URL; return its id."""
        page = self._id(url)
        self._read.add(page)
        self._claimed.difference_update([page])
        return page

    def _id(self, url: str) -> int:
        known = self._known.urls.id(url)
        return int(self._known.add((url,), self._scheduler.fetched)[0]) if known is None else known

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs."""
        return {**self._small_state(), "texts": self._texts.state()}

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot."""
        return {**self._small_state(), "texts": self._texts.changes()}

    def _small_state(self) -> dict[str, Any]:
        probed = {site: None if text is None else _as_json(text) for site, text in self._probed.items()}
        return {
            "read": self._read.packed(), "claimed": self._claimed.packed(),
            "repeats": dict(self._repeats), "probed": probed,
        }  # fmt: skip

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._texts.saved()

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a state."""
        self._read.restore(saved["read"])
        self._claimed.restore(saved["claimed"])
        self._texts.restore(saved["texts"])
        self._repeats = Counter(saved["repeats"])
        self._probed = {site: None if text is None else _of_json(text) for site, text in saved["probed"].items()}


def probe_of(url: str) -> str:
    """Return a URL of the host of a URL that no site has: the same one each time, so that a replay asks for it too.

    >>> probe_of("http://a.cn/list/1.html") == probe_of("http://a.cn/"), probe_of("http://a.cn/")
    (True, 'http://a.cn/d0f9d6a6b3eaddae.html')
    """
    site = origin(url)
    return f"{site}/{blake2b(site.encode(), digest_size=8, person=b'soft 404').hexdigest()}.html"


def _journalled(data: Mapping[str, Any]) -> Reading:
    """Return the reading that the journal keeps."""
    names = ("near_duplicate_of", "counts_as", "canonical_refused", "asks", "probes")
    return Reading(None, *(data.get(name) for name in names))


def _print(record: PageRecord) -> Print | None:
    """Return what is kept of a page's text; None without a text to use. A journalled page has its text only."""
    if record.content_hash in (None, NO_TEXT):
        return None
    return Print(int(str(record.content_hash)[:16], 16), record.fingerprint or fingerprint(record.page.text))


def _as_json(text: Print) -> list[Any]:
    return [text.digest, None if text.of_text is None else text.of_text.packed().hex()]


def _of_json(saved: list[Any]) -> Print:
    digest, of_text = saved
    return Print(digest, None if of_text is None else Fingerprint.unpacked(bytes.fromhex(of_text)))


def _site(url: str) -> str:
    """Return the host of a canonical URL without ``www.``, and its port unless it is that of the scheme.

    >>> _site("https://www.news.cn/a"), _site("http://news.cn:8080/")
    ('news.cn', 'news.cn:8080')
    """
    return host(url).removeprefix("www.")
