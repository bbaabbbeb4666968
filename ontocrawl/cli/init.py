"""`ontocrawl init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import note, quoted


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Folder of the workspace; by default this folder.")
    ] = Path(),
) -> None:
    """Create a workspace: settings, and folders for ontologies, topics and runs."""
    from ontocrawl.base import workspace as workspaces

    space = workspaces.init(folder)
    here = "" if space.root.resolve() == Path.cwd() else f"`{quoted('cd', space.root)}`, "
    note(f"created {space.root.resolve()}; next: {here}`ontocrawl doctor`, `ontocrawl topic list`")
