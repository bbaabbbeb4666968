"""`ontocrawl mcp`: the tools of a workspace over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def mcp(
    folder: Annotated[Path | None, typer.Argument(metavar="[WORKSPACE]", help="Folder of the workspace.")] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds that a statement that reads the graph may take.")
    ] = 60.0,
) -> None:
    """Serve queries, explanations, proposals and verdicts to an assistant, over MCP on stdin and stdout.

    A client starts the command and ends it by closing stdin. Nothing but the protocol is written to stdout.
    """
    from ontocrawl.base.workspace import asked
    from ontology.extras import require

    require("mcp", "mcp", "the server of MCP")
    from ontocrawl.mcp import serving

    serving.serve(asked(folder), timeout)
