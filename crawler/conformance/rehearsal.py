"""A rehearsal: the loop's protocol played on a strategy over a planted web, without HTTP, text or journal."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from crawler.conformance.answers import Answer, ConformanceError, check_answer, check_picks, through_storage
from crawler.conformance.planted import VOCABULARIES, PlantedWeb
from crawler.dates import day_of
from crawler.frontier import Frontier, FrontierView
from crawler.graph import LinkGraph
from crawler.model import Budget, Floats, GuideScore, Ids, Outcome, PageScore, Picks
from crawler.scoring.features import KINDS, RANKS
from crawler.scoring.guided import named
from crawler.strategies.base import SEED_PRIORITY, Strategy

RESCORE_EVERY = 10
"""Pages between two re-scorings of all queued links."""
DAMPING = 0.85
BEGUN = Budget(1, 100)


@dataclass(frozen=True)
class Conditions:
    """How the fetches go. Late and reordered outcomes need ``in_flight`` > 1."""

    in_flight: int = 1
    reorder: bool = False
    failures: float = 0.0
    """Share of fetches that fail."""
    ask: int = 0
    """Links asked of ``choose`` at once; 0 asks for as many as may fly."""
    others: float = 0.0
    """Chance, before each outcome after the first, that another member of a mixture takes a link: one of the best in
    the queue, one that the strategy left out, or one that is new to it."""


CALM = Conditions()
UNTOLD = 0.25
"""Share of the queued links that others take and of which nothing is ever told, as where a redirect led to them."""
WANTED = 10
"""Others want the links that the strategy wants: they take one of so many of the best."""


class Rehearsal:
    """One crawl of the planted web. The caller owns it: ``step`` is one choice and one outcome."""

    def __init__(
        self, strategy: Strategy, web: PlantedWeb, seed: int, limit: int, conditions: Conditions = CALM
    ) -> None:
        self.strategy, self.web, self.limit, self.conditions = strategy, web, limit, conditions
        self.rng, self.luck = np.random.default_rng(seed), np.random.default_rng([seed, 1])
        self.graph = LinkGraph()
        self.frontier = Frontier(feature_names(strategy))
        self.pagerank: Floats = np.empty(0)
        self.page_of: list[int] = []
        self.id_of: dict[int, int] = {}
        self.pending: list[tuple[int, int]] = []
        self.trace: list[tuple[int, int, str]] = []
        """Page, tag and what became of it, in the order of the outcomes."""
        self.answers: list[Answer] = []
        """All that the strategy answered, in the order of the calls."""
        self.left: int | None = None
        """Links that were queued when the strategy ended the crawl, 0 where the queue did; None before the end."""
        self.fetched: list[int] = []
        """Link ids of the fetched pages, in order."""
        self.tags: set[int] = set()
        self.gone: list[int] = []
        """Links that others took, and of which nothing will be told."""
        self._of_parents = {V: np.zeros(len(web.relevant)) for V in web.R}
        """Vocabulary -> sum of R over the fetched pages that contain each link."""
        seeds = self._discover(web.seeds.tolist())
        self.frontier.put(seeds, np.full(len(seeds), SEED_PRIORITY))

    def view(self) -> FrontierView:
        return FrontierView(self.frontier, self.graph, Budget(len(self.fetched), self.limit))

    def run(self, steps: int | None = None) -> Rehearsal:
        """Go on to the limit, the end of the crawl, or for so many steps."""
        while (steps is None or steps > 0) and self.step():
            steps = None if steps is None else steps - 1
        return self

    def step(self) -> bool:
        """Fill the flight, tell one outcome; False where the crawl is over."""
        if len(self.fetched) >= self.limit or self.left is not None:
            return False
        if self._room() > 0 and self.conditions.others > 0.0 and self.fetched:
            self._let_others_take()
        if self._room() > 0 and len(self.frontier):
            n = max(self._room(), self.conditions.ask)
            self._issue(self.strategy.choose(self.view(), self.rng, n), n)
            self.between_calls()
        if not self.pending:
            self.left = len(self.frontier)
            return False
        link, tag = self.pending.pop(int(self.luck.integers(len(self.pending))) if self.conditions.reorder else 0)
        self._tell(link, tag, bool(self.luck.random() < self.conditions.failures))
        self.between_calls()
        return True

    def between_calls(self) -> None:
        """A moment at which the crawl may be saved: after a choice, after ``tell``, after an outcome is worked in."""

    def _room(self) -> int:
        """How many more picks may fly."""
        return min(self.conditions.in_flight, self.limit - len(self.fetched)) - len(self.pending)

    def _let_others_take(self) -> None:
        """Now and then another member's pick, which this strategy hears of with the tag -1, or never."""
        if self.luck.random() >= self.conditions.others:
            return
        kind, chance = int(self.luck.integers(3)), self.luck.random()
        wanted = self.frontier.top(WANTED).tolist()
        known = [*self.frontier.queued(), *self.fetched, *self.gone, *(link for link, _ in self.pending)]
        left_out = np.setdiff1d(np.arange(self.frontier.n), known).tolist()
        unknown = [page for page in range(len(self.web.relevant)) if page not in self.id_of]
        found = (wanted, left_out, unknown)[kind]
        if not found:
            return
        link = found[int(chance * len(found))]
        if found is unknown:
            link = int(self._discover([link])[0])  # found was a page
        if found is wanted:
            self.frontier.take(np.array([link]))
            if self.luck.random() < UNTOLD:
                self.gone.append(link)
                return
        self.pending.append((link, -1))

    def harvest(self) -> int:
        """Relevant fetched pages, by the planted labels."""
        return int(self.web.relevant[[self.page_of[link] for link in self.fetched]].sum())

    def reborn(self) -> Rehearsal:
        """The same crawl as if it had been saved, killed and resumed: a new strategy, frontier and generators."""
        twin = copy.copy(self)
        twin.strategy = revived(self.strategy)
        twin.frontier = Frontier(self.frontier.feature_names)
        twin.frontier.restore(self.frontier.state())
        twin.graph, twin.rng, twin.luck = copy.deepcopy((self.graph, self.rng, self.luck))
        twin.page_of, twin.id_of, twin.pending = list(self.page_of), dict(self.id_of), list(self.pending)
        twin.trace, twin.fetched, twin.tags = list(self.trace), list(self.fetched), set(self.tags)
        twin.answers, twin.gone, twin._of_parents = list(self.answers), list(self.gone), copy.deepcopy(self._of_parents)
        return twin

    def _issue(self, picks: Picks, n: int) -> None:
        """Check the picks and let them fly."""
        check_picks(picks, n, self.frontier.queued())
        self._note("choose", picks.link, [[tag, dict(move)] for tag, move in zip(picks.tag, picks.move, strict=True)])
        self.frontier.take(picks.link)
        self.pending.extend(zip(picks.link.tolist(), picks.tag or [-1] * len(picks), strict=True))
        known = self.tags.intersection(picks.tag)
        if known:
            raise ConformanceError(
                f"tags {sorted(known)} were given to earlier picks: number the picks of a whole crawl"
            )
        self.tags.update(picks.tag)

    def _tell(self, link: int, tag: int, fails: bool) -> None:
        page = self.page_of[link]
        self.trace.append((page, tag, "timeout" if fails else "ok"))
        if fails:
            self.strategy.tell([Outcome(link, None, failure="timeout", tag=tag)])
            return
        targets = self._add_links(link, page)
        R = {V: float(of[page]) for V, of in self.web.R.items()}
        score = PageScore(R, R["TK"], bool(self.web.relevant[page]))
        outcome = self._outcome(Outcome(link, score, out_links=targets, tag=tag), page)
        guided = {guide: GuideScore(R, outcome.block_scores) for guide in self.strategy.guides}
        self.strategy.tell([replace(outcome, by_guide=guided)])
        self.between_calls()
        self._offer(targets)
        if len(self.fetched) % RESCORE_EVERY == 0:
            self.pagerank = pagerank(self.graph)
            self._score(self.frontier.queued())

    def _outcome(self, outcome: Outcome, page: int) -> Outcome:
        """The outcome with class and day of the page, and with what the strategy asks for of its links' places."""
        parts, to = self.strategy.page_parts, [self.page_of[link] for link in outcome.out_links.tolist()]
        day = self.web.day[page]
        return replace(
            outcome,
            class_="topic" if self.web.in_class[page] else "other",
            published=day_of(float(day)),
            block_scores=0.5 * (self.web.R_anchor["TK"][to] + self.web.R["TK"][page])
            if "block_scores" in parts
            else None,
            innermost=np.arange(len(to)) % 2 == 0 if "block_scores" in parts else None,
            segment_dates=np.where(self.web.R_anchor["TK"][to] > 0, day, np.nan) if "segment_dates" in parts else None,
        )

    def _add_links(self, link: int, page: int) -> Ids:
        self.fetched.append(link)
        self._discover([target for target in self.web.out[page].tolist() if target not in self.id_of])
        targets = np.array([self.id_of[target] for target in self.web.out[page].tolist()], dtype=np.int64)
        self.graph.add(link, targets.tolist())
        for V, total in self._of_parents.items():
            total[targets] += self.web.R[V][page]
        return targets

    def _discover(self, pages: list[int]) -> Ids:
        host = self.web.host[pages].astype(np.float64)
        ids = self.frontier.discover(
            host=host,
            directory=host,
            block=[0.0] * len(pages),
            step=[len(self.fetched)] * len(pages),
            date=self.web.day[pages],
        )
        self.page_of.extend(pages)
        self.id_of.update(zip(pages, ids.tolist(), strict=True))
        self.graph.grow(self.frontier.n)
        return ids

    def _offer(self, targets: Ids) -> None:
        """Re-score the queued links that gained a parent, offer the others that are not fetched or in flight."""
        queued = self.frontier.is_queued(targets)
        gone = np.isin(targets, [*self.fetched, *self.gone, *(link for link, _ in self.pending)])
        self._score(targets[queued])
        offered = targets[~queued & ~gone]
        self._set_features(offered)
        if len(offered):
            admitted = self.strategy.admit(self.view(), offered)
            check_answer("admit", admitted, offered, np.bool_)
            self._note("admit", offered, admitted.tolist())
            self._score(offered[admitted])

    def _score(self, links: Ids) -> None:
        self._set_features(links)
        if len(links):
            priority = self.strategy.priority(self.view(), links)
            check_answer("priority", priority, links, np.float64)
            self._note("priority", links, priority.tolist())
            self.frontier.put(links, priority)

    def _note(self, method: str, links: Ids, of_each: list[Any]) -> None:
        self.answers.append(Answer(len(self.trace), method, links.tolist(), of_each))

    def _set_features(self, links: Ids) -> None:
        """The columns that the strategy declared. The target is predicted: half anchor, half parents (trap T4)."""
        m = self.graph.in_degree(links)
        pages = np.array(self.page_of, dtype=np.int64)[links]
        for name in self.frontier.feature_names:
            kind, _, V = name.partition("@")[0].partition(":")
            if not V:
                PR = np.append(self.pagerank, np.full(self.frontier.n - len(self.pagerank), 1.0 - DAMPING))
                value = PR[links] / (PR.max() if kind == "pagerank" else 1.0)
            else:
                anchor = np.where(m > 0, self.web.R_anchor[V][pages], 0.0)
                total = self._of_parents[V][links]
                parents = total / np.maximum(m, 1)
                value = {
                    "anchor": anchor,
                    "context": 0.5 * anchor,
                    "parents": parents,
                    "parents_sum": total,
                    "target": 0.5 * anchor + 0.5 * parents,
                }[kind]
            self.frontier.set_feature(name, links, value)


