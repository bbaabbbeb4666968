"""Apply what was decided about proposals: the next version of a topic's ontologies, checked, written and in the graph.

The files come first: they are written together, or not at all. The graph follows, and if it cannot be written, the next
`apply` brings it what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from kg import load
from kg.store import GraphStore, StoreError
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import checks, proposals, provenance
from ontocrawl.enrichment.checks import Checked
from ontocrawl.errors import FINDINGS, CommandError, GraphNotWritten, UsageError
from ontocrawl.graph import graph_store
from ontocrawl.runs import rescoring
from ontocrawl.topics import reviewed, topics
from ontocrawl.topics.reviewed import Reviewed
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics.topics import Topic
from ontocrawl.topics.version_files import Version
from ontocrawl.versions import competency_checks, curated_decisions, histories, releases
from ontocrawl.versions.deciding import Place
from ontocrawl.versions.hand_edits import PROVENANCE
from ontocrawl.versions.releases import Draft, Release
from ontology import compare
from ontology.compare.diff import Difference
from ontology.decisions import Decision
from ontology.errors import Message, below
from ontology.model import Concept, Ontology
from ontology.printable import one_line

# ---- the changelog of a topic's ontologies: what came, moved and went with each version, and from which proposals
#
# It has no times and no names of persons, which are in the file of origins, so that the same versions have the same
# changelog.


_END = "-changes.md"
_NAMES = {"alt_zh": "names", "alt_en": "names", "label_zh": "label", "label_en": "label"}


def _changelog(release: Release, verdicts: Sequence[Reviewed], before: str) -> str:
    """Return the changelog with the section of a version above those of the versions before.

    Args:
        release: the version.
        verdicts: the verdicts that count.
        before: the changelog of the version before; empty if there is none.
    """
    title = f"# Changes of {release.ontologies[0].topic}\n"
    origin = _Origin(release.decided.decisions, verdicts)
    lines = [f"## {release.version}", ""]
    for ontology in release.ontologies:
        was = release.before.get(ontology.iri)
        found = list(_lines(compare.diff(was.ontology, ontology), ontology, origin)) if was is not None else []
        if found:
            lines += [f"{ontology.title_en or ontology.title_zh or ontology.iri}:", "", *found, ""]
    older = before.removeprefix(title).lstrip("\n")
    return "\n".join([title, *lines]) + (f"\n{older}" if older else "")


def _differences(release: Release) -> tuple[dict[str, str], ...]:
    """Return what a version changes in each of its ontologies: ontology, kind, what, before and after."""
    return tuple(
        {"ontology": ontology.iri, **asdict(row)}
        for ontology in release.ontologies
        if (was := release.before.get(ontology.iri)) is not None
        for row in compare.rows(compare.diff(was.ontology, ontology))
    )


class _Origin:
    """Tells from which proposal and pages a class, a name or an edge comes."""

    def __init__(self, decisions: Sequence[Decision], verdicts: Sequence[Reviewed]) -> None:
        self._verdict = {id_: verdict for verdict in verdicts for id_ in verdict.decisions}
        self._decisions = decisions

    def __call__(self, *names: str) -> str:
        """Return the proposals of the decisions that name all of these, with pages; "" if there are none."""
        found: dict[str, Reviewed] = {}
        for d in self._decisions:
            verdict = self._verdict.get(d.id.rpartition("/")[2])
            if verdict is not None and all(name in (d.term, d.value) for name in names):
                found[verdict.id] = verdict
        return "".join(f"; proposal {_flat(id_)}{_pages(verdict)}" for id_, verdict in found.items())


def _pages(verdict: Reviewed) -> str:
    pages = list(dict.fromkeys(s.url for s in verdict.proposal.sentences))
    return f" ({', '.join(f'<{_flat(url)}>' for url in pages)})" if pages else ""


def _lines(difference: Difference, ontology: Ontology, origin: _Origin) -> Iterator[str]:
    labels: Mapping[str, str] = difference.labels
    for concept in difference.added:
        above = "、".join(labels[iri] for iri in ontology.parents[concept.iri])
        yield f"* added {_flat(concept.label)} under {_flat(above)}{origin(concept.label)}"
    new = {c.iri for c in difference.added}
    yield from (f"* removed {_flat(c.label)}" for c in difference.removed)
    for changed in (*difference.renamed, *difference.described):
        for change in changed.changes:
            what = _NAMES.get(change.field, change.field)
            yield from _values(changed.concept, what, change.old, change.new, origin)
    for moved in difference.moved:
        lost, gained = ("、".join(labels[iri] for iri in side) or "-" for side in (moved.lost, moved.gained))
        from_ = "".join(origin(moved.concept.label, labels[iri]) for iri in moved.gained)
        yield f"* moved {_flat(moved.concept.label)} from {_flat(lost)} to {_flat(gained)}{from_}"
    for sign, relations in (("added", difference.relations_added), ("removed", difference.relations_removed)):
        for r in relations:
            if r.kind != "subclass_of" and not (sign == "removed" and {r.source, r.target} & new):
                ends = labels[r.source], labels[r.target]
                yield f"* {sign} {_flat(ends[0])} {r.kind} {_flat(ends[1])}{origin(*ends)}"


def _values(concept: Concept, what: str, old: object, new: object, origin: _Origin) -> Iterator[str]:
    before, after = (set(v) if isinstance(v, tuple) else {v} - {None, ""} for v in (old, new))
    for value in sorted(map(str, after - before)):
        yield f"* {what} of {_flat(concept.label)}: {_flat(value)}{origin(value)}"
    for value in sorted(map(str, before - after)):
        yield f"* {what} of {_flat(concept.label)}, removed: {_flat(value)}"


def _flat(text: str) -> str:
    return one_line(text)


# ---- apply what was decided about proposals: the next version of a topic's ontologies, checked, written and in the
# graph


OnStage = Callable[[str], None]


class _RefusedVersion(CommandError):  # noqa: N818 - an outcome of the checks, not a defect
    """A version with problems that the one before had not; nothing was written."""

    code = FINDINGS


@dataclass(frozen=True)
class Options:
    """Options of `apply`."""

    who: str
    """Name of the person, for rows and edits without one."""
    when: str
    """Date and time, ISO 8601."""
    number: str = ""
    """Number of the version; empty for the next one."""
    dry_run: bool = False
    """Whether to check everything, and to write nothing."""


@dataclass(frozen=True)
class InGraph:
    """What of a topic is new in the graph.

    Attributes:
        loaded: what was written of each ontology that the graph lacked.
        weights: the words whose weight is another than before: vector, word, iri, old and new weight; None for a
            weight that there is or was not.
        runs: names of the runs that were offered the new weights.
    """

    loaded: tuple[dict[str, Any], ...] = ()
    weights: tuple[dict[str, Any], ...] = ()
    runs: tuple[str, ...] = ()


@dataclass(frozen=True)
class NextVersion:
    """The result of `apply`.

    Attributes:
        topic: name of the topic.
        version: the version that the ontologies have now.
        prior: the version that they had before.
        is_new: whether the ontologies are others than before.
        again: whether a version came back that a rollback had left.
        accepted: ids of the accepted proposals that came into the ontologies.
        rejected: ids of the proposals that were rejected since the version before.
        files: the files written.
        idle: id of each decision that did not apply -> the reason.
        conflicts: id of each decision that something contradicts -> what.
        changes: kind of difference of the global ontology -> number.
        differences: the same one by one, of all ontologies.
        checks: the result of the checks.
        graph: what is new in the graph; None if it was not opened.
        notes: what was decided and is not in the version, one sentence each.
        dry_run: whether nothing was written.
    """

    topic: str
    version: str
    prior: str
    is_new: bool
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    idle: dict[str, str] = field(default_factory=dict)
    conflicts: dict[str, str] = field(default_factory=dict)
    changes: dict[str, int] = field(default_factory=dict)
    differences: tuple[dict[str, str], ...] = ()
    checks: Checked = field(default_factory=Checked)
    graph: InGraph | None = None
    notes: tuple[str, ...] = ()
    again: bool = False
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        graph = self.graph or InGraph()
        return {
            "topic": self.topic,
            "version": self.version,
            "prior": self.prior,
            "new": self.is_new,
            "again": self.again,
            "dry_run": self.dry_run,
            "accepted": len(self.accepted),
            "rejected": len(self.rejected),
            "proposals": {"accepted": list(self.accepted), "rejected": list(self.rejected)},
            "files": list(self.files),
            "changes": self.changes,
            "differences": list(self.differences),
            "idle": self.idle,
            "conflicts": self.conflicts,
            "checks": asdict(self.checks),
            "graph": {"loaded": list(graph.loaded)},
            "weights": list(graph.weights),
            "runs": list(graph.runs),
            "notes": list(self.notes),
        }


def apply(space: Workspace, topic: Topic, options: Options, on_stage: OnStage = lambda line: None) -> NextVersion:
    """Make the next version of a topic's ontologies from what was decided, and bring it into the graph.

    If nothing was decided since a rollback, the version that the rollback left comes back.

    Args:
        space: the workspace.
        topic: the topic: of the package, of the workspace, or of the folder of a build.
        options: the options.
        on_stage: called with a description of each stage when it begins.

    Returns:
        The result. Without anything to apply the version is that of before; what the graph lacks of it is loaded.

    Raises:
        UsageError: the topic has no ontology.
        RefusedVersion: the version has a problem that the one before had not; nothing was written.
        CommandError: another process applies, or a file cannot be written; nothing was written.
        GraphNotWritten: the version is written, and the graph lacks it.
    """
    if not topic.file.ontologies:
        raise UsageError("enrichment.apply_none", topic=topic.name)
    place = histories.place_of_topic(topic)
    with ExitStack() as stack:
        if not options.dry_run:
            stack.enter_context(place.locked())
            if back := histories.undone(place, space):
                return _forward(space, topic, place, back, options, on_stage)
        return _applied(space, topic, place, options, on_stage)


def _applied(space: Workspace, topic: Topic, place: Place, options: Options, on_stage: OnStage) -> NextVersion:
    """Make, check and write the next version; the place is locked."""
    on_stage(Message("enrichment.stage_applying"))
    draft = curated_decisions.drafted(
        topic, place, options.who, options.when, number=options.number, record=not options.dry_run
    )  # fmt: skip
    verdicts = _verdicts(space, place)
    outcome = _outcome(draft, verdicts)
    if not draft.release.is_new:
        found = None if options.dry_run or not _has_graph(space) else _graph_of(space, topic, None, on_stage)
        return replace(outcome, graph=found, dry_run=options.dry_run)
    file = competency_checks.questions_of(topic.name, space)
    questions = file.questions if file else ()
    on_stage(Message("enrichment.stage_checking"))
    checked = checks.without_graph(draft, questions)
    _refuse(draft, checked)
    if options.dry_run:
        return replace(outcome, checks=checked, dry_run=True)
    try:
        with graph_store.store(space) as graph:
            on_stage(Message("enrichment.stage_weights"))
            before = TopicGraph(topic, graph).vectors()
            loaded: dict[str, dict[str, Any]] = {}
            checked += checks.in_graph(draft, questions, graph, lambda some: _load(graph, some, loaded))
            _refuse(draft, checked)
            on_stage(Message("versions.stage_files"))
            files = write(topic, draft, verdicts)
            found = _brought(space, topic, graph, before, outcome.version, on_stage)
            found = replace(found, loaded=(*loaded.values(), *found.loaded))
    except StoreError as error:  # before the files; afterwards it is a GraphNotWritten
        raise GraphNotWritten(
            "enrichment.apply_graph", version=outcome.version, topic=topic.name, error=error
        ) from error
    return replace(outcome, checks=checked, graph=found, files=tuple(files))


def _load(graph: GraphStore, ontologies: Sequence[Ontology], loaded: dict[str, dict[str, Any]]) -> None:
    """Load the ontologies that the graph lacks, and enter what was written of each."""
    for ontology in ontologies:
        if not load.is_loaded(graph, ontology):
            loaded[ontology.key] = asdict(load.load_ontology(graph, ontology))


def _refuse(draft: Draft, checked: Checked) -> None:
    """Raise RefusedVersion for new problems."""
    if checked.problems:
        lines = [
            Message("enrichment.comes_with", what=p.what, blame=p.blame) if p.blame else p.what
            for p in checked.problems
        ]
        raise _RefusedVersion(
            "enrichment.version_refused_nothing_written",
            version=draft.release.version,
            topic=draft.place.topic,
            lines=below(lines),
        )


def _outcome(draft: Draft, verdicts: Verdicts) -> NextVersion:
    """Return what a version brings."""
    release = draft.release
    known = set(release.prior.decisions) if release.prior else set()
    now = {d.id for d in release.decided.decisions}
    lost = {r.decision.id for r in (*release.decided.idle, *release.decided.conflicts)}
    origin = draft.rule.origin
    before = release.prior.version if release.prior else origin[0].ontology.version if origin else ""
    came = [v for v, ids in verdicts.items() if ids <= now and not ids <= known]
    return NextVersion(
        draft.place.topic,
        release.version,
        before,
        release.is_new,
        tuple(v.id for v in came if release.is_new and v.status == "accepted" and not verdicts[v] & lost),
        tuple(v.id for v in came if v.status == "rejected"),
        idle={r.decision.id: r.reason for r in release.decided.idle},
        conflicts={r.decision.id: r.reason for r in release.decided.conflicts} | dict(draft.left.kept.conflicts),
        changes=dict(release.changes),
        differences=_differences(release),
        notes=(*draft.notes, *draft.left.kept.notes),
    )


Verdicts = Mapping[Reviewed, frozenset[str]]
"""The verdicts that count -> the ids of their decisions, as the history of a place has them."""


def _verdicts(space: Workspace, place: Place) -> Verdicts:
    """Return the verdicts that count -> the ids of their decisions, as the history of the place has them."""
    prefix = histories.prefix_of(space, place)
    standing = reviewed.record_of(space, place.topic).standing
    return {v: frozenset(prefix + id_ for id_ in v.decisions) for v in standing.values()}


def write(topic: Topic, draft: Draft, verdicts: Verdicts) -> list[str]:
    """Write the files of a version, with its changelog and the origin of its axioms; its place is locked.

    Args:
        topic: the topic.
        draft: the version.
        verdicts: the verdicts that count.

    Returns:
        The paths of the files.

    Raises:
        CommandError: a file cannot be written; all are as before.
    """
    name = draft.place.topic
    store, prior = draft.place.store, draft.release.prior
    before = (store.text(prior.version, name + _END) if prior else None) or ""
    files = draft.files() | {
        f"{name}{_END}": _changelog(draft.release, list(verdicts), before).encode(),
        f"{name}{PROVENANCE}.ttl": provenance.turtle(draft.release, draft.left, list(verdicts)).encode(),
    }
    if isinstance(draft, curated_decisions.FolderDraft):
        files |= curated_decisions.topic_file(draft, topic)
    written = releases.write(draft.place, draft.entry(), files, draft.left.register, draft.origin)
    return [str(path) for path in written]


def _forward(
    space: Workspace, topic: Topic, place: Place, back: str, options: Options, on_stage: OnStage
) -> NextVersion:  # fmt: skip
    """Bring back the version that a rollback left; the place is locked."""
    latest = place.store.latest
    was = topic.ontologies[0]  # read as it is, before the files change
    entry = histories.restore(place, back, options.who, options.when, space)
    changes = compare.diff(was, _again(topic, space).ontologies[0]).counts()
    known = set(latest.decisions) if latest else set()
    verdicts = _verdicts(space, place)
    came = [v for v, ids in verdicts.items() if ids <= set(entry.decisions) and not ids <= known]
    outcome = NextVersion(
        place.topic,
        entry.version,
        latest.version if latest else "",
        True,
        tuple(v.id for v in came if v.status == "accepted"),
        tuple(v.id for v in came if v.status == "rejected"),
        tuple(str(place.folder / name) for name in place.store.files(entry.version)),
        dict(entry.idle),
        dict(entry.conflicts),
        {kind: count for kind, count in changes.items() if count},
        again=True,
    )
    return replace(outcome, graph=_graph_of(space, topic, entry.version, on_stage))


def _has_graph(space: Workspace) -> bool:
    return bool(space.settings.graph.uri) or space.graph.exists()


def _graph_of(
    space: Workspace, topic: Topic, version: str | None, on_stage: OnStage, before: TopicVectors | None = None
) -> InGraph:
    """Bring the graph what it lacks of a topic's present ontologies."""
    try:
        with graph_store.store(space) as graph:
            before = before or (TopicGraph(topic, graph).vectors() if version else None)
            return _brought(space, topic, graph, before, version or topic.ontologies[0].version, on_stage)
    except StoreError as error:
        raise _lacking(topic, version or topic.ontologies[0].version, error) from error


