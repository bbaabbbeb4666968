"""What determines a crawl: its setup, its limits, and how it fetches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property

from crawler.expected_gain import Harvest
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.pool import FetchPool, Renderer
from crawler.fetching.retries import NO_RETRIES, Retry
from crawler.frontier.prior import Prior
from crawler.model import Failure
from crawler.pages.directives import ROBOT
from crawler.pages.page import Extras, PageRecord, mark, page_record
from crawler.pages.ways import ALL_WAYS, Ways
from crawler.scope import Scope
from crawler.scoring.relevance import Relevance
from crawler.strategies.base import PAGE_PARTS, Strategy
from crawler.text import Matcher, Vocabulary
from crawler.weights import Weights, WeightsError, digest_of
from ontology.errors import OntocrawlError


@dataclass(frozen=True)
class Limits:
    """Limits of a crawl; 0 for no limit."""

    pages: int = 0
    seconds: float = 0.0
    relevant: int = 0
    """Pages that the judge finds relevant."""
    generations: int = 0
    """Generations of a population method."""
    gain: int = 0
    """Relevant pages that the next ones may still have, so that the crawl goes on (crawler.expected_gain)."""
    failures_in_a_row: int = 25
    """Links in a row without a response, from which the network may be down (crawler.reachability)."""

    def reached(self, harvest: Harvest) -> str | None:
        """Return the limit that a crawl with these pages has reached, as a stop reason; None for none.

        >>> harvest = Harvest([True, False, True] + [False] * 500)
        >>> [Limits(pages=900, relevant=2).reached(harvest), Limits(gain=9).reached(harvest)]
        ['limit_relevant', 'limit_gain']
        >>> Limits(pages=900, gain=1).reached(harvest) is None
        True
        """
        if self.pages and len(harvest) >= self.pages:
            return "limit_pages"
        if self.relevant and harvest.relevant >= self.relevant:
            return "limit_relevant"
        is_spent = self.gain and harvest.gain is not None and harvest.gain.high < self.gain
        return "limit_gain" if is_spent else None

    def generations_of(self, strategy: Strategy) -> int:
        """Return the limit of generations. Raises SetupError for a limit of a strategy that has no generations."""
        if self.generations and strategy.generation is None:
            raise SetupError("crawler.generations", strategy=strategy.name)
        return self.generations


@dataclass(frozen=True)
class Fetching:
    """How a crawl fetches."""

    fetcher: Fetcher
    in_flight: int = 1
    """Maximum number of links in flight; 1 is the sequence of the papers."""
    reproducible: bool = False
    """Whether outcomes are absorbed in the order of choice, so that the trace does not depend on the network's pace."""
    workers: int = 0
    """Number of threads that make requests; 0 for a world in memory."""
    parsers: int = 0
    """Number of processes that parse pages; 0 to parse in the process of the crawl."""
    schedule: HostSchedule | None = None
    """The clocks of the hosts; None for no delays."""
    retries: Mapping[str, Retry] = field(default_factory=lambda: NO_RETRIES)
    renderer: Renderer | None = None
    """Renders pages that need a browser; None to take them as they come."""
    page: Callable[[str, Fetched | Failure, Matcher, Extras], PageRecord] = page_record
    """Makes the record of a page in the process of the crawl; another one may keep the records of a frozen web."""

    def pool(self, read: Callable[[str, Fetched | Failure], PageRecord]) -> FetchPool[PageRecord]:
        """Return a new pool of fetches; ``read`` makes the record of a page from the result of its exchange."""
        return FetchPool(
            self.fetcher, read, self.schedule, workers=self.workers, retries=self.retries, renderer=self.renderer,
            mark=mark,
        )  # fmt: skip


class SetupError(OntocrawlError, ValueError):
    """Error for a crawl that cannot begin; the message says what to change."""


@dataclass(frozen=True)
class Judge:
    """The decision whether a page is relevant: its R over TK against a threshold (algorithms.md 1.6)."""

    relevance: Relevance
    threshold: float
    strict: bool = True
    """True for R > threshold (papers 000 and 003), False for R >= threshold (002)."""

    def verdict(self, R: float) -> bool:
        """Return whether a page of relevance R counts as relevant."""
        return self.threshold < R if self.strict else self.threshold <= R


