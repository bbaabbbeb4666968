"""`ontocrawl init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import note


def init(folder: Annotated[Path, typer.Argument(metavar="DIR")] = Path()) -> None:
    """Make a workspace: settings, a place for your ontologies and topics, and the runs."""
    from ontocrawl import workspace as workspaces

    made = workspaces.init(folder)
    note(f"workspace made in {made.root.resolve()}; next: `ontocrawl doctor`, `ontocrawl topic list`, `ontocrawl demo`")
