"""Crawler by Wang-Landau sampling.

Source: Liu, Chen, Zhao 2023 (paper 002), Algorithm 1 and section 2.3; repaired by algorithms.md 3.10. By step:
    1    (the loop) seeds to Queue.   2 X1 = the best link, which stays in Queue.
    3    (the loop) stop at the limit or at an empty Queue; m = 0.   4 X2 by region competition, L + 1.
    5-6  X1 = X2 with probability P(X1 -> X2), else m + 1.   7 after m_max rejections X1 = the best link.
    8    X1 leaves Queue; the children of its page with R(l) >= R_min enter it.   9 (the judge) LP.
    10-11  a flat histogram shrinks f; after L_max proposals the walk ends.
The paper fetches children before it admits them and counts the admitted as DP, those with R(P_j) >= beta as LP. Here a
pick is the link that the walk accepted, R(P_l) of its children is the column ``target``, and DP counts fetched pages;
labs measure by the paper's count too, where look-ahead fetches the children (trap T22).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.kernels.density import Walk, WalkParameters, energy_bin
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.parameters import Choice, Range, parameter
from crawler.strategies.base import State, with_seeds
from crawler.strategies.numbered_picks import NumberedPicks


@dataclass(frozen=True)
class WangLandauParameters(WalkParameters):
    """Constants of paper 002."""

    delta: float = parameter(0.3, "Weight of the anchor in Eq. (5), printed as a curly d.", Range(0.0, 1.0))
    R_min: float = parameter(0.2, "Links are queued if R(l) is at least this.", Range(0.0, 1.0))
    PR_min: float = parameter(
        2.0, "Links with at least this PageRank (not scaled) have potential value (section 1.2).", Range(0.0, 1e9)
    )
    PR_over: str = parameter(
        "crawled",
        "Pages over which PageRank is computed for PR_min: the ``crawled`` ones, as paper 000 has it, for an unfetched "
        "page by its crawled in-links [R], or all known ``links``, where rank leaks to the frontier.",
        Choice("crawled", "links"),
    )
    m_max: int = parameter(5, "Rejections after which the best link is chosen.", Range(1, 10**6))


_RANK_OVER = {"crawled": "pagerank_crawled", "links": "pagerank_plain"}
"""PR_over -> feature column."""


class WangLandau(NumberedPicks):
    """Region competition proposes links, and a Wang-Landau walk accepts those of rarely visited energies."""

    name = "wang_landau"
    title = "Wang-Landau sampling with region competition"
    paper = "Liu, Chen, Zhao 2023, J. Univ. Electron. Sci. Technol. China 52(4):578-587 (paper 002), Algorithm 1"
    Parameters = WangLandauParameters
    guide = "paper_002"
    counts = "admitted"
    rules: ClassVar = {
        "relevant": "A link with R(l) >= R_min is admitted (step 8).",
        "valuable": "A link with less is admitted, because PR >= PR_min (section 1.2).",
        "rejected": "The walk rejects a proposal (step 6).",
        "best_taken": "After m_max rejections the best link is taken (step 7).",
        "refined": "A flat histogram shrinks f (step 10).",
    }
    readings: ClassVar = {
        "T3": "PR is of the page that the link points to, by Eq. (6), without the bias of paper 000, over the crawled "
        "pages (PR_over=links: over all known links).",
        "T20": "R is clamped to [0, 1]; the guide paper_002_printed has the printed idf.",
        "T21": "P_l is the page that the link points to.",
        "T22": "DP counts every fetched page once; labs with look-ahead oracle also have the printed count, of links "
        "that were admitted.",
        "T23": "P(X1 -> X2) is computed for every proposal, not for new bins only.",
        "T24": "ln g = 0 and H = 1 for a new bin (histogram=clean begins with H = 0).",
        "T25": "Flat: H >= ln 2 / ln f_i in seen bins (flatness=mean: H >= k <H>), tested as L passes multiples of T.",
        "T26": "X1 of step 2 stays queued; step 7 sets E1 too; seeds come before the walk, E1 = R(P) of the last.",
        "T27": "Links with PR >= 2 are admitted too; bin = min(49, floor(50 E + 1e-9)).",
    }
    parameters: WangLandauParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._walk = self.keeps(Walk(self.parameters))
        self._rank = _RANK_OVER[self.parameters.PR_over]
        self.features = ("anchor:TK", "target:TK", self._rank)
        self._seeds = set[int]()  # in flight

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit links with R(l) >= R_min or potential value (step 8)."""
        p = self.parameters
        relevant: Bools = self._energy(view, links) >= p.R_min
        valuable: Bools = ~relevant & (view.feature(self._rank, links) >= p.PR_min)
        self.count("relevant", relevant.sum())
        self.count("valuable", valuable.sum())
        return relevant | valuable

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the energy E(l) = R(l), in [0, 1], shape (m,)."""
        return with_seeds(view, links, self._energy(view, links))

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Run steps 2 to 8 ``n`` times on the same queue; a region without further links proposes the best one."""
        heads = view.top(n).tolist()
        chosen, moves = list[int](), list[Mapping[str, Any]]()
        while len(chosen) < len(heads) and not self._walk.finished:
            best = next(head for head in heads if head not in chosen)
            link, move = self._select(view, rng, best, chosen)
            chosen.append(link)
            moves.append(move)
        return self.numbered(chosen, moves)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Start the walk at the seed whose outcome arrives last: E1 = R(P) (trap T26)."""
        for outcome in outcomes:
            if outcome.link in self._seeds:
                self._seeds.remove(outcome.link)
                if outcome.page_score is not None and self._walk.L == 0:
                    self._walk.stand_at(float(np.clip(outcome.page_score.relevance["TK"], 0.0, 1.0)))

    def _energy(self, view: FrontierView, links: Ids) -> Floats:
        d = self.parameters.delta
        R = d * view.feature("anchor:TK", links) + (1.0 - d) * view.feature("target:TK", links)  # Eq. (5)
        return np.clip(R, 0.0, 1.0)

    def _select(
        self, view: FrontierView, rng: np.random.Generator, best: int, chosen: Sequence[int]
    ) -> tuple[int, dict[str, Any]]:
        """Return the link that the walk accepts (steps 2 to 7) and its move; ``best`` is the best one not chosen."""
        if view.graph.in_degree(np.array([best]))[0] == 0:
            self._seeds.add(best)
            return best, {"seed": True}  # it has no energy before it is fetched
        walk, since = self._walk, self._walk.L
        if walk.E1 < 0.0:
            walk.stand_at(_energy_of(view, best))  # step 2
        host = view.winning_host()  # section 2.3
        X2, m, accepted = best, 0, False
        while not accepted and m < self.parameters.m_max:
            drawn = view.draw_within(host, rng, 1 + len(chosen)).tolist()  # step 4
            X2 = next((link for link in drawn if link not in chosen), best)
            accepted = walk.step(_energy_of(view, X2), rng.random())  # steps 5 and 6
            m += not accepted
        link = X2 if accepted else best
        self.count("rejected", m)
        if not accepted:
            self.count("best_taken")
            walk.stand_at(_energy_of(view, best))  # step 7
        if walk.is_due(since):
            i = walk.i
            walk.refine(since, view.priority(view.links))  # steps 10 and 11
            self.count("refined", walk.i - i)
        E = _energy_of(view, link)
        move = {"energy": E, "bin": energy_bin(E), "host": int(view.host(np.asarray([link]))[0]), "accepted": accepted}
        return link, {**move, "rejected": m, "proposals": walk.L, "ln_f": walk.ln_f}

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "seeds": sorted(self._seeds)}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._seeds = set(state["seeds"])


def _energy_of(view: FrontierView, link: int) -> float:
    """Return E(l) of a queued link."""
    return float(view.priority(np.asarray([link]))[0])
