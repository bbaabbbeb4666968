"""The pages that a crawl has read, by URL, by declared canonical URL and by text: no page counts twice.

A page that says that another URL is its canonical one counts as that URL, which is not fetched any more, if that is
safe. It is not always: content systems name the home page, or the first page of a list, as canonical on every page, and
intruders name a page of their own. So a declaration is refused (with a reason code, kept with the page) that

* names another host (``www.``, the scheme and default ports aside): there, nobody vouches for it;
* names the root of the site, or a folder or index page that contains the page: these list pages, and have other links;
* names a URL that was read, and whose text is another one: then no further declaration of that host is believed.

Texts are compared by fingerprints (crawler.pages.simhash). A declaration allows for more difference than the
look-up of near-duplicates, which finds pages of all hosts without any declaration, and which takes no page away: it
only says that a page is a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crawler.discovery import Discovery
from crawler.frontier.link_set import LinkSet
from crawler.near_duplicates import NearDuplicates, Print
from crawler.pages.page import PageRecord
from crawler.pages.simhash import Fingerprint
from crawler.protocol import Scheduler
from crawler.url import host, path

REDIRECTED, CANONICAL = "duplicate_redirect", "duplicate_canonical"
"""Reason codes of links whose page was read before: by a redirect, by the canonical URL that it declares."""
OTHER_HOST, CONTAINS, OTHER_TEXT, DOUBTED = "other_host", "contains_page", "other_text", "doubted_host"
"""Reason codes of canonical URLs that are not believed."""
ALIKE = 8
"""Bits in which the texts of a page and of its canonical URL may differ, of 64."""
_INDEX_NAMES = frozenset({"index", "default", "home", "main"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of a page from the pages that were read before it."""

    duplicate: str | None = None
    """Reason code of a page that was read before; it has no score, and its links are not used."""
    near_duplicate_of: int | None = None
    """Link of the first page with nearly the same text."""
    canonical: str | None = None
    """The canonical URL as which the page counts."""
    refused: str | None = None
    """Reason code of a declared canonical URL that is not believed."""

    def about(self) -> dict[str, Any]:
        """Return what the journal keeps, as JSON values; the reason of a duplicate is its failure."""
        kept = {
            "near_duplicate_of": self.near_duplicate_of, "counts_as": self.canonical, "canonical_refused": self.refused
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
        """Ids of the URLs that were not read, and as which a page counts that declares them."""
        self._doubted = set[str]()
        """Hosts of which a declaration was wrong."""
        self._texts = NearDuplicates()

    def __contains__(self, link: int) -> bool:
        """Return whether the page of a link was read, through this link or another one."""
        return link in self._read or link in self._claimed

    def read(self, link: int, record: PageRecord) -> Reading:
        """Note a page, unless it was read before.

        Links are visited from their choice on, so this asks for pages that were read: of two redirects in flight to one
        page the first counts, also where a link to that page itself is in flight.

        Args:
            link: the link in flight.
            record: its page.

        Returns:
            What is known of it. Nothing changes for a page that was read before, as its replay does not come here.
        """
        urls, text = self._known.urls, _print(record)
        final = urls.id(record.final_url)
        if final is not None and final in self._read:
            return Reading(REDIRECTED)
        if final is not None and text is not None and final in self._claimed and self._is_like(final, text):
            return Reading(CANONICAL)
        declared = None if text is None or record.canonical == record.final_url else record.canonical
        refused = None if declared is None or text is None else self._refusal(record.final_url, declared, text)
        if refused == CANONICAL:
            return Reading(CANONICAL)
        if refused == OTHER_TEXT or (text is not None and final is not None and final in self._claimed):
            self._doubted.add(_site(record.final_url))
        page = self._note(record.final_url)
        if page != link:
            self._scheduler.withdraw(page)
        first = None if text is None else self._texts.add(page, link, text)
        if declared is None or text is None or refused is not None:
            return Reading(near_duplicate_of=first, refused=refused)
        canonical = self._id(declared)
        self._claimed.add(canonical)
        self._scheduler.withdraw(canonical)
        self._texts.put(canonical, link, text)
        return Reading(near_duplicate_of=first, canonical=declared)

    def _refusal(self, url: str, declared: str, text: Print) -> str | None:
        """Return why a page does not count as the canonical URL that it declares; None where it does.

        Args:
            url: URL at which the page was read.
            declared: its canonical URL, another one.
            text: its fingerprint.

        Returns:
            CANONICAL where the page was read there, else the reason code why the declaration is not believed.
        """
        if _site(url) != _site(declared):
            return OTHER_HOST
        canonical = self._known.urls.id(declared)
        if canonical is not None and canonical in self:
            return CANONICAL if self._is_like(canonical, text) else OTHER_TEXT
        if _site(url) in self._doubted:
            return DOUBTED
        return CONTAINS if _contains(declared, url) else None

    def _is_like(self, page: int, text: Print) -> bool:
        """Return whether the page that was read at a URL, or counts as it, has nearly this text."""
        other = self._texts.of(page)
        return other is not None and other.is_like(text, ALIKE)

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
        return {"read": self._read.packed(), "claimed": self._claimed.packed(), "doubted": sorted(self._doubted)}

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._texts.saved()

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a state; one of a version without declared canonical URLs has ``read`` only."""
        self._read.restore(saved["read"])
        if "texts" in saved:
            self._claimed.restore(saved["claimed"])
            self._doubted = set(saved["doubted"])
            self._texts.restore(saved["texts"])


def _print(record: PageRecord) -> Print | None:
    """Return the fingerprint of a page: of its text, or of the digest of a short one; None without a text to use."""
    if record.simhash is not None:
        return Print(record.simhash)
    return None if record.content_hash is None else Print(Fingerprint(int(record.content_hash[:16], 16), 0), exact=True)


def _site(url: str) -> str:
    """Return the host of a canonical URL without ``www.``, and its port unless it is that of the scheme.

    >>> _site("https://www.news.cn/a"), _site("http://news.cn:8080/")
    ('news.cn', 'news.cn:8080')
    """
    return host(url).removeprefix("www.")


def _contains(outer: str, inner: str) -> bool:
    """Return whether a URL is that of the site's root, or of a folder with another page in it; both are canonical.

    A URL with a query is a page of its own, and two URLs of one folder are the same page, unless it is the root.

    >>> _contains("http://a.cn/list/", "http://a.cn/list/2.html"), _contains("http://a.cn/", "http://a.cn/?p=7")
    (True, True)
    >>> _contains("http://a.cn/", "http://a.cn/index.html"), _contains("http://a.cn/2.html", "http://a.cn/2.html?print=1")
    (False, False)
    """
    folder, page = _without_index(outer), _without_index(inner)
    if "?" in outer:
        return False
    if folder == page:
        return folder == "" and "?" in inner
    return page.startswith(f"{folder}/")


def _without_index(url: str) -> str:
    """Return the path of a URL without the name of an index page and without the last slash."""
    folder, _, name = path(url).rpartition("/")
    return folder if not name or name.partition(".")[0].lower() in _INDEX_NAMES else f"{folder}/{name}"
