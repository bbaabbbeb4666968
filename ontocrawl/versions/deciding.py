"""Decisions about ontologies: where they are, which ones hold, what the learner is told, and what they make of them."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from kg.engine.files import FileLock
from kg.store import StoreError
from ontocrawl.base.workspace import Workspace, alone
from ontocrawl.errors import CommandError
from ontocrawl.topics.version_files import Versions
from ontology import file_sets
from ontology.decisions import Decision, in_force, table
from ontology.decisions.applying import Applied, Cycle, Remark, apply
from ontology.decisions.facts import Facts, Resolve
from ontology.decisions.guidance import Guidance
from ontology.files import write_atomically
from ontology.iris import IriRegister
from ontology.model import Ontology
from ontology.owl import canonical, native, reader
from ontology.owl.contents import Loaded
from ontology.owl.formats import TURTLE
from ontology.owl.triples import Triples

REGISTER = "iris.tsv"
"""File with the IRI of each label, so that the next version keeps the IRIs."""
LOCK, PID = "lock", "lock.pid"


@dataclass(frozen=True)
class Place:
    """Where the ontologies of a topic are.

    Attributes:
        topic: name of the topic, with which the names of the files begin.
        folder: folder of the files.
        records: folder of the decisions, the register of IRIs and the versions; that of the files, or in a workspace
            ``ontologies/TOPIC``.
    """

    topic: str
    folder: Path
    records: Path

    @property
    def store(self) -> Versions:
        """The versions."""
        return Versions(self.folder, self.records)

    @property
    def decisions(self) -> Path:
        """File of the decisions."""
        return self.records / table.FILE

    @property
    def register(self) -> Path:
        """File of the IRIs."""
        return self.records / REGISTER

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from changing the ontologies; what an interrupted one left is put in place first.

        The lock is that of the system: it is free when the process that had it has ended, however it ended.

        Raises:
            CommandError: another process changes them; the message has its number.
        """
        path = self.store.path
        lock = FileLock(path / LOCK)
        try:
            path.mkdir(parents=True, exist_ok=True)
            acquired = lock.try_acquire()
        except (OSError, StoreError) as error:
            raise _unwritable(path, error) from error
        if not acquired:
            raise CommandError("versions.versions_locked", topic=self.topic, folder=self.folder, pid=_pid(path))
        try:
            write_atomically(path / PID, f"{os.getpid()}\n".encode())
            file_sets.complete(self.store.marker)
            yield
        finally:
            lock.release()


def _unwritable(folder: Path, error: OSError | StoreError) -> CommandError:
    """Return the error for a folder of versions that cannot be written."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return CommandError("topics.version_unwritten", path=folder, strerror=reason)


def _pid(folder: Path) -> str:
    try:
        return f" ({(folder / PID).read_text(encoding='ascii').strip()})"
    except OSError:
        return ""


def write_files(place: Place, files: Mapping[Path, bytes | None]) -> None:
    """Write files of a place, all or none of them.

    Args:
        place: where the ontologies are; it must be locked.
        files: path -> content, or None to remove the file.

    Raises:
        CommandError: a file cannot be written; all are as before.
    """
    try:
        file_sets.write_together(files, place.store.marker)
    except OSError as error:
        raise CommandError("versions.files_unwritten", place_folder=place.folder, strerror=error.strerror) from error


def register_of(records: Path, ontologies: Iterable[Ontology]) -> IriRegister:
    """Return the IRIs of a folder of records, with the labels of ontologies for those that are not registered.

    Args:
        records: the folder.
        ontologies: the ontologies, the global one first.
    """
    first, *others = ontologies
    register = IriRegister.load(records / REGISTER, first.root.rpartition("#")[0] + "#")
    for ontology in (first, *others):
        for concept in ontology.concepts:
            register.keep(concept.label, concept.iri)
    return register


def person(given: str = "") -> str:
    """Return the name of the person who decides: the one that was given, or else the login name."""
    return given or getpass.getuser()


def of_workspace(space: Workspace, topic: str) -> Path:
    """Return the file of a workspace's decisions about a topic, in its folder ``ontologies/TOPIC``."""
    return space.ontologies / topic / table.FILE


def add(path: Path, decisions: Iterable[Decision], who: str = "", when: str = "") -> tuple[Decision, ...]:
    """Add decisions to a file, while no other command does; as `ontology.decisions.table.append`.

    Args:
        path: the file.
        decisions: the decisions, without ids.
        who: name of the person, for rows that a person added without one.
        when: date and time, for the same.

    Raises:
        DecisionError, OSError: as there.
        CommandError: as for `alone`.
    """
    with alone(path):
        return table.append(path, decisions, who, when)


def decisions(space: Workspace, place: Place, who: str, when: str, *, record: bool = True) -> tuple[Decision, ...]:
    """Return all decisions about an ontology: those of the workspace about the topic, then the place's own.

    Rows of the place's file that a person added without an id get one, and the name and the date.

    Args:
        space: the workspace.
        place: where the ontologies are.
        who: name of the person who added rows.
        when: date and time, ISO 8601.
        record: whether to write ids, names and dates into the file.

    Raises:
        DecisionError: a damaged file.
    """
    if place.decisions.exists() and record:
        add(place.decisions, (), who, when)
    return (*shared(space, place), *table.numbered(table.read(place.decisions)))


