"""Parameters of the crawlers of paper 003, Algorithm 1, line 1 (crawler.strategies.bayes_blocks)."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.parameters import CheckedParameters, Choice, Form, Range, Weight, parameter


@dataclass(frozen=True)
class BlockParameters(CheckedParameters):
    """Algorithm 1, line 1."""

    tau: float = parameter(
        0.7,
        "All links of a page are sub-links if its R is greater, else those of its relevant blocks.",
        Range(0.0, 1.0),
    )
    lambda_: float = parameter(
        0.3,
        "A block is relevant if its R is greater, a sub-link is queued if E(l) is; the others are ``discarded``.",
        Range(0.0, 1.0),
    )
    alpha: float = parameter(0.5, "Weight of the page that the link points to.", Weight())
    beta: float = parameter(0.3, "Weight of the anchor.", Weight())
    gamma: float = parameter(0.2, "Weight of the context.", Weight())
    blocks: str = parameter(
        "all",
        'Content blocks: "all" (repaired), or "innermost" alone (printed), where text and links of others are lost.',
        Choice("all", "innermost"),
    )
    tunnel: str = parameter(
        "counted",
        'Pages of block-links: "counted" (repaired) are judged as all others, "literal" ones are followed unjudged.',
        Choice("counted", "literal"),
    )
    discarded: str = parameter(
        "last",
        'Links that are not queued, by tau, lambda_ or their page\'s class: "dropped" for good (printed), or '
        'they wait behind all others, "last" [R], where a crawl without better links follows them all the same.',
        Choice("last", "dropped"),
    )

    def follows(self, class_: str | None, R: float) -> bool:
        """Lines 10 to 15: return whether the links of a page with this class and relevance may be followed."""
        return True


@dataclass(frozen=True)
class ClassParameters(BlockParameters):
    """The same with a classifier. Raises ValueError for one without a class S, too."""

    classifier: str = parameter("", "File that `ontocrawl crawl train` wrote.", Form("nothing, a file *.json"))
    S: str = parameter("", "The class of the topic.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.classifier and not self.classifier.endswith(".json"):
            raise ValueError(f"parameter classifier must be one of: nothing, a file *.json, not {self.classifier!r}")
        if any(c.isspace() for c in self.S) or (self.classifier and not self.S):
            raise ValueError(f"parameter S must be one of the classifier's classes, without blanks, not {self.S!r}")

    def follows(self, class_: str | None, R: float) -> bool:
        """The same. Raises ValueError where a class is asked for and the crawl has no classifier."""
        if not self.S:
            return R > 0.0
        if class_ is None:
            raise ValueError("parameter S needs the parameter classifier, a file that crawl train wrote")
        return class_ == self.S
