"""What an exploration knows, and what it asks, as JSON values: for `ontology settle --json` and the explorer."""

from __future__ import annotations

from typing import Any

from ontocrawl.settling.session import Session


def document(session: Session) -> dict[str, Any]:
    """Return what is known: the order, the implications and examples, and what is open."""
    exploration = session.exploration
    left = session.open_questions(combinations=True)
    order_left = session.open_questions(combinations=False)
    return {
        "ontology": session.learned.ontology.iri,
        "terms": list(session.labels),
        "settled": not order_left,
        "complete": not left,
        "answers": len(session.record.answers),
        "open": [list(asked.about) for asked in (left if session.combinations else order_left)],
        "edges": [{"term": a, "relation": kind, "value": b} for kind, a, b in session.needed_edges()],
        "implications": [{"premise": p, "conclusion": c} for p, c in exploration.named_implications()],
        "examples": [
            {"name": e.name, "has": exploration.names(e.has), "lacks": exploration.names(e.lacks)}
            for e in exploration.examples
        ],
    }
