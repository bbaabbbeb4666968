"""Templates of pages, from data files: sentences by kind and language, hosts, planted terms."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from crawler.worlds.errors import WorldError

# ---- presets of the synthetic web: topical locality, share of misleading anchors, number of pages of each role


CELL = 50
"""Pages whose roles are drawn together; every cell has the same number of pages of each role."""
_RELEVANT = 9
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
        raise WorldError("worlds.synthetic_preset", name=name, join=", ".join((*PRESETS, *others)))
    return PRESETS[name]


def cell_roles(preset: Preset, cell: int, homes: bool) -> list[tuple[str, str]]:
    """Return (role, kind) of the pages of a cell, in no particular order. Labels follow from them.

    Args:
        preset: preset of the web.
        cell: number of the cell.
        homes: True for the first cell of a district; its first 20 pages, the home pages, are not in the result.
    """
    roles = [("page", "rainstorm")] * (_RELEVANT - preset.hidden) + [("hidden", "rainstorm")] * preset.hidden
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


# ---- templates of pages, from data files: sentences by kind and language, hosts, planted terms


KINDS = ("rainstorm", "bridge", *HARD, *NOISE)


@dataclass(frozen=True)
class Host:
    """A site of the web. Its name ends in .example, a reserved domain."""

    name: str
    title: str
    lang: str
    path: str
    """Form of its URLs: dated, flat, query or section."""
    dates: str
    """Where its pages have their date: url, meta or text."""
    share: Mapping[str, float]
    encoding: str = "utf-8"
    declared: str = "header"
    """Where the encoding is declared: in the HTTP header, or in a meta element only."""


@dataclass(frozen=True)
class Template:
    """The texts of pages of one kind in one language."""

    titles: tuple[str, ...]
    short: tuple[str, ...]
    """Short phrases for anchors instead of a title."""
    headings: tuple[str, ...]
    keywords: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Language:
    """Names, number ranges and page furniture of one language."""

    lists: Mapping[str, tuple[str, ...]]
    ranges: Mapping[str, tuple[int, int]]
    generic: tuple[str, ...]
    filler: tuple[str, ...]
    stray: tuple[str, ...]
    menu: tuple[str, ...]
    side_title: tuple[str, ...]
    hub_titles: tuple[str, ...]
    home_title: str
    footer: str
    published: str


@dataclass(frozen=True)
class Templates:
    """All templates and hosts."""

    hosts: tuple[Host, ...]
    kinds: Mapping[tuple[str, str], Template]
    """(kind, language) -> template."""
    languages: Mapping[str, Language]
    planted: Mapping[str, tuple[str, ...]]
    """Term -> sentences that contain it; in file order."""
    stray_share: float


@cache
def templates() -> Templates:
    """Return the templates of the package, read once."""
    common = _read("common")
    kinds = {(kind, lang): _template(data[lang]) for kind in KINDS for data in [_read(kind)] for lang in ("zh", "en")}
    return Templates(
        hosts=tuple(Host(**host) for host in _read("hosts")["host"]),
        kinds=kinds,
        languages={lang: _language(common[lang]) for lang in ("zh", "en")},
        planted={term["text"]: tuple(term["sentences"]) for term in _read("planted")["term"]},
        stray_share=common["stray_share"],
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("crawler.worlds.synthetic").joinpath("data", f"{name}.toml").read_text("utf-8"))


def _template(data: Mapping[str, list[str]]) -> Template:
    return Template(**{name: tuple(values) for name, values in data.items()})


def _language(data: Mapping[str, Any]) -> Language:
    plain: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
    plain["lists"] = {name: tuple(values) for name, values in data["lists"].items()}
    plain["ranges"] = {name: (low, high) for name, (low, high) in data["ranges"].items()}
    return Language(**plain)
