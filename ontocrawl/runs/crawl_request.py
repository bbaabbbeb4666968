"""A crawl as a program asks for it: the options of ``crawl run`` as values of JSON, checked field by field."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from crawler import strategies
from crawler.seeds import parse_source
from crawler.seeds.source import QUERY_FILE
from crawler.url import host as url_host
from kg.store import GraphStore
from ontocrawl.base.config import checked
from ontocrawl.base.options import LIMITS, CrawlOptions, CrawlSettings, Section, declared
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, nearest
from ontocrawl.runs import crawl_setup, crawling, plan, runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.run_status import disk_use
from ontocrawl.topics import class_topics, topics
from ontocrawl.topics.class_topics import ClassTopic
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.topics.topics import Topic
from ontology.errors import OntocrawlError

# ---- what a crawl would cost, before it begins: pages by its limits, time by delays and by earlier runs, disk by
# these


RUNS = 20
"""Largest number of earlier runs that an estimate uses, the latest ones."""


@dataclass(frozen=True)
class Earlier:
    """Totals of earlier runs over the same kind of world: live, synthetic, corpus or archive."""

    runs: int = 0
    pages: int = 0
    seconds: float = 0.0
    disk: int = 0
    """Bytes of all files of the runs."""

    @property
    def pages_per_second(self) -> float | None:
        """Pages per second; None where nothing was fetched."""
        return self.pages / self.seconds if self.pages and self.seconds > 0 else None

    @property
    def bytes_per_page(self) -> float | None:
        """Bytes on the disk for each page; None where nothing was fetched."""
        return self.disk / self.pages if self.pages else None


@dataclass(frozen=True)
class _Estimate:
    """What a crawl would cost. None means that it is not known, or not limited."""

    pages: int | None
    """Maximum number of pages, by ``limit_pages``."""
    limit_time: float | None
    """Maximum number of seconds."""
    delay: float
    """Seconds between two requests to one host; 0 where there is no delay."""
    hosts: int
    """Number of hosts of the seeds."""
    in_flight: int
    """Maximum number of pages in flight."""
    seconds_by_delay: float | None
    """Seconds that the delays alone take if all pages are on the hosts of the seeds, in equal parts."""
    seconds_by_rate: float | None
    """Seconds at the rate of the earlier runs."""
    disk: float | None
    """Bytes on the disk, at the bytes for each page of the earlier runs."""
    disk_free: int | None
    """Bytes that are free on the disk of the workspace."""
    earlier: Earlier

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as values of JSON."""
        of_runs = {"pages_per_second": self.earlier.pages_per_second, "bytes_per_page": self.earlier.bytes_per_page}
        return {**asdict(self), "earlier": {**asdict(self.earlier), **of_runs}}


def _estimate(space: Workspace, config: RunConfig) -> _Estimate:
    """Estimate what a crawl would cost.

    With n pages at most, a delay of d seconds and seeds on h hosts, the delays take n d / h seconds if no page is on
    another host; pages on more hosts take less. Earlier runs of the same kind of world give a rate and a size of pages.

    Args:
        space: the workspace of the run.
        config: the configuration with its seeds, as far as they are known.

    Returns:
        The estimate. Times are not larger than the limit of time.
    """
    kind = _kind_of(config.world)
    before = _earlier(space, kind)
    n, most = config.crawl.limit_pages or None, config.crawl.limit_time or None
    delay = config.crawl.delay if kind == "live" and config.politeness else 0.0
    hosts = len(set(map(url_host, config.seeds)))
    by_delay = n * delay / hosts if n and delay and hosts else None
    by_rate = n / before.pages_per_second if n and before.pages_per_second else None
    return _Estimate(
        pages=n,
        limit_time=most,
        delay=delay,
        hosts=hosts,
        in_flight=crawl_setup.places(config.crawl, config.world),
        seconds_by_delay=_at_most(by_delay, most),
        seconds_by_rate=_at_most(by_rate, most),
        disk=n * before.bytes_per_page if n and before.bytes_per_page else None,
        disk_free=_free(space.root),
        earlier=before,
    )


def _kind_of(world: str) -> str:
    """Return the kind of a world: live, synthetic, corpus or archive.

    >>> _kind_of("synthetic:planted?pages=600")
    'synthetic'
    """
    return world.partition(":")[0]


