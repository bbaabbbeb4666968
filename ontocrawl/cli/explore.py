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
    token_file: Annotated[
        Path | None, typer.Option(help="File with the token, such as a secret of a container; by default a new token.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    as_json: Json = False,
) -> None:
    """Show the workspace in a browser: ontologies, crawls, proposals, queries.

    The server runs until it is interrupted (Ctrl-C). Changes need the token of the address that it prints; a token of
    a file is not printed.
    """
    from ontocrawl.base.workspace import asked
    from ontocrawl.explorer import LIBRARIES
    from ontology.extras import require

    for library in LIBRARIES:
        require(library, "web", "the explorer")
    from ontocrawl.explorer import access, app

    token = None if token_file is None else access.token_of(token_file)
    with app.prepared(asked(folder), host, port, token) as server:
        address = server.address
        shown = address.opening if token is None else f"{address.url}session?token=TOKEN, with that of {token_file}"
        if as_json:
            known = {} if token else {"token": address.token}
            print_json({"url": address.url, **known}, indent=None)
        else:
            note(f"explorer: {shown}")
            note("Ctrl-C ends it")
        if browser:
            typer.launch(address.opening)
        server.serve()
