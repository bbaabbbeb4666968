"""`ontocrawl doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, Folder, tabled, workspace
from ontology.errors import Message


def doctor(
    folder: Folder = None,
    url: Annotated[
        str | None,
        typer.Option("--reach", metavar="URL", help="Also check whether a crawl can fetch this page, and if not, why."),
    ] = None,
) -> Answer:
    """Check the installation and the workspace: Python, packages, graph engine, settings."""
    from ontocrawl.health import doctor as examination

    checks = examination.examine(workspace(folder, writes=True), url)
    rows = [{"name": c.name, "ok": c.ok, "found": c.found, "advice": c.advice} for c in checks]
    shown = tabled("Doctor", ("check", "ok", "found", "advice"), [tuple(row.values()) for row in rows])
    all_ok = all(check.ok for check in checks)
    return Answer({"checks": rows}, [shown], failure="" if all_ok else Message("cli.check_failed"))
