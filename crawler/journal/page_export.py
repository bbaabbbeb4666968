"""Rows of a journal for export: a mapping a page, with its links, and a mapping a link that was not fetched."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from crawler.journal.journal import Journal
from crawler.journal.ledger import NOINDEX, fates
from crawler.journal.page_rows import kinds_of
from crawler.pages.ways import ANCHOR

COLUMNS = (
    "step", "url", "final_url", "status", "failure", "reason", "title", "text", "relevance", "relevant", "label",
    "published", "depth", "canonical", "near_duplicate_of", "detail", "partial", "shell", "hops", "retried", "length",
    "content_hash", "links", "skipped", "kind",
)  # fmt: skip
"""Keys of every row, in order."""
_PAGES = """
SELECT e.seq, e.link, e.data, u.url, p.status, p.failure, p.final_url, p.title, p.published, p.content_hash, p.length,
       p.relevance, p.relevant, p.text
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' ORDER BY e.seq
"""
_LINKS = "SELECT url, anchor, reason, relevance, target FROM link WHERE seq = ? ORDER BY position"
_SKIPPED = "SELECT href, reason FROM skipped WHERE seq = ? ORDER BY position"


def pages(
    journal: Journal, labels: Collection[str] | None = None, *, relevant: bool = False, failed: bool = False
) -> Iterator[dict[str, Any]]:
    """Yield a row for every fetch, in order: of pages and of failures.

    One page is in memory at a time, and two bytes for each known URL.

    Args:
        journal: journal of a run.
        labels: URLs that are relevant by label; None where labels are not known.
        relevant: only pages that are relevant by the judge.
        failed: only failures.

    Yields:
        The values of COLUMNS, as JSON has them. ``reason`` is the failure, None for a page. ``depth`` is the number of
        links from a seed, on the way on which the page was found. ``links`` are url, anchor, reason (the decision about
        the link at that time), relevance (of the anchor) and kind; ``skipped`` are href and reason of links that were
        not followed. ``kind`` is ``document`` for a PDF or Word file. A failure has neither text nor links, nor has a
        page that was read before through another link. A page that asks robots not to use its text has the failure
        ``noindex`` and its links.
    """
    depths = _Depths(len(dict.fromkeys(journal.get("config")["seeds"])))
    for step, (seq, link, data, *page) in enumerate(journal.query(_PAGES), start=1):
        url, status, failure, final_url, title, published, content_hash, length, R, is_relevant, text = page
        links = list(journal.query(_LINKS, (seq,)))
        depth = depths.of(link)
        depths.found((row[-1] for row in links), depth + 1)
        about = json.loads(data)
        read = failure is None
        failure = NOINDEX if about.get("noindex") else failure
        if (relevant and not is_relevant) or (failed and failure is None):
            continue
        first = about.get("near_duplicate_of")
        yield {
            "step": step,
            "url": url,
            "final_url": final_url,
            "status": status,
            "failure": failure,
            "reason": failure,
            "title": title,
            "text": "" if failure else zlib.decompress(text).decode(),
            "relevance": R,
            "relevant": None if is_relevant is None else bool(is_relevant),
            "label": None if labels is None or failure else url in labels or final_url in labels,
            "published": published,
            "depth": depth,
            "canonical": about.get("canonical"),
            "near_duplicate_of": None if first is None else journal.urls_of([first])[0],
            "detail": about["detail"],
            "partial": about.get("partial"),
            "shell": about.get("shell", False) if read else None,
            "hops": about["hops"],
            "retried": about.get("retried", []),
            "length": length,
            "content_hash": content_hash,
            "links": _links(links, kinds_of(about.get("ways"))) if read else [],
            "skipped": _named(("href", "reason"), journal.query(_SKIPPED, (seq,))) if read else [],
            "kind": "document" if "document" in about else None,
        }


def unfetched(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield a row for every known link without a fetch: ``url`` and ``reason`` (crawler.journal.ledger), else None."""
    tried = {link for (link,) in journal.query("SELECT DISTINCT link FROM event WHERE kind = 'outcome'")}
    for link, url, fate in fates(journal):
        if link not in tried:
            yield dict.fromkeys(COLUMNS) | {"url": url, "reason": fate}


def _links(rows: Iterable[Sequence[Any]], kinds: Mapping[int, str]) -> list[dict[str, Any]]:
    links = _named(("url", "anchor", "reason", "relevance"), (row[:4] for row in rows))
    return [link | {"kind": kinds.get(position, ANCHOR)} for position, link in enumerate(links)]


def _named(keys: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(keys, row, strict=True)) for row in rows]


class _Depths:
    """The depth of each link by id, at most 65,534."""

    def __init__(self, seeds: int) -> None:
        self._depths = array("H", [1]) * seeds
        """Depth + 1; 0 where unknown. The seeds have the first ids."""

    def of(self, link: int) -> int:
        return max(self._depths[link] - 1, 0) if link < len(self._depths) else 0

    def found(self, links: Iterator[int | None], depth: int) -> None:
        """Set the depth of links that are new; None is a link without an id."""
        depths, value = self._depths, min(depth + 1, 0xFFFF)
        for link in links:
            if link is None:
                continue
            if link >= len(depths):
                depths.extend(bytes(max(link + 1 - len(depths), 1024)))
            if not depths[link]:
                depths[link] = value