def _earlier(space: Workspace, kind: str) -> Earlier:
    """Sum up the latest RUNS runs of a workspace over a kind of world, from the measures stored at their end."""
    total = Earlier()
    for folder, measures in _ended(space):
        if total.runs < RUNS and _kind_of(measures["world"]) == kind:
            total = Earlier(
                total.runs + 1,
                total.pages + measures["fetched"],
                total.seconds + measures["seconds"],
                total.disk + disk_use(folder),
            )
    return total


def _ended(space: Workspace) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield folder and measures of the runs that have ended, the latest first."""
    files = [path for name in space.run_names() if (path := space.run(name) / runs.SUMMARY).exists()]
    for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            measures = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:  # written in part on a full disk; the estimate does without it
            continue
        if measures.keys() >= {"world", "fetched", "seconds"}:  # else it is of an early version
            yield path.parent, measures


def _at_most(seconds: float | None, limit: float | None) -> float | None:
    return seconds if seconds is None or limit is None else min(seconds, limit)


def _free(folder: Path) -> int | None:
    with suppress(OSError):
        return shutil.disk_usage(folder).free
    return None


# ---- A crawl as a program asks for it: the options of ``crawl run`` as values of JSON, checked field by field


_ONE_BY_ONE = ("topic", "strategy")
"""Settings that are not taken as they are: who asks may not name a file of this computer by them."""
SETTINGS = tuple(name for name, one in declared(CrawlSettings).items() if not one.is_local and name not in _ONE_BY_ONE)
"""Fields that are keys of the table [crawl] and options of ``crawl run``, by the same name."""
FIELDS = ("topic", "classes", "cover", "words", "seeds", "world", "strategy", "parameters", "run", "graph", *SETTINGS)
_NAMES = ("topic", "cover", "world", "strategy", "run")
LONGEST = 2000
"""Characters of one value, such as a URL."""
MOST = 1000
"""Items of one list."""


class FieldError(UsageError):
    """A field of a request that is wrong; the message says why."""

    def __init__(self, field: str, message: str, /, **values: Any) -> None:
        super().__init__(message, **values)
        self.field = field


@dataclass(frozen=True)
class CrawlRequest:
    """A crawl that is asked for. Fields that are absent have the defaults of ``crawl run``.

    Only registered strategies, topics by name, and seeds that are URLs, page names, sources on the Web or queries of
    the library can be asked for: a program on another computer may send the request, and shall not run a file of this
    one or read any as text.
    """

    topic: str = ""
    seeds: tuple[str, ...] = ()
    options: CrawlOptions = field(default_factory=CrawlOptions)

    def arguments(self, run: str, topic_file: str | None = None) -> list[str]:
        """Return the arguments of ``ontocrawl`` for this crawl.

        Args:
            run: name of the run.
            topic_file: file of the topic, where it cannot be named in the workspace.

        Returns:
            One text for each option with its value, so that a value that begins with a hyphen is no option.
        """
        of = self.options
        settings = {**of.settings, "topic": topic_file or self.topic, "strategy": of.strategy}
        words = ",".join(f"{word}={weight}" for word, weight in of.words.items())
        given = [f"--words={words}"] if words else []
        given += [f"--seeds={seed}" for seed in self.seeds]
        for name, value in of.parameters.items():
            given.append(f"--param={name}={value if isinstance(value, str) else json.dumps(value)}")
        changed = {name: value for name, value in of if value != CrawlOptions.model_fields[name].default}
        changed["run"] = run
        return ["crawl", "run", *_arguments(CrawlSettings, settings), *given, *_arguments(CrawlOptions, changed)]


def _arguments(section: type[Section], given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the options of a command for values of a section."""
    for name, one in declared(section).items():
        value = given.get(name)
        if one.kind is bool:
            yield from [one.flag] if name in given and value is not one.default else []
        elif value not in (None, ""):
            yield from (f"{one.flag}={part}" for part in (value if isinstance(value, tuple) else (value,)))


@dataclass(frozen=True)
class Checked:
    """A request that `crawl run` would not refuse before its first page."""

    config: RunConfig
    """The configuration, without topic vectors."""
    estimate: _Estimate
    notes: tuple[str, ...]
    """What the user should know."""

    def as_json(self) -> dict[str, Any]:
        """Return name, strategy, seeds and steering ontology of the crawl, what it would cost, and notes."""
        one = self.config
        chosen = {"run": one.run, "strategy": one.strategy, "steered_by": one.steered_by, "seeds": list(one.seeds)}
        return {**chosen, "estimate": self.estimate.as_json(), "notes": list(self.notes)}


