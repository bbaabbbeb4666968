"""Explain why a crawl fetched a page, or why it did not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import partial
from heapq import nlargest
from itertools import takewhile
from typing import Any

import numpy as np

from crawler.crawl import Crawl
from crawler.explanation import link_history
from crawler.explanation.link_history import Parent, PathStep, Try
from crawler.explanation.page_scores import PageParts, guide_relevance, page_scores
from crawler.journal import Journal, JournalError, read_links, recounts, taught_pages, token_reading
from crawler.journal.ledger import FETCHED, QUEUED, fates
from crawler.journal.recounts import WeightsTaken
from crawler.journal.taught_pages import TaughtPage
from crawler.model import Ids
from crawler.pages.dates import day_of
from crawler.protocol import PROBE, REJECTED_LEFT
from crawler.read_pages import CANONICAL, REDIRECTED
from crawler.reasons import UNKNOWN, meaning
from crawler.state import CrawlState
from crawler.strategies.optional_methods import Summand
from crawler.url import canonical, directory, host, path
from kg.ranking.pagerank import pagerank
from ontology.errors import Message, joined

# ---- what a strategy saw of a link at one moment of a crawl: its features, priority and rank, its PageRank and date


WordsOf = Callable[[Iterable[int]], Mapping[int, str]]
"""Returns the words of tokens; those without one are left out."""


@dataclass(frozen=True, slots=True)
class AnchorWord:
    """A topic word in the anchors of a link."""

    vocabulary: str
    word: str
    weight: float
    count: int


@dataclass(frozen=True)
class PriorityTerm(Summand):
    """A term of a sum that is the priority of a link, with words in place of the tokens of a `Term`."""

    words: tuple[tuple[str, float], ...]
    """The words that say most, each with its evidence: above 0 for the topic."""
    prior: float = 0.0
    """What the part would lack without the prior of earlier crawls."""


@dataclass(frozen=True, slots=True)
class _PriorPart:
    """What earlier crawls add to the priority of a link."""

    runs: tuple[str, ...]
    part: float
    """The priority less the one that the link would have at this moment without the prior."""
    pagerank: float | None
    """PageRank of the link in the earlier crawls; None where they did not know it, or the strategy reads none."""
    host_relevant: float | None
    """Relevant pages as which these crawls count for the host; None where the strategy reads no hosts of a prior."""
    host_pages: float | None
    """All pages as which they count for it."""


@dataclass(frozen=True, slots=True)
class _LinkParts:
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
    prior: _PriorPart | None = None
    """What earlier crawls add to it; None for a run without a prior."""


def _link_parts(state: CrawlState, link: int, anchors: Sequence[str], words_of: WordsOf) -> _LinkParts:
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
    return _LinkParts(
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
        prior=_prior_part(state, link),
    )


def _prior_part(state: CrawlState, link: int) -> _PriorPart | None:
    """Return what a prior adds to the priority of a link, which is computed with it and without it."""
    prior, ids = state.frontier.prior, np.array([link], dtype=np.int64)
    if not prior:
        return None
    with prior.left_out():
        without = _priority_now(state, ids)
    part = _priority_now(state, ids) - without
    rank = float(prior.ranks(ids)[0])
    relevant, pages = (float(count[0]) for count in prior.hosts(state.frontier.hosts(ids)))
    hosts = bool(prior.of.hosts)
    return _PriorPart(prior.of.runs, part, rank or None, relevant if hosts else None, pages if hosts else None)


def _priority_now(state: CrawlState, ids: Ids) -> float:
    state.frontier.set_features(ids, state.features.compute(ids))
    return float(state.strategy.priority(state.scheduler.view(), ids)[0])


def _terms(state: CrawlState, link: int, words_of: WordsOf) -> tuple[PriorityTerm, ...]:
    terms = state.strategy.explain(state.scheduler.view(), link)
    words = words_of([token for term in terms for token, _ in term.tokens])
    return tuple(
        PriorityTerm(
            term.name, term.part, term.value, term.mean, term.deviation,
            tuple((words[token], evidence) for token, evidence in term.tokens if token in words), term.prior,
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


# ---- the known URLs that are nearest to an unknown one: other spellings of the page, another query, similar letters


_INDEX = re.compile(r"/(?:index|default|home)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_COMPARED = 200
"""URLs of the host that are compared letter by letter: those with the longest common beginning and end."""
_FAR = 0.34
"""Largest number of edits, as a share of the length of the URL."""


@dataclass(frozen=True, slots=True)
class _Near:
    """A known URL and what makes it near."""

    url: str
    how: str


def _edit_distance(one: str, other: str) -> int:
    """Return the number of letters to insert, delete or replace to get one text from the other (Levenshtein).

    >>> _edit_distance("/news/1.html", "/new/12.html"), _edit_distance("flood", "flood")
    (2, 0)
    """
    begin, end = _common(one, other)
    one, other = one[begin : len(one) - end], other[begin : len(other) - end]
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        previous, row[0] = row[0], at
        for place, target in enumerate(other, start=1):
            previous, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, previous + (letter != target))
    return row[-1]


def _nearest(url: str, known: Sequence[str], limit: int = 5) -> list[_Near]:
    """Find the known URLs that are nearest to an unknown one.

    Args:
        url: a canonical URL.
        known: the known canonical URLs.
        limit: maximum number of results.

    Returns:
        First other spellings of the same page (http or https, www, index page, trailing slash), then the same path with
        another query, then URLs of the host by the number of edits. Where no URL of the host is known, those of the
        host with the nearest name.

    >>> [(near.url, near.how) for near in _nearest("https://a.cn/x/", ["http://www.a.cn/x", "http://b.cn/"])]
    [('http://www.a.cn/x', 'scheme, www, trailing slash')]
    """
    sites = dict.fromkeys(map(_site, known))
    site = _site(url)
    if site not in sites:
        close = get_close_matches(site, sites, n=1)
        if not close:
            return []
        moved = _nearest(url.replace(site, close[0], 1), known, limit)
        return [_Near(near.url, joined([Message("crawler.near_host"), *filter(None, [near.how])])) for near in moved]
    same: list[_Near] = []
    queries: list[_Near] = []
    others: list[str] = []
    bare = _bare(url)
    for candidate in known:
        if _site(candidate) != site:
            continue
        if _bare(candidate) == bare:
            same.append(_Near(candidate, joined([*_differences(url, candidate)])))
        elif _bare(candidate).partition("?")[0] == bare.partition("?")[0]:
            queries.append(_Near(candidate, Message("crawler.near_query")))
        else:
            others.append(candidate)
    first = [*same, *queries][:limit]
    return [*first, *_by_edits(url, others, limit - len(first))]


def _by_edits(url: str, others: list[str], limit: int) -> list[_Near]:
    compared = nlargest(_COMPARED, others, key=lambda other: sum(_common(url, other)) - abs(len(url) - len(other)))
    edits = sorted((_edit_distance(url, other), other) for other in compared)
    return [
        _Near(other, Message("crawler.near_letters", count=int(count)))
        for count, other in edits[:limit]
        if count <= max(2.0, _FAR * len(url))
    ]


def _common(one: str, other: str) -> tuple[int, int]:
    """Return the length of the common beginning, and that of the common end of the rest."""
    shorter = min(len(one), len(other))
    begin = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest = shorter - begin
    end = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    return begin, end


def _site(url: str) -> str:
    return host(url).removeprefix("www.")


def _bare(url: str) -> str:
    """Return a URL without scheme, www, index page, trailing slash and the case of its letters."""
    route, mark, query = url.partition("?")
    return f"{_site(url)}{_INDEX.sub('', path(route)).rstrip('/')}{mark}{query}".lower()


def _differences(url: str, other: str) -> Iterator[str]:
    """Yield what differs between two spellings with the same ``_bare`` form; nothing for equal URLs."""
    routes = path(url), path(other)
    if url.partition(":")[0] != other.partition(":")[0]:
        yield Message("crawler.near_scheme")
    if host(url) != host(other):
        yield "www"
    if any(map(_INDEX.search, routes)):
        yield Message("crawler.near_index")
    elif routes[0].endswith("/") != routes[1].endswith("/"):
        yield Message("crawler.near_slash")
    names = [
        (_INDEX.sub("", route).rstrip("/"), query) for route, query in zip(routes, _queries(url, other), strict=True)
    ]
    if names[0] != names[1]:
        yield Message("crawler.near_case")


def _queries(*urls: str) -> list[str]:
    return [url.partition("?")[2] for url in urls]


# ---- explain why a crawl fetched a page, or why it did not


_AT_THE_END = 2**62
_TAKEN = "taken_though_rejected"


def _code(fate: str, move: Mapping[str, Any]) -> str:
    """Return the code of what happened to a link: its fate, unless no strategy chose it."""
    if PROBE in move:
        return PROBE
    return _TAKEN if fate == FETCHED and REJECTED_LEFT in move else fate


_SKIPPED = """
SELECT s.href, s.reason, p.final_url, u.url FROM skipped s JOIN page p USING (seq) JOIN event e USING (seq)
JOIN url u ON u.id = p.link WHERE e.kind = 'outcome' AND s.reason NOT IN ('fragment', 'self_link')
ORDER BY s.seq, s.position
"""


@dataclass(frozen=True)
class Score:
    """All that a URL was scored by. Parts that do not exist are None: an unread page, a link that was never offered."""

    page: PageParts | None
    """R of the page, where it was read."""
    link: _LinkParts | None
    """The link as the strategy saw it: when it was chosen; when it was offered last, if it was rejected; now, if it is
    queued. None for a link that the strategy never saw, and where the run cannot be replayed."""
    chosen: Try | None
    """The last choice of the link, with its number, priority and move."""
    parents: tuple[Parent, ...]
    """The read pages with the link, until that moment."""
    parents_relevance: Mapping[str, Mapping[str, float]]
    """URL of each parent -> R of it by the strategy's guide, by VOCABULARY@FUNCTION."""
    weights: WeightsTaken | None = None
    """The weights that the run had taken last at that moment; None for those with which it began."""
    rescored: int = 0
    """How often the link was scored anew because the run took other weights while the link waited in the queue."""


