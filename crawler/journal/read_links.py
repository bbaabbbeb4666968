"""Through which links the pages of URLs were read: a page counts once, whatever redirects and canonical URLs say."""

from __future__ import annotations

import json
from collections.abc import Iterator

from crawler.journal.journal import Journal

_DECLARED = """
SELECT u.url, e.seq, e.link FROM event e JOIN url u ON u.id = e.link
WHERE e.kind = 'outcome' AND instr(e.data, '"counts_as"') AND json_extract(e.data, '$.counts_as') = ?
ORDER BY e.seq LIMIT 1
"""
_READ_AS = """
SELECT u.url, p.seq, p.link FROM page p JOIN event e USING (seq) JOIN url u ON u.id = p.link
WHERE e.kind = 'outcome' AND p.failure IS NULL AND p.final_url = ? ORDER BY p.seq LIMIT 1
"""
_REDIRECTS = """
SELECT u.url, p.final_url, json_extract(e.data, '$.hops') FROM page p JOIN event e USING (seq)
JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' AND p.failure IS NULL AND json_array_length(e.data, '$.hops') > 0
ORDER BY p.seq
"""
_LAST_OUTCOME = """
SELECT p.failure, p.final_url, json_extract(e.data, '$.canonical') FROM page p JOIN event e USING (seq)
WHERE e.kind = 'outcome' AND e.link = ? ORDER BY p.seq DESC LIMIT 1
"""


def read_through(journal: Journal, url: str) -> tuple[str, int, int] | None:
    """Return (URL, event, id) of the link through which the page of a URL was read; None where it was not read.

    That is the page at which a redirect ended, or one that counts as the URL, which it declares as its canonical one.
    """
    return next(
        ((other, seq, link) for query in (_READ_AS, _DECLARED) for other, seq, link in journal.query(query, (url,))),
        None,
    )


def redirects(journal: Journal) -> Iterator[tuple[str, list[str]]]:
    """Yield (URL, the URLs to which it redirected) of the pages that were read through redirects, in order."""
    for url, final_url, hops in journal.query(_REDIRECTS):
        yield url, [*json.loads(hops)[1:], final_url]


def reader(journal: Journal, link: int | None, url: str) -> int | None:
    """Return the id of the link through which the page of a URL was read, itself or another; None for an unread page.

    Args:
        journal: the journal of a run.
        link: id of the URL; None where the run does not know it.
        url: the URL.
    """
    failure, *ends = next(journal.query(_LAST_OUTCOME, (link,)), ("none", None, None))
    if failure is None:
        return link
    found = (read_through(journal, end) for end in (url, *ends) if end)
    return next((other for _, _, other in filter(None, found)), None)
