"""One pass over the tree of an HTML page, in document order: its texts, links, content blocks and metadata.

The texts between two block boundaries are a run: they share one innermost block and one content block. So a run is
collected in one list, and handed to its block and its content block where it ends. Texts of blocks are joined only
around the links that need them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from crawler.model import TAGS
from crawler.pages.blocks import Piece
from crawler.pages.links import ANCHOR_JOIN, Anchor

CONTEXT_CHARS = 250
"""Characters of the block on each side of an anchor that are the context of the link."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SLOT_TAGS = frozenset(TAGS) - {"meta_keywords", "meta_description", "other"}
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_BLOCKS = _HEADINGS | _names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form frameset head header hr html li main menu nav ol option p pre section select summary table tbody td "
    "textarea tfoot th thead title tr ul"
)
_TITLE = ("title", "title/a")
_NO_TEXT = _names("script style template noscript svg math iframe object canvas")
_LEAVES = _NO_TEXT | _names("meta link base img br area frame time")
"""Elements that are read by their attributes or not at all; only <time> has children that are read."""
_CHROME = _names("nav footer aside form menu select button textarea")
_CHROME_ROLES = _names("navigation contentinfo banner search complementary")
_CHROME_CLASSES = _names(
    "nav navbar navigation menu topbar footer foot sidebar breadcrumb breadcrumbs crumbs copyright"
)
_ARTICLES = _names("article main")
_CLASSED = _names("div ul ol section header table p")


@dataclass(slots=True)
class _Block:
    """A block, or what is outside of all blocks."""

    number: int
    division: int
    content: list[str]
    """Texts of its content block."""
    chrome: bool = False
    in_article: bool = False
    heading: bool = False
    length: int = 0
    """Characters of its texts."""
    texts: list[str] = field(default_factory=list)
    """Texts of which it is the innermost block."""


