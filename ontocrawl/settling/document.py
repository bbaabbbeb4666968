"""What an exploration knows, and what it asks, as JSON values: for `ontology settle --json` and the explorer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ontocrawl.settling.session import Asked, Session
from ontocrawl.settling.wording import Wording, reasons


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


def dialogue(session: Session, wording: Wording) -> dict[str, Any]:
    """Return what a page shows of a session: what is known, the question to ask next, and the answers so far.

    Args:
        session: the session.
        wording: the language.
    """
    asked, open_now = session.question(), session.open_questions()
    new, gone = session.due(wording)
    return {
        **document(session),
        "combinations": session.combinations,
        "revision": session.revision,
        "labels": {label: wording.term(label) for label in session.labels},
        "questions": len(open_now),
        "later": sum(one.question.generator in session.exploration.postponed for one in open_now),
        "question": None if asked is None else _question(session, asked, wording),
        "given": [{"text": wording.answered(one), "who": one.who, "when": one.when} for one in session.history[::-1]],
        "decisions": {"added": len(new), "withdrawn": len(gone)},
        "notes": list(session.notes),
        "by_way": [{"term": a, "value": b, "way": c} for a, b, c in session.still_learned()],
    }


def _question(session: Session, asked: Asked, wording: Wording) -> dict[str, Any]:
    return {
        "about": list(asked.about),
        "text": wording.question(asked.about, asked.choices),
        "may_be_none": asked.may_be_none and len(asked.about) > 1,
        "choices": [
            {
                "label": label,
                "text": wording.term(label),
                "suggested": label in asked.suggested,
                "reasons": [asdict(one) for one in reasons(session.learned, asked.about, label, wording)],
            }
            for label in asked.choices
        ],
    }
