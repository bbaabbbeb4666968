"""Teach a run by example: pages that a person likes or dislikes. The command line, Python and a web page call this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass

from crawler import strategies
from crawler.journal import Journal, read_links, taught_pages
from crawler.journal.taught_pages import PageVerdict
from crawler.model import World
from crawler.reasons import meaning
from crawler.scope import Scope
from crawler.strategies.base import Strategy
from crawler.teaching import refusal
from kg.engine.files import FileLock
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.runs import crawl_setup, run_files, runs
from ontocrawl.runs.explaining import canonical
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.seeds import url_in_world
from ontology.errors import OntocrawlError

LOCK = "taught.lock"
LOCK_SECONDS = 5.0
"""Time for which a command waits for another one that teaches the same run."""


@dataclass(frozen=True)
class Lesson:
    """What a person says of a page of a run."""

    url: str
    liked: bool | None
    """None where a verdict is taken back, and the run has not taken that."""
    at: str
    """Time, ISO 8601."""
    fetched: int | None
    """Pages that the run had fetched when it took the verdict; None while the verdict waits."""


@dataclass(frozen=True)
class TaughtRun:
    """All that a run was taught and that counts, or will count."""

    run: str
    state: str
    """running, draining, interrupted or finished."""
    taught: tuple[Lesson, ...]


def taught(space: Workspace, name: str) -> TaughtRun:
    """Return what a run was taught.

    Args:
        space: the workspace of the run.
        name: name of the run.

    Raises:
        UsageError: there is no such run.
        VerdictsError: its file of verdicts is damaged.
    """
    folder = space.existing_run(name)
    running = FileLock(folder / runs.LOCK).is_held()
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        state, config = runs.state_of(journal, running=running), runs.read_config(journal)
        took = taught_pages.present(journal)
    found = {page.url: Lesson(page.url, page.liked, page.at, page.fetched) for page in took.values()}
    for verdict in run_files.read_taught(folder, config).values():
        if verdict.liked != (took[verdict.url].liked if verdict.url in took else None):
            found[verdict.url] = Lesson(verdict.url, verdict.liked, verdict.at, None)
    return TaughtRun(name, state, tuple(found.values()))


@dataclass(frozen=True)
class Teachable:
    """Whether a run can be taught."""

    strategy: str
    teachable: bool
    refused: str
    """Why the strategy cannot be used, as where its file has changed; empty where it only does not learn from pages."""
    able: tuple[str, ...]
    """Registered strategies that learn from pages."""


def teachable(space: Workspace, name: str) -> Teachable:
    """Return whether the strategy of a run learns from pages.

    Args:
        space: the workspace of the run.
        name: name of the run.

    Raises:
        UsageError: there is no such run.
    """
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        config = runs.read_config(journal)
    try:
        learns, refused = crawl_setup.strategy_of(config).is_teachable, ""
    except OntocrawlError as error:
        learns, refused = False, str(error)
    return Teachable(config.strategy, learns, refused, _able())


def _able() -> tuple[str, ...]:
    return tuple(name for name in strategies.STRATEGIES if strategies.create(name).is_teachable)


def teach(
    space: Workspace, name: str, *, like: Sequence[str] = (), unlike: Sequence[str] = (), forget: Sequence[str] = ()
) -> TaughtRun:
    """Teach a run, which takes the verdicts between two fetches, or when it is resumed; nothing given changes nothing.

    Args:
        space: the workspace of the run.
        name: name of the run.
        like: URLs of pages of the kind that is looked for; of a corpus also names of pages.
        unlike: URLs of pages of another kind.
        forget: URLs whose verdicts are taken back.

    Returns:
        All that the run was taught.

    Raises:
        UsageError: there is no such run, its strategy takes no verdicts, or a URL is wrong, given twice, out of scope,
            not in the corpus, or to be forgotten though nothing was said of it.
        VerdictsError: the file of verdicts is damaged.
        CommandError: the file cannot be written.
    """
    folder = space.existing_run(name)
    if not (like or unlike or forget):
        return taught(space, name)
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        config = runs.read_config(journal)
        require_teachable(crawl_setup.strategy_of(config), f"run {name} crawls by ")
        verdicts = _verdicts(journal, config, like, unlike)
    lock = FileLock(folder / LOCK)
    if not lock.acquire(LOCK_SECONDS):
        raise CommandError("runs.teach_busy", name=name)
    try:
        said = {lesson.url for lesson in taught(space, name).taught if lesson.liked is not None}
        for item in forget:
            url = _named("forget", item, lambda item: canonical(item, config))
            if url not in said or url in verdicts:
                code = "runs.teach_forget_both" if url in verdicts else "runs.teach_forget_none"
                raise UsageError(code, option=Option(f"--forget {item}"), url=url, run=name)
            verdicts[url] = PageVerdict(url, None, workspace.now())
        run_files.write_taught(folder, {**run_files.read_taught(folder, config), **verdicts}.values())
    finally:
        lock.release()
    return taught(space, name)


def _verdicts(
    journal: Journal, config: RunConfig, like: Sequence[str], unlike: Sequence[str]
) -> dict[str, PageVerdict]:
    scope = crawl_setup.scope_of_run(config)
    for url, targets in read_links.redirects(journal):
        scope.extend(url, targets)
    corpus = config.world.startswith("corpus:") and (like or unlike)
    with closing(crawl_setup.world_of(config)) if corpus else nullcontext() as world:
        liked, unliked = examples(like, unlike, lambda item: _url(item, config, world))
    for option, urls in (("like", liked), ("unlike", unliked)):
        for url in urls:
            _require_in_scope(option, url, refusal(journal, scope, config.seeds, url))
    now = workspace.now()
    return {url: PageVerdict(url, said, now) for urls, said in ((liked, True), (unliked, False)) for url in urls}


def _url(item: str, config: RunConfig, world: World | None) -> str:
    return canonical(item, config) if world is None else url_in_world(item, world)


def examples(
    like: Sequence[str], unlike: Sequence[str], url_of: Callable[[str], str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the canonical URLs of pages that a person likes, and of those that the person dislikes, each once.

    Args:
        like: URLs, or names of pages of a corpus.
        unlike: the same.
        url_of: function that returns the canonical URL of one, or raises an OntocrawlError.

    Raises:
        UsageError: one is no URL or not in the corpus, or a page is in both lists; the message names the option.
    """
    liked, unliked = ({_named(option, item, url_of): None for item in items}
                      for option, items in (("like", like), ("unlike", unlike)))  # fmt: skip
    for url in liked:
        if url in unliked:
            raise UsageError(
                "runs.teach_twice",
                like=Option(f"--like {url}", f"like={url}"),
                unlike=Option(f"--unlike {url}", f"unlike={url}"),
            )
    return tuple(liked), tuple(unliked)


