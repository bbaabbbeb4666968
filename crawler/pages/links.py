"""The hyperlinks of one page: resolved, without those that must not be followed, each target once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from crawler.model import OutLink
from crawler.url import canonical

CONTEXT_CHARS = 250
"""So many characters of its block on each side of an anchor are a link's context."""
ANCHOR_JOIN = " | "
"""Stands between the anchors of several links of one page to one URL, so that no phrase matches across them."""

_SCHEME = re.compile(r"\s*[a-zA-Z][a-zA-Z0-9+.\-]*:")
_WEB = re.compile(r"\s*https?:", re.IGNORECASE)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Anchor:
    """A hyperlink as it is marked up."""

    href: str
    text: str = ""
    """What is between its tags; where that is nothing, the alternative text of an image in it."""
    fallback: str = ""
    """Its title attribute, used where there is no text."""
    rel: frozenset[str] = field(default_factory=frozenset)
    context: str = ""
    block: int = 0
    division: int = 0
    offset: int = 0
    """Where it begins in the text of its block."""

    def window(self, block_text: str) -> str:
        """The part of the block's text that is this link's context."""
        first = max(0, self.offset - CONTEXT_CHARS)
        return " ".join(block_text[first : self.offset + len(self.text) + CONTEXT_CHARS].split())


class LinkList:
    """Collects the links of a page in page order.

    Several links to one target become one, at the place of the first, with its block and context; their different
    anchor texts are joined by ``ANCHOR_JOIN``. What is not followed goes to ``skipped`` with one of the reasons
    ``fragment`` (a place on the same page), ``self_link``, ``scheme``, ``malformed_url``, ``nofollow`` (the link says
    so), ``page_nofollow`` (the page's robots directive says so).
    """

    def __init__(self, url: str, *, nofollow: bool, base: str | None = None, encoding: str = "utf-8") -> None:
        self._own = canonical(url)
        self._base = base or url
        self._encoding = encoding
        self._nofollow = nofollow
        self._links: dict[str, OutLink] = {}
        self._anchors: dict[str, dict[str, None]] = {}
        self._skipped: list[tuple[str, str]] = []

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._skipped)

    def add(self, anchor: Anchor) -> None:
        url = canonical(anchor.href, self._base, encoding=self._encoding)
        reason = self._reason(anchor, url)
        if url is None or reason:
            self._skipped.append((anchor.href[:_SHOWN], reason))
            return
        text = anchor.text or anchor.fallback
        self._links.setdefault(url, OutLink(url, text, anchor.context, anchor.block, anchor.division))
        self._anchors.setdefault(url, {}).setdefault(text)

    def out_links(self) -> tuple[OutLink, ...]:
        """The distinct links in page order."""
        return tuple(
            replace(link, anchor=ANCHOR_JOIN.join(filter(None, self._anchors[url])))
            for url, link in self._links.items()
        )

    def _reason(self, anchor: Anchor, url: str | None) -> str:
        """Why a link is not followed; empty where it is."""
        href = anchor.href.strip()
        if not href or href.startswith("#"):
            return "fragment"
        if url is None:
            return "scheme" if _SCHEME.match(href) and not _WEB.match(href) else "malformed_url"
        if url == self._own:
            return "self_link"
        if self._nofollow:
            return "page_nofollow"
        return "nofollow" if "nofollow" in anchor.rel else ""
