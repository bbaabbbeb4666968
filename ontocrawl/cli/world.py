"""`ontocrawl world`: serve a synthetic web over loopback."""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import note
from ontology.errors import Message


def serve(
    preset: Annotated[str, typer.Option(help="Preset of the synthetic web.")] = "planted",
    pages: Annotated[int, typer.Option(min=1, help="Number of pages of the web.")] = 1200,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 means any free port.")] = 0,
    files: Annotated[
        Path | None, typer.Option(help="Output folder for resolve.txt and labels.json; by default a new temporary one.")
    ] = None,
) -> None:
    """Serve a synthetic web on loopback until interrupted (Ctrl-C).

    The first line on stdout is a JSON object with its URL, seeds and files of addresses and labels.
    """
    from crawler.worlds.synthetic import synthetic_world
    from crawler.worlds.synthetic.serve import serve as start

    world = synthetic_world(preset, pages, seed)
    folder = files or Path(tempfile.mkdtemp(prefix="ontocrawl-world-"))
    folder.mkdir(parents=True, exist_ok=True)
    server = start(world, port=port)
    try:
        first = {
            "url": server.url,
            "seeds": list(world.seeds),
            "pages": len(world),
            "resolve": list(server.resolve),
            "resolve_file": server.write_resolve(folder / "resolve.txt"),
            "labels": server.write_labels(folder / "labels.json"),
        }
        sys.stdout.write(json.dumps(first, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        note(Message("cli.serving"))
        threading.Event().wait()
    finally:
        server.close()
