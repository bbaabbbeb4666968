"""A rehearsal: the loop of crawler.protocol over a planted web, without HTTP, text or journal."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from crawler.conformance.answers import CheckedStrategy, ConformanceError, StrategyCall, through_storage
from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.journal.snapshot import pack, unpack
from crawler.model import Bools, Budget, Floats, GuideScore, Ids, Outcome, PageScore, Pick, TokenRows
from crawler.pages.dates import day_of
from crawler.protocol import STRATEGY_FINISHED, CrawlLoop, Scheduler
from crawler.scoring.crawled_rank import CrawledRank
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.features import CRAWLED, RANKS, FeatureError, expand
from crawler.strategies.base import SEED_PRIORITY, Strategy

_RESCORE_EVERY = 10
"""Pages between two updates of the priorities of all queued links."""
_DAMPING = 0.85
_BEGUN = Budget(1, 100)


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
    strict_filter: bool = True
    """Whether links that the strategy rejects are left out, and not taken when nothing else is left."""
    teach: int = 0
    """Pages between two verdicts of a person, for a strategy that takes them; 0 for no verdicts."""


CALM = Conditions()
_WITHOUT_OUTCOME = 0.25
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
        self._crawled = CrawledRank(graph)
        self._of_parents = {V: np.zeros(len(web.relevant)) for V in web.R}
        """Vocabulary -> sum of R over the fetched pages that contain each link."""

    def add_page(self, link: int, page: int, links: Ids) -> None:
        """Add a fetched page to the parents of its links; ``link`` is its id in the graph."""
        self._crawled.add_page(link)
        for V, total in self._of_parents.items():
            total[links] += self.web.R[V][page]

    def refresh_pagerank(self) -> None:
        """Compute PageRank anew."""
        self._pagerank = pagerank(self.graph)
        self._crawled.settle()

    def compute(self, links: Ids) -> dict[str, Floats]:
        """Compute the columns of links: name -> shape (m,)."""
        m = self.graph.in_degree(links)
        pages = np.array(self.page_of, dtype=np.int64)[links]
        return {name: self._column(key, links, pages, m) for name, key in self._keys.items()}

    def _column(self, key: FeatureKey, links: Ids, pages: Ids, m: Ids) -> Floats:
        if RANKS.get(key.kind) == CRAWLED:
            return self._crawled.of(links)
        if not key.vocabulary:
            PR = np.append(self._pagerank, np.full(len(self.page_of) - len(self._pagerank), 1.0 - _DAMPING))
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
        self.tokens = _PlantedTokens(web)
        self.luck = np.random.default_rng([seed, 1])
        frontier, graph = Frontier(feature_names(strategy)), LinkGraph()
        self.features = PlantedFeatures(frontier.feature_names, web, graph)
        self.checked = CheckedStrategy(strategy)
        rng = np.random.default_rng(seed)
        refusals = None if conditions.strict_filter else _refuses_nothing
        scheduler = Scheduler(
            self.checked, frontier, graph, self.features, rng, refresh_every=_RESCORE_EVERY, refusals=refusals
        )
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
            if self.luck.random() < _WITHOUT_OUTCOME:
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
        self.features.add_page(link, page, targets)
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


def _refuses_nothing(links: Ids) -> dict[int, str]:
    return {}


def _revived(strategy: Strategy) -> Strategy:
    """Return a new strategy with the parameters and the state of this one, as after a crawl was killed."""
    twin = type(strategy)(strategy.parameters)
    twin.restore(through_storage(strategy.state()))
    twin.restore_fired(strategy.fired())
    return twin


def view_of(
    columns: Mapping[str, Sequence[float]],
    priority: Sequence[float],
    host: Sequence[int] | None = None,
    *,
    seeds: bool = False,
    budget: Budget = _BEGUN,
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
        names = expand(strategy.features, _VOCABULARIES)
    except FeatureError as error:
        raise ConformanceError("files.about", about=strategy.name, error=error) from error
    for name in names:
        V = FeatureKey.parse(name).vocabulary
        if V and not any(fnmatchcase(V, pattern) for pattern in ("TK", *strategy.vocabularies)):
            raise ConformanceError("conformance.reads_feature_name_too", strategy=strategy.name, name=name, v=V)
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
        PR = (1.0 - _DAMPING) + _DAMPING * np.asarray(links_to.T @ (PR / C))
    return PR


# ---- tokens of a planted web: pages, anchors, contexts and URLs as numbers, for strategies that ask for them
#
# A page has topical tokens in proportion to its R, some of which are words of the topic, and others that any page may
# have. An anchor names its page; where R of the anchor is above 0 it has a topical token too, as has the text around
# it.


LENGTH, AROUND = 60, 12
"""Tokens of a page, and of a context."""
TOPICAL, WORDS, COMMON = 20, 5, 300
"""Number of topical tokens, of the words of the topic among them, and of common tokens."""
WEIGHT = 0.8
_NAME, _HOST = 1_000, 100_000
"""First number of the tokens that name a page, and a host."""


class _PlantedTokens:
    """The tokens of a web; the same for the same page or link in every crawl."""

    def __init__(self, web: PlantedWeb) -> None:
        self._web = web

    def parts(self, page: int, to: Sequence[int], parts: Sequence[str]) -> dict[str, Any]:
        """Return the parts of the outcome of a page that are rows of tokens.

        Args:
            page: number of the page.
            to: pages that its links point to.
            parts: the parts that the strategy needs.
        """
        rows: dict[str, Callable[[], list[Ids]]] = {
            "tokens": lambda: [self._page(page)],
            "anchor_tokens": lambda: [self._anchor(target) for target in to],
            "context_tokens": lambda: [self._context(page, target) for target in to],
            "url_tokens": lambda: [np.array([_NAME + t, _HOST + self._web.host[t]]) for t in to],
        }
        return {name: _rows(make()) for name, make in rows.items() if name in parts}

    def _page(self, page: int) -> Ids:
        rng = np.random.default_rng([3, page])
        return np.append(_drawn(rng, LENGTH, 0.5 * self._web.R["TK"][page]), _NAME + page)

    def _anchor(self, target: int) -> Ids:
        rng = np.random.default_rng([4, target])
        return np.append(_drawn(rng, 1, float(self._web.R_anchor["TK"][target] > 0)), _NAME + target)

    def _context(self, page: int, target: int) -> Ids:
        rng = np.random.default_rng([5, page, target])
        return _drawn(rng, AROUND, 0.3 * self._web.R_anchor["TK"][target])


def _drawn(rng: np.random.Generator, n: int, topical: Floats | float) -> Ids:
    """Draw tokens, each topical with a probability."""
    tokens: Ids = np.where(rng.random(n) < topical, rng.integers(0, TOPICAL, n), TOPICAL + rng.integers(0, COMMON, n))
    return tokens


def _rows(rows: Sequence[Ids]) -> TokenRows:
    ids = np.concatenate([np.empty(0, dtype=np.int64), *rows]).astype(np.int32)
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return TokenRows(ids, indptr, np.where(ids < WORDS, WEIGHT, 0.0).astype(np.float32))


# ---- a planted web: pages as numbers, for rehearsals of strategies (crawler.testing)
#
# It has the properties that focused crawling relies on: few relevant pages, which link to each other more often than
# by chance (topical locality), on hosts that are more or less relevant, with anchors that are informative but not
# always right. It is generated from a seed, its labels first.


EVENT = date(2013, 11, 8)
"""Relevant pages are from the two months after this day, others from any time in ten years around it."""
_VOCABULARIES = ("TK", "GTK", "LTK_1", "LTK_2", "LTK_3")


@dataclass(frozen=True)
class PlantedWeb:
    """``n`` pages with everything that a strategy can receive about them. Page numbers are not link ids."""

    relevant: Bools
    """The planted label, shape (n,)."""
    host: Ids
    """Shape (n,)."""
    out: tuple[Ids, ...]
    """Distinct out-links of each page, in page order."""
    R: Mapping[str, Floats]
    """Vocabulary -> R(P) of every page, shape (n,), in [0, 1]."""
    R_anchor: Mapping[str, Floats]
    """Vocabulary -> R of the anchors that point to each page, shape (n,), in [0, 1]."""
    seeds: Ids
    day: Floats
    """Day of publication of each page as an ordinal, NaN where it has none, shape (n,)."""
    in_class: Bools
    """Whether a classifier assigns each page to the topic, with one error in ten; shape (n,)."""

    @classmethod
    def plant(cls, seed: int, n: int = 600, hosts: int = 20, degree: int = 8) -> PlantedWeb:
        """Generate a web in which a sixth of the pages and three of five seed pages are relevant.

        Args:
            seed: seed of the random generator.
            n: number of pages.
            hosts: number of hosts.
            degree: out-links drawn for each page; equal ones count once.
        """
        rng = np.random.default_rng(seed)
        host = rng.integers(0, hosts, n)
        relevant = rng.random(n) < np.where(host < hosts // 4, 0.45, 0.07)
        local = rng.integers(1, 4, n)  # the local topic, 1 to 3, of a relevant page
        out = tuple(_links(rng, page, relevant, host, degree) for page in range(n))
        informative = np.where(relevant, rng.random(n) < 0.7, rng.random(n) < 0.08)
        R, R_anchor = {}, {}
        for V in _VOCABULARIES:
            share = 1.0 if not V.startswith("LTK") else np.where(local == int(V[-1]), 1.0, 0.3)
            high, low = rng.uniform(0.55, 1.0, n), rng.uniform(0.0, 0.5, n) * (rng.random(n) < 0.4)
            R[V] = np.where(relevant, high * share, low)
            R_anchor[V] = np.where(informative, rng.uniform(0.4, 1.0, n) * share, 0.0)
        seeds = np.concatenate([rng.choice(np.flatnonzero(relevant), 3), rng.choice(np.flatnonzero(~relevant), 2)])
        day, in_class = _days_and_classes(np.random.default_rng([seed, 2]), relevant)
        return cls(relevant, host, out, R, R_anchor, np.unique(seeds), day, in_class)


def _days_and_classes(rng: np.random.Generator, relevant: Bools) -> tuple[Floats, Bools]:
    """Draw the day and the class of each page, from another generator than all else."""
    n = len(relevant)
    days = EVENT.toordinal() + np.where(relevant, rng.integers(0, 60, n), rng.integers(-1825, 1825, n))
    return np.where(rng.random(n) < 0.2, np.nan, days), relevant ^ (rng.random(n) < 0.1)


def _links(rng: np.random.Generator, page: int, relevant: Bools, host: Ids, degree: int) -> Ids:
    """Draw out-links: some within the host, some to relevant pages (more from relevant ones), the rest anywhere."""
    n = len(relevant)
    to_topic = rng.random(degree) < (0.45 if relevant[page] else 0.04)
    to_host = rng.random(degree) < 0.3
    anywhere = rng.integers(0, n, degree)
    within = rng.choice(np.flatnonzero(host == host[page]), degree)
    topical = rng.choice(np.flatnonzero(relevant), degree)
    targets = np.where(to_topic, topical, np.where(to_host, within, anywhere))
    distinct = np.array(list(dict.fromkeys(targets.tolist())), dtype=np.int64)
    others: Ids = distinct[distinct != page]
    return others


# ---- crawls that are saved, killed and resumed, and the attributes of a strategy that are lost by that


_KILLED_AFTER = (0, 1, 6, 30, 40)
"""Steps between the moments at which a crawl is killed, the first of them before any step."""


class Interrupted(Rehearsal):
    """A rehearsal whose strategy is saved and restored at every possible moment."""

    def between_calls(self) -> None:
        """Replace the strategy by one restored from its state."""
        self.strategy = _revived(self.strategy)


class Watched(Rehearsal):
    """An uninterrupted rehearsal that collects the attributes that a restored strategy would lose."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.forgotten: set[str] = set()
        """Attributes of the strategy that differ in a restored one."""

    def between_calls(self) -> None:
        """Compare the strategy with one restored from its state."""
        self.forgotten.update(_unrestored(self.strategy))


