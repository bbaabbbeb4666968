"""The history of an ontology: its versions, its decisions with what became of each, and the way back to a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ontocrawl.base.workspace import Workspace, alone
from ontocrawl.errors import UsageError
from ontocrawl.topics import kept_versions, reviewed, topics
from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.topics.topics import Level, Topic
from ontocrawl.topics.version_files import FOLDER, Version, VersionError, unzipped
from ontocrawl.versions import curated_decisions, deciding, hand_edits
from ontocrawl.versions.deciding import REGISTER, Place, write_files
from ontology import owl
from ontology.decisions import Decision, DecisionError, in_force, table, withdrawals
from ontology.decisions.decision import CLASS, IRI, PARTS
from ontology.decisions.texts import text_of
from ontology.enrichment import Status, Verdict
from ontology.errors import Message, closest, recognised
from ontology.iris import IriRegister
from ontology.model import Concept, Ontology
from ontology.owl import reader
from ontology.owl.contents import Loaded
from ontology.terms.wordforms import normal

_REMARK = "decisions.remark_"


@dataclass(frozen=True)
class DecidedProposal:
    """A proposal that a person decided.

    Attributes:
        id: its id.
        verdict: the verdict.
        status: "accepted" or "rejected"; "withdrawn" if the verdict does not count any more.
        who: name of the person.
        when: date and time, ISO 8601.
        runs: the crawls whose pages showed it.
        decisions: ids of the decisions, as the history has them.
        version: the first version with all of these; "" if there is none.
    """

    id: str
    verdict: Verdict
    status: Status | str
    who: str
    when: str
    runs: tuple[str, ...]
    decisions: tuple[str, ...]
    version: str


@dataclass(frozen=True)
class OfVersion:
    """The proposals that a version brought: those that were accepted, and those that were rejected until then."""

    accepted: tuple[DecidedProposal, ...]
    rejected: tuple[DecidedProposal, ...]


@dataclass(frozen=True)
class History:
    """Versions and decisions of an ontology, and the proposals that a person decided.

    Attributes:
        folder: the folder of its records.
        topic: name of its topic; "" for a folder without an ontology.
        origin: the version before the first one.
        versions: the versions, the oldest first.
        decisions: all decisions, withdrawn ones included; those of the workspace about a topic that was built first.
        proposals: all proposals that were decided, in the order of the verdicts.
    """

    folder: Path
    topic: str
    origin: str
    versions: tuple[Version, ...]
    decisions: tuple[Decision, ...]
    proposals: tuple[DecidedProposal, ...] = ()

    @property
    def version(self) -> str:
        """The present version."""
        return self.versions[-1].version if self.versions else self.origin

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of the proposals that count, and that no version has."""
        return tuple(p.id for p in self.proposals if not p.version and p.status != "withdrawn")

    @property
    def unbuilt(self) -> tuple[str, ...]:
        """Ids of decisions that the last version lacks, but for those of a proposal, or that withdraw what it has."""
        last = set(self.versions[-1].decisions if self.versions else ())
        of_proposals = {id_ for p in self.proposals for id_ in p.decisions}
        new = [d.id for d in in_force(self.decisions) if d.id not in last | of_proposals]
        return (*new, *(by for id_, by in withdrawals(self.decisions).items() if id_ in last))

    @cached_property
    def came(self) -> tuple[OfVersion, ...]:
        """The proposals that came with each version."""
        found, known = [], set[str]()
        for version in self.versions:
            now = set(version.decisions)
            new = [p for p in self.proposals if now.issuperset(p.decisions) and not known.issuperset(p.decisions)]
            known = now
            accepted = tuple(p for p in new if p.verdict.action != "reject")
            found.append(OfVersion(accepted, tuple(p for p in new if p.verdict.action == "reject")))
        return tuple(found)

    def status(self, decision: Decision) -> str:
        """Return what became of a decision: in force, withdrawn, does not apply, contradicted, or not yet built."""
        if decision.action == "withdraw":
            return Message("versions.status_withdraws")
        if decision not in in_force(self.decisions):
            return Message("versions.status_withdrawn")
        last = next(iter(reversed(self.versions)), None)
        if last is None or decision.id not in last.decisions:
            return Message("versions.status_new")
        if decision.id in last.idle:
            return Message("versions.status_idle", reason=recognised(last.idle[decision.id], _REMARK))
        if decision.id in last.conflicts:
            return Message("versions.status_conflict", reason=recognised(last.conflicts[decision.id], _REMARK))
        return Message("versions.status_force")

    def since(self, decision: Decision) -> str:
        """Return the first version with a decision; "" if none has it."""
        return next((v.version for v in self.versions if decision.id in v.decisions), "")

    def as_json(self) -> Mapping[str, Any]:
        """Return the history as JSON values."""
        return {
            "folder": str(self.folder),
            "topic": self.topic,
            "version": self.version,
            "origin": self.origin,
            "versions": [asdict(v) | asdict(of) for v, of in zip(self.versions, self.came, strict=True)],
            "decisions": [
                asdict(d) | {"status": self.status(d), "since": self.since(d)} for d in self.decisions
            ],
            "proposals": [asdict(p) for p in self.proposals],
            "waiting": list(self.waiting),
            "unbuilt": list(self.unbuilt),
        }  # fmt: skip


