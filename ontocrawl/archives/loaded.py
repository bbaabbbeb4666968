"""Scored archives that the graph has as crawls: how they are told from others, and where their tables are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg import enrich
from kg.store import GraphStore
from ontocrawl.workspace import Workspace

STRATEGY = "archive score"
"""What a crawl in the graph has as its strategy, where it is a scored archive."""
WORLD = "archive:"
"""Beginning of its world, before the folder of the tables."""


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
    return LoadedArchive(row["topic"], Path(row["world"].removeprefix(WORLD)))
