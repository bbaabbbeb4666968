"""What a learned ontology says about a question: its edges, with papers and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ontocrawl.settling.terms import Learned
from ontocrawl.settling.wording import Wording
from ontology.model import Relation


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the ontology has a class above another one: the evidence of an edge."""

    told: str
    """The rule, the number of papers and one of them, and the class by way of which the other one is above."""
    titles: tuple[str, ...]
    """Titles of the papers."""
    sentence: str
    """The sentence that states it; empty if there is none."""


def reasons(learned: Learned, about: Sequence[str], choice: str, wording: Wording) -> list[Reason]:
    """Return why the ontology has a class above others.

    Args:
        learned: the ontology.
        about: labels of the narrower classes; of those that are not below the choice nothing is returned.
        choice: label of the broader class.
        wording: the language.

    Returns:
        The evidence of each edge towards the choice.
    """
    return [_reason(learned, edge, choice, wording) for label in about for edge in _towards(learned, label, choice)]


def lines(found: Iterable[Reason]) -> list[str]:
    """Return reasons as lines for a terminal or a table."""
    return [line for one in found for line in (one.told, *([f"“{one.sentence}”"] if one.sentence else []))]


def _towards(learned: Learned, narrow: str, broad: str) -> Iterator[Relation]:
    """Yield the edges from a class to its parents that are, or are below, another class."""
    low, high = learned.by_name.get(narrow), learned.by_name.get(broad)
    if low is None or high is None or low.iri == high.iri:
        return
    for edge in learned.ontology.edges("subclass_of"):
        if edge.source == low.iri and (edge.target == high.iri or high.iri in learned.above(edge.target)):
            yield edge


def _reason(learned: Learned, edge: Relation, choice: str, wording: Wording) -> Reason:
    zh = wording.language == "zh"
    target = learned.ontology.by_iri[edge.target].label
    parts = [edge.evidence]
    if edge.support:
        parts.append(f"{edge.support} 篇文献" if zh else f"{edge.support} paper{'s' * (edge.support != 1)}")
    titles = tuple(learned.titles[d] for d in edge.documents if d in learned.titles)
    if titles:
        parts.append(f"如《{titles[0]}》" if zh else f"such as {titles[0]}")
    if target != choice:
        parts.insert(0, f"经由“{target}”" if zh else f"by way of {wording.term(target)}")
    return Reason(("；" if zh else "; ").join(part for part in parts if part), titles, edge.sentence)
