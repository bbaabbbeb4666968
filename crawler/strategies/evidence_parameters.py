"""Parameters of the strategy evidence_sum."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.parameters import CheckedParameters, Choice, Range, parameter
from crawler.scoring.link_evidence import TERMS


@dataclass(frozen=True)
class EvidenceParameters(CheckedParameters):
    """What the verdicts about fetched pages are taken from, and which terms count."""

    verdict: str = parameter(
        "guide",
        "R of a page as a probability: by the ``guide`` of the strategy, or by the ``judge`` of the crawl.",
        Choice("guide", "judge"),
    )
    words_from: int = parameter(30, "Pages from which the words of pages count in the verdicts.", Range(1, 10**9))
    taught_weight: float = parameter(
        1.0,
        "Pages as which one counts that a person liked or disliked.",
        Range(1.0, 1e6),
    )
    failure_weight: float = parameter(
        0.5, "Pages off the topic as which a link counts that led to no page; 0 to leave them out.", Range(0.0, 1.0)
    )
    without: str = parameter("none", "Term left out of the sum, to measure what it is worth.", Choice("none", *TERMS))
