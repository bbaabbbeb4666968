"""PDF and Word files as text by page, with their title, date, language and links; and which responses are such files.

PDF files are read by PDFium, which is native code that a file can crash or hold up (docs/decisions/0031). So
`read_document` runs in a process of its own with limits of time and memory (`crawler.pages.parser_processes`), and what
it returns is a record in JSON that `document_page` turns into a page.

DOCX files are ZIP archives of XML, read by the standard library as streams: of each part no more than `_MOST_BYTES` are
unpacked whatever sizes the archive declares, and a document type, which only an attack has, is refused where it begins,
before any entity is declared. No other file is opened, and no address requested.
"""

from __future__ import annotations

import ctypes
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import Any
from xml.parsers import expat

from crawler.model import DocumentFacts, Failure, ParsedPage, Response
from crawler.pages.dates import date_in_url, date_of
from crawler.pages.directives import directives
from crawler.pages.links import Anchor, LinkList
from crawler.pages.media_type import document_name, media_type
from crawler.pages.plain_pages import joined_lines
from crawler.pages.ways import DOCUMENT, Ways

RECORD_TYPE = "application/x-ontocrawl-document+json"
"""A document as `read_document` returns it."""
DAMAGED, ENCRYPTED, WITHOUT_TEXT, TOO_LONG, TOO_COSTLY, UNSUPPORTED = (
    "document_damaged", "document_encrypted", "document_without_text", "document_too_long", "document_too_costly",
    "document_unsupported",
)  # fmt: skip
"""Reason codes of documents that are not read."""
_MAX_PAGES = 2_000
"""Pages of a document; one with more is not read."""
MAX_CHARACTERS = 4_000_000
"""Characters of a document's text; one with more is not read."""
_STAMP = 10
"""Characters a page, on average, up to which a document of several pages is a scan with a stamp on each."""
_MAX_LINKS = 1_000
"""Links of a document that are taken."""

# ---- which responses are documents


_OF_TYPE = {
    "pdf": "pdf",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/ofd": "ofd",
    "application/msword": "doc",
    "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "rtf": "rtf",
}
"""Type of a response (`crawler.pages.media_type`) -> kind of document."""
_PARTS = {
    b"word/document.xml": "docx",
    b"xl/workbook.xml": "xlsx",
    b"ppt/presentation.xml": "pptx",
    b"OFD.xml": "ofd",
    b"mimetypeapplication/vnd.oasis.opendocument.text": "odt",
}
"""Name of a part, which stands in a ZIP archive as it is -> kind of document."""
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
"""Name of the stream that has a DOCX file with a password."""
READ = ("pdf", "docx")
"""Kinds of documents that are read."""


def document_kind(response: Response) -> str | None:
    """Return the kind of document that a response is, such as ``pdf``; None for a response of another kind.

    >>> document_kind(Response("http://a.cn/", 200, {"content-type": "application/octet-stream"}, b"%PDF-1.7"))
    'pdf'
    """
    declared = response.headers.get("content-type", "")
    kind, _ = media_type(declared, response.body)
    if kind in _OF_TYPE:
        return _OF_TYPE[kind]
    body = response.body
    if body.startswith(b"PK\x03\x04"):
        return next((name for part, name in _PARTS.items() if part in body), None)
    if kind == "office":
        return "docx" if _ENCRYPTED_PACKAGE in body else "doc"
    return None


def is_plain_text(response: Response) -> bool:
    """Return whether a response is a text file behind a download link, which its type does not say."""
    kind, _ = media_type(response.headers.get("content-type", ""), response.body)
    return kind.endswith("/octet-stream") and document_name(response.headers, response.url).endswith(".txt")


# ---- a document as it is read: text by page, and what it says of itself


