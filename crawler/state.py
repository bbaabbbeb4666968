"""What a crawl knows between two fetches, and how one page changes it. The same steps serve a crawl and its replay.

Nothing here fetches, reads a clock or writes; the random generator is part of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from crawler import url as urls
from crawler.dates import date_in_text, date_in_url, day_number, day_of
from crawler.frontier import Frontier, FrontierView
from crawler.graph import LinkGraph
from crawler.known import KnownUrls
from crawler.model import Budget, Floats, GuideScore, Ids, Outcome, PageScore, Picks
from crawler.page import Divisions, Extras, PageRecord
from crawler.scope import Scope
from crawler.scoring.guided import GuidedFeatures, expand_guided
from crawler.scoring.relevance import Relevance
from crawler.scoring.statistics import Statistics
from crawler.strategies.base import PAGE_PARTS, SEED_PRIORITY, Strategy
from crawler.text import Matcher, Vocabulary

ONLY = ""
"""Name of the guide of a crawl that has one."""


class SetupError(ValueError):
    """A crawl that cannot begin; the message says what to change."""


@dataclass(frozen=True)
class Judge:
    """Who decides that a page is relevant: R over TK by a named function against a threshold (algorithms.md 1.6)."""

    relevance: Relevance
    threshold: float
    strict: bool = True
    """True for R > threshold (papers 000 and 003), False for R >= threshold (002)."""

    def verdict(self, R: float) -> bool:
        return self.threshold < R if self.strict else self.threshold <= R


@dataclass(frozen=True)
class Setup:
    """Everything that determines a crawl besides its world."""

    strategy: Strategy
    vocabularies: Mapping[str, Vocabulary]
    guide: Relevance
    """Computes the strategy's features, R of pages, and R of the anchors that are kept with the links."""
    judge: Judge
    scope: Scope
    seeds: tuple[str, ...]
    seed: int = 0
    refresh_every: int = 25
    """Pages between two re-scorings of all queued links (paper 000, Algorithm 3, step 11, every page; trap T11)."""
    target: str = "predict"
    """Look-ahead at the target of a link (trap T4): predict, cached or oracle."""
    classify: Callable[[Sequence[tuple[str, str]]], str] | None = None
    """Class of a page from its (slot, text) segments; None for a crawl without a classifier."""
    guides: Mapping[str, Relevance] = field(default_factory=dict)
    """All guides by name, of a strategy whose members have their own; empty otherwise."""


@dataclass(frozen=True)
class Absorbed:
    """What one outcome did to the state."""

    outcome: Outcome
    duplicate: bool
    reasons: tuple[tuple[int, str], ...]
    """(link, reason code) of every distinct out-link, in page order."""
    anchor_relevance: Mapping[int, float]
    """Out-link -> R of its anchor under TK, Eq. (10)."""


Look = Callable[[Ids], None]


