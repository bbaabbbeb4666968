"""The workspace that the verbs work in, and their callbacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ontocrawl import workspace as workspaces
from ontocrawl.workspace import Workspace

Folder = str | Path
OnStage = Callable[[str], None]
"""Receives a line for the reader before each stage of long work."""


def ignore(line: object) -> None:
    """Take no notice of progress."""


def workspace_of(folder: Folder | None) -> Workspace:
    """The workspace of a folder; of None the nearest one above, else ./ontocrawl-data."""
    return workspaces.find(None if folder is None else Path(folder))[0]
