"""A lab as a TOML file: worlds x axes x seeds, what is measured where, and the cells that come of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl

from pydantic import Field, model_validator

from ontocrawl.config import CrawlSettings, Section, checked
from ontocrawl.errors import Option, UsageError, nearest
from ontocrawl.lab.references import Kind

AXES = ("strategy", "guide", "ontology")
"""Axes with a column of their own in results.csv; any crawl setting can be another one."""
CURATED, NONE = "curated", "none"
"""Ontologies that every lab knows: those of the topic, and none."""
DATA = "{data}"
"""Stands in a lab for the folder of data sets."""
TOPICS = "{topics}"
"""Stands in a lab for the folder of the topic files that come with the labs."""
DATA_FOLDERS = ("data", "../shared/data")
"""Where this folder is looked for, from the current one."""
Value = str | int | float | bool


class LabWorld(Section):
    """A table [[worlds]]: a web, its labels, and the topic of the crawls on it."""

    name: str = Field(min_length=1)
    world: str
    """As for ``crawl run --world``. A synthetic web without a seed has that of each cell."""
    topic: str = "rainstorm"
    labels: str | None = None
    """FILE#SET; a synthetic web has its own labels."""
    starts: tuple[str | tuple[str, ...], ...] = ()
    """Seeds of the crawl by the seed of a cell, in turn; empty for those of a synthetic web."""
    oracle: bool = True
    """Whether there are oracles; without them the web is not read whole."""
    oracles: tuple[Kind, ...] = ("distance",)
    """What the references beside the strategies know: the label of each target, labels and distances, or a judge's
    score of each target."""

    def spec(self, seed: int) -> str:
        """Return the description of the world for the seed of a cell."""
        if not self.world.startswith("synthetic:") or "seed=" in self.world:
            return self.world
        return f"{self.world}{'&' if '?' in self.world else '?'}seed={seed}"

    @property
    def references(self) -> tuple[Kind, ...]:
        """What the references of this web know, each kind once."""
        return tuple(dict.fromkeys(self.oracles)) if self.oracle else ()

    def start(self, seed: int) -> tuple[str, ...]:
        """Return the seeds of the crawl with the seed of a cell."""
        chosen = self.starts[seed % len(self.starts)] if self.starts else ()
        return (chosen,) if isinstance(chosen, str) else chosen


class LabOntology(Section):
    """A table [ontologies.NAME]: what steers in place of the ontologies of a world's topic."""

    topic: str | None = None
    """Topic whose ontologies are taken."""
    abstracts: str | None = None
    """Literature export from which they are learned, as by ``ontology build``."""

    @model_validator(mode="after")
    def _one_source(self) -> LabOntology:
        if (self.topic is None) == (self.abstracts is None):
            raise ValueError("an ontology needs either `topic` or `abstracts`")
        return self


class LabComparison(Section):
    """The table [compare]: a strategy that is set against the best of all others, by guide."""

    own: str
    """The strategy, as written among the axes."""


