"""Decisions in a build: which ones hold, what the learner is told, and what they make of its ontologies."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kg.engine.files import FileLock
from ontocrawl.errors import CommandError
from ontocrawl.versions import Version, VersionError, Versions
from ontocrawl.workspace import Workspace
from ontology import compare
from ontology.build import Learned
from ontology.decisions import Decision, in_force, table
from ontology.decisions.applying import Applied, Remark, apply
from ontology.decisions.facts import Facts, Resolve
from ontology.decisions.guidance import Guidance
from ontology.iris import IriRegister
from ontology.model import Ontology
from ontology.owl import canonical, native, reader
from ontology.owl.additions import NO_ADDITIONS
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
    """Wait until no other command adds to a file of decisions, and keep others waiting during the block.

    Args:
        path: the file of decisions; its folder is made where it is missing.

    Raises:
        CommandError: another command holds it for half a minute.
        StoreError: the file system has no locks.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    if not lock.acquire(_PATIENCE):
        raise CommandError(f"another command adds decisions to {path}: try again when it is done")
    try:
        yield
    finally:
        lock.release()


def decisions(space: Workspace, topic: str, folder: Path, who: str, when: str) -> tuple[Decision, ...]:
    """Return the decisions in force about an ontology: those of the workspace about the topic, then the folder's own.

    Rows of the folder's file that a person added without an id get one, and the name and the date.

    Args:
        space: the workspace.
        topic: name of the topic.
        folder: folder of the build.
        who: name of the person who added rows.
        when: date and time, ISO 8601.

    Raises:
        DecisionError: a damaged file.
    """
    own = folder / table.FILE
    if own.exists():
        table.append(own, (), who, when)
    shared = of_workspace(space, topic)
    others: tuple[Decision, ...] = ()
    if shared.resolve() != own.resolve():
        others = tuple(replace(d, id=f"{topic}/{d.id}") for d in in_force(table.numbered(table.read(shared))))
    return (*others, *in_force(table.read(own)))


@dataclass(frozen=True)
class Decided:
    """The decisions of a build, and what became of them.

    Attributes:
        decisions: those in force.
        idle: those that did not apply.
        conflicts: those that hold against what the documents say, or contradict each other.
    """

    decisions: tuple[Decision, ...] = ()
    idle: tuple[Remark, ...] = ()
    conflicts: tuple[Remark, ...] = ()


NOTHING_DECIDED = Decided()


def guidance(decided: Sequence[Decision], resolve: Resolve, register: IriRegister) -> Guidance:
    """Return what decisions tell the learner."""
    return Guidance.of(Facts.of(decided, resolve), register.label)


def labels_of(store: Versions, topic: str) -> dict[str, str]:
    """Return label -> IRI of the classes of the latest version of a topic's ontologies."""
    known = built(store, store.latest.version, topic) if store.latest else None
    return {} if known is None else {c.label: c.iri for c in known.ontology.concepts}


def applied(
    learned: Learned, decided: Sequence[Decision], resolve: Resolve, register: IriRegister, store: Versions
) -> tuple[Learned, Decided]:
    """Apply decisions to learned ontologies.

    Args:
        learned: what was learned.
        decided: the decisions in force.
        resolve: returns the IRI of a class by label or IRI.
        register: IRIs by label.
        store: the versions before, from which classes are taken over.

    Returns:
        What was learned, with the ontologies as they were decided; and what became of the decisions.
    """
    results: list[Applied] = []
    for ontology in learned.ontologies:
        facts = Facts.of(decided, resolve, local=local_name(ontology))
        named = {*facts.wanted(), *facts.classes}
        known = earlier(store, file_stem(ontology)) if named - ontology.by_iri.keys() else ()
        local, label_of = local_name(ontology), register.label
        results.append(apply(ontology, facts, local=local, earlier=known, label_of=label_of))
    made = [result.ontology for result in results]
    done = replace(learned, global_ontology=made[0], local_ontologies=tuple(made[1:]))
    idle = tuple(remark for result in results for remark in result.idle)
    conflicts = tuple(remark for result in results for remark in result.conflicts)
    return done, Decided(tuple(decided), idle, conflicts)


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


@dataclass(frozen=True)
class Numbered:
    """Ontologies with their version.

    Attributes:
        learned: what was learned, with the version in the ontologies.
        prior: the latest version before; None for a first build.
        changes: kind of difference of the global ontology to the version before -> number.
        is_new: whether this is another version than the one before.
    """

    learned: Learned
    prior: Version | None
    changes: Mapping[str, int]
    is_new: bool


def numbered(learned: Learned, store: Versions, number: str, additions: Mapping[str, Triples]) -> Numbered:
    """Give ontologies their version: that of the build before if nothing changed, else the next one.

    Args:
        learned: what was learned; the versions of its ontologies end with the digest of their input.
        store: the versions before.
        number: the number that a person chose; empty for the next one.
        additions: statements beyond the model, by stem of the file.
    """
    prior = store.latest
    digest = learned.global_ontology.version.partition("+")[2]
    before = {o.iri: built(store, prior.version, file_stem(o)) for o in learned.ontologies} if prior else {}
    is_same = prior is not None and prior.version == f"{number or prior.number}+{digest}" and all(
        (was := before[ontology.iri]) is not None
        and equal(ontology, was, additions.get(file_stem(ontology), NO_ADDITIONS))
        for ontology in learned.ontologies
    )  # fmt: skip
    if number and not is_same and any(known.number == number for known in store.all()):
        raise VersionError(f"{number} is the number of a version in {store.folder} already; choose another, or none")
    version = prior.version if is_same and prior else f"{number or store.next_number()}+{digest}"
    ontologies = [replace(o, version=version) for o in learned.ontologies]
    done = replace(learned, global_ontology=ontologies[0], local_ontologies=tuple(ontologies[1:]))
    first = before.get(learned.global_ontology.iri)
    changes = {} if first is None else compare.diff(first.ontology, ontologies[0]).counts()
    return Numbered(done, prior, {kind: count for kind, count in changes.items() if count}, not is_same)


def equal(ontology: Ontology, was: Loaded, additions: Triples) -> bool:
    """Return whether an ontology is what was built before, whatever its version; so are statements beyond the model."""
    now = canonical(replace(ontology, version=was.ontology.version))
    return now == was.ontology and set(additions) == set(was.additions)