def revived(strategy: Strategy) -> Strategy:
    """A new strategy of the same class and parameters with the state of this one, as after a crawl was killed."""
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
    """A view of queued links 0, 1 .. for tests of a strategy's formulas.

    Args:
        columns: feature name -> value of each link.
        priority: of each link, all are queued.
        host: number of each link's host; all 0 where it is left out.
        seeds: True for links that no page contains; else one fetched page contains them all.
        budget: pages fetched, and the limit.
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
    """The columns of a strategy's declaration, wildcards expanded.

    Raises:
        ConformanceError: it names a column or a vocabulary that no crawl has.
    """
    names: list[str] = []
    for pattern in strategy.features:
        plain, _, guide = pattern.partition("@")
        kind, _, V = plain.partition(":")
        known = [f"{kind}:{v}" for v in VOCABULARIES if fnmatchcase(v, V)] if V else [kind]
        kinds = KINDS if V else tuple(RANKS)
        if kind not in kinds or not known:
            raise ConformanceError(f"{strategy.name} reads feature {pattern!r}; known are KIND:V and {kinds}")
        if V and not any(fnmatchcase(V, named_) for named_ in ("TK", *strategy.vocabularies)):
            raise ConformanceError(f"{strategy.name} reads feature {pattern!r}: name {V} in its `vocabularies`, too")
        names += [named(name, guide) for name in known]
    return tuple(dict.fromkeys(names))


def pagerank(graph: LinkGraph, rounds: int = 30) -> Floats:
    """PR of every known page, Eq. (7) of paper 000 by iteration, shape (n,), at least 1 - d."""
    C, links_to = np.maximum(graph.out_degree, 1), graph.matrix()
    PR: Floats = np.ones(graph.n)
    for _ in range(rounds):
        PR = (1.0 - DAMPING) + DAMPING * np.asarray(links_to.T @ (PR / C))
    return PR
