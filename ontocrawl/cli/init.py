"""`ontocrawl init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import note, quoted
from ontology.errors import Message


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="Folder of the workspace; by default this folder.")
    ] = Path(),
) -> None:
    """Create a workspace: settings, and folders for ontologies, topics and runs."""
    from ontocrawl.base import workspace as workspaces

    space = workspaces.init(folder)
    there = "" if space.root.resolve() == Path.cwd() else f"`{quoted('cd', space.root)}`, "
    note(Message("cli.made_here", folder=space.root.resolve(), there=there))
