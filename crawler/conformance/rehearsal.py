"""A rehearsal: the loop of crawler.protocol over a planted web, without HTTP, text or journal."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from crawler.conformance.answers import CheckedStrategy, ConformanceError, StrategyCall, through_storage
from crawler.conformance.planted import VOCABULARIES, PlantedWeb
from crawler.conformance.planted_tokens import PlantedTokens
from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.journal.snapshot import pack, unpack
from crawler.model import Budget, Floats, GuideScore, Ids, Outcome, PageScore
from crawler.pages.dates import day_of
from crawler.protocol import STRATEGY_FINISHED, CrawlLoop, Pick, Scheduler
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import FeatureError, expand
from crawler.strategies.base import SEED_PRIORITY, Strategy

RESCORE_EVERY = 10
"""Pages between two updates of the priorities of all queued links."""
DAMPING = 0.85
BEGUN = Budget(1, 100)


@dataclass(frozen=True)
class Conditions:
    """Conditions of the fetches. Late and reordered outcomes need ``in_flight`` > 1."""

    in_flight: int = 1
    reorder: bool = False
    failures: float = 0.0
    """Share of fetches that fail."""
    ask: int = 0
    """Links that ``choose`` is called for at a time; 0 for as many as may be in flight."""
    others: float = 0.0
    """Probability, before each outcome after the first, that another member of a mixture takes a link: one of the best
    in the queue, one that the strategy left out, or one that is new to it."""
    teach: int = 0
    """Pages between two verdicts of a person, for a strategy that takes them; 0 for no verdicts."""


CALM = Conditions()
WITHOUT_OUTCOME = 0.25
"""Share of the queued links that others take and that never have an outcome, as after a redirect to them."""
BEST = 10
"""Others take one of so many of the best queued links, as the strategy itself would choose."""


class PlantedFeatures:
    """The feature columns of links of a planted web. The target is predicted: half anchor, half parents (trap T4)."""

    def __init__(self, names: Sequence[str], web: PlantedWeb, graph: LinkGraph) -> None:
        self.web, self.graph = web, graph
        self._keys = {name: FeatureKey.parse(name) for name in names}
        self.page_of: list[int] = []
        """Page of each link id."""
        self._pagerank: Floats = np.empty(0)
        self._of_parents = {V: np.zeros(len(web.relevant)) for V in web.R}
        """Vocabulary -> sum of R over the fetched pages that contain each link."""

    def add_page(self, page: int, links: Ids) -> None:
        """Add a fetched page to the parents of its links."""
        for V, total in self._of_parents.items():
            total[links] += self.web.R[V][page]

    def refresh_pagerank(self) -> None:
        """Compute PageRank anew."""
        self._pagerank = pagerank(self.graph)

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Compute the columns of links: name -> shape (m,)."""
        m = self.graph.in_degree(links)
        pages = np.array(self.page_of, dtype=np.int64)[links]
        return {name: self._column(key, links, pages, m) for name, key in self._keys.items()}

    def _column(self, key: FeatureKey, links: Ids, pages: Ids, m: Ids) -> Floats:
        if not key.vocabulary:
            PR = np.append(self._pagerank, np.full(len(self.page_of) - len(self._pagerank), 1.0 - DAMPING))
            return PR[links] / (PR.max() if key.kind == "pagerank" else 1.0)
        anchor = np.where(m > 0, self.web.R_anchor[key.vocabulary][pages], 0.0)
        total = self._of_parents[key.vocabulary][links]
        parents = total / np.maximum(m, 1)
        return {
            "anchor": anchor,
            "context": 0.5 * anchor,
            "parents": parents,
            "parents_sum": total,
            "target": 0.5 * anchor + 0.5 * parents,
        }[key.kind]


