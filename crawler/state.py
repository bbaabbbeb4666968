"""The state of a crawl, and how a page changes it. A crawl and its replay take the same steps.

This module does not fetch, read a clock or write files; the random generator is part of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from crawler.crawl_options import Setup, SetupError, needed, page_parts
from crawler.discovery import Discovery
from crawler.expected_gain import Harvest
from crawler.frontier import Frontier
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import LinkPrior
from crawler.journal import PageJudgement
from crawler.model import Counts, Failure, Floats, GuideScore, Ids, Outcome, OutLink, PageScore, Pick
from crawler.pages.dates import date_in_text, day_number, day_of
from crawler.pages.page import Extras, PageRecord, failed
from crawler.pages.text_figures import page_relevance
from crawler.pages.tokens import PageTokens, Tokenizer
from crawler.pages.ways import JSDATA
from crawler.protocol import Scheduler
from crawler.read_pages import FIRST_READING, SOFT_404, Reading, ReadPages
from crawler.scoring.features import expand
from crawler.scoring.guided import GuidedFeatures
from crawler.scoring.relevance import Relevance, reads_text
from crawler.scoring.statistics import Statistics
from crawler.strategies.base import TOKENS
from crawler.text import Matcher, Matches

_ONLY = ""
"""Name of the guide of a crawl with a single guide."""


@dataclass(frozen=True)
class Absorbed:
    """The outcome of a link, and how its page changed the state."""

    outcome: Outcome
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Distinct out-link -> reason code, in page order; and those of other links whose scope the page changed."""
    anchor_relevance: Mapping[int, float] = field(default_factory=dict)
    """Out-link -> R of its anchor under TK, Eq. (10)."""
    ids: Mapping[str, int] = field(default_factory=dict)
    """URL of each out-link, and of the page where it links to itself -> id."""
    rescored: bool = False
    """Whether all queued links were scored again."""
    reading: Reading = FIRST_READING


Look = Callable[[Ids], None]


