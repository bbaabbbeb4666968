"""`ontocrawl graph`: load, remove, status, migrate, rank, rebuild, stop; export and import are graph_exchange's."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import queries
from crawler.journal import JournalError
from kg import embedded, schema
from kg.load import load_ontology, remove_ontology
from kg.pagerank import rank_crawl
from ontocrawl import runs, topics, wiring
from ontocrawl.cli import graph_exchange
from ontocrawl.cli.ontology_convert import tell
from ontocrawl.cli.output import Folder, Json, note, print_json, stdout, table, workspace
from ontocrawl.errors import UsageError
from ontology import owl

app = typer.Typer(
    help="The property graph: Neo4j (NEO4J_URI), or the embedded engine of the workspace.", no_args_is_help=True
)
app.command()(graph_exchange.export)
app.command("import")(graph_exchange.import_)

_COUNTS = (
    ("ontologies", "MATCH (n:Ontology) RETURN count(n) AS n"),
    ("concepts", "MATCH (n:Concept) RETURN count(n) AS n"),
    ("documents", "MATCH (n:Document) RETURN count(n) AS n"),
    ("crawls", "MATCH (n:Crawl) RETURN count(n) AS n"),
    ("pages", "MATCH (n:Page) RETURN count(n) AS n"),
    ("links", "MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS n"),
    ("proposals", "MATCH (n:Proposal) RETURN count(n) AS n"),
)


@app.command()
def load(
    what: Annotated[list[str], typer.Argument(metavar="TOPIC|FILE..", help="A topic's name, or ontology files.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write ontologies into the graph; loading one again replaces it."""
    space = workspace(folder, writes=True)
    ontologies = []
    for item in what:
        path = Path(item)
        if path.suffix.lower() in owl.SUFFIXES:
            loaded = owl.load(path)
            tell(loaded, loaded.report.skipped)
            ontologies.append(loaded.ontology)
        else:
            ontologies += topics.ontologies(topics.load(item, space), space)
    if not ontologies:
        raise UsageError(f"{', '.join(what)}: no ontology to load; the topic names none")
    with wiring.store(space) as graph:
        reports = [load_ontology(graph, ontology) for ontology in ontologies]
    if as_json:
        print_json({"loaded": [asdict(report) for report in reports]})
        return
    keys = list(asdict(reports[0]))
    table("Loaded", keys, [[asdict(report)[key] for key in keys] for report in reports])


@app.command()
def remove(
    what: Annotated[str, typer.Argument(metavar="IRI|TOPIC", help="An ontology's IRI, or a topic for all of its.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Take ontologies out of the graph, with their relations and weights; `crawl remove` does it for a crawl."""
    space = workspace(folder, writes=True)
    iris = [what] if "://" in what else [o.iri for o in topics.ontologies(topics.load(what, space), space)]
    with wiring.store(space) as graph:
        reports = [remove_ontology(graph, iri) for iri in iris]
    if as_json:
        print_json({"removed": [asdict(report) for report in reports]})
        return
    keys = list(asdict(reports[0])) if reports else ["ontology"]
    table("Removed", keys, [[asdict(report)[key] for key in keys] for report in reports])


@app.command()
def status(folder: Folder = None, as_json: Json = False) -> None:
    """What the graph holds, and whether its schema is the one of this version. Changes nothing."""
    space = workspace(folder, writes=True)
    with wiring.store(space, migrate=False) as graph:
        counts = {name: graph.read(query)[0]["n"] for name, query in _COUNTS}
        state = schema.status(graph)
    engine = space.settings.graph.uri or f"embedded engine in {space.graph}"
    if as_json:
        print_json({"engine": engine, "counts": counts, "schema": asdict(state)})
        return
    table(engine, ("", "count"), counts.items())
    if state.current:
        note(f"schema: version {state.version}, as expected")
    else:
        found = "no version" if state.version is None else f"version {state.version}"
        note(f"schema: {found}; version {state.expected} is expected: ontocrawl graph migrate --dry-run")


@app.command()
def migrate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be run.")] = False,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Bring the graph's keys, indexes and data to this version; every command that opens the graph does so too."""
    space = workspace(folder, writes=True)
    with wiring.store(space, migrate=False) as graph:
        missing = schema.plan(graph)
        state = schema.status(graph) if dry_run else schema.apply(graph)
    if as_json:
        print_json({"dry_run": dry_run, **asdict(missing), "status": asdict(state)})
        return
    for statement in (*missing.schema, *(statement for _, statement in missing.migrations)):
        stdout.print(f"{statement};", markup=False, soft_wrap=True)
    note("nothing is to be done" if missing == schema.SchemaPlan() else "not run (--dry-run)" if dry_run else "done")


@app.command()
def rank(
    run_name: Annotated[str, typer.Argument(metavar="RUN")],
    topic_biased: Annotated[
        bool, typer.Option("--topic-biased", help="The repaired Eq. (8) instead of Eq. (7).")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="Pages to show.")] = 20,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """PageRank of a run's link graph (paper 000, section 4.2), written back into the graph."""
    query = queries.get("pages/top_by_pagerank")
    with wiring.store(workspace(folder, writes=True)) as graph:
        report = rank_crawl(graph, run_name, topic_biased=topic_biased)
        rows = graph.read(query.text, **query.bind({"crawl": run_name, "limit": str(limit)}))
    if as_json:
        print_json({**asdict(report), "pages": rows})
        return
    table(f"PageRank of {run_name}", query.returns, [[row[c] for c in query.returns] for row in rows])


@app.command()
def rebuild(
    run_name: Annotated[str | None, typer.Argument(metavar="RUN")] = None, folder: Folder = None, as_json: Json = False
) -> None:
    """Write runs into the graph again from their journals; by default all runs of the workspace."""
    space = workspace(folder, writes=True)
    names = [run_name] if run_name else sorted(p.parent.name for p in space.runs.glob(f"*/{runs.JOURNAL}"))
    with wiring.store(space) as graph:
        reports = {}
        for name in names:
            try:
                reports[name] = runs.project(space, name, graph)
            except JournalError as error:
                if run_name:
                    raise
                note(f"left out: {error}")
    if as_json:
        print_json({"runs": {name: asdict(report) for name, report in reports.items()}})
        return
    for name, report in reports.items():
        table(f"Run {name}", ("", "rows"), asdict(report).items())


@app.command()
def stop(folder: Folder = None) -> None:
    """End the embedded engine of the workspace now; it would end by itself soon after its last user."""
    space = workspace(folder, writes=True)
    note("stopped" if embedded.stop(space.graph) else "no embedded engine is running here")
