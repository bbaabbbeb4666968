"""The record of verdicts about proposals: ``reviewed.jsonl``, beside the decisions of a topic in its workspace.

A line is written before the decisions that it names. It counts as long as all of these are in the file of decisions and
none was withdrawn; so a line whose decisions were never written, since the command was killed between, does not count.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import CommandError
from ontology.decisions import Decision, in_force, table
from ontology.decisions.decision import CLASS, SYNONYM
from ontology.enrichment import Proposal, Status, Verdict
from ontology.errors import OntocrawlError
from ontology.files import append_lines
from ontology.terms.wordforms import normal

FILE = "reviewed.jsonl"


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


@dataclass(frozen=True)
class Record:
    """What persons decided about a topic in its workspace: the verdicts about proposals, and the decisions.

    Attributes:
        path: file of the decisions; that of the verdicts is beside it.
        verdicts: all verdicts in the order in which they were made, those that do not count included.
        decisions: all decisions, withdrawn ones and those that were made without a proposal included.
    """

    path: Path
    verdicts: tuple[Reviewed, ...]
    decisions: tuple[Decision, ...]

    @cached_property
    def in_force(self) -> tuple[Decision, ...]:
        """The decisions in force."""
        return in_force(self.decisions)

    @cached_property
    def standing(self) -> dict[str, Reviewed]:
        """Id of a proposal -> the last verdict about it that counts: whose decisions are all in force."""
        said = {d.id: d.statement for d in self.in_force}
        return {
            one.id: one for one in self.verdicts
            if one.decisions and [said.get(id_) for id_ in one.decisions] == list(one.facts)
        }  # fmt: skip

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
        """Normalised term -> the decisions in force that name it."""
        about: defaultdict[str, list[Decision]] = defaultdict(list)
        for decision in self.in_force:
            for name in dict.fromkeys((normal(decision.term), normal(decision.value))):
                about[name].append(decision)
        return about

    def extended(self, verdicts: Sequence[Reviewed], decisions: Sequence[Decision]) -> Record:
        """Write verdicts, and then the decisions that they come to; nobody else may write meanwhile.

        An unfinished last line of the verdicts is removed first. If the disk is full, both files are as before.

        Args:
            verdicts: the verdicts.
            decisions: the decisions, with their ids.

        Returns:
            The record with them.

        Raises:
            CommandError: a program that knows no lock (an editor) changed the decisions; nothing is written.
            OSError: a file cannot be written.
        """
        if table.numbered(table.read(self.path)) != self.decisions:
            raise CommandError("topics.decisions_changed", path=self.path)
        if verdicts:
            append_lines(self.path.with_name(FILE), map(_line, verdicts))
        if decisions:
            table.append(self.path, decisions)
        return Record(self.path, (*self.verdicts, *verdicts), (*self.decisions, *decisions))


def record_of(space: Workspace, topic_name: str) -> Record:
    """Read what persons decided about a topic.

    Args:
        space: the workspace.
        topic_name: name of the topic.

    Raises:
        ReviewedError: a damaged line. A last line without its end is what a killed command left, and is left out.
        DecisionError: a damaged file of decisions.
    """
    return read(space.ontologies / topic_name / table.FILE)


def read(path: Path) -> Record:
    """Read a file of decisions and the verdicts beside it; errors as for `record_of`."""
    beside = path.with_name(FILE)
    lines = beside.read_bytes().split(b"\n")[:-1] if beside.exists() else []
    verdicts = [_reviewed(line, f"{beside}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    return Record(path, tuple(verdicts), table.numbered(table.read(path)))


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


def _line(one: Reviewed) -> str:
    return json.dumps(asdict(one) | {"proposal": one.proposal.row}, ensure_ascii=False)


def _reviewed(line: bytes, where: str) -> Reviewed:
    try:
        data = json.loads(line)
        return Reviewed(
            id=data["id"],
            verdict=Verdict(**data["verdict"]),
            decisions=tuple(data["decisions"]),
            who=data["who"],
            when=data["when"],
            proposal=Proposal.of_row(data["proposal"]),
            facts=tuple((f[0], f[1], f[2], f[3]) for f in data["facts"]),
            why=data["why"],
        )
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise ReviewedError("topics.record_damaged", where=where, error=error) from error
