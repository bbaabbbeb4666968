"""Compare the runs of a workspace with the crawls in its graph: what is missing, partly written, or of no run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crawler.journal import graph_rows
from crawler.journal.graph_rows import RowCounts
from kg import health
from kg.engine.files import FileLock
from kg.health import Survey
from kg.ranking import stored
from kg.store import GraphStore
from ontocrawl import runs
from ontocrawl.errors import OntocrawlError
from ontocrawl.graph_mending import WaysBack
from ontocrawl.graph_problems import Problem
from ontocrawl.graph_writing import GRAPH_LOCK
from ontocrawl.run_config import RunConfig
from ontocrawl.workspace import Workspace


@dataclass(frozen=True)
class RunOfWorkspace:
    """A run as its journal has it."""

    name: str
    config: RunConfig
    rows: RowCounts
    """What a whole projection has written."""
    busy: str
    """What a process does with it, "crawls" or "writes"; "" if nothing."""


def read(space: Workspace) -> tuple[list[RunOfWorkspace], list[str]]:
    """Read the runs of a workspace; return them, and a sentence for each that cannot be read."""
    read_runs, unreadable = [], []
    for name in space.run_names():
        busy = _busy(space, name)
        try:
            with runs.open_journal(space, name) as journal, journal.at_one_moment():
                read_runs.append(RunOfWorkspace(name, runs.read_config(journal), graph_rows.row_counts(journal), busy))
        except OntocrawlError as error:
            unreadable.append(f"run {name} is not compared, because it cannot be read: {error}")
    return read_runs, unreadable


def _busy(space: Workspace, name: str) -> str:
    folder = space.run(name)
    if FileLock(folder / runs.LOCK).is_held():
        return "crawls"
    return "writes" if FileLock(folder / GRAPH_LOCK).is_held() else ""


def compare(
    space: Workspace, graph: GraphStore, survey: Survey, of_workspace: Sequence[RunOfWorkspace], back: WaysBack
) -> Iterator[Problem]:
    """Yield what is wrong with the crawls in a graph, and remarks.

    Args:
        space: the workspace.
        graph: its open graph.
        survey: what the graph holds.
        of_workspace: the runs of the workspace, read before the survey.
        back: the ways back.
    """
    complete = health.crawls(graph)
    for run in of_workspace:
        if busy := run.busy or _busy(space, run.name):
            yield _not_compared(run, busy)
        elif run.config.run not in complete:
            yield _absent(run, back)
        else:
            what = _partly(run, graph, survey, complete)
            if what and (busy := _busy(space, run.name)):  # it began meanwhile
                yield _not_compared(run, busy)
            elif what:
                yield Problem("run", f"run {run.name} is not whole in the graph: {what}", back.rebuild(run.name))
            elif stored.crawl_without(graph, run.config.run):
                what = f"the figures of its links are not stored for run {run.name}; queries that read them refuse it"
                yield Problem("run", what, back.rank(run.name))
    known = {run.config.run for run in of_workspace}
    for crawl in sorted(complete.keys() - known):
        if complete[crawl] is False:
            what = f"crawl {crawl} was not written to its end, and is of no run of this workspace"
            yield Problem("run", what, back.remove_crawl(crawl))
        else:
            yield Problem.remark("run", f"crawl {crawl} is of no run of this workspace (imported, or its run is gone)")


def _not_compared(run: RunOfWorkspace, busy: str) -> Problem:
    return Problem.remark("run", f"run {run.name} is not compared: a command {busy} it now")


def _absent(run: RunOfWorkspace, back: WaysBack) -> Problem:
    what = f"run {run.name} ({run.rows.pages} fetched pages) is not in the graph"
    if run.config.graph:
        return Problem("run", what, back.rebuild(run.name))
    return Problem.remark("run", f"{what}, as was asked for (--no-graph)", back.rebuild(run.name))


def _partly(run: RunOfWorkspace, graph: GraphStore, survey: Survey, complete: Mapping[str, bool | None]) -> str:
    """Return what a crawl in the graph lacks of its run, or has beyond it; "" if they are equal."""
    crawl = run.config.run
    expected = {"FETCHED": run.rows.pages, "LINKS_TO": run.rows.links, "KNOWS": run.rows.known}
    counted = {kind: survey.owned[(kind, crawl)] for kind in expected}
    if counted != expected:  # or the run was written during the survey
        counted = health.crawl_rows(graph, crawl)
    wrong = [f"{counted[kind]} {kind} of {rows}" for kind, rows in expected.items() if counted[kind] != rows]
    if complete[crawl] is False:
        wrong.append("its writing was interrupted")
    if survey.unranked[crawl] and not wrong and (pages := health.unranked(graph, crawl)):
        wrong.append(f"{pages} pages have no rank")
    return ", ".join(wrong)
