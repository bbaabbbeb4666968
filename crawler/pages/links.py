"""The hyperlinks of one page: resolved, without those that must not be followed, each target once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from crawler.model import NO_PLACE, OutLink
from crawler.pages.ways import ANCHOR, BUTTON, DOCUMENT, FRAME, SWITCHED_OFF, Way, is_button
from crawler.url import Joiner, canonical, has_credentials

ANCHOR_JOIN = " | "
"""Separator between the anchors of several links of a page to one URL; no phrase matches across it."""

_SCHEME = re.compile(r"\s*[a-zA-Z][a-zA-Z0-9+.\-]*:")
_WEB = re.compile(r"\s*https?:", re.IGNORECASE)
_SHOWN = 200
_WITH_TEXT = (ANCHOR, FRAME, DOCUMENT)
"""Kinds of links that have a text of their own."""


@dataclass(slots=True)
class Anchor:
    """A hyperlink as it is marked up."""

    href: str
    text: str = ""
    """Text between its tags; the alternative text of an image in it where there is none."""
    fallback: str = ""
    """Its title attribute, used where there is no text."""
    nofollow: bool = False
    """Whether its rel attribute forbids to follow it."""
    block: int = 0
    division: int = 0
    offset: int = 0
    """Its offset in the text of its block."""
    begins: int = -1
    """Number of characters before it in the segments of the page, without blanks; -1 where that is unknown."""
    solid: int = 0
    """Number of characters of the texts between its tags, without blanks."""
    texts: list[str] = field(default_factory=list)
    """The texts between its tags, as a reader collects them."""
    kind: str = ANCHOR
    """Its kind (`crawler.pages.ways.KINDS`)."""


class LinkList:
    """Collector of the links of a page, in page order.

    Several links to one target become one, at the place of the first, with its block and context; their different
    anchor texts are joined by ``ANCHOR_JOIN``. Links that are not followed are listed in ``skipped`` with one of the
    reasons ``fragment`` (a place on the same page), ``self_link``, ``scheme``, ``malformed_url``, ``nofollow`` (an
    attribute of the link), ``page_nofollow`` (a robots directive of the page). A link with a user name or password is
    followed without them, and listed there as ``credentials_dropped``, also without them. Ways of other kinds than
    hyperlinks come after these; one to a target of a hyperlink adds nothing, and none has a text but a frame's title
    and that of a link of a document.

    >>> links = LinkList("http://news.cn/1.html", nofollow=False)
    >>> for href, text in (("2.html", "flood"), ("#top", "up"), ("/2.html", "more")):
    ...     links.add(Anchor(href, text))
    >>> [(link.url, link.anchor) for link in links.out_links()], links.skipped
    ([('http://news.cn/2.html', 'flood | more')], (('#top', 'fragment'),))
    """

    def __init__(
        self,
        url: str,
        *,
        nofollow: bool,
        honour: bool = True,
        base: str | None = None,
        encoding: str = "utf-8",
        without: Collection[str] = (),
    ) -> None:
        """Start with no links.

        Args:
            url: URL of the page.
            nofollow: whether the page forbids to follow its links.
            honour: whether a link is skipped whose rel attribute forbids to follow it.
            base: the URL that links are joined to; ``url`` where None.
            encoding: Python's name of the encoding of the page.
            without: kinds of links that are not followed (``switched_off``).
        """
        self._without = without
        self._page_url = canonical(url)
        self._base = base or url
        self._join = Joiner(self._base, encoding)
        self._nofollow, self._honour = nofollow, honour
        self._anchors: dict[str, list[Anchor]] = {}
        self._skipped: list[tuple[str, str]] = []
        self._listed: set[tuple[str, str]] = set()  # those of ways

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """(href, reason) of every link that is not followed, or not as it is written, in page order."""
        return tuple(self._skipped)

    def add(self, anchor: Anchor) -> None:
        """Add the next hyperlink of the page."""
        href = anchor.href.strip()
        if not href or href[0] == "#":
            self._skipped.append((anchor.href[:_SHOWN], "fragment"))
            return
        if self._without and anchor.kind in self._without:
            self._skipped.append((anchor.href[:_SHOWN], SWITCHED_OFF))
            return
        url = self._join(anchor.href)
        if url is None or (anchor.nofollow and self._honour) or self._nofollow or url == self._page_url:
            self._skipped.append((anchor.href[:_SHOWN], self._reason(url, href)))
            return
        if "@" in href and has_credentials(anchor.href, self._base):
            self._skipped.append((url[:_SHOWN], "credentials_dropped"))
        if url not in self._anchors:
            self._anchors[url] = [anchor]
        elif anchor.kind in _WITH_TEXT:
            self._anchors[url].append(anchor)

    def add_way(self, way: Way) -> None:
        """Add a way out of the page that is no hyperlink."""
        reason = way.reason or (BUTTON if is_button(way.href) else None)
        if reason is None:
            self.add(Anchor(way.href, nofollow=way.nofollow, kind=way.kind))
        elif (row := (way.href[:_SHOWN], reason)) not in self._listed:
            self._listed.add(row)
            self._skipped.append(row)

    def out_links(self, context: Callable[[Anchor], str] = lambda anchor: "") -> tuple[OutLink, ...]:
        """Return the distinct links in page order.

        Args:
            context: the text around a hyperlink.
        """
        return tuple(
            OutLink(
                url, _joined(anchors), context(first := anchors[0]), first.block, first.division,
                (first.begins, first.begins + first.solid) if first.begins >= 0 else NO_PLACE,
                first.kind if len(anchors) == 1 else _kind(anchors),
            )
            for url, anchors in self._anchors.items()
        )  # fmt: skip

    def _reason(self, url: str | None, href: str) -> str:
        """Return the reason why a link is not followed."""
        if url is None:
            return "scheme" if _SCHEME.match(href) and not _WEB.match(href) else "malformed_url"
        if url == self._page_url:
            return "self_link"
        return "page_nofollow" if self._nofollow else "nofollow"


def _joined(anchors: list[Anchor]) -> str:
    """Return the different texts of the hyperlinks to one target."""
    if len(anchors) == 1:
        return anchors[0].text or anchors[0].fallback
    return ANCHOR_JOIN.join(filter(None, dict.fromkeys(anchor.text or anchor.fallback for anchor in anchors)))


def _kind(anchors: list[Anchor]) -> str:
    """Return the kind of several links to one target: a hyperlink, if one of them is."""
    return ANCHOR if any(anchor.kind == ANCHOR for anchor in anchors) else anchors[0].kind
