"""What persons decide about an ontology, kept in a file beside it and replayed by every build."""

from __future__ import annotations

from ontology.choices import ACTIONS, Action
from ontology.decisions.decision import Decision, DecisionError, in_force, withdrawals

__all__ = ["ACTIONS", "Action", "Decision", "DecisionError", "in_force", "withdrawals"]
