"""What the verbs share: the workspace that they work in, and callbacks."""

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
    return workspaces.find(None if folder is None else Path(folder))[0]
