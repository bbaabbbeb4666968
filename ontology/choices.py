"""The choices and defaults of ontology learning. Imports nothing, so that a command's help is quick."""

from __future__ import annotations

from typing import Literal, get_args

Reading = Literal["published", "significant", "tolerant", "evidence"]
"""How a hierarchy is read from a formal context; see ontology/hierarchy/readings.py."""
READINGS: tuple[Reading, ...] = get_args(Reading)
Unplaced = Literal["drop", "root"]
"""Treatment of terms without a broader one; see ontology/hierarchy/from_claims.py."""
UNPLACED: tuple[Unplaced, ...] = get_args(Unplaced)
Kind = Literal["fca", "lda", "apriori"]
"""Kinds of evidence: formal concept analysis, and with it topics or association rules. See ontology/evidence."""
KINDS: tuple[Kind, ...] = get_args(Kind)
MIN_DOCUMENTS, MAX_TERMS = 2, 300
"""Smallest number of documents of a term, and largest number of terms."""

Action = Literal["accept", "reject", "move", "rename", "merge", "split", "define", "translate", "withdraw"]
ACTIONS: tuple[Action, ...] = get_args(Action)
"""What a person can decide about an ontology (ontology/decisions)."""
