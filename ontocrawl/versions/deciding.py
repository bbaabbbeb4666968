"""Decisions in a build: which ones hold, what the learner is told, and what they make of its ontologies."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kg.engine.files import FileLock
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError
from ontocrawl.topics.version_files import Versions
from ontology.decisions import Decision, in_force, table
from ontology.decisions.applying import Applied, Cycle, Remark, apply
from ontology.decisions.facts import Facts, Resolve
from ontology.decisions.guidance import Guidance
from ontology.iris import IriRegister
from ontology.model import Ontology
from ontology.owl import canonical, native, reader
from ontology.owl.contents import Loaded
from ontology.owl.formats import TURTLE
from ontology.owl.triples import Triples

_PATIENCE = 30.0
"""Seconds to wait for another command that adds decisions."""


def person(given: str = "") -> str:
    """Return the name of the person who decides: the one that was given, or else the login name."""
    return given or getpass.getuser()


def of_workspace(space: Workspace, topic: str) -> Path:
    """Return the file of a workspace's decisions about a topic, in its folder ``ontologies/TOPIC``."""
    return space.ontologies / topic / table.FILE


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other command adds to a file of decisions or labels, and keep others waiting during the block.

    Args:
        path: the file; its folder is made where it is missing.

    Raises:
        CommandError: another command holds it for half a minute.
        StoreError: the file system has no locks.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    if not lock.acquire(_PATIENCE):
        raise CommandError(f"another command adds to {path}: try again when it is done")
    try:
        yield
    finally:
        lock.release()


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


def decisions(
    space: Workspace, topic: str, folder: Path, who: str, when: str, *, record: bool = True
) -> tuple[Decision, ...]:
    """Return the decisions in force about an ontology: those of the workspace about the topic, then the folder's own.

    Rows of the folder's file that a person added without an id get one, and the name and the date.

    Args:
        space: the workspace.
        topic: name of the topic.
        folder: folder of the decisions.
        who: name of the person who added rows.
        when: date and time, ISO 8601.
        record: whether to write ids, names and dates into the file.

    Raises:
        DecisionError: a damaged file.
    """
    own = folder / table.FILE
    if own.exists() and record:
        add(own, (), who, when)
    return (*in_force(shared(space, topic, folder)), *in_force(table.numbered(table.read(own))))


def shared(space: Workspace, topic: str, folder: Path) -> tuple[Decision, ...]:
    """Return all decisions of a workspace about a topic beside those of a folder, with ids that name the topic.

    Args:
        space: the workspace.
        topic: name of the topic.
        folder: folder of the decisions; if they are those of the workspace, nothing is shared.
    """
    path = of_workspace(space, topic)
    if path.resolve() == (folder / table.FILE).resolve():
        return ()
    rows = table.numbered(table.read(path))
    return tuple(
        replace(d, id=f"{topic}/{d.id}", value=f"{topic}/{d.value}" if d.action == "withdraw" else d.value)
        for d in rows
    )  # fmt: skip


def first_ids(every: Iterable[Decision]) -> dict[str, str]:
    """Return the id of each decision -> the id of the first one that says the same.

    A decision that was withdrawn and made again is the same in an ontology.

    >>> again = [Decision("accept", "山洪", "洪水", who=who, id=id_) for who, id_ in (("张三", "d1"), ("李四", "d3"))]
    >>> first_ids(again)
    {'d1': 'd1', 'd3': 'd1'}
    """
    first: dict[Decision, str] = {}
    return {d.id: first.setdefault(replace(d, id="", who="", when="", why=""), d.id) for d in every}


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


def labels_of(store: Versions, topic: str) -> dict[str, str]:
    """Return label -> IRI of the classes of the latest version of a topic's ontologies."""
    known = built(store, store.latest.version, topic) if store.latest else None
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