class Rehearsal(CrawlLoop[int | None, tuple[int, int, str]]):
    """A crawl of the planted web; each ``step`` is a choice and an outcome."""

    def __init__(
        self, strategy: Strategy, web: PlantedWeb, seed: int, limit: int, conditions: Conditions = CALM
    ) -> None:
        """Start with the seeds of the web in the queue.

        Args:
            strategy: a new strategy.
            web: the web to crawl.
            seed: seed of the strategy's random generator, of failures and of the order of outcomes.
            limit: pages to fetch.
            conditions: conditions of the fetches; all but ``in_flight`` may be changed between two steps.

        Raises:
            ConformanceError: the strategy declares a feature column that no crawl has.
        """
        self.web, self.conditions = web, conditions
        self.tokens = PlantedTokens(web)
        self.luck = np.random.default_rng([seed, 1])
        frontier, graph = Frontier(feature_names(strategy)), LinkGraph()
        self.features = PlantedFeatures(frontier.feature_names, web, graph)
        self.checked = CheckedStrategy(strategy)
        rng = np.random.default_rng(seed)
        scheduler = Scheduler(self.checked, frontier, graph, self.features, rng, refresh_every=RESCORE_EVERY)
        scheduler.limit = limit
        super().__init__(scheduler, limit, conditions.in_flight)
        self.page_of = self.features.page_of
        self.id_of: dict[int, int] = {}
        self.trace: list[tuple[int, int, str]] = []
        """Page, tag and result of each fetch, in the order of the outcomes."""
        self.fetched: list[int] = []
        """Link ids of the fetched pages, in order."""
        self.gone: list[int] = []
        """Links that others took and that never have an outcome."""
        self._taught = 0
        """Pages that were fetched at the last verdict of a person."""
        scheduler.plant(self._discover(web.seeds.tolist()))

    @property
    def strategy(self) -> Strategy:
        """The rehearsed strategy."""
        return self.checked.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy) -> None:
        self.checked.strategy = strategy

    @property
    def calls(self) -> list[StrategyCall]:
        """All calls of the strategy."""
        return self.checked.calls

    @property
    def left(self) -> int:
        """Number of links that were queued when the strategy ended the crawl; 0 where it did not."""
        return len(self.scheduler.frontier) if self.stop_reason == STRATEGY_FINISHED else 0

    def run(self, steps: int | None = None) -> Rehearsal:
        """Run up to ``steps`` steps, or to the limit or the end of the crawl."""
        while (steps is None or steps > 0) and self.step():
            steps = None if steps is None else steps - 1
        return self

    def harvest(self) -> int:
        """Count the relevant fetched pages, by the planted labels."""
        return int(self.web.relevant[[self.page_of[link] for link in self.fetched]].sum())

    def reborn(self) -> Rehearsal:
        """Return the crawl as after it was saved, killed and resumed, with a new strategy and frontier."""
        kept = {id(self.web): self.web, id(self.strategy): type(self.strategy)(self.strategy.parameters)}
        twin = copy.deepcopy(self, kept)
        twin.scheduler.frontier = Frontier(self.scheduler.frontier.feature_names)
        twin.scheduler.restore(unpack(pack(self.scheduler.state())))
        return twin

    def between_calls(self) -> None:
        """Do nothing; called when the crawl may be saved: after a choice, ``tell`` or an absorbed outcome."""

    # ---- the fake source of pages -------------------------------------------------------------------------------

    def _end(self) -> str | None:
        return "limit_pages" if len(self.fetched) >= self.limit else self.stop_reason

    def _room(self) -> int:
        room = super()._room()
        return max(room, self.conditions.ask) if room > 0 else 0

    def _fill(self) -> None:
        if self._room() > 0 and self.conditions.others > 0.0 and self.fetched:
            self._let_others_take()
        if self.conditions.teach and len(self.fetched) >= self._taught + self.conditions.teach:
            self._teach()
        super()._fill()

    def _issue(self, room: int, picks: Sequence[Pick]) -> None:
        self.between_calls()

    def _wait(self) -> tuple[Pick, int | None]:
        """Return a link in flight and its page; None for the page of a failed fetch."""
        in_flight = list(self.scheduler.in_flight.values())
        pick = in_flight[int(self.luck.integers(len(in_flight))) if self.conditions.reorder else 0]
        fails = self.luck.random() < self.conditions.failures
        return pick, None if fails else self.page_of[pick.link]

    def _let_others_take(self) -> None:
        """Let another member take a link at times: the strategy receives its outcome with the tag -1, or none."""
        if self.luck.random() >= self.conditions.others:
            return
        kind, chance = int(self.luck.integers(3)), self.luck.random()
        frontier = self.scheduler.frontier
        best = frontier.top(BEST).tolist()
        left_out = np.setdiff1d(np.arange(frontier.n), [*frontier.queued(), *self.scheduler.visited]).tolist()
        unknown = [page for page in range(len(self.web.relevant)) if page not in self.id_of]
        candidates = (best, left_out, unknown)[kind]
        if not candidates:
            return
        link = candidates[int(chance * len(candidates))]
        if candidates is unknown:
            link = int(self._discover([link])[0])  # the candidates were pages
        if candidates is best:
            self.scheduler.withdraw(link)
            if self.luck.random() < WITHOUT_OUTCOME:
                self.gone.append(link)
                return
        self.scheduler.launch(link)

    def _teach(self) -> None:
        """Let a person like, dislike or forget a known page, as crawler.teaching does: it is queued if it is left."""
        if not self.strategy.is_teachable:
            return
        self._taught = len(self.fetched)
        link, liked = int(self.luck.integers(self.scheduler.frontier.n)), (True, False, None)[self.luck.integers(3)]
        if link not in self.scheduler.visited:
            self.scheduler.requeue([link], [SEED_PRIORITY])
        self.checked.teach(link, liked)
        self.scheduler.refresh()
        self.between_calls()

    # ---- absorbing a page ---------------------------------------------------------------------------------------

    def _absorb(self, pick: Pick, page: int | None) -> tuple[int, int, str]:
        self.trace.append((self.page_of[pick.link], pick.tag, "timeout" if page is None else "ok"))
        if page is None:
            self.scheduler.tell(pick.number, Outcome(pick.link, None, failure="timeout", tag=pick.tag))
            self.scheduler.release([pick.link])
        else:
            targets = self._add_links(pick.link, page)
            self.scheduler.tell(pick.number, self._outcome(pick, page, targets))
            self.between_calls()
            self.scheduler.offer(targets)
            self.scheduler.refresh_if_due()
        self.between_calls()
        return self.trace[-1]

    def _outcome(self, pick: Pick, page: int, targets: Ids) -> Outcome:
        """Return the outcome of a page: its score, class and day, and the parts that the strategy needs."""
        parts, to = self.strategy.page_parts, [self.page_of[link] for link in targets.tolist()]
        day, R = self.web.day[page], {V: float(of_pages[page]) for V, of_pages in self.web.R.items()}
        blocks = 0.5 * (self.web.R_anchor["TK"][to] + self.web.R["TK"][page]) if "block_scores" in parts else None
        return Outcome(
            pick.link,
            PageScore(R, R["TK"], bool(self.web.relevant[page])),
            targets,
            class_="topic" if self.web.in_class[page] else "other",
            published=day_of(float(day)),
            tag=pick.tag,
            block_scores=blocks,
            innermost=np.arange(len(to)) % 2 == 0 if "block_scores" in parts else None,
            segment_dates=np.where(self.web.R_anchor["TK"][to] > 0, day, np.nan) if "segment_dates" in parts else None,
            by_guide={guide: GuideScore(R, blocks) for guide in self.strategy.guides},
            **self.tokens.parts(page, to, parts),
        )

    def _add_links(self, link: int, page: int) -> Ids:
        self.fetched.append(link)
        self.scheduler.fetched += 1
        self._discover([target for target in self.web.out[page].tolist() if target not in self.id_of])
        targets = np.array([self.id_of[target] for target in self.web.out[page].tolist()], dtype=np.int64)
        self.scheduler.graph.add(link, targets.tolist())
        self.features.add_page(page, targets)
        return targets

    def _discover(self, pages: list[int]) -> Ids:
        host = self.web.host[pages].astype(np.float64)
        ids = self.scheduler.frontier.discover(
            host=host,
            directory=host,
            block=[0.0] * len(pages),
            step=[len(self.fetched)] * len(pages),
            date=self.web.day[pages],
        )
        self.page_of.extend(pages)
        self.id_of.update(zip(pages, ids.tolist(), strict=True))
        self.scheduler.graph.grow(self.scheduler.frontier.n)
        return ids


