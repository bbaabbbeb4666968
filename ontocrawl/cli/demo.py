"""`ontocrawl demo`."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import measures
from ontocrawl.cli.output import Answer, Line, named, note, quoted, stderr, tabled
from ontocrawl.explorer import LIBRARIES
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.cli.output import Part


def demo(
    out: Annotated[
        Path, typer.Option(help="Output folder for summary.json, report.html and the workspace of the demo.")
    ] = Path("ontocrawl-demo"),
    pages: Annotated[int, typer.Option(min=10, help="Number of pages that each crawl fetches.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
) -> Answer:
    """Run the whole workflow on the bundled sample, offline: learn, crawl, propose, apply, crawl again."""
    from ontocrawl import demo as demonstration
    from ontocrawl.report.data import FIGURES

    stderr.print(Message("demo.offline"), style="dim")
    summary = demonstration.run(out, pages=pages, seed=seed, on_stage=note)
    weights = sorted(summary["topic_weights"].items(), key=lambda item: (-item[1], item[0]))[:8]
    crawls = {_named(crawl): crawl["milestones"] for crawl in summary["crawls"]}
    terms = [(p["term"], p["sentence"]) for p in summary["proposals"][:10]]
    missing = any(find_spec(library) is None for library in LIBRARIES)
    return Answer(
        summary,
        [
            tabled("Learned from the sample's abstracts", FIGURES, [[summary[key] for key in FIGURES]]),
            tabled("Topic weights by query (first 8)", ("word", "weight"), weights),
            measures.at_milestones("Crawls of the sample web over HTTP", crawls),
            tabled("New terms proposed", ("term", "sentence"), terms),
            *_round(summary["enrichment"], summary["crawls"][1]),
            Message("demo.written", report=out / "report.html", summary=out / "summary.json"),
            Line(opening(out / "workspace", _program(), missing=missing), wrap=False),
        ],
    )


def opening(space: Path, program: str, *, missing: bool) -> str:
    """Return the line that says how to open the explorer.

    Args:
        space: folder of the workspace.
        program: the command line's program, as it was called.
        missing: whether the extra has to be installed first.

    >>> opening(Path("demo/workspace"), ".venv/bin/ontocrawl", missing=True)
    "In a browser: .venv/bin/pip install 'ontocrawl[web]', then .venv/bin/ontocrawl explore demo/workspace"
    """
    explore = quoted(program, "explore", space)
    install = quoted(Path(program).with_name("pip"), "install", "ontocrawl[web]")
    return Message("demo.open_after" if missing else "demo.open", install=install, explore=explore)


def _program() -> str:
    """Return the program as it was called, where the shell would not find it by its name alone."""
    called = sys.argv[0]
    return called if Path(called).stem == "ontocrawl" and shutil.which("ontocrawl") != called else "ontocrawl"


def _named(crawl: dict[str, Any]) -> str:
    if crawl["ontology"] is None:
        return str(crawl["strategy"])
    return Message("demo.by", strategy=crawl["strategy"], ontology=named("heading", crawl["ontology"]))


def _round(round_: dict[str, Any], before: dict[str, Any]) -> tuple[Part, ...]:
    """Return what the proposals made of the ontology, and both crawls."""
    after = round_["second_crawl"]
    figures = {key: round_[key] for key in ("accepted", "proposed", "min_pages", "prior", "version")}
    milestones: dict[str, Any] = {
        Message("demo.by_learned", version=round_["prior"]): before["milestones"],
        Message("demo.by_version", version=round_["version"]): after["milestones"],
    }
    return Message("demo.accepted", **figures), measures.at_milestones("Crawled before and after", milestones)
