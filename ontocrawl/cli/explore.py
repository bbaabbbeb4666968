"""`ontocrawl explore`: the explorer in a browser."""

from __future__ import annotations

import webbrowser
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Json, note, print_json
from ontology.errors import Message


def explore(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[WORKSPACE]", help="Folder of the workspace; made if missing.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 means any free port.")] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    public_read: Annotated[
        bool, typer.Option("--public-read", help="Let everybody who can connect read without a session.")
    ] = False,
    https: Annotated[
        bool, typer.Option("--https", help="Browsers come over a proxy that speaks TLS with them.")
    ] = False,
    token_file: Annotated[
        Path | None, typer.Option(help="File with the token, such as a secret of a container; by default a new token.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds that a statement that reads the graph may take.")
    ] = 60.0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    as_json: Json = False,
) -> None:
    """Show the workspace in a browser: ontologies, crawls, proposals, queries.

    The server runs until it is interrupted (Ctrl-C). A browser begins a session by the address that is printed, which
    works once; the next one is printed then. A token of a file is not printed, and is typed into the first page.
    """
    from ontocrawl.base.workspace import asked_or_new
    from ontocrawl.explorer import LIBRARIES
    from ontology.extras import require

    for library in LIBRARIES:
        require(library, "web", "the explorer")
    from ontocrawl.explorer import access, app

    token = None if token_file is None else access.token_of(token_file)
    space, made = asked_or_new(folder)
    if made:
        note(Message("cli.made_workspace", folder=space.root))

    def again() -> None:
        if token is None and not as_json:
            note(Message("cli.explorer_again", address=server.address.opening))

    with app.prepared(
        space, host, port, token, public_read=public_read, https=https, timeout=timeout, used=again
    ) as server:
        address = server.address
        if as_json:
            known = {} if token else {"token": address.token}
            print_json({"url": address.url, **known}, indent=None)
        else:
            if token is None:
                note(Message("cli.explorer_at", address=address.opening))
            else:
                note(Message("cli.explorer_token", site=address.site, file=token_file))
            note(Message("cli.ctrl_c"))
        with address.start_file(space.root) if browser else nullcontext() as start:
            if start is not None:
                webbrowser.open(start.as_uri())
            try:
                server.serve()
            finally:
                server.leave(lambda what: note(Message("cli.explorer_waits", what=what)))
