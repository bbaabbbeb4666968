"""Explain why a crawl fetched a page, or why it did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from crawler.explanation import link_history, nearest
from crawler.explanation.link_history import Parent, PathStep, Try
from crawler.explanation.link_parts import LinkParts, link_parts
from crawler.explanation.nearest import Near
from crawler.explanation.page_scores import PageParts, guide_relevance, page_scores
from crawler.explanation.replay import OnEvent, Replay
from crawler.journal import Journal, JournalError, read_links, recounts, taught_pages, token_reading
from crawler.journal.ledger import FETCHED, QUEUED, fates
from crawler.journal.recounts import WeightsTaken
from crawler.journal.taught_pages import TaughtPage
from crawler.read_pages import CANONICAL, REDIRECTED
from crawler.reasons import UNKNOWN, meaning
from crawler.url import canonical

_AT_THE_END = 2**62
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
    link: LinkParts | None
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
    nearest: tuple[Near, ...] = ()
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
    known = next(((link, fate) for link, other, fate in fates(journal) if other == url), None)
    if known is None:
        return _unknown(journal, replay, url)
    link, fate = known
    history = link_history.tries(journal, link)
    through = _read_through(journal, url, history)
    last = history[-1] if history else None
    before = _AT_THE_END if last is None or fate == QUEUED else last.choice
    parents = tuple(parent for parent in link_history.parents(journal, link) if parent.seq < before)
    score = _score(journal, replay, (None if through is None else through[1]), parents, last)
    score = _with_weights(score, journal, link, before)
    explanation = Explanation(
        url=url,
        fetched=fate == FETCHED,
        reason=None if fate == FETCHED else fate,
        happened=meaning(fate).happened,
        advice=meaning(fate).advice,
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
        return replace(explanation, notes=(f"the features of the link cannot be computed again: {error}",))
    anchors = [parent.anchor for parent in score.parents]
    parts = link_parts(state, at[0], anchors, partial(token_reading.words, replay.journal))
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
            happened="The link waits in the queue; the run has not ended.",
            advice="It may be chosen as the run goes on; `crawl resume RUN` continues one that was interrupted.",
        )
    stopped = meaning(stop)
    return replace(explanation, happened=f"{explanation.happened} {stopped.happened}", advice=stopped.advice)


def _unknown(journal: Journal, replay: Replay, url: str) -> Explanation:
    """Explain a URL that is no known link: skipped on a page, out of scope, or never seen."""
    skipped = next(
        ((reason, page) for href, reason, base, page in journal.query(_SKIPPED) if canonical(href, base) == url),
        None,
    )
    reason, page = skipped or (UNKNOWN, None)
    near = tuple(nearest.nearest(url, journal.urls()))
    explanation = Explanation(url, False, reason, meaning(reason).happened, meaning(reason).advice, (), None)
    refusal = replay.state.setup.scope.decide(url)
    notes = () if refusal is None else (f"it would be out of scope: {refusal}. {meaning(refusal).happened}",)
    return replace(explanation, skipped_on=page, nearest=near, notes=notes)