class CrawlState:
    """The state of a crawl: frontier, link graph, statistics, features, strategy and random generator."""

    def __init__(self, setup: Setup) -> None:
        """Start before the seeds are planted.

        Args:
            setup: everything that determines the crawl.

        Raises:
            SetupError: the topic lacks a vocabulary that the strategy needs, or the strategy needs an unknown part of
                pages.
            FeatureError: the strategy declares a feature column that does not exist.
        """
        self.strategy = setup.strategy
        parts = page_parts(self.strategy)
        divided, cut = "block_scores" in parts, not TOKENS.isdisjoint(parts)
        vocabularies = needed(setup)
        topic = Matcher((vocabularies["TK"],)) if divided else None
        tokens = Tokenizer(Matcher([vocabularies[v] for v in self.strategy.token_vectors])) if cut else None
        words = any(map(reads_text, (setup.judge.relevance, setup.guide, *setup.guides.values())))
        extras = (topic, setup.classify, setup.robot, setup.ways, words, tokens, setup.documents)
        self.extras = Extras(*extras, crawled=True)
        self.graph = LinkGraph()
        self.frontier = Frontier(expand(self.strategy.features, tuple(vocabularies)))
        self.known = Discovery(setup.scope, self.frontier, self.graph)
        self.urls = self.known.urls
        self.frontier.prior = LinkPrior(setup.prior, self.urls)
        self._main_guide = self.strategy.guide if setup.guides else _ONLY
        self._weigh(setup, 0)
        rng = np.random.default_rng(setup.seed)
        self.scheduler = Scheduler(
            self.strategy, self.frontier, self.graph, self.features, rng,
            refresh_every=setup.refresh_every, short_queue=setup.short_queue, per_host=setup.per_host,
            refusals=None if setup.strict_filter else self.known.refusals,
        )  # fmt: skip
        self.harvest = Harvest()
        self.seen_ahead: dict[int, PageRecord] = {}
        self.read_pages = ReadPages(self.known, self.scheduler)

    def _weigh(self, setup: Setup, number: int) -> None:
        """Make what depends on the topic vectors, without any page."""
        self.setup, self.weights = setup, number
        self.vocabularies = needed(setup)
        # All vocabularies are counted and journalled, used or not.
        self.matcher = Matcher(tuple(setup.vocabularies.values()), number)
        self.statistics = Statistics(setup.vocabularies)
        self.guides = dict(setup.guides) or {_ONLY: setup.guide}
        self.features = GuidedFeatures(
            self.frontier.feature_names, self.guides, self.vocabularies, self.statistics, self.graph, setup.target,
            self._relevance_ahead, self.frontier.prior,
        )  # fmt: skip
        self._ahead_scores: dict[int, Mapping[str, Mapping[str, float]]] = {}

    def weigh(self, setup: Setup, number: int) -> None:
        """Take the topic vectors of another setup (``Setup.under``), with their number in the crawl, from 1.

        Statistics and feature columns start without any page: ``count_again`` adds the pages.
        """
        earlier = self.features
        self._weigh(setup, number)
        self.features.keep_ranks(earlier)
        self.scheduler.features = self.features

    def plant_seeds(self) -> None:
        """Queue the seeds. Raises SetupError where there are none."""
        if not self.setup.seeds:
            raise SetupError("crawler.crawl_needs_least_seed")
        self.scheduler.plant(self.known.plant(tuple(dict.fromkeys(self.setup.seeds))))

    # ---- absorbing a page ---------------------------------------------------------------------------------------

    def absorb(
        self, pick: Pick, record: PageRecord, look: Look | None = None, journalled: Mapping[str, Any] | None = None
    ) -> Absorbed:
        """Change the state by the page of a link in flight: tell, admit, priority.

        Args:
            pick: the link in flight.
            record: its page, or the failure to fetch it.
            look: called with the links that are offered to the strategy, before their features are computed.
            journalled: in a replay, the data of the event of the page.

        Returns:
            The outcome, and the decision about each out-link.
        """
        link = pick.link
        reading = FIRST_READING
        if record.failure is None:
            reading = self.read_pages.read(link, record, journalled)
        elif record.failure == SOFT_404:
            self.read_pages.learn(link, record)
        if reading.duplicate is not None:
            record = replace(record, failure=reading.duplicate, page=replace(record.page, links=()), counts={})
        if record.failure is not None:
            outcome = Outcome(link, None, failure=record.failure, tag=pick.tag)
            self.scheduler.tell(pick.number, outcome)
            return Absorbed(outcome)
        self.statistics.add(record.counts, record.words.words if record.words else 0)
        R = self._relevance_by_guide(record)
        score = self._score(record, R[self._main_guide])
        self.scheduler.fetched += 1
        self.harvest.add(score.relevant and reading.near_duplicate_of is None and not record.page.noindex)
        published = record.page.published or day_of(float(self.frontier.column("date", np.array([link]))[0]))
        ids, targets, asked, R_anchor = self._add_links(link, record, R, published, reading.asked)
        outcome = Outcome(link, score, targets, record.class_, None, published, tag=pick.tag)
        outcome = self._with_parts(outcome, record, R, ids)
        self.scheduler.tell(pick.number, outcome)
        linked = np.concatenate((targets, asked))
        change = self.known.read(link, record.final_url, record.hops, linked, relevant=score.relevant)
        offered = np.concatenate((linked, change.freed[~self.scheduler.visited.mask(change.freed)]))
        reasons = {**change.withdrawn, **self.scheduler.offer(offered, self.known.refusals(offered), look)}
        if reading.probe is not None:
            reasons |= self._probe(reading.probe)
        rescored = self.scheduler.refresh_if_due()
        relevance_of = dict(zip(targets.tolist(), R_anchor.tolist(), strict=True))
        return Absorbed(outcome, reasons, relevance_of, ids, rescored, reading)

    def score(self, record: PageRecord) -> PageScore:
        """Return the relevance of a page, read or seen ahead, by the guide, and the judge's decision."""
        return self._score(record, self._relevance_by_guide(record)[self._main_guide])

    def judgement(self, record: PageRecord, absorbed: Absorbed) -> PageJudgement:
        """Return what the journal keeps of the decisions about a page."""
        score, reasons, reading = absorbed.outcome.page_score, absorbed.reasons, absorbed.reading
        score = None if record.page.noindex else score
        vectors = self.strategy.token_vectors
        by_class = [round(score.relevance[v], 6) for v in vectors] if score is not None and len(vectors) > 1 else []
        return PageJudgement(
            None if score is None else score.judged,
            None if score is None or reading.near_duplicate_of is not None else score.relevant,
            {url: i for url, i in absorbed.ids.items() if i in reasons},
            reasons,
            absorbed.anchor_relevance,
            {**reading.about(), **({"by_class": by_class} if by_class else {})},
        )

    def ready(self, link: int) -> PageRecord | None:
        """Return the record of a chosen link that needs no request: it is over a cap, or its page was read ahead."""
        reason, url = self.known.over_cap(link), self.urls.url(link)
        if reason is not None:
            return failed(url, Failure(url, reason, "chosen together with links that reached the cap"))
        return self.seen_ahead.pop(link, None)

    def was_read(self, link: int) -> bool:
        """Return whether the page of a link was read, through this link or another one."""
        return link in self.read_pages

    def to_look_at(self, record: PageRecord) -> list[str]:
        """Return the URLs of the links of a page that may be offered and whose targets are not known yet."""
        urls: list[str] = []
        for link in record.page.links:
            known = self.urls.id(link.url)
            if known is None:
                fresh = self.setup.scope.decide(link.url) is None
            else:
                queued = bool(self.frontier.is_queued(np.array([known]))[0])
                closed = known in self.scheduler.visited or self.known.is_refused(known)
                fresh = not (queued or closed or self.knows_target(known))
            if fresh:
                urls.append(link.url)
        return urls

    def knows_target(self, link: int) -> bool:
        """Return whether the page of a link was read ahead."""
        return link in self._ahead_scores

    def look_ahead(self, link: int, record: PageRecord) -> None:
        """Compute R of the page of a link before the link is chosen (trap T4).

        Args:
            link: id of the link.
            record: its page, fetched ahead and kept (``oracle``) or read by another run (``cached``).
        """
        if self.setup.target == "oracle":
            self.seen_ahead[link] = record
        self._score_ahead(link, record)

    def _score_ahead(self, link: int, record: PageRecord) -> None:
        if record.failure is None:
            self._ahead_scores[link] = self._relevance_by_guide(record)
        else:
            self._ahead_scores[link] = dict.fromkeys(self.guides, dict.fromkeys(self.vocabularies, 0.0))

    # ---- other weights ------------------------------------------------------------------------------------------

    def count_again(self, page: int, record: PageRecord, seen_ahead: Mapping[int, PageRecord]) -> None:
        """Add a page that was read before to statistics and feature columns; called for all of them after ``weigh``.

        ``record`` has the counts of the present vocabularies, as have the pages that were read ahead for its links.
        """
        self.statistics.add(record.counts, record.words.words if record.words else 0)
        for link, ahead in seen_ahead.items():
            if link in self.seen_ahead:
                self.seen_ahead[link] = replace(self.seen_ahead[link], counts=ahead.counts, weights=self.weights)
            self._score_ahead(link, ahead)
        row_of = {link.url: row for row, link in enumerate(record.page.links)}
        known = {url: i for url in row_of if (i := self.urls.id(url)) is not None}
        targets, rows = _without(page, known, row_of)
        if len(targets):
            counts = self._counts_of(record.page.links, rows)
            self.features.add_counts(targets, *counts, self._relevance_by_guide(record))

    def score_again(self) -> list[int]:
        """Score all queued links anew, and offer those that the strategy rejected before to it once more.

        Returns:
            The links that it admits now, which are queued.
        """
        self.scheduler.refresh()
        known = np.arange(self.frontier.n, dtype=np.int64)
        open_ = ~self.frontier.is_queued(known) & ~self.scheduler.visited.mask(known)
        left = known[open_ & (self.graph.in_degree(known) > 0)]
        reasons = self.scheduler.offer(left, self.known.refusals(left)) if len(left) else {}
        return [link for link, reason in reasons.items() if reason == "admitted"]

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs besides URLs and decisions, which are in the journal."""
        return {
            **self.scheduler.state(),
            **self._small_state(),
            "graph": self.graph.state(),
            "features": self.features.state(),
            **self.read_pages.state(),
        }

    def changes(self, rescored: bool) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot.

        Args:
            rescored: whether the last thing that happened was a page after which all queued links were scored again.
        """
        return {
            **self.scheduler.changes(rescored),
            **self._small_state(),
            "graph": self.graph.changes(),
            "features": self.features.changes(),
            **self.read_pages.changes(),
        }

    def saved(self, rescored: bool) -> None:
        """Continue after a snapshot; ``rescored`` as for ``changes``, False after a whole one."""
        self.frontier.saved(rescored)
        self.features.saved()
        self.read_pages.saved()
        self.graph.saved()
        self.strategy.saved()

    def _small_state(self) -> dict[str, Any]:
        return {
            "statistics": self.statistics.state(),
            "known": self.known.state(),
        }

    def restore(self, saved: Mapping[str, Any], known: Sequence[str], decisions: Iterable[bool]) -> None:
        """Restore a state into a new object.

        Args:
            saved: the result of ``state``, with all ``changes`` after it.
            known: all known URLs by id.
            decisions: whether each page that was fetched is relevant, in order.

        Raises:
            KeyError, ValueError: a state of another strategy or other feature columns.
        """
        self.graph.restore(saved["graph"])
        self.known.restore(saved["known"], known, saved["frontier"]["columns"])
        self.scheduler.restore(saved)
        self.statistics.restore(saved["statistics"])
        self.features.restore(saved["features"])
        self.harvest = Harvest(decisions)
        self.read_pages.restore(saved)
        if saved["frontier"]["stale"]:
            self.scheduler.compute_stale()

    # ---- inside -------------------------------------------------------------------------------------------------

    def _page_relevance(self, relevance: Relevance, vocabulary: str, record: PageRecord) -> float:
        return page_relevance(relevance, self.vocabularies[vocabulary], record, self.statistics, self.matcher)

    def _score(self, record: PageRecord, R: Mapping[str, float]) -> PageScore:
        """Return R under the guide for each vocabulary, and the judge's decision."""
        by_guide = self.setup.judge.relevance is self.guides[self._main_guide]
        judged = R["TK"] if by_guide else self._page_relevance(self.setup.judge.relevance, "TK", record)
        return PageScore(R, judged, self.setup.judge.verdict(judged))

    def _relevance_by_guide(self, record: PageRecord) -> dict[str, dict[str, float]]:
        return {
            guide: {name: self._page_relevance(relevance, name, record) for name in self.vocabularies}
            for guide, relevance in self.guides.items()
        }

    def _relevance_ahead(self, guide: str, link: int, vocabulary: str) -> float | None:
        scores = self._ahead_scores.get(link)
        return None if scores is None else scores[guide][vocabulary]

    def _add_links(
        self,
        page: int,
        record: PageRecord,
        R: Mapping[str, Mapping[str, float]],
        published: str | None,
        canonical: str | None,
    ) -> tuple[dict[str, int], Ids, Ids, Floats]:
        """Discover the distinct links of a page and add them to the graph and the features.

        Args:
            page: id of the page.
            record: the page.
            R: guide -> vocabulary -> relevance of the page.
            published: its day of publication.
            canonical: the canonical URL that it declares and that is to be fetched: a link by the title of the page.

        Returns:
            The id of each URL; the ids of its links without the page itself, shape (m,); that of the canonical URL
            where it is none of them, shape (0,) or (1,); the relevance of the anchors under TK, shape (m,).
        """
        links = record.page.links
        row_of = {link.url: row for row, link in enumerate(links)}
        known = {url: self.urls.id(url) for url in row_of}
        new = [links[row_of[url]] for url, i in known.items() if i is None]
        data = {link.url for link in new if link.kind == JSDATA}
        added = self.known.add([link.url for link in new], self.scheduler.fetched, [link.block for link in new], data)
        number = iter(added.tolist())
        ids = {url: next(number) if i is None else i for url, i in known.items()}
        targets, rows = _without(page, ids, row_of)
        declared = [OutLink(canonical, record.page.title)] if canonical is not None and canonical not in ids else []
        if declared and self.urls.id(declared[0].url) is None:
            self.known.add([declared[0].url], self.scheduler.fetched)
        asked = np.array([self.urls.id(link.url) for link in declared], dtype=np.int64)
        self.known.inherit_date(np.concatenate((targets, asked)), day_number(published))
        self.graph.add(page, [*targets.tolist(), *asked.tolist()])
        self.features.add_page(page, R)
        anchors, contexts = self._counts_of(links, rows, record.anchors)
        self.features.add_links(targets, anchors, contexts, page)
        if declared:
            self.features.add_links(asked, *self._counts_of(declared, np.arange(1)), page)
        w = self.vocabularies["TK"].weights
        return ids, targets, asked, self.setup.guide.anchors(anchors["TK"], w, self.statistics, "TK")

    def _probe(self, url: str) -> dict[int, str]:
        """Let the URL by which a host is probed be chosen next, and return its reason code."""
        link = self.known.ask(url, self.scheduler.fetched)
        self.scheduler.probes.append(link)
        return {link: "admitted"}

    def _counts_of(
        self, links: Sequence[OutLink], rows: Ids, found: Matches | None = None
    ) -> tuple[dict[str, Counts], dict[str, Counts] | None]:
        """Count the words of all vocabularies in the anchors of links, and in their contexts where these are used.

        Args:
            links: the links of a page.
            rows: the row of each link that is counted among them, shape (m,).
            found: matches in all their anchors; None, or by earlier weights, where they are to be found here.
        """
        if found is None or found.number != self.matcher.number:
            found = self.matcher.matches([link.anchor for link in links])
        row_of = np.full(len(links), -1)
        row_of[rows] = np.arange(len(rows))
        contexts = [links[row].context for row in rows.tolist()] if self.features.needs_context else None
        return found.counts(row_of, len(rows)), None if contexts is None else self.matcher.count_many(contexts)

    def _with_parts(
        self, outcome: Outcome, record: PageRecord, R: Mapping[str, Mapping[str, float]], ids: Mapping[str, int]
    ) -> Outcome:
        """Return the outcome with the parts of the page that the strategy needs, one value for each out-link."""
        parts = self.strategy.page_parts
        if not parts and not self.setup.guides:
            return outcome
        row_of = {ids[link.url]: row for row, link in enumerate(record.page.links)}
        rows = np.asarray([row_of[i] for i in outcome.out_links.tolist()], dtype=np.int64)
        R_B = dict[str, Floats]()
        if "block_scores" in parts and record.divisions is not None:
            block, blocks, w = record.divisions.block_of[rows], record.divisions.counts, self.vocabularies["TK"].weights
            R_B = {name: guide.anchors(blocks, w, self.statistics, "TK")[block] for name, guide in self.guides.items()}
            outcome = replace(outcome, block_scores=R_B[self._main_guide], innermost=record.divisions.innermost[block])
        outcome = replace(outcome, **_parts_of(record, rows, parts))
        if self.setup.guides:
            outcome = replace(outcome, by_guide={name: GuideScore(R[name], R_B.get(name)) for name in self.guides})
        return outcome


