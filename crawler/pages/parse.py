"""Parsing of a page: from bytes to a ParsedPage. Only this module and the reader of its trees use the HTML parser.

Every text token belongs to exactly one slot: the innermost element around it that a published page weighting lists
(paper 000, Table 2; algorithms.md 1.2), and whether it is inside a link. Scripts, styles, templates, <noscript>,
drawings, comments and text in attributes only (alt, title) are no text of the page; a declarative shadow root is, and
so is the markup of <noframes> and <noembed> and of hidden lists in <textarea>.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from crawler.model import TAGS, Division, Failure, ParsedPage, Response
from crawler.pages import documents
from crawler.pages.blocks import MAX_DEPTH, Piece, bylines, is_chrome, is_too_deep, main_text
from crawler.pages.charset import Decoded, decode
from crawler.pages.dates import CHANGED, PUBLISHED, date_of, published
from crawler.pages.directives import ROBOT, declared_canonical, directives
from crawler.pages.links import ANCHOR_JOIN, Anchor, LinkList
from crawler.pages.media_type import HTML_TYPES, media_type
from crawler.pages.plain_pages import DATA_TYPE, RECORD_TYPE, data_page, is_data_file, nothing, plain_page, read_record
from crawler.pages.ways import (
    ALL_WAYS,
    ANCHOR,
    DATA,
    FEW_WORDS,
    FRAME,
    MANY_CHARS,
    REFRESH,
    Way,
    Ways,
    frame_way,
    handler_ways,
    header_ways,
    html_of_xml,
    is_hidden_list,
    is_nofollow,
    is_shell,
    markup_ways,
    refresh,
    relation_ways,
    with_shadow_roots,
)
from crawler.pages.words import has_words
from crawler.url import canonical

_MAX_INSIDE = 3
"""Levels of markup that is the text of an element or attribute, such as that of a frame in a frame."""
_LITTLE_TEXT = 200
"""Characters of all texts of a page below which its scripts are counted."""


def parse(
    response: Response, robot: str | None = ROBOT, ways: Ways = ALL_WAYS, *, divided: bool = True
) -> ParsedPage | Failure:
    """Parse a response by its type (`crawler.pages.media_type`): HTML, text, a data file, the record of a page.

    Args:
        response: a response with a body.
        robot: name of the crawler in directives for robots; None to ignore these.
        ways: the kinds of links that are followed.
        divided: whether the content blocks of a page in HTML are wanted; else it has none.

    Returns:
        The page, or a Failure with one of the reasons ``not_html`` (another type, or binary data), ``undecodable``
        (bytes that are no text), ``malformed`` (an invalid record, or markup that the parser refuses), ``too_deep``
        (elements nested deeper than ``MAX_DEPTH``), ``empty`` (neither text nor links), ``challenge`` (nothing but a
        script that sets a cookie).
    """
    kind, charset = media_type(response.headers.get("content-type", ""), response.body)
    if kind == RECORD_TYPE:
        page = read_record(response)
    elif kind == documents.RECORD_TYPE:
        page = documents.document_page(response, robot, ways)
    elif kind in HTML_TYPES or kind == "text/plain" or DATA_TYPE.fullmatch(kind):
        decoded = decode(response.body, charset, html=kind in HTML_TYPES)
        if decoded is None:
            return Failure(response.url, "undecodable", f"the {len(response.body)} bytes are text in no encoding tried")
        is_data = kind in ("text/html", "text/plain") and is_data_file(response.url, kind, decoded.text)
        if kind in HTML_TYPES and not is_data:
            decoded = replace(decoded, text=html_of_xml(decoded.text, is_xml=kind != "text/html"))
            page = _html(response, decoded, robot, ways, divided)
        else:
            page = (plain_page if kind == "text/plain" and not is_data else data_page)(response, decoded, robot, ways)
    else:
        return Failure(response.url, "not_html", f"a page of type {kind} is not read; HTML and plain text are")
    is_empty = isinstance(page, ParsedPage) and not page.segments and not page.links
    return nothing(response) if is_empty else page


# ---- HTML -------------------------------------------------------------------------------------------------------


def _html(response: Response, decoded: Decoded, robot: str | None, ways: Ways, divided: bool) -> ParsedPage | Failure:
    text, encoding, headers = decoded.text, decoded.encoding, response.headers
    if is_too_deep(text):
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
    reading = _PageReader(root, divided)
    if reading.has_shadow:
        tree = LexborHTMLParser(with_shadow_roots(text))
        reading = _PageReader(tree.root or root, divided)
    base = canonical(reading.base or "", response.url, encoding=encoding) or response.url
    body = main_text(reading.pieces)
    rules = directives(robot, reading.metadata, headers.get("x-robots-tag", ""))
    honour = robot is not None
    links = LinkList(
        response.url, nofollow=rules.nofollow, honour=honour, base=base, encoding=encoding, without=ways.without
    )
    for anchor in reading.anchors:
        links.add(anchor)
    texts = [text for _, text in reading.segments]
    length = sum(map(len, texts))
    few = length < MANY_CHARS and not has_words(texts, FEW_WORDS)
    data = ways.scripts or few
    hrefs = {anchor.href for anchor in reading.anchors}
    found = markup_ways(tree, reading.unread, response.url, data=data)
    for way in (*reading.ways, *header_ways(headers, response.url), *found):
        if way.href not in hrefs:
            links.add_way(way)
    others = {date_of(value) for value in reading.other_times}
    times = [*reading.times, *(reading.other_times if len(others) == 1 else ())]
    return ParsedPage(
        title=reading.title or reading.meta.get("og:title", ""),
        segments=tuple(reading.segments),
        text=body,
        links=links.out_links(reading.context),
        published=published(reading.meta, reading.json_ld, times, response.url, bylines(reading.pieces)),
        canonical=declared_canonical(reading.canonicals, headers.get("link", ""), response.url, base, encoding),
        noindex=rules.noindex,
        skipped=links.skipped,
        scripts=len(tree.css("script")) if length < _LITTLE_TEXT else 0,
        shell=few and is_shell(tree),
        encoding=encoding,
        confidence=decoded.confidence,
        divisions=tuple(
            Division(" ".join("".join(texts).split()), innermost)
            for texts, innermost in zip(reading.divisions, reading.innermost, strict=divided)
        ),
    )


# ---- one pass over the tree of an HTML page, in document order: its texts, links, content blocks and metadata
#
# The texts between two block boundaries are a run: they share one innermost block and one content block. So a run is
# collected in one list, and handed to its block and its content block where it ends. Texts of blocks are joined only
# around the links that need them.


_CONTEXT_CHARS = 250
"""Characters of the block on each side of an anchor that are the context of the link."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SLOT_TAGS = frozenset(TAGS) - {"meta_keywords", "meta_description", "other"}
_IN_LINK = {tag: f"{tag}/a" for tag in TAGS}
"""Slot of a text -> its slot inside of a link."""
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_BLOCKS = _HEADINGS | _names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form frameset head header hr html li main menu nav ol option p pre section select summary table tbody td "
    "textarea tfoot th thead title tr ul"
)
_TITLE = ("title", "title/a")
_NO_TEXT = _names("script style template noscript svg math object canvas")
_WITH_WAYS = _names("script noscript object canvas")
_LEAVES = _NO_TEXT | _names("meta link base img br area frame iframe time noframes noembed textarea option")
"""Elements that are read by their attributes or not at all; of <time>, <textarea> and <option> the children are too."""
_CHROME = _names("nav footer aside form menu select button textarea")
_ARTICLES = _names("article main")
_CLASSED = _names("div ul ol section header table p")
_MARKED = _CHROME | _CLASSED | _ARTICLES | _HEADINGS
"""Blocks that may differ in these from the block around them."""


