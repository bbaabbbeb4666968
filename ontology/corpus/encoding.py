"""The encoding of an export: byte-order marks, UTF-8, UTF-16 without a mark, what XML declares, GB18030 (GBK), Big5.

And texts that were in a wrong one before they were exported (`misread`).
"""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from ontology.corpus.records import WINDOWS_1252, CorpusError

_BLOCK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?\bencoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']")
_CHARSETS = re.compile(r"iso8859|cp\d|big5|euc_|shift_jis|koi8|mac_|gb|tis_620|johab")
"""Python's names of the encodings that contain ASCII; not all of its codecs are encodings of text."""
_BROKEN_SHARE = 0.02
"""Above this share of undecodable among non-ASCII characters a text is not in that encoding but in another."""
_PLAUSIBLE_SHARE = 0.9
MIXED = "utf-8+gb18030"
"""Lines in UTF-8 beside lines in GB18030, as files have that were put together from several exports."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_ALONE = re.compile(
    rf"(?<=[A-Za-z]){_HAN.pattern}{{1,3}}(?=[a-z])|(?<!\w){_HAN.pattern}(?=[a-z])|(?<=[a-z]){_HAN.pattern}(?!\w)"
)
"""Up to three Chinese characters between Latin letters, or one at the end of a Latin word."""
_ALONE_SHARE = 0.5
_EVERYDAY = {"gb18030": ("gb2312", range(0xB0, 0xD8)), "big5hkscs": ("big5", range(0xA4, 0xC7))}
"""Encoding of Chinese -> its oldest part, and the first bytes of the common characters in that."""
_FEW_COMMON, _MOST_COMMON = 0.7, 0.9
"""Shares of common characters: below the one a text is not in GB18030, from the other on it is in Big5."""
_CLEAN_SHARE = 0.002
"""Below this share an encoding is taken at once; between this and ``_BROKEN_SHARE`` a mixture is looked for first."""


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open the file's bytes; .xz and .gz are decompressed while reading."""
    suffix = path.suffix.lower()
    if suffix == ".xz":
        with lzma.open(path, "rb") as unpacked:
            yield unpacked
    elif suffix == ".gz":
        with gzip.open(path, "rb") as unzipped:
            yield unzipped  # type: ignore[misc]  # a GzipFile reads as any binary stream does
    else:
        with path.open("rb") as plain:
            yield plain


class Lines(Protocol):
    """A text that is read line by line, as a text file."""

    def readline(self, limit: int, /) -> str:
        """Return the next line with its end, at most ``limit`` characters (or bytes) of it; empty at the end."""
        ...


@contextmanager
def open_text(path: Path, encoding: str) -> Iterator[Lines]:
    """Open the file's lines with universal line ends; an undecodable byte becomes U+FFFD, which the caller reports.

    Args:
        path: the file.
        encoding: result of `detect`.
    """
    with open_bytes(path) as stream:
        if encoding == MIXED:
            yield _MixedLines(stream)
        else:
            with io.TextIOWrapper(stream, encoding=encoding, errors="replace") as text:
                yield text


