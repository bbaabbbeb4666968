"""The hyperlinks of one page: resolved, without those that must not be followed, each target once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from crawler.model import OutLink
from crawler.url import canonical

CONTEXT_CHARS = 250
"""Characters of the block on each side of an anchor that are the context of the link."""
ANCHOR_JOIN = " | "
"""Separator between the anchors of several links of a page to one URL; no phrase matches across it."""

_SCHEME = re.compile(r"\s*[a-zA-Z][a-zA-Z0-9+.\-]*:")
_WEB = re.compile(r"\s*https?:", re.IGNORECASE)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Anchor:
    """A hyperlink as it is marked up."""

    href: str
    text: str = ""
    """Text between its tags; the alternative text of an image in it where there is none."""
    fallback: str = ""
    """Its title attribute, used where there is no text."""
    rel: frozenset[str] = field(default_factory=frozenset)
    context: str = ""
    block: int = 0
    division: int = 0
    offset: int = 0
    """Its offset in the text of its block."""

    def window(self, block_text: str) -> str:
        """Return the part of the text of its block that is the context of the link.

        >>> len(Anchor("/1.html", text="flood", offset=300).window("a" * 300 + "flood" + "b" * 400))
        505
        """
        first = max(0, self.offset - CONTEXT_CHARS)
        return " ".join(block_text[first : self.offset + len(self.text) + CONTEXT_CHARS].split())


class LinkList:
    """Collector of the links of a page, in page order.

    Several links to one target become one, at the place of the first, with its block and context; their different
    anchor texts are joined by ``ANCHOR_JOIN``. Links that are not followed are listed in ``skipped`` with one of the
    reasons ``fragment`` (a place on the same page), ``self_link``, ``scheme``, ``malformed_url``, ``nofollow`` (an
    attribute of the link), ``page_nofollow`` (a robots directive of the page).

    >>> links = LinkList("http://news.cn/1.html", nofollow=False)
    >>> for href, text in (("2.html", "flood"), ("#top", "up"), ("/2.html", "more")):
    ...     links.add(Anchor(href, text))
    >>> [(link.url, link.anchor) for link in links.out_links()], links.skipped
    ([('http://news.cn/2.html', 'flood | more')], (('#top', 'fragment'),))
    """

    def __init__(self, url: str, *, nofollow: bool, base: str | None = None, encoding: str = "utf-8") -> None:
        """Start with no links.

        Args:
            url: URL of the page.
            nofollow: whether the page forbids to follow its links.
            base: the URL that links are joined to; ``url`` where None.
            encoding: Python's name of the encoding of the page.
        """
        self._page_url = canonical(url)
        self._base = base or url
        self._encoding = encoding
        self._nofollow = nofollow
        self._links: dict[str, OutLink] = {}
        self._anchors: dict[str, dict[str, None]] = {}
        self._skipped: list[tuple[str, str]] = []

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """(href, reason) of every link that is not followed, in page order."""
        return tuple(self._skipped)

    def add(self, anchor: Anchor) -> None:
        """Add the next hyperlink of the page."""
        url = canonical(anchor.href, self._base, encoding=self._encoding)
        reason = self._reason(anchor, url)
        if url is None or reason:
            self._skipped.append((anchor.href[:_SHOWN], reason))
            return
        text = anchor.text or anchor.fallback
        self._links.setdefault(url, OutLink(url, text, anchor.context, anchor.block, anchor.division))
        self._anchors.setdefault(url, {}).setdefault(text)

    def out_links(self) -> tuple[OutLink, ...]:
        """Return the distinct links in page order."""
        return tuple(
            replace(link, anchor=ANCHOR_JOIN.join(filter(None, self._anchors[url])))
            for url, link in self._links.items()
        )

    def _reason(self, anchor: Anchor, url: str | None) -> str:
        """Return the reason why a link is not followed; empty where it is."""
        href = anchor.href.strip()
        if not href or href.startswith("#"):
            return "fragment"
        if url is None:
            return "scheme" if _SCHEME.match(href) and not _WEB.match(href) else "malformed_url"
        if url == self._page_url:
            return "self_link"
        if self._nofollow:
            return "page_nofollow"
        return "nofollow" if "nofollow" in anchor.rel else ""
