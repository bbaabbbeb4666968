"""A lab as a TOML file: worlds x axes x seeds, what is measured where, and the cells that come of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs

from pydantic import Field, model_validator

from crawler.worlds.synthetic import STARTS
from ontocrawl.base.options import Section
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, nearest
from ontocrawl.lab.lab_ontologies import CURATED, LabField, LabOntology
from ontocrawl.lab.references import Kind
from ontocrawl.runs import training
from ontology import files
from ontology.errors import Message

# ---- the classifiers of a lab (paper 003), each trained once on labelled texts, as by ``crawl train``


FOLDER = "classifiers"
"""Folder of the trained classifiers in the lab's workspace."""


class ClassifierSource(Section):
    """A table of labelled texts, as for ``crawl train --classes``, or of one class, or pages of a synthetic web."""

    file: str = ""
    world: str = ""
    """A synthetic web in place of a file, of another seed than those of the lab; its kinds of pages are the labels."""
    classes: dict[str, str] = Field(default_factory=dict)
    """Label in the file, or kind of page -> class; texts with other labels are left out."""
    class_: str = Field(default="", alias="class")
    """Class of all texts of a file that has no labels."""
    where: dict[str, str] = Field(default_factory=dict)
    """Column -> text that it must contain."""

    @model_validator(mode="after")
    def _classes(self) -> ClassifierSource:
        if bool(self.file) == bool(self.world):
            raise ValueError("a source of a classifier needs either `file` or `world`")
        if bool(self.classes) == bool(self.class_) or (self.world and self.class_):
            raise ValueError("a source of a classifier needs either `classes` or, for a file, `class`")
        return self

    def texts(self, per_class: int) -> Iterator[tuple[str, training.Segments]]:
        """Yield the class of each text, and its title or, for a web, the segments of the page."""
        if self.world:
            for name, pages in training.of_web(self.world, self.classes, per_class).items():
                yield from ((name, page) for page in pages)
            return
        for row in training.rows(Path(self.file)):
            label = next((str(row[key]) for key in training.LABELS if key in row), "")
            name = self.class_ or self.classes.get(label, "")
            if name and row.get("title") and all(text in str(row.get(key)) for key, text in self.where.items()):
                yield name, (("title", str(row["title"])),)


class _LabClassifier(Section):
    """A table [classifiers.NAME]: a classifier of pages or titles; a strategy names it as ``classifier=NAME``."""

    sources: tuple[ClassifierSource, ...] = Field(min_length=1)
    per_class: int = Field(default=0, ge=0)
    """Number of texts to sample from each class; 0 for all. One of five is held out for a test."""
    readings: dict[str, str] = Field(default_factory=dict)
    """Readings of Eqs. (8) and (9), as ``crawl train --likelihood`` and ``--position``; empty for the repaired ones."""


def with_file(known: Mapping[str, _LabClassifier], given: Mapping[str, str], space: Workspace) -> dict[str, str]:
    """Return parameters of a strategy with the file of a classifier in the place of its name.

    Args:
        known: the classifiers of the lab, by name.
        given: the parameters as written in the lab.
        space: the workspace of the lab; a classifier that it has is not trained again.

    Raises:
        UsageError: the lab has no such classifier, or the data set from which it is trained is absent.
    """
    name = named(known, given)
    return {**given, training.PARAMETER: str(_trained(name, known[name], space))} if name else dict(given)


def named(known: Mapping[str, _LabClassifier], given: Mapping[str, str]) -> str:
    """Return the name of the lab's classifier among the parameters of a strategy, empty for none or a file.

    Raises:
        UsageError: the lab has no such classifier.
    """
    name = given.get(training.PARAMETER, "")
    if not name or name.endswith(".json"):
        return ""
    if name not in known:
        raise UsageError("lab.no_classifier_describe_classifiers", name=name, nearest=nearest(name, known))
    return name


def _trained(name: str, given: _LabClassifier, space: Workspace) -> Path:
    """Train a classifier, or take the one that the workspace has, and return its file.

    Args:
        name: its name in the lab.
        given: its sources.
        space: the workspace of the lab.

    Raises:
        UsageError: a data set is absent or has no text of a class.
    """
    for source in given.sources:
        if source.file and not Path(source.file).exists():
            raise UsageError("lab.classifier_needs_data_set", name=name, source_file=source.file)
    key = "".join(files.digest(Path(one.file)) for one in given.sources if one.file)
    key += given.model_dump_json(exclude={"readings"}) + "".join(f"{k}={v}" for k, v in given.readings.items())
    folder = space.root / FOLDER / f"{name}-{blake2b(key.encode(), digest_size=8).hexdigest()}"
    file = folder / "classifier.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _train(given, file)
    return file


def _train(given: _LabClassifier, file: Path) -> None:
    pages: dict[str, list[training.Segments]] = {}
    for source in given.sources:
        for name, text in source.texts(given.per_class):
            pages.setdefault(name, []).append(text)
    parts = training.split(training.sampled(pages, given.per_class))
    [judged] = training.judge(parts, {"bcw": given.readings})
    training.write(file, judged, [source.world for source in given.sources if source.world])


