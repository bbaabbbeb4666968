"""The ranges that figures have on real webs, as `python -m tools.real_webs` measured them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("real_webs.json")


@cache
def ranges() -> Mapping[str, tuple[float, float]]:
    """Return the least and the largest value of each figure, by its flat name, such as ``locality.relevant``."""
    measured = json.loads(FILE.read_text(encoding="utf-8"))["figures"]
    return {name: (low, high) for name, one in measured.items() for low, high in [one["range"]]}


def flat(figures: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures of a web that say what kind of web it is, by flat names; sizes and counts are left out.

    Args:
        figures: what ``web_figures.figures`` returns.
    """
    found: dict[str, float] = {}
    for name in ("base_rate", "reachable", "reciprocity", "dead_ends", "most_linked"):
        found[name] = figures[name]
    for name in ("locality", "islands", "anchors"):
        found |= {f"{name}.{part}": value for part, value in (figures[name] or {}).items()}
    for name in ("out_degree", "in_degree"):
        found |= {f"{name}.{part}": figures[name][part] for part in ("p50", "p90", "p99")}
    if figures["tunnels"]:
        found["tunnelled"] = tunnelled(figures["tunnels"])
    return {name: value for name, value in found.items() if value is not None}


def tunnelled(tunnels: Mapping[str, int]) -> float:
    """Return the share of the relevant pages that cost an irrelevant page or more on the way."""
    total = sum(tunnels.values())
    return round((total - tunnels.get("0", 0)) / total, 4) if total else 0.0


def known(figures: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return the ranges on real webs of those of a web's figures that have one, as values of JSON.

    Args:
        figures: what ``web_figures.figures`` returns.
    """
    return {name: list(ranges()[name]) for name in flat(figures) if name in ranges()}


def outside(figures: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Return the figures of a web that no real web has: its value, the least and the largest on real webs.

    Args:
        figures: what ``web_figures.figures`` returns.
    """
    measured = flat(figures)
    limits = {name: (measured[name], *ranges()[name]) for name in known(figures)}
    return {name: (value, low, high) for name, (value, low, high) in limits.items() if not low <= value <= high}
