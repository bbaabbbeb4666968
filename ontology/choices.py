"""What a user can choose where an ontology is learned, by name. Imports nothing, so that a command's help is quick."""

from __future__ import annotations

from typing import Literal, get_args

Reading = Literal["published", "significant", "tolerant", "evidence"]
"""How a hierarchy is read from a formal context; see ontology/hierarchy/readings.py."""
READINGS: tuple[Reading, ...] = get_args(Reading)
Unplaced = Literal["drop", "root"]
"""What becomes of terms without a broader one; see ontology/hierarchy/from_claims.py."""
UNPLACED: tuple[Unplaced, ...] = get_args(Unplaced)
Kind = Literal["fca", "lda", "apriori"]
"""What speaks for classes: formal concept analysis; topics, association rules beside it. See ontology/evidence."""
KINDS: tuple[Kind, ...] = get_args(Kind)
