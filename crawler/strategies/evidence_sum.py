"""Evidence added up: best-first search by a sum of what parents, anchors, contexts and URLs say of a link.

Source: written for this project, not published; docs/decisions/0023-strategies-may-read-tokens.md. Steps:
    1  seeds with the highest priority; the link of the highest priority is fetched, the oldest among equals.
    2  P(l) = sum_k c_k clip((x_k - m_k) / (s_k + eps_k), -3, 6) over the nine terms below; m_k and s_k are mean and
       deviation of x_k over the queued links.
    3  after min(20, max(1, k / 10)) pages of k, verdicts, m and s are taken anew and queued links are scored again:
       all, or of more than 100,000 the half of it with the best last scores, and others by turns.

    x_k                      c    eps
    parent density           1    .3   mean over fetched parents of ln(density + .003); density: topic weight a token
    local co-occurrence      1    .3   of the anchor's tokens with topic words, within 15 tokens, weighted by idf
    anchor log-odds          .7   .3   sum of lambda_t over the root of the anchor's tokens, mean over parents
    parent naive Bayes       .5   .3   mean over parents of the standardised sum of lambda_t over their words
    anchor topic weight      1    .1   largest over parents, at most 1
    URL outcome              .7   .1   log-odds of the verdicts, shrunken by 4, of URL tokens and directory
    context log-odds         1    .3   lambda of all contexts of the link (15 tokens either side)
    context outcome          1    .3   verdicts of the pages that contexts and anchors with the same tokens led to
    context topic weight     .7   .1   ln[(sum of min(1.5, topic weight) + .09) / (contexts + .3)]

A link that led to no page (an error of the server, a timeout, a page that robots.txt closes ..) counts in both terms of
outcomes as half a page off the topic: against its host, directory and words. Pages that count as another one do not.

Equations: crawler.scoring.evidence. No weight was fitted. y is R, from 30 pages on sigma(logit R + .5 naive Bayes). Of
a page that a person liked or disliked it is 1 or 0, and the page counts as several ones (decision 24).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.frontier.rescoring import Refresh
from crawler.model import Floats, Ids, Outcome
from crawler.scoring.evidence import standardised
from crawler.scoring.growing_rows import TokenNumbers
from crawler.scoring.link_evidence import TERMS, LinkEvidence, PageEvidence
from crawler.strategies.base import State
from crawler.strategies.evidence_parameters import EvidenceParameters
from crawler.strategies.numbered_picks import TopOfQueue
from crawler.strategies.optional_methods import Term

C: Floats = np.array([1.0, 1.0, 0.7, 0.5, 1.0, 0.7, 1.0, 1.0, 0.7])
EPS: Floats = np.array([0.3, 0.3, 0.3, 0.3, 0.1, 0.1, 0.3, 0.3, 0.1])
HIGHEST = float(6.0 * C.sum())
"""Largest possible sum; the priority of seeds, of which nothing is known (trap T11)."""
AWAITED = HIGHEST + 1.0
"""Priority of a page that a person gave a verdict about: it is fetched first, for its words."""
NO_FAILURES = frozenset({"duplicate_redirect", "duplicate_canonical", "host_cap", "directory_cap", "pattern_cap"})
"""Reasons of outcomes without a page that say nothing of the link: its page counts elsewhere, or was not requested."""
SHOWN = 8
"""Tokens that explain a term."""


class EvidenceSum(TopOfQueue):
    """Chooses the queued link with the largest sum of evidence."""

    name = "evidence_sum"
    title = "Evidence added up"
    paper = "Not published: written for this project (decision 23)"
    Parameters = EvidenceParameters
    readings: ClassVar = {"T11": "Seeds have the highest priority; a queued link that gains a parent is scored again."}
    guide = "density"
    prior = ("words",)
    page_parts = ("tokens", "anchor_tokens", "context_tokens", "url_tokens")
    refresh = Refresh(most=20, share=0.1, at_once=100_000)
    parameters: EvidenceParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._numbers = TokenNumbers()
        self._pages = PageEvidence(self._numbers, self.parameters.words_from, self.parameters.taught_weight)
        self._links = LinkEvidence(self._numbers, self._pages, self.parameters.failure_weight)
        self._c = np.where([name == self.parameters.without for name in TERMS], 0.0, C)
        self._mean, self._deviation = np.zeros(len(C)), np.zeros(len(C))

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Add the words of each page, and what it says of its links; note the links that led to no page."""
        for outcome in outcomes:
            if outcome.failure is not None and outcome.failure not in NO_FAILURES and self.parameters.failure_weight:
                self._links.fail(outcome.link)
            score = outcome.page_score
            if score is not None and outcome.tokens is not None:
                R = score.judged if self.parameters.verdict == "judge" else score.relevance["TK"]
                self._links.add(outcome, *self._pages.add(outcome.link, outcome.tokens, R))

    def teach(self, link: int, liked: bool | None) -> None:
        """Use the verdict of a person in place of R from the next refresh on, and fetch the page first if it is new."""
        self._pages.teach(link, liked)

    def begin_refresh(self, view: FrontierView, links: Ids) -> None:
        """Take verdicts, lambda, m and s anew (step 3); m and s of a long queue over evenly spaced links."""
        self._pages.refresh()
        self._links.refresh(links, view.prior)
        queued = view.links[:: max(1, -(-len(view) // self.refresh.at_once))]
        x = self._links.x(queued[view.graph.in_degree(queued) > 0])
        if len(x):
            self._mean, self._deviation = x.mean(axis=0), x.std(axis=0)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return P(l) (step 2), shape (m,)."""
        P: Floats = self._evidence(self._x(view, links)).sum(axis=1)
        P = np.where(view.graph.in_degree(links) == 0, HIGHEST, P)
        return np.where(self._pages.is_awaited(links), AWAITED, P)

    def explain(self, view: FrontierView, link: int) -> tuple[Term, ...]:
        """Return the nine terms of P(l) with the tokens that say most; none for a seed, or a page that is awaited."""
        ids = np.array([link], dtype=np.int64)
        if view.graph.in_degree(ids)[0] == 0 or self._pages.is_awaited(ids)[0]:
            return ()
        x, tokens = self._links.x(ids), self._links.tokens_of(link)
        parts = self._evidence(x)[0]
        of_prior = parts - self._evidence(self._links.x_without(ids, view.prior))[0] if view.prior else 0.0 * parts
        rows = zip(TERMS, parts.tolist(), x[0].tolist(), self._mean, self._deviation, of_prior.tolist(), strict=True)
        return tuple(
            Term(name, part, value, float(mean), float(deviation), _most(tokens.get(name, {})), prior)
            for name, part, value, mean, deviation, prior in rows
        )

    def _x(self, view: FrontierView, links: Ids) -> Floats:
        prior = view.prior
        return self._links.x_without(links, prior) if prior.is_left_out else self._links.x(links)

    def _evidence(self, x: Floats) -> Floats:
        return self._c * standardised(x, self._mean, self._deviation, EPS)

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        hashes, parts = self._numbers.hashes.state(), {**self._pages.state(), **self._links.state()}
        return {**super().state(), **parts, "tokens": hashes, "m": self._mean, "s": self._deviation}

    def changes(self) -> State:
        """Return ``state`` with what was appended in place of arrays that only grow."""
        hashes, parts = self._numbers.hashes.changes(), {**self._pages.changes(), **self._links.changes()}
        return {**super().state(), **parts, "tokens": hashes, "m": self._mean, "s": self._deviation}

    def saved(self) -> None:
        """Continue after a snapshot."""
        for series in (self._numbers.hashes, *self._pages.series().values(), *self._links.series().values()):
            series.saved()

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._numbers.restore(state["tokens"])
        self._pages.restore(state)
        self._links.restore(state)
        self._mean, self._deviation = np.array(state["m"]), np.array(state["s"])


def _most(evidence: dict[int, float]) -> tuple[tuple[int, float], ...]:
    return tuple(sorted(evidence.items(), key=lambda pair: (-abs(pair[1]), pair[0]))[:SHOWN])
