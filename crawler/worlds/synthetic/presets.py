"""Presets of the synthetic web: topical locality, share of misleading anchors, number of pages of each role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crawler.worlds.errors import WorldError

CELL = 50
"""Pages whose roles are drawn together; every cell has the same number of pages of each role."""
RELEVANT = 9
"""Relevant pages of a cell, duplicates aside."""
HOSTS = 20
"""Hosts of a district."""
DISTRICT_CELLS = 40
"""Cells that share their hosts; a web of at most 2,000 pages is one district."""
NOISE = ("sports", "recipes", "finance")
HARD = ("earthquake", "fire", "epidemic", "weather")
"""Irrelevant kinds that share words with the topic: other disasters, everyday weather."""


@dataclass(frozen=True)
class Preset:
    """A kind of synthetic web. Shares and probabilities are in [0, 1]."""

    name: str
    title: str
    pages: int = 1200
    """Default number of URLs."""
    relevant_to_relevant: float = 0.45
    """Share of a relevant page's content links that lead to a relevant page (topical locality)."""
    hard_to_relevant: float = 0.10
    noise_to_relevant: float = 0.04
    generic_anchors: float = 0.15
    """Share of content links with a generic anchor."""
    misleading_anchors: float = 0.35
    """Share of a hub's links whose anchor is about another subject than the target."""
    hidden: int = 3
    """Relevant pages of a cell that can be reached through irrelevant gates only."""
    failures: bool = True
    """Whether some URLs have status 404 or 500 or redirect in a loop."""


_ALL = (
    Preset("planted", "topical clusters, tunnels, other disasters, noise, hubs, failures"),
    Preset(
        "tangled",
        "as planted, with weak locality, more hidden clusters and anchors that lie",
        pages=2000,
        relevant_to_relevant=0.30,
        generic_anchors=0.35,
        misleading_anchors=0.60,
        hidden=5,
    ),
    Preset(
        "clean",
        "as planted, without tunnels, failures and misleading anchors",
        hidden=0,
        failures=False,
        misleading_anchors=0.0,
    ),
)
PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _ALL}


def preset_of(name: str, *others: str) -> Preset:
    """Return a preset by its name.

    Args:
        name: the name.
        others: presets of another family, for the message.

    Raises:
        WorldError: an unknown name; the message lists all presets.
    """
    if name not in PRESETS:
        raise WorldError(f"there is no synthetic preset {name!r}; choose one of: {', '.join((*PRESETS, *others))}")
    return PRESETS[name]


def cell_roles(preset: Preset, cell: int, homes: bool) -> list[tuple[str, str]]:
    """Return (role, kind) of the pages of a cell, in no particular order. Labels follow from them.

    Args:
        preset: preset of the web.
        cell: number of the cell.
        homes: True for the first cell of a district; its first 20 pages, the home pages, are not in the result.
    """
    roles = [("page", "rainstorm")] * (RELEVANT - preset.hidden) + [("hidden", "rainstorm")] * preset.hidden
    if preset.hidden:
        roles += [("gate", "bridge")] * (2 if cell % 3 == 1 else 1)
    roles += [("page", "bridge"), ("hub", "hub"), ("duplicate", ""), ("private", "finance")]
    roles += [("page", kind) for kind in HARD] * (1 if homes else 3)
    if preset.failures:
        roles += [("redirect", "")] * 2 + [("missing", "sports")] + ([("broken", "finance")] if cell % 4 == 0 else [])
    if not homes:
        roles += [("hub", "hub")] * 2 + [("private", "sports")]
    rest = CELL - HOSTS - len(roles) if homes else CELL - len(roles)
    return roles + [("page", NOISE[number % len(NOISE)]) for number in range(rest)]
