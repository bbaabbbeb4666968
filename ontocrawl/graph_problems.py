"""A problem of a graph, with the way back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a graph, or worth a word."""

    kind: str
    """unreachable, unusable, server, newer, files, unreadable, lost, doubled_nodes, doubled_relationships, ownerless,
    keys, schema, run, topic or changing."""
    what: str
    mend: tuple[str, ...]
    """Commands in their order; a line that is none begins with "# "."""
    serious: bool = True
    """False for a remark, with which the graph is healthy all the same."""

    @classmethod
    def remark(cls, kind: str, what: str, mend: tuple[str, ...] = ()) -> Problem:
        """Return a remark."""
        return cls(kind, what, mend, serious=False)

    def as_json(self) -> dict[str, str]:
        """Return kind, what and mend (one command a line) as JSON values."""
        return {"kind": self.kind, "what": self.what, "mend": "\n".join(self.mend)}
