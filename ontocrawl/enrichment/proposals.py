"""The proposals of a topic: what the graph has of them, with the verdicts of the topic's files.

The terms that wait for a place (`learning.waiting_terms`) are decided about in the same way; they are in no graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, nearest
from ontocrawl.topics import proposed, reviewed, topics
from ontocrawl.versions import learning
from ontology.enrichment import Kind, PageSentence, Proposal, Status
from ontology.errors import Message
from ontology.model import Ontology
from ontology.terms.wordforms import normal


def as_json(one: Proposal) -> dict[str, Any]:
    """Return a proposal as JSON values: the keys of `enrich propose --json`.

    Args:
        one: the proposal.
    """
    is_relation = one.kind == "relation"
    return {
        "id": one.id,
        "term": one.term,
        "kind": one.kind,
        "relation": one.relation,
        "score": one.score,
        "pages": one.pages,
        "of_pages": one.of_pages,
        "under": one.target,
        "under_label": one.target_label,
        "parent": None if is_relation or one.rule is None else one.target_label,
        "about": one.source,
        "rule": one.rule,
        "reason": one.reason,
        "page": one.page,
        "sentence": one.sentence,
        "status": one.status,
        "sentences": [asdict(sentence) for sentence in one.sentences],
        "crawls": {run: asdict(support) for run, support in one.crawls.items()},
        "places": list(one.places),
    }


def find(
    space: Workspace,
    graph: GraphStore,
    topic_name: str,
    *,
    status: Status | str = "proposed",
    run: str = "",
    kind: Kind | str = "",
) -> list[Proposal]:
    """Return the proposals for a topic that the graph has, with their status by the topic's files.

    Args:
        space: the workspace.
        graph: the open graph.
        topic_name: name of the topic.
        status: "proposed", "accepted" or "rejected"; empty for all.
        run: only proposals of this run; empty for all.
        kind: "concept", "label" or "relation"; empty for all.

    Returns:
        The proposals, best first: by score, of one run in its order.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
    """
    return _decided(space, topic_name, enrich.read_proposals(graph, topic_name, crawl=run), status, kind)


def _decided(
    space: Workspace, topic_name: str, stored: Iterable[Proposal], status: Status | str, kind: Kind | str
) -> list[Proposal]:
    """Return those of the proposals that have a status, by the topic's files, and a kind."""
    verdicts = reviewed.record_of(space, topic_name)
    found = []
    for one in stored:
        now = verdicts.status(one.id, one)
        if status in ("", now) and kind in ("", one.kind):
            found.append(one if one.status == now else replace(one, status=now))
    return found


def waiting(space: Workspace, topic_name: str, *, status: Status | str = "proposed") -> list[Proposal]:
    """Return the terms that the last build of a topic found no place for, as proposals of new classes without a parent.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        status: "proposed", "accepted" or "rejected", by what was decided since; empty for all.

    Returns:
        Proposals in the order of the terms; none where the topic was not learned here.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
        UsageError: a damaged summary of the build.
    """
    place = topics.places(space).get(topic_name, "shipped")
    terms = [] if place == "shipped" else learning.waiting_terms(Path(place).parent)
    verdicts = reviewed.record_of(space, topic_name)
    found = []
    for one in terms:
        shown = tuple(PageSentence(text, document) for document, text in one.sentences)
        reason = str(Message("enrichment.reason_waits", terms=len(terms)))
        waits = Proposal(
            "concept", one.term, "subclass_of", None, None, 0.0, 0, shown, reason=reason, places=one.places
        )
        id_ = f"{topic_name}/{waits.key}"
        now = verdicts.status(id_, waits)
        if status in ("", now):
            found.append(replace(waits, id=id_, status=now, places=one.places))
    return found


class Stored(NamedTuple):
    """What the graph has of the proposals of a topic, of one run or of all."""

    proposals: Sequence[Proposal]
    """Those with support, best first."""
    ids: frozenset[str]
    """Ids of all of the topic, beside which terms wait; none where they are of one run."""
    run: str


def stored(graph: GraphStore, topic_name: str, run: str = "") -> Stored:
    """Read what the graph has of the proposals of a topic, of one run or of all (an empty name)."""
    ids = frozenset[str]() if run else frozenset(enrich.statuses(graph, topic_name))
    return Stored(enrich.read_proposals(graph, topic_name, crawl=run), ids, run)


