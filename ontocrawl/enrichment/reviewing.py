"""Decide about proposals: the verdict is recorded, and becomes decisions of the topic that every build applies.

The record (``reviewed.jsonl``) is written first, then the decisions in one replacement of their file. A command that
is killed between leaves a record that does not count, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace, alone
from ontocrawl.enrichment import proposals
from ontocrawl.enrichment.classes import DecidedClasses
from ontocrawl.enrichment.proposing import topic_of
from ontocrawl.errors import CommandError, Option, UsageError
from ontocrawl.topics import reviewed
from ontocrawl.topics.reviewed import Record, Reviewed
from ontocrawl.topics.topics import Topic
from ontocrawl.versions import deciding, histories
from ontology.decisions import Decision, table
from ontology.decisions.applying import UP
from ontology.enrichment import Proposal, Status, Verdict, decisions_of
from ontology.errors import Message
from ontology.files import write_atomically
from ontology.model import Concept
from ontology.printable import is_plain, json_text

Seen = Mapping[str, Sequence[str]]
"""Id of a proposal -> ids of the decisions of the verdict that the reviewer saw; empty for none."""


@dataclass(frozen=True)
class _By:
    """Who decides, when and why."""

    who: str
    when: str
    why: str


@dataclass
class _Sitting:
    """The record of a topic while verdicts are added."""

    topic: Topic
    record: Record
    standing: dict[str, Reviewed]
    added: list[Decision] = field(default_factory=list)
    verdicts: list[Reviewed] = field(default_factory=list)
    _classes: DecidedClasses | None = None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions so far, those that were just added included."""
        return (*self.record.decisions, *self.added)

    @property
    def classes(self) -> DecidedClasses:
        """The classes with these decisions."""
        if self._classes is None:
            self._classes = DecidedClasses(self.topic, self.decisions)
        return self._classes

    def add(self, rows: Sequence[Decision]) -> tuple[Decision, ...]:
        """Add decisions, and return them with their ids."""
        numbered = table.numbered(rows, self.decisions)
        self.added += numbered
        self._classes = None
        return numbered


def decide_all(
    space: Workspace,
    topic: Topic,
    verdicts: Sequence[tuple[Proposal, Verdict]],
    *,
    who: str,
    when: str,
    why: str = "",
    graph: GraphStore | None = None,
    signed: Mapping[str, tuple[str, str]] | None = None,
    seen: Seen | None = None,
) -> list[tuple[Decision, ...]]:
    """Decide about proposals for good: all verdicts are recorded, or none.

    An earlier verdict about a proposal is withdrawn first. The same verdict as before adds nothing.

    Args:
        space: the workspace.
        topic: the topic of the proposals.
        verdicts: the proposals with their verdicts, each after those that it depends on.
        who: name of the person.
        when: date and time, ISO 8601.
        why: the reason.
        graph: the open graph, which gets the status; if None, the next `enrich propose` or `proposals.refresh` writes
            it.
        signed: id of a proposal -> name of the person and reason, where these are others; None for none.
        seen: what the reviewer saw, so that no verdict of another person is replaced unseen; None to replace any.

    Returns:
        The decisions that each verdict comes to; those of before if nothing was added.

    Raises:
        VerdictError: one of them cannot be carried out, its ``about``; nothing is written.
        DecidedMeanwhile: another verdict than the one that the reviewer saw counts now; nothing is written.
        CommandError: another program changed the decisions meanwhile; nothing is written.
        ReviewedError, DecisionError: a damaged file of the topic.
        OSError: a file cannot be written.
    """
    with _sitting(space, topic, seen) as sitting:
        made = []
        for proposal, verdict in verdicts:
            name, reason = (signed or {}).get(proposal.id, (who, why))
            try:
                made.append(_decided(sitting, proposal, verdict, _By(name, when, reason)))
            except VerdictError as error:
                error.about = proposal.id
                raise
    _show(graph, sitting, [proposal for proposal, _ in verdicts])
    return made


@contextmanager
def _sitting(space: Workspace, topic: Topic, seen: Seen | None) -> Iterator[_Sitting]:
    """Yield the record of a topic, to which verdicts can be added while nobody else does; then write these."""
    path = deciding.of_workspace(space, topic.name)
    with alone(path):
        record = reviewed.read(path)
        sitting = _Sitting(topic, record, dict(record.standing))
        _require_seen(sitting, seen)
        yield sitting
        sitting.record = record.extended(sitting.verdicts, sitting.added)


