"""WARC records of pages: the responses where a crawl was recorded, else documents made of what its journal keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from io import BytesIO
from typing import Any

from crawler.archives.reading import split_message
from crawler.archives.writer import MessageHead, new_builder, packed


def page_records(
    pages: Iterable[Mapping[str, Any]],
    info: Mapping[str, str],
    message: Callable[[str], bytes | None],
    on_made: Callable[[str], None],
) -> Iterator[bytes]:
    """Yield the bytes of a compressed WARC file with a record for each page.

    A page is a response, with the redirects that led to it, where the message is known; otherwise a resource, an HTML
    document of its title, date, main text and links.

    Args:
        pages: values of ``url``, ``final_url``, ``hops``, ``title``, ``published``, ``text`` and ``links``.
        info: fields of the warcinfo record.
        message: returns the recorded response to a URL, as on the wire; None where there is none.
        on_made: called with the URL of each page that is a document made of what the journal keeps.

    Yields:
        One record at a time.
    """
    builder = new_builder()
    yield packed(builder.create_warcinfo_record(None, info))
    for page in pages:
        for url in (*page["hops"], page["final_url"]):
            recorded = message(url)
            if recorded is not None:
                head, body = split_message(recorded)
                record = builder.create_warc_record(
                    url, "response", payload=BytesIO(body), length=len(body), http_headers=MessageHead(head)
                )
            elif url == page["final_url"]:
                on_made(url)
                body = _document(page)
                record = builder.create_warc_record(
                    url,
                    "resource",
                    payload=BytesIO(body),
                    length=len(body),
                    warc_content_type="text/html; charset=utf-8",
                )
            else:
                continue
            yield packed(record)


def _document(page: Mapping[str, Any]) -> bytes:
    """Return a page of what the journal keeps, as HTML."""
    dated = (
        f'<meta property="article:published_time" content="{escape(page["published"])}">' if page["published"] else ""
    )
    lines = [
        f'<!DOCTYPE html><html><head><meta charset="utf-8">{dated}<title>{escape(page["title"])}</title></head><body>',
        *(f"<p>{escape(line)}</p>" for line in page["text"].splitlines() if line.strip()),
        *(f'<p><a href="{escape(link["url"])}">{escape(link["anchor"])}</a></p>' for link in page["links"]),
        "</body></html>",
    ]
    return "\n".join(lines).encode("utf-8", "replace")