def killed_now_and_then(crawl: Rehearsal) -> Rehearsal:
    """Run the whole crawl, saved and restored completely at a few moments."""
    for steps in _KILLED_AFTER:
        crawl = crawl.run(steps).reborn()
    return crawl.run()


def _unrestored(strategy: Strategy) -> list[str]:
    """Return the names of the attributes that differ after ``restore`` of the strategy's ``state``."""
    before, restored = vars(strategy), vars(_revived(strategy))
    return [name for name in before if name not in restored or not _alike(before[name], restored[name])]


def advice(forgotten: set[str]) -> str:
    """Return advice to the author of a strategy, as a sentence."""
    mend = "put into state() all that its choices depend on, and take it back in restore()"
    if forgotten:
        return f"after restore() these attributes are not what they were: {', '.join(sorted(forgotten))}; {mend}"
    return f"{mend}; all attributes come back, so look for what it keeps elsewhere, as in its class or its module"


def _alike(one: object, other: object, depth: int = 10) -> bool:
    """Return whether two values are equal; objects without ``__eq__`` are compared by their attributes."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if depth == 0:
        return True  # objects that hold each other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key], depth - 1) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(_alike(a, b, depth - 1) for a, b in zip(one, other, strict=True))
    if type(one).__eq__ is object.__eq__ and hasattr(one, "__dict__"):
        return _alike(vars(one), vars(other), depth - 1)
    return bool(one == other)
