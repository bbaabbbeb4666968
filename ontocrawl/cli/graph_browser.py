"""`ontocrawl graph browser`: style, saved queries and guide for Neo4j Browser."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Json, note, print_json, print_part, tabled
from ontocrawl.errors import UsageError
from ontology.errors import Message


def browser(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Output folder. Existing files of the same names are replaced.")
    ],
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the guide on loopback until interrupted (Ctrl-C).")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port for --serve; 0 means any free port.")] = 8001,
    as_json: Json = False,
) -> None:
    """Write a style, the query library as saved queries, and a guide for Neo4j Browser into a folder.

    It needs no graph. Neo4j Browser loads a guide by its URL: --serve offers it on this machine.
    """
    from kg import browser as assets
    from ontocrawl.graph import guide_server

    if folder.exists() and not folder.is_dir():
        raise UsageError("cli.file_name_folder", folder=folder)
    paths = assets.write_folder(folder)
    if as_json:
        print_json({"folder": str(folder), "files": [path.name for path in paths]})
    else:
        print_part(tabled(Message("cli.exported_to", path=folder), ("file", "what it is"), assets.FILES.items()))
    if serve:
        with guide_server.served(folder, port) as url:
            note(Message("cli.guide_html", url=f"{url}/{assets.GUIDE_HTML}"))
            note(Message("cli.guide_asciidoc", url=f"{url}/{assets.GUIDE_ASCIIDOC}"))
            note(Message("cli.serving"))
            threading.Event().wait()