def of_json(data: Mapping[str, Any]) -> CrawlRequest:
    """Read a request.

    Args:
        data: values by the names of FIELDS. Texts and lists that are empty count as absent; numbers may be texts.

    Returns:
        The request. Its values have the right types, and are not checked further.

    Raises:
        FieldError: an unknown field, a value of another type, or one with control characters.
    """
    unknown = sorted(data.keys() - set(FIELDS))
    if unknown:
        raise FieldError(unknown[0], "runs.field_none", unknown=unknown[0], nearest=nearest(unknown[0], FIELDS))
    given = {name: value for name, value in data.items() if value not in (None, "", [], {})}
    texts = {name: _text(name, given[name]) for name in _NAMES if name in given}
    lists = {name: _texts(name, given.get(name, [])) for name in ("classes", "seeds")}
    settings = {name: _setting(name, given[name]) for name in SETTINGS if name in given}
    options = CrawlOptions(
        classes=lists["classes"],
        cover=texts.get("cover", ""),
        words=_words(given.get("words", {})),
        world=texts.get("world", "live"),
        strategy=texts.get("strategy"),
        parameters=plan.parameters(_parameters(given.get("parameters", {}))),
        run=texts.get("run"),
        graph=_flag("graph", given.get("graph", True)),
        settings={name: value for name, value in settings.items() if value != ()},
    )
    return CrawlRequest(texts.get("topic", ""), lists["seeds"], options)


def check(space: Workspace, request: CrawlRequest) -> Checked:
    """Check a request as ``crawl run`` does, without the graph and without a request to the network.

    Args:
        space: the workspace of the run.
        request: the request.

    Returns:
        The configuration of the crawl, and what it would cost.

    Raises:
        FieldError: a value is refused.
        OntocrawlError: several values do not fit each other, as for `plan.plan`.
    """
    with _about("topic"):
        topic = _topic(space, request.topic or space.settings.crawl.topic)
    with _about("run"):
        if request.options.run is not None:
            runs.refuse_existing(space, request.options.run)
    for name, value in request.options.settings.items():
        with _about(name):
            crawl_setup.check(checked(CrawlSettings, {name: value}, "the form"))
    _check_strategy(request)
    with _about("seeds"):
        for seed in request.seeds:
            _check_seed(seed)
    notes: list[str] = []
    config = plan.without_vectors(space, topic, request.options, notes.append)
    with _about("world"):
        world = crawl_setup.world_of(config)
    with closing(world), _about("seeds"):
        config = crawling.with_named_seeds(space, config, world, topic, request.seeds, notes.append)
    return Checked(config, _estimate(space, config), tuple(notes))


def classes(
    space: Workspace, request: CrawlRequest, graph: GraphStore, on_stage: Callable[[str], None]
) -> list[ClassTopic]:
    """Return the classes that a request crawls for: their papers, their words, and what a person should know.

    Args:
        space: the workspace of the run.
        request: the request; without classes there are none.
        graph: the open graph of the workspace, into which ontologies and papers of the topic come where it lacks them.
        on_stage: called with a message before a long step, and with the classes that the option ``cover`` leaves out.

    Raises:
        FieldError: the topic or a class is refused.
    """
    if not (request.options.classes or request.options.cover):
        return []
    with _about("topic"):
        in_graph = TopicGraph(_topic(space, request.topic or space.settings.crawl.topic), graph, on_stage)
    with _about("classes"):
        terms = in_graph.vectors().terms
        asked = request.options
        return class_topics.of_classes(in_graph, terms, asked.classes, asked.cover, asked.words)


