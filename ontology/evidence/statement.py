"""What a sentence states of two names; the patterns of both languages return it."""

from __future__ import annotations

from typing import NamedTuple

from ontology.evidence.claims import Rule

DEFINITION = "X is a Y"
"""The English pattern of definitions; one sentence of it is evidence enough (docs/learn.md)."""


class Statement(NamedTuple):
    """A statement of one sentence: every ``narrower`` is a ``broader``, or both are the same (rule "synonym").

    Attributes:
        narrower: a name of the corpus.
        broader: a name of the corpus, or a noun that is none.
        pattern: the form of the sentence: "X such as Y".
        rule: "pattern" or "synonym".
    """

    narrower: str
    broader: str
    pattern: str
    rule: Rule = "pattern"
