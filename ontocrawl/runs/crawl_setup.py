"""Assemble a crawl from its configuration: world, labels, strategy, relevance functions."""

from __future__ import annotations

import inspect
import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from crawler import strategies
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Judge, Limits, Setup
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule, NoSchedule
from crawler.fetching.pool import Renderer
from crawler.fetching.retries import NO_RETRIES, RETRIES, RETRIES_AT_ONCE
from crawler.fetching.robots import Robots
from crawler.fetching.robots_file import product_token
from crawler.journal import Journal
from crawler.journal.judged_pages import EarlierPages
from crawler.model import Failure, World
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.page_classifier import PageClassifier, training_statistics
from crawler.pages.ways import Ways
from crawler.scope import Bounds, Scope, scope_of
from crawler.scope.hosts import ScopeError, host_name
from crawler.scope.scope import LONGEST_SEQUENCE, RULES_OF_VERSION_1
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.relevance import RELEVANCE, OverTraining, Relevance, SemanticCosine, relevance
from crawler.strategies.base import Strategy
from crawler.strategies.mixture import Turns
from crawler.teaching import VerdictSource
from crawler.text import Matcher
from crawler.weights import Offers, Weights
from crawler.worlds import ArchiveWorld, LiveWorld, SyntheticWorld, WorldError, open_world
from crawler.worlds.addresses import parse_resolve
from crawler.worlds.browser import Browser
from crawler.worlds.chromium import INSTALL, program
from ontocrawl.base.options import CrawlOptions, CrawlSettings, ScopeSettings
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.runs import training
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.seeds import url_of
from ontocrawl.topics.topics import TopicFile
from ontology import files

# ---- worlds, labels ---------------------------------------------------------------------------------------------


def resolve_table(path: Path | None) -> dict[str, str]:
    """Read a file of HOST:PORT=ADDRESS:PORT lines, as for curl --resolve. Raises UsageError with file and line."""
    if path is None:
        return {}
    try:
        return parse_resolve(_text_of(path).splitlines())
    except WorldError as error:
        raise UsageError("files.about", about=Option(f"--resolve {path}"), error=error) from error


def read_labels(spec: str | None, world: World) -> frozenset[str] | None:
    """Read the labelled pages of a crawl, which only the metrics use.

    Args:
        spec: ``FILE#SET``, as of `label_sets.pages`; None for no labels.
        world: the world of the crawl.

    Returns:
        The URLs of the relevant pages; None for no labels.

    Raises:
        UsageError: the file cannot be read, has another form, or has no such set.
    """
    if spec is None:
        return None
    return frozenset(url_of(item, world) for item in pages(spec))


# ---- the crawl --------------------------------------------------------------------------------------------------


def world_of(config: RunConfig) -> World:
    """Open the world of a run."""
    return _opener_of(config)()


def _opener_of(config: RunConfig) -> Callable[[], World]:
    """Return the function that opens the world of a run, which can be sent to another process."""
    return partial(
        open_world,
        config.world,
        timeout=config.crawl.timeout,
        max_bytes=config.crawl.max_bytes,
        max_document_bytes=config.crawl.max_document_bytes if _reads_documents(config) else None,
        resolve=config.resolve,
        allow_loopback=config.allow_loopback,
        user_agent=config.crawl.user_agent,
        ca_file=config.crawl.ca_file,
        cookies=config.cookies,
        cookie_file=config.cookie_file,
    )


def _renderer_of(config: RunConfig, world: World) -> Renderer | None:
    """Return what renders the pages of a run that need a browser: an archive has those of the recorded crawl."""
    if not config.crawl.browser or config.rounds is not None:
        return None
    if not isinstance(world, LiveWorld):
        return world if isinstance(world, ArchiveWorld) else None
    hosts = [host_name(name) for name in config.crawl.render]
    return Browser(world, user_agent=config.crawl.user_agent, max_bytes=config.crawl.max_bytes, hosts=hosts)


def check_render(config: CrawlOptions, settings: CrawlSettings) -> None:
    """Raise UsageError where hosts are named to be rendered, and their pages would not be."""
    try:
        names = [host_name(name) for name in settings.render]
    except ScopeError as error:
        raise UsageError("runs.render_name", error=error) from error
    if not names or config.world != "live":
        return
    if not settings.browser or config.rounds is not None:
        other = Option("--no-browser", "browser=False") if config.rounds is None else Option("--rounds", "rounds")
        raise UsageError("runs.render_off", other=other)
    if program() is None:
        raise UsageError("runs.render_install", install=INSTALL)


def digest_of(strategy: type[Strategy]) -> str:
    """Return the digest of a strategy's file, by which a resumed run checks that it has not changed."""
    return files.digest(Path(inspect.getfile(strategy)))


