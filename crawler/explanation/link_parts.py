"""What a strategy saw of a link at one moment of a crawl: its features, priority and rank, its PageRank and date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crawler.model import Ids
from crawler.pages.dates import day_of
from crawler.state import CrawlState
from crawler.url import directory, host
from kg.ranking.pagerank import pagerank

WordsOf = Callable[[Iterable[int]], Mapping[int, str]]
"""Returns the words of tokens; those without one are left out."""


@dataclass(frozen=True, slots=True)
class AnchorWord:
    """A topic word in the anchors of a link."""

    vocabulary: str
    word: str
    weight: float
    count: int


@dataclass(frozen=True, slots=True)
class PriorityTerm:
    """A term of a sum that is the priority of a link, as crawler.strategies.optional_methods.Term, in words."""

    name: str
    part: float
    """What it adds to the priority."""
    value: float
    mean: float
    deviation: float
    """Of the value over the queued links at the last refresh."""
    words: tuple[tuple[str, float], ...]
    """The words that say most, each with its evidence: above 0 for the topic."""


@dataclass(frozen=True, slots=True)
class LinkParts:
    """A link as the strategy saw it."""

    priority: float | None
    """Priority in the queue; for a link that is not queued, the one that the strategy would give it."""
    rank: int | None
    """Rank by priority among the queued links, 1 for the highest; equals have the same. None if not queued."""
    queue: int
    """Number of queued links."""
    features: Mapping[str, float]
    """Feature column that the strategy reads -> value."""
    pagerank: float
    """PageRank by Eq. (7) of paper 000, relative to the largest, whether the strategy reads a PageRank or not."""
    pagerank_rank: int
    """Rank of the link by it among all known URLs."""
    known: int
    """Number of known URLs."""
    parents: int
    """Number of read pages with the link."""
    anchor_words: tuple[AnchorWord, ...]
    block: int
    """Number of the content block in which the link was found first."""
    date: str | None
    """Day of the link, YYYY-MM-DD: that in its URL, or of the newest page with it."""
    found_after: int
    """Number of pages that had been read when the link was found."""
    host: str
    directory: str
    terms: tuple[PriorityTerm, ...] = ()
    """The terms of the priority, where the strategy adds up some."""


def link_parts(state: CrawlState, link: int, anchors: Sequence[str], words_of: WordsOf) -> LinkParts:
    """Return what the strategy sees of a link.

    Args:
        state: the state of a crawl; it is not changed unless the link is not queued, which the strategy is then asked
            to score.
        link: id of the link.
        anchors: its anchors on the pages read so far.
        words_of: the run's dictionary of tokens.
    """
    frontier, ids = state.frontier, np.array([link], dtype=np.int64)
    queued = frontier.queued()
    waits = bool(frontier.is_queued(ids)[0])
    priorities = frontier.priority(ids) if waits else state.strategy.priority(state.scheduler.view(), ids)
    PR, place = _pagerank(state, link)
    url = state.urls.url(link)
    return LinkParts(
        priority=float(priorities[0]),
        rank=int(np.count_nonzero(frontier.priority(queued) > priorities[0])) + 1 if waits else None,
        queue=len(queued),
        features={name: float(frontier.column(name, ids)[0]) for name in frontier.feature_names},
        pagerank=PR,
        pagerank_rank=place,
        known=frontier.n,
        parents=int(state.graph.in_degree(ids)[0]),
        anchor_words=_anchor_words(state, anchors),
        block=_number(state, "block", ids),
        date=day_of(float(frontier.column("date", ids)[0])),
        found_after=_number(state, "step", ids),
        host=host(url),
        directory=directory(url),
        terms=_terms(state, link, words_of),
    )


def _terms(state: CrawlState, link: int, words_of: WordsOf) -> tuple[PriorityTerm, ...]:
    terms = state.strategy.explain(state.scheduler.view(), link)
    words = words_of([token for term in terms for token, _ in term.tokens])
    return tuple(
        PriorityTerm(
            term.name, term.part, term.value, term.mean, term.deviation,
            tuple((words[token], evidence) for token, evidence in term.tokens if token in words),
        )
        for term in terms
    )  # fmt: skip


def _pagerank(state: CrawlState, link: int) -> tuple[float, int]:
    graph = state.graph
    PR = pagerank(state.frontier.n, graph.source, graph.target, tolerance=1e-6).values
    return float(PR[link] / PR.max()), int(np.count_nonzero(PR[link] < PR)) + 1


def _anchor_words(state: CrawlState, anchors: Sequence[str]) -> tuple[AnchorWord, ...]:
    counts = state.matcher.count_many(list(anchors) or [""])
    words = []
    for name, vocabulary in state.vocabularies.items():
        total = counts[name].sum(axis=0)
        for i in np.flatnonzero(total).tolist():
            words.append(AnchorWord(name, vocabulary.words[i].label, vocabulary.words[i].weight, int(total[i])))
    return tuple(words)


def _number(state: CrawlState, column: str, ids: Ids) -> int:
    return int(state.frontier.numbers(column, ids)[0])
