"""Parsing of a page: from bytes to a ParsedPage. The only module that uses the HTML parser.

Every text token belongs to exactly one slot: the innermost element around it that a published page weighting lists
(paper 000, Table 2; algorithms.md 1.2), and whether it is inside a link. Scripts, styles, templates, <noscript>,
drawings, comments and text in attributes only (alt, title) are no text of the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from crawler.model import TAGS, Division, Failure, ParsedPage, Response
from crawler.pages.blocks import Piece, bylines, main_text
from crawler.pages.charset import decode
from crawler.pages.dates import published
from crawler.pages.links import ANCHOR_JOIN, Anchor, LinkList
from crawler.pages.plain_page import RECORD_TYPE, read_plain, read_record
from crawler.url import canonical

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


MAX_DEPTH = 10_000
"""Elements nested deeper than this are an attack: the parser's time grows with the square of the depth."""
_SELF_CLOSING = _names(
    "area base br col embed hr img input link meta param source track wbr frame "
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rt rp html head body"
)
"""Elements whose end tag is missing or optional, so that they do not count for depth."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_SLOT_TAGS = frozenset(TAGS) - {"meta_keywords", "meta_description", "other"}
_NO_TEXT = _names("script style template noscript svg math iframe object canvas")
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_BLOCKS = _HEADINGS | _names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form frameset head header hr html li main menu nav ol option p pre section select summary table tbody td "
    "textarea tfoot th thead title tr ul"
)
_CHROME = _names("nav footer aside form menu select button textarea")
_CHROME_ROLES = _names("navigation contentinfo banner search complementary")
_CHROME_CLASSES = _names(
    "nav navbar navigation menu topbar footer foot sidebar breadcrumb breadcrumbs crumbs copyright"
)
_CLASSED = _names("div ul ol section header table p")


def parse(response: Response) -> ParsedPage | Failure:
    """Parse a response by its content type: HTML, a corpus record, or plain text.

    Returns:
        The page, or a Failure with one of the reasons ``not_html`` (another type), ``undecodable`` (bytes that are no
        text), ``malformed`` (an invalid record, or markup that the parser refuses), ``too_deep`` (elements nested
        deeper than ``MAX_DEPTH``), ``empty`` (neither text nor links).
    """
    content_type = response.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower() or _sniffed(response.body)
    if kind == RECORD_TYPE:
        page = read_record(response)
    elif kind in HTML_TYPES or kind == "text/plain":
        decoded = decode(response.body, content_type, html=kind != "text/plain")
        if decoded is None:
            return Failure(response.url, "undecodable", f"the {len(response.body)} bytes are text in no encoding tried")
        plain = kind == "text/plain"
        page = read_plain(response.url, decoded.text) if plain else _html(response, decoded.text, decoded.encoding)
    else:
        return Failure(response.url, "not_html", f"a page of type {kind} is not read; HTML and plain text are")
    if isinstance(page, ParsedPage) and not page.segments and not page.links:
        return Failure(response.url, "empty", "the page has neither text nor links")
    return page


def _sniffed(body: bytes) -> str:
    """Guess the content type of a response without one."""
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "text/html" if start.startswith(b"<") or b"<html" in start else "text/plain"


# ---- HTML -------------------------------------------------------------------------------------------------------


def _html(response: Response, text: str, encoding: str) -> ParsedPage | Failure:
    if _too_deep(text):
        return Failure(
            response.url, "too_deep", f"the page nests more than {MAX_DEPTH} elements; no page for readers does"
        )
    try:
        tree = LexborHTMLParser(text)
    except SelectolaxError as error:
        return Failure(response.url, "malformed", f"the HTML parser refuses the page: {error}")
    root = tree.root
    if root is None:
        return Failure(response.url, "empty", "the page has neither text nor links")
    base = tree.css_first("base[href]")
    href = base.attributes.get("href") if base is not None else None
    reading = _Reading(canonical(href or "", response.url, encoding=encoding) or response.url, encoding)
    reading.walk(root)
    body = main_text(reading.pieces)
    robots = f"{reading.meta.get('robots', '')},{response.headers.get('x-robots-tag', '')}".lower()
    nofollow = not {"nofollow", "none"}.isdisjoint(robots.replace(",", " ").replace(":", " ").split())
    links = LinkList(response.url, nofollow=nofollow, base=reading.base, encoding=encoding)
    for anchor in reading.anchors:
        links.add(replace(anchor, context=reading.context(anchor)))
    return ParsedPage(
        title=reading.title or reading.meta.get("og:title", ""),
        segments=tuple(reading.segments),
        text=body,
        links=links.out_links(),
        published=published(reading.meta, reading.json_ld, reading.times, response.url, bylines(reading.pieces)),
        canonical=reading.canonical,
        skipped=links.skipped,
        divisions=tuple(
            Division(" ".join("".join(parts).split()), row not in reading.outer)
            for row, parts in enumerate(reading.divisions)
        ),
    )


def _too_deep(text: str) -> bool:
    """Return whether more than MAX_DEPTH elements are open at some point, by a count of the tags only."""
    if text.count("<") <= MAX_DEPTH:
        return False
    depth = 0
    for tag in _TAG.finditer(text):
        if tag[2].lower() not in _SELF_CLOSING:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            if depth > MAX_DEPTH:
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    """The position of a text in the tree."""

    slot: str = "other"
    block: int = 0
    division: int = 0
    anchor: int = -1
    chrome: bool = False
    in_article: bool = False
    heading: bool = False


class _Reading:
    """A walk over a tree, with an explicit stack because pages are nested deeper than Python's limit of recursion."""

    def __init__(self, base: str, encoding: str) -> None:
        self.base = base
        self.title = ""
        self.canonical: str | None = None
        self.segments: list[tuple[str, str]] = []
        self.pieces: list[Piece] = []
        self.anchors: list[Anchor] = []
        self.meta: dict[str, str] = {}
        self.json_ld: list[str] = []
        self.times: list[str] = []
        self.divisions: list[list[str]] = [[]]
        self.outer = {0}
        self._encoding = encoding
        self._blocks = 0
        self._block_text: dict[int, list[str]] = {}
        self._block_length: dict[int, int] = {}
        self._whole: dict[int, str] = {}
        self._segment: list[str] = []
        self._segment_slot = ""
        self._piece: list[str] = []
        self._piece_place = _Place()
        self._link_chars = 0
        self._anchor_text: dict[int, list[str]] = {}

    def walk(self, root: LexborNode) -> None:
        stack: list[tuple[LexborNode | None, _Place]] = [(root, _Place())]
        while stack:
            node, place = stack.pop()
            if node is None:
                self._boundary(place)
                continue
            tag = node.tag or ""
            if tag == "-text":
                self._text(node.text_content or "", place)
            elif not tag.startswith(("-", "!")):
                inside = self._enter(node, tag, place)
                if inside is None:
                    continue
                if tag in _BLOCKS:
                    stack.append((None, place))
                child = node.last_child
                while child is not None:
                    stack.append((child, inside))
                    child = child.prev
        self._boundary(_Place())
        self.anchors = [
            replace(anchor, text=" ".join("".join(self._anchor_text.get(number, ())).split()) or anchor.text)
            for number, anchor in enumerate(self.anchors)
        ]

    def context(self, anchor: Anchor) -> str:
        """Return the text of the innermost block around a link, cut to a window around its anchor."""
        if anchor.block not in self._whole:
            self._whole[anchor.block] = "".join(self._block_text.get(anchor.block, ()))
        return anchor.window(self._whole[anchor.block])

    def _enter(self, node: LexborNode, tag: str, place: _Place) -> _Place | None:
        """Return the place of an element's children; None where they are not read."""
        if tag in _NO_TEXT:
            self._silent(node, tag)
            return None
        if tag in ("meta", "link", "base", "img", "br", "area", "frame", "time"):
            return self._single(node, tag, place)
        if tag in _BLOCKS:
            self._boundary(place)
            self._blocks += 1
            place = replace(
                place,
                block=self._blocks,
                chrome=place.chrome or self._is_chrome(node, tag, place),
                in_article=place.in_article or tag in ("article", "main"),
                heading=place.heading or tag in _HEADINGS,
            )
        if tag == "div":
            self.outer.add(place.division)
            place = replace(place, division=len(self.divisions))
            self.divisions.append([])
        if tag in _SLOT_TAGS:
            place = replace(place, slot=tag)
        if tag == "a" and "href" in node.attributes:
            place = replace(place, anchor=self._open(node, place))
        return place

    def _silent(self, node: LexborNode, tag: str) -> None:
        if tag == "script" and "ld+json" in (node.attributes.get("type") or "").lower():
            self.json_ld.append(node.text())

    def _single(self, node: LexborNode, tag: str, place: _Place) -> _Place | None:
        """Read an element by its attributes."""
        attributes = node.attributes
        if tag == "meta":
            self._meta(attributes)
        elif tag == "link" and "canonical" in (attributes.get("rel") or "").lower().split():
            self.canonical = self.canonical or canonical(attributes.get("href") or "", self.base)
        elif tag == "br":
            self._text("\n", place)
        elif tag == "img" and place.anchor >= 0 and (alt := attributes.get("alt")):
            open_ = self.anchors[place.anchor]
            self.anchors[place.anchor] = replace(open_, text=open_.text or " ".join(alt.split()))
        elif tag in ("area", "frame") and attributes.get("href" if tag == "area" else "src"):
            self._open(node, place)
        elif tag == "time":
            marked = "pubdate" in attributes or "datepublished" in (attributes.get("itemprop") or "").lower()
            if marked:
                self.times.append(attributes.get("datetime") or node.text())
            return place
        return None

    def _meta(self, attributes: Mapping[str, str | None]) -> None:
        content = " ".join((attributes.get("content") or "").split())
        name = (
            next((value for key in ("name", "property", "itemprop") if (value := attributes.get(key))), "")
            .strip()
            .lower()
        )
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            _, equals, target = content.partition("=")
            if equals:
                self.anchors.append(Anchor(href=target.strip(" '\"")))
        elif name and content:
            if name in ("keywords", "description") and name not in self.meta:
                self._boundary(_Place())
                self.segments.append((f"meta_{name}", content))
            self.meta.setdefault(name, content)

    def _open(self, node: LexborNode, place: _Place) -> int:
        attributes = node.attributes
        anchor = Anchor(
            href=attributes.get("href") or attributes.get("src") or "",
            text=" ".join((attributes.get("alt") or attributes.get("title") or "").split()) if node.tag != "a" else "",
            fallback=" ".join((attributes.get("title") or "").split()),
            rel=frozenset((attributes.get("rel") or "").lower().split()),
            block=place.block,
            division=place.division,
            offset=self._block_length.get(place.block, 0),
        )
        self.anchors.append(anchor)
        return len(self.anchors) - 1

    def _is_chrome(self, node: LexborNode, tag: str, place: _Place) -> bool:
        if tag in _CHROME or (tag == "header" and not place.in_article):
            return True
        if tag not in _CLASSED:
            return False
        attributes = node.attributes
        if (attributes.get("role") or "").lower() in _CHROME_ROLES:
            return True
        classes = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower().split()
        return not _CHROME_CLASSES.isdisjoint(classes)

    def _text(self, raw: str, place: _Place) -> None:
        text = " ".join(f"|{raw}|".split())[1:-1]
        if not text:
            return
        slot = place.slot if place.anchor < 0 else f"{place.slot}/a"
        if slot != self._segment_slot:
            self._end_segment()
            self._segment_slot = slot
        self._segment.append(text)
        self._piece.append(text)
        self._piece_place = place
        self._add_to_block(place.block, text)
        if place.slot != "title":
            self.divisions[place.division].append(text)
        if place.anchor >= 0:
            self._link_chars += len(text.strip())
            self._anchor_text.setdefault(place.anchor, []).append(text)

    def _boundary(self, place: _Place) -> None:
        """End the current text, because a block begins or ends here."""
        self._end_segment()
        text = " ".join("".join(self._piece).split())
        if text and self._piece_place.slot == "title":
            self.title = self.title or text
        elif text:
            inside = self._piece_place
            self.pieces.append(Piece(text, self._link_chars, inside.chrome, inside.heading))
        self._piece, self._link_chars = [], 0
        if place.anchor >= 0:
            self._anchor_text.setdefault(place.anchor, []).append(" ")
        if place.block in self._block_text:
            self._add_to_block(place.block, " ")
        inside_division = self.divisions[place.division]
        if inside_division and inside_division[-1] != ANCHOR_JOIN:
            inside_division.append(ANCHOR_JOIN)

    def _add_to_block(self, block: int, text: str) -> None:
        self._block_text.setdefault(block, []).append(text)
        self._block_length[block] = self._block_length.get(block, 0) + len(text)

    def _end_segment(self) -> None:
        text = " ".join("".join(self._segment).split())
        if text:
            self.segments.append((self._segment_slot, text))
        self._segment = []
