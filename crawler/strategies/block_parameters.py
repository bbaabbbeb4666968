"""Parameters of the crawlers of paper 003, Algorithm 1, line 1 (crawler.strategies.bayes_blocks)."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.parameters import check_sum, require_choice, require_range


@dataclass(frozen=True)
class BlockParameters:
    """Algorithm 1, line 1. Raises ValueError for a value out of its range, or weights whose sum is not 1."""

    tau: float = 0.7
    """All links of a page are sub-links if its R is greater, else those of its relevant blocks."""
    lambda_: float = 0.3
    """A block is relevant if its R is greater, a sub-link is queued if E(l) is; the others are ``discarded``."""
    alpha: float = 0.5
    """Weight of the page that the link points to."""
    beta: float = 0.3
    """Weight of the anchor."""
    gamma: float = 0.2
    """Weight of the context."""
    blocks: str = "all"
    """Content blocks: "all" (repaired), or "innermost" alone (printed), where text and links of others are lost."""
    tunnel: str = "counted"
    """Pages of block-links: "counted" (repaired) are judged as all others, "literal" ones are followed unjudged."""
    discarded: str = "last"
    """Links that are not queued, by tau, lambda_ or their page's class: "dropped" for good (printed), or they wait
    behind all others, "last" [R], where a crawl without better links follows them all the same."""

    def __post_init__(self) -> None:
        require_range("tau", self.tau, 0.0, 1.0)
        require_range("lambda_", self.lambda_, 0.0, 1.0)
        check_sum(alpha=self.alpha, beta=self.beta, gamma=self.gamma)
        require_choice("blocks", self.blocks, ("all", "innermost"))
        require_choice("tunnel", self.tunnel, ("counted", "literal"))
        require_choice("discarded", self.discarded, ("last", "dropped"))


@dataclass(frozen=True)
class ClassParameters(BlockParameters):
    """The same with a classifier. Raises ValueError for one without a class S, too."""

    classifier: str = ""
    """File that `ontocrawl crawl train` wrote."""
    S: str = ""
    """The class of the topic."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.classifier and not self.classifier.endswith(".json"):
            raise ValueError(f"parameter classifier must be one of: nothing, a file *.json, not {self.classifier!r}")
        if any(c.isspace() for c in self.S) or (self.classifier and not self.S):
            raise ValueError(f"parameter S must be one of the classifier's classes, without blanks, not {self.S!r}")
