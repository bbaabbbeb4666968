"""How many relevant pages showed the classes that a person accepted from pages, by the record of verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from kg.key_weights import PageCount
from kg.records import WeightedTerm
from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import reviewed
from ontology.terms.wordforms import normal


def page_counts(space: Workspace, topic_name: str, terms: Iterable[WeightedTerm]) -> dict[str, PageCount]:
    """Return the number of relevant pages that showed the concepts of a topic.

    The numbers are those of the proposals as they were when they were accepted, so a graph that is filled again gives
    the same weights.

    Args:
        space: the workspace, with the verdicts.
        topic_name: name of the topic.
        terms: concepts of one of its ontologies.

    Returns:
        IRI of a concept -> the pages of its accepted proposal, of several that with the largest share. Concepts that
        did not come from pages are left out.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
    """
    shown: dict[str, PageCount] = {}
    for one in reviewed.read_verdicts(space, topic_name).standing.values():
        p = one.proposal
        if one.status == "accepted" and p.kind != "relation" and p.of_pages:
            name, count = normal(p.term), PageCount(p.pages, p.of_pages)
            shown[name] = max(count, shown.get(name, count), key=_share)
    counts = {}
    for term in terms:
        found = [shown[name] for _, form in term.forms if (name := normal(form)) in shown]
        if found:
            counts[term.iri] = max(found, key=_share)
    return counts


def _share(count: PageCount) -> float:
    return count.pages / count.of_pages
