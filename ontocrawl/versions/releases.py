"""Versions from decisions: ontologies with what persons decided and edited, their number, and their files.

Builds, decisions about a topic of the package, and proposals that are applied all go this way: `left_behind` reads what
persons left where the ontologies are, `following` makes the next version of drafts, and `write` puts its files, its
archive and its line of the history in place, all or none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics.version_files import Version, VersionError, Versions
from ontocrawl.versions import deciding, hand_edits
from ontocrawl.versions.deciding import Decided, Place, write_files
from ontocrawl.versions.hand_edits import Kept
from ontology import compare, owl
from ontology.decisions import Decision, in_force
from ontology.decisions.facts import Resolve
from ontology.iris import IriRegister
from ontology.model import Ontology
from ontology.owl import Header, Loaded, formats
from ontology.owl.additions import NO_ADDITIONS
from ontology.owl.triples import Triples

# ---- versions from decisions: ontologies with what persons decided and edited, their number, and their files


@dataclass(frozen=True)
class Left:
    """What persons left where ontologies are: IRIs, edits and decisions.

    Attributes:
        register: IRIs by label.
        kept: edits of the files, which are decisions now.
        decisions: the decisions in force.
        first: id of a decision -> id of the first one that says the same, by which the ontologies name it.
        resolve: returns the IRI of a class by label or IRI.
        when: date and time, ISO 8601.
    """

    register: IriRegister
    kept: Kept
    decisions: tuple[Decision, ...]
    first: Mapping[str, str]
    resolve: Resolve
    when: str


def left_behind(
    space: Workspace, place: Place, register: IriRegister, who: str, when: str, *, record: bool = True
) -> Left:
    """Read what persons left where ontologies are; edits are made decisions at once.

    Args:
        space: the workspace, with its decisions about the topic.
        place: where the ontologies are.
        register: their IRIs by label; new labels are entered.
        who: name of the person who edited.
        when: date and time, ISO 8601.
        record: whether to write the decisions that edits come to.

    Raises:
        UsageError: an edited file cannot be read.
        DecisionError: a damaged file of decisions.
    """
    kept = hand_edits.keep(place, register, who, when, record=record)
    every = deciding.decisions(space, place, who, when, record=record)
    decisions = in_force(every)
    if not record:
        decisions += kept.decisions
    resolve = hand_edits.resolver(register, decisions, kept.labels)
    return Left(register, kept, decisions, deciding.first_ids((*every, *decisions)), resolve, when)


@dataclass(frozen=True)
class Release:
    """A version of ontologies that may be written.

    Attributes:
        ontologies: the ontologies with their version, the global one first.
        decided: the decisions, and what became of them.
        prior: the latest version before; None for the first.
        before: IRI of an ontology -> the ontology as it was before, where it was there.
        changes: kind of difference of the global ontology to the version before -> number.
        is_new: whether this is another version than the one before.
    """

    ontologies: tuple[Ontology, ...]
    decided: Decided
    prior: Version | None
    before: Mapping[str, Loaded]
    changes: Mapping[str, int]
    is_new: bool

    @property
    def version(self) -> str:
        """The version."""
        return self.ontologies[0].version

    def header(self, ontology: Ontology, known: Header) -> Header:
        """Return the header of an ontology: a new version names the IRI of the one before.

        Args:
            ontology: one of the ontologies.
            known: its header before.
        """
        was = self.before.get(ontology.iri)
        return replace(known, prior=was.ontology.version_iri) if was is not None and self.is_new else known


@dataclass(frozen=True)
class Following:
    """How versions follow each other.

    Attributes:
        store: the versions before.
        earlier: returns the versions of an ontology from which decided classes are taken over, the latest first.
        origin: the ontologies before the first version here, where there are any.
        number: the number that a person chose; empty for the next one.
        again: whether a version that says the same, and followed the same one, comes again under its number.
    """

    store: Versions
    earlier: Callable[[Ontology], Sequence[Ontology]]
    origin: Sequence[Loaded] = ()
    number: str = ""
    again: bool = field(default=False, kw_only=True)


def made(
    drafts: Sequence[Ontology], decisions: Sequence[Decision], left: Left, rule: Following
) -> tuple[tuple[Ontology, ...], Decided]:
    """Apply decisions to drafts.

    Args:
        drafts: the ontologies without decisions.
        decisions: some of those in force.
        left: what persons decided and edited.
        rule: from which versions classes are taken over.

    Returns:
        The ontologies, and what became of the decisions.
    """
    same = tuple(replace(d, id=left.first.get(d.id, d.id)) for d in decisions)
    ontologies, decided = deciding.applied(drafts, same, left.resolve, left.register, rule.earlier)
    return ontologies, _by_own_ids(decided, decisions, left)


def following(drafts: Sequence[Ontology], left: Left, rule: Following) -> Release:
    """Make the version of ontologies that follows: that of before if nothing changed, else the next one.

    Args:
        drafts: the ontologies without decisions; the version of a learned one ends with the digest of its input.
        left: what persons decided and edited.
        rule: how versions follow each other.

    Returns:
        The version, which is not written.

    Raises:
        VersionError: the number is taken.
    """
    now, decided = made(drafts, left.decisions, left, rule)
    store, prior = rule.store, rule.store.latest
    before = {loaded.ontology.iri: loaded for loaded in rule.origin}
    if prior is not None:
        known = {o.iri: deciding.built(store, prior.version, deciding.file_stem(o)) for o in now}
        before = {iri: loaded for iri, loaded in known.items() if loaded is not None}
    digest = now[0].version.partition("+")[2]
    base = prior.version if prior else rule.origin[0].ontology.version if rule.origin else ""
    unchanged = _says(now, before, left) and base.partition("+")[2] == digest
    is_same = unchanged and rule.number in ("", base.partition("+")[0])
    if rule.number and not is_same and any(v.number == rule.number for v in store.all()):
        raise VersionError("versions.number_version_already_choose", rule_number=rule.number, store_folder=store.folder)
    after = rule.origin[0].ontology.version if rule.origin else ""
    number = rule.number or store.next_number(after=after)
    version = base if is_same else f"{number}+{digest}" if digest else number
    if rule.again and not is_same and not rule.number:
        version = _known_version(now, left, store, base, digest) or version
    ontologies = tuple(replace(o, version=version) for o in now)
    first = before.get(now[0].iri)
    changes = {} if first is None else compare.diff(first.ontology, ontologies[0]).counts()
    counted = {kind: count for kind, count in changes.items() if count}
    return Release(ontologies, decided, prior, before, counted, not is_same)


def _says(made: Sequence[Ontology], known: Mapping[str, Loaded], left: Left) -> bool:
    """Return whether ontologies are those of a version, whatever its number."""
    return all(
        (was := known.get(o.iri)) is not None
        and deciding.equal(o, was, left.kept.additions.get(deciding.file_stem(o), NO_ADDITIONS))
        for o in made
    )  # fmt: skip


def _known_version(made: Sequence[Ontology], left: Left, store: Versions, prior: str, digest: str) -> str:
    """Return the latest version that says the same and followed the same version; "" if there is none."""
    for version in dict.fromkeys(v.version for v in reversed(store.all()) if v.prior == prior and not v.rollback):
        known = {o.iri: deciding.built(store, version, deciding.file_stem(o)) for o in made}
        there = {iri: loaded for iri, loaded in known.items() if loaded is not None}
        if version.partition("+")[2] == digest and _says(made, there, left):
            return version
    return ""


def _by_own_ids(decided: Decided, decisions: Sequence[Decision], left: Left) -> Decided:
    """Return what became of decisions, each under its own id."""
    own = {left.first.get(d.id, d.id): d for d in decisions}
    return replace(
        decided,
        decisions=tuple(decisions),
        idle=tuple(replace(r, decision=own[r.decision.id]) for r in decided.idle),
        conflicts=tuple(replace(r, decision=own[r.decision.id]) for r in decided.conflicts),
        cycles=tuple(replace(c, decision=own[c.decision.id]) for c in decided.cycles),
    )


def entry(release: Release, left: Left, **more: object) -> Version:
    """Return the line of the history for a new version.

    Args:
        release: the version.
        left: what persons left.
        **more: further fields of `Version`.
    """
    decided, prior = release.decided, release.prior
    known = set(prior.decisions) if prior else set()
    ids = tuple(d.id for d in decided.decisions)
    made = Version(
        release.version,
        left.when,
        prior=prior.version if prior else "",
        classes=len(release.ontologies[0].concepts),
        decisions=ids,
        added=tuple(id_ for id_ in ids if id_ not in known),
        edited=left.kept.edited,
        idle={r.decision.id: r.reason for r in decided.idle},
        conflicts={r.decision.id: r.reason for r in decided.conflicts} | dict(left.kept.conflicts),
        unkept=left.kept.notes,
        changes=release.changes,
    )
    return replace(made, **more)  # type: ignore[arg-type]  # fields of a version


@dataclass(frozen=True)
class Draft:
    """The next version of the ontologies of a place, which is not written.

    Attributes:
        place: where they are.
        drafts: the ontologies without decisions.
        left: what persons left.
        rule: how versions follow each other.
        release: the version.
    """

    place: Place
    drafts: tuple[Ontology, ...]
    left: Left
    rule: Following
    release: Release

    def files(self) -> dict[str, bytes]:
        """Return name -> content of the files of the version."""
        headers = {deciding.file_stem(o.ontology): o.header for o in self.rule.origin} | dict(self.left.kept.headers)
        files: dict[str, bytes] = {}
        for ontology in self.release.ontologies:
            stem = deciding.file_stem(ontology)
            header = self.release.header(ontology, headers.get(stem, owl.NO_HEADER))
            more = self.left.kept.additions.get(stem, NO_ADDITIONS)
            files |= sealed_files(ontology, header, more)
        return files

    def entry(self) -> Version:
        """Return the line of the history."""
        return entry(self.release, self.left)

    @property
    def origin(self) -> tuple[str, dict[str, bytes]] | None:
        """The version that decisions are applied to, and its files; None for that of a build."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the version does not have although it was decided, one sentence each."""
        return ()


