"""Runs: begin, resume, measure. A run is a folder; all but its journal can be rebuilt."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import combinations
from operator import ne
from pathlib import Path
from types import MappingProxyType
from typing import Any

from crawler import metrics
from crawler.crawl import INTERRUPTED, Crawl
from crawler.expected_gain import ExpectedGain, Harvest
from crawler.heartbeat import Heartbeat, failed, seconds_of
from crawler.journal import DamagedJournalError, Journal, JournalError, graph_rows, judged_pages, recounts
from crawler.journal.ledger import Ledger, failures, ledger
from crawler.journal.recounts import WeightsTaken
from crawler.metrics import CrawlMeasures, FetchedPages, Metrics
from crawler.model import World
from crawler.protocol import REJECTED_LEFT
from crawler.scoring.features import RANK_VOCABULARY
from crawler.step import Step
from crawler.weights import Weights
from crawler.worlds import ArchiveError, ArchiveWorld, LiveWorld
from crawler.worlds.live import RecordingWorld
from kg.engine.files import FileLock
from ontocrawl.base.config import checked
from ontocrawl.base.workspace import JOURNAL, RUN_CONFIG, Workspace, make_folder
from ontocrawl.errors import CommandError, Option, ResumableStop, UsageError
from ontocrawl.runs import crawl_setup, diagnosis, run_files, run_stopping
from ontocrawl.runs.diagnosis import Diagnosis
from ontocrawl.runs.run_config import RunConfig, as_toml
from ontocrawl.runs.run_files import FileOffers, FileVerdicts
from ontocrawl.version import __version__
from ontology.errors import Message
from ontology.printable import one_line

CONFIG, SUMMARY, LOCK = RUN_CONFIG, "summary.json", "journal.lock"
LOCK_SECONDS = 1.0
"""Time for which a crawl tries to lock its run: `crawl status` locks it for an instant, to see whether it can."""


@dataclass(frozen=True)
class RunResult(CrawlMeasures):
    """Measures of a run. Pages with status 200 count; failed fetches and redirect hops are counted apart."""

    run: str
    expected_gain: ExpectedGain | None
    """Relevant pages that are expected among the next ones; None for too few pages."""
    failures: int
    redirects: int
    looked_ahead: int
    """Number of fetches made only to judge a link (look-ahead ``oracle``)."""
    known_ahead: int
    """Number of links judged by a page that another run had fetched (look-ahead ``cached``)."""
    rejected_taken: int
    """Number of links that the strategy had rejected, and that were chosen because nothing else was left."""
    near_duplicates: int
    """Number of fetched pages with nearly the text of an earlier one; they are fetched pages, but never relevant."""
    partial: Mapping[str, int]
    """Reason code -> number of fetched pages with a body that was kept though it was cut off or announced wrongly."""
    rendered: Mapping[str, Any]
    """What came of pages in a browser, and what that cost (`_rendered`); empty for none."""
    topic: str
    world: str
    ontology: str | None
    """Key of the global ontology behind the vector GTK; None where the strategy does not use it."""
    guide: str
    """Relevance function of the strategy; "published" is the one of its paper."""
    judge: str
    """Relevance function that decides which pages are relevant."""
    threshold: str
    """Its threshold, as "> 0.7" or ">= 0.62"."""
    classifier: str | None
    """The classifier of the strategy and how it was measured, in words; None for strategies that use none."""
    weights: str | None
    """Weights of the ontology's words: sem, key or sem_key; None where no ontology was used."""
    state: str
    """running, draining (no more links are chosen), interrupted (it can be resumed) or finished."""
    rules: Mapping[str, int] | None
    """Rule of the strategy -> how often it fired; None for runs of earlier versions, which did not count."""
    never_fired: tuple[str, ...]
    """The rules that never did."""
    known: int
    """Number of known links."""
    queued: int
    in_flight: int
    """Number of links that were chosen and have no outcome; ``crawl resume`` fetches them again."""
    ledger: Mapping[str, int]
    """Reason code -> number of links; with fetched, queued and in flight, these add up to ``known``."""
    fetched_again: tuple[str, ...]
    """URLs that were in flight when the run was interrupted, and were fetched again when it was resumed."""
    rescored: tuple[WeightsTaken, ...]
    """The weights that the run took after it had begun; ``ontology`` is that of the last ones."""
    classes: tuple[Mapping[str, Any], ...]
    """What each class found that the run crawls for (`_classes`); empty for a run for its whole topic."""
    diagnosis: Diagnosis
    """What is to be said of the run, and one command that goes on from it; empty while it is crawled."""

    @property
    def end(self) -> Metrics:
        """Measures of the whole run."""
        return self.milestones["end"]

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crawl run --json``; ``relevant_by_label`` is left out for a run without labels."""
        document = asdict(self)
        milestones = document.pop("milestones")
        measures = {k: v for k, v in milestones["end"].items() if k != "relevant_by_label" or v is not None}
        return {"run": self.run, "strategy": self.strategy, **measures, **document, "milestones": milestones}


OnStep = Callable[[Step], None]
OnNote = Callable[[str], None]
"""Callback called with a message for the user."""
Around = Callable[[Crawl], AbstractContextManager[Any]]
"""Makes the context in which a crawl runs, for example one that stops it at a signal."""


def fresh_name(workspace: Workspace, strategy: str) -> str:
    """Return a name that no run has, in the bin neither: date, strategy and, from the second run on, a number."""
    stem = f"{datetime.now(UTC):%Y%m%d}-{strategy}"
    number, name = 1, stem
    while workspace.run(name).exists() or workspace.removed_runs(name):
        number += 1
        name = f"{stem}-{number}"
    return name


def refuse_existing(workspace: Workspace, name: str) -> None:
    """Raise UsageError if a run of that name exists."""
    if (workspace.run(name) / JOURNAL).exists():
        resume = Option(f"`ontocrawl crawl resume {name}`", f"Run({name!r}).resume()")
        raise UsageError("runs.run_exists", name=name, resume=resume)


def begin(
    workspace: Workspace,
    config: RunConfig,
    world: World,
    on_step: OnStep,
    around: Around = nullcontext,
    on_note: OnNote = lambda line: None,
) -> RunResult:
    """Start a run and crawl until it stops.

    Args:
        workspace: the workspace that keeps the run.
        config: the configuration, with seeds.
        world: the open world of the configuration.
        on_step: called after each fetch.
        around: the context in which the crawl runs.
        on_note: called with what looks wrong after the first pages (`diagnosis.remarks`).

    Returns:
        The measures of the run.

    Raises:
        UsageError: a run of that name exists.
        SetupError: the topic lacks a vector that the strategy reads.
        CommandError: the run's files cannot be written. A run that cannot begin leaves no folder.
    """
    refuse_existing(workspace, config.run)
    folder = make_folder(workspace.run(config.run))
    document = config.model_dump(mode="json")
    begun = False

    def start(crawl: Crawl) -> None:
        nonlocal begun
        (folder / CONFIG).write_text(as_toml(document), encoding="utf-8")
        crawl.begin(document)
        begun = True

    with locked(folder):
        try:
            with closing(Journal(folder / JOURNAL)) as journal:
                _crawl(folder, config, journal, world, start, on_step, around, on_note)
                return _measured(folder, config, journal, world)
        except JournalError as error:
            if begun:
                raise
            raise CommandError(
                "runs.run_no_disk", run=config.run, cause=error.__cause__ or error, folder=folder
            ) from error
        finally:
            if not begun:
                for path in (*folder.glob(f"{JOURNAL}*"), folder / CONFIG):
                    path.unlink(missing_ok=True)


def resume(
    workspace: Workspace,
    name: str,
    on_step: OnStep,
    *,
    changed: Mapping[str, Any],
    around: Around = nullcontext,
    weights: Weights | None = None,
    on_note: OnNote = lambda line: None,
) -> RunResult:
    """Resume a run, and crawl until it stops.

    Args:
        workspace: the workspace that keeps the run.
        name: name of the run.
        on_step: called after each fetch.
        changed: fields of the configuration with new values: limits, or where to connect. The run keeps them.
        around: the context in which the crawl runs.
        weights: weights by which the queue is scored before the crawl goes on; None for those that the run has.
        on_note: as of `begin`.

    Returns:
        The measures of the whole run.

    Raises:
        UsageError: there is no such run, or a new value is invalid.
        WeightsError: the weights do not fit the run.
        CommandError: another process is crawling it.
    """
    folder = workspace.existing_run(name)

    def start(crawl: Crawl) -> None:
        crawl.resume()
        if changed:
            document = {**journal.get("config"), **changed}
            journal.set("config", document)
            (folder / CONFIG).write_text(as_toml(document), encoding="utf-8")

    with locked(folder), closing(Journal(folder / JOURNAL)) as journal:
        journal.upgrade()
        config = read_config(journal, changed)
        with closing(crawl_setup.world_of(config)) as world:
            _crawl(folder, config, journal, world, start, on_step, around, on_note, weights)
            return _measured(folder, config, journal, world)


def _crawl(
    folder: Path,
    config: RunConfig,
    journal: Journal,
    world: World,
    start: Callable[[Crawl], None],
    on_step: OnStep,
    around: Around,
    on_note: OnNote,
    weights: Weights | None = None,
) -> None:
    """Crawl until the run stops."""
    with crawl_setup.earlier_pages(config) as seen, _recorded(config, world) as (source, fetched_again):
        offers, verdicts = FileOffers(folder), FileVerdicts(folder, config)
        crawl = crawl_setup.crawl_of(config, source, journal, seen, offers=offers, verdicts=verdicts)
        start(crawl)
        fetched_again(crawl.refetched)
        with around(crawl), Heartbeat(folder, crawl, seconds_of(journal)) as beating:
            if weights is not None and weights.digest != crawl.rescoring.digest:
                crawl.rescore(weights)
            checks = [pages for pages in diagnosis.CHECKS if pages > crawl.scheduler.fetched]
            for step in crawl.steps():
                beating.count(step)
                on_step(step)
                if checks and step.fetched >= checks[0]:
                    checks.pop(0)
                    beating.remarks = _remarks(journal, config, crawl)
                    for line in beating.remarks:
                        on_note(line)
        journal.set("seconds", beating.seconds)
        beating.remove()


def _measured(folder: Path, config: RunConfig, journal: Journal, world: World) -> RunResult:
    """Compute the measures of a run that has stopped, and store them; the memory of its crawl is free by then."""
    labels = crawl_setup.labels_seen(config, world)
    journal.set("labels", None if labels is None else sorted(labels))
    result = sum_up(journal)
    try:
        run_files.store_measures(folder / SUMMARY, journal, {**result.as_json(), "failed": failed(journal)})
    except OSError as error:
        resume = Option(f"`ontocrawl crawl resume {config.run}`", f"Run({config.run!r}).resume()")
        reason = f"{folder / SUMMARY} cannot be written ({error.strerror}): make room on the disk, then "
        raise ResumableStop("runs.reason_resume", reason=reason, resume=resume) from error
    return result


def _diagnosis(journal: Journal, links: Ledger, pages: FetchedPages) -> Diagnosis:
    return diagnosis.diagnose(diagnosis.figures_of(journal, read_config(journal), links, pages))


def diagnosis_so_far(journal: Journal) -> Diagnosis:
    """Return what can be said of a run that is being crawled (`diagnosis.so_far`)."""
    figures = diagnosis.figures_of(journal, read_config(journal), ledger(journal), fetched_pages(journal))
    return diagnosis.so_far(figures)


def _remarks(journal: Journal, config: RunConfig, crawl: Crawl) -> tuple[str, ...]:
    """Return what looks wrong after the first pages of a crawl that goes on."""
    figures = diagnosis.figures_of(journal, config, ledger(journal), fetched_pages(journal))
    return diagnosis.remarks(figures, learns=crawl.state.strategy.is_teachable)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a run for this process, and remove its folder if it failed to begin.

    Raises CommandError if another process is crawling it.
    """
    lock = FileLock(folder / LOCK)
    if not lock.acquire(LOCK_SECONDS):
        raise CommandError("runs.run_other_process", folder=folder.name)
    run_stopping.forget(folder)  # of a process that was killed
    try:
        yield
    finally:
        lock.release()
        if not (folder / JOURNAL).exists():
            with suppress(OSError):  # another process begins a run in it
                lock.path.unlink(missing_ok=True)
                folder.rmdir()


