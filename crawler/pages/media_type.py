"""What a response is, as browsers take it: by its declared type, and where that is often wrong by its first bytes.

Types are read by the standard Fetch ("extract a MIME type"), and bytes by MIME Sniffing. Unlike in a browser, HTML that
is declared as plain text, as a document or as binary data is HTML, because a crawl wants its links.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import unquote

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_UNKNOWN = frozenset({"", "*/*", "unknown/unknown", "application/unknown"})
_BYTES = frozenset({"application/octet-stream", "binary/octet-stream"})
_XML = re.compile(r"(?:text|application)/xml|.+\+xml")
_LOOKED = 4096
"""Bytes at the beginning of a body that are looked at."""
_ESSENCE = re.compile(r"[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+", re.ASCII)
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
_TAGS = b"html head script iframe h1 div font table a style title b body br p".replace(b" ", b"|")
_MARKUP = re.compile(rb"[\s]*<(?:!doctype\s+html\b|(?:%s)[\s>/]|!--)" % _TAGS, re.IGNORECASE)
_PROLOG = re.compile(rb"\s*(?:<\?.*?\?>|<!--.*?-->|<!doctype[^>]*>)", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(rb"\s*<(?:[\w.-]+:)?([a-z][\w.-]*)", re.IGNORECASE)
_FEEDS = frozenset({b"rss", b"feed", b"rdf", b"urlset", b"sitemapindex"})
_SIGNATURES = {
    "pdf": rb"\s*%PDF-",
    "postscript": rb"%!PS-Adobe-",
    "rtf": rb"\{\\rtf",
    "png": rb"\x89PNG\r\n\x1a\n",
    "gif": rb"GIF8[79]a",
    "jpeg": rb"\xff\xd8\xff",
    "bmp": rb"BM.{4}\0\0\0\0",
    "tiff": rb"II\*\0|MM\0\*",
    "ico": rb"\0\0[\x01\x02]\0",
    "riff": rb"RIFF.{4}(?:WEBP|WAVE|AVI )",
    "aiff": rb"FORM.{4}AIFF",
    "mp4": rb".{4}ftyp",
    "webm": rb"\x1aE\xdf\xa3",
    "ogg": rb"OggS\0",
    "mp3": rb"ID3[\x02-\x04]",
    "midi": rb"MThd\0\0\0\x06",
    "flac": rb"fLaC\0",
    "flash": rb"FLV\x01|[CFZ]WS[\x01-\x20]",
    "zip": rb"PK(?:\x03\x04|\x05\x06)",
    "gzip": rb"\x1f\x8b\x08",
    "rar": rb"Rar!\x1a\x07",
    "7z": rb"7z\xbc\xaf'\x1c",
    "bzip2": rb"BZh[1-9]1AY",
    "xz": rb"\xfd7zXZ\0",
    "zstd": rb"\x28\xb5\x2f\xfd",
    "office": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "font": rb"wOF[F2]|OTTO\0|\0\x01\0\0\0",
    "program": rb"\x7fELF|MZ\x90\0|\xca\xfe\xba\xbe|\0asm",
}
"""Kind of binary data -> how it begins."""
_BINARY = re.compile(b"|".join(b"(%s)" % pattern for pattern in _SIGNATURES.values()), re.DOTALL)


def media_type(content_type: str, body: bytes) -> tuple[str, str]:
    """Return what a body is, and the encoding that its header declares.

    Args:
        content_type: value of the Content-Type header; those of several headers are joined by commas.
        body: the decoded body.

    Returns:
        The essence of the type, in lower case: one of ``HTML_TYPES`` for HTML, text/plain for plain text, a word such
        as ``pdf`` for binary data or ``feed``, whatever its header says, and the declared type for everything else.
        The label of the charset, empty if there is none.

    >>> media_type("text/html, text/html; charset=gbk", b"<p>"), media_type("text/plain", b"<html><p>")
    (('text/html', 'gbk'), ('text/html', ''))
    >>> media_type("text/html", b"%PDF-1.7"), media_type("application/pdf", b"<!DOCTYPE html><p>Log in")
    (('pdf', ''), ('text/html', ''))
    """
    declared, charset = declared_type(content_type)
    is_xml = _XML.fullmatch(declared) is not None and declared not in HTML_TYPES
    if not (is_xml or declared in HTML_TYPES or declared in _UNKNOWN or declared in _BYTES or declared == "text/plain"):
        # a page of an error or a login in place of the file, or one that is to be opened in an office program
        in_place = declared.startswith("application/") and not declared.endswith("script")
        return "text/html" if in_place and _MARKUP.match(body, 0, _LOOKED) else declared, charset
    start = body[:_LOOKED]
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        start = start[2:].replace(b"\0", b"")
    elif start.startswith((b"<\0", b"\0<")):
        start = start.replace(b"\0", b"")
    start = start.removeprefix(codecs.BOM_UTF8)
    if (binary := _BINARY.match(start)) is not None:
        return [*_SIGNATURES][(binary.lastindex or 1) - 1], charset
    root = _root(start) if is_xml or start.lstrip()[:2] in (b"<?", b"<r", b"<f", b"<u", b"<s", b"<R") else b""
    if root in _FEEDS:
        return "feed", charset
    if declared in HTML_TYPES:
        return declared, charset
    if root == b"html":
        return "application/xhtml+xml", charset
    if is_xml:
        return declared, charset
    if _MARKUP.match(start) or (declared in _UNKNOWN and (start.lstrip()[:1] == b"<" or b"<html" in start.lower())):
        return "text/html", charset
    return "text/plain" if declared in _UNKNOWN else declared, charset


_DOWNLOADS = _UNKNOWN | _BYTES | {"application/force-download", "application/x-download", "application/download"}
_DOCUMENTS = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""Suffix of the documents that are read -> their type."""
_FILE_NAME = re.compile(r"filename(\*?)\s*=\s*(?:[\w-]*'[\w-]*')?\"?([^\";]+)", re.IGNORECASE)


