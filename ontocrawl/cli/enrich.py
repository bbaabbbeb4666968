"""`ontocrawl enrich`: propose, list, decide."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from ontocrawl.cli.arguments import RunName, TopicSource, choice
from ontocrawl.cli.output import Answer, Folder, in_workspace, named, note, quoted, tabled, workspace
from ontology.errors import Message, recognised

if TYPE_CHECKING:
    from ontocrawl.enrichment.reviewing import RecordedVerdict
    from ontology.enrichment import Proposal

TopicFile = Annotated[
    str | None, typer.Option("--topic", metavar="TOPIC", help="Name or file of the topic; by default that of the run.")
]
_COLUMNS = ("id", "kind", "target", "why", "score", "pages", "sentence")
_OPTIONAL = ("why", "pages", "score", "kind", "sentence")
"""Columns that a narrow terminal leaves out, the last one first."""


def propose(
    run_name: RunName,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of proposals; the best are kept.")] = 30,
    topic: TopicFile = None,
    folder: Folder = None,
) -> Answer:
    """Propose terms, names and relations that relevant pages of a run have and the topic's ontologies lack."""
    from ontocrawl.enrichment import proposals, proposing
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics

    space = workspace(folder, writes=True)
    chosen = topics.load(topic, space) if topic else None
    with graph_store.store(space) as graph:
        found = proposing.propose(space, run_name, graph, limit=limit, topic=chosen, on_stage=note)
    before, rejected = found.accepted_before, found.rejected_before
    review = in_workspace(quoted("ontocrawl", "enrich", "review", topic or found.topic), space)
    decided = Message("enrichment.decided_before", accepted=before, rejected=rejected) if before or rejected else ""
    return Answer(
        {
            "topic": found.topic,
            "proposals": [proposals.as_json(s) for s in found.suggestions],
            "accepted_before": before,
            "rejected_before": rejected,
            "remark": found.remark,
        },
        [tabled(Message("cli.of_proposals", run=run_name), _COLUMNS, map(_row, found.suggestions), optional=_OPTIONAL)],
        [text for text in (found.remark, decided) if text],
        next=review if found.suggestions else "",
    )


def list_proposals(
    topic: TopicSource,
    status: Annotated[str, typer.Option(help="proposed, accepted, rejected, or all.")] = "proposed",
    run_name: Annotated[str, typer.Option("--run", metavar="RUN", help="Only what this run proposes.")] = "",
    kind: Annotated[str, typer.Option(help="concept (a new class), label (another name) or relation.")] = "",
    folder: Folder = None,
) -> Answer:
    """List what crawls propose for the ontologies of a topic, with the crawls and what was decided."""
    from ontocrawl.enrichment import proposals, run_pages
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics
    from ontology.enrichment.proposal import STATUSES, Kind

    space = workspace(folder)
    wanted = "" if status == "all" else choice("--status", status, STATUSES)
    of_kind = choice("--kind", kind, get_args(Kind)) if kind else ""
    name = topics.load(topic, space).name
    with graph_store.store(space) as graph:
        if run_name:
            run_pages.require_pages(space, graph, run_name)
        found = proposals.find(space, graph, name, status=wanted, run=run_name, kind=of_kind)
    columns = (*_COLUMNS[:2], "status", "crawls", *_COLUMNS[2:])
    rows = [
        (row[0], row[1], named("proposal", s.status), len(s.crawls), *row[2:])
        for s, row in ((s, _row(s)) for s in found)
    ]
    shown = tabled(
        Message("cli.of_topic_proposals", n=len(rows), topic=name), columns, rows, optional=("crawls", *_OPTIONAL)
    )
    return Answer({"topic": name, "proposals": [proposals.as_json(s) for s in found]}, [shown])


def _row(s: Proposal) -> tuple[Any, ...]:
    """Return the cells of `_COLUMNS`; the id is without the topic."""
    own = s.id.partition("/")[2]
    target = s.target_label or Message("enrichment.unplaced")
    under = f"{s.relation} {target}" if s.kind == "relation" else target
    return (
        own,
        named("proposal", s.kind),
        under,
        recognised(s.reason, "enrichment.reason_"),
        s.score,
        s.pages,
        s.sentence,
    )


def decide(
    proposal: Annotated[str, typer.Argument(metavar="ID", help="Id of the proposal, with or without its topic.")],
    action: Annotated[str, typer.Argument(metavar="accept|reject", help="The verdict; none with --undo.")] = "",
    rename: Annotated[
        str, typer.Option(metavar="NAME", help="Accept the term under another name; --parent may be given too.")
    ] = "",
    parent: Annotated[str, typer.Option(metavar="CLASS", help="Accept the term under another class.")] = "",
    merge: Annotated[str, typer.Option(metavar="CLASS", help="Accept the term as another name of a class.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Withdraw the verdict.")] = False,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="TOPIC", help="Name or file of the topic of the proposal.")
    ] = None,
    why: Annotated[str, typer.Option(help="The reason.")] = "",
    who: Annotated[str, typer.Option(help="Name of the person who decides; by default the login name.")] = "",
    folder: Folder = None,
) -> Answer:
    """Decide about a proposal: the verdict becomes decisions of the topic, which every later version follows."""
    from ontocrawl.base.workspace import now
    from ontocrawl.enrichment import reviewing
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics
    from ontocrawl.versions import deciding

    space = workspace(folder)
    chosen = topics.load(topic, space) if topic else None
    verdict = reviewing.verdict_of(action, rename=rename, parent=parent, merge=merge, undo=undo)
    with graph_store.store(space) as graph:
        recorded = reviewing.decide_by_id(
            space, graph, proposal, verdict, topic=chosen, who=deciding.person(who), when=now(), why=why
        )
    return Answer(recorded.as_json(), notes=_said(recorded, deciding.of_workspace(space, recorded.topic)))


def _said(recorded: RecordedVerdict, path: Path) -> list[str]:
    """Return what was decided."""
    if not recorded.added:
        ids = ", ".join(recorded.ids)
        return [Message("enrichment.decided_already", id=recorded.id, status=recorded.status, ids=ids)]
    apply = quoted("ontocrawl", "enrich", "apply", "--topic", recorded.topic)
    return [
        Message("enrichment.decided_now", id=recorded.id, status=recorded.status),
        *(
            "  " + " ".join(filter(None, (f"{d.id}:", d.action, d.term, d.relation, d.value)))
            for d in recorded.decisions
        ),
        Message("enrichment.decided_in", path=path, apply=apply),
    ]
