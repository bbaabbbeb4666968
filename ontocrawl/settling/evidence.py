"""What a learned ontology says about a question: its edges, with papers and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ontocrawl.settling.terms import Learned
from ontocrawl.settling.wording import Wording
from ontology.model import Relation


def reasons(learned: Learned, about: Sequence[str], choice: str, wording: Wording) -> list[str]:
    """Return why the ontology has a class above others.

    Args:
        learned: the ontology.
        about: labels of the narrower classes; of those that are not below the choice nothing is returned.
        choice: label of the broader class.
        wording: the language.

    Returns:
        Lines: the evidence of the edge towards the choice, and the sentence that states it, if there is one.
    """
    edges = (edge for label in about for edge in _towards(learned, label, choice))
    return [line for edge in edges for line in _told(learned, edge, choice, wording)]


def _towards(learned: Learned, narrow: str, broad: str) -> Iterator[Relation]:
    """Yield the edges from a class to its parents that are, or are below, another class."""
    low, high = learned.by_name.get(narrow), learned.by_name.get(broad)
    if low is None or high is None or low.iri == high.iri:
        return
    for edge in learned.ontology.edges("subclass_of"):
        if edge.source == low.iri and (edge.target == high.iri or high.iri in learned.above(edge.target)):
            yield edge


def _told(learned: Learned, edge: Relation, choice: str, wording: Wording) -> Iterator[str]:
    zh = wording.language == "zh"
    target = learned.ontology.by_iri[edge.target].label
    parts = [edge.evidence]
    if edge.support:
        parts.append(f"{edge.support} 篇文献" if zh else f"{edge.support} paper{'s' * (edge.support != 1)}")
    titles = [learned.titles[d] for d in edge.documents if d in learned.titles]
    if titles:
        parts.append(f"如《{titles[0]}》" if zh else f"such as {titles[0]}")
    if target != choice:
        parts.insert(0, f"经由“{target}”" if zh else f"by way of {wording.term(target)}")
    yield ("；" if zh else "; ").join(part for part in parts if part)
    if edge.sentence:
        yield f"“{edge.sentence}”"
