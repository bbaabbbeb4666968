"""When all queued links are scored again: after a number of pages, less often where the queue is long."""

from __future__ import annotations


def is_due(fetched: int, every: int, queued: int = 0, up_to: int = 0) -> bool:
    """Return whether all queued links are to be scored again; a function of the crawl alone, so that it is repeatable.

    The cost grows with the queue. With ``up_to``, a queue of more links is scored after 2 ``every`` pages, one of more
    than twice as many after 4 ``every``, and so on, so that the cost for each page stays the same.

    Args:
        fetched: pages fetched.
        every: pages between two re-scorings of a short queue; 0 for never.
        queued: number of queued links.
        up_to: largest number of links in a short queue; 0 where the length of the queue does not count.

    >>> [pages for pages in range(1, 401) if is_due(pages, 25, queued=300_000, up_to=50_000)]
    [200, 400]
    """
    if not every or fetched % every:
        return False
    times = 1
    while up_to and times * up_to < queued:
        times *= 2
    return fetched // every % times == 0
