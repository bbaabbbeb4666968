"""`ontocrawl enrich`: export, import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.arguments import TopicSource
from ontocrawl.cli.enrich_review import Kind, Run, Status, chosen
from ontocrawl.cli.output import Answer, Folder, quoted, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.enrichment.importing import Imported
    from ontocrawl.graph.tables import Table


def export(
    topic_name: TopicSource,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The spreadsheet to write, .xlsx or .tsv.")],
    run: Run = "",
    kind: Kind = "",
    status: Status = "proposed",
    folder: Folder = None,
) -> Answer:
    """Write proposals with their evidence to a spreadsheet for a reviewer; it is a ROBOT template, too.

    Fill in the columns verdict, new_name, parent, why and who, and read the file with `enrich import`.
    """
    from ontocrawl.enrichment import importing
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics

    of_kind, of_status = chosen(kind, status)
    space = workspace(folder)
    topic = topics.load(topic_name, space)
    with graph_store.store(space) as graph:
        count = importing.export(space, graph, topic, file, run=run, kind=of_kind, status=of_status)
    read = quoted("ontocrawl", "enrich", "import", topic_name, file)
    said = Message("enrichment.exported", path=file, n=count, read=read)
    return Answer({"topic": topic.name, "path": str(file), "proposals": count}, notes=[said])


def import_(
    topic_name: TopicSource,
    files: Annotated[list[Path], typer.Argument(metavar="FILE..", help="Spreadsheets with verdicts, one a reviewer.")],
    who: Annotated[
        str,
        typer.Option(
            "--who",
            metavar="NAME",
            help="Name of the reviewer for rows without one; by default the login name, of several files their names.",
        ),
    ] = "",
    disagreements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what reviewers disagree on to a spreadsheet, to be settled."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let the files replace other verdicts that were taken before.")
    ] = False,
    folder: Folder = None,
) -> Answer:
    """Take the verdicts of spreadsheets as decisions: all of them or, if a row is wrong, none.

    Of several files what all agree on is taken, and disagreements are listed. Rows without a verdict stay open.
    """
    from ontocrawl.base.workspace import now
    from ontocrawl.enrichment import importing
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import topics

    space = workspace(folder)
    topic = topics.load(topic_name, space)
    with graph_store.store(space) as graph:
        done = importing.import_files(
            space, graph, topic, files, who=who, when=now(), replaces=replace, disagreements=disagreements
        )
    return Answer({"topic": topic.name, **_document(done)}, _disagreements(done), _notes(done, disagreements))


def _disagreements(done: Imported) -> list[Table]:
    from ontocrawl.enrichment import wording

    rows = [
        (one.proposal.id, one.who, wording.verdict(one.verdict), one.why)
        for judged in done.merged.disagreements
        for one in judged
    ]
    columns = ("proposal", "reviewer", "verdict", "why")
    return [tabled("Disagreements, not taken", columns, rows, optional=("why",))] if rows else []


def _notes(done: Imported, written: Path | None) -> list[str]:
    """Return where disagreements were written, how far each two reviewers agree, and the numbers."""
    result, notes = done.merged, list[str]()
    if result.disagreements and written is not None:
        notes.append(Message("enrichment.disagreements_written", path=written))
    for found in result.agreements:
        first, second = found.reviewers
        kappa = Message("enrichment.kappa_undefined") if found.kappa is None else f"{found.kappa:.2f}"
        counts = {"agreed": found.agreed, "judged": found.judged, "kappa": kappa}
        notes.append(Message("enrichment.agreement", first=first, second=second, **counts))
    total = Message(
        "enrichment.imported", decided=len(result.agreed), known=result.known, open=done.left_open,
        disagreed=len(result.disagreements),
    )  # fmt: skip
    return [*notes, total]


def _document(done: Imported) -> dict[str, Any]:
    """Return the result as JSON values."""
    result = done.merged
    return {
        "decided": [
            {"id": one.proposal.id, "verdict": one.verdict.action, "value": one.verdict.value,
             "parent": one.verdict.parent, "who": one.who}
            for one in result.agreed
        ],
        "known": result.known,
        "open": done.left_open,
        "disagreements": [
            {
                "id": judged[0].proposal.id,
                "verdicts": [
                    {"who": one.who, "verdict": one.verdict.action, "value": one.verdict.value,
                     "parent": one.verdict.parent, "file": one.file, "line": one.line}
                    for one in judged
                ],
            }
            for judged in result.disagreements
        ],
        "agreement": [
            {"reviewers": list(a.reviewers), "judged": a.judged, "agreed": a.agreed, "kappa": a.kappa}
            for a in result.agreements
        ],
    }  # fmt: skip
