"""Parameters of the crawlers of paper 003, Algorithm 1, line 1 (crawler.strategies.bayes_blocks)."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.parameters import CheckedParameters, Choice, Form, Range, Weight, parameter
from ontology.errors import Message


@dataclass(frozen=True)
class BlockParameters(CheckedParameters):
    """Parameters of Algorithm 1, line 1."""

    tau: float = parameter(
        0.7,
        "All links of a page are sub-links if its R is greater; otherwise those of its relevant blocks are followed.",
        Range(0.0, 1.0),
    )
    lambda_: float = parameter(
        0.3,
        "A block is relevant if its R is greater, a sub-link is queued if its E(l) is; for others see ``discarded``.",
        Range(0.0, 1.0),
    )
    alpha: float = parameter(0.5, "Weight of the page that the link points to.", Weight())
    beta: float = parameter(0.3, "Weight of the anchor.", Weight())
    gamma: float = parameter(0.2, "Weight of the context.", Weight())
    blocks: str = parameter(
        "all",
        'Content blocks: "all" (repaired), or only the "innermost" (printed), which loses text and links of others.',
        Choice("all", "innermost"),
    )
    tunnel: str = parameter(
        "counted",
        'Pages of block-links: "counted" (repaired), judged as all others, or "literal", followed without judgement.',
        Choice("counted", "literal"),
    )
    discarded: str = parameter(
        "dropped",
        'Links rejected by tau, lambda_ or the class of their page: "dropped" (printed), so that a crawl may end '
        'early, with an empty queue, or "last" [R], queued behind all others and followed when no better link is left.',
        Choice("last", "dropped"),
    )

    def follows(self, class_: str | None, R: float) -> bool:
        """Return whether the links of a page may be followed (lines 10 to 15).

        Args:
            class_: class of the page, None without a classifier.
            R: its relevance, in [0, 1].
        """
        return True


@dataclass(frozen=True)
class ClassParameters(BlockParameters):
    """Parameters of Algorithm 1, line 1, with a classifier.

    Raises:
        ValueError: a classifier without a class S, or a value that is not allowed.
    """

    classifier: str = parameter("", "File that `ontocrawl crawl train` wrote.", Form("nothing, a file *.json"))
    S: str = parameter("", "The class of the topic.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.classifier and not self.classifier.endswith(".json"):
            raise ValueError(Message("strategies.parameter_classifier_must_nothing", classifier=self.classifier))
        if any(c.isspace() for c in self.S) or (self.classifier and not self.S):
            raise ValueError(Message("strategies.parameter_s_must_classifier", s=self.S))

    def follows(self, class_: str | None, R: float) -> bool:
        """Return whether the class of a page is S, or R > 0 if S is not set (lines 10 to 15).

        Raises:
            ValueError: S is set and the crawl has no classifier.
        """
        if not self.S:
            return R > 0.0
        if class_ is None:
            raise ValueError(Message("strategies.parameter_s_needs_parameter"))
        return class_ == self.S
