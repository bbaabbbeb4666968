"""What crawls propose for the ontologies of a topic, and decisions about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from ontocrawl.api import arguments
from ontocrawl.api.arguments import Folder, workspace_of
from ontocrawl.api.crawls import Run, name_of
from ontocrawl.api.topics import Topic
from ontocrawl.base.workspace import Workspace, now
from ontocrawl.enrichment import proposals as found_proposals
from ontocrawl.enrichment import proposing, reviewing
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Table
from ontocrawl.topics import topics
from ontocrawl.versions import deciding
from ontology.enrichment import STATUSES, Kind, Proposal


def propose(
    run: Run | str, *, limit: int = 30, topic: Topic | str | Path | None = None, workspace: Folder | None = None
) -> Table:
    """Propose terms that occur on relevant pages of a run and not in the topic's ontologies (`enrich propose`).

    Args:
        run: a run, or its name.
        limit: maximum number of proposals; the best ones are kept.
        topic: the topic whose ontologies are to be enriched, by default that of the run.
        workspace: folder of the workspace, by default that of the run.

    Returns:
        One row per proposal, sorted by score: number of pages, suggested broader concept with the reason, an example
        page and sentence. What was decided before is left out. The proposals are also written into the graph.

    Raises:
        UsageError: there is no such run, its topic has no ontology, or the limit is below 1.
    """
    name = name_of(run)
    arguments.require("limit", limit, int, "a whole number")
    arguments.require_number(1, limit=limit)
    space = run._space if isinstance(run, Run) and workspace is None else workspace_of(workspace)
    with graph_store.store(space) as graph:
        found = proposing.propose(space, name, graph, limit=limit, topic=_chosen(topic, space))
    return _proposals(found.suggestions)


def proposals(
    topic: Topic | str | Path, *, status: str = "proposed", kind: str = "", workspace: Folder | None = None
) -> Table:
    """List what crawls propose for the ontologies of a topic (`enrich list`).

    Args:
        topic: a topic, its name, or the path of its file.
        status: "proposed", "accepted" or "rejected"; empty for all.
        kind: "concept", "label" or "relation"; empty for all.
        workspace: folder of the workspace, by default that of the topic.

    Returns:
        The rows of `propose`, best first.

    Raises:
        UsageError: there is no such topic, status or kind.
    """
    space = _space(topic, workspace)
    arguments.require_text(status=status, kind=kind)
    for name, value, allowed in (("status", status, STATUSES), ("kind", kind, get_args(Kind))):
        if value and value not in allowed:
            raise UsageError("api.expected_empty_text_all", name=name, value=value, allowed=", ".join(allowed))
    chosen = _loaded(topic, space)
    with graph_store.store(space) as graph:
        return _proposals(found_proposals.find(space, graph, chosen.name, status=status, kind=kind))


def decide(
    proposal: str,
    action: str = "",
    *,
    rename: str = "",
    parent: str = "",
    merge: str = "",
    undo: bool = False,
    why: str = "",
    who: str = "",
    topic: Topic | str | Path | None = None,
    workspace: Folder | None = None,
) -> Table:
    """Decide about a proposal (`enrich decide`); the next version of the ontology follows the decision.

    Args:
        proposal: its id, with or without its topic.
        action: "accept" or "reject".
        rename: accept the term under another name.
        parent: accept the term under another class.
        merge: accept the term as another name of a class.
        undo: withdraw the verdict; then there is no action.
        why: the reason.
        who: name of the person, by default the login name.
        topic: the topic, by default that of the proposal.
        workspace: folder of the workspace, as for `Topic`.

    Returns:
        The decisions that the verdict came to, or those of before if it was made already: id, action, term, relation,
        value, who, when, why.

    Raises:
        UsageError: there is no such proposal, or the verdict cannot be carried out; nothing is written.
    """
    arguments.require_text(action=action, rename=rename, parent=parent, merge=merge, why=why, who=who)
    arguments.require("proposal", proposal, str, "the id of a proposal")
    space = _space(topic, workspace)
    verdict = reviewing.verdict_of(action, rename=rename, parent=parent, merge=merge, undo=undo)
    with graph_store.store(space) as graph:
        outcome = reviewing.decide_by_id(
            space, graph, proposal, verdict, topic=_chosen(topic, space), who=deciding.person(who), when=now(),
            why=why,
        )  # fmt: skip
    columns = ("id", "action", "term", "relation", "value", "who", "when", "why")
    rows = tuple(tuple(getattr(d, c) for c in columns) for d in outcome.decisions)
    return Table(columns, rows, f"{outcome.id}: {outcome.status}")


def _proposals(found: Sequence[Proposal]) -> Table:
    columns = (
        "term", "score", "pages", "under_label", "sentence", "page", "kind", "under", "status", "id", "relation",
        "reason",
    )  # fmt: skip
    rows = (found_proposals.as_json(s) for s in found)
    types = {"under_label": "text", "under": "text"}  # also where no parent is named
    return Table(columns, tuple(tuple(row[c] for c in columns) for row in rows), "Proposed terms", types=types)


def _space(topic: Topic | str | Path | None, workspace: Folder | None) -> Workspace:
    """Return the workspace: the given one, or else that of the topic."""
    if isinstance(topic, Topic) and workspace is None:
        return topic._topic.workspace
    return workspace_of(workspace)


def _chosen(topic: Topic | str | Path | None, space: Workspace) -> topics.Topic | None:
    return None if topic is None else _loaded(topic, space)


def _loaded(topic: Topic | str | Path, space: Workspace) -> topics.Topic:
    """Return the topic. Raises WrongTypeError for another value."""
    arguments.require("topic", topic, (Topic, str, Path), "a Topic, its name, or the path of its file")
    return topic._topic if isinstance(topic, Topic) else topics.load(str(topic), space)
