"""What a Neo4j server is asked about its transactions: to end running ones, and which one was committed last.

Every user of the server may end their own transactions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

_RUNNING = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.ontocrawl = $mark RETURN transactionId AS id"


class Session(Protocol):
    """The part of a driver's session that is used here."""

    def run(self, query: str, **params: Any) -> Any:
        """Run an auto-committed statement; the rows are iterated over."""
        ...


def end_marked(session: Session, mark: str) -> None:
    """Ask the server to end the transactions whose metadata have a mark.

    Args:
        session: an open session.
        mark: value of their metadata ``ontocrawl``.
    """
    running = [row["id"] for row in session.run(_RUNNING, mark=mark)]
    if running:
        session.run("TERMINATE TRANSACTIONS $ids", ids=running).consume()


def revision(bookmarks: Iterable[str]) -> str | None:
    """Return the revision of a database from the bookmarks of a read; None for those of another server than Neo4j 5.

    Neo4j's bookmark has the identity of the database and the number of its last committed transaction: it stays the
    same from read to read until something is written. (SHOW DATABASES does not tell that number in all editions.)

    Args:
        bookmarks: the bookmarks of a session after a committed read that began without any.

    >>> revision(["FB:kcwQ"]), revision(["other:1"]), revision([])
    ('neo4j FB:kcwQ', None, None)
    """
    found = list(bookmarks)
    return f"neo4j {found[0]}" if len(found) == 1 and found[0].startswith("FB:") else None