def place_of(given: str, space: Workspace) -> Place:
    """Return where an ontology is: in the folder of a build, or for a topic in the workspace.

    Args:
        given: the folder; the name of a topic, or its file.
        space: the workspace.

    Raises:
        UsageError: there is neither such a folder nor such a topic.
    """
    if Path(given).is_dir():
        folder = Path(given)
        return Place(global_ontology(folder).topic if list(folder.glob("*.ttl")) else "", folder, folder)
    if given in topics.places(space) or given.endswith(".toml"):
        return place_of_topic(topics.load(given, space))
    raise UsageError("versions.no_folder", given=given)


def place_of_topic(topic: Topic) -> Place:
    """Return where the ontologies of a topic are: in the folder of the build that wrote them, or in the workspace."""
    for path, _ in topic.ontology_files():
        beside = Place(topic.name, path.parent, path.parent)
        latest = beside.store.latest
        if latest is not None and f"{path.stem}.ttl" in beside.store.names(latest.version):
            return beside  # a build of another topic in the same folder has other files
        break
    return curated_decisions.place_of(topic)


def global_ontology(folder: Path) -> Ontology:
    """Return the global ontology in a folder.

    Raises:
        UsageError: there is none.
    """
    return _global({path.name: path.read_bytes() for path in folder.glob("*.ttl")}, folder).ontology


def loaded(given: str, space: Workspace) -> Loaded:
    """Read an ontology that is named by a file or a version: the global one, where there are several.

    Args:
        given: an ontology file; the folder of a build, or a topic; either with ``@VERSION``; the archive of a version.
        space: the workspace.

    Raises:
        UsageError: there is no such file, folder, topic or version.
        OwlError: a file cannot be read.
    """
    path, (origin, at, version) = Path(given), given.rpartition("@")
    if path.is_file() and path.suffix.lower() == ".zip":
        return _global(unzipped(path), path)
    if path.is_file() and path.suffix.lower() != ".toml":
        return owl.load(path)
    if path.is_dir():
        return _global({found.name: found.read_bytes() for found in path.glob("*.ttl")}, path)
    if at and origin and not given.endswith(".toml"):
        place = place_of(origin, space)
        return _global(place.store.files(version), place.folder)
    if path.suffix.lower() not in ("", ".toml"):
        raise UsageError("versions.no_such_file_give", given=given)
    for file, _ in topics.load(given, space).ontology_files():
        return owl.load(file)
    raise UsageError("versions.topic_no_ontology_file", given=given)


def _global(files: Mapping[str, bytes], place: Path) -> Loaded:
    """Return the global ontology among the files of a build.

    Args:
        files: name -> content.
        place: the folder or archive that has them.

    Raises:
        UsageError: there is none.
    """
    for name, content in sorted(files.items()):
        if name.endswith(".ttl") and not name.endswith(f"{hand_edits.PROVENANCE}.ttl"):
            path = place / name
            if (found := owl.of_triples(reader.parse_bytes(content, path), path)).ontology.kind == "global":
                return found
    raise UsageError("versions.folder_ontology", place=place)