def _brought(
    space: Workspace, topic: Topic, graph: GraphStore, before: TopicVectors | None, version: str, on_stage: OnStage
) -> InGraph:
    """Load what the graph lacks, compute the weights, and offer them to runs."""
    present = _again(topic, space)
    try:
        on_stage(Message("enrichment.stage_graph"))
        of_topic = TopicGraph(present, graph)
        loaded = of_topic.load_changes()
        after = of_topic.vectors()
        weights = () if before is None else _changed_weights(before, after)
        proposals.refresh(space, graph, present.name, present.ontologies)
        told = rescoring.offer(space, graph, present)
    except StoreError as error:
        raise _lacking(topic, version, error) from error
    return InGraph(tuple(asdict(report) for report in loaded.reports), weights, tuple(told))


def _again(topic: Topic, space: Workspace) -> Topic:
    """Read a topic again, whose files have changed."""
    return topics.load(str(topic.path) if topic.path else topic.name, space)


def _lacking(topic: Topic, version: str, error: StoreError) -> GraphNotWritten:
    name = str(topic.path) if topic.path else topic.name
    return GraphNotWritten(
        "enrichment.version_written_graph_lacks", version=version, topic=topic.name, error=error, name=name
    )


def rolled_back(
    space: Workspace, topic: Topic, version: str, who: str, when: str, on_stage: OnStage = lambda line: None
) -> tuple[Version, InGraph]:
    """Go back to an earlier version of a topic's ontologies, in the graph too.

    Args:
        space: the workspace.
        topic: the topic.
        version: the version, or its number.
        who: name of the person.
        when: date and time, ISO 8601.
        on_stage: called with a description of each stage when it begins.

    Returns:
        The entry of the history, and what is new in the graph.

    Raises:
        VersionError: there is no such version.
        GraphNotWritten: the files are those of the version, and the graph lacks it.
    """
    place = histories.place_of_topic(topic)
    _ = topic.levels  # read as they are, before the files change
    before = None
    if has_graph := _has_graph(space):
        # while the verdicts that are withdrawn still count; a graph that is down is told when the files are written
        with suppress(StoreError), graph_store.store(space) as graph:
            before = TopicGraph(topic, graph).vectors()
    with place.locked():
        entry = histories.restore(place, version, who, when, space)
    return entry, _graph_of(space, topic, entry.version, on_stage, before) if has_graph else InGraph()


# ---- the words of a topic's vectors whose weight another version of its ontologies changed


def _changed_weights(before: TopicVectors, after: TopicVectors) -> tuple[dict[str, Any], ...]:
    """Return the words whose weight changed, by vector; None stands for a word that is not there.

    Args:
        before: the vectors of the version before.
        after: the vectors of the version.
    """
    changed = []
    for vector in dict.fromkeys((*before.terms, *after.terms)):
        old, new = ({t.iri: t for t in some.terms.get(vector, ())} for some in (before, after))
        for iri in dict.fromkeys((*new, *old)):
            weights = [round(side[iri].weight, 12) if iri in side else None for side in (old, new)]
            if weights[0] != weights[1]:
                word = (new.get(iri) or old[iri]).word
                changed.append({"vector": vector, "word": word, "iri": iri, "old": weights[0], "new": weights[1]})
    return tuple(changed)
