"""Templates of pages, from data files: sentences by kind and language, hosts, planted terms."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from crawler.worlds.synthetic.presets import HARD, NOISE

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
