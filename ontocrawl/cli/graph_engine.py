"""`ontocrawl graph`: status, migrate, stop: the engine and the schema of the graph."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, Line, note, tabled, workspace
from ontology.errors import Message

_COUNTS = (
    ("ontologies", "MATCH (n:Ontology) RETURN count(n) AS n"),
    ("concepts", "MATCH (n:Concept) RETURN count(n) AS n"),
    ("documents", "MATCH (n:Document) RETURN count(n) AS n"),
    ("crawls", "MATCH (n:Crawl) RETURN count(n) AS n"),
    ("pages", "MATCH (n:Page) RETURN count(n) AS n"),
    ("links", "MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n"),
    ("proposals", "MATCH (n:Proposal) RETURN count(n) AS n"),
)


def status(folder: Folder = None) -> Answer:
    """Show the content of the graph, and whether its schema is up to date. Does not change the graph.

    A part of the graph is read; if that is damaged, the command fails. `graph check` reads all.
    """
    from kg import schema
    from ontocrawl.graph import graph_store
    from ontocrawl.health import graph_health

    space = workspace(folder, writes=True)
    with graph_store.store(space, migrate=False) as graph:
        counts = {name: graph.read(query)[0]["n"] for name, query in _COUNTS}
        state = schema.status(graph)
        problems = graph_health.quick(space, graph)
    engine = graph_health.engine_of(space)
    version = Message("cli.schema_version", version=state.version)
    version = Message("cli.schema_no_version") if state.version is None else version
    expected, advice = Message("cli.schema_as_expected"), Message("cli.schema_expected", version=state.expected)
    schema_note = Message("cli.schema", version=version, advice=expected if state.current else advice)
    damage = [problem for problem in problems if problem.kind not in ("schema", "newer")]
    return Answer(
        {
            "engine": engine,
            "counts": counts,
            "schema": asdict(state),
            "problems": [problem.as_json() for problem in problems],
        },
        [tabled(engine, ("", "count"), counts.items())],
        [schema_note],
        failure=Message("cli.graph_damaged", what=damage[0].what) if damage else "",
    )


def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the statements; do not run them.")] = False,
    folder: Folder = None,
) -> Answer:
    """Migrate keys, indexes and data of the graph to this version; other commands do so when they open it."""
    from kg import schema
    from ontocrawl.graph import graph_store

    space = workspace(folder, writes=True)
    with graph_store.store(space, migrate=False) as graph:
        missing = schema.plan(graph, compare=True)
        state = schema.status(graph) if dry_run else schema.apply(graph, compare=True)
    statements = (*missing.schema, *(statement for _, statement in missing.migrations))
    done = (
        "cli.migrated_nothing" if missing == schema.SchemaPlan() else "cli.migrated_not" if dry_run else "cli.migrated"
    )
    return Answer(
        {"dry_run": dry_run, **asdict(missing), "status": asdict(state)},
        [Line(f"{one};", wrap=False) for one in statements],
        [Message(done)],
    )


def stop(folder: Folder = None) -> None:
    """Stop the embedded engine of the workspace; otherwise it stops by itself soon after its last use."""
    from kg.engine import embedded

    space = workspace(folder, writes=True)
    if space.graph_is_read_only:
        raise space.read_only()
    note(Message("cli.engine_stopped" if embedded.stop(space.graph) else "cli.engine_none"))
