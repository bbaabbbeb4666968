"""The rules of the alignment, and the confidence of a mapping by each.

The confidence of a row is an estimate of the probability that the row is right:

    confidence = (right + 1) / (judged + 2) / candidates

``right`` of ``judged`` rows by the same rule were right in the judged sample (docs/judged-mappings.tsv; Laplace's rule
of succession keeps small samples from 0 and 1), and ``candidates`` is the number of concepts that fit equally well.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Literal, get_args

Rule = Literal["equal labels", "lexicon", "paired keywords", "label and synonym", "shared name", "head"]
RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of trust: the first four make exact mappings, "shared name" close ones, "head" broad ones."""


@lru_cache(maxsize=1)
def judged() -> dict[str, tuple[int, int]]:
    """Return rule -> (right, judged) of the judged sample."""
    text = (resources.files("ontology") / "data" / "mapping_rules.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {rule: (int(right), int(total)) for rule, total, right in rows}


def confidence(rule: Rule, candidates: int = 1) -> float:
    """Return the confidence of a mapping.

    Args:
        rule: the rule that found it.
        candidates: number of concepts that fit equally well, 1 or more.

    Returns:
        The estimated probability that the mapping is right, in (0, 1), to three digits.
    """
    right, total = judged().get(rule, (0, 0))
    return round((right + 1) / (total + 2) / candidates, 3)