class DocumentError(Exception):
    """Error for a document that is not read: its reason code, and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


@dataclass(slots=True)
class _Document:
    kind: str
    title: str = ""
    created: str = ""
    language: str = ""
    pages: list[str] = field(default_factory=list)
    """The text of each page, a line of the page or a paragraph a line."""
    numbered: bool = True
    """Whether it is known where its pages begin."""
    links: list[tuple[str, str]] = field(default_factory=list)
    """Address and text of each link."""


def read_document(kind: str, body: bytes) -> bytes:
    """Read a document.

    Args:
        kind: one of `READ`.
        body: the file.

    Returns:
        Its record, a JSON object.

    Raises:
        DocumentError: it is not read, with one of the reasons above.
    """
    document = _pdf(body) if kind == "pdf" else _docx(body)
    document.pages = [_readable(page) for page in document.pages]
    characters = sum(len(page) - page.count(" ") - page.count("\n") for page in document.pages)
    stamped = kind == "pdf" and len(document.pages) > 1 and characters <= _STAMP * len(document.pages)
    if stamped or not characters:
        raise DocumentError(
            WITHOUT_TEXT,
            f"{characters} characters on {len(document.pages)} pages; a scan has pictures of text, which are not read",
        )
    return json.dumps(asdict(document), ensure_ascii=False).encode("utf-8", "replace")


_HYPHEN = re.compile("[\x02\ufffe\xad]\\s*")
"""The hyphen at the end of a line, as PDFium marks it, with the end of the line."""
_MEANINGLESS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffd-\uffff\U000f0000-\U0010ffff]"
)
"""Controls, and characters that mean something in one font only."""


def _readable(text: str) -> str:
    return _MEANINGLESS.sub("", _HYPHEN.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")


# ---- PDF, by PDFium


_PASSWORD, _SECURITY = 4, 5
"""PDFium's numbers of the errors for a missing password and an unknown encryption."""


def _pdf(body: bytes) -> _Document:
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        with closing(PdfDocument(body)) as pdf:
            return _pdf_text(pdf)
    except PdfiumError as error:
        if getattr(error, "err_code", 0) in (_PASSWORD, _SECURITY):
            raise DocumentError(ENCRYPTED, "the PDF file needs a password") from error
        raise DocumentError(DAMAGED, f"not a PDF file that can be read: {error}") from error


def _pdf_text(pdf: Any) -> _Document:
    number = len(pdf)
    _require_pages(number)
    document = _Document("pdf", _said(pdf, "Title"), _pdf_date(_said(pdf, "CreationDate")), _pdf_language(pdf))
    characters = 0
    for index in range(number):
        with closing(pdf[index]) as page, closing(page.get_textpage()) as text_page:
            document.pages.append(text_page.get_text_bounded())
            if len(document.links) < _MAX_LINKS:
                document.links += _pdf_links(pdf, page, text_page)
        characters += len(document.pages[-1])
        if characters > MAX_CHARACTERS:
            raise DocumentError(TOO_LONG, f"more than {MAX_CHARACTERS:,} characters")
    return document


def _said(pdf: Any, key: str) -> str:
    """Return what a file says of itself; nothing where that is no text."""
    try:
        return str(pdf.get_metadata_value(key))
    except UnicodeDecodeError:
        return ""


def _pdf_links(pdf: Any, page: Any, text_page: Any) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each link annotation of a page that leads to an address."""
    import pypdfium2.raw as pdfium

    position, link, box = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while pdfium.FPDFLink_Enumerate(page, position, link):
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        size = pdfium.FPDFAction_GetURIPath(pdf, action, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFAction_GetURIPath(pdf, action, buffer, size)
        text = ""
        if pdfium.FPDFLink_GetAnnotRect(link, box):
            text = text_page.get_text_bounded(box.left, box.bottom, box.right, box.top)
        yield _address(buffer.value), " ".join(_readable(text).split())


def _address(raw: bytes) -> str:
    """Return an address as text: ASCII by the standard, and in practice the encoding of the system that wrote it."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("gb18030", "replace")


