"""`ontocrawl archive terms`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, progress, tabled, workspace
from ontocrawl.errors import UsageError
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.base.workspace import Workspace
    from ontocrawl.topics.topics import Topic

ScoredTopic = Annotated[
    str | None,
    typer.Option("--topic", help="The topic that the archive was scored by, where its file is not found by its name."),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Number of processes; by default one for each processor.")
]
_SHOWN = 20


def topic_of_tables(tables: Path, topic: str | None, space: Workspace) -> Topic:
    """Return the topic that an archive was scored by.

    Args:
        tables: the folder of its tables.
        topic: name or file of the topic, if it was given.
        space: the workspace.

    Raises:
        UsageError: there are no tables, no such topic, or another topic was given.
    """
    from ontocrawl.archives import work
    from ontocrawl.topics import topics

    scored_by = str(work.request_of(tables)["topic"])
    found = topics.load(topic or scored_by, space)
    if found.name != scored_by:
        raise UsageError("cli.scored_topic_not_score", tables=tables, scored_by=scored_by, found=found.name)
    return found


def terms(
    tables: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `archive score` made.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to make, with the tables; by default FOLDER/terms.")
    ] = None,
    topic: ScoredTopic = None,
    min_documents: Annotated[
        int, typer.Option("--min-documents", min=1, help="Minimum number of relevant pages with a term.")
    ] = 2,
    max_terms: Annotated[
        int, typer.Option("--max-terms", min=1, help="Maximum number of terms; the best are kept.")
    ] = 10_000,
    max_cells: Annotated[
        int, typer.Option("--max-cells", min=1, help="Relevant pages times terms of the formal context, at most.")
    ] = 50_000_000,
    max_concepts: Annotated[
        int, typer.Option("--max-concepts", min=1, help="Estimated number of formal concepts of the context, at most.")
    ] = 2_000_000,
    jobs: Jobs = None,
    spark: Annotated[
        str | None, typer.Option("--spark", metavar="MASTER", help="Run on Apache Spark, as `archive score`.")
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Find the terms of the relevant pages of a scored archive, and write tables of them for ontologies."""
    from ontology.extras import require

    require("pyarrow", "archive", "`archive terms`")
    import pyarrow.parquet as pq

    from ontocrawl.archives.terms import Limits
    from ontocrawl.archives.terms import terms as find

    on_topic = topic_of_tables(tables, topic, workspace(folder))
    with progress(Message("cli.doing_choose"), None) as (bar, task):
        done = find(
            tables,
            out or tables / "terms",
            on_topic.ontologies,
            Limits(min_documents, max_terms, max_cells, max_concepts),
            jobs=jobs or os.cpu_count() or 1,
            spark=spark,
            on_progress=lambda step, number, parts: bar.update(task, description=step, completed=number, total=parts),
        )
    rows = pq.read_table(done.out / "terms.parquet").slice(0, _SHOWN).to_pylist()
    columns = ("term", "known", "documents", "other_documents", "significance")
    shown = tabled(
        Message("cli.of_first_terms", n=done.terms), columns, [[row[name] for name in columns] for row in rows]
    )
    counts = {"terms": done.terms, "pages": done.pages, "in_context": done.context_terms, "support": done.support}
    said = Message("cli.archive_terms", path=done.out, **counts)
    return Answer(done.as_json(), [shown], [said])
