"""`ontocrawl doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Folder, Json, print_json, table, workspace
from ontocrawl.errors import CommandError


def doctor(
    folder: Folder = None,
    url: Annotated[
        str | None,
        typer.Option("--reach", metavar="URL", help="Also check whether a crawl can fetch this page, and if not, why."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the installation and the workspace: Python, packages, graph engine, settings."""
    from ontocrawl.health import doctor as examination

    checks = examination.examine(workspace(folder, writes=True), url)
    if as_json:
        print_json({"checks": [{"name": c.name, "ok": c.ok, "found": c.found, "advice": c.advice} for c in checks]})
    else:
        table("Doctor", ("check", "ok", "found", "advice"), [(c.name, c.ok, c.found, c.advice) for c in checks])
    if not all(check.ok for check in checks):
        raise CommandError("a check failed: see the advice above")