def revived(strategy: Strategy) -> Strategy:
    """Return a new strategy with the parameters and the state of this one, as after a crawl was killed."""
    twin = type(strategy)(strategy.parameters)
    twin.restore(through_storage(strategy.state()))
    return twin


def view_of(
    columns: Mapping[str, Sequence[float]],
    priority: Sequence[float],
    host: Sequence[int] | None = None,
    *,
    seeds: bool = False,
    budget: Budget = BEGUN,
) -> FrontierView:
    """Build a view of queued links 0, 1 .. for tests of a strategy's formulas.

    Args:
        columns: feature name -> value of each link.
        priority: priority of each link.
        host: number of each link's host; None for all 0.
        seeds: True for links that no page contains; otherwise one fetched page contains them all.
        budget: pages fetched, and the limit.

    Returns:
        A view of a new frontier.

    >>> view_of({"anchor:TK": [0.2, 0.7]}, priority=[0.5, 0.5]).feature("anchor:TK", np.array([1])).tolist()
    [0.7]
    """
    n = len(priority)
    frontier, graph = Frontier(tuple(columns)), LinkGraph()
    ids = frontier.discover(host=np.asarray(host if host is not None else [0] * n, dtype=np.float64))
    graph.grow(n + 1)
    if not seeds:
        graph.add(n, ids.tolist())
    for name, values in columns.items():
        frontier.set_feature(name, ids, np.asarray(values, dtype=np.float64))
    frontier.put(ids, np.asarray(priority, dtype=np.float64))
    return FrontierView(frontier, graph, budget)