class CrawlState:
    """Frontier, link graph, statistics, features, the strategy's own state and the random generator."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.strategy = setup.strategy
        self.vocabularies = needed(setup)
        self.matcher = Matcher(tuple(setup.vocabularies.values()))  # all are counted and journalled, used or not
        divided = "block_scores" in page_parts(self.strategy)
        self.extras = Extras(Matcher((self.vocabularies["TK"],)) if divided else None, setup.classify)
        self.urls = KnownUrls()
        self.graph = LinkGraph()
        self.statistics = Statistics(setup.vocabularies)
        names = expand_guided(self.strategy.features, tuple(self.vocabularies))
        self.frontier = Frontier(names)
        self.guides = dict(setup.guides) or {ONLY: setup.guide}
        self._first = self.strategy.guide if setup.guides else ONLY
        self.features = GuidedFeatures(
            names, self.guides, self.vocabularies, self.statistics, self.graph, setup.target, self._known
        )
        self.rng = np.random.default_rng(setup.seed)
        self.fetched = 0
        self.relevant = 0
        self.visited: set[int] = set()
        self.seen_ahead: dict[int, PageRecord] = {}
        self._ahead_scores: dict[int, Mapping[str, Mapping[str, float]]] = {}
        self._out_of_scope: set[int] = set()

    # ---- choosing -----------------------------------------------------------------------------------------------

    def view(self, limit: int) -> FrontierView:
        return FrontierView(self.frontier, self.graph, Budget(self.fetched, limit))

    def plant_seeds(self) -> None:
        """Queue the seeds with priority 1, unasked (trap T11)."""
        if not self.setup.seeds:
            raise SetupError("a crawl needs at least one seed: give --seeds, or seeds in the topic's file")
        ids = self._discover(tuple(dict.fromkeys(self.setup.seeds)))
        self.frontier.put(ids, np.full(len(ids), SEED_PRIORITY))

    def choose(self, limit: int, n: int = 1) -> tuple[Picks, list[float]]:
        """The strategy's next picks, taken out of the frontier, with the priorities that they had."""
        picks = self.strategy.choose(self.view(limit), self.rng, n)
        if len(picks) > n or len(np.unique(picks.link)) != len(picks):
            raise RuntimeError(f"strategy {self.strategy.name} chose {picks.link.tolist()} where {n} were asked")
        priorities = self.frontier.priority(picks.link).tolist()
        self.frontier.take(picks.link)
        self.visited.update(picks.link.tolist())
        return picks, priorities

    def requeue(self, links: Sequence[int], priorities: Sequence[float]) -> None:
        """Queue links again that could not be fetched, with the priorities that they had."""
        ids = np.asarray(links, dtype=np.int64)
        self.visited.difference_update(ids.tolist())
        self.frontier.put(ids, np.asarray(priorities, dtype=np.float64))

    # ---- absorbing a page ---------------------------------------------------------------------------------------

    def absorb(self, link: int, tag: int, record: PageRecord, limit: int, look: Look | None = None) -> Absorbed:
        """Let an outcome change the state: tell, admit, priority (the order of the strategy seam)."""
        if record.failure is None and self._is_duplicate(link, record):
            record = replace(record, failure="duplicate_redirect", links=(), counts={})
        if record.failure is not None:
            outcome = Outcome(link, None, failure=record.failure, tag=tag)
            self.strategy.tell([outcome])
            return Absorbed(outcome, record.failure == "duplicate_redirect", (), {})
        self.statistics.add(record.counts)
        R = self._relevance_by_guide(record)
        score = self._score(record, R[self._first])
        self.fetched += 1
        self.relevant += score.relevant
        published = record.published or day_of(float(self.frontier.column("date", np.array([link]))[0]))
        targets, R_anchor = self._add_links(link, record, R, published)
        outcome = Outcome(link, score, targets, record.class_, None, published, tag=tag)
        outcome = self._with_parts(outcome, record, R)
        self.strategy.tell([outcome])
        reasons = self._offer(targets, limit, look)
        if self.setup.refresh_every and self.fetched % self.setup.refresh_every == 0:
            self.refresh(limit)
        return Absorbed(outcome, False, reasons, dict(zip(targets.tolist(), R_anchor.tolist(), strict=True)))

    def refresh(self, limit: int) -> None:
        """PageRank, features and priorities of all queued links anew (paper 000, Algorithm 3, step 11)."""
        self.features.refresh_pagerank()
        queued = self.frontier.queued()
        self._compute_features(queued)
        self.frontier.put(queued, self.strategy.priority(self.view(limit), queued))

    def knows_target(self, link: int) -> bool:
        """Whether the page of a link was seen ahead."""
        return link in self._ahead_scores

    def look_ahead(self, link: int, record: PageRecord) -> None:
        """Judge a link by its page: fetched for that, and kept (trap T4, oracle), or read by another run (cached)."""
        if self.setup.target == "oracle":
            self.seen_ahead[link] = record
        if record.failure is None:
            self._ahead_scores[link] = self._relevance_by_guide(record)
        else:
            self._ahead_scores[link] = dict.fromkeys(self.guides, dict.fromkeys(self.vocabularies, 0.0))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs besides the URLs and links, which the journal holds."""
        return {
            "frontier": self.frontier.state(),
            "statistics": self.statistics.state(),
            "features": self.features.state(),
            "strategy": self.strategy.state(),
            "rng": self.rng.bit_generator.state,
            "fetched": self.fetched,
            "relevant": self.relevant,
            "visited": np.asarray(sorted(self.visited), dtype=np.int64),
            "out_of_scope": np.asarray(sorted(self._out_of_scope), dtype=np.int64),
        }

    def restore(self, saved: Mapping[str, Any], known: Sequence[str], links: Sequence[tuple[int, list[int]]]) -> None:
        """Take a state back: ``known`` are the URLs by id, ``links`` the out-links of each page in fetching order."""
        self.urls.add(known)
        self.frontier.restore(saved["frontier"])
        self.graph.grow(len(known))
        for page, targets in links:
            self.graph.add(page, targets)
        self.statistics.restore(saved["statistics"])
        self.features.restore(saved["features"])
        self.strategy.restore(saved["strategy"])
        self.rng.bit_generator.state = saved["rng"]
        self.fetched = int(saved["fetched"])
        self.relevant = int(saved["relevant"])
        self.visited = {int(i) for i in saved["visited"]}
        self._out_of_scope = {int(i) for i in saved["out_of_scope"]}

    # ---- inside -------------------------------------------------------------------------------------------------

    def _page_relevance(self, relevance: Relevance, vocabulary: str, record: PageRecord) -> float:
        w = self.vocabularies[vocabulary].weights
        return relevance.page(record.counts[vocabulary], w, self.statistics, vocabulary, record.length)

    def _score(self, record: PageRecord, R: Mapping[str, float]) -> PageScore:
        """R under the guide for each vocabulary, and the judge's verdict."""
        judged = self._page_relevance(self.setup.judge.relevance, "TK", record)
        return PageScore(R, judged, self.setup.judge.verdict(judged))

    def _relevance_by_guide(self, record: PageRecord) -> dict[str, dict[str, float]]:
        return {
            guide: {name: self._page_relevance(relevance, name, record) for name in self.vocabularies}
            for guide, relevance in self.guides.items()
        }

    def _known(self, guide: str, link: int, vocabulary: str) -> float | None:
        scores = self._ahead_scores.get(link)
        return None if scores is None else scores[guide][vocabulary]

    def _is_duplicate(self, link: int, record: PageRecord) -> bool:
        """Whether a redirect led to a page that was fetched before; the final URL counts as visited from now on."""
        final = self.urls.id(record.final_url)
        if final == link:
            return False
        if final is None:
            final = int(self._discover((record.final_url,))[0])
        elif final in self.visited:
            return True
        elif self.frontier.is_queued(np.asarray([final]))[0]:
            self.frontier.take(np.asarray([final]))
        self.visited.add(final)
        return False

    def _discover(self, new: Sequence[str], blocks: Sequence[int] | None = None) -> Ids:
        """New rows for URLs, dated where a date is in the URL."""
        hosts, directories = self.urls.add(new)
        ids = self.frontier.discover(
            host=hosts,
            directory=directories,
            block=blocks or [0] * len(new),
            step=[self.fetched] * len(new),
            date=[day_number(date_in_url(url)) for url in new],
        )
        self.graph.grow(self.frontier.n)
        self._out_of_scope.update(int(i) for i, url in zip(ids, new, strict=True) if self.setup.scope.decide(url))
        return ids

    def _date(self, links: Ids, day: float) -> None:
        """A link's date is that in its URL, else its newest parent's (paper 001, section 4), of this day or NaN."""
        known = self.frontier.column("date", links)
        handed_down = [i for i in links[known < day].tolist() if date_in_url(self.urls.url(i)) is None]
        self.frontier.set_date(np.concatenate((links[np.isnan(known)], np.array(handed_down, dtype=np.int64))), day)

    def _add_links(
        self, page: int, record: PageRecord, R: Mapping[str, Mapping[str, float]], published: str | None
    ) -> tuple[Ids, Floats]:
        """Number the page's distinct links, put them into the graph, hand their texts to the features.

        ``R`` is the page's by guide and vocabulary. Answers their ids and the relevance of their anchors under TK.
        """
        links = {link.url: link for link in record.links}
        new = [link for link in links.values() if link.url not in self.urls]
        if new:
            self._discover([link.url for link in new], [link.block for link in new])
        ids = [self.urls.id(url) for url in links]
        targets = np.asarray([i for i in ids if i is not None and i != page], dtype=np.int64)
        texts = [link for link, i in zip(links.values(), ids, strict=True) if i != page]
        self._date(targets, day_number(published))
        self.graph.add(page, targets.tolist())
        self.features.add_page(page, R)
        anchors = self.matcher.count_many([link.anchor for link in texts])
        contexts = self.matcher.count_many([link.context for link in texts]) if self.features.needs_context else None
        self.features.add_links(targets, anchors, contexts, page)
        w = self.vocabularies["TK"].weights
        return targets, self.setup.guide.anchors(anchors["TK"], w, self.statistics, "TK")

    def _with_parts(self, outcome: Outcome, record: PageRecord, R: Mapping[str, Mapping[str, float]]) -> Outcome:
        """The outcome with the parts of the page that the strategy asks for, one value for each out-link."""
        parts = self.strategy.page_parts
        rows = {self.urls.id(link.url): at for at, link in enumerate(record.links)}
        at = np.asarray([rows[i] for i in outcome.out_links.tolist()], dtype=np.int64)
        R_B = dict[str, Floats]()
        if "block_scores" in parts and record.divisions is not None:
            of = record.divisions.of[at]
            R_B = {name: self._block_scores(guide, record.divisions)[of] for name, guide in self.guides.items()}
            outcome = replace(outcome, block_scores=R_B[self._first], innermost=record.divisions.innermost[of])
        if "segment_dates" in parts:
            days = [day_number(date_in_text(record.links[i].context)) for i in at.tolist()]
            outcome = replace(outcome, segment_dates=np.asarray(days, dtype=np.float64))
        if self.setup.guides:
            outcome = replace(outcome, by_guide={name: GuideScore(R[name], R_B.get(name)) for name in self.guides})
        return outcome

    def _block_scores(self, guide: Relevance, divisions: Divisions) -> Floats:
        """R under TK of each content block of a page, shape (blocks,)."""
        return guide.anchors(divisions.counts, self.vocabularies["TK"].weights, self.statistics, "TK")

    def _compute_features(self, links: Ids) -> None:
        for name, values in self.features.compute(links).items():
            self.frontier.set_feature(name, links, values)

    def _offer(self, targets: Ids, limit: int, look: Look | None) -> tuple[tuple[int, str], ...]:
        """Admit what is new or was rejected before, and re-score what is queued (trap T11)."""
        reason = {int(i): self._reason(int(i)) for i in targets}
        queued = targets[self.frontier.is_queued(targets)]
        offered = np.asarray([i for i, why in reason.items() if why == "offered"], dtype=np.int64)
        if look is not None and len(offered):
            look(offered)
        self._compute_features(targets)
        view = self.view(limit)
        if len(queued):
            self.frontier.put(queued, self.strategy.priority(view, queued))
        if len(offered):
            admitted = self.strategy.admit(view, offered)
            chosen = offered[admitted]
            if len(chosen):
                self.frontier.put(chosen, self.strategy.priority(view, chosen))
            for i, inside in zip(offered.tolist(), admitted.tolist(), strict=True):
                reason[i] = "admitted" if inside else "rejected_by_strategy"
        return tuple(reason.items())

    def _reason(self, link: int) -> str:
        if link in self.visited:
            return "visited"
        if link in self._out_of_scope:
            return self.setup.scope.decide(self.urls.url(link)) or "out_of_scope"
        return "queued" if self.frontier.is_queued(np.asarray([link]))[0] else "offered"


