"""Commands of a Neo4j server about its transactions: end the running ones, and tell the last one that was committed.

Every user of the server may run them on their own transactions and on databases that they may read.
"""

from __future__ import annotations

from typing import Any, Protocol

_RUNNING = "SHOW TRANSACTIONS YIELD transactionId, metaData WHERE metaData.ontocrawl = $mark RETURN transactionId AS id"
_LAST = "YIELD databaseID AS id, lastCommittedTxn AS last"


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


def revision(session: Session, database: str | None) -> str | None:
    """Return the identity of a database and its last committed transaction; None where the server does not tell it.

    Args:
        session: an open session.
        database: name of the database; None for that of the user.
    """
    if database is None:
        rows = list(session.run(f"SHOW HOME DATABASE {_LAST}"))
    else:
        rows = list(session.run(f"SHOW DATABASE $name {_LAST}", name=database))
    known = {(row["id"], row["last"]) for row in rows}
    if len(known) != 1 or None in next(iter(known)):
        return None
    identity, last = known.pop()
    return f"neo4j {identity} {last}"