def with_waiting(
    space: Workspace, topic_name: str, of_graph: Stored, *, status: Status | str = "", kind: Kind | str = ""
) -> list[Proposal]:
    """Return the proposals as `find` does and, where they are of all runs, the terms that wait for a place behind them.

    Args:
        space: the workspace.
        topic_name: name of the topic.
        of_graph: what the graph has of its proposals.
        status: "proposed", "accepted" or "rejected"; empty for all.
        kind: "concept", "label" or "relation"; empty for all.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
        UsageError: a damaged summary of the build.
    """
    found = _decided(space, topic_name, of_graph.proposals, status, kind)
    if of_graph.run or kind not in ("", "concept"):
        return found
    return [*found, *(one for one in waiting(space, topic_name, status=status) if one.id not in of_graph.ids)]


class Counts(NamedTuple):
    """Numbers of the proposals of a topic, and of the terms that wait for a place."""

    undecided: int
    decided: int
    unplaced: int
    """Undecided ones that no crawl proposes: they wait for a place alone."""
    waiting: int
    """Undecided terms of the papers that wait for a place, those that a crawl proposes too included."""


def counts(space: Workspace, topic_name: str) -> Counts:
    """Count the proposals of a topic and the terms that wait for a place, by the topic's files: it needs no graph.

    Undecided are those that `with_waiting` lists as such where the graph has all runs that propose something.

    Args:
        space: the workspace.
        topic_name: name of the topic.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
        UsageError: a damaged summary of the build.
    """
    verdicts = reviewed.record_of(space, topic_name)
    crawled: dict[str, Proposal] = {}
    for of in proposed.read(space, topic_name):
        crawled |= proposed.with_ids(topic_name, of.proposals)
    waits = {one.id: one for one in waiting(space, topic_name, status="")}
    status = {id_: verdicts.status(id_, one) for id_, one in (waits | crawled).items()}
    status |= {id_: one.status for id_, one in verdicts.standing.items()}
    undecided = {id_ for id_, now in status.items() if now == "proposed"}
    unplaced, waiting_ = undecided - crawled.keys(), undecided & waits.keys()
    return Counts(len(undecided), len(status) - len(undecided), len(unplaced), len(waiting_))


def get(space: Workspace, graph: GraphStore, given: str, topic_name: str = "") -> Proposal:
    """Return one proposal by its id.

    Args:
        space: the workspace.
        graph: the open graph.
        given: its id; the topic's prefix may be left out if one topic only has it.
        topic_name: name of the topic, if it is known.

    Raises:
        UsageError: there is no such proposal, or several topics have it; the message names the nearest.
    """
    names = [topic_name] if topic_name else dict.fromkeys(id_.partition("/")[0] for id_ in enrich.all_ids(graph))
    known = {one.id: one for name in names for one in enrich.read_proposals(graph, name)}
    if given not in known:  # else the summaries of the builds need not be read
        for name in [topic_name] if topic_name else topics.places(space):
            known = {one.id: one for one in waiting(space, name, status="")} | known
    same = [id_ for id_ in known if given in (id_, id_.partition("/")[2])]
    if not same:
        if not known:
            raise UsageError("enrichment.proposal_none_made", given=given)
        raise UsageError("enrichment.proposal_none", given=given, nearest=nearest(given, known))
    if given not in same and len(same) > 1:
        raise UsageError("enrichment.proposal_several", given=given, same=", ".join(same))
    found = known[given if given in same else same[0]]
    return _decided(space, found.id.partition("/")[0], [found], "", "")[0]


def refresh(space: Workspace, graph: GraphStore, topic_name: str, ontologies: Iterable[Ontology] = ()) -> None:
    """Make the graph's proposals what the topic's files say: their status, and no proposal that an ontology has now.

    Args:
        space: the workspace.
        graph: the open graph.
        topic_name: name of the topic.
        ontologies: the topic's ontologies; proposals without a verdict that these have are removed.

    Raises:
        ReviewedError, DecisionError: a damaged file of the topic.
    """
    verdicts = reviewed.record_of(space, topic_name)
    ontologies = tuple(ontologies)
    names = {normal(form) for o in ontologies for c in o.concepts for _, form in c.forms()}
    edges = {(r.source, r.kind, r.target) for o in ontologies for r in o.relations}
    changed: dict[str, Status] = {}
    known = []
    for one in enrich.read_proposals(graph, topic_name):
        now, edge = verdicts.status(one.id, one), (one.source, one.relation, one.target)
        is_known = edge in edges if one.kind == "relation" else normal(one.term) in names
        if now == enrich.PROPOSED and is_known:
            known.append(one.id)
        elif now != one.status:
            changed[one.id] = now
    enrich.set_status(graph, changed)
    if known:
        enrich.forget(graph, known)
        proposed.forget(space, topic_name, known)