def sealed_files(ontology: Ontology, header: Header, additions: Triples) -> dict[str, bytes]:
    """Return name -> content of the files of an ontology, by whose digests later edits are noticed.

    Args:
        ontology: the ontology.
        header: dates and people.
        additions: statements beyond the model.
    """
    return {
        deciding.file_stem(ontology) + suffix: owl.content(
            ontology, formats.BY_SUFFIX[suffix].name, header, additions=additions, sealed=True
        ).encode()
        for suffix in hand_edits.SUFFIXES
    }


def write(
    place: Place,
    version: Version,
    files: Mapping[str, bytes],
    register: IriRegister,
    origin: tuple[str, Mapping[str, bytes]] | None = None,
) -> list[Path]:
    """Write a version: its files, its archive, the register and the history, all or none of them.

    Args:
        place: where the ontologies are.
        version: the line of the history.
        files: name -> content.
        register: the IRIs.
        origin: the version that decisions were applied to, and its files, which are kept for a rollback.

    Returns:
        The files, without the records.

    Raises:
        CommandError: a file cannot be written; all are as before.
    """
    written = {place.folder / name: content for name, content in files.items()}
    records = place.store.records(version, files) | {place.register: register.content()}
    if origin is not None:
        records |= place.store.origin_records(*origin)
    write_files(place, written | records)
    return list(written)
