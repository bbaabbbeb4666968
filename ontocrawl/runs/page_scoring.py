"""Score one page by the judge of a topic, and show the parts of its relevance: a file, a URL, or a page of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from crawler.crawl_options import Judge
from crawler.explanation.page_scores import Decision, RelevanceParts, decision, page_scores, relevance_parts
from crawler.fetching.fetch import Fetcher
from crawler.journal import read_links
from crawler.model import Failure, Response, World
from crawler.pages.parse import parse
from crawler.pages.text_figures import text_figures
from crawler.pages.words import word_totals
from crawler.reasons import meaning
from crawler.scoring.statistics import Statistics
from crawler.text import Matcher
from crawler.worlds import CorpusWorld, open_world
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.runs import crawl_setup, explaining, runs
from ontocrawl.topics import topics
from ontocrawl.topics.topics import Topic

_FILE_URL = "http://file.invalid/"
"""URL of a page that was read from a file, to which its links are joined."""


@dataclass(frozen=True)
class ScoredPage:
    """A page scored by the judge of a topic.

    Attributes:
        source: the file or the URL.
        topic: name of the topic.
        title, published: title and day of publication of the page; None where it has no date.
        length: characters of text.
        encoding: encoding that the page was read in; None for a page of a run.
        parts: R by the relevance function of the judge, and the part of each word.
        decision: R against the threshold.
    """

    source: str
    topic: str
    title: str
    published: str | None
    length: int
    encoding: str | None
    parts: RelevanceParts
    decision: Decision

    def __repr__(self) -> str:
        verdict = "relevant" if self.relevant else "not relevant"
        return f"<ScoredPage {self.source}: R = {self.R:.4f} by {self.parts.function}, {verdict}>"

    @property
    def R(self) -> float:  # noqa: N802 - the symbol of the papers
        """Relevance of the page, in [0, 1]."""
        return self.parts.R

    @property
    def relevant(self) -> bool:
        """The judge's decision."""
        return self.decision.relevant

    def as_json(self) -> dict[str, Any]:
        """Return the page as values of JSON."""
        document = asdict(self)
        parts: Mapping[str, Any] = document.pop("parts")
        document |= document.pop("decision")
        return {**document, "function": parts["function"], "words": list(parts["words"])}


def judge_of(topic: Topic, name: str | None = None, threshold: float | None = None) -> Judge:
    """Return the judge that a crawl on a topic in its workspace has by default, or by the options of `crawl run`.

    Args:
        topic: the topic.
        name: a judge in place of that of the workspace's settings.
        threshold: threshold in place of that of the settings or the judge, in [0, 1].

    Raises:
        UsageError: an unknown judge.
    """
    settings = topic.workspace.settings.crawl
    chosen = settings.threshold if threshold is None else threshold
    return crawl_setup.judge_of(name or settings.judge, topic.file, chosen)


def score_body(
    topic: Topic, body: bytes, *, source: str, url: str = _FILE_URL, content_type: str = "", judge: Judge | None = None
) -> ScoredPage:
    """Score a page. Document frequencies, where the function uses them, are those of this page alone.

    Args:
        topic: the topic.
        body: the bytes of the page: HTML or plain text in any encoding.
        source: what to call the page.
        url: its URL.
        content_type: its content type; empty to detect it.
        judge: the relevance function with its threshold; None for those of `judge_of`.

    Raises:
        CommandError: the bytes are no page with text.
    """
    judge, vocabulary = judge or judge_of(topic), topic.vocabulary
    page = parse(Response(url, 200, {"content-type": content_type}, body))
    if isinstance(page, Failure):
        raise failed(source, page)
    matcher, name = Matcher((vocabulary,)), vocabulary.name
    counts = matcher.count_segments(page.segments)
    statistics, totals = Statistics({name: vocabulary}), word_totals(text for _, text in page.segments)
    statistics.add(counts, totals.words)
    text = text_figures(matcher, name, totals, page.title, "" if page.noindex else page.text)
    parts = relevance_parts(judge.relevance, vocabulary, counts[name], statistics, page.length, text)
    verdict = decision(judge, parts.R)
    return ScoredPage(source, topic.name, page.title, page.published, page.length, page.encoding, parts, verdict)


