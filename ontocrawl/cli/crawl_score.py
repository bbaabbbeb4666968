"""`ontocrawl crawl score`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.base.options import CrawlOptions, CrawlSettings
from ontocrawl.cli import page_tables
from ontocrawl.cli.crawl_options import (
    OldJudge,
    Resolve,
    given,
    judge_name,
    with_options,
)
from ontocrawl.cli.output import Answer, Folder, Line, spoken, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.runs.page_scoring import ScoredPage


@with_options(CrawlSettings, "topic", "judge", "threshold")
@with_options(CrawlOptions, "world", "allow_loopback")
def score(
    page: Annotated[str, typer.Argument(metavar="FILE|URL", help="A file of HTML or plain text, or a URL.")],
    topic: str | None = None,
    run_name: Annotated[
        str | None, typer.Option("--run", help="Score a page of this run, by the topic of the run; nothing is fetched.")
    ] = None,
    judge: str | None = None,
    threshold: float | None = None,
    relevance: OldJudge = None,
    resolve: Resolve = None,
    folder: Folder = None,
    **options: Any,
) -> Answer:
    """Score one page by a topic, and show the parts of its relevance: words, weights, places, the decision.

    The judge is that of `crawl run`, by the same settings. A URL is fetched as in a crawl: robots.txt is obeyed,
    redirects are followed, addresses are checked.
    """
    space, name = workspace(folder), judge_name(judge, relevance)
    if run_name is not None:
        if topic is not None:
            raise UsageError("cli.run_scores_topic_run")
        from ontocrawl.runs import page_scoring

        scored = page_scoring.score_of_run(space, run_name, page, judge=name, threshold=threshold)
    else:
        asked = CrawlOptions(**given(CrawlOptions, options))
        scored = _scored(space, page, topic, (name, threshold), asked, resolve)
    document = scored.as_json()
    about = [
        document["title"] or Message("cli.without_title"),
        Message("cli.characters", n=document["length"]),
        *([document["encoding"]] if document["encoding"] else []),
        *([document["published"]] if document["published"] else []),
    ]
    told = {"topic": document["topic"], "function": document["function"], "verdict": page_tables.verdict(document)}
    title = Message("cli.of_scored", **told)
    heading = Line(document["source"], style="bold", wrap=False)
    return Answer(
        document, [heading, ", ".join(map(spoken, about)), "", *page_tables.of_words(title, document["words"])]
    )


def _scored(
    space: Workspace,
    page: str,
    topic: str | None,
    judge: tuple[str | None, float | None],
    asked: CrawlOptions,
    resolve: Path | None,
) -> ScoredPage:
    """Score a file or a URL; arguments are those of `score`, ``judge`` is name and threshold."""
    from ontocrawl.runs import crawl_setup, page_scoring
    from ontocrawl.topics import topics

    on_topic = topics.load(topics.default_name(space) if topic is None else topic, space)
    chosen = page_scoring.judge_of(on_topic, *judge)  # before anything is fetched
    if "://" not in page and asked.world == "live":
        return page_scoring.score_file(on_topic, Path(page), judge=chosen)
    table = crawl_setup.resolve_table(resolve)
    world = page_scoring.live_world(space, resolve=table, allow_loopback=asked.allow_loopback, spec=asked.world)
    with closing(world) as opened:
        agent = space.settings.crawl.user_agent
        return page_scoring.score_url(on_topic, page, opened, user_agent=agent, judge=chosen)
