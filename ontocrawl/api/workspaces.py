"""The workspace argument and the callbacks of the Python interface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ontocrawl.api import arguments
from ontocrawl.base import workspace as workspaces
from ontocrawl.base.workspace import Workspace

Folder = str | Path
OnStage = Callable[[str], None]
"""Callback called with a description of each stage of a long task when it begins."""


def ignore(line: object) -> None:
    """Ignore a progress message."""


def workspace_of(folder: Folder | None) -> Workspace:
    """Return the workspace of a folder; for None the nearest one at or above, else ./ontocrawl-data."""
    arguments.require_path(workspace=folder)
    return workspaces.find(None if folder is None else Path(folder).absolute())[0]