def document_name(headers: Mapping[str, str], url: str) -> str:
    """Return the name of a file that is downloaded, by its header Content-Disposition, else by its URL.

    >>> document_name({"content-disposition": "attachment; filename*=UTF-8''%E9%A2%84%E6%A1%88.pdf"}, "http://a.cn/get?id=7")
    '预案.pdf'
    >>> document_name({}, "http://a.cn/files/%E9%A2%84%E6%A1%88.pdf?v=2")
    '预案.pdf'
    """
    named = _FILE_NAME.findall(headers.get("content-disposition", ""))
    chosen = max(named, default=("", url.partition("?")[0].rpartition("/")[2]))[1]  # filename* wins
    return unquote(chosen).strip()


def declares_document(headers: Mapping[str, str], url: str) -> bool:
    """Return whether headers declare a body that is a document which is read, by its type or the name of a download.

    >>> declares_document({"content-type": "application/pdf"}, "http://a.cn/get?id=7")
    True
    >>> declares_document({"content-type": "application/octet-stream"}, "http://a.cn/a.zip")
    False
    """
    declared, _ = declared_type(headers.get("content-type", ""))
    if declared in _DOWNLOADS:
        return document_name(headers, url).rpartition(".")[2].lower() in _DOCUMENTS
    return declared in _DOCUMENTS.values()


@lru_cache(maxsize=1024)
def declared_type(content_type: str) -> tuple[str, str]:
    """Return the essence and the charset that Content-Type headers declare, each empty if there is none.

    The last valid type counts; it keeps the charset of an earlier one of the same essence.

    >>> declared_type("text/html; charset=utf-8, text/html"), declared_type("text/html; charset=gbk, text/plain")
    (('text/html', 'utf-8'), ('text/plain', ''))
    """
    essence = charset = ""
    for value in _COMMA.split(content_type):
        found = value.partition(";")[0].strip().lower()
        if not _ESSENCE.fullmatch(found) or (found == "*/*" and essence):
            continue
        label = _CHARSET.search(value)
        if label or found != essence:
            charset = label[1] if label else ""
        essence = found
    return essence, charset


def _root(start: bytes) -> bytes:
    """Return the name of the root element of XML, without its prefix, in lower case; empty if none is found."""
    at = 0
    while (prolog := _PROLOG.match(start, at)) is not None:
        at = prolog.end()
    root = _ROOT.match(start, at)
    return root[1].lower() if root else b""
