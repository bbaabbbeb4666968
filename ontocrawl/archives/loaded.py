"""Scored archives that the graph has as crawls: how they are told from others, and where their tables are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import CommandError, UsageError

STRATEGY = "archive score"
"""What a crawl in the graph has as its strategy, where it is a scored archive."""
WORLD = "archive:"
"""Beginning of its world, before the folder of the tables, which is relative to the workspace if it is in it."""


@dataclass(frozen=True)
class LoadedArchive:
    """A scored archive that the graph has as a crawl: the name of its topic, and the folder of its tables."""

    topic: str
    folder: Path


def loaded(space: Workspace, graph: GraphStore, name: str) -> LoadedArchive | None:
    """Return the archive that a name means.

    Args:
        space: the workspace; a run that it has takes precedence.
        graph: the open graph.
        name: name of a run, or of a crawl in the graph.

    Returns:
        The archive; None for a run of the workspace, and for a name that means nothing.
    """
    row = None if name in space.run_names() else enrich.crawl_facts(graph, name)
    if row is None or row["strategy"] != STRATEGY:
        return None
    return LoadedArchive(row["topic"], space.root / row["world"].removeprefix(WORLD))


def require_free(space: Workspace, graph: GraphStore, name: str, topic: str, place: str) -> None:
    """Raise UsageError where a name means another crawl than the archive in some tables.

    Args:
        space: the workspace.
        graph: the open graph.
        name: id for the crawl in the graph.
        topic: topic of the tables.
        place: where they are, as of `Workspace.relative`.
    """
    if (space.run(name) / JOURNAL).exists():
        raise UsageError("archives.run_workspace_give_another", name=name)
    row = enrich.crawl_facts(graph, name)
    if row is not None and (row["strategy"], row["topic"], row["world"]) != (STRATEGY, topic, f"{WORLD}{place}"):
        raise UsageError(
            "archives.graph_already_remove_give",
            name=name,
            strategy=row["strategy"],
            topic=row["topic"],
            world=row["world"],
        )


def refuse_archive(graph: GraphStore, name: str) -> None:
    """Raise CommandError where the graph has a scored archive by the name of a run, which is to be written into it."""
    row = enrich.crawl_facts(graph, name)
    if row is not None and row["strategy"] == STRATEGY:
        raise CommandError("archives.graph_scored_archive_name", name=name)


def refuse_other(graph: GraphStore, name: str, started: str) -> None:
    """Raise CommandError where the graph has another run by the name of one, which is to be written into it.

    Args:
        graph: the open graph.
        name: name of the run.
        started: when the run was started, by which runs of two workspaces are told apart.
    """
    row = enrich.crawl_facts(graph, name)
    if row is not None and row["strategy"] != STRATEGY and row["started"] not in (None, started):
        raise CommandError("archives.graph_another_run_name", name=name, topic=row["topic"], started=row["started"])
