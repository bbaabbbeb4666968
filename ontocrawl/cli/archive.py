"""`ontocrawl archive`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.base.options import CrawlSettings
from ontocrawl.cli.archive_terms import Jobs, ScoredTopic, topic_of_tables
from ontocrawl.cli.crawl_options import OldJudge, judge_name, with_options
from ontocrawl.cli.output import Answer, Folder, note, progress, workspace
from ontology.errors import Message


@with_options(CrawlSettings, "topic", "judge", "threshold")
def score(
    archive: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of WARC files, or one WARC file.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to make, with the tables.")],
    topic: str | None = None,
    judge: str | None = None,
    threshold: float | None = None,
    relevance: OldJudge = None,
    texts: Annotated[
        bool, typer.Option("--texts/--no-texts", help="Write the main texts too, in which `archive terms` finds terms.")
    ] = True,
    jobs: Jobs = None,
    spark: Annotated[
        str | None,
        typer.Option(
            "--spark",
            metavar="MASTER",
            help="Run on Apache Spark: local[N], local[*], spark://HOST:PORT, yarn or k8s://.. "
            "(extra spark, Java 17 or newer).",
        ),
    ] = None,
    folder: Folder = None,
) -> Answer:
    """Score the pages of WARC files by a topic, and write Parquet tables of pages, links, failures and texts."""
    from ontology.extras import require

    require("pyarrow", "archive", "`archive score`")
    from crawler.fetching.robots_file import product_token
    from ontocrawl.archives import scoring, tables
    from ontocrawl.runs import page_scoring
    from ontocrawl.topics import topics

    space = workspace(folder)
    on_topic = topics.load(topics.default_name(space) if topic is None else topic, space)
    chosen = page_scoring.judge_of(on_topic, judge_name(judge, relevance), threshold)
    settings = space.settings.crawl
    with progress(Message("cli.doing_read"), None) as (bar, task):
        done = scoring.score(
            archive,
            out,
            chosen,
            on_topic.vocabulary,
            robot=None if settings.ignore_robots_directives else product_token(settings.user_agent),
            max_bytes=settings.max_bytes,
            texts=texts,
            topic=on_topic.name,
            jobs=jobs or os.cpu_count() or 1,
            spark=spark,
            on_progress=lambda step, number, parts: bar.update(task, description=step, completed=number, total=parts),
        )
    counts = {"pages": done.pages, "failed": done.failed, "records": done.records}
    notes = [Message("cli.archive_scored", path=out, **counts)]
    if done.failed:
        reasons = tables.opened(out).reasons().most_common()
        counted = ", ".join(f"{reason} {count}" for reason, count in reasons)
        notes.append(Message("cli.archive_without_page", reasons=counted))
    return Answer(done.as_json(), notes=notes)


def rank(
    tables: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `archive score` made.")],
) -> Answer:
    """Rank the pages of a scored archive by their links, and write the ranks as one more table."""
    from ontology.extras import require

    require("pyarrow", "archive", "`archive rank`")
    from ontocrawl.archives import ranking

    done = ranking.rank(tables)
    said = Message("cli.archive_ranked", pages=done.pages, links=done.links, path=done.out)
    return Answer(done.as_json(), notes=[said])


def load(
    tables: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `archive score` made.")],
    run_name: Annotated[str, typer.Option("--run", metavar="NAME", help="Id of the crawl that it is in the graph.")],
    topic: ScoredTopic = None,
    folder: Folder = None,
) -> Answer:
    """Write a scored archive into the graph, as a crawl: its pages with sentences and classes, links and ranks."""
    from ontology.extras import require

    require("pyarrow", "archive", "`archive load`")
    from ontocrawl.archives import loading
    from ontocrawl.graph import graph_store
    from ontocrawl.runs import graph_writing
    from ontocrawl.topics import graph_record, topic_graph

    space = workspace(folder, writes=True)
    on_topic = topic_of_tables(tables, topic, space)
    with progress(Message("cli.doing_pages"), None) as (bar, task), graph_store.store(space) as graph:
        done = loading.load(
            space,
            tables,
            run_name,
            graph,
            topic_graph.concepts_of(topic_graph.TopicGraph(on_topic, graph).vectors().vocabularies),
            lambda what, rows: bar.update(task, description=what, completed=rows),
        )
        graph_record.note(space, graph_record.of_archive(on_topic, run_name, tables))
        graph_writing.written_again(space, run_name, graph, note)
    names = ("crawl", "pages", "links", "hosts", "mentions", "sentences")
    said = Message("cli.archive_loaded", crawl=done.crawl, pages=done.pages, links=done.links)
    return Answer({name: getattr(done, name) for name in names}, notes=[said])


def export(
    tables: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `archive score` made.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to make, with the CSV files.")],
    run_name: Annotated[str, typer.Option("--run", metavar="NAME", help="Id of the crawl that it is in the graph.")],
    figures: Annotated[
        bool,
        typer.Option(
            "--figures/--no-figures",
            help="Whether to compute ranks and the other figures of links, with all links in memory.",
        ),
    ] = True,
) -> Answer:
    """Write a scored archive as CSV for `neo4j-admin database import full`: the graph that `archive load` makes."""
    from ontology.extras import require

    require("pyarrow", "archive", "`archive export`")
    from ontocrawl.archives import exporting

    with progress(Message("cli.doing_ranks"), None) as (bar, task):
        done = exporting.export(
            tables,
            out,
            run_name,
            figures=figures,
            on_progress=lambda what, rows: bar.update(task, description=what, completed=rows),
        )
    counts = {"nodes": done.nodes, "relationships": done.relationships}
    said = Message("cli.archive_exported", crawl=done.crawl, path=out, **counts)
    return Answer(done.as_json(), notes=[said])