def history(given: str | Topic, space: Workspace) -> History:
    """Read the history of an ontology.

    Args:
        given: the folder of a build; a topic, its name or its file.
        space: the workspace, with the verdicts about proposals.

    Raises:
        UsageError: there is no such folder or topic, or the folder has neither decisions nor versions.
        DecisionError, VersionError, ReviewedError: a damaged file.
    """
    place = place_of_topic(given) if isinstance(given, Topic) else place_of(given, space)
    of_folder = not isinstance(given, Topic) and Path(given).is_dir()
    if of_folder and not place.decisions.exists() and not place.store.path.exists():
        raise UsageError("versions.folder_history", place_folder=place.folder, table_file=table.FILE, folder=FOLDER)
    versions = place.store.all()
    origin = versions[0].prior if versions else ""
    if not versions and not of_folder:
        topic = given if isinstance(given, Topic) else topics.load(given, space)
        origin = topic.ontologies[0].version
    every = deciding.decisions(space, place, "", "", record=False)
    return History(place.records, place.topic, origin, versions, every, _proposals(space, place, versions))


def _proposals(space: Workspace, place: Place, versions: tuple[Version, ...]) -> tuple[DecidedProposal, ...]:
    known, prefix = reviewed.record_of(space, place.topic), prefix_of(space, place)
    return tuple(_decided(one, prefix, versions, known.standing.get(one.id) is one) for one in known.verdicts)


def prefix_of(space: Workspace, place: Place) -> str:
    """Return what stands before the ids of a workspace's decisions about a topic in the history of a place."""
    return "" if place.records == space.ontologies / place.topic else f"{place.topic}/"


def _decided(one: Reviewed, prefix: str, versions: tuple[Version, ...], counts: bool) -> DecidedProposal:
    ids = tuple(prefix + id_ for id_ in one.decisions)
    first = next((v.version for v in versions if ids and set(ids) <= set(v.decisions)), "")
    runs = tuple(dict.fromkeys(s.run for s in one.proposal.sentences if s.run))
    status = one.status if counts else "withdrawn"
    return DecidedProposal(one.id, one.verdict, status, one.who, one.when, runs, ids, first)


def decide_about(given: str | Topic, decision: Decision, space: Workspace) -> tuple[Decision, tuple[Decision, ...]]:
    """Add a decision about an ontology; in the folder of a build, edits of its files become decisions first.

    A decision of the workspace about a topic that was built is withdrawn by its id in the history, as ``storms/d1``.

    Args:
        given: the folder of a build; a topic, its name or its file.
        decision: the decision, without its id.
        space: the workspace.

    Returns:
        The decision with its id, and those that the edits became. The next version has them.

    Raises:
        DecisionError: it is about a class that is not known, and does not make it.
        UsageError: there is no such folder or topic, or it has no ontology.
    """
    place = place_of_topic(given) if isinstance(given, Topic) else place_of(given, space)
    if place.records != place.folder:
        topic = given if isinstance(given, Topic) else topics.load(given, space)
        return decide(place.records, decision, curated_decisions.register_of(topic), topic.ontologies[0]), ()
    ontology = global_ontology(place.folder)
    register = deciding.register_of(place.records, [ontology])
    before = prefix_of(space, place)
    if decision.action == "withdraw" and before and decision.value.startswith(before):
        of_workspace = replace(decision, value=decision.value.removeprefix(before))
        added = decide(deciding.of_workspace(space, place.topic).parent, of_workspace, register, ontology)
        return replace(added, id=before + added.id, value=decision.value), ()
    edits = hand_edits.keep(place, register, decision.who, decision.when).decisions
    register.save(place.register)
    return decide(place.records, decision, register, ontology), edits


