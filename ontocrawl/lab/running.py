"""Run a lab: every cell that is not in the cache, in several processes; a cell that fails is kept with its reason."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar
from zipfile import BadZipFile

from crawler.worlds import SyntheticWorld
from ontocrawl.base import workspace
from ontocrawl.base.config import checked
from ontocrawl.base.options import BuildSettings, CrawlOptions, CrawlSettings
from ontocrawl.base.process_pool import process_pool
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.lab import crawling, definition, look_ahead, references, summaries, trace
from ontocrawl.lab.crawling import Job, Webs
from ontocrawl.lab.definition import AXES, Cell, Lab, LabWorld, Value
from ontocrawl.lab.lab_ontologies import CURATED, NONE, FieldWords, LabField, LabOntology, name_and_settings
from ontocrawl.lab.printed import printed
from ontocrawl.lab.program import learner, program
from ontocrawl.lab.summaries import Count, Finished, Summary, summary
from ontocrawl.lab.trace import Trace
from ontocrawl.runs import plan, training
from ontocrawl.topics import class_topics, topic_files, topic_graph, topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic, TopicFile
from ontocrawl.versions import building
from ontocrawl.versions.building import BuildOptions
from ontology import files, owl
from ontology.errors import Message, OntocrawlError
from ontology.terms.wordforms import has_han

CELLS = "cells"
"""Folder of the traces, by the digest of what determines each one."""


@dataclass(frozen=True)
class Outcome:
    """What became of a cell.

    Attributes:
        cell: the cell.
        found: what it found; None if it failed or was not crawled.
        error: why it failed; empty otherwise.
        expected: whether the error is one of what was asked for, such as a strategy without the ontology it needs.
        earlier: digest of the program that crawled it, where that is not this one.
    """

    cell: Cell
    found: Summary | None
    error: str = ""
    expected: bool = True
    earlier: str = ""

    @property
    def is_left(self) -> bool:
        """Whether another sitting crawls it."""
        return self.error == LATER

    @property
    def failed(self) -> bool:
        """Whether it was crawled without a result."""
        return self.found is None and not self.is_left


@dataclass(frozen=True)
class Sitting:
    """What a run of a lab goes on from, and when it ends.

    Attributes:
        finished: file of finished cells of this and other machines; None for none.
        again: whether cells that another program crawled are crawled again.
        minutes: after these no other cell is begun; None for no limit.
    """

    finished: Path | None = None
    again: bool = False
    minutes: float | None = None


WHOLE = Sitting()
LATER = "left for another sitting"
"""Why a cell has no result."""


def oracle_cells(lab: Lab) -> list[Cell]:
    """Return the cells of the references, for each web and seed, in the order of the others."""
    return [
        Cell(world.name, world.topic, name, "", "", (), seed)
        for world in lab.worlds
        for seed in range(lab.seeds)
        for name in references.names(world.references, tuple(map(str, lab.axes_of(world.name)["guide"])))
    ]


def run(
    lab: Lab,
    space: Workspace,
    out: Path,
    jobs: int,
    on_cell: Callable[[Outcome, bool], None],
    on_note: Callable[[str], None] = lambda line: None,
    sitting: Sitting = WHOLE,
) -> list[Outcome]:
    """Run a lab.

    Args:
        lab: the lab.
        space: a workspace for its topics and their graph.
        out: folder of the results; traces that it has are not made again.
        jobs: number of processes, at least 1.
        on_cell: called with each outcome, and whether it was in the cache.
        on_note: called with each message for the user.
        sitting: finished cells to go on from, to which the new ones are added, and when to end.

    Returns:
        The outcomes of all cells, those of the references last; the same for any number of processes.

    Raises:
        UsageError: the file of finished cells cannot be read.
    """
    steering = _Steering(lab, space, on_note)
    cells = [*lab.cells(), *oracle_cells(lab)]
    outcomes: dict[Cell, Outcome] = {}
    waiting: dict[Cell, tuple[Job, Path]] = {}
    counted = {world.name: (lab.milestones_of(world.name), counts_of(world)) for world in lab.worlds}
    finished = {} if sitting.finished is None else summaries.read(sitting.finished)
    named, others = {json.dumps(one.cell) for one in finished.values()}, 0
    keys: dict[Cell, tuple[str, str]] = {}

    def ended(outcome: Outcome, cached: bool = False) -> None:
        outcomes[outcome.cell] = outcome
        on_cell(outcome, cached)

    for cell in cells:
        try:
            job = _job_of(lab, cell, steering, space)
        except OntocrawlError as error:
            ended(Outcome(cell, None, str(error)))
            continue
        path = out / CELLS / f"{_key_of(job)}.npz"
        of = _program(job)
        if sitting.finished is not None:
            keys[cell] = _setup_of(job, counted[cell.world], space), of
        stored = finished.get(keys[cell][0]) if cell in keys else None
        if stored is not None and (stored.program == of or not sitting.again):
            ended(Outcome(cell, stored.summary, earlier="" if stored.program == of else stored.program), cached=True)
        elif (known := _known(path)) is not None:
            ended(_outcome(cell, known, counted[cell.world]), cached=True)
        else:
            waiting[cell] = job, path
            others += stored is None and cell in keys and json.dumps(_named(cell)) in named
    if others:
        on_note(Message("lab.other_setup", count=others, file=sitting.finished))
    until = None if sitting.minutes is None else time.monotonic() + 60 * sitting.minutes
    for cell, found in _crawled(waiting, jobs, until):
        ended(_outcome(cell, found, counted[cell.world]))
    if sitting.finished is not None:
        added = [one for cell, of in keys.items() if (one := _finished(outcomes[cell], *of)) is not None]
        again = {json.dumps(one.cell) for one in added}
        kept = [one for one in finished.values() if json.dumps(one.cell) not in again]
        summaries.write(sitting.finished, [*kept, *added])
    return [outcomes[cell] for cell in cells]


def counts_of(world: LabWorld) -> list[Count]:
    """Return what counts as relevant in the printed tables that are set beside a world, but for its own judge."""
    found = dict.fromkeys(item.count for item in printed().items if item.id in world.printed)
    return [count for count in found if count is not None]


def _finished(outcome: Outcome, key: str, own: str) -> Finished | None:
    cell, found = outcome.cell, outcome.found
    if found is None:
        return None
    return Finished(key, _named(cell), outcome.earlier or own, found)


def _named(cell: Cell) -> dict[str, Any]:
    named = {"world": cell.world, "strategy": cell.strategy, "guide": cell.guide, "ontology": cell.ontology}
    return {**named, **dict(cell.settings), "seed": cell.seed}


def _job_of(lab: Lab, cell: Cell, steering: _Steering, space: Workspace) -> Job:
    """Make the job of a cell.

    Raises:
        UsageError, UnknownStrategyError, RelevanceError, SetupError, FeatureError: the cell cannot be crawled.
    """
    world = lab.world(cell.world)
    if references.is_reference(cell.strategy):
        return _reference(lab, world, cell, steering, space)
    name, given = name_and_settings(cell.strategy)
    ontology, of_it = name_and_settings(cell.ontology)
    steers = lab.ontologies.get(ontology, LabOntology(words=FieldWords.NAME))
    if steers.guide is not None:
        of_it["guide"] = steers.guide
    settings = {
        "snapshot_every": 10**9, "guide": cell.guide, **lab.settings_of(world, cell.seed), **dict(cell.settings),
        **of_it,
    }  # fmt: skip
    weights = settings.get("weights")
    vectors = steering.vectors(cell.topic, ontology, None if weights is None else str(weights))
    options = CrawlOptions(
        strategy=name, world=world.spec(cell.seed), labels=world.labels, run="lab",
        parameters=plan.parameters(definition.with_file(lab.classifiers, given, space)), settings=settings,
        classes=steers.classes,
    )  # fmt: skip
    config = plan.configuration(space, vectors, options)
    return Job(config, world.start(cell.seed), lab.requests_of(world.name), by_label=world.by_label)


def _reference(lab: Lab, world: LabWorld, cell: Cell, steering: _Steering, space: Workspace) -> Job:
    """Make the job of a reference: an order by labels, or a look-ahead under the first value of each other axis."""
    guide = references.guide_of(cell.strategy)
    fetches = lab.fetches_of(world.name)
    settings: dict[str, Value] = {"guide": "published", "limit_pages": fetches}
    if guide is not None:
        others = {name: values[0] for name, values in lab.axes_of(world.name).items() if name not in AXES}
        settings |= {"limit_time": 0.0, "snapshot_every": 10**9, **world.settings, **others}
        settings |= {"guide": guide, "target": "oracle"}
    options = CrawlOptions(
        strategy="best_first" if guide is None else look_ahead.PLACE, world=world.spec(cell.seed),
        labels=world.labels, run="lab", graph=False, settings=settings,
    )  # fmt: skip
    config = plan.configuration(space, steering.words(cell.topic), options)
    known = cell.strategy if guide is None else ""
    config = config.model_copy(update={"crawl": config.crawl.model_copy(update={"seed": cell.seed})})
    return Job(
        config, world.start(cell.seed), fetches, known, by_label=world.by_label, free_look_ahead=guide is not None
    )


# ---- the cache --------------------------------------------------------------------------------------------------


def _key_of(job: Job) -> str:
    """Return a digest of all that a trace depends on: configuration, seeds, labels, pages of a corpus, program."""
    return _digest({**_content(job), "program": _program(job)})


def _program(job: Job) -> str:
    return program(job.config.strategy_file or job.config.strategy)


def _setup_of(job: Job, counted: tuple[Sequence[int], Sequence[Count]], space: Workspace) -> str:
    """Return a digest of what is crawled and where it is counted: the same on every machine and for every program."""
    text = json.dumps({**_content(job), "counted": counted}, sort_keys=True, ensure_ascii=False)
    folder = json.dumps(str(space.root.resolve()), ensure_ascii=False)[1:-1]  # that of a classifier's file
    return _digest(text.replace(folder, ""))


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _content(job: Job) -> dict[str, Any]:
    """Return what is crawled; an option at its default is left out, so that a new one changes no digest."""
    unimportant = {"run", "started", "limit_time", "topic_file", "scope_version"}
    given = job.config.model_dump(mode="json", exclude_defaults=True)
    config = {key: value for key, value in given.items() if key not in unimportant}
    config["crawl"] = {k: v for k, v in config["crawl"].items() if k in CrawlSettings.model_fields}
    return {
        "config": config, "starts": job.starts, "requests": job.requests, "oracle": job.oracle,
        "free": job.free_look_ahead, "by_label": job.by_label,
        "labels": _digest_of_labels(job.config.labels), "web": _digest_of_web(job.config.world),
    }  # fmt: skip


@cache
def _digest_of_labels(labels: str | None) -> str:
    return "" if labels is None else files.digest(Path(labels.partition("#")[0]))


@cache
def _digest_of_web(spec: str) -> str:
    kind, _, place = spec.partition(":")
    if kind not in ("corpus", "archive"):
        return ""
    root = Path(place)
    found = sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else [root]
    return hashlib.blake2b("".join(map(files.digest, found)).encode(), digest_size=16).hexdigest()


def _known(path: Path) -> Trace | None:
    """Return the trace in a file; None where there is none, or none that can be read."""
    if not path.exists():
        return None
    found: Trace | None = None
    with suppress(BadZipFile, zlib.error, RuntimeError, ValueError, KeyError, EOFError):
        found = trace.read(path)
    if found is None or not _whole(found):
        path.unlink()  # damaged: it is made again
        return None
    return found


def _whole(found: Trace) -> bool:
    """Return whether a trace has all its arrays; a file whose list of arrays is damaged lacks some."""
    unlabelled = found.facts["targets"] is None
    return all(getattr(found, name) is not None for name in trace.ARRAYS if not (unlabelled and name == "labelled"))


# ---- processes --------------------------------------------------------------------------------------------------


Crawled = Trace | tuple[str, bool]
"""A trace; or the text of an error, and whether it is one of what was asked for."""


def _crawled(
    waiting: Mapping[Cell, tuple[Job, Path]], jobs: int, until: float | None
) -> Iterator[tuple[Cell, Crawled]]:
    """Crawl cells and store their traces; yield what came of them as they end, and at last those that were not begun.

    Args:
        waiting: the cells, each with its job and the file of its trace.
        jobs: number of processes.
        until: time of `time.monotonic` after which no cell is begun; None for no limit.
    """
    webs_of = {cell: job.config.world for cell, (job, _) in waiting.items()}
    turns = _Turns(webs_of, until)
    if jobs == 1 or len(waiting) < 2:
        webs, web = Webs(), None
        try:
            while (cell := turns.next(web, ())) is not None:
                web = webs_of[cell]
                yield cell, _crawl(*waiting[cell], webs)
        finally:
            webs.close()
        yield from ((cell, (LATER, True)) for cell in turns.left())
        return
    with process_pool(jobs) as pool:
        running = dict[Future[Crawled], Cell]()

        def begin(web: str | None) -> None:
            cell = turns.next(web, [webs_of[other] for other in running.values()])
            if cell is not None:
                running[_submitted(pool, *waiting[cell])] = cell

        for _ in range(jobs):
            begin(None)
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                cell = running.pop(future)
                begin(webs_of[cell])  # the process that ended it is the one that is free
                yield cell, _result(future)
    yield from ((cell, (LATER, True)) for cell in turns.left())


def _submitted(pool: ProcessPoolExecutor, job: Job, path: Path) -> Future[Crawled]:
    try:
        return pool.submit(_in_process, job, path)
    except BrokenExecutor as error:  # a process was killed: all cells that are left fail, with this reason
        failed = Future[Crawled]()
        failed.set_exception(error)
        return failed


_webs = Webs()
"""The web of this process."""


def _in_process(job: Job, path: Path) -> Crawled:
    return _crawl(job, path, _webs)


def _crawl(job: Job, path: Path, webs: Webs) -> Crawled:
    """Crawl a cell and store its trace."""
    try:
        found = crawling.run(job, webs)
    except OntocrawlError as error:
        return str(error), True
    except Exception as error:
        return f"{type(error).__name__}: {error}", False
    trace.write(path, found)
    return found


def _result(future: Future[Crawled]) -> Crawled:
    error = future.exception()
    return future.result() if error is None else (f"{type(error).__name__}: {error}", False)


def _outcome(cell: Cell, found: Crawled, counted: tuple[Sequence[int], Sequence[Count]]) -> Outcome:
    if isinstance(found, Trace):
        return Outcome(cell, summary(found, *counted))
    return Outcome(cell, None, *found)


def default_jobs() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def labelled(lab: Lab) -> Sequence[str]:
    """Return the names of the worlds of a lab whose labels are known."""
    return [w.name for w in lab.worlds if w.labels is not None or w.world.startswith(SyntheticWorld.name)]


def refuse(lab: Lab) -> None:
    """Raise UsageError for a lab on the live web, whose crawls could not be compared."""
    for world in lab.worlds:
        if world.world == "live":
            raise UsageError("lab.world_crawls_live_web", world=world.name)


# ---- which cell a process crawls next: one of the web that it has open, so that few pages are made by two processes


T = TypeVar("T")


class _Turns(Generic[T]):
    """Items that wait, by web. An item is given out once.

    >>> turns = _Turns({"a": "web 1", "b": "web 1", "c": "web 2", "d": "web 2"})
    >>> one = turns.next(None, ())
    >>> two = turns.next(None, ["web 1"])
    >>> one, two, turns.next("web 2", ["web 1"]), turns.next("web 2", ["web 1"]), turns.next(None, ())
    ('a', 'c', 'd', 'b', None)
    """

    def __init__(self, web_of: Mapping[T, str], until: float | None = None) -> None:
        """Queue the items, each with its web, in their order; none is given out after ``until``."""
        self._until = until
        self._waiting: dict[str, deque[T]] = {}
        for item, web in web_of.items():
            self._waiting.setdefault(web, deque()).append(item)

    def next(self, web: str | None, taken: Iterable[str]) -> T | None:
        """Give out an item.

        Args:
            web: the web that the process has open; None for none.
            taken: the webs of the items that other processes have.

        Returns:
            An item of the same web, else of the first web that no other process has, else of the one with most items
            left; None where nothing waits, or the time is over.
        """
        left = {name: items for name, items in self._waiting.items() if items}
        if not left or (self._until is not None and time.monotonic() > self._until):
            return None
        if web not in left:
            others = set(taken)
            web = next((name for name in left if name not in others), None)
        return self._waiting[web if web is not None else max(left, key=lambda name: len(left[name]))].popleft()

    def left(self) -> list[T]:
        """Return the items that wait."""
        return [item for items in self._waiting.values() for item in items]


# ---- the topic vectors of a lab's cells: of a topic's own ontologies, of others in their place, or of none


_OF_THE_TOPIC = ("name", "label", "relevance", "sigma", "strict", "seeds", "words", "intent", "scope")
"""What a topic keeps when ontologies of another one steer its crawls: what its pages are judged by."""


@dataclass
class _Steering:
    """Topic vectors by topic, ontology and weights; each is computed once."""

    lab: Lab
    space: Workspace
    """Workspace in whose graph the weights are computed."""
    on_note: Callable[[str], None] = lambda line: None
    _topics: dict[tuple[str, str], Topic] = field(default_factory=dict)
    _vectors: dict[tuple[str, str, str | None], TopicVectors] = field(default_factory=dict)

    def words(self, topic: str) -> TopicVectors:
        """Return the vectors of a topic without an ontology."""
        return self.vectors(topic, NONE, None)

    def vectors(self, topic: str, ontology: str, weights: str | None) -> TopicVectors:
        """Return the vectors of a topic.

        Args:
            topic: name or path of the topic.
            ontology: `CURATED`, `NONE` or a name of the lab's ontologies.
            weights: kind of weights, as the crawl setting; None for the topic's default.

        Raises:
            UsageError: there is no such topic, or it lacks what its weights need.
        """
        key = topic, ontology, weights
        if key not in self._vectors:
            steering = self.topic(topic, ontology)
            scheme = checked(CrawlSettings, {"weights": weights}, "the axis weights").weights
            if not steering.levels:
                self._vectors[key] = topic_graph.words_only(steering, scheme)
            else:
                given = self.lab.ontologies.get(ontology)
                with store(self.space) as graph:
                    in_graph = TopicGraph(steering, graph, self.on_note)
                    vectors = in_graph.vectors(scheme)
                    if given is not None and given.classes:
                        classes = class_topics.of_classes(in_graph, vectors.terms, given.classes)
                        vectors = class_topics.steered(vectors, classes)
                self._vectors[key] = vectors
        return self._vectors[key]

    def topic(self, name: str, ontology: str) -> Topic:
        """Return a topic with the ontologies that steer its crawls."""
        key = name, ontology
        if key not in self._topics:
            self._topics[key] = self._topic(name, ontology)
        return self._topics[key]

    def _topic(self, name: str, ontology: str) -> Topic:
        of_field = next((world.field for world in self.lab.worlds if world.field and world.topic == name), None)
        given = self.lab.ontologies.get(ontology, LabOntology(words=FieldWords.NAME))
        if given.words is not None and of_field is not None:
            return self._of_field(name, of_field, given)
        own = topics.load(name, self.space)
        if ontology == CURATED:
            return own
        if ontology == NONE:
            return self._by_words(own)
        if given.words is not None:
            raise UsageError("lab.topic_no_folder_fields", name=name, words=given.words.value)
        if given.file is not None:
            steered = {"ontologies": (str(self._converted(ontology, Path(given.file))),), "versions": {}, "local": ()}
            return Topic(own.file.model_copy(update=steered), self.space, own.path)
        learned = BuildOptions([Path(str(given.abstracts))], Path(), BuildSettings(topic=name))
        other = topics.load(given.topic or self._learned(name, learned), self.space)
        kept = {field_: getattr(own.file, field_) for field_ in _OF_THE_TOPIC}
        return Topic(other.file.model_copy(update=kept), self.space, other.path)

    def _converted(self, name: str, source: Path) -> Path:
        """Return an ontology as a file of ours, which is written once."""
        folder = (self.space.root / "converted").resolve()  # a relative path in a topic is one of the workspace
        path = folder / f"{name}-{files.digest(source)[:16]}.ttl"
        if not path.exists():
            loaded = owl.load(source)
            self.on_note(Message("lab.note_classes", name=source.name, classes=len(loaded.ontology.concepts)))
            folder.mkdir(exist_ok=True)
            files.write_atomically(path, owl.text(loaded.ontology, "turtle", loaded.header).encode())
        return path

    def _by_words(self, topic: Topic) -> Topic:
        """Return a topic without its ontologies."""
        return Topic(topic.file.model_copy(update={"ontologies": (), "versions": {}}), self.space, topic.path)

    def _of_field(self, name: str, of: LabField, given: LabOntology) -> Topic:
        """Return a topic of the words of a field. Those that are learned are as a user gets them, nothing typed."""
        if given.words is FieldWords.LEARNED:
            typed = of.first_by_hand(given.added)
            asked = BuildSettings(topic=f"field_{name}", label=of.labels_by_language, words=typed)
            options = BuildOptions([self._records(of)], Path(), asked)
            return self._by_words(topics.load(self._learned(name, options), self.space))
        rows = [
            {"weight": weight, "zh" if has_han(word) else "en": [word]}
            for word, weight in of.words(given.words or FieldWords.NAME, self._records(of)).items()
        ]
        label = topic_files.complete_label(of.labels_by_language)
        data = {"name": name, "label": label, "relevance": "density", "words": rows}
        return Topic(checked(TopicFile, data, f"field {name}"), self.space)

    def _records(self, of: LabField) -> Path:
        """Return the file of a field's records; those that it selects from a file are written once."""
        source = Path(of.abstracts)
        if not of.where:
            return source
        key = hashlib.blake2b(f"{files.digest(source)}{of.where}".encode(), digest_size=8).hexdigest()
        path = self.space.root / "records" / f"{key}.jsonl"
        if not path.exists():
            rows = [r for r in training.rows(source) if all(str(r.get(k)) in of.where[k] for k in of.where)]
            if not rows:
                raise UsageError("lab.no_record_where_correct", source=source.name, where=of.where)
            path.parent.mkdir(exist_ok=True)
            text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            files.write_atomically(path, text.encode())
        return path

    def _learned(self, name: str, options: BuildOptions) -> str:
        """Return the topic file that `ontology build` makes by these options in a workspace of its own, once.

        Topics that were learned before are no other fields to compare the words with: each result is that of a user
        who begins.
        """
        (corpus,) = options.corpus
        of = options.settings
        key = repr((files.digest(corpus), of.topic, of.label, of.words, learner()))
        digest = hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
        folder = (self.space.root / "learned" / f"{Path(name).stem}-{digest}").resolve()
        done = folder / "topic.txt"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            self.on_note(Message("lab.note_learning", name=name, corpus=corpus.name))
            space = workspace.init(folder)
            built = building.build(space, replace(options, out=folder / "built"), self.on_note)
            files.write_atomically(done, str(built.written.topic).encode())
        return done.read_text(encoding="utf-8")