class PageReader:
    """A walk over a tree, without recursion because pages are nested deeper than Python's limit.

    Attributes:
        title: text of the first <title> that has one.
        canonicals: the href of each <link rel="canonical"> in the head; one in the body may be a reader's comment.
        segments: (slot, text) in reading order.
        pieces: runs of text between block boundaries.
        anchors: hyperlinks.
        meta: metadata by lower-case name; the first of a name.
        metadata: (lower-case name, content) of all metadata.
        json_ld: contents of JSON-LD scripts.
        times: values of the <time> elements that are marked as the publication of the page.
        divisions: the texts of each content block: first those outside of all <div>, then those of every <div>.
        innermost: whether a content block contains no other.
    """

    def __init__(self, root: LexborNode) -> None:
        """Read a page; ``root`` is the root element of its tree."""
        self.title = ""
        self.canonicals: list[str] = []
        self.segments: list[tuple[str, str]] = []
        self.pieces: list[Piece] = []
        self.anchors: list[Anchor] = []
        self.meta: dict[str, str] = {}
        self.metadata: list[tuple[str, str]] = []
        self.json_ld: list[str] = []
        self.times: list[str] = []
        self.divisions: list[list[str]] = [[]]
        self.innermost = [False]
        self._outside = _Block(0, 0, self.divisions[0])
        self._blocks = [self._outside]
        self._joined: dict[int, str] = {}
        self._texts: list[str] = []
        self._labels: list[str] = []
        self._link_chars = 0
        self._solid = 0  # characters that were read, without blanks
        self._walk(root)
        for anchor in self.anchors:
            if anchor.texts:
                anchor.text = _joined(anchor.texts) or anchor.text

    def context(self, anchor: Anchor) -> str:
        """Return the text of the innermost block around a link, cut to a window around its anchor."""
        whole = self._joined.get(anchor.block)
        if whole is None:
            whole = self._joined[anchor.block] = "".join(self._blocks[anchor.block].texts)
        first, end = anchor.offset - CONTEXT_CHARS, anchor.offset + len(anchor.text) + CONTEXT_CHARS
        return " ".join(whole[max(0, first) : end].split())

    def _walk(self, root: LexborNode) -> None:
        """Read the elements in document order, each with the slot, the block and the link that it is in."""
        open_: list[tuple[LexborNode, str, str, _Block, Anchor | None]] = []
        node, slot, label, block, anchor = root, "other", "other", self._outside, None
        while True:
            tag = node.tag
            if tag == "-text":
                self._text(node.text_content or "", label, block, anchor)
                following = node.next
            elif tag in _LEAVES and not self._leaf(node, tag, label, block, anchor):
                following = node.next
            else:
                open_.append((node, slot, label, block, anchor))
                if tag in _BLOCKS:
                    self._boundary(block, block, anchor)
                    block = self._block(node, tag, block)
                if tag in _SLOT_TAGS:
                    slot, label = tag, tag if anchor is None else f"{tag}/a"
                elif tag == "a" and "href" in (attributes := node.attributes):
                    anchor, label = self._link(attributes, "", block), f"{slot}/a"
                following = node.first_child
            while following is None:
                node, slot, label, outer, anchor = open_.pop()
                if outer is not block:
                    self._boundary(block, outer, anchor)
                    block = outer
                if not open_:
                    return
                following = node.next
            node = following

    def _text(self, raw: str, label: str, block: _Block, anchor: Anchor | None) -> None:
        """Add a text, with each run of white space as one blank. A blank at the start of a run is not part of it."""
        text = " ".join(raw.split())
        size = len(text)
        if size != len(raw):
            text = f"{' ' * raw[0].isspace()}{text}{' ' * raw[-1].isspace()}" if size else " "
        elif not size:
            return
        block.texts.append(text)
        block.length += len(text)
        block.content.append(text)
        if anchor is not None:
            anchor.texts.append(text)
            self._link_chars += size
        if size or self._texts:
            self._texts.append(text)
            self._labels.append(label)
            self._solid += len(text) - text.count(" ")

    def _block(self, node: LexborNode, tag: str, outer: _Block) -> _Block:
        """Begin a block, and a content block with a <div>. The content blocks do not have the titles."""
        division, content = outer.division, outer.content if tag != "title" else []
        if tag == "div":
            self.innermost[division] = False
            self.innermost.append(True)
            division, content = len(self.divisions), []
            self.divisions.append(content)
        chrome = outer.chrome or tag in _CHROME
        if not chrome and tag in _CLASSED:
            chrome = (tag == "header" and not outer.in_article) or _is_chrome(node.attributes)
        article, heading = outer.in_article or tag in _ARTICLES, outer.heading or tag in _HEADINGS
        block = _Block(len(self._blocks), division, content, chrome, article, heading)
        self._blocks.append(block)
        return block

    def _boundary(self, inner: _Block, outer: _Block, anchor: Anchor | None) -> None:
        """End the run of a block, because a block begins or ends here; the texts of both sides stay apart.

        Args:
            inner: the block that ends, or that the next one begins in.
            outer: the block that the next one begins in, or that the text after it is in.
            anchor: the link around the boundary.
        """
        if self._texts:
            self._end_run(inner)
        if anchor is not None:
            anchor.texts.append(" ")
        if outer.texts:
            outer.texts.append(" ")
            outer.length += 1
        content = outer.content
        if content and content[-1] != ANCHOR_JOIN:
            content.append(ANCHOR_JOIN)

    def _end_run(self, block: _Block) -> None:
        """Make a piece and segments of the texts since the last boundary."""
        texts, labels = self._texts, self._labels
        text, label = _joined(texts), labels[0]
        if label in _TITLE:
            self.title = self.title or text
        else:
            self.pieces.append(Piece(text, self._link_chars, block.chrome, block.heading))
        if len(labels) == 1 or labels.count(label) == len(labels):
            self.segments.append((label, text))
        else:
            self._cut(texts, labels)
        self._link_chars = 0
        texts.clear()
        labels.clear()

    def _cut(self, texts: list[str], labels: list[str]) -> None:
        """Add the segments of a run with several slots."""
        start = 0
        for end in range(1, len(texts) + 1):
            if end == len(texts) or labels[end] != labels[start]:
                if text := _joined(texts[start:end]):
                    self.segments.append((labels[start], text))
                start = end

    def _leaf(self, node: LexborNode, tag: str, label: str, block: _Block, anchor: Anchor | None) -> bool:
        """Read an element by its attributes; return whether its children are read too."""
        if tag in _NO_TEXT:
            if tag == "script" and "ld+json" in (node.attributes.get("type") or "").lower():
                self.json_ld.append(node.text())
        elif tag == "br":
            self._text("\n", label, block, anchor)
        elif tag == "img":
            if anchor is not None and not anchor.text:
                anchor.text = " ".join((node.attributes.get("alt") or "").split())
        elif tag == "meta":
            self._meta(node.attributes, block)
        elif tag == "link":
            attributes = node.attributes
            named = "canonical" in (attributes.get("rel") or "").lower().split()
            if named and node.parent is not None and node.parent.tag == "head":
                self.canonicals.append(attributes.get("href") or "")
        elif tag in ("area", "frame"):
            attributes = node.attributes
            if attributes.get("href" if tag == "area" else "src"):
                self._link(attributes, attributes.get("alt") or attributes.get("title") or "", block)
        elif tag == "time":
            attributes = node.attributes
            if "pubdate" in attributes or "datepublished" in (attributes.get("itemprop") or "").lower():
                self.times.append(attributes.get("datetime") or node.text())
            return True
        return False

    def _meta(self, attributes: Mapping[str, str | None], block: _Block) -> None:
        content = " ".join((attributes.get("content") or "").split())
        names = (value for key in ("name", "property", "itemprop") if (value := attributes.get(key)))
        name = next(names, "").strip().lower()
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            _, equals, target = content.partition("=")
            if equals:
                self.anchors.append(Anchor(target.strip(" '\"")))
        elif name and content:
            if name in ("keywords", "description") and name not in self.meta:
                self._boundary(block, self._outside, None)
                self.segments.append((f"meta_{name}", content))
                self._solid += len(content) - content.count(" ")
            self.meta.setdefault(name, content)
            self.metadata.append((name, content))

    def _link(self, attributes: Mapping[str, str | None], text: str, block: _Block) -> Anchor:
        """Add the hyperlink of an element."""
        title, rel = attributes.get("title"), attributes.get("rel")
        anchor = Anchor(
            attributes.get("href") or attributes.get("src") or "",
            " ".join(text.split()),
            " ".join(title.split()) if title else "",
            rel is not None and "nofollow" in rel.lower().split(),
            block.number,
            block.division,
            block.length,
            self._solid,
        )
        self.anchors.append(anchor)
        return anchor


def _joined(texts: list[str]) -> str:
    """Join texts in which each run of white space is one blank."""
    return texts[0].strip() if len(texts) == 1 else " ".join("".join(texts).split())


def _is_chrome(attributes: Mapping[str, str | None]) -> bool:
    """Return whether the role, the class or the id of a block says that it is navigation or a footer."""
    if not attributes:
        return False
    if (attributes.get("role") or "").lower() in _CHROME_ROLES:
        return True
    classes = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower().split()
    return not _CHROME_CLASSES.isdisjoint(classes)
