"""The rules of one robots.txt file (RFC 9309), as Google documents its reading of them.

The name in a User-agent line ends at the first character that no name has; only Allow and Disallow lines end the list
of names of a group; a path in a file in GB18030 matches its octets and their UTF-8 form. What is read in another way
than by the standard or by Google is listed in docs/live-web.md.
"""

from __future__ import annotations

import codecs
import math
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from string import ascii_letters, digits

MAX_BYTES = 500 * 1024
"""Bytes of a file that are read (the minimum of RFC 9309, 2.5)."""

_NAME = re.compile(r"[A-Za-z_-]+")
_IN_BROWSER_NAME = re.compile(r"Mozilla/\S+ \(compatible; *")
_WIDE = re.compile(
    rb"^([A-Za-z -]+)(?:\xef\xbc\x9a|\xa3\xba|:(?=\s*(?:\xc2\xa0|\xe3\x80\x80)))(?:\s|\xc2\xa0|\xe3\x80\x80|\xa1\xa1)*"
)
"""A name with a full-width colon (in UTF-8 or GBK) or a blank of no ASCII behind its colon, as input methods make."""
_LINE_END = re.compile(rb"\r\n?|\n")
_AGENTS = frozenset({"user-agent", "useragent", "user agent"})
_ALLOWS = frozenset({"allow"})
_DISALLOWS = frozenset({"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
_DELAYS = frozenset({"crawl-delay", "crawldelay", "crawl delay"})
_KEPT = frozenset(ascii_letters + digits + "-._~")
_OCTET = re.compile(r"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~/?&=+%]")
"""An escape, or an octet that is compared in its escaped form. ``/?&=+`` are delimiters: ``%26`` is another octet."""
_SHOWN = 100
_PACKED = 2
"""Times that a file is unpacked: packed by its author, and by the server."""
_GZIP = b"\x1f\x8b"
_ZLIB = (b"x\x01", b"x^", b"x\x9c", b"x\xda")
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_LOOKED, _BINARY = 4096, 0.02
"""Bytes of a file that are looked at, and share of control characters from which it is no text."""


def product_token(user_agent: str) -> str:
    """Return the name by which robots.txt files address a crawler (RFC 9309, 2.2.1).

    Args:
        user_agent: value of the crawler's User-Agent header.

    Returns:
        The letters, hyphens and underscores that the header begins with, or that follow ``Mozilla/5.0 (compatible;``;
        empty where there are none.

    >>> product_token("ontocrawl/0.1 (+https://w3id.org/ontocrawl)")
    'ontocrawl'
    >>> product_token("Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)")
    'ExampleBot'
    """
    browser = _IN_BROWSER_NAME.match(user_agent)
    name = _NAME.match(user_agent, browser.end() if browser else 0)
    return name.group() if name else ""


def text_of_robots(body: bytes) -> bytes | None:
    r"""Return the text of a robots.txt file, which some servers pack without saying so; None for binary data.

    >>> text_of_robots(zlib.compress(b"Disallow: /")), text_of_robots(b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\2\1")
    (b'Disallow: /', None)
    """
    for _ in range(_PACKED):
        if not body.startswith((_GZIP, *_ZLIB)):
            break
        inflate = zlib.decompressobj(47)
        try:
            text = inflate.decompress(body, MAX_BYTES + 1)
        except zlib.error:
            break
        if not inflate.eof and len(text) <= MAX_BYTES and len(body) <= MAX_BYTES:
            return None  # its end is missing, and the rules in it
        body = text
    start = body[:_LOOKED].rstrip(b"\x1a\0\r\n")  # the end of a file in DOS, and what fills up some files
    if start.startswith(_GZIP):
        return None
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body
    return None if len(_CONTROLS.findall(start)) > _BINARY * len(start) else body


@dataclass
class _Group:
    """The merged rules of all groups of a name."""

    rules: list[tuple[bool, bytes]] = field(default_factory=list)
    """(whether it allows, path as written) of each rule."""
    delay: float | None = None


class RobotsFile:
    r"""The rules of a robots.txt file for one crawler.

    >>> file = RobotsFile(b"User-agent: *\nDisallow: /a\nAllow: /a/*.html$\nCrawl-delay: 2", "ontocrawl")
    >>> file.closing_rule("/a/1.html"), file.closing_rule("/a/1.html?x"), file.crawl_delay
    (None, 'Disallow: /a', 2.0)
    """

    def __init__(self, body: bytes, token: str) -> None:
        """Read a file.

        Args:
            body: its bytes; only the first 500 KiB count.
            token: name of the crawler, as ``product_token`` returns it.
        """
        lines = _lines(body)
        group = _group(lines, token.lower())
        self.crawl_delay = group.delay
        """Seconds between two requests; None where the file states none."""
        self._prefixes: dict[str, bool] = {}
        self._wildcards: list[tuple[int, bool, str]] = []
        foreign = not _is_utf8(lines)
        for allow, written in group.rules:
            for pattern in _patterns(written, foreign):
                if "*" in pattern or pattern.endswith("$"):
                    self._wildcards.append((len(pattern), allow, pattern))
                else:
                    self._prefixes[pattern] = allow or self._prefixes.get(pattern, False)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)
        self._wildcards = sorted(set(self._wildcards), reverse=True)

    def closing_rule(self, target: str) -> str | None:
        """Return the rule that forbids a request, cut to 100 characters of ASCII; None where it is allowed.

        Args:
            target: path and query of a canonical URL.
        """
        if target == "/robots.txt":
            return None
        best = max(self._longest(text) for text in _spellings(_escaped(target.encode("utf-8", "replace"))))
        return None if best[1] else f"Disallow: {best[2]}"[:_SHOWN]

    def _longest(self, text: str) -> tuple[int, bool, str]:
        """Return (length, whether it allows, pattern) of the longest pattern that matches; of two, one that allows."""
        best = (0, True, "")
        for length in self._lengths:
            allow = self._prefixes.get(text[:length])
            if allow is not None:
                best = (length, allow, text[:length])
                break
        for rule in self._wildcards:
            if rule[:2] < best[:2]:
                break
            if _matches(rule[2], text):
                return rule
        return best


def _lines(body: bytes) -> list[bytes]:
    """Return the lines in UTF-8, or in the unknown encoding of the file; a line that the limit cuts off is left out.

    NUL bytes are removed: they fill up some files, and are half of a text in UTF-16 that has no byte order mark.
    """
    text = body[:MAX_BYTES]
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = text.decode("utf-16", "replace").encode()
    lines = _LINE_END.split(text.replace(b"\0", b"").removeprefix(codecs.BOM_UTF8))
    return lines[:-1] if len(body) > MAX_BYTES else lines


def _is_utf8(lines: list[bytes]) -> bool:
    try:
        b"\n".join(lines).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _fields(lines: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield (name in lower case, value) of the lines that have both; the colon may be missing between two words."""
    for line in lines:
        content = _WIDE.sub(rb"\1: ", line.partition(b"#")[0].strip())
        name, colon, value = content.partition(b":")
        if not colon:
            words = content.split()
            if len(words) != 2:
                continue
            name, value = words
        yield name.strip().lower().decode("latin-1"), value.strip()


def _group(lines: list[bytes], token: str) -> _Group:
    """Return the group of a crawler: all that name it, merged; else all for ``*``, merged; else an empty one."""
    own, general = _Group(), _Group()
    named = False
    current: list[_Group] = []
    """The groups that the User-agent lines above belong to."""
    complete = False
    """Whether a rule has come after these lines; no other line ends their list."""
    for name, value in _fields(lines):
        if name in _AGENTS:
            if complete:
                current, complete = [], False
            agent = _NAME.match(value.decode("latin-1"))
            if value[:1] == b"*" and not value[1:2].strip():
                current.append(general)
            elif agent is not None and agent.group().lower() == token:
                current.append(own)
                named = True
        elif name in _ALLOWS or name in _DISALLOWS:
            complete = True
            for group in current:
                group.rules.append((name in _ALLOWS, value))
        elif name in _DELAYS and (delay := _seconds(value)) is not None:
            for group in current:
                group.delay = max(delay, group.delay or 0.0)
    return own if named else general


def _seconds(value: bytes) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _patterns(written: bytes, foreign: bool) -> Iterator[str]:
    """Yield the forms of a path as written: escaped, and where the file is not in UTF-8, also as browsers send it."""
    if not written.startswith((b"/", b"*")):
        return
    forms = [written]
    if foreign and not written.isascii():
        with suppress(UnicodeDecodeError):  # in another encoding only the octets of the file count
            forms.append(written.decode("gb18030").encode())
    for form in forms:
        route = form.removesuffix(b"$")
        for text in _spellings("*".join(map(_escaped, route.split(b"*")))):
            yield text + "$" * (len(form) - len(route))


def _escaped(octets: bytes) -> str:
    """Return a path in the form in which octets are compared (RFC 9309, 2.2.2).

    >>> _escaped("/a%7e%2fb(1)/暴".encode())
    '/a~%2Fb%281%29/%E6%9A%B4'
    """
    return _OCTET.sub(_one_octet, octets.decode("latin-1"))


def _one_octet(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16)) if found[1] else found[0]
    return character if character in _KEPT else f"%{ord(character):02X}"


def _spellings(text: str) -> list[str]:
    """Return an escaped path, and its other spelling where a slash or question mark is escaped in the query."""
    route, mark, query = text.partition("?")
    plain = query.replace("%2F", "/").replace("%3F", "?")
    return [text] if plain == query else [text, route + mark + plain]


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern with ``*`` or a final ``$`` matches; takes time linear in the text for each part."""
    route = pattern.removesuffix("$")
    first, *middle = route.split("*")
    anchored = route != pattern
    if not middle:
        return text == first
    if not text.startswith(first):
        return False
    at = len(first)
    for part in middle[:-1]:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    last = middle[-1]
    return len(text) - len(last) >= at and text.endswith(last) if anchored else text.find(last, at) >= 0
