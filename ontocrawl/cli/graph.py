"""`ontocrawl graph`: rank, rebuild. The other commands are in graph_load, graph_engine and graph_exchange."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import queries
from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Answer, Folder, note, quoted, tabled, workspace
from ontology.errors import Message


def rank(
    run_name: RunName,
    topic_biased: Annotated[
        bool, typer.Option("--topic-biased", help="Compute the repaired Eq. (8) instead of Eq. (7).")
    ] = False,
    personalised: Annotated[
        bool, typer.Option("--personalised", help="Distribute the constant term by the relevance of the fetched pages.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of pages to show.")] = 20,
    folder: Folder = None,
) -> Answer:
    """Compute PageRank on the link graph of a run (paper 000, section 4.2), and store it in the graph.

    Hubs and authorities, communities, strongly connected components and the figures of links that queries read are
    computed and stored too, as at the end of each crawl.
    """
    from kg.ranking.crawl_ranks import rank_crawl
    from ontocrawl.base.workspace import now
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record

    query, space = queries.get("pages/top_by_pagerank"), workspace(folder, writes=True)
    given = [name for name, on in (("--topic-biased", topic_biased), ("--personalised", personalised)) if on]
    with graph_store.store(space) as graph:
        report = rank_crawl(graph, run_name, topic_biased=topic_biased, personalised=personalised)
        if given:
            typed = quoted("ontocrawl", "graph", "rank", run_name, *given)
            graph_record.note(space, graph_record.of_statement(typed, now()))
        rows = graph.read(query.text, **query.bind({"crawl": run_name, "limit": str(limit)}))
    shown = tabled(
        Message("cli.of_pagerank", run=run_name), query.returns, [[row[c] for c in query.returns] for row in rows]
    )
    counts = {"communities": report.communities, "modularity": report.modularity, "components": report.components}
    said = Message("cli.communities", run=run_name, **counts)
    return Answer({**asdict(report), "pages": rows}, [shown], [said])


def rebuild(
    run_name: Annotated[str | None, typer.Argument(metavar="[RUN]", help="Name of a run.")] = None,
    folder: Folder = None,
) -> Answer:
    """Write runs into the graph again from their journals; by default all runs of the workspace.

    What a run proposed is written too, from the files of its topics.
    """
    from crawler.journal import JournalError
    from ontocrawl.graph import graph_store
    from ontocrawl.health import graph_health
    from ontocrawl.runs import graph_writing

    space = workspace(folder, writes=True)
    names = [run_name] if run_name else space.run_names()
    with graph_store.store(space) as graph:
        reports = {}
        for name in names:
            try:
                reports[name] = graph_writing.project(space, name, graph)
                graph_writing.written_again(space, reports[name].crawl, graph, note)
            except JournalError as error:
                if run_name:
                    raise
                note(Message("cli.left_out", what=error))
    written = {name: asdict(report) for name, report in reports.items()}
    shown = [tabled(Message("cli.of_run", run=name), ("", "rows"), report.items()) for name, report in written.items()]
    lost = [] if run_name else graph_health.not_repeated(space)
    return Answer({"runs": written}, shown, [problem.what for problem in lost])