# ---- A lab as a TOML file: worlds x axes x seeds, what is measured where, and the cells that come of it


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
    """A table [[worlds]]: a web, its labels, and the topic of the crawls on it; or a folder of fields, each a web."""

    name: str = Field(min_length=1)
    world: str = ""
    """As for ``crawl run --world``. A synthetic web without a seed has that of each cell."""
    fields: str | None = None
    """Folder with a ``fields.json``, or such a file, in place of ``world``: a world is made of each of its fields."""
    field: LabField | None = None
    """The field of which this world was made."""
    group: str = ""
    """Name of the table with the folder of the field."""
    topic: str = "rainstorm"
    labels: str | None = None
    """FILE#SET; a synthetic web has its own labels."""
    starts: tuple[str | tuple[str, ...], ...] = ()
    """Seeds of the crawl by the seed of a cell, in turn; empty for those of a synthetic web."""
    seeds: Annotated[int, Field(ge=1)] | None = None
    """Number of seeds, other ones for each seed of a cell; None for the usual four of a synthetic web."""
    seed_kind: str = "relevant"
    """Their kind, as in ``synthetic:..?seeds=N&start=KIND``; another web has ``relevant`` ones, by its labels."""
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
    paper: str = ""
    """Paper of which this is the set-up, which ``crawl run --as-printed`` takes; empty for other worlds."""
    own: str = ""
    """Its strategy, as written among the axes."""
    reconstructed: dict[str, str] = Field(default_factory=dict)
    """Name of a value of the set-up that the paper does not print -> what is taken, and why [R]."""
    printed: tuple[str, ...] = ()
    """Tables, grids and figures of the papers (printed.toml) that are set beside what is measured on this web."""

    @model_validator(mode="after")
    def _one_source(self) -> LabWorld:
        if bool(self.world) == (self.fields is not None):
            raise ValueError("a world needs either `world` or `fields`")
        if self.seeds is not None and self.starts:
            raise ValueError("a world has `seeds`, a number of them, or `starts`, their names")
        if self.by_label and (self.labels is None or self.seed_kind != "relevant"):
            raise ValueError("`seeds` of this web are relevant pages by its labels: name these by `labels`")
        if self.seed_kind not in STARTS:
            raise ValueError(f"there is no kind of seeds {self.seed_kind!r}; seed_kind: {', '.join(STARTS)}")
        return self

    @property
    def by_label(self) -> int:
        """Number of seeds that are drawn from the labels of the web; 0 for a synthetic web, which chooses its own."""
        return 0 if self.world.startswith("synthetic:") else self.seeds or 0

    def spec(self, seed: int) -> str:
        """Return the description of the world for the seed of a cell."""
        if not self.world.startswith("synthetic:"):
            return self.world
        given = parse_qs(self.world.partition("?")[2])
        chosen = {} if self.seeds is None else {"seeds": self.seeds, "start": self.seed_kind}
        added = {name: value for name, value in {**chosen, "seed": seed}.items() if name not in given}
        more = "&".join(f"{name}={value}" for name, value in added.items())
        return f"{self.world}{'&' if '?' in self.world else '?'}{more}" if more else self.world

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


class LabDifference(Section):
    """A table [[differences]]: recall of one system less that of another one, by their names in the report."""

    of: str
    less: str


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
    differences: tuple[LabDifference, ...] = ()
    worlds: tuple[LabWorld, ...] = Field(min_length=1)
    axes: dict[str, tuple[Value, ...]] = Field(default_factory=dict)
    ontologies: dict[str, LabOntology] = Field(default_factory=dict)
    classifiers: dict[str, _LabClassifier] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _complete(self) -> Lab:
        if not all(self.axes_of(world.name).get("strategy") for world in self.worlds):
            raise ValueError("the table [axes] needs `strategy`, a list of names")
        for world in self.worlds:
            if (world.paper or world.own) and world.own not in self.axes_of(world.name)["strategy"]:
                raise ValueError(Message("lab.not_in_axis", what=f"world {world.name}: own", name=world.own))
        for axes in (self.axes, *(world.axes for world in self.worlds)):
            if empty := [name for name, values in axes.items() if not values]:
                raise ValueError(f"the axis {empty[0]!r} has no value")
        strategies = [self.axes_of(world.name)["strategy"] for world in self.worlds]
        names = {str(strategy).partition("?")[0] for of_world in strategies for strategy in of_world}
        if unknown := set(self.unguided) - names:
            raise ValueError(Message("lab.not_in_axis", what="unguided", name=min(unknown)))
        left_out = {name for one in self.leave_out for name in one.strategy}
        if unknown := left_out - names - {str(strategy) for of_world in strategies for strategy in of_world}:
            raise ValueError(Message("lab.not_in_axis", what="leave_out", name=min(unknown)))
        if self.compare is not None and not all(self.compare.own in of_world for of_world in strategies):
            raise ValueError(Message("lab.not_in_axis", what="[compare] own", name=self.compare.own))
        written = {str(strategy) for of_world in strategies for strategy in of_world}
        if "baseline" in self.model_fields_set and self.baseline not in written | names:
            raise ValueError(Message("lab.not_in_axis", what="baseline", name=self.baseline))
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

    def settings_of(self, world: LabWorld, seed: int) -> dict[str, Value]:
        """Return the crawl settings of the cells of a world, but for those of the axes."""
        limits: dict[str, Value] = {"limit_pages": self.fetches_of(world.name), "limit_time": 0.0}
        return {**limits, "seed": seed, "strict_filter": True, **world.settings}

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
            raise UsageError("lab.lab_no_world", name=name, nearest=nearest(name, names))
    if only:
        lab = lab.model_copy(update={"worlds": tuple(world for world in lab.worlds if world.name in only)})
    if fetches is not None:
        own = (w.model_copy(update={"fetches": w.fetches and min(w.fetches, fetches)}) for w in lab.worlds)
        lab = lab.model_copy(update={"fetches": fetches, "worlds": tuple(own)})
    return lab if seeds is None else lab.model_copy(update={"seeds": seeds})


def describe(settings: Mapping[str, Value]) -> str:
    """Return settings as text, ``NAME=VALUE, ..``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())
