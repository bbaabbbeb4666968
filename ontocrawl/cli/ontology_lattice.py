"""`ontocrawl ontology lattice`: the formal concepts of a context, their stability, and implications."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.ontology_draw import MaxConcepts
from ontocrawl.cli.output import Answer, note, progress, tabled
from ontology.errors import Message

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table
    from ontology.context import FormalContext
    from ontology.lattice import Basis, Cut, Lattice, Stability

SEED = 0
"""Random seed of the samples that estimate a stability too large to compute exactly."""
SHOWN = 20


def lattice(
    file: Annotated[Path, typer.Argument(
        help="A formal context: .cxt, .csv, .json, .dat, .ctx, .cex, .tsv (also .gz, .xz), .parquet."
    )],
    min_support: Annotated[int, typer.Option(min=0, help="Only concepts with at least this support.")] = 0,
    min_stability: Annotated[
        float | None, typer.Option(min=0, max=1, help="Only concepts with at least this intensional stability.")
    ] = None,
    with_stability: Annotated[bool, typer.Option("--stability", help="Compute the stability of the concepts.")] = False,
    with_basis: Annotated[
        bool, typer.Option("--basis", help="Compute the canonical basis of implications with at least --min-support.")
    ] = False,
    cut: Annotated[bool, typer.Option("--cut", help="Cut a lattice above --limit to the iceberg that fits.")]
    = False,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of concepts.")] = 2_000_000,
    svg: Annotated[Path | None, typer.Option(help="Output file for a line diagram: .svg.")] = None,
    max_concepts: MaxConcepts = None,
    out: Annotated[Path | None, typer.Option(help="Output file for all concepts and covers: JSON.")] = None,
) -> Answer:  # fmt: skip
    """Compute the concept lattice of a formal context; optionally stability and implications."""
    from ontocrawl.versions.learning import write_text
    from ontology import formats
    from ontology.draw import lattice_svg
    from ontology.formats import lattice_json
    from ontology.lattice import stable_part

    context = formats.read(ontology_arguments.file(str(file), "a formal context"), note)
    started = time.perf_counter()
    found, cut_to = _concepts(context, min_support, limit, cut)
    result = _summary(context, found, time.perf_counter() - started, cut_to)
    stabilities: Stability | None = None
    if with_stability or min_stability is not None:
        stabilities = _stabilities(found)
        result["stability"] = _stability_summary(stabilities)
    if stabilities is not None and min_stability is not None:
        before = len(found)
        part = stable_part(found, stabilities, min_stability)
        found, stabilities = part, stabilities.of(part.kept)
        result |= {"concepts": len(found), "edges": len(found.covers)}
        result["stability"] |= {"minimum": min_stability, "concepts_before": before}
    basis = _basis(context, found.min_support) if with_basis else None
    if basis is not None:
        result["implications"] = len(basis)
    notes = []
    for path, write in ((svg, lambda p: write_text(p, lattice_svg(found, max_concepts=max_concepts))),
                        (out, lambda p: lattice_json.write(found, p, stability=stabilities, basis=basis))):  # fmt: skip
        if path is not None:
            write(path)
            notes.append(Message("cli.written", path=path))
    tables = _tables(file, result, basis)
    if basis is not None:
        result["basis"] = [{"premise": p, "conclusion": c, "support": s} for p, c, s in basis.named()]
    return Answer(result, tables, notes)


def _concepts(context: FormalContext, min_support: int, limit: int, cut: bool) -> tuple[Lattice, Cut | None]:
    from ontology.lattice import lattice as all_concepts
    from ontology.lattice import lattice_that_fits

    with _counter(Message("cli.doing_concepts")) as watch:
        if not cut:
            return all_concepts(context, min_support=min_support, limit=limit, watch=watch), None
        found, cut_to = lattice_that_fits(context, min_support=min_support, limit=limit, watch=watch)
    if cut_to is not None:
        note(cut_to.text)
    return found, cut_to


def _stabilities(found: Lattice) -> Stability:
    import numpy as np

    from ontology.lattice import stability

    with _counter(Message("cli.doing_stability"), len(found)) as watch:
        stabilities = stability(found, rng=np.random.default_rng(SEED), watch=watch)
    estimated = int((~stabilities.exact).sum())
    if estimated:
        error, concepts = float(stabilities.standard_error.max()), len(found)
        note(Message("cli.stability_estimated", estimated=estimated, concepts=concepts, seed=SEED, error=error))
    return stabilities


def _basis(context: FormalContext, min_support: int) -> Basis:
    from ontology.lattice import canonical_basis

    with _counter(Message("cli.doing_implications")) as watch:
        return canonical_basis(context, min_support=min_support, watch=watch)


@contextmanager
def _counter(description: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    with progress(description, total) as (bar, task):
        yield lambda done: bar.update(task, completed=done)


def _summary(context: FormalContext, found: Lattice, seconds: float, cut_to: Cut | None) -> dict[str, Any]:
    return {
        "objects": len(context.objects),
        "attributes": len(context.attributes),
        "concepts": len(found),
        "edges": len(found.covers),
        "seconds": round(seconds, 6),
        "min_support": found.min_support,
        "cut": None if cut_to is None else
        {"min_support": cut_to.min_support, "estimate": round(cut_to.estimate), "limit": cut_to.limit},
    }  # fmt: skip


def _stability_summary(stabilities: Stability) -> dict[str, Any]:
    import numpy as np

    return {
        "median": float(np.median(stabilities.values)),
        "exact": int(stabilities.exact.sum()),
        "estimated": int((~stabilities.exact).sum()),
        "largest_standard_error": float(stabilities.standard_error.max()),
    }


def _tables(file: Path, result: dict[str, Any], basis: Basis | None) -> list[Table]:
    of_stability = {f"stability, {k}": v for k, v in result.get("stability", {}).items()}
    shown = {k: v for k, v in (result | of_stability).items() if v is not None and k not in ("cut", "stability")}
    tables = [tabled(str(file), ("", ""), shown.items())]
    if basis is not None and len(basis):
        rows = sorted(basis.named(), key=lambda row: -row[2])
        more = Message("cli.more_in_out", more=len(rows) - SHOWN) if len(rows) > SHOWN else ""
        found = ((" ".join(p) or "(always)", " ".join(c), s) for p, c, s in rows[:SHOWN])
        tables.append(tabled("implications", ("premise", "conclusion", "objects"), found, caption=more))
    return tables
