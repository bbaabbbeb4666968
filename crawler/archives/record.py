"""The header of a WARC record (ISO 28500), as in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

VERSION = re.compile(rb"WARC/\d\.\d+[ \t]*\r?\n")
"""The first line of a record."""
REASON = "ontocrawl-reason"
"""Header of the metadata record of a request without a response: the reason code of its failure."""
PARTIAL = "ontocrawl-partial"
"""Header of the record of a response whose body was kept though something was wrong with it (`Response.partial`)."""
LOADED_BY = "ontocrawl-loaded-by"
"""Header of the record of what a page in a browser loaded: URL of the page. It is no answer to a request of a crawl."""
RENDERED = "ontocrawl-rendered"
"""Header of the record of what came of a page in a browser, with `crawler.model.Rendering` as JSON: a conversion, or
metadata where that failed."""
FETCHED_AGAIN = "fetched_again"
"""In place of a reason: earlier records of the URL belong to a fetch that was interrupted, and do not count."""
_TYPES = frozenset({"response", "revisit", "resource", "conversion"})


class HeaderError(ValueError):
    """Error for a header that cannot be read, with a reason code and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Header:
    """A header by lower-case names; of repeated names the first counts."""

    fields: dict[str, str]

    @classmethod
    def of_lines(cls, lines: list[bytes]) -> Header:
        """Parse the lines between the version and the blank line. Raises HeaderError where one is no header."""
        fields: dict[str, str] = {}
        last = ""
        for line in lines:
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if last and text[:1] in " \t":
                fields[last] += " " + text.strip()
                continue
            name, colon, value = text.partition(":")
            if not colon or not name.strip():
                raise HeaderError("bad_header", f"{text[:60]!r} is no header line")
            last = name.strip().lower()
            fields.setdefault(last, value.strip())
        return cls(fields)

    def require(self) -> None:
        """Raise HeaderError where the header is not that of a record, or its length is unknown."""
        if not self.kind:
            raise HeaderError("bad_header", "there is no WARC-Type")
        _ = self.length

    @property
    def kind(self) -> str:
        """WARC-Type, empty if there is none."""
        return self.fields.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """WARC-Target-URI, without the angle brackets that some programs write around it."""
        return unbracketed(self.fields.get("warc-target-uri", ""))

    @property
    def length(self) -> int:
        """Content-Length. Raises HeaderError where it is no number."""
        text = self.fields.get("content-length", "")
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise HeaderError("bad_length", f"Content-Length is {text[:40]!r}")
        return int(text)

    @property
    def reason(self) -> str | None:
        """The failure that a metadata record holds; None for any other record."""
        return self.fields.get(REASON) if self.kind == "metadata" else None

    @property
    def partial(self) -> str:
        """What is wrong with the body of a response: as our records say it, or that any other one is cut off."""
        cut = self.fields.get("warc-truncated", "")
        return self.fields.get(PARTIAL, f"incomplete_body: WARC-Truncated: {cut}" if cut else "")

    @property
    def answers(self) -> bool:
        """Whether the record says what came of a request."""
        return self.kind in _TYPES or self.reason is not None

    @property
    def role(self) -> str:
        """``LOADED_BY``, ``RENDERED`` or ``FETCHED_AGAIN``; empty for a record that is what it is in any archive."""
        roles = (name for name in (LOADED_BY, RENDERED) if name in self.fields)
        return next(roles, FETCHED_AGAIN if self.reason == FETCHED_AGAIN else "")

    @property
    def timestamp(self) -> float | None:
        """WARC-Date as a POSIX timestamp; None where it is missing or malformed."""
        try:
            date = datetime.fromisoformat(self.fields.get("warc-date", ""))
        except ValueError:
            return None
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def unbracketed(url: str) -> str:
    """Return a URL without angle brackets around it.

    >>> unbracketed("<http://a.cn/>")
    'http://a.cn/'
    """
    return url[1:-1] if url.startswith("<") and url.endswith(">") else url