def _show(graph: GraphStore | None, sitting: _Sitting, decided: Iterable[Proposal]) -> None:
    """Write the status of proposals into the graph."""
    if graph is not None:
        enrich.set_status(graph, {one.id: sitting.record.status(one.id, one) for one in decided})


def _require_seen(sitting: _Sitting, seen: Seen | None) -> None:
    """Raise DecidedMeanwhile for a verdict that counts and that the reviewer did not see; a withdrawn one is none."""
    for id_, decisions in (seen or {}).items():
        now = sitting.standing.get(id_)
        if now is not None and now.decisions != tuple(decisions):
            raise DecidedMeanwhile(now)


def _decided(sitting: _Sitting, proposal: Proposal, verdict: Verdict, by: _By) -> tuple[Decision, ...]:
    """Add the decisions of one verdict to a sitting."""
    verdict = Verdict(verdict.action, " ".join(verdict.value.split()), " ".join(verdict.parent.split()))
    if verdict.parent and proposal.kind == "concept":
        there = sitting.classes.find(proposal.target or "")
        verdict = replace(verdict, parent="") if there == sitting.classes.find(verdict.parent) and there else verdict
    earlier = sitting.standing.get(proposal.id)
    if earlier is not None:
        if earlier.verdict == verdict:
            return tuple(d for d in sitting.decisions if d.id in earlier.decisions)
        why = by.why or f"decided again: {verdict.action}"
        sitting.add([Decision("withdraw", "", id_, who=by.who, when=by.when, why=why) for id_ in earlier.decisions])
    meant, placed = verdict, proposal
    if verdict.action != "reject":
        meant, placed = _check(proposal, verdict, sitting.classes, again=earlier is not None)
    said = decisions_of(placed, meant)
    if verdict.action != "reject" or proposal.kind != "concept":  # what is no class has no first label
        classes = sitting.classes
        said = tuple(histories.with_first_labels(d, classes.register, classes.ontologies[0]) for d in said)
    added = sitting.add([replace(d, who=by.who, when=by.when, why=by.why) for d in said])
    one = Reviewed(
        proposal.id, verdict, tuple(d.id for d in added), by.who, by.when, proposal,
        tuple(d.statement for d in added), by.why,
    )  # fmt: skip
    sitting.verdicts.append(one)
    sitting.standing[one.id] = one
    return added


def undo_all(
    space: Workspace,
    topic: Topic,
    ids: Sequence[str],
    *,
    who: str,
    when: str,
    graph: GraphStore | None = None,
    seen: Seen | None = None,
) -> tuple[Decision, ...]:
    """Withdraw the decisions of verdicts about proposals, all or none; they can then be decided about again.

    Args:
        space: the workspace.
        topic: the topic of the proposals.
        ids: ids of the proposals.
        who: name of the person.
        when: date and time, ISO 8601.
        graph: as for `decide_all`.
        seen: as for `decide_all`.

    Returns:
        The withdrawals.

    Raises:
        UsageError: about one of them no verdict is in force.
        DecidedMeanwhile: as for `decide_all`.
        ReviewedError, DecisionError: a damaged file of the topic.
        OSError: a file cannot be written.
    """
    with _sitting(space, topic, seen) as sitting:
        last = [_standing_of(sitting, id_) for id_ in ids]
        rows = tuple(row for one in last for row in sitting.add(_withdrawals(one, who, when)))
    _show(graph, sitting, [replace(one.proposal, id=one.id) for one in last])
    return rows


def _withdrawals(one: Reviewed, who: str, when: str) -> list[Decision]:
    why = f"undone: {one.verdict.action} {one.id}"
    return [Decision("withdraw", "", id_, who=who, when=when, why=why) for id_ in one.decisions]


def _standing_of(sitting: _Sitting, id_: str) -> Reviewed:
    found = sitting.standing.get(id_)
    if found is None:
        raise UsageError("enrichment.undo_nothing", id=id_, topic=sitting.topic.name)
    return found


