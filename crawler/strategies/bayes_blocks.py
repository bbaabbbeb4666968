"""Crawlers with a Bayesian classifier (BCW) and tunnels through content blocks (CBS): BCW_CC, FCBCW and FCCBS.

Source: paper 003, sections 2.4 and 4, Algorithm 1, by its lines:
    3-8    the head of the queue is fetched.
    10-15  a page that is not of class S is discarded with its links (BCW: crawler.scoring.bayes, Eq. (9)).
    16-18  R(page) > tau: all its links are sub-links.
    19-31  else CBS: the links of each innermost <div> block B with R(B) > lambda are block-links; their pages are
           fetched, and the links of those are the sub-links.
    32-39  a sub-link with E(l) > lambda is queued, E(l) = alpha R(G) + beta R(AL) + gamma R(CL), Eq. (4): of the page
           that it points to (looked up or predicted), of its anchor, of its context.
FCCBS has no lines 10-15, FCBCW no lines 19-31. By default all content blocks are used (trap T18).

Algorithm 1 drops discarded links, and ends when its queue is empty (discarded="dropped"); the three differ in these
lines alone. Without tunnels no link of a page with R <= tau is queued, so FCBCW needs relevant seeds, as the paper's
are; discarded="last" [R] queues a discarded link behind all others. Without a classifier a page with any topic word,
R(page) > 0, belongs to class S [R], and N and N_i of Eq. (1) are those of the crawled pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome
from crawler.strategies.base import SEED_PRIORITY, with_seeds
from crawler.strategies.block_parameters import BlockParameters, ClassParameters
from crawler.strategies.link_marks import LinkMarks
from crawler.strategies.numbered_picks import TopOfQueue

_SUB_LINK, _BLOCK_LINK = 1.0, 2.0
_BEHIND = 2.0
"""Subtracted from E(l), in [0, 1], of a link that is queued behind all others."""

_CLASS_READINGS = {
    "T12": "L_j is the exponent of P(U|C); as a factor (printed) it has no effect (crawl train --position).",
    "T13": "P(U|C) = (c idf + 1) / (sum + M_a); as printed it is inverted (crawl train --likelihood).",
    "T14": "Words of no class are skipped; a word in several positions has the sum of their L_j.",
}
_CLASS_RULES = {"other_class": "A page is discarded with its links, because its class is not S (lines 11 to 13)."}


class BlockCrawler(TopOfQueue):
    """Algorithm 1: a queue of the links of relevant pages, and of relevant blocks of other pages."""

    Parameters = BlockParameters
    rules: ClassVar = {
        "relevant": "All links of a page are sub-links, because its R > tau (line 16).",
        "blocks": "Links of an irrelevant page are followed, those of its blocks with R(B) > lambda (lines 19 to 24).",
        "evaluated": "A link that is a block-link or a sub-link with E(l) > lambda is queued (lines 32 to 39).",
    }
    readings: ClassVar = {
        "T4": "R(G) is the column of the target, predicted by default.",
        "T9": "Eq. (2) as printed: the maximum is over the positions of one word.",
        "T15": "temp belongs to one page; as printed, later pages would offer the sub-links of an earlier one again.",
        "T16": "Every fetch counts; a block-link is queued by R(B) without E(l) > lambda, and its page is judged.",
        "T17": "R is computed for every page, discarded ones included; the judge uses R only, not the class.",
        "T18": "A div without its inner ones is a block, and so is text outside of divs; printed: blocks=innermost. "
        "The context of a link is 250 characters on each side of it, within its innermost block element.",
    }
    guide = "paper_003"
    features = ("target:TK", "anchor:TK", "context:TK")
    page_parts: tuple[str, ...] = ("block_scores",)
    parameters: BlockParameters
    tunnels: ClassVar[bool] = True
    """Whether lines 19 to 31 follow the relevant blocks of other pages."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._marks = self.keeps(LinkMarks())

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Mark the links of fetched pages as sub-links or block-links (lines 10 to 31)."""
        for outcome in outcomes:
            if outcome.page_score is None:
                continue
            R = outcome.page_score.relevance["TK"]
            from_block = self._marks.get(np.array([outcome.link]))[0] == _BLOCK_LINK
            if self.parameters.tunnel == "literal" and from_block:
                self._marks.raise_to(outcome.out_links, _SUB_LINK)  # line 25
            elif not self.parameters.follows(outcome.class_, R):
                self.count("other_class")  # lines 11 to 13
            elif self.parameters.tau < R:  # line 16
                self.count("relevant")
                self._marks.raise_to(outcome.out_links, _SUB_LINK)
            elif self.tunnels:
                block_links = self.block_links(outcome, R)
                self.count("blocks", len(block_links) > 0)
                self._marks.raise_to(block_links, _BLOCK_LINK)

    def block_links(self, outcome: Outcome, R: float) -> Ids:
        """Return the block-links of a page of relevance ``R`` (lines 20 to 24), shape (k,).

        A page without markup is one block; as printed it has none (trap T18).
        """
        R_B, innermost = outcome.block_scores, outcome.innermost
        if R_B is None or innermost is None:
            R_B, innermost = np.full(len(outcome.out_links), R), np.zeros(len(outcome.out_links), dtype=np.bool_)
        is_block = innermost | (self.parameters.blocks == "all")
        return outcome.out_links[is_block & (self.parameters.lambda_ < R_B)]  # line 23

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit sub-links and block-links (lines 32 to 39); all others too if discarded=last."""
        accepted = self._accepted(links, self._evaluation(view, links))
        self.count("evaluated", accepted.sum())
        return accepted if self.parameters.discarded == "dropped" else np.ones_like(accepted)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return E(l), below 0 for a discarded link, 1 for a block-link in the literal reading; shape (m,)."""
        E = self._evaluation(view, links)
        value = np.where(self._accepted(links, E), E, E - _BEHIND)
        if self.parameters.tunnel == "literal":
            value = np.where(self._marks.get(links) == _BLOCK_LINK, SEED_PRIORITY, value)  # line 24: at once
        return with_seeds(view, links, value)

    def _evaluation(self, view: FrontierView, links: Ids) -> Floats:
        R_G, R_AL, R_CL = (view.feature(name, links) for name in self.features)
        p = self.parameters
        return p.alpha * R_G + p.beta * R_AL + p.gamma * R_CL  # Eq. (4)

    def _accepted(self, links: Ids, E: Floats) -> Bools:
        mark = self._marks.get(links)
        accepted: Bools = (mark == _BLOCK_LINK) | ((mark == _SUB_LINK) & (self.parameters.lambda_ < E))  # line 34
        return accepted


class Fccbs(BlockCrawler):
    """Best-first search over the links of relevant pages, and of relevant blocks of other pages."""

    name = "fccbs"
    title = "Focused crawling with content block segmentation (FCCBS)"
    paper = "Liu, Wu, Liu 2025 (paper 003), Algorithm 1 without lines 10-15"


class BcwCc(BlockCrawler):
    """FCCBS that follows only pages of the class of the topic."""

    name = "bcw_cc"
    title = "Focused crawling with a weighted Bayesian classifier, priority evaluation and content blocks (BCW_CC)"
    paper = "Liu, Wu, Liu 2025 (paper 003), Algorithm 1; without a classifier class S is R > 0 [R]"
    Parameters = ClassParameters
    rules: ClassVar = BlockCrawler.rules | _CLASS_RULES
    readings: ClassVar = BlockCrawler.readings | _CLASS_READINGS


class Fcbcw(BlockCrawler):
    """BCW_CC without tunnels through content blocks."""

    name = "fcbcw"
    title = "Focused crawling with a weighted Bayesian classifier and priority evaluation (FCBCW)"
    paper = "Liu, Wu, Liu 2025 (paper 003), Algorithm 1 without lines 19-31; without a classifier class S is R > 0 [R]"
    Parameters = ClassParameters
    rules: ClassVar = {name: does for name, does in BcwCc.rules.items() if name != "blocks"}
    readings: ClassVar = BlockCrawler.readings | _CLASS_READINGS
    page_parts = ()
    tunnels = False