def score_file(topic: Topic, path: Path, *, judge: Judge | None = None) -> ScoredPage:
    """Score a file; arguments and errors as for `score_body`. Raises UsageError for a file that cannot be read."""
    try:
        body = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError("runs.neither_file_nor_url", path=path) from error
    except OSError as error:
        raise UsageError("runs.cannot_read_give_path", path=path, strerror=error.strerror) from error
    return score_body(topic, body, source=str(path), judge=judge)


def score_url(topic: Topic, url: str, world: World, *, user_agent: str, judge: Judge | None = None) -> ScoredPage:
    """Fetch a page as a crawl does, with robots.txt, redirects and the checks of addresses, and score it.

    Args:
        topic: the topic.
        url: its URL, or the name of a page of a corpus.
        world: the world to fetch it from.
        user_agent: name of the crawler.
        judge: the relevance function with its threshold; None for those of `judge_of`.

    Raises:
        UsageError: the URL is malformed.
        CommandError: the page cannot be fetched, or has no text.
    """
    wanted = world.url_of(url) if isinstance(world, CorpusWorld) else explaining.web_url(url)
    fetched = Fetcher(world, user_agent=user_agent).get(wanted)
    if isinstance(fetched, Failure):
        raise failed(wanted, fetched)
    content_type = fetched.response.headers.get("content-type", "")
    body, final = fetched.response.body, fetched.final_url
    return score_body(topic, body, source=final, url=final, content_type=content_type, judge=judge)


def score_of_run(
    workspace: Workspace, run: str, url: str, *, judge: str | None = None, threshold: float | None = None
) -> ScoredPage:
    """Score a page of a run by the counts in its journal, with the document frequencies that the crawl had then.

    Args:
        workspace: the workspace of the run.
        run: name of the run, whose topic is used.
        url: URL of a fetched page.
        judge: a judge in place of that of the run.
        threshold: threshold in place of that of the run or the judge, in [0, 1].

    Raises:
        UsageError: there is no such run or judge, the URL is malformed, or the run has not fetched it.
    """
    with runs.open_journal(workspace, run) as journal, journal.at_one_moment():
        config = runs.read_config(journal)
        wanted = explaining.canonical(url, config)
        through = read_links.read_through(journal, wanted)
        if through is None:
            raise UsageError("runs.run_not_read_says", run=run, wanted=wanted)
        setup = explaining.replay_of(config, journal)[0].state.setup
        if judge is not None:
            topic = topics.load(config.topic_file or config.topic, workspace)
            setup = replace(setup, judge=crawl_setup.judge_of(judge, topic.file, threshold))
        elif threshold is not None:
            setup = replace(setup, judge=replace(setup.judge, threshold=threshold))
        scores = page_scores(journal, setup, frozenset({through[1]}))[through[1]]
        query = "SELECT title, published, length FROM page WHERE seq = ?"
        title, published, length = next(journal.query(query, (through[1],)))
    return ScoredPage(wanted, config.topic, title, published, length, None, scores.judge, scores.decision)


def failed(source: str, failure: Failure) -> CommandError:
    """Return the error for a page that cannot be scored."""
    reason = meaning(failure.reason)
    detail = f" ({failure.detail})" if failure.detail else ""
    return CommandError(
        "runs.source_reason_happened_detail_advice",
        source=source,
        reason=failure.reason,
        happened=reason.happened.removesuffix("."),
        detail=detail,
        advice=reason.advice,
    )


def live_world(workspace: Workspace, *, resolve: Mapping[str, str], allow_loopback: bool, spec: str = "live") -> World:
    """Open a world with the limits of a workspace's settings; its caller closes it."""
    settings = workspace.settings.crawl
    return open_world(
        spec,
        timeout=settings.timeout,
        max_bytes=settings.max_bytes,
        resolve=resolve,
        allow_loopback=allow_loopback,
        user_agent=settings.user_agent,
        ca_file=settings.ca_file,
    )