@dataclass(frozen=True)
class RecordedVerdict:
    """The verdict about a proposal that a command gave, and what came of it.

    Attributes:
        id: id of the proposal.
        topic: name of its topic.
        status: its status now.
        decisions: the decisions that were made, or those that stand already.
        added: whether anything was added.
    """

    id: str
    topic: str
    status: Status
    decisions: tuple[Decision, ...]
    added: bool

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the decisions."""
        return tuple(d.id for d in self.decisions)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def decide_by_id(
    space: Workspace,
    graph: GraphStore,
    given: str,
    verdict: Verdict | None,
    *,
    who: str,
    when: str,
    why: str = "",
    topic: Topic | None = None,
    seen: Sequence[str] | None = None,
) -> RecordedVerdict:
    """Decide about the proposal with an id, or withdraw the verdict about it.

    Args:
        space: the workspace.
        graph: the open graph.
        given: id of the proposal, with or without its topic.
        verdict: the verdict; None to withdraw the one in force.
        who: name of the person.
        when: date and time, ISO 8601.
        why: the reason.
        topic: the topic; by default that of the proposal.
        seen: ids of the decisions of the verdict that the reviewer saw, as for `decide_all`; None to replace any.

    Raises:
        UsageError: there is no such proposal, or nothing to withdraw.
        VerdictError: the verdict cannot be carried out; nothing is written.
        DecidedMeanwhile: another verdict than the one that the reviewer saw counts now; nothing is written.
        ReviewedError, DecisionError: a damaged file of the topic.
    """
    proposal = proposals.get(space, graph, given, topic.name if topic else "")
    chosen = topic or topic_of(space, proposal)
    with _sitting(space, chosen, None if seen is None else {proposal.id: seen}) as sitting:
        if verdict is None:
            made = sitting.add(_withdrawals(_standing_of(sitting, proposal.id), who, when))
        else:
            made = _decided(sitting, proposal, verdict, _By(who, when, why))
    _show(graph, sitting, [proposal])
    status = sitting.record.status(proposal.id, proposal)
    return RecordedVerdict(proposal.id, chosen.name, status, made, bool(sitting.added))


def verdict_of(
    action: str, *, rename: str = "", parent: str = "", merge: str = "", undo: bool = False
) -> Verdict | None:
    """Return the verdict of a command: ``accept`` or ``reject``, and how it is accepted; None to withdraw one.

    Args:
        action: "accept" or "reject".
        rename: another name for the term.
        parent: another parent, also beside another name.
        merge: the class that the term is another name of.
        undo: withdraw the verdict in force; then there is nothing else.

    Raises:
        UsageError: another action, ``merge`` with another option, or an option with "reject".
    """
    given = bool(rename or parent), bool(merge)
    if undo:
        if action or any(given):
            raise UsageError("enrichment.undo_only")
        return None
    if action not in ("accept", "reject"):
        raise UsageError("enrichment.verdict_action", action=action)
    if all(given) or (any(given) and action == "reject"):
        raise UsageError("enrichment.verdict_options")
    if rename:
        return Verdict("rename", rename, parent)
    if parent or merge:
        return Verdict("move", parent) if parent else Verdict("merge", merge)
    return Verdict("accept" if action == "accept" else "reject")


# ---- whether a verdict about a proposal can be carried out; if not, what to do instead


LONGEST_NAME = 100
"""Largest number of characters of a name that a reviewer gives."""


class VerdictError(UsageError):
    """A verdict that cannot be carried out."""

    about: str = ""
    """Id of the proposal, where several were decided about."""


class DecidedMeanwhile(CommandError):  # noqa: N818 - an outcome, not a defect
    """Somebody else has decided about a proposal since the reviewer saw it; nothing was written."""

    def __init__(self, standing: Reviewed) -> None:
        said = " ".join(filter(None, (standing.verdict.action, standing.verdict.value, standing.verdict.parent)))
        super().__init__("enrichment.decided_meanwhile", id=standing.id, who=standing.who, said=said)
        self.standing = standing
        """The verdict that counts now."""


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a class: plain, with a letter, no longer than `LONGEST_NAME`."""
    return is_plain(text) and len(text) <= LONGEST_NAME and any(character.isalpha() for character in text)