IN_FLIGHT = 8
"""Default number of pages in flight on the live web."""
PUBLISHED = "published"
"""The guide that means the relevance function of each strategy's paper."""


def guided(strategy: Strategy, guide: str | None) -> Strategy:
    """Set the relevance function of a strategy.

    Args:
        strategy: the strategy; it is changed in place.
        guide: name of the function; None and PUBLISHED keep the one of the strategy's paper.

    Returns:
        The strategy.

    Raises:
        RelevanceError: an unknown function.
    """
    if guide not in (None, PUBLISHED):
        strategy.guided_by(relevance(guide).name)
    return strategy


def looks_ahead(strategy: Strategy) -> bool:
    """Return whether the strategy uses features of a link's target; others gain nothing from look-ahead."""
    return any(FeatureKey.parse(column).kind == "target" for column in strategy.features)


def _guide_of(name: str, config: RunConfig, classify: PageClassifier | None) -> Relevance:
    """Make a relevance function, with the data that it needs besides the crawled pages.

    Args:
        name: name of the function.
        config: configuration of the run, with vocabularies and similarities.
        classify: the classifier of the run, if any, whose training set gives the statistics of paper 003.

    Returns:
        The relevance function.
    """
    if name == "paper_003" and classify is not None:
        return OverTraining(relevance(name), training_statistics(config.vocabularies, classify.model.training))
    guide = relevance(name)
    if isinstance(guide, SemanticCosine):
        return guide.knowing({vector: np.asarray(rows) for vector, rows in config.similarities.items()})
    return guide


def strategy_of(config: RunConfig) -> Strategy:
    """Make the strategy of a run. Raises UsageError if its file has changed since the run began."""
    cls = strategies.get(config.strategy_file or config.strategy)
    if config.strategy_digest is not None and digest_of(cls) != config.strategy_digest:
        raise UsageError("runs.strategy_file", strategy_file=config.strategy_file)
    parameters = parameters_of(cls, _as_begun(cls, config))
    if len(config.classes) > 1:
        vectors = [f"TK_{i}" for i in range(1, len(config.classes) + 1)]
        members = [guided(cls(parameters), config.crawl.guide) for _ in vectors]
        return Turns(members, vectors, config.sigma, [one["name"] for one in config.classes])
    return guided(cls(parameters), config.crawl.guide)


def _as_begun(strategy: type[Strategy], config: RunConfig) -> Mapping[str, Any]:
    """Return the parameters of a run; of one of an earlier version with the values of that version."""
    if config.counts_failures:
        return config.parameters
    names = {name: f"{strategy.name}.{name}" for name in strategy.parameter_names(config.parameters)}
    later = [name for name, whole in names.items() if whole.endswith("evidence_sum.failure_weight")]
    return dict.fromkeys(later, 0.0) | config.parameters


def setup_of(config: RunConfig) -> Setup:
    """Make the setup of a run. Raises UsageError if the file of its strategy or classifier has changed."""
    strategy = strategy_of(config)
    classify = training.of_parameters(strategy.parameters, config.classifier_digest)

    def guides_under(weights: Weights) -> dict[str, Relevance]:
        under = config.under(weights)
        return {name: _guide_of(name, under, classify) for name in (strategy.guide, *strategy.guides)}

    guides = {name: _guide_of(name, config, classify) for name in (strategy.guide, *strategy.guides)}
    return Setup(
        strategy=strategy,
        vocabularies=config.vocabularies,
        guide=guides[strategy.guide],
        guides=guides if strategy.guides else {},
        judge=Judge(relevance(config.relevance), config.sigma, config.strict),
        scope=scope_of_run(config),
        seeds=config.seeds,
        seed=config.crawl.seed,
        refresh_every=config.crawl.refresh_every,
        short_queue=config.crawl.short_queue,
        per_host=0 if config.rounds is None else config.rounds.per_host,
        strict_filter=config.crawl.strict_filter,
        prior=config.prior,
        target=config.crawl.target if looks_ahead(strategy) else "predict",
        classify=classify,
        robot=None if config.crawl.ignore_robots_directives else product_token(config.crawl.user_agent),
        ways=Ways(frozenset(config.crawl.skip_links), config.crawl.scripts),
        documents=_reads_documents(config),
        guides_under=guides_under,
    )


