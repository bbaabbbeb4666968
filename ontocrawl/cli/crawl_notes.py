"""What `crawl run` and `crawl resume` print about a crawl beside its progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ontocrawl.cli.output import note

if TYPE_CHECKING:
    from crawler.journal.recounts import WeightsTaken
    from crawler.journal.taught_pages import TaughtPage
    from crawler.rounds.crawl import RoundsCrawl
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.runs.run_config import RunConfig
    from ontocrawl.runs.runs import RunResult


def note_unfinished(crawl: RoundsCrawl) -> None:
    """Print the partitions of an interrupted round that are fetched again."""
    first = f"round {crawl.round} was interrupted; its partitions without all their pages are fetched again:"
    note("\n  ".join([first, *map(str, crawl.unfinished)]))


@contextmanager
def interruption(space: Workspace, run: str) -> Iterator[None]:
    """Print how to go on with a run where Ctrl-C ends the block at once; nothing for a run that has not begun."""
    from ontocrawl.base.workspace import JOURNAL

    try:
        yield
    except KeyboardInterrupt:
        if (space.run(run) / JOURNAL).exists():
            note(f"the journal of run {run} is kept: ontocrawl crawl resume {run} continues it")
        raise


def note_ontology(config: RunConfig, weights: str | None) -> None:
    """Print the ontology of a crawl with its relevance function and weights; or that --weights has no effect."""
    if config.steered_by is not None:
        note(f"steered by {config.steered_by}: relevance {config.crawl.guide}, weights {config.crawl.weights}")
    elif weights is not None:
        note(f"{config.strategy} uses only the words of the topic file: --weights {weights} has no effect")


def note_no_effect(config: RunConfig, weights: str | None) -> None:
    """Print what steers a crawl, and which options have no effect on it."""
    note_ontology(config, weights)
    note_look_ahead(config)


def note_look_ahead(config: RunConfig) -> None:
    """Print that --target has no effect, where it has none."""
    from ontocrawl.runs import crawl_setup

    if config.crawl.target != "predict" and not crawl_setup.looks_ahead(crawl_setup.strategy_of(config)):
        note(f"{config.strategy} uses no feature of a link's target: --target {config.crawl.target} has no effect")
    elif config.crawl.target == "cached" and not config.known_runs:
        note("no other run of this world has counted the topic's words: the target of each link is predicted")


def note_rejected_links(space: Workspace, result: RunResult) -> None:
    """Print the number of links rejected by the strategy, if the crawl ended because none was left."""
    from crawler.journal import graph_rows
    from ontocrawl.runs import runs

    if result.stop_reason not in ("frontier_empty", "strategy_finished"):
        return
    with runs.open_journal(space, result.run) as journal:
        rejected = sum(row.reason == "rejected_by_strategy" for row in graph_rows.known(journal))
    if rejected:
        note(f"no link is left in the frontier: the filter of {result.strategy} rejected {rejected} links")


def note_links_left(result: RunResult) -> None:
    """Print the number of links whose host asked for a pause, or did not respond, and was not asked again."""
    from crawler.reachability import LEFT_ALONE

    left = sum(result.ledger.get(reason, 0) for reason in LEFT_ALONE)
    if left and result.stop_reason == "frontier_empty":
        note(
            f"{left} links are left, whose hosts asked for a pause or do not respond; to ask those that responded "
            f"before again: ontocrawl crawl resume {result.run}"
        )


def line_of(taken: WeightsTaken) -> str:
    """Return a line about weights that a crawl has taken."""
    keys = ", ".join(taken.ontologies.values())
    estimated = f", {taken.estimated} of them estimated from title and main text" if taken.estimated else ""
    admitted = f", and {taken.admitted} rejected ones are admitted" if taken.admitted else ""
    return (
        f"new weights of {keys}: counted in {taken.recounted} pages{estimated}; "
        f"{taken.queued} queued links are scored anew{admitted}"
    )


def line_of_verdicts(pages: Sequence[TaughtPage]) -> str:
    """Return a line about verdicts of persons that a crawl has taken."""
    count = Counter({True: "liked", False: "disliked", None: "forgotten"}[page.liked] for page in pages)
    asked = sum(page.asked for page in pages)
    more = f"; {asked} of them go to the head of the queue" if asked else ""
    return f"taught: {', '.join(f'{number} {what}' for what, number in count.items())}{more}"
