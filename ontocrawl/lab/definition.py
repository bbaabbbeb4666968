"""A lab as a TOML file: worlds x axes x seeds, what is measured where, and the cells that come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

from pydantic import Field, model_validator

from ontocrawl.base.config import Section
from ontocrawl.errors import UsageError, nearest
from ontocrawl.lab.classifiers import LabClassifier
from ontocrawl.lab.lab_ontologies import CURATED, LabOntology
from ontocrawl.lab.references import Kind

AXES = ("strategy", "guide", "ontology")
"""Axes with a column of their own in results.csv; any crawl setting can be another one."""
DATA = "{data}"
"""Stands in a lab for the folder of data sets."""
TOPICS = "{topics}"
"""Stands in a lab for the folder of the topic files that come with the labs."""
DATA_FOLDERS = ("data", "../shared/data")
"""Where this folder is looked for, from the current one."""
Value = str | int | float | bool
USUAL = (100, 300, 1000, 3000, 5000, 10_000, 15_000)
"""Where crawls are compared if a lab does not say it."""


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
    settings: dict[str, Value] = Field(default_factory=dict)
    """Crawl settings of all crawls on this web, such as ``threshold``; an axis cannot have the same name."""
    axes: dict[str, tuple[Value, ...]] = Field(default_factory=dict)
    """Axes of this web, each in the place of the lab's axis of that name."""
    fetches: Annotated[int, Field(ge=1)] | None = None
    """In the place of the lab's ``fetches``."""
    at: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """In the place of the lab's ``at``, where there are any."""
    requests_per_page: Annotated[int, Field(ge=1)] = 1
    """More than 1 for crawls that look ahead: each may make this many times ``fetches`` requests, and reads at most
    ``fetches`` pages."""
    printed: tuple[str, ...] = ()
    """Tables, grids and figures of the papers (printed.toml) that are set beside what is measured on this web."""

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


class LabComparison(Section):
    """The table [compare]: a strategy that is set against the best of all others, by guide."""

    own: str
    """The strategy, as written among the axes."""
    each: bool = False
    """Whether there is a table of each other strategy too, as for an ablation."""


