"""The way back from the crawl to the ontology: proposals that many pages support are accepted and applied.

A person decides about proposals (`ontocrawl enrich review`). The demo has no person, so it accepts by a threshold and
says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import applying, reviewing
from ontocrawl.enrichment.proposals import Suggestion
from ontocrawl.enrichment.verdict_checks import VerdictError
from ontocrawl.topics.topics import Topic
from ontology.enrichment import Verdict

MIN_PAGES = 10
"""Relevant pages that a proposal must stand on to be accepted without a person."""
WHO = "ontocrawl demo"


@dataclass(frozen=True)
class Enriched:
    """What the proposals of a crawl made of an ontology.

    Attributes:
        proposed: all proposals.
        accepted: those that are in the new version.
        refused: those that stand on enough pages and could not be accepted, with the reason.
        version: the new version.
        prior: the version before.
    """

    proposed: tuple[Suggestion, ...]
    accepted: tuple[Suggestion, ...]
    refused: tuple[tuple[Suggestion, str], ...]
    version: str
    prior: str

    @property
    def rule(self) -> str:
        """How the demo decided, in a sentence."""
        return (
            f"Accepted without a person: {len(self.accepted)} of {len(self.proposed)} proposals, those on at least "
            f"{MIN_PAGES} relevant pages. Version {self.prior} of the ontology became {self.version}."
        )


def enrich(space: Workspace, topic: Topic, graph: GraphStore, proposed: Sequence[Suggestion]) -> Enriched:
    """Accept the proposals that enough pages support, and write the next version of the topic's ontologies.

    The steps are those of `enrich decide ID accept` for each of them, and of `enrich apply`.

    Args:
        space: the workspace.
        topic: the topic.
        graph: the open graph, with the proposals.
        proposed: the proposals, best first.
    """
    refused = []
    for one in proposed:
        if one.pages < MIN_PAGES:
            continue
        why = f"on {one.pages} relevant pages; the threshold is {MIN_PAGES}"
        try:
            reviewing.decide(space, topic, one, Verdict("accept"), who=WHO, when=workspace.now(), why=why, graph=graph)
        except VerdictError as error:
            refused.append((one, str(error)))
    outcome = applying.apply(space, topic, applying.Options(WHO, workspace.now()))
    came = set(outcome.accepted)
    return Enriched(
        tuple(proposed),
        tuple(one for one in proposed if one.id in came),
        tuple(refused),
        outcome.version,
        outcome.prior,
    )