def crawl_of(
    config: RunConfig,
    world: World,
    journal: Journal,
    earlier_pages: EarlierPages | None = None,
    kind: type[Crawl] = Crawl,
    offers: Offers | None = None,
    verdicts: VerdictSource | None = None,
    page: Callable[[str, Fetched | Failure, Matcher, Extras], PageRecord] = page_record,
) -> Crawl:
    """Make the crawl of a run, ready to begin or to resume.

    Args:
        config: the configuration of the run.
        world: its open world.
        journal: its open journal.
        earlier_pages: pages fetched by earlier runs, for look-ahead ``cached``.
        kind: class of the crawl.
        offers: source of new weights while it goes on.
        verdicts: source of persons' verdicts about pages.
        page: makes the record of a page, as of ``Fetching``.

    Returns:
        The crawl.
    """
    setup = setup_of(config)
    live, archived = config.world == "live", config.world.startswith("archive:")
    in_flight = places(config.crawl, config.world)
    pace = HostSchedule(config.crawl.delay if live and config.politeness else 0.0)
    fetching = Fetching(
        Fetcher(
            world,
            Robots(user_agent=config.crawl.user_agent, clock=getattr(world, "clock", time.monotonic)),
            user_agent=config.crawl.user_agent,
            scope=setup.scope,
            cookies=config.cookies,
            on_given_up=getattr(world, "record", lambda failure: None),
        ),
        in_flight=in_flight,
        reproducible=config.crawl.reproducible,
        workers=in_flight if live else 0,
        parsers=config.crawl.parsers if live else 0,
        schedule=NoSchedule() if archived else pace,
        retries=RETRIES if live else RETRIES_AT_ONCE if archived else NO_RETRIES,
        renderer=_renderer_of(config, world),
        page=page,
    )
    of = config.crawl
    limits = Limits(of.limit_pages, of.limit_time, of.limit_relevant, of.limit_generations, of.limit_gain)
    if config.rounds is not None and kind is Crawl:
        from ontocrawl.runs import crawl_rounds

        fetching = crawl_rounds.fetching_of(config, config.rounds, fetching, _opener_of(config))
        kind = crawl_rounds.Rounds
    return kind(
        setup, fetching, journal, limits, snapshot_every=config.crawl.snapshot_every, earlier_pages=earlier_pages,
        offers=offers, verdicts=verdicts,
    )  # fmt: skip


def places(settings: CrawlSettings, world: str) -> int:
    """Return the maximum number of pages in flight; without a setting 8, or 1 where nothing is waited for."""
    if settings.in_flight is not None:
        return settings.in_flight
    return IN_FLIGHT if world == "live" or settings.reproducible else 1


@contextmanager
def earlier_pages(config: RunConfig) -> Iterator[EarlierPages | None]:
    """Open the pages of earlier runs for look-ahead ``cached``, else None. Raises UsageError for a missing run."""
    if config.crawl.target != "cached":
        yield None
        return
    journals = {name: Path(path) for name, path in config.known_runs.items()}
    for name, path in journals.items():
        if not path.exists():
            raise UsageError("runs.run_earlier", name=name, path=path)
    with closing(EarlierPages(journals, {name: len(words) for name, words in config.vocabularies.items()})) as seen:
        yield seen


def parameters_of(strategy: type[Strategy], given: Mapping[str, Any]) -> Any:
    """Make the parameters of a strategy.

    Args:
        strategy: the class of the strategy.
        given: values by name; all others have their defaults.

    Returns:
        An instance of the strategy's ``Parameters``.

    Raises:
        UsageError: an unknown parameter, or an invalid value.
    """
    try:
        return strategy.parameters_from(given)
    except (TypeError, ValueError) as error:
        raise UsageError("runs.param_parameters_error", error=error) from error


def labels_seen(config: RunConfig, world: World) -> Collection[str] | None:
    """Return the labels of a run, from its file or from a synthetic web; None for no labels."""
    if config.labels is None and isinstance(world, SyntheticWorld):
        return frozenset(world.relevant_urls())
    return read_labels(config.labels, world)


# ---- the scope of a run, from its settings


VERSION = 3
"""Version of the rules that every crawl has; a run keeps the version that it began with. Since 2 a scope can be chosen,
since 3 documents are read."""


def _reads_documents(config: RunConfig) -> bool:
    """Return whether a run reads PDF and Word files: of a server or an archive, which alone have some."""
    has_some = config.world.partition(":")[0] in ("live", "archive")
    return has_some and config.crawl.documents and config.scope_version >= 3


def scope_of_run(config: RunConfig) -> Scope:
    """Return a new scope for the crawl of a run, as it was when the run began."""
    if config.scope_version < 2:
        return Scope(RULES_OF_VERSION_1)
    return _scope(config.crawl, config.seeds, int(config.started[:4]), documents=_reads_documents(config))


def scope_of_seeds(settings: ScopeSettings) -> Scope:
    """Return the scope of URLs that may become seeds: all rules but to stay where the seeds are."""
    documents = isinstance(settings, CrawlSettings) and settings.documents
    return _scope(settings.model_copy(update={"stay": "any"}), (), None, documents=documents)


def check(settings: ScopeSettings) -> None:
    """Raise UsageError for a host or pattern that is invalid."""
    try:
        _scope(settings, (), None)
    except ScopeError as error:
        raise UsageError(error.message) from error


