"""The files of a lab's results: report.html, .md, .tex, plots/*.svg, results.csv, summary.json, lab.toml, lab.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ontocrawl.base import workspace
from ontocrawl.lab import document, reporting, results, summary
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.program import program
from ontocrawl.lab.running import Outcome
from ontology import files


def write(lab: Lab, text: str, outcomes: Sequence[Outcome], out: Path, command: str) -> dict[str, Any]:
    """Write all files of the results.

    Args:
        lab: the lab.
        text: its file as written.
        outcomes: the outcomes of its cells.
        out: folder of the results.
        command: the command that repeats them.

    Returns:
        What ``lab run --json`` prints.
    """
    cells = results.measured(lab, outcomes)
    parts = reporting.sections(lab, outcomes, cells)
    head = lab.title, workspace.now(), command
    written = {
        "results.csv": results.table(lab, cells).as_csv(),
        "report.html": document.as_html(*head, parts),
        "report.md": document.as_markdown(*head, parts),
        "report.tex": document.as_latex(*head, parts),
        **document.pictures(parts),
        "summary.json": as_json(summary.of(lab, outcomes, cells, command, parts)),
        "lab.toml": text,
    }
    failed = [one for one in outcomes if one.trace is None]
    about = {
        "title": lab.title,
        "command": command,
        "program": program(),
        "lab": lab.model_dump(mode="json"),
        "cells": len(outcomes),
        "failed": [{**_named(one), "error": one.error} for one in failed],
        "files": {name: str(out / name) for name in written},
    }
    written["lab.json"] = as_json(about)
    for name, content in written.items():
        files.write_atomically(out / name, content.encode())
    return about


def as_json(value: Any) -> str:
    """Return a JSON document as the text of a file."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _named(one: Outcome) -> dict[str, Any]:
    cell = one.cell
    return {
        "world": cell.world, "strategy": cell.strategy, "guide": cell.guide, "ontology": cell.ontology,
        "seed": cell.seed, **dict(cell.settings),
    }  # fmt: skip