@dataclass(frozen=True)
class Explanation:
    """Why a run fetched a page, or did not.

    Attributes:
        url: the canonical URL.
        fetched: whether the page of this very URL was fetched and counts.
        reason: None for a fetched page, else the reason code.
        happened, advice: the meaning of the reason in two sentences.
        path: the way from a seed to the link; empty for an unknown URL.
        score: the parts of the score; None for an unknown URL.
        tries: every choice of the link with its outcome.
        read_through: the URL of the link through which the page was read, where it was another one.
        skipped_on: the page with a hyperlink to the unknown URL that was not followed.
        nearest: known URLs near to an unknown one.
        notes: what could not be found out, and why.
        taught: what a person said of the page, if the crawl was taught that.
    """

    url: str
    fetched: bool
    reason: str | None
    happened: str
    advice: str
    path: tuple[PathStep, ...] = ()
    score: Score | None = None
    tries: tuple[Try, ...] = ()
    read_through: str | None = None
    skipped_on: str | None = None
    nearest: tuple[_Near, ...] = ()
    notes: tuple[str, ...] = ()
    taught: TaughtPage | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as values of JSON."""
        return asdict(self)


def explain(
    journal: Journal, replay: Replay, url: str, *, replays: bool = True, on_event: OnEvent = lambda event, last: None
) -> Explanation:
    """Explain why a run fetched a page, or why it did not. The journal is only read.

    Args:
        journal: the journal of the run, which another process may be writing.
        replay: a new replay of the same journal.
        url: a canonical URL.
        replays: whether to replay the run for the features of the link, which the journal does not keep.
        on_event: called before each event of the replay.
    """
    known = next(fates(journal, url), None)
    if known is None:
        return _unknown(journal, replay, url)
    link, _, fate = known
    history = link_history.tries(journal, link)
    through = _read_through(journal, url, history)
    last = history[-1] if history else None
    before = _AT_THE_END if last is None or fate == QUEUED else last.choice
    parents = tuple(parent for parent in link_history.parents(journal, link) if parent.seq < before)
    score = _score(journal, replay, (None if through is None else through[1]), parents, last)
    score = _with_weights(score, journal, link, before)
    happened = meaning(_code(fate, {} if last is None else last.move))
    explanation = Explanation(
        url=url,
        fetched=fate == FETCHED,
        reason=None if fate == FETCHED else fate,
        happened=happened.happened,
        advice=happened.advice,
        path=link_history.path(journal, link, replay.state.setup.seeds, before),
        score=score,
        tries=history,
        read_through=None if through is None or through[0] == url else through[0],
        taught=taught_pages.about(journal, url, link),
    )
    explanation = _with_stop(explanation, journal) if fate == QUEUED else explanation
    moment = _moment(journal, fate, last, parents)
    if not replays or moment is None:
        return explanation
    return _replayed(explanation, score, replay, (link, moment), on_event)


def _score(journal: Journal, replay: Replay, read: int | None, parents: tuple[Parent, ...], last: Try | None) -> Score:
    """Return the score of a link without what a replay finds."""
    wanted = frozenset(parent.seq for parent in parents) | (frozenset() if read is None else frozenset({read}))
    scores = page_scores(journal, replay.state.setup, wanted)
    return Score(
        page=None if read is None else scores[read],
        link=None,
        chosen=last,
        parents=parents,
        parents_relevance={parent.url: guide_relevance(scores[parent.seq]) for parent in parents},
    )


def _with_weights(score: Score, journal: Journal, link: int, before: int) -> Score:
    """Add the weights by which a link was scored before an event, and how often they changed while it was queued."""
    taken = [one for one in recounts.taken(journal) if one.event < before]
    if not taken:
        return score
    waits = [one for one in taken if link_history.was_queued(journal, link, one.event)]
    return replace(score, weights=taken[-1], rescored=len(waits))


def _moment(journal: Journal, fate: str, last: Try | None, parents: tuple[Parent, ...]) -> int | None:
    """Return the number of the event before which the strategy saw the link as it is to be shown; None for never."""
    if fate == QUEUED:
        return journal.last_seq() + 1
    if last is not None:
        return last.choice
    offers = [parent.seq for parent in parents if parent.reason in ("rejected_by_strategy", "admitted", "queued")]
    return max(offers[-1], recounts.latest(journal)) + 1 if offers else None  # by new weights it was offered again


def _replayed(
    explanation: Explanation, score: Score, replay: Replay, at: tuple[int, int], on_event: OnEvent
) -> Explanation:
    """Add what the strategy saw of the link ``at[0]`` right before the event ``at[1]``."""
    try:
        state = replay.before(at[1], on_event)
    except JournalError as error:
        return replace(explanation, notes=(Message("crawler.no_features", error=error),))
    anchors = [parent.anchor for parent in score.parents]
    parts = _link_parts(state, at[0], anchors, partial(token_reading.words, replay.journal))
    return replace(explanation, score=replace(score, link=parts))


def _read_through(journal: Journal, url: str, history: tuple[Try, ...]) -> tuple[str, int, int] | None:
    """Return (URL, event, id) of the link through which the page of a link was read; None where it was not read."""
    last = history[-1] if history else None
    if last is None or last.failure not in (None, REDIRECTED, CANONICAL):
        return read_links.read_through(journal, url)
    ends = [last.final_url, *([] if last.canonical is None else [last.canonical])]
    return next(filter(None, (read_links.read_through(journal, end) for end in ends)), None)


def _with_stop(explanation: Explanation, journal: Journal) -> Explanation:
    """Add why the run stopped before the queued link was chosen."""
    stop = journal.get("stop_reason")
    if stop is None:
        return replace(
            explanation,
            happened=Message("reasons.waits"),
            advice=Message("reasons.waits_advice"),
        )
    stopped = meaning(stop)
    both = Message("reasons.both", happened=explanation.happened, advice=stopped.happened)
    return replace(explanation, happened=both, advice=stopped.advice)


def _unknown(journal: Journal, replay: Replay, url: str) -> Explanation:
    """Explain a URL that is no known link: skipped on a page, out of scope, or never seen."""
    skipped = next(
        ((reason, page) for href, reason, base, page in journal.query(_SKIPPED) if canonical(href, base) == url),
        None,
    )
    reason, page = skipped or (UNKNOWN, None)
    near = tuple(_nearest(url, journal.urls()))
    explanation = Explanation(url, False, reason, meaning(reason).happened, meaning(reason).advice, (), None)
    refusal = replay.state.setup.scope.decide(url)
    notes = (
        ()
        if refusal is None
        else (Message("crawler.out_of_scope", reason=refusal, happened=meaning(refusal).happened),)
    )
    return replace(explanation, skipped_on=page, nearest=near, notes=notes)


# ---- the state of a crawl at any of its choices, by a replay of its journal that writes nothing
#
# The journal does not keep the feature values of each choice: a replay computes them again exactly, as a resumed crawl
# does, and compares each choice on its way with the journalled one.


OnEvent = Callable[[int, int], None]
"""Callback called with the number of the event that is repeated next, and that of the last one."""


class Replay(Crawl):
    """A crawl that is only replayed. Its world is not used; another process may be crawling the run."""

    _begun = False

    def before(self, seq: int, on_event: OnEvent = lambda event, last: None) -> CrawlState:
        """Return the state of the crawl right before an event.

        Args:
            seq: number of the event, not smaller than in an earlier call; one after the last event for the present
                state of the run.
            on_event: called before each event.

        Returns:
            The state, which the next call changes.

        Raises:
            JournalError: a choice that is made again differs from the journalled one, as after a change of version.
        """
        if not self._begun:
            self._begin(seq)
        for event in takewhile(lambda event: event.seq < seq, self.journal.events(self._seq)):
            on_event(event.seq, seq - 1)
            self._replay(iter([event]))
        return self.state

    def _begin(self, seq: int) -> None:
        """Start with the last snapshot before an event, else with the seeds."""
        self._begun = self._replaying = True
        try:
            saved = self.journal.snapshots.latest(seq - 1) if self.state.setup.target == "predict" else None
        except OSError:  # the process that crawls has just replaced it
            saved = None
        if saved is None:
            self.state.plant_seeds()
            return
        self._seq, known, state = saved
        self._restore(state, known)