def _scope(settings: ScopeSettings, seeds: Sequence[str], year: int | None, *, documents: bool = False) -> Scope:
    return scope_of(
        seeds=seeds,
        stay=None if settings.stay == "any" else settings.stay,
        hosts=settings.host,
        excluded_hosts=settings.exclude_host,
        accept=settings.accept,
        reject=settings.reject,
        year=year,
        bounds=Bounds(
            depth=settings.max_depth,
            offtopic_depth=settings.max_offtopic_depth,
            sequence=LONGEST_SEQUENCE,
            per_host=settings.max_per_host,
            per_directory=settings.max_per_directory,
            per_pattern=settings.max_per_pattern,
            permutations=True,
        ),
        documents=documents,
    )


# ---- judges: the decision whether a page is relevant, by a name
#
# The judge of a topic is the relevance function of its file with its threshold. Another judge is another function;
# those below have a threshold of their own, which holds for every topic whose weights lie in [0, 1]. Those of density
# and saturated were chosen on two webs with labels, the planted web and the encyclopaedia (docs/evidence.md).


TOPIC = "topic"
"""The judge of the topic file, the default."""
THRESHOLDS: Mapping[str, float] = {"density": 0.2, "saturated": 0.5, "evidence": 0.5}
"""Relevance function -> R above which a page is relevant: two words of weight 1 on 1,000 characters of a long page; as
much evidence as three words of the largest weight; relevant more probably than not."""


def names() -> tuple[str, ...]:
    """Return the names of all judges."""
    return (TOPIC, *RELEVANCE)


def judge_of(name: str, topic: TopicFile, threshold: float | None = None) -> Judge:
    """Return a judge.

    Args:
        name: `TOPIC`, or the name of a relevance function; one without a threshold of its own has that of the topic.
        topic: the topic, which also says whether R must be greater than the threshold or may be equal to it.
        threshold: threshold in place of that of the topic or the judge, in [0, 1]; None to keep it.

    Raises:
        UsageError: an unknown judge.
    """
    if name not in names():
        raise UsageError("runs.judge_none", name=name, nearest=nearest(name, names()))
    function, usual = (topic.relevance, topic.sigma) if name == TOPIC else (name, THRESHOLDS.get(name, topic.sigma))
    return Judge(relevance(function), usual if threshold is None else threshold, topic.strict)


# ---- sets of labelled pages: lists of a JSON file, or the categories of a table of pages


TABLE = ".tsv"
"""Ending of a table; any other file is JSON."""


def read(path: Path) -> dict[str, list[str]]:
    """Read all label sets of a file.

    Args:
        path: a JSON object of lists of URLs or page names; or a file that ends in .tsv, a table of lines PAGE, tab,
            CATEGORY, where a page may have several lines, and blank lines and those that begin with # are ignored.

    Returns:
        Name -> URLs or page names, as they stand in the file.

    Raises:
        UsageError: the file cannot be read, or has another form.
    """
    text = _text_of(path)
    if path.suffix == TABLE:
        return _table(text, path)
    try:
        sets = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError("files.not_json", what=Option(f"--labels {path}"), error=error) from error
    if not isinstance(sets, dict):
        raise UsageError("runs.expected_json_object_name", option=Option(f"--labels {path}"), name=type(sets).__name__)
    if other := [name for name, items in sets.items() if not isinstance(items, list)]:
        raise UsageError("runs.set_not_list_names", option=Option(f"--labels {path}"), other=other[0])
    return {str(name): [str(item) for item in items] for name, items in sets.items()}


def pages(spec: str) -> list[str]:
    """Return the pages of one set.

    Args:
        spec: ``FILE#SET``. A set of a table is a category with all those below it: ``subject.IT`` is the category of
            that name and all categories that begin with ``subject.IT.``.

    Returns:
        URLs or page names, each once.

    Raises:
        UsageError: the file cannot be read, has another form, or has no such set.
    """
    file, _, name = spec.partition("#")
    sets = read(Path(file))
    below = f"{name}." if Path(file).suffix == TABLE and name else None
    found = [one for one in sets if one == name or (below is not None and one.startswith(below))]
    if not found:
        raise UsageError("runs.no_set", option=Option(f"--labels {file}"), name=name, nearest=nearest(name, sets))
    return list(dict.fromkeys(page for one in found for page in sets[one]))


def _table(text: str, path: Path) -> dict[str, list[str]]:
    sets: dict[str, list[str]] = defaultdict(list)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        page, tab, category = line.partition("\t")
        if not (tab and page.strip() and category.strip()) or "\t" in category:
            raise UsageError("runs.line_expected_page_tab", option=Option(f"--labels {path}"), number=number, line=line)
        sets[category.strip()].append(page.strip())
    return dict(sets)


def _text_of(path: Path) -> str:
    """Read a file of text. Raises UsageError if it cannot be read, or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("files.not_utf8", path=path, error=error) from error