def open_journal(workspace: Workspace, name: str) -> closing[Journal]:
    """Open the journal of an existing run as a context manager. Raises UsageError if there is no such run."""
    return closing(Journal(workspace.existing_run(name) / JOURNAL))


def config_of(workspace: Workspace, name: str) -> RunConfig:
    """Return the configuration of an existing run."""
    with open_journal(workspace, name) as journal:
        return read_config(journal)


def read_config(journal: Journal, changed: Mapping[str, Any] = MappingProxyType({})) -> RunConfig:
    """Return the configuration stored in a journal, with changes. Raises DamagedJournalError where there is none."""
    data = journal.get("config")
    if data is None:
        folder = journal.path.parent
        raise DamagedJournalError("runs.run_damaged", journal_path=journal.path, folder=folder)
    return checked(RunConfig, {**data, **changed}, str(journal.path))


def present_config(journal: Journal) -> RunConfig:
    """Return the configuration of a run with the weights that it took last, by which its pages are counted."""
    config, taken = read_config(journal), recounts.events(journal)
    return config.under(taken[-1].weights) if taken else config


def ontologies_of(workspace: Workspace, name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the ontologies by which the pages of a run are counted: those of the weights that it took last."""
    with open_journal(workspace, name) as journal:
        return present_config(journal).ontologies


def result_of(workspace: Workspace, name: str) -> RunResult:
    """Compute the measures of an existing run from its journal."""
    with open_journal(workspace, name) as journal, journal.at_one_moment():
        return sum_up(journal, running=FileLock(workspace.existing_run(name) / LOCK).is_held())


def fetched_pages(journal: Journal) -> FetchedPages:
    """Read the fetched pages of a run and its labels."""
    R, relevant, addresses = [], [], []
    for url, final_url, value, is_relevant in judged_pages.fetched_pages(journal):
        R.append(value)
        relevant.append(is_relevant)
        addresses.append((url, url if final_url == url else final_url))  # one text in memory for both
    return FetchedPages(R, relevant, addresses, journal.get("labels"))


def superpositions(workspace: Workspace, names: Sequence[str]) -> list[dict[str, Any]]:
    """Compute the superposition ratio of each pair of runs (paper 004): pages fetched by both / by at least one.

    A page is the URL at which it was read, after redirects: several URLs that lead there are one page.

    Args:
        workspace: the workspace of the runs.
        names: names of the runs.

    Returns:
        For each pair ``{"runs": [name, name], "ratio": ..}``, the ratio in [0, 1]; None where no page was fetched.
    """
    fetched = {}
    for name in names:
        with open_journal(workspace, name) as journal, journal.at_one_moment():
            fetched[name] = [final_url for _, final_url in fetched_pages(journal).addresses]
    return [
        {"runs": [one, other], "ratio": metrics.superposition(fetched[one], fetched[other])}
        for one, other in combinations(names, 2)
    ]


def judged_alike(workspace: Workspace, names: Sequence[str]) -> tuple[list[list[str]], list[Message]]:
    """Group runs by what judges their pages: the relevance function, its threshold, and the words with weights.

    Args:
        workspace: the workspace of the runs.
        names: names of the runs.

    Returns:
        The groups, and of each after the first a remark: its figures of relevance are no measure against the first.
    """
    judges: dict[tuple[str, tuple[float, bool], Any], list[str]] = {}
    configs = {name: config_of(workspace, name) for name in names}
    labelled = all(config.labels or config.world.startswith("synthetic:") for config in configs.values())
    labels = Message("runs.judged_by_label" if labelled else "runs.judged_labels")
    for name, config in configs.items():
        judge = config.relevance, (config.sigma, config.strict), config.vocabularies.get(RANK_VOCABULARY)
        judges.setdefault(judge, []).append(name)
    first, *others = judges
    return [*judges.values()], [
        Message("runs.judged_otherwise", runs=", ".join(judges[other]), first=", ".join(judges[first]), labels=labels,
                what=[part for part, differs in zip(_JUDGE, map(ne, first, other), strict=True) if differs])
        for other in others
    ]  # fmt: skip


_JUDGE = tuple(Message(f"runs.judge_{part}") for part in ("function", "threshold", "words"))
"""What each part of a judge is called in a remark."""


def state_of(journal: Journal, *, running: bool) -> str:
    """Return the state of a run: running, draining, interrupted or finished.

    Args:
        journal: the journal of the run.
        running: whether a process is crawling it.
    """
    if running:
        return "draining" if journal.get("draining") else "running"
    return "interrupted" if journal.get("stop_reason") in (None, INTERRUPTED, "repeated_failure") else "finished"


def sum_up(journal: Journal, *, running: bool = False) -> RunResult:
    """Compute the measures of a run from its open journal; ``running`` as for `state_of`."""
    config = present_config(journal)
    links, pages, fired = ledger(journal), fetched_pages(journal), journal.get("fired")
    again = [link for event in journal.events_of("resumed") for link in event.data["links"]]
    read = judged_pages.totals(journal, config.sigma, len(config.classes))
    return RunResult(
        run=config.run,
        strategy=config.strategy,
        milestones=metrics.milestones(pages),
        expected_gain=Harvest(pages.relevant).gain,
        stop_reason=journal.get("stop_reason"),
        seconds=round(seconds_of(journal), 3),
        failures=sum(failures(journal).values()),
        redirects=read.numbers["redirects"],
        looked_ahead=read.numbers["looked_ahead"],
        known_ahead=read.numbers["known_ahead"],
        rejected_taken=journal.count_moves(REJECTED_LEFT),
        near_duplicates=read.numbers["near_duplicates"],
        partial=dict(read.partial),
        rendered=_rendered(read.rendered),
        topic=config.topic,
        world=config.world,
        ontology=config.steered_by,
        guide=config.crawl.guide or crawl_setup.PUBLISHED,
        judge=config.relevance,
        threshold=f"{'>' if config.strict else '>='} {config.sigma:g}",
        classifier=config.classifier,
        weights=config.crawl.weights if config.steered_by else None,
        state=state_of(journal, running=running),
        rules=fired,
        never_fired=diagnosis.never_fired(fired),
        known=links.known,
        queued=links.queued,
        in_flight=links.in_flight,
        ledger=links.reasons,
        fetched_again=tuple(journal.urls_of(again)),
        rescored=recounts.taken(journal),
        classes=_classes(journal, config, read.of_class),
        diagnosis=Diagnosis() if running else _diagnosis(journal, links, pages),
    )


def _rendered(renderings: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the number of pages that a browser made, by why and by limit, of those that it did not, and the cost."""
    if not renderings:
        return {}
    made = [one for one in renderings if not one["failure"]]
    return {
        "pages": len(made),
        "why": dict(Counter(one["why"] for one in made)),
        "limits": dict(Counter(one["limit"] for one in made if one["limit"])),
        "failed": dict(Counter(one["failure"] for one in renderings if one["failure"])),
        "seconds": round(sum(one["seconds"] for one in renderings), 3),
        "requests": sum(one["requests"] for one in renderings),
        "bytes": sum(one["bytes"] for one in renderings),
    }


def _classes(journal: Journal, config: RunConfig, relevant: Sequence[int]) -> tuple[Mapping[str, Any], ...]:
    """Return what each class found that a run crawls for: what the run began with, and two numbers.

    ``chosen`` are the links that it chose in its turns, ``relevant`` the pages of it by the threshold of the run,
    whichever class chose them; a page may be of several. Both are None for a single class, whose numbers are the run's.
    """
    if len(config.classes) < 2:
        return tuple({**one, "chosen": None, "relevant": None} for one in config.classes)
    chosen = Counter(str(pick.move.get("member")) for pick in journal.picks())
    return tuple(
        {**one, "chosen": chosen[one["name"]], "relevant": pages}
        for one, pages in zip(config.classes, relevant, strict=True)
    )


def _nothing_was_fetched(journal: Journal) -> CommandError:
    """Return the error for a run that fetched no page, with the reasons of the failures."""
    reasons: dict[str, int] = {}
    detail = ""
    outcomes = [event.data for event in journal.events() if event.kind == "outcome"]
    details = {data["failure"]: data["detail"] for data in reversed(outcomes)}
    for row in graph_rows.outcomes(journal):
        if row.failure:
            reasons[row.failure] = reasons.get(row.failure, 0) + 1
            detail = detail or one_line(f"{row.url}: {details.get(row.failure) or row.failure}")
    counted = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "no seed was tried"
    reason = f"no page could be fetched ({counted}; first: {detail or '-'}): "
    if reasons.keys() == {"not_archived"}:
        return CommandError("runs.archive_none_seeds_give", reason=reason)
    return CommandError("runs.check_seeds_network", reason=reason)


def require_pages(workspace: Workspace, result: RunResult) -> None:
    """Raise CommandError, with the reasons, if a run fetched no page."""
    if not result.end.fetched:
        with closing(Journal(workspace.run(result.run) / JOURNAL)) as journal:
            raise _nothing_was_fetched(journal)


# ---- recording of a crawl in WARC files (`crawl run --warc`)


FetchedAgain = Callable[[Sequence[str]], None]
"""Function to call with the URLs whose fetches were interrupted, before they are fetched again."""


def folder_for(folder: str | Path) -> str:
    """Return the absolute path of a folder for the WARC files of a new crawl.

    Raises:
        UsageError: it has WARC files already, is a file or in one, must not be written, or has no name.
    """
    path = Path(folder)
    option = Option(f"--warc {path}", f"warc={str(path)!r}")
    if not str(folder):
        raise UsageError("runs.no_folder_give_name")
    existing = next(above for above in (path.absolute(), *path.absolute().parents) if above.exists())
    if not existing.is_dir():
        raise UsageError("runs.file_give_folder", option=option, part="" if path.exists() else "in ")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UsageError("runs.cannot_written_not_yours", option=option, existing=existing)
    if path.is_dir() and any(path.glob("*.warc*")):
        raise UsageError("runs.warc_files_another_crawl", option=option)
    return str(path.resolve())


@contextmanager
def _recorded(config: RunConfig, world: World) -> Iterator[tuple[World, FetchedAgain]]:
    """Record what a crawl receives from its world, if its configuration says so.

    Args:
        config: the configuration of the run.
        world: its open world.

    Yields:
        The world to crawl, and what to call for a crawl that is resumed.

    Raises:
        ArchiveWriteError: the files cannot be written; the crawl can be resumed.
    """
    if config.warc is None:
        yield world, lambda urls: None
        return
    from crawler.archives.writer import ArchiveWriter

    with closing(ArchiveWriter(Path(config.warc), _info(config))) as writer:
        if isinstance(world, LiveWorld):
            world.record_with(writer)
            yield world, writer.fetched_again
        else:
            yield RecordingWorld(world, writer), writer.fetched_again


def page_records(
    config: RunConfig, pages: Iterable[Mapping[str, Any]], on_made: Callable[[str], None]
) -> Iterator[bytes]:
    """Yield a WARC file of pages of a run: the recorded responses, or documents made of what the journal keeps.

    Args:
        config: the configuration of the run.
        pages: rows of `crawler.journal.page_export.pages`.
        on_made: called with the URL of each page that is such a document.

    Yields:
        The bytes of the file, a record at a time.
    """
    from crawler.archives import writer

    archive = None
    if config.warc is not None:
        with suppress(ArchiveError):  # the folder was moved, or nothing was recorded: all pages are made
            archive = ArchiveWorld(
                config.warc, max_bytes=config.crawl.max_bytes, max_document_bytes=config.crawl.max_document_bytes
            )
    message = archive.message if archive else lambda url: None
    yield from writer.page_records(pages, _info(config), message, on_made)


def _info(config: RunConfig) -> dict[str, str]:
    """Return the fields of the warcinfo record."""
    return {
        "software": f"ontocrawl/{__version__}",
        "format": "WARC File Format 1.1",
        "isPartOf": config.run,
        "description": f"crawl of {config.world} on the topic {config.topic} by the strategy {config.strategy}",
        "robots": "obey",
        "http-header-user-agent": config.crawl.user_agent,
        "seeds": json.dumps(config.seeds),
    }
