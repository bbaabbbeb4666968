"""`ontocrawl enrich review`: a dialogue about the proposals of a topic, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.arguments import ScreenLanguage, TopicSource, choice, screen_language
from ontocrawl.cli.output import Folder, Json, note, note_next, print_json, quoted, stderr, stdout, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.enrichment.session import Session

KINDS = ("concept", "label", "relation")
STATUSES = ("proposed", "accepted", "rejected")
Run = Annotated[str, typer.Option("--run", metavar="RUN", help="Only what this run proposes; by default all runs.")]
Kind = Annotated[str, typer.Option("--kind", metavar="concept|label|relation", help="Only proposals of this kind.")]
Status = Annotated[
    str,
    typer.Option("--status", metavar="proposed|accepted|rejected|all", help="Only proposals that are so by now."),
]
Who = Annotated[
    str, typer.Option("--who", metavar="NAME", help="Your name, for the file of decisions; by default the login name.")
]


def review(
    topic_name: TopicSource,
    run: Run = "",
    kind: Kind = "",
    status: Status = "proposed",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of proposals; the best are shown.")] = 1000,
    who: Who = "",
    lang: ScreenLanguage = "",
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Review proposals, each on a screen with its evidence: one key accepts, rejects, renames, moves or merges.

    Each decision is saved at once in the topic's decisions; a later review goes on there. From a pipe, or on a
    terminal without cursor movement, one command is read a line: a, r, n NAME, m CLASS, s CLASS, l, u, e, h, q.
    Behind the proposals of all runs come the terms that the last build found no place for: m and a number places one.
    """
    from ontocrawl.base.workspace import now
    from ontocrawl.enrichment import proposals, run_pages
    from ontocrawl.enrichment.session import Session
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics
    from ontocrawl.versions.deciding import person

    language = screen_language(lang)
    of_kind, of_status = chosen(kind, status)
    space = workspace(folder)
    topic = topics.load(topic_name, space)
    with graph_store.store(space) as graph:
        if run:
            run_pages.require_pages(space, graph, run)
        found = proposals.with_waiting(
            space, topic.name, proposals.stored(graph, topic.name, run), status=of_status, kind=of_kind
        )[:limit]
        if unplaced := sum(not one.crawls for one in found):
            note(Message("cli.review_has", crawls=len(found) - unplaced, unplaced=unplaced))
        session = Session(space, graph, topic, found, who=person(who), now=now, language=language)
        try:
            session.run(stderr if as_json else stdout, plain=as_json)
        finally:  # also after Ctrl-C: what was decided is saved
            _show_end(session, space)
    if as_json:
        print_json(_document(session))


def chosen(kind: str, status: str) -> tuple[str, str]:
    """Return the values of --kind and --status, "" for all. Raises UsageError for others."""
    of_kind = choice("--kind", kind, KINDS) if kind else ""
    of_status = choice("--status", status, (*STATUSES, "all"))
    return of_kind, "" if of_status == "all" else of_status


def _show_end(session: Session, space: Workspace) -> None:
    from ontocrawl.enrichment import next_command, wording

    if not session.total:
        topic = session.topic.name
        note(f"{session.text('nothing')}: {topic}; {quoted('ontocrawl', 'enrich', 'propose', 'RUN')}")
        return
    for id_, verdict in session.verdicts.items():
        note(f"{id_}: {wording.verdict(verdict, session.language)}")
    note(session.text("done", len(session.verdicts), session.open))
    if any(verdict.action not in ("reject", "withdraw") for verdict in session.verdicts.values()):
        name = next_command.topic_name(space, session.topic.name, session.topic.path)
        note_next(quoted("ontocrawl", "enrich", "apply", "--topic", name), space)


def _document(session: Session) -> dict[str, Any]:
    """Return what was decided as JSON values."""
    return {
        "topic": session.topic.name,
        "decided": [{"id": id_, "verdict": v.action, "value": v.value} for id_, v in session.verdicts.items()],
        "open": session.open,
    }