@dataclass(slots=True)
class _Block:
    """A block, or what is outside of all blocks."""

    number: int
    division: int
    content: list[str] | None
    """Texts of its content block; None where these are not wanted."""
    chrome: bool = False
    in_article: bool = False
    heading: bool = False
    length: int = 0
    """Characters of its texts."""
    texts: list[str] = field(default_factory=list)
    """Texts of which it is the innermost block."""


class _PageReader:
    """A walk over a tree, without recursion because pages are nested deeper than Python's limit.

    Attributes:
        title: text of the first <title> that has one.
        base: the href of the first <base> that has one; None without.
        canonicals: the href of each <link rel="canonical"> in the head; one in the body may be a reader's comment.
        segments: (slot, text) in reading order.
        pieces: runs of text between block boundaries.
        anchors: hyperlinks.
        meta: metadata by lower-case name; the first of a name.
        metadata: (lower-case name, content) of all metadata.
        json_ld: contents of JSON-LD scripts.
        times: values of the <time> elements that are marked as the publication of the page.
        ways: relations, ``javascript:`` addresses, and frames and refreshes that are not followed.
        unread: elements script, option, and those whose text is not read, which may have ways out of the page.
        has_shadow: whether there is a declarative shadow root.
        other_times: those of others in an article, of which a page may have one and not say what it is.
        divisions: the texts of each content block, where they are wanted: first those outside of all <div>, then
            those of every <div>.
        innermost: whether a content block contains no other.
    """

    def __init__(self, root: LexborNode, divided: bool) -> None:
        """Read a page.

        Args:
            root: the root element of its tree.
            divided: whether the texts of its content blocks are wanted.
        """
        self.title = ""
        self.base: str | None = None
        self.canonicals: list[str] = []
        self.segments: list[tuple[str, str]] = []
        self.pieces: list[Piece] = []
        self.anchors: list[Anchor] = []
        self.meta: dict[str, str] = {}
        self.metadata: list[tuple[str, str]] = []
        self.json_ld: list[str] = []
        self.times: list[str] = []
        self.other_times: list[str] = []
        self.ways: list[Way] = []
        self.unread: list[LexborNode] = []
        self.has_shadow = False
        self.divisions: list[list[str]] = [[]] if divided else []
        self.innermost = [False]
        self._kind = ANCHOR
        self._inside = 0  # markup in the text of an element or attribute
        self._outside = _Block(0, 0, self.divisions[0] if divided else None)
        self._blocks = [self._outside]
        self._joined: dict[int, str] = {}
        self._run: list[tuple[str, str]] = []
        self._link_chars = 0
        self._solid = 0  # characters that were read, without blanks
        self._walk(root)
        for anchor in self.anchors:
            if anchor.texts and anchor.kind != DATA:
                anchor.text = _joined(anchor.texts) or anchor.text

    def context(self, anchor: Anchor) -> str:
        """Return the text of the innermost block around a link, cut to a window around its anchor."""
        whole = self._joined.get(anchor.block)
        if whole is None:
            whole = self._joined[anchor.block] = "".join(self._blocks[anchor.block].texts)
        if not anchor.offset and whole == anchor.text:  # as in most lists
            return anchor.text
        first, end = anchor.offset - _CONTEXT_CHARS, anchor.offset + len(anchor.text) + _CONTEXT_CHARS
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
                if tag == "a":
                    if "href" in (attributes := node.attributes):
                        anchor, label = self._link(attributes, "", block), _IN_LINK[slot]
                        if anchor.href[:1] in "jJ" and anchor.href[:11].lower() == "javascript:":
                            self.ways += handler_ways(anchor.href[11:])
                else:
                    if tag in _BLOCKS:
                        self._boundary(block, block, anchor)
                        block = self._block(node, tag, block)
                    if tag in _SLOT_TAGS:
                        slot, label = tag, tag if anchor is None else _IN_LINK[tag]
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
        words = raw.split()
        if words:
            text = " ".join(words)
            size, solid = len(text), len(text) - len(words) + 1
            if size != len(raw):
                text = f"{' ' * raw[0].isspace()}{text}{' ' * raw[-1].isspace()}"
            self._run.append((label, text))
            self._solid += solid
            if anchor is not None:
                anchor.solid += solid
                self._link_chars += size
        elif not raw:
            return
        else:
            text = " "
            if self._run:
                self._run.append((label, text))
        if anchor is not None:
            anchor.texts.append(text)
        block.texts.append(text)
        block.length += len(text)
        if block.content is not None:
            block.content.append(text)

    def _block(self, node: LexborNode, tag: str, outer: _Block) -> _Block:
        """Begin a block, and a content block with a <div>. The content blocks do not have the titles."""
        division, content = outer.division, outer.content if tag != "title" else None
        if tag == "div":
            self.innermost[division] = False
            division = len(self.innermost)
            self.innermost.append(True)
            if self.divisions:
                content = []
                self.divisions.append(content)
        chrome, article, heading = outer.chrome, outer.in_article, outer.heading
        if tag in _MARKED:
            chrome = chrome or tag in _CHROME or (tag == "header" and not article)
            chrome = chrome or (tag in _CLASSED and is_chrome(node.attributes))
            article, heading = article or tag in _ARTICLES, heading or tag in _HEADINGS
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
        if self._run:
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
        run = self._run
        label, text = run[0]
        if len(run) == 1:
            text = text.strip()
            self.segments.append((label, text))
        else:
            text = _joined([text for _, text in run])
            for of, texts in groupby(run, itemgetter(0)):
                if part := _joined([text for _, text in texts]):
                    self.segments.append((of, part))
        if label in _TITLE:
            self.title = self.title or text
        else:
            self.pieces.append(Piece(text, self._link_chars, block.chrome, block.heading))
        self._link_chars = 0
        run.clear()

    def _leaf(self, node: LexborNode, tag: str, label: str, block: _Block, anchor: Anchor | None) -> bool:
        """Read an element by its attributes; return whether its children are read too."""
        if tag in _NO_TEXT:
            if tag == "template":
                self.has_shadow |= not node.attributes.keys().isdisjoint(("shadowrootmode", "shadowroot"))
            elif tag in _WITH_WAYS:
                self.unread.append(node)
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
            self.ways += relation_ways(attributes)
            if named and node.parent is not None and node.parent.tag == "head":
                self.canonicals.append(attributes.get("href") or "")
        elif tag == "base":
            if self.base is None and "href" in (attributes := node.attributes):
                self.base = attributes["href"] or ""
        elif tag == "area":
            attributes = node.attributes
            if attributes.get("href"):
                self._link(attributes, attributes.get("alt") or attributes.get("title") or "", block)
        elif tag in ("frame", "iframe"):
            source = node.attributes.get("srcdoc") if tag == "iframe" else None
            if source is None or not self._markup(source, self._kind, block, anchor):
                self._frame(node.attributes, block)
        elif tag in ("noframes", "noembed"):
            self._markup(node.text(), ANCHOR, block, anchor)
        elif tag == "textarea":
            is_list = self._kind == ANCHOR and is_hidden_list(node)
            return not is_list or not self._markup(node.text(), DATA, block, anchor)
        elif tag == "option":
            self.unread.append(node)
            return True
        elif tag == "time":
            self._time(node, block)
            return True
        return False

    def _frame(self, attributes: Mapping[str, str | None], block: _Block) -> None:
        way = frame_way(attributes)
        if way is not None and way.reason is not None:
            self.ways.append(way)
        elif way is not None:
            link = self._link(attributes, attributes.get("alt") or attributes.get("title") or "", block)
            link.href, link.kind = way.href, FRAME

    def _markup(self, text: str, kind: str, block: _Block, anchor: Anchor | None) -> bool:
        """Read markup that is the text of an element; return False where it is nested too deep for the parser."""
        root = None if self._inside >= _MAX_INSIDE or is_too_deep(text) else LexborHTMLParser(text).body
        if root is None:
            return False
        self._boundary(block, block, anchor)
        outer, self._kind, self._inside = self._kind, kind, self._inside + 1
        self._walk(root)
        self._kind, self._inside = outer, self._inside - 1
        self._boundary(self._outside, block, anchor)
        return True

    def _time(self, node: LexborNode, block: _Block) -> None:
        """Keep a time that is marked as that of the publication, or that may be it."""
        attributes = node.attributes
        about, value = (attributes.get("itemprop") or "").lower(), attributes.get("datetime") or node.text()
        name = (attributes.get("class") or "").lower()
        is_named = not block.chrome and "comment" not in name and PUBLISHED.search(name) is not None
        if is_named or "pubdate" in attributes or "datepublished" in about:
            self.times.append(value)
        elif block.in_article and not (block.chrome or CHANGED.search(name) or "datemodified" in about):
            self.other_times.append(value)

    def _meta(self, attributes: Mapping[str, str | None], block: _Block) -> None:
        content = " ".join((attributes.get("content") or "").split())
        names = (value for key in ("name", "property", "itemprop") if (value := attributes.get(key)))
        name = next(names, "").strip().lower()
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            way = refresh(attributes.get("content") or "")
            if way is not None and way.reason is None:
                self.anchors.append(Anchor(way.href, kind=REFRESH))
            elif way is not None:
                self.ways.append(way)
        elif name and content:
            if name in ("keywords", "description") and name not in self.meta:
                self._boundary(block, self._outside, None)
                self.segments.append((f"meta_{name}", content))
                self._solid += len(content) - content.count(" ")
            self.meta.setdefault(name, content)
            self.metadata.append((name, content))

    def _link(self, attributes: Mapping[str, str | None], text: str, block: _Block) -> Anchor:
        """Add the hyperlink of an element."""
        title = attributes.get("title")
        anchor = Anchor(
            attributes.get("href") or attributes.get("src") or "",
            " ".join(text.split()) if text else "",
            " ".join(title.split()) if title else "",
            is_nofollow(attributes),
            block.number,
            block.division,
            block.length,
            self._solid,
            kind=self._kind,
        )
        self.anchors.append(anchor)
        return anchor


def _joined(texts: list[str]) -> str:
    """Join texts in which each run of white space is one blank."""
    return texts[0].strip() if len(texts) == 1 else " ".join("".join(texts).split())