class Lab(Section):
    """A comparison of crawlers. Numbers of pages are at least 1."""

    title: str
    about: str = ""
    """What the lab is for, in a sentence or two; printed above its results."""
    fetches: Annotated[int, Field(ge=1)] = 1000
    """Requests for pages that each crawl may make; its pages (DP) are never more."""
    at: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Numbers at which crawls are compared; empty for 100, 300, 1,000 .. up to ``fetches``."""
    seeds: Annotated[int, Field(ge=1)] = 5
    """Seeds 0, 1 .. of each cell: of the crawl, of a synthetic web, and of the start."""
    baseline: str = "best_first"
    """Strategy, as written among the axes, with which all others are compared."""
    unguided: tuple[str, ...] = ()
    """Strategies that read no relevance of pages: crawled with the first value of the axis guide only."""
    compare: LabComparison | None = None
    printed: bool = False
    """Whether the report has the tables of the papers beside what was measured."""
    worlds: tuple[LabWorld, ...] = Field(min_length=1)
    axes: dict[str, tuple[Value, ...]]
    ontologies: dict[str, LabOntology] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _complete(self) -> Lab:
        if not self.axes.get("strategy"):
            raise ValueError("the table [axes] needs `strategy`, a list of names")
        if empty := [name for name, values in self.axes.items() if not values]:
            raise ValueError(f"the axis {empty[0]!r} has no value")
        strategies = {str(strategy).partition("?")[0] for strategy in self.axes["strategy"]}
        if unknown := set(self.unguided) - strategies:
            raise ValueError(f"unguided: {min(unknown)!r} is not in the axis strategy")
        if self.compare is not None and self.compare.own not in self.axes["strategy"]:
            raise ValueError(f"[compare] own = {self.compare.own!r} is not in the axis strategy")
        if len({world.name for world in self.worlds}) < len(self.worlds):
            raise ValueError("two worlds have the same name")
        return self

    @property
    def milestones(self) -> tuple[int, ...]:
        """Numbers at which crawls are compared, ascending; the last one is ``fetches``."""
        usual = (n for n in (100, 300, 1000, 3000, 5000, 10_000, 15_000) if n < self.fetches)
        return tuple(sorted({*(n for n in self.at or usual if n < self.fetches), self.fetches}))

    def cells(self) -> Iterator[Cell]:
        """Yield all cells; those of one web and seed stand together."""
        axes = {"guide": ("published",), "ontology": (CURATED,), **self.axes}
        extra = [name for name in axes if name not in AXES]
        for world, seed in product(self.worlds, range(self.seeds)):
            for values in product(*(axes[name] for name in (*AXES, *extra))):
                strategy, guide, ontology, *others = values
                if guide != axes["guide"][0] and str(strategy).partition("?")[0] in self.unguided:
                    continue
                settings = tuple(zip(extra, others, strict=True))
                yield Cell(world.name, world.topic, str(strategy), str(guide), str(ontology), settings, seed)

    def world(self, name: str) -> LabWorld:
        """Return a world by its name."""
        return next(world for world in self.worlds if world.name == name)


@dataclass(frozen=True, slots=True)
class Cell:
    """One crawl of a lab."""

    world: str
    topic: str
    strategy: str
    """NAME or NAME?PARAMETER=VALUE&.., as in the lab."""
    guide: str
    ontology: str
    settings: tuple[tuple[str, Value], ...]
    """Values of the other axes, crawl settings, in the order of the lab."""
    seed: int

    @property
    def system(self) -> tuple[Any, ...]:
        """What is compared: all but world, topic and seed."""
        return (self.strategy, self.guide, self.ontology, *(value for _, value in self.settings))

    def strategy_and_parameters(self) -> tuple[str, dict[str, str]]:
        """Return the name of the strategy and the values of its parameters as written."""
        name, _, query = self.strategy.partition("?")
        return name, dict(parse_qsl(query, keep_blank_values=True))


def shipped() -> dict[str, str]:
    """Return name -> TOML of the labs of the package."""
    folder = resources.files("ontocrawl.lab") / "labs"
    found = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return {f.name.removesuffix(".toml"): f.read_text("utf-8") for f in found if f.name.endswith(".toml")}


def load(name: str, data: Path | None = None) -> tuple[Lab, str]:
    """Read a lab.

    Args:
        name: name of a shipped lab, or the path of a TOML file. Paths in a file are relative to its folder.
        data: folder of data sets, for ``{data}`` in a lab; None to look for it in `DATA_FOLDERS`.

    Returns:
        The lab, with absolute paths, and its text as written.

    Raises:
        UsageError: an unknown lab, invalid TOML, an unknown key or axis, or data that are missing.
    """
    labs = shipped()
    if name in labs:
        text, folder = labs[name], Path.cwd()
    elif name.endswith(".toml") and Path(name).is_file():
        text, folder = Path(name).read_text(encoding="utf-8-sig"), Path(name).resolve().parent
    else:
        raise UsageError(f"there is no lab {name!r}{nearest(name, labs)}; labs: {', '.join(labs)}, or a FILE.toml")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}") from error
    lab = checked(Lab, document, name)
    _check_axes(lab, name)
    place = _Places(name, folder, data)
    worlds = tuple(
        world.model_copy(update={"world": place.world(world.world), "labels": place.optional(world.labels),
                                 "topic": place.topic(world.topic)})
        for world in lab.worlds
    )  # fmt: skip
    ontologies = {
        key: one.model_copy(
            update={"abstracts": place.optional(one.abstracts), "topic": one.topic and place.topic(one.topic)}
        )
        for key, one in lab.ontologies.items()
    }
    return lab.model_copy(update={"worlds": worlds, "ontologies": ontologies}), text


def smaller(lab: Lab, fetches: int | None, seeds: int | None) -> Lab:
    """Return a lab with other numbers of requests and seeds; None for those that it has."""
    changed = {"fetches": fetches or lab.fetches, "seeds": seeds or lab.seeds}
    return lab.model_copy(update=changed)


def _check_axes(lab: Lab, where: str) -> None:
    known = {*AXES, *CrawlSettings.model_fields} - {"topic", "limit_pages", "limit_time", "seed"}
    for axis in lab.axes:
        if axis not in known:
            raise UsageError(f"{where}: there is no axis {axis!r}{nearest(axis, known)}; axes are settings of a crawl")
    for ontology in lab.axes.get("ontology", ()):
        if ontology not in {CURATED, NONE, *lab.ontologies}:
            raise UsageError(f"{where}: there is no ontology {ontology!r}: describe it in [ontologies.{ontology}]")


@dataclass(frozen=True)
class _Places:
    """Where the files that a lab names are."""

    lab: str
    folder: Path
    data: Path | None

    def world(self, spec: str) -> str:
        kind, colon, rest = spec.partition(":")
        return f"{kind}:{self.path(rest)}" if kind in ("corpus", "archive") else f"{kind}{colon}{rest}"

    def topic(self, name: str) -> str:
        if name.startswith(f"{TOPICS}/"):
            return str(Path(str(resources.files("ontocrawl.lab") / "topics")) / name.removeprefix(f"{TOPICS}/"))
        return self.path(name) if name.endswith(".toml") else name

    def optional(self, text: str | None) -> str | None:
        return None if text is None else self.path(text)

    def path(self, text: str) -> str:
        file, sign, part = text.partition("#")
        filled = file.replace(DATA, str(self._data())) if DATA in file else file
        found = self.folder / Path(filled).expanduser()
        if not found.exists():
            raise UsageError(f"{self.lab}: {found} does not exist: correct the path in the lab")
        return f"{found.resolve()}{sign}{part}"

    def _data(self) -> Path:
        if self.data is not None:
            return self.data.resolve()
        found = next((Path(name).resolve() for name in DATA_FOLDERS if Path(name).is_dir()), None)
        if found is None:
            raise UsageError(f"lab {self.lab} needs data sets that are not part of ontocrawl: name their folder by ",
                             Option("--data DIR", "data=DIR"))  # fmt: skip
        return found


def describe(settings: Mapping[str, Value]) -> str:
    """Return settings as text, ``NAME=VALUE, ..``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())
