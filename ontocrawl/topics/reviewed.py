"""The record of verdicts about proposals: ``reviewed.jsonl``, beside the decisions of a topic in its workspace.

A line is written before the decisions that it names. It counts as long as all of these are in the file of decisions and
none was withdrawn; so a line whose decisions were never written, since the command was killed between, does not count.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ontocrawl.base.workspace import Workspace
from ontology.decisions import Decision, in_force, table
from ontology.decisions.decision import CLASS, SYNONYM
from ontology.enrichment import PageSentence, Proposal, Verdict
from ontology.errors import OntocrawlError
from ontology.files import append_lines
from ontology.terms.wordforms import normal

FILE = "reviewed.jsonl"
Status = Literal["proposed", "accepted", "rejected"]
STATUSES: tuple[Status, ...] = ("proposed", "accepted", "rejected")


class ReviewedError(OntocrawlError, ValueError):
    """A damaged record of verdicts; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A verdict about a proposal.

    Attributes:
        id: id of the proposal, TOPIC/KEY.
        verdict: the verdict.
        decisions: ids of the decisions that it came to.
        facts: action, term, relation and value of each of these decisions.
        who: name of the person.
        when: date and time, ISO 8601.
        why: the reason.
        proposal: the proposal as it was when the person decided, with its sentences.
    """

    id: str
    verdict: Verdict
    decisions: tuple[str, ...]
    who: str
    when: str
    proposal: Proposal
    facts: tuple[tuple[str, str, str, str], ...] = ()
    why: str = ""

    @property
    def status(self) -> Status:
        """The status of the proposal while the decisions are in force."""
        return "rejected" if self.verdict.action == "reject" else "accepted"


def path_of(space: Workspace, topic_name: str) -> Path:
    """Return the file of a workspace's verdicts about a topic's proposals."""
    return space.ontologies / topic_name / FILE


def fact(decision: Decision) -> tuple[str, str, str, str]:
    """Return what a decision says: its action, term, relation and value."""
    return decision.action, decision.term, decision.relation, decision.value


def read(space: Workspace, topic_name: str) -> tuple[Reviewed, ...]:
    """Read all verdicts about the proposals of a topic, those that do not count included.

    Args:
        space: the workspace.
        topic_name: name of the topic.

    Returns:
        The verdicts in the order in which they were made.

    Raises:
        ReviewedError: a damaged line. A last line without its end is what a killed command left, and is left out.
    """
    path = path_of(space, topic_name)
    if not path.exists():
        return ()
    lines = path.read_bytes().split(b"\n")[:-1]
    return tuple(_reviewed(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip())


def standing(reviewed: Iterable[Reviewed], decisions: Iterable[Decision]) -> dict[str, Reviewed]:
    """Return the verdicts that count.

    Args:
        reviewed: the verdicts, in their order.
        decisions: all decisions about the topic, withdrawn ones included.

    Returns:
        Id of a proposal -> the last verdict about it whose decisions are all in force.
    """
    facts = {d.id: fact(d) for d in in_force(decisions)}
    return {
        one.id: one for one in reviewed
        if one.decisions and [facts.get(id_) for id_ in one.decisions] == list(one.facts)
    }  # fmt: skip


@dataclass(frozen=True)
class Verdicts:
    """What was decided about the proposals for a topic.

    Attributes:
        standing: id of a proposal -> the last verdict about it that counts.
        decisions: the decisions in force, those that were made without a proposal included.
    """

    standing: Mapping[str, Reviewed]
    decisions: tuple[Decision, ...] = ()

    @property
    def count(self) -> int:
        """Maximum number of proposals that somebody decided about."""
        return len(self.decisions)

    def status(self, id_: str, proposal: Proposal) -> Status:
        """Return the status of a proposal: by a verdict about it, or else by a decision that says the same.

        Args:
            id_: its id.
            proposal: the proposal.
        """
        if id_ in self.standing:
            return self.standing[id_].status
        said = [status for d in self._about.get(normal(proposal.term), ()) if (status := _said_of(proposal, d))]
        return said[-1] if said else "proposed"

    @cached_property
    def _about(self) -> dict[str, list[Decision]]:
        """Normalised term -> the decisions that name it."""
        about: defaultdict[str, list[Decision]] = defaultdict(list)
        for decision in self.decisions:
            for name in dict.fromkeys((normal(decision.term), normal(decision.value))):
                about[name].append(decision)
        return about


def _said_of(proposal: Proposal, decision: Decision) -> Status | None:
    """Return the status that a decision made without the proposal gives it; None if it is about something else."""
    term, value = normal(decision.term), normal(decision.value)
    name, other = normal(proposal.term), normal(proposal.target_label or "")
    answer: Status = "rejected" if decision.action == "reject" else "accepted"
    if proposal.kind == "relation":
        same = (term, decision.relation, value) == (name, proposal.relation, other)
        return answer if same and decision.is_edge else None
    if decision.action == "merge":
        return "accepted" if term == name else None
    if decision.relation == SYNONYM and value == name:
        return answer if answer == "accepted" or term == other else None
    is_class = decision.relation == CLASS or (decision.is_edge and answer == "accepted")
    return answer if is_class and term == name else None


def read_verdicts(space: Workspace, topic_name: str) -> Verdicts:
    """Read what was decided about the proposals for a topic.

    Args:
        space: the workspace.
        topic_name: name of the topic.

    Raises:
        ReviewedError, DecisionError: a damaged file.
    """
    decisions = table.numbered(table.read(path_of(space, topic_name).with_name(table.FILE)))
    return Verdicts(standing(read(space, topic_name), decisions), in_force(decisions))


def append(space: Workspace, topic_name: str, verdicts: Sequence[Reviewed]) -> None:
    """Add verdicts to the record; they are on the disk when this returns.

    An unfinished last line is removed first. If the disk is full, the record is as it was before.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        verdicts: the verdicts.

    Raises:
        OSError: the file cannot be written.
    """
    append_lines(path_of(space, topic_name), map(_line, verdicts))


def _line(one: Reviewed) -> str:
    return json.dumps(asdict(one), ensure_ascii=False)


def _reviewed(line: bytes, where: str) -> Reviewed:
    try:
        data = json.loads(line)
        return Reviewed(
            id=data["id"],
            verdict=Verdict(**data["verdict"]),
            decisions=tuple(data["decisions"]),
            who=data["who"],
            when=data["when"],
            proposal=_proposal(data["proposal"]),
            facts=tuple((f[0], f[1], f[2], f[3]) for f in data["facts"]),
            why=data["why"],
        )
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise ReviewedError(
            f"{where}: this is no verdict ({error}); bring the line back from a copy of the file, or remove it"
        ) from error


def _proposal(data: Mapping[str, Any]) -> Proposal:
    return Proposal(**{**data, "sentences": tuple(PageSentence(**s) for s in data["sentences"])})