class _MixedLines:
    """Lines of a file concatenated from UTF-8 and GB18030 parts: each is decoded by its encoding."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readline(self, limit: int, /) -> str:
        """Return the next line."""
        return _decoded(self._stream.readline(limit)).replace("\r\n", "\n")


def _decoded(line: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("utf-8", "replace")


def detect(path: Path) -> str:
    """Return the name of the file's encoding for Python's codecs; reads the file once, in bounded memory.

    Raises:
        CorpusError: the bytes are no text (a workbook, a PDF, a picture).
    """
    with open_bytes(path) as stream:
        head = stream.read(1 << 16)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    wide = _utf16_without_mark(head)
    if wide:
        return wide
    if b"\0" in head:
        raise CorpusError("corpus.not_text_file_zero", path=path)
    shares = []
    for name in dict.fromkeys(("utf-8", *_declared(head), "gb18030")):
        if name == "gb18030" and _is_big5(head):
            return "big5hkscs"
        shares.append((_broken_share(path, name), name))
        if shares[-1][0] <= _CLEAN_SHARE:
            return _not_western(path, name)
    shares.append((_undecodable_lines(path), MIXED))
    best, name = min(shares)
    if best <= _BROKEN_SHARE:
        return _not_western(path, name)
    raise CorpusError("corpus.neither_utf_utf_nor", path=path)


def _is_big5(head: bytes) -> bool:
    """Return whether the characters of a beginning that is no UTF-8 are common ones in Big5, and not in GB18030."""
    return _common(head, "gb18030") < _FEW_COMMON and _common(head, "big5hkscs") >= _MOST_COMMON


def _common(head: bytes, encoding: str) -> float:
    """Return the share of the Chinese characters that are common ones, and of those that cannot be read; 1 for none."""
    oldest, codes = _EVERYDAY[encoding]
    leads = {bytes((code,)) for code in codes}
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    found = Counter(c for c in text if c == "\ufffd" or _HAN.match(c))
    common = sum(n for c, n in found.items() if c.encode(oldest, "ignore")[:1] in leads)
    return common / found.total() if found else 1.0


def _not_western(path: Path, name: str) -> str:
    """Return the name of an encoding, unless it is GB18030 and the text is one of Western Europe.

    In GB18030 an accented letter of Latin-1 and the letter behind it are one Chinese character, which stands within a
    Latin word (*M黮ler*); those of Chinese words stand side by side.

    Raises:
        CorpusError: half of the Chinese characters or more stand within Latin words.
    """
    alone = every = 0
    if name == "gb18030":
        with open_text(path, name) as lines:
            while line := lines.readline(_BLOCK):
                every += len(_HAN.findall(line))
                alone += sum(map(len, _ALONE.findall(line)))
    if every and alone >= _ALONE_SHARE * every:
        raise CorpusError("corpus.looks_like_text_western", path=path)
    return name


def _declared(head: bytes) -> Iterator[str]:
    """Yield the encoding that an XML declaration names, if it is one that the bytes can be in.

    UTF-8 is tried before it: hardly any text in another encoding is UTF-8 as well, and declarations may be wrong.
    """
    match = _DECLARED.match(head)
    if not match:
        return
    try:
        name = codecs.lookup(match.group(1).decode("ascii")).name
    except LookupError:
        return
    if _CHARSETS.match(name):
        yield "gb18030" if name.startswith("gb") else name


def _undecodable_lines(path: Path) -> float:
    """Return the share of non-ASCII lines that are neither UTF-8 nor GB18030, in [0, 1]; 1 for lines without ends."""
    broken = foreign = 0
    with open_bytes(path) as stream:
        while line := stream.readline(_BLOCK):
            if not line.isascii():
                foreign += 1
                broken += len(line) == _BLOCK or "\ufffd" in _decoded(line)
    return broken / foreign if foreign else 0.0


def _utf16_without_mark(head: bytes) -> str | None:
    """Return the byte order under which nearly all characters are ASCII or Chinese; None for other encodings."""
    if b"\0" not in head:
        return None
    shares = [(_plausible_share(head, name), name) for name in ("utf-16-le", "utf-16-be")]
    best, name = max(shares)
    return name if best >= _PLAUSIBLE_SHARE else None


def _plausible_share(head: bytes, encoding: str) -> float:
    """Return the share of line ends, printable ASCII, Han characters and punctuation in the decoded head, in [0, 1]."""
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(head)
    except UnicodeDecodeError:
        return 0.0
    usual = sum(
        c in "\n\r\t" or " " <= c <= "~" or "\u3000" <= c <= "\u9fff" or "\uff01" <= c <= "\uff5e" for c in text
    )
    return usual / len(text) if text else 0.0


def _broken_share(path: Path, encoding: str) -> float:
    """Return the share of U+FFFD among the non-ASCII characters of the decoded file, in [0, 1]."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    broken = foreign = 0
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            text = decoder.decode(block)
            broken += text.count("\ufffd")
            foreign += 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return broken / foreign if foreign else 0.0


# ---- text that some program read in a wrong encoding before it was exported, whose bytes are in order


_WINDOWS = {character: byte for byte, character in WINDOWS_1252.items()}
"""Character of Windows-1252 that is none of Latin-1 -> its byte."""
_WESTERN = re.compile(f"[\u0080-\u00ff{''.join(_WINDOWS)}]{{2,}}")
_MAC_ROMAN = re.compile("(?<=[a-z.,;])[\u00ca\u00d0\u00d1\u00d3\u00d5]|(?<= )\u00ca(?= )")
"""The blank, dashes and closing quotes of Mac Roman, read as Latin-1: capitals where no word has one."""
_CHINESE = re.compile("[\u2014\u2018-\u201d\u2026\u3000-\u303f\u3400-\u9fff\uff01-\uff5e]{2,}")


def misread(text: str) -> tuple[str, str] | None:
    """Find characters that are bytes of another encoding, read as Latin-1 or Windows-1252.

    Args:
        text: a text of a record, cleaned (`ontology.corpus.records.clean_text`).

    Returns:
        The encoding that the text was in, and the word with the characters; None for a text in order.

    >>> misread("It doesn\u00d5t rain"), misread("the flood\u00e2\u20ac\u2122s crest"), misread("50 \u00b0C, \u00c9")
    (('Mac Roman', 'doesn\u00d5t'), ('UTF-8', 'flood\u00e2\u20ac\u2122s'), None)
    """
    if text.isascii():
        return None
    runs = [
        (run.start(), bytes(_WINDOWS.get(c) or ord(c) for c in run[0]))
        for run in _WESTERN.finditer(text)
        if any(map(str.isalpha, run[0]))
    ]
    signs = (
        ("UTF-8", (start for start, raw in runs if "\ufffd" not in raw.decode("utf-8", "replace"))),
        ("Mac Roman", (found.start() for found in _MAC_ROMAN.finditer(text))),
        ("GB18030", (start for start, raw in runs if min(raw) > 0xA0 and _is_chinese(raw))),
    )
    for encoding, places in signs:
        if (place := next(places, None)) is not None:
            return encoding, _word_at(text, place)
    return None


def _is_chinese(raw: bytes) -> bool:
    return _CHINESE.fullmatch(raw.decode("gb18030", "replace")) is not None


def _word_at(text: str, position: int) -> str:
    start = text.rfind(" ", max(position - 12, 0), position) + 1 or max(position - 12, 0)
    return text[start : position + 12].split(" ", maxsplit=1)[0]
