"""The files of a lab's results: report.html, .md, .tex, plots/*.svg, results.csv, summary.json, lab.toml, lab.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ontocrawl.base import workspace
from ontocrawl.lab import (
    document,
    ontology_comparison,
    own_comparison,
    paper_claims,
    reporting,
    results,
    statistics,
)
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Grid, Paragraph, Section
from ontocrawl.lab.plots import slug
from ontocrawl.lab.program import program
from ontocrawl.lab.references import title_of
from ontocrawl.lab.results import Comparison, Measured, baseline_of, compare, main_metric, order, spread
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
    cells = results.measured(outcomes)
    parts = reporting.sections(lab, outcomes, cells)
    head = lab.title, workspace.now(), command
    written = {
        "results.csv": results.table(lab, cells).as_csv(),
        "report.html": document.as_html(*head, parts),
        "report.md": document.as_markdown(*head, parts),
        "report.tex": document.as_latex(*head, parts),
        **document.pictures(parts),
        "summary.json": _as_json(_of(lab, outcomes, cells, command, parts)),
        "lab.toml": text,
    }
    failed = [one for one in outcomes if one.failed]
    about = {
        "title": lab.title,
        "command": command,
        "program": program(),
        "lab": lab.model_dump(mode="json"),
        "cells": len(outcomes),
        "failed": [{**_named(one), "error": one.error} for one in failed],
        "files": {name: str(out / name) for name in written},
    }
    written["lab.json"] = _as_json(about)
    for name, content in written.items():
        files.write_atomically(out / name, content.encode())
    return about


def _as_json(value: Any) -> str:
    """Return a JSON document as the text of a file."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _named(one: Outcome) -> dict[str, Any]:
    cell = one.cell
    return {
        "world": cell.world, "strategy": cell.strategy, "guide": cell.guide, "ontology": cell.ontology,
        "seed": cell.seed, **dict(cell.settings),
    }  # fmt: skip


# ---- the main results of a lab in a small JSON document: what pages of docs and other programs show of it


def _of(
    lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured], command: str, sections: Sequence[Section]
) -> dict[str, Any]:
    """Return the main results.

    Args:
        lab: the lab.
        outcomes: the outcomes of its cells.
        cells: those that were measured.
        command: the command that repeats them.
        sections: the sections of the report, which have the claims of the papers.

    Returns:
        A JSON document: what was run, and for each world the systems with their mean relevant pages at the milestones,
        the best one first, Friedman's test and the spread of systems and seeds; the claims of the papers, if the lab
        tests them; what ontologies add, if it crawls with and without; recall and the differences that the lab asks
        for.
    """
    return {
        "title": lab.title,
        "about": lab.about,
        "created": workspace.now(),
        "command": command,
        "fetches": lab.fetches,
        "seeds": lab.seeds,
        "cells": len(outcomes),
        "failed": sum(one.failed for one in outcomes),
        "later": sum(one.is_left for one in outcomes),
        "claims": paper_claims.claims_in(sections),
        "ontology": _ontology(sections),
        "recall": _grids(sections, own_comparison.RECALL_ID),
        "worlds": [_world(lab, cells, w.name) for w in lab.worlds if w.name in reporting.begun(lab, outcomes)],
    }


def _grids(sections: Sequence[Section], id_: str) -> list[dict[str, Any]]:
    """Return the tables of a section; none where the report lacks it."""
    grids = (part for section in sections if section.id == id_ for part in section.parts if isinstance(part, Grid))
    return [{"title": grid.title, "columns": grid.columns, "rows": grid.rows} for grid in grids]


def _ontology(sections: Sequence[Section]) -> dict[str, Any] | None:
    """Return the sentences and the first table about ontologies; None where the report has none."""
    for section in sections:
        if section.id == ontology_comparison.ID:
            grid = next(part for part in section.parts if isinstance(part, Grid))
            told = [part.text for part in section.parts if isinstance(part, Paragraph)]
            return {"told": told, "title": grid.title, "columns": grid.columns, "rows": grid.rows}
    return None


def _world(lab: Lab, cells: Sequence[Measured], world: str) -> dict[str, Any]:
    metric = main_metric(lab, world)
    at = [compare(lab, cells, metric, n, world) for n in lab.milestones_of(world)]
    judged = compare(lab, cells, "relevant_by_judge", lab.fetches_of(world), world)
    last = at[-1]
    baseline = baseline_of(lab, last)
    return {
        "world": world,
        "slug": slug(world),
        "metric": metric,
        "baseline": None if baseline is None else last.systems[baseline],
        "at": list(lab.milestones_of(world)),
        "references": [_reference(name, at) for name in last.references],
        "systems": [_system(last.systems[i], at, judged) for i in order(last)] if last.systems else [],
        **_tests(last),
        "left_out": list(last.left_out),
    }


def _system(name: str, at: Sequence[Comparison], judged: Comparison) -> dict[str, Any]:
    last = at[-1]
    i = last.systems.index(name)
    several, values = len(last.blocks) > 1, last.values[:, i]
    ranks = statistics.block_ranks(last.values)[:, i] if len(last.systems) > 1 else [1.0]
    return {
        "system": name,
        "means": [_mean(one, name) for one in at],
        "interval": [round(end, 4) for end in statistics.mean_interval(values)] if several else None,
        "rank": round(float(sum(ranks)) / len(ranks), 4),
        "by_judge": _mean(judged, name),
    }


def _reference(name: str, at: Sequence[Comparison]) -> dict[str, Any]:
    means = [round(float(one.references[name].mean()), 4) if name in one.references else None for one in at]
    return {"reference": title_of(name), "means": means}


def _mean(one: Comparison, name: str) -> float | None:
    if name not in one.systems:
        return None
    return round(float(one.values[:, one.systems.index(name)].mean()), 4)


def _tests(last: Comparison) -> dict[str, Any]:
    between, within = spread(last) if last.systems else (0.0, 0.0)
    told: dict[str, Any] = {"spread_systems": round(between, 2), "spread_seeds": round(within, 2)}
    if len(last.systems) > 2 and len(last.blocks) > 1:
        test = statistics.friedman(last.values)
        told |= {"friedman_p": test.p, "iman_davenport_p": test.F_p}
    return told