@dataclass(frozen=True)
class Setup:
    """Everything that determines a crawl besides its world."""

    strategy: Strategy
    vocabularies: Mapping[str, Vocabulary]
    guide: Relevance
    """Relevance function for the strategy's features, R of pages, and R of the anchors that are kept with the links."""
    judge: Judge
    scope: Scope
    seeds: tuple[str, ...]
    seed: int = 0
    refresh_every: int = 25
    """Pages between two re-scorings of all queued links (paper 000, Algorithm 3, step 11, every page; trap T11)."""
    short_queue: int = 0
    """Number of queued links above which these re-scorings become rarer; 0 for never (crawler.frontier.rescoring)."""
    per_host: int = 0
    """Maximum number of links of a host in one choice (crawler.rounds); 0 for no limit."""
    strict_filter: bool = False
    """Whether links that the strategy does not admit are left out, as in the papers, and not taken when nothing else is
    left."""
    prior: Prior = field(default_factory=Prior)
    """What earlier crawls found out of ranks, hosts and words of links; empty by default."""
    target: str = "predict"
    """Look-ahead at the target of a link (trap T4): predict, cached or oracle."""
    classify: Callable[[Sequence[tuple[str, str]]], str] | None = None
    """Classifier of a page by its (slot, text) segments; None for a crawl without one."""
    robot: str | None = ROBOT
    """Name of the crawler in directives of pages for robots (nofollow, noindex); None to ignore these."""
    ways: Ways = ALL_WAYS
    """The kinds of links that are followed."""
    documents: bool = False
    """Whether PDF and Word files are read."""
    guides: Mapping[str, Relevance] = field(default_factory=dict)
    """Guides by name for a strategy whose members have different ones; empty otherwise."""
    guides_under: Callable[[Weights], Mapping[str, Relevance]] = field(default=lambda weights: {})
    """Makes the guides that depend on the topic vectors, by name, for new ones; the others stay."""

    @property
    def sizes(self) -> dict[str, int]:
        """Number of words of each vocabulary."""
        return {name: len(vocabulary) for name, vocabulary in self.vocabularies.items()}

    @cached_property
    def matcher(self) -> Matcher:
        """Finds the words of the vocabularies in texts."""
        return Matcher(tuple(self.vocabularies.values()))

    def misfit(self, weights: Weights) -> str:
        """Return why a crawl of this setup cannot take new weights; empty where it can."""
        new = weights.vocabularies
        if "TK" not in new or digest_of({"TK": new["TK"]}) != digest_of({"TK": self.vocabularies["TK"]}):
            return "the topic's own words (TK) are others: pages of one run are judged by one vector"
        lost = needed(self).keys() - new.keys()
        more = {name for name in new.keys() - self.vocabularies.keys() if name.startswith("LTK")}
        if lost or more:
            return f"the topic has other ontologies: {', '.join(sorted(lost | more))} of one version are not in another"
        return ""

    def under(self, weights: Weights) -> Setup:
        """Return the setup with new weights. Raises WeightsError where they do not fit."""
        if why := self.misfit(weights):
            raise WeightsError("crawler.weights_misfit", why=why)
        made = self.guides_under(weights)
        ordered = sorted(weights.vocabularies, key=[*self.vocabularies, *weights.vocabularies].index)
        return replace(
            self,
            vocabularies={name: weights.vocabularies[name] for name in ordered},
            guide=made.get(self.strategy.guide, self.guide),
            guides={name: made.get(name, guide) for name, guide in self.guides.items()},
        )


def needed(setup: Setup) -> dict[str, Vocabulary]:
    """Return TK and the vocabularies that the strategy declares. Raises SetupError where the topic lacks one."""
    names = ["TK"]
    for pattern in setup.strategy.vocabularies:
        matching = [name for name in setup.vocabularies if fnmatchcase(name, pattern)]
        if not matching and pattern.startswith("LTK"):
            raise SetupError("crawler.local_ontologies", strategy=setup.strategy.name)
        if not matching:
            raise SetupError(
                "crawler.strategy_vector",
                strategy=setup.strategy.name,
                pattern=pattern,
                vocabularies=", ".join(setup.vocabularies),
            )
        names += matching
    if "TK" not in setup.vocabularies:
        raise SetupError("crawler.topic_words")
    return {name: setup.vocabularies[name] for name in dict.fromkeys(names)}


def page_parts(strategy: Strategy) -> tuple[str, ...]:
    """Return the parts of pages that the strategy needs. Raises SetupError for an unknown part."""
    unknown = [part for part in strategy.page_parts if part not in PAGE_PARTS]
    if unknown:
        raise SetupError(
            "crawler.strategy_asks_page", strategy=strategy.name, unknown=unknown[0], page_parts=", ".join(PAGE_PARTS)
        )
    return strategy.page_parts