def _named(option: str, item: str, url_of: Callable[[str], str]) -> str:
    try:
        return url_of(item)
    except OntocrawlError as error:
        raise UsageError("files.about", about=Option(f"--{option} {item}"), error=error) from error


def require_in_scope(config: RunConfig) -> None:
    """Raise UsageError where a page that a new run begins with, by ``like`` or ``unlike``, is out of its scope."""
    scope: Scope = crawl_setup.scope_of_run(config)
    for option, urls in (("like", config.like), ("unlike", config.unlike)):
        for url in urls:
            _require_in_scope(option, url, None if url in config.seeds else scope.decide(url))


def _require_in_scope(option: str, url: str, reason: str | None) -> None:
    if reason is not None:
        raise UsageError(
            "runs.teach_scope", option=Option(f"--{option} {url}"), reason=reason, meaning=meaning(reason).text
        )


def require_teachable(strategy: Strategy, who: str = "the crawl is by ") -> None:
    """Raise UsageError for a strategy that takes no verdicts of persons.

    Args:
        strategy: the strategy of a crawl.
        who: begin of the message, before the name of the strategy.
    """
    if strategy.is_teachable:
        return
    able = _able()
    raise UsageError(
        "runs.does_not_learn_strategies",
        who=who,
        strategy=strategy.name,
        able=", ".join(able),
        option=Option(f"--strategy {able[0]}"),
    )