def needed(setup: Setup) -> dict[str, Vocabulary]:
    """TK, and the vocabularies that the strategy names. Raises SetupError where the topic lacks one."""
    names = ["TK"]
    for pattern in setup.strategy.vocabularies:
        found = [name for name in setup.vocabularies if fnmatchcase(name, pattern)]
        if not found and pattern.startswith("LTK"):
            raise SetupError(
                f"strategy {setup.strategy.name} needs local ontologies, and the topic has none: name them in its file "
                "after the global one (ontologies = [GLOBAL, LOCAL, ..]), or choose fcosa_g, which needs the global one"
            )
        if not found:
            raise SetupError(
                f"strategy {setup.strategy.name} needs the topic vector {pattern}, and the topic has "
                f"{', '.join(setup.vocabularies)}: give the topic an ontology (ontologies = [...] in its file), "
                "or choose a strategy that needs TK only"
            )
        names += found
    if "TK" not in setup.vocabularies:
        raise SetupError("the topic has no words: its file needs [[words]]")
    return {name: setup.vocabularies[name] for name in dict.fromkeys(names)}


def page_parts(strategy: Strategy) -> tuple[str, ...]:
    """What the strategy asks for of each page. Raises SetupError for what no page has."""
    unknown = [part for part in strategy.page_parts if part not in PAGE_PARTS]
    if unknown:
        raise SetupError(
            f"strategy {strategy.name} asks for {unknown[0]!r} of a page; there are {', '.join(PAGE_PARTS)}"
        )
    return strategy.page_parts


def host_of(state: CrawlState, link: int) -> str:
    """Host name of a known link."""
    return urls.host(state.urls.url(link))
