"""The last pages of a run, found from the end of its journal, so that a long run costs no more than a short one."""

from __future__ import annotations

from typing import Any

from crawler.journal import graph_rows
from crawler.journal.journal import Journal
from crawler.journal.ledger import NOINDEX

KEYS = ("step", "url", "final_url", "title", "relevance", "relevant", "priority", "failure")
"""Keys of a page."""
_NUMBER = "SELECT count(*) FROM event WHERE kind = 'outcome'"
_LAST = """
SELECT u.url, p.final_url, p.title, p.relevance, p.relevant, k.priority,
       CASE WHEN json_extract(e.data, '$.noindex') THEN ? ELSE p.failure END
FROM event e JOIN page p USING (seq) JOIN url u ON u.id = e.link
JOIN pick k ON k.number = json_extract(e.data, '$.pick')
WHERE e.kind = 'outcome' ORDER BY e.seq DESC LIMIT ?
"""


def last_pages(journal: Journal, number: int) -> list[dict[str, Any]]:
    """Return the last fetches of a run, the latest first.

    Args:
        journal: journal of the run, at one moment.
        number: maximum number of fetches.

    Returns:
        The values of KEYS for each fetch, those of `crawler.journal.graph_rows.outcomes`.
    """
    if journal.get("version") == 1:  # its outcomes do not name their pick
        rows = list(graph_rows.outcomes(journal))[::-1][:number]
        return [{key: getattr(row, key) for key in KEYS} for row in rows]
    ((fetches,),) = journal.query(_NUMBER)
    found = []
    for before, (*row, priority, failure) in enumerate(journal.query(_LAST, (NOINDEX, number))):
        url, final_url, title, R, relevant = row
        is_relevant = None if relevant is None else bool(relevant)
        page = (fetches - before, url, final_url, title, R, is_relevant, priority, failure)
        found.append(dict(zip(KEYS, page, strict=True)))
    return found