class LeftOut(Section):
    """A table [[leave_out]]: crawls with one of its values on each axis that it names are not made."""

    strategy: tuple[str, ...] = ()
    """Strategies as written among the axes, or their names alone; empty for any."""
    guide: tuple[str, ...] = ()
    ontology: tuple[str, ...] = ()

    def has(self, strategy: str, guide: str, ontology: str) -> bool:
        """Return whether a crawl is left out."""
        named = {strategy, strategy.partition("?")[0]}
        return (
            (not self.strategy or not named.isdisjoint(self.strategy))
            and (not self.guide or guide in self.guide)
            and (not self.ontology or ontology in self.ontology)
        )


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
    leave_out: tuple[LeftOut, ...] = ()
    """Combinations of the axes that are not crawled, such as those of which another one is the same crawl."""
    compare: LabComparison | None = None
    worlds: tuple[LabWorld, ...] = Field(min_length=1)
    axes: dict[str, tuple[Value, ...]] = Field(default_factory=dict)
    ontologies: dict[str, LabOntology] = Field(default_factory=dict)
    classifiers: dict[str, LabClassifier] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _complete(self) -> Lab:
        if not all(self.axes_of(world.name).get("strategy") for world in self.worlds):
            raise ValueError("the table [axes] needs `strategy`, a list of names")
        for axes in (self.axes, *(world.axes for world in self.worlds)):
            if empty := [name for name, values in axes.items() if not values]:
                raise ValueError(f"the axis {empty[0]!r} has no value")
        strategies = [self.axes_of(world.name)["strategy"] for world in self.worlds]
        names = {str(strategy).partition("?")[0] for of_world in strategies for strategy in of_world}
        if unknown := set(self.unguided) - names:
            raise ValueError(f"unguided: {min(unknown)!r} is not in the axis strategy")
        left_out = {name for one in self.leave_out for name in one.strategy}
        if unknown := left_out - names - {str(strategy) for of_world in strategies for strategy in of_world}:
            raise ValueError(f"leave_out: {min(unknown)!r} is not in the axis strategy")
        if self.compare is not None and not all(self.compare.own in of_world for of_world in strategies):
            raise ValueError(f"[compare] own = {self.compare.own!r} is not in the axis strategy")
        written = {str(strategy) for of_world in strategies for strategy in of_world}
        if "baseline" in self.model_fields_set and self.baseline not in written | names:
            raise ValueError(f"baseline: {self.baseline!r} is not in the axis strategy")
        if len({world.name for world in self.worlds}) < len(self.worlds):
            raise ValueError("two worlds have the same name")
        return self

    def axes_of(self, world: str) -> dict[str, tuple[Value, ...]]:
        """Return the axes of a world, `AXES` first."""
        axes = {"guide": ("published",), "ontology": (CURATED,), **self.axes, **self.world(world).axes}
        return {name: axes[name] for name in (*(name for name in AXES if name in axes), *axes)}

    def other_axes(self) -> tuple[str, ...]:
        """Return the axes besides `AXES` that some world has, each a crawl setting."""
        return tuple(dict.fromkeys(n for world in self.worlds for n in self.axes_of(world.name) if n not in AXES))

    def fetches_of(self, world: str) -> int:
        """Return the largest number of requests and of pages at which crawls of a world are compared."""
        return self.world(world).fetches or self.fetches

    def requests_of(self, world: str) -> int:
        """Return the number of requests that each crawl of a world may make."""
        return self.fetches_of(world) * self.world(world).requests_per_page

    def milestones_of(self, world: str) -> tuple[int, ...]:
        """Return the numbers at which crawls of a world are compared, ascending; the last one is its ``fetches``."""
        last = self.fetches_of(world)
        return tuple(sorted({*(n for n in self.world(world).at or self.at or USUAL if n < last), last}))

    @property
    def uniform(self) -> bool:
        """Whether all worlds have the same axes and numbers of requests, so that they can be compared together."""
        return not any(w.axes or w.settings or w.fetches or w.requests_per_page > 1 for w in self.worlds)

    def cells(self) -> Iterator[Cell]:
        """Yield all cells; those of one web and seed stand together."""
        for world, seed in product(self.worlds, range(self.seeds)):
            axes = self.axes_of(world.name)
            extra = [name for name in axes if name not in AXES]
            for values in product(*(axes[name] for name in (*AXES, *extra))):
                strategy, guide, ontology, *others = values
                if guide != axes["guide"][0] and str(strategy).partition("?")[0] in self.unguided:
                    continue
                if any(one.has(str(strategy), str(guide), str(ontology)) for one in self.leave_out):
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


def smaller(lab: Lab, fetches: int | None, seeds: int | None, only: Collection[str] = ()) -> Lab:
    """Return a lab with other numbers of requests and seeds, None for those that it has, or with some worlds only.

    A world that has fewer requests of its own keeps them.

    Raises:
        UsageError: the lab has no world of a name in ``only``.
    """
    names = [world.name for world in lab.worlds]
    for name in only:
        if name not in names:
            raise UsageError(f"the lab has no world {name!r}{nearest(name, names)}")
    if only:
        lab = lab.model_copy(update={"worlds": tuple(world for world in lab.worlds if world.name in only)})
    if fetches is not None:
        own = (w.model_copy(update={"fetches": w.fetches and min(w.fetches, fetches)}) for w in lab.worlds)
        lab = lab.model_copy(update={"fetches": fetches, "worlds": tuple(own)})
    return lab if seeds is None else lab.model_copy(update={"seeds": seeds})


def describe(settings: Mapping[str, Value]) -> str:
    """Return settings as text, ``NAME=VALUE, ..``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())