def feature_names(strategy: Strategy) -> tuple[str, ...]:
    """Return the feature columns that a strategy declares, wildcards expanded.

    Raises:
        ConformanceError: an unknown column, or one of a vocabulary that the strategy does not declare.
    """
    try:
        names = expand(strategy.features, VOCABULARIES)
    except FeatureError as error:
        raise ConformanceError(f"{strategy.name}: {error}") from error
    for name in names:
        V = FeatureKey.parse(name).vocabulary
        if V and not any(fnmatchcase(V, pattern) for pattern in ("TK", *strategy.vocabularies)):
            raise ConformanceError(f"{strategy.name} reads feature {name!r}: name {V} in its `vocabularies`, too")
    return names


def pagerank(graph: LinkGraph, rounds: int = 30) -> Floats:
    """Compute PageRank by iteration, PR(P) = (1 - d) + d sum PR(T) / C(T), Eq. (7) of paper 000, with d = .85.

    Args:
        graph: links between the known pages.
        rounds: number of iterations.

    Returns:
        PR of every known page, shape (n,), at least 1 - d.

    >>> graph = LinkGraph()
    >>> graph.grow(2)
    >>> graph.add(0, [1])
    >>> pagerank(graph).round(4).tolist()
    [0.15, 0.2775]
    """
    C, links_to = np.maximum(graph.out_degree, 1), graph.matrix()
    PR: Floats = np.ones(graph.n)
    for _ in range(rounds):
        PR = (1.0 - DAMPING) + DAMPING * np.asarray(links_to.T @ (PR / C))
    return PR
