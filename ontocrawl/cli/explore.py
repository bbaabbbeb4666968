"""`ontocrawl explore`: the explorer in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Json, note, print_json


def explore(
    folder: Annotated[Path | None, typer.Argument(metavar="[WORKSPACE]", help="Folder of the workspace.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 means any free port.")] = 0,
    host: Annotated[
        str, typer.Option(help="Address to listen on. On another than loopback, reading needs the token too.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    as_json: Json = False,
) -> None:
    """Show the workspace in a browser: ontologies, crawls, proposals, queries.

    The server runs until it is interrupted (Ctrl-C). Changes need the token of the address that it prints.
    """
    from ontocrawl.explorer import LIBRARIES
    from ontocrawl.workspace import asked
    from ontology.extras import require

    for library in LIBRARIES:
        require(library, "web", "the explorer")
    from ontocrawl.explorer import serving

    with serving.prepared(asked(folder), host, port) as server:
        address = server.address
        if as_json:
            print_json({"url": address.url, "token": address.token}, indent=None)
        else:
            note(f"explorer: {address.opening}")
            note("Ctrl-C ends it")
        if browser:
            typer.launch(address.opening)
        server.serve()