def shared(space: Workspace, place: Place) -> tuple[Decision, ...]:
    """Return all decisions of a workspace about a topic beside those of a place, with ids that name the topic.

    Args:
        space: the workspace.
        place: where the ontologies are; if its decisions are those of the workspace, nothing is shared.
    """
    path = of_workspace(space, place.topic)
    if path.resolve() == place.decisions.resolve():
        return ()
    rows, before = table.numbered(table.read(path)), f"{place.topic}/"
    return tuple(
        replace(d, id=before + d.id, value=before + d.value if d.action == "withdraw" else d.value) for d in rows
    )


def first_ids(every: Iterable[Decision]) -> dict[str, str]:
    """Return the id of each decision -> the id of the first one that says the same.

    A decision that was withdrawn and made again is the same in an ontology.

    >>> again = [Decision("accept", "山洪", "洪水", who=who, id=id_) for who, id_ in (("张三", "d1"), ("李四", "d3"))]
    >>> first_ids(again)
    {'d1': 'd1', 'd3': 'd1'}
    """
    first: dict[Decision, str] = {}
    return {d.id: first.setdefault(replace(d, id="", who="", when="", why=""), d.id) for d in every}


def also_decided(every: Sequence[Decision], decision: Decision) -> str:
    """Return the id of another decision by which the same is accepted or rejected; "" for none.

    Args:
        every: all decisions about an ontology.
        decision: one of them; of a withdrawal, what it withdraws is asked about.
    """
    meant = next((d for d in every if decision.action == "withdraw" and d.id == decision.value), decision)
    about = attrgetter("term", "relation", "value", "ontology")
    others = [d for d in in_force(every) if meant.relation and d.id != meant.id and about(d) == about(meant)]
    return others[-1].id if others and others[-1].action == meant.action else ""


@dataclass(frozen=True)
class Decided:
    """The decisions of a build, and what became of them.

    Attributes:
        decisions: those in force.
        idle: those that did not apply.
        conflicts: those that hold against what the documents say, or contradict each other.
        cycles: those whose edges would close cycles.
    """

    decisions: tuple[Decision, ...] = ()
    idle: tuple[Remark, ...] = ()
    conflicts: tuple[Remark, ...] = ()
    cycles: tuple[Cycle, ...] = ()


NOTHING_DECIDED = Decided()


def guidance(decided: Sequence[Decision], resolve: Resolve, register: IriRegister) -> Guidance:
    """Return what decisions tell the learner."""
    return Guidance.of(Facts.of(decided, resolve), register.label)


def labels_of(place: Place) -> dict[str, str]:
    """Return label -> IRI of the classes of the latest version of the global ontology of a place."""
    store = place.store
    known = built(store, store.latest.version, place.topic) if store.latest else None
    return {} if known is None else {c.label: c.iri for c in known.ontology.concepts}


def applied(
    drafts: Sequence[Ontology],
    decided: Sequence[Decision],
    resolve: Resolve,
    register: IriRegister,
    earlier: Callable[[Ontology], Sequence[Ontology]],
) -> tuple[tuple[Ontology, ...], Decided]:
    """Apply decisions to ontologies.

    Args:
        drafts: the ontologies, as rules or a release of the package made them, the global one first.
        decided: the decisions in force.
        resolve: returns the IRI of a class by label or IRI.
        register: IRIs by label.
        earlier: returns the versions of an ontology from which classes are taken over, the latest first.

    Returns:
        The ontologies as they were decided; and what became of the decisions.
    """
    results: list[Applied] = []
    for ontology in drafts:
        local, label_of = local_name(ontology), register.label
        facts = Facts.of(decided, resolve, local=local)
        named = {*facts.wanted(), *facts.classes}
        known = earlier(ontology) if named - ontology.by_iri.keys() else ()
        results.append(apply(ontology, facts, local=local, earlier=known, label_of=label_of))
    idle = tuple(remark for result in results for remark in result.idle)
    conflicts = tuple(remark for result in results for remark in result.conflicts)
    cycles = tuple(cycle for result in results for cycle in result.cycles)
    return tuple(result.ontology for result in results), Decided(tuple(decided), idle, conflicts, cycles)


def local_name(ontology: Ontology) -> str:
    """Return the name of a local ontology; "" for a global one."""
    return "" if ontology.kind == "global" else ontology.iri.rsplit("/", 1)[-1]


def file_stem(ontology: Ontology) -> str:
    """Return the name of the files of a learned ontology, without suffix."""
    return "-".join(filter(None, (ontology.topic, local_name(ontology))))


def earlier(store: Versions, stem: str) -> tuple[Ontology, ...]:
    """Return the versions of an ontology that were built before, the latest first."""
    versions = dict.fromkeys(v.version for v in reversed(store.all()))
    return tuple(loaded.ontology for v in versions if (loaded := built(store, v, stem)))


def built(store: Versions, version: str, stem: str) -> Loaded | None:
    """Read an ontology as a build wrote it; None if the version, or the ontology in it, is not kept."""
    text = store.text(version, f"{stem}.ttl")
    if text is None:
        return None
    name = store.folder / f"{stem}.ttl"
    return native.from_triples(reader.parse_text(text, TURTLE, name), f"{name} of version {version}")


def equal(ontology: Ontology, was: Loaded, additions: Triples) -> bool:
    """Return whether an ontology is what was built before, whatever its version; so are statements beyond the model."""
    now = canonical(replace(ontology, version=was.ontology.version))
    return now == was.ontology and set(additions) == set(was.additions)