def decide(folder: Path, decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    """Add a decision, if the classes that it names are known.

    Args:
        folder: the folder of the ontology.
        decision: the decision.
        register: the IRIs of its classes by label.
        ontology: the ontology as it is, with the label or definition that the decision replaces.

    Returns:
        The decision with its id.

    Raises:
        DecisionError: it is about a class that is not known, and does not make it.
    """
    decision = with_first_labels(decision, register, ontology)
    with alone(folder / table.FILE):
        return _added(folder, decision, register, ontology)


def _added(folder: Path, decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    if decision.action == "withdraw":
        _require_decision(folder, decision.value)
    else:
        _require_classes(decision, register)
        _require_no_root(decision, register, ontology)
    concept = ontology.by_iri.get(register.known(decision.term) or decision.term)
    if concept is not None and not decision.old:
        decision = replace(decision, old=text_of(concept, decision))
    (added,) = table.append(folder / table.FILE, [decision])
    return added


def with_first_labels(decision: Decision, register: IriRegister, ontology: Ontology) -> Decision:
    """Return a decision that names each class by the label that its IRI was made for; a person sees the present one.

    Args:
        decision: the decision.
        register: the IRIs of the classes by label.
        ontology: the ontology as it is.
    """
    iris = {c.label: c.iri for c in ontology.concepts}

    def first(cell: str) -> str:
        return cell if register.known(cell) or cell not in iris else register.label(iris[cell])

    if decision.action == "withdraw":
        return decision
    if decision.is_edge or decision.action == "merge":
        return replace(decision, term=first(decision.term), value=first(decision.value), old=first(decision.old))
    return replace(decision, term=first(decision.term))


def _require_decision(folder: Path, id_: str) -> None:
    every = table.numbered(table.read(folder / table.FILE))
    known = [d.id for d in in_force(every)]
    if id_ not in known and id_ not in withdrawals(every).values():
        raise DecisionError("versions.decision_none", id=id_, known=", ".join(known) or "none")


def _require_classes(decision: Decision, register: IriRegister) -> None:
    """Raise DecisionError for a class that is not known; only ``accept`` and ``split`` make classes."""
    needed = [] if decision.action == "accept" or not decision.term else [decision.term]
    needed += [decision.value] if decision.is_edge or decision.action == "merge" else []
    needed += [decision.old] if decision.action == "move" and decision.old else []
    for cell in needed:
        if not register.known(cell) and cell not in register.entries.values():
            raise DecisionError("versions.decision_class", cell=cell, near=closest(cell, register.entries, ""))
    if decision.term and decision.term == decision.value and decision.relation != IRI:
        raise DecisionError("versions.decision_one_class", action=decision.action, term=decision.term)
    if decision.action == "split" and len(decision.parts) < 2:
        raise DecisionError("versions.decision_split", term=decision.term, parts=PARTS.strip())


def _require_no_root(decision: Decision, register: IriRegister, ontology: Ontology) -> None:
    """Raise DecisionError for what cannot be said of the root, which is the field itself."""
    is_rejected = decision.action == "reject" and decision.relation == CLASS
    is_taken = is_rejected or decision.action in ("move", "merge", "split")
    if is_taken and (register.known(decision.term) or decision.term) == ontology.root:
        raise DecisionError("versions.decision_root", action=decision.action, term=decision.term)


def restore(place: Place, version: str, who: str, when: str, space: Workspace | None = None) -> Version:
    """Go back to an earlier version: its files are written again, and the decisions in force are those of then.

    Nothing is lost: edits of the present files are kept as decisions first and the files are set aside, withdrawn
    decisions stay in the file, the IRIs stay registered, and every version stays in the folder ``versions``.

    Args:
        place: where the ontologies are; it is locked (`Place.locked`).
        version: the version, or its number.
        who: name of the person.
        when: date and time, ISO 8601.
        space: the workspace whose decisions about the topic are withdrawn too; None to leave them.

    Returns:
        The new entry of the history.

    Raises:
        VersionError: there is no such version.
        CommandError: a file cannot be written; all are as before.
    """
    store = place.store
    back = store.find(version)
    ontology = deciding.built(store, back.version, place.topic)
    if ontology is None:
        raise UsageError(
            "versions.version_ontology", place_folder=place.folder, version=back.version, topic=place.topic
        )
    register = deciding.register_of(place.records, [ontology.ontology])
    for name in hand_edits.keep(place, register, who, when).edited:
        store.set_aside(place.folder / name)
    kept = store.files(back.version)
    files: dict[Path, bytes | None] = {place.folder / f"{place.topic}{end}": None for end in _OF_APPLIED}
    files |= {place.folder / name: data for name, data in kept.items() if name not in _LEFT}
    until = []
    with ExitStack() as stack:
        for path, prefix in _files_of_decisions(place, space):
            stack.enter_context(alone(path))
            rows = _until(back, path, prefix, who, when)
            files[path] = table.text(rows).encode()
            until += [f"{prefix}{rows[-1].id}"] if rows else []
        entry = replace(
            back, when=when, prior=store.all()[-1].version, rollback=True, added=(), until=tuple(until)
        )  # fmt: skip
        write_files(place, files | {place.register: register.content()} | store.records(entry))
    return entry


_OF_APPLIED = ("-changes.md", f"{hand_edits.PROVENANCE}.ttl")
"""Ends of the names of files that only versions have that were made without learning."""
_LEFT = (table.FILE, REGISTER)
"""Files that a rollback leaves as they are, but for the rows that it adds."""


def _files_of_decisions(place: Place, space: Workspace | None) -> list[tuple[Path, str]]:
    """Return the files of decisions, each with what stands before its ids in the history."""
    shared = None if space is None else deciding.of_workspace(space, place.topic)
    if shared is None or shared.resolve() == place.decisions.resolve() or not shared.exists():
        return [(place.decisions, "")]
    return [(place.decisions, ""), (shared, f"{place.topic}/")]


def _until(back: Version, path: Path, prefix: str, who: str, when: str) -> tuple[Decision, ...]:
    """Return the rows of a file of decisions with those that make the ones of a version hold, and no others."""
    known = table.numbered(table.read(path))
    later = [d.id for d in in_force(known) if prefix + d.id not in back.decisions]
    again = [withdrawn_by for id_, withdrawn_by in withdrawals(known).items() if prefix + id_ in back.decisions]
    why = f"back to version {back.version}"
    rows = [Decision("withdraw", "", id_, who=who, when=when, why=why) for id_ in (*later, *again)]
    return (*known, *table.numbered(rows, known))


def undone(place: Place, space: Workspace) -> str:
    """Return the version that the last rollback left, if nothing was decided or edited since; else "".

    Args:
        place: where the ontologies are.
        space: the workspace with decisions about the topic.
    """
    versions = place.store.all()
    last = versions[-1] if versions else None
    if last is None or not last.rollback or not last.until:
        return ""
    order = [v.version for v in versions if not v.rollback]
    place_of_last, place_of_prior = (order.index(v) if v in order else -1 for v in (last.version, last.prior))
    if place_of_last > place_of_prior:  # it went forward itself
        return ""
    rows = [
        f"{prefix}{known[-1].id}"
        for path, prefix in _files_of_decisions(place, space)
        if (known := table.numbered(table.read(path)))
    ]
    return last.prior if tuple(rows) == last.until else ""


# ---- what is recorded about a class beside its ontology: decisions, verdicts with their sentences, papers, mappings


def newest(topic: Topic, level: Level) -> str:
    """Return the newest version of a topic's ontology, that of its file or one that a rollback left.

    Several ontologies that are joined have no versions together: what is returned is that of now.
    """
    store, [source, *others] = place_of_topic(topic).store, level.sources
    file = f"{deciding.file_stem(source.ontology)}.ttl"
    built = (version.version for version in reversed(store.all()) if not version.rollback)
    kept = (version for version in built if not others and file in store.names(version))
    return next(kept, level.ontology.version)


def classes_of_versions(topic: Topic, crawled: Iterable[str] = ()) -> dict[str, dict[str, Set[tuple[str, str]]]]:
    """Return version -> IRI -> names of the classes of a topic's ontologies in it, the oldest version first.

    A version whose files are not kept is left out, and so are ontologies that the topic has no more. An ontology of the
    topic that has versions of its own counts with its present classes.

    Args:
        topic: the topic.
        crawled: versions of crawls with these ontologies, which may be kept ones of curated ontologies
            (`kept_versions`).
    """
    store = place_of_topic(topic).store
    every, found = store.all(), dict[str, dict[str, Set[tuple[str, str]]]]()
    stems = [deciding.file_stem(source.ontology) for source in topic.sources]
    for version in dict.fromkeys([*(v.prior for v in every[:1]), *(v.version for v in every)]):
        kept = [built for stem in stems if (built := deciding.built(store, version, stem)) is not None]
        if kept:
            found[version] = _names(built.ontology for built in kept)
    for version in [one for one in dict.fromkeys(crawled) if one and one not in found][::-1]:
        with suppress(VersionError), kept_versions.opened(topic, {version}) as then:
            of_then = {one.ontology.iri for one in then.sources}
            others = [one for one in topic.sources if one.ontology.iri not in of_then]
            found = {version: _names(one.ontology for one in (*then.sources, *others)), **found}
    return found


def _names(ontologies: Iterable[Ontology]) -> dict[str, Set[tuple[str, str]]]:
    """Return IRI -> (language, form) of the names that the classes of ontologies have."""
    found: dict[str, Set[tuple[str, str]]] = {}
    for concept in (c for ontology in ontologies for c in ontology.concepts):
        found[concept.iri] = found.get(concept.iri, frozenset()) | {*concept.forms()}
    return found


def record(space: Workspace, topic: Topic, level: Level, concept: Concept) -> dict[str, Any]:
    """Return what is recorded about a class of a topic.

    Args:
        space: the workspace, with the decisions and verdicts.
        topic: the topic.
        level: the level of the ontology that has the class.
        concept: the class.

    Returns:
        JSON values: ``decisions`` with their status and first version, the last first; ``verdicts`` about proposals
        with their sentences; ``papers`` that the relations of the class name; ``mappings``.

    Raises:
        DecisionError, VersionError, ReviewedError: a damaged file.
    """
    names = {concept.iri, *(normal(form) for _, form in concept.forms())}
    return {
        "decisions": [*_decisions(space, topic, names)][::-1],
        "verdicts": [*_verdicts(space, topic, names)],
        "papers": _papers(level, concept),
        "mappings": [*_mappings(level, concept)],
    }


def _names_it(decision: Decision, names: set[str]) -> bool:
    given = (decision.term, decision.old, *decision.value.split(PARTS))
    return any(text in names or normal(text) in names for text in given if text)


def _decisions(space: Workspace, topic: Topic, names: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the decisions that name a class: those of the workspace, and those beside the ontologies."""
    place = place_of_topic(topic)
    own = table.numbered(table.read(place.decisions))
    history = History(place.records, topic.name, "", place.store.all(), (*deciding.shared(space, place), *own))
    of_proposals = {id_ for one in reviewed.record_of(space, topic.name).standing.values() for id_ in one.decisions}
    free = {d.id for d in in_force(own)} - of_proposals
    for decision in history.decisions:
        if _names_it(decision, names):
            became = {"status": history.status(decision), "since": history.since(decision)}
            yield asdict(decision) | became | {"may_be_withdrawn": decision.id in free}


def _verdicts(space: Workspace, topic: Topic, names: set[str]) -> Iterator[dict[str, Any]]:
    for one in reviewed.record_of(space, topic.name).standing.values():
        p = one.proposal
        if {normal(p.term), p.source, p.target if p.kind != "concept" else None} & names:
            yield {
                "id": one.id, **asdict(one.verdict), "who": one.who, "when": one.when, "why": one.why, "kind": p.kind,
                "term": p.term,
                "sentences": [asdict(sentence) for sentence in p.sentences],
            }  # fmt: skip


def _papers(level: Level, concept: Concept) -> dict[str, dict[str, Any]]:
    """Return id -> title and year of the papers that the relations of a class name."""
    relations = level.ontology.relations
    named = {id_ for r in relations if concept.iri in (r.source, r.target) for id_ in r.documents}
    known = level.papers.documents if level.papers is not None and named else ()
    return {d.id: {"title": d.title or d.title_en, "year": d.year} for d in known if d.id in named}


def _mappings(level: Level, concept: Concept) -> Iterator[dict[str, Any]]:
    """Yield the mappings by which a class is one with a class of another ontology, and its references."""
    for m in level.joined.matches:
        if concept.iri in (m.subject, m.object):
            yield {"predicate": m.predicate, "subject": m.subject, "object": m.object, "label": m.subject_label}
    for reference in concept.xrefs:
        yield {"predicate": "oboInOwl:hasDbXref", "subject": concept.iri, "object": reference, "label": ""}