def check_limits(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the limits with which a run goes on.

    Args:
        given: values by the names of LIMITS; empty texts count as absent.

    Returns:
        The limits that are given, as numbers.

    Raises:
        FieldError: an unknown limit, or no number of its range.
    """
    request = of_json(given)
    other = sorted(given.keys() - set(LIMITS))
    if other:
        raise FieldError(other[0], "runs.run_limits", limits=", ".join(LIMITS))
    found = {}
    for name, value in request.options.settings.items():
        with _about(name):
            found[name] = getattr(checked(CrawlSettings, {name: value}, "the form"), name)
    return found


@contextmanager
def _about(name: str) -> Iterator[None]:
    """Turn the error of a check into that of a field."""
    try:
        yield
    except FieldError:
        raise
    except OntocrawlError as error:
        raise FieldError(name, error.message) from error


def _topic(space: Workspace, name: str) -> Topic:
    return topics.load(name, space) if name == space.settings.crawl.topic else topics.named(name, space)


def _check_strategy(request: CrawlRequest) -> None:
    with _about("strategy"):
        if request.options.strategy is not None:
            _require_registered(request.options.strategy)
    with _about("parameters"):
        for name, value in request.options.parameters.items():
            _check_members(name, value)
        if request.options.strategy is not None:
            cls = strategies.get(request.options.strategy)
            crawl_setup.parameters_of(cls, request.options.parameters)


def _require_registered(name: str) -> None:
    """Raise UsageError for a strategy that would be imported from a file or module."""
    if name not in strategies.STRATEGIES:
        raise UsageError("runs.strategy_none", name=name, nearest=nearest(name, strategies.STRATEGIES))


def _check_members(name: str, value: object) -> None:
    """Check that a parameter of a mixture names registered strategies only, before any of them is imported."""
    own = name.rpartition(".")[2]
    if own == "settings":
        raise UsageError("runs.member_settings")
    for member in str(value).split(",") if own == "members" else ():
        _require_registered(member.strip())


def _check_seed(seed: str) -> None:
    """Raise an error for a seed that would read a file of this computer."""
    if seed.startswith("@"):
        raise UsageError("runs.seed_file", seed=seed)
    kind, _, place = seed.partition(":")
    file = Path(place.partition("#")[0])
    if kind == "query" and file.suffix == QUERY_FILE:
        raise UsageError("runs.seed_query_file", seed=seed)
    if file.exists() and "://" not in place and kind in ("sitemap", "feed", "links"):
        raise UsageError("runs.source_file", seed=seed, kind=kind)
    parse_source(seed)


def _setting(name: str, value: Any) -> Any:
    """Return a value of the type that its option has."""
    kind = declared(CrawlSettings)[name].kind
    readers: dict[type, Callable[[str, Any], object]] = {
        bool: _flag, int: _number, float: _number, list: _texts, str: _text,
    }  # fmt: skip
    return readers[kind](name, value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise FieldError(name, "runs.text", name=name, value=_shown(value))
    return _clean(name, value.strip())


def _clean(name: str, text: str) -> str:
    if len(text) > LONGEST:
        raise FieldError(name, "runs.long", name=name, longest=LONGEST, n_text=len(text))
    if not text.isprintable():
        raise FieldError(name, "runs.control", name=name, text=text[:80])
    return text


def _texts(name: str, value: Any) -> tuple[str, ...]:
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, list):
        raise FieldError(name, "runs.list_of_texts_found", name=name, value=_shown(value))
    if len(lines) > MOST:
        raise FieldError(name, "runs.many", name=name, most=MOST, n_lines=len(lines))
    return tuple(text for line in lines if (text := _text(name, line)))


def _flag(name: str, value: Any) -> bool:
    """Return a flag, which a form sends as a text."""
    value = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    if not isinstance(value, bool):
        raise FieldError(name, "runs.flag_found", name=name, value=_shown(value))
    return value


def _number(name: str, value: Any) -> int | float:
    """Return a number, which may have been sent as a text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    readers: tuple[Callable[[str], int | float], ...] = (int, float)
    for reader in readers:
        try:
            return reader(_text(name, value))
        except ValueError:
            continue
    raise FieldError(name, "runs.number", name=name, value=_shown(value))


def _parameters(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise FieldError("parameters", "runs.parameters_names", value=_shown(value))
    found = {}
    for name, given in value.items():
        text = json.dumps(given) if isinstance(given, bool | int | float) else given
        if "=" in _clean("parameters", name):
            raise FieldError("parameters", "runs.parameter_name", name=name[:80])
        if text not in (None, ""):
            found[name] = _text("parameters", text)
    return found


def _words(value: Any) -> dict[str, float]:
    if not isinstance(value, Mapping):
        raise FieldError("words", "runs.words_object", value=_shown(value))
    found = {}
    for word, weight in value.items():
        number = _number("words", weight)
        if not 0 < number <= 1:
            raise FieldError("words", "runs.words_weight", word=word[:80], weight=_shown(weight))
        found[_clean("words", word)] = float(number)
    return found


def _shown(value: Any) -> str:
    return repr(value)[:80]
