"""docs/world-parameters.md: the parameters of the calibrated webs, their values by preset, the ranges of real webs.

python -m tools.world_parameters [PAGE] [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from crawler.worlds.synthetic.calibrated.parameters import CALIBRATED, Parameters
from ontocrawl.lab import web_figures
from tools import generated_page

MODULE = "tools.world_parameters"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "world-parameters.md"


def _grid(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *rows)]


def build(page: Path) -> str:
    """Return the text of the page; its path is not used."""
    ranges = web_figures.ranges()
    rows = []
    for name, field in Parameters.__dataclass_fields__.items():
        figure = field.metadata["figure"]
        measured = f"`{figure}`: {ranges[figure][0]:g} to {ranges[figure][1]:g}" if figure in ranges else figure
        values = [f"{getattr(preset.parameters, name):g}" for preset in CALIBRATED.values()]
        limits = f"{field.metadata['low']:g} to {field.metadata['high']:g}"
        rows.append([f"`{name}`", field.metadata["meaning"], *values, limits, measured])
    columns = ("parameter", "is", *(f"`{name}`" for name in CALIBRATED), "may be", "figure, and its range on real webs")
    others = sorted(set(ranges) - {field.metadata["figure"] for field in Parameters.__dataclass_fields__.values()})
    lines = [
        "# Parameters of the calibrated webs",
        "",
        f"Written by `python -m {MODULE}`; not edited by hand.",
        "[Webs to crawl](compare.md#choose-a-web-to-crawl) says how to use them.",
        "",
        "Each parameter is calibrated to a figure that was measured on real webs by `python -m tools.real_webs`;",
        "`none` says why there is no such figure.",
        "A description changes any of them: `synthetic:rainstorm?pages=50000&seed=3&tunnels=2&misleading=0.2`.",
        "",
        *_grid(columns, rows),
        "",
        "Figures that follow from several parameters, and their ranges on real webs:",
        "",
        *_grid(("figure", "least", "largest"), [(f"`{one}`", *(f"{end:g}" for end in ranges[one])) for one in others]),
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the page."""
    return generated_page.main(arguments, MODULE, __doc__, PAGE, build)


if __name__ == "__main__":
    sys.exit(main())
