"""`ontocrawl init`, `demo`, `doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl import demo as demonstration
from ontocrawl import doctor as examination
from ontocrawl import workspace as workspaces
from ontocrawl.cli.output import Folder, Json, note, print_json, stderr, stdout, table, workspace
from ontocrawl.errors import CommandError


def init(folder: Annotated[Path, typer.Argument(metavar="DIR")] = Path()) -> None:
    """Make a workspace: settings, a place for your ontologies and topics, and the runs."""
    made = workspaces.init(folder)
    note(f"workspace made in {made.root.resolve()}; next: `ontocrawl doctor`, `ontocrawl topic list`, `ontocrawl demo`")


def demo(
    out: Annotated[Path, typer.Option(help="Folder for summary.json, report.html and the demo's workspace.")] = Path(
        "ontocrawl-demo"
    ),
    pages: Annotated[int, typer.Option(min=10, help="Pages that each crawl fetches.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the web and of the crawls.")] = 0,
    as_json: Json = False,
) -> None:
    """The whole flow on the bundled sample, offline: abstracts, lattice, ontology, graph, two crawls, proposals."""
    stderr.print("The sample web is served on loopback; nothing leaves this machine.", style="dim")
    summary = demonstration.run(out, pages=pages, seed=seed, on_stage=note)
    if as_json:
        print_json(summary)
        return
    counts = ("documents", "terms", "formal_concepts", "lattice_edges", "classes")
    table("Learned from the sample's abstracts", counts, [[summary[key] for key in counts]])
    weights = sorted(summary["topic_weights"].items(), key=lambda item: (-item[1], item[0]))[:8]
    table("Topic weights, by query over the graph (first 8)", ("word", "weight"), weights)
    keys = ("fetched", "relevant", "relevant_by_label", "accuracy", "stop_reason")
    table(
        "Crawls of the sample web over HTTP",
        ("strategy", *keys),
        [(name, *(figures[key] for key in keys)) for name, figures in summary["crawls"].items()],
        caption="relevant: by the judge, R > sigma; relevant_by_label: by the web's planted truth",
    )
    table("New terms proposed", ("term", "sentence"), [(p["term"], p["sentence"]) for p in summary["proposals"][:10]])
    stdout.print(f"Report: {out / 'report.html'}   Summary: {out / 'summary.json'}", markup=False)


def doctor(folder: Folder = None, as_json: Json = False) -> None:
    """Check this installation and workspace: Python, packages, graph engine, settings in force."""
    checks = examination.examine(workspace(folder, writes=True))
    if as_json:
        print_json({"checks": [{"name": c.name, "ok": c.ok, "found": c.found, "advice": c.advice} for c in checks]})
    else:
        table("Doctor", ("check", "ok", "found", "advice"), [(c.name, c.ok, c.found, c.advice) for c in checks])
    if not all(check.ok for check in checks):
        raise CommandError("something is missing: see the advice above")