def _check(
    proposal: Proposal, verdict: Verdict, classes: DecidedClasses, *, again: bool = False
) -> tuple[Verdict, Proposal]:
    """Check a verdict other than "reject" against the classes as they are decided now.

    Args:
        proposal: the proposal.
        verdict: the verdict.
        classes: the classes, without an earlier verdict about this proposal.
        again: whether there is such an earlier verdict: then an ontology may have the term by it.

    Returns:
        The verdict and the proposal with the present labels of the classes that they name.

    Raises:
        VerdictError: a class is missing, a name is taken, a cycle would arise, or the verdict does not go with the kind
            of the proposal.
    """
    if verdict.action != "accept":
        if proposal.kind == "relation":
            raise VerdictError("enrichment.verdict_relation", proposal_id=proposal.id)
        if not verdict.value:
            raise VerdictError("enrichment.verdict_give_name", action=verdict.action, proposal_id=proposal.id)
        for text in (verdict.value, verdict.parent):
            if not is_plain(text):
                raise VerdictError("enrichment.verdict_hidden", verdict=text[:LONGEST_NAME])
    if verdict.action == "merge":
        return verdict.naming(_class(verdict.named, proposal, classes).label), proposal
    if proposal.kind == "relation":
        return verdict, _relation(proposal, classes)
    known = classes.find(proposal.term)
    if known is not None and not again and verdict.action != "move":
        raise VerdictError("enrichment.verdict_name_taken", term=proposal.term, known_label=known.label)
    if verdict.action == "rename":
        if not is_name(verdict.value):
            raise VerdictError("enrichment.verdict_letter", longest_name=LONGEST_NAME)
        _require_free(proposal, verdict, classes)
    if verdict.named:
        parent = _class(verdict.named, proposal, classes)
        verdict = verdict.naming(parent.label)
    elif proposal.target is None:
        return verdict, proposal
    else:
        parent = _target(proposal, classes)
        proposal = replace(proposal, target=parent.iri, target_label=parent.label)
    makes_class = proposal.kind == "concept" or verdict.named
    if makes_class and known is not None and classes.is_below(parent.iri, known.iri):
        raise VerdictError("enrichment.verdict_cycle", known_label=known.label, parent_label=parent.label)
    return verdict, proposal


def _class(name: str, proposal: Proposal, classes: DecidedClasses) -> Concept:
    found = classes.find(name)
    if found is None:
        close = get_close_matches(name, classes.labels, n=1, cutoff=0.5)
        if close:
            raise VerdictError("enrichment.verdict_class_near", name=name, near=close[0], topic=proposal.topic)
        raise VerdictError("enrichment.verdict_class", name=name, topic=proposal.topic)
    return found


def _target(proposal: Proposal, classes: DecidedClasses) -> Concept:
    """Return the class that a proposal names; it may have been removed since the proposal was made."""
    label = proposal.target_label or ""
    found = classes.find(proposal.target or "") or (classes.find(label) if label else None)
    if found is None:
        what = Message("enrichment.the_parent" if proposal.kind == "concept" else "enrichment.the_class")
        raise VerdictError("enrichment.verdict_gone", what=what, label=label or proposal.target, term=proposal.term)
    return found


def _require_free(proposal: Proposal, verdict: Verdict, classes: DecidedClasses) -> None:
    if proposal.kind == "label":
        raise VerdictError("enrichment.verdict_label", proposal_id=proposal.id, target_label=proposal.target_label)
    taken = classes.find(verdict.value)
    if taken is not None and taken != classes.find(proposal.term):
        raise VerdictError(
            "enrichment.verdict_merge",
            verdict=verdict.value,
            taken_label=taken.label,
            option=Option(f"--merge {taken.label}"),
        )


def _relation(proposal: Proposal, classes: DecidedClasses) -> Proposal:
    """Return a relation with the present labels of its ends."""
    target = _target(proposal, classes)
    source = classes.find(proposal.source or "") or classes.find(proposal.term)
    if source is None:
        raise VerdictError("enrichment.verdict_term_gone", term=proposal.term)
    if source.iri == target.iri:
        raise VerdictError("enrichment.verdict_same_ends", proposal_id=proposal.id, source_label=source.label)
    if proposal.relation in UP and classes.is_below(target.iri, source.iri):
        raise VerdictError(
            "enrichment.verdict_relation_cycle",
            source_label=source.label,
            relation=proposal.relation,
            target_label=target.label,
        )
    return replace(proposal, term=source.label, source=source.iri, target=target.iri, target_label=target.label)


# ---- the proposals of a topic that reviewers put off: a list of ids, shared by all sessions of the workspace


FILE = "later.json"
"""Ids of the proposals that were put off, beside the decisions of the topic."""


def read(space: Workspace, topic_name: str) -> list[str]:
    """Return the ids of the proposals that were put off; a damaged file counts as empty, since it decides nothing."""
    try:
        ids = json.loads(_path(space, topic_name).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return []
    return [id_ for id_ in ids if isinstance(id_, str)] if isinstance(ids, list) else []


def change(space: Workspace, topic_name: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
    """Put proposals off, or take them from the list, while no other session does.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        add: ids that come to the end of the list.
        remove: ids that leave it.

    Raises:
        CommandError: another session holds the list for half a minute.
        OSError: the file cannot be written.
    """
    path = _path(space, topic_name)
    with alone(path):
        before = read(space, topic_name)
        after = [*(id_ for id_ in before if id_ not in add and id_ not in remove), *add]
        if after != before:
            write_atomically(path, json_text(after, indent=1).encode())


def _path(space: Workspace, topic_name: str) -> Path:
    return deciding.of_workspace(space, topic_name).with_name(FILE)
