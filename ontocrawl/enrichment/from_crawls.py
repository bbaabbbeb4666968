"""The history of a topic's ontologies by what came from crawls: which proposals, by whom, from which runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ontocrawl.base.workspace import Workspace
from ontocrawl.topics import reviewed
from ontocrawl.topics.reviewed import Reviewed, Status
from ontocrawl.topics.topics import Topic
from ontocrawl.topics.version_files import Version
from ontocrawl.versions import curated_decisions, histories
from ontology.decisions import in_force, table
from ontology.enrichment import Verdict


@dataclass(frozen=True)
class Decided:
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

    def as_json(self) -> dict[str, Any]:
        """Return the proposal as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class OfVersion:
    """The proposals that a version brought: those that were accepted, and those that were rejected until then."""

    accepted: tuple[Decided, ...]
    rejected: tuple[Decided, ...]


@dataclass(frozen=True)
class CrawlHistory:
    """The versions of a topic's ontologies with what came from crawls.

    Attributes:
        topic: name of the topic.
        origin: the version before the first one.
        versions: the versions with their proposals, the oldest first.
        proposals: all proposals that were decided.
    """

    topic: str
    origin: str
    versions: tuple[tuple[Version, OfVersion], ...]
    proposals: tuple[Decided, ...]

    @property
    def version(self) -> str:
        """The present version."""
        return self.versions[-1][0].version if self.versions else self.origin

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of the proposals that count, and that no version has."""
        return tuple(p.id for p in self.proposals if not p.version and p.status != "withdrawn")

    def as_json(self) -> Mapping[str, Any]:
        """Return the history as JSON values."""
        return {
            "topic": self.topic,
            "version": self.version,
            "origin": self.origin,
            "versions": [
                asdict(version) | {side: [p.as_json() for p in getattr(of, side)] for side in ("accepted", "rejected")}
                for version, of in self.versions
            ],
            "proposals": [p.as_json() for p in self.proposals],
            "waiting": list(self.waiting),
        }


def history(space: Workspace, topic: Topic) -> CrawlHistory:
    """Read the versions of a topic's ontologies, and what was decided about its proposals.

    Args:
        space: the workspace.
        topic: the topic.

    Raises:
        UsageError: the topic has no ontology that decisions can be applied to.
        DecisionError, VersionError, ReviewedError: a damaged file.
    """
    place = histories.place_of_topic(topic)
    versions = place.store.all()
    prefix = "" if place.records == space.ontologies / topic.name else f"{topic.name}/"
    decisions = table.numbered(table.read(reviewed.path_of(space, topic.name).with_name(table.FILE)))
    verdicts = reviewed.read(space, topic.name)
    facts = {d.id: reviewed.fact(d) for d in in_force(decisions)}
    last = {one.id: number for number, one in enumerate(verdicts)}
    proposals = tuple(
        _decided(one, prefix, versions, _counts(one, facts) and last[one.id] == number)
        for number, one in enumerate(verdicts)
    )
    origin = versions[0].prior if versions else _origin(topic)
    known: set[str] = set()
    rows = []
    for version in versions:
        came = [p for p in proposals if set(p.decisions) <= set(version.decisions) and not set(p.decisions) <= known]
        known = set(version.decisions)
        accepted = tuple(p for p in came if p.verdict.action != "reject")
        rows.append((version, OfVersion(accepted, tuple(p for p in came if p.verdict.action == "reject"))))
    return CrawlHistory(topic.name, origin, tuple(rows), proposals)


def _origin(topic: Topic) -> str:
    """Return the version of a topic's ontologies as they come."""
    return curated_decisions.origin_of(topic)[0].ontology.version


def _counts(one: Reviewed, facts: Mapping[str, tuple[str, str, str, str]]) -> bool:
    return bool(one.decisions) and [facts.get(id_) for id_ in one.decisions] == list(one.facts)


def _decided(one: Reviewed, prefix: str, versions: tuple[Version, ...], counts: bool) -> Decided:
    ids = tuple(prefix + id_ for id_ in one.decisions)
    first = next((v.version for v in versions if ids and set(ids) <= set(v.decisions)), "")
    runs = tuple(dict.fromkeys(s.run for s in one.proposal.sentences if s.run))
    return Decided(one.id, one.verdict, one.status if counts else "withdrawn", one.who, one.when, runs, ids, first)