def _without(page: int, ids: Mapping[str, int], row_of: Mapping[str, int]) -> tuple[Ids, Ids]:
    """Return the ids of the links of a page without those to itself, and the row of each; both of shape (m,)."""
    others = [(i, row_of[url]) for url, i in ids.items() if i != page]
    targets, rows = np.array(others, dtype=np.int64).reshape(-1, 2).T.copy()
    return targets, rows


# ---- the optional parts of an outcome that are read from the record of its page: dates in the text, and tokens


def _parts_of(record: PageRecord, rows: Ids, parts: Sequence[str]) -> dict[str, Any]:
    """Return fields of Outcome.

    Args:
        record: the page.
        rows: the row of each of ``out_links`` among the links of the record, shape (m,).
        parts: the parts that the strategy needs.
    """
    fields = dict[str, Any]()
    if "segment_dates" in parts:
        days = [day_number(date_in_text(record.page.links[row].context)) for row in rows.tolist()]
        fields["segment_dates"] = np.asarray(days, dtype=np.float64)
    if record.tokens is not None:
        fields |= {name: rows_of for name, rows_of in _token_rows(record.tokens, rows).items() if name in parts}
    return fields


def _token_rows(tokens: PageTokens, rows: Ids) -> dict[str, Any]:
    return {
        "tokens": tokens.page,
        "anchor_tokens": tokens.anchors.rows(rows),
        "context_tokens": tokens.contexts(rows),
        "url_tokens": tokens.urls.rows(rows),
    }