def _pdf_language(pdf: Any) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDFCatalog_GetLanguage(pdf, None, 0)
    buffer = (ctypes.c_ushort * (size // 2))()
    pdfium.FPDFCatalog_GetLanguage(pdf, buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _pdf_date(value: str) -> str:
    """Return a date of PDF metadata as YYYY-MM-DD; empty where it is none.

    >>> _pdf_date("D:20180827073623+08'00'"), _pdf_date("soon")
    ('2018-08-27', '')
    """
    found = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)", value)
    return "" if found is None else "-".join(found.groups())


def _require_pages(number: int) -> None:
    if number > _MAX_PAGES:
        raise DocumentError(TOO_LONG, f"{number:,} pages; documents of up to {_MAX_PAGES:,} pages are read")


# ---- DOCX, by zipfile and expat


_MOST_BYTES = 64_000_000
"""Bytes of a part of a DOCX file that are unpacked; one with more is an attack."""
_PIECE = 65_536
_DEEPEST = 500
"""Elements that are open at once; tables in tables do not come near."""
_ENCRYPTED_ENTRY = 1
_OF_ZIPFILE = (EOFError, OSError, RuntimeError, ValueError, OverflowError)
"""What `zipfile` raises too for a damaged archive."""


def _docx(body: bytes) -> _Document:
    if not body.startswith(b"PK"):
        raise DocumentError(ENCRYPTED, "the DOCX file needs a password")
    properties, targets = _Properties(), _Targets()
    text = _WordText(targets.of)
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            _parse(archive, "docProps/core.xml", properties)
            _parse(archive, "word/_rels/document.xml.rels", targets)
            if not _parse(archive, "word/document.xml", text):
                raise DocumentError(DAMAGED, "the DOCX file has no text")
    except (zipfile.BadZipFile, zlib.error, struct.error, expat.ExpatError, *_OF_ZIPFILE) as error:
        raise DocumentError(DAMAGED, f"not a DOCX file that can be read: {error}") from error
    pages = ["\n".join(filter(None, page)) for page in text.pages]
    said = properties.values
    return _Document(
        "docx", said.get("title", ""), said.get("created", "")[:10], said.get("language", ""), pages, len(pages) > 1,
        text.links[:_MAX_LINKS],
    )  # fmt: skip


def _parse(archive: zipfile.ZipFile, name: str, reader: _Xml) -> bool:
    """Feed a part of an archive to a reader piece by piece; return whether there is such a part."""
    try:
        entry = archive.getinfo(name)
    except KeyError:
        return False
    if entry.flag_bits & _ENCRYPTED_ENTRY:
        raise DocumentError(ENCRYPTED, "the DOCX file needs a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DocumentError(DAMAGED, f"{name} is packed in a way that no program for DOCX files uses")
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    parser.buffer_text = True
    size = 0
    with archive.open(entry) as stream:
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > _MOST_BYTES:
                raise DocumentError(TOO_LONG, f"{name} has more than {_MOST_BYTES:,} bytes unpacked")
            parser.Parse(piece, False)
    parser.Parse(b"", True)
    return True


def _refuse_document_type(*declared: object) -> None:
    raise DocumentError(DAMAGED, "its XML has a document type, which no DOCX file has")


class _Xml:
    """Reader of the events of one XML file. Names of elements and attributes are taken without their namespace."""

    def __init__(self) -> None:
        self._depth = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DocumentError(DAMAGED, f"its XML nests more than {_DEEPEST} elements")
        self.begin(name.rpartition(" ")[2], {key.rpartition(" ")[2]: value for key, value in attributes.items()})

    def end(self, name: str) -> None:
        """End an element."""
        self._depth -= 1
        self.finish(name.rpartition(" ")[2])

    def text(self, text: str) -> None:
        """Take a text."""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element, by its local name."""

    def finish(self, name: str) -> None:
        """End an element, by its local name."""


class _Properties(_Xml):
    """The core properties of a file: title, created, language .."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._name = ""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        self._name = name

    def text(self, text: str) -> None:
        self.values[self._name] = self.values.get(self._name, "") + text


class _Targets(_Xml):
    """The addresses of a text, by the id of their relationship."""

    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str, str] = {}

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if attributes.get("TargetMode") == "External":
            self.of[attributes.get("Id", "")] = attributes.get("Target", "")


class _WordText(_Xml):
    """The paragraphs of a text by page, as Word laid them out when it was last saved, and its links."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        super().__init__()
        self.pages: list[list[str]] = [[]]
        self.links: list[tuple[str, str]] = []
        self._targets = targets
        self._paragraph: list[str] = []
        self._in_text = False
        self._copies = 0
        """Elements open whose text stands elsewhere in another form."""
        self._link: tuple[str, int] | None = None
        """Address of the open link, and the number of pieces of the paragraph before it."""
        self._characters = 0

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        self._in_text = name == "t" and not self._copies
        if name == "Fallback":
            self._copies += 1
        elif name in ("tab", "br", "cr"):
            self._paragraph.append(" ")
        elif name == "lastRenderedPageBreak":
            self._end_paragraph()
            self.pages.append([])
            _require_pages(len(self.pages))
        elif name == "hyperlink":
            self._link = self._targets.get(attributes.get("id", ""), ""), len(self._paragraph)

    def finish(self, name: str) -> None:
        self._in_text = False
        if name == "Fallback":
            self._copies -= 1
        elif name == "p":
            self._end_paragraph()
        elif name == "hyperlink" and self._link is not None:
            address, first = self._link
            if address:
                self.links.append((address, " ".join("".join(self._paragraph[first:]).split())))
            self._link = None

    def text(self, text: str) -> None:
        if self._in_text:
            self._paragraph.append(text)
            self._characters += len(text)
            if self._characters > MAX_CHARACTERS:
                raise DocumentError(TOO_LONG, f"more than {MAX_CHARACTERS:,} characters")

    def _end_paragraph(self) -> None:
        self.pages[-1].append(" ".join("".join(self._paragraph).split()))
        self._paragraph.clear()


# ---- from the record of a document to a page


_NO_TITLE = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel)\b.*|untitled|无标题|未命名|没有(?:幻灯片)?标题|<[0-9A-F]+>?"
    r"|(?:powerpoint|word|幻灯片).{0,6}(?:演示文稿|文档)?\s*\d*|.*\.(?:docx?|pdf|wps|indd|pptx?|xlsx?|dvi|tex|ofd|cdr|qxd)|[\W\d_]*)",
    re.IGNORECASE | re.DOTALL,
)
"""Titles that programs write, and that say nothing of a document."""
_LONGEST_TITLE = 200


def document_page(response: Response, robot: str | None, ways: Ways) -> ParsedPage | Failure:
    """Return the page of a document's record, or a Failure ``malformed``.

    Args:
        response: a response of the type `RECORD_TYPE`.
        robot: name of the crawler in directives for robots; None to ignore these.
        ways: the kinds of links that are followed.
    """
    try:
        document = _recorded(response.body)
        pages = [joined_lines(page) if document.kind == "pdf" else page for page in document.pages]
        links = [(str(href), str(text)) for href, text in document.links]
    except (ValueError, TypeError, AttributeError) as error:
        return Failure(response.url, "malformed", f"not the record of a document: {error}")
    rules = directives(robot, header=response.headers.get("x-robots-tag", ""))
    found = LinkList(response.url, nofollow=rules.nofollow, honour=robot is not None, without=ways.without)
    for href, text in links:
        found.add(Anchor(href, text, kind=DOCUMENT))
    title = " ".join(document.title.split())[:_LONGEST_TITLE]
    if _NO_TITLE.fullmatch(title):
        title = _first_line(pages) or document_name(response.headers, response.url)
    parts = [("title", title), *(("p", " ".join(page.split())) for page in pages)]
    starts = tuple(accumulate((len(page) + 1 for page in pages[:-1]), initial=0)) if document.numbered else ()
    return ParsedPage(
        title=title,
        segments=tuple(part for part in parts if part[1]),
        text="\n".join(pages),
        links=found.out_links(),
        published=date_of(document.created) or date_in_url(response.url),
        noindex=rules.noindex,
        skipped=found.skipped,
        document=DocumentFacts(document.kind, " ".join(document.language.split())[:35], starts),
    )


def _recorded(record: bytes) -> _Document:
    """Return the document of a record. Raises ValueError or TypeError where it is none, as a server may send."""
    document = _Document(**json.loads(record))
    texts = (document.title, document.created, document.language, *document.pages)
    if document.kind not in READ or not all(isinstance(text, str) for text in texts):
        raise TypeError("its kind or one of its texts is something else")
    return document


def _first_line(pages: Sequence[str]) -> str:
    """Return the first line with a word, which is the title of most documents that have no other."""
    lines = (line for page in pages[:3] for line in page.split("\n"))
    return next((line[:_LONGEST_TITLE] for line in lines if _NO_TITLE.fullmatch(line) is None), "")
