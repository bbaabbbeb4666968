"""Labs as files: those of the package and one's own; paths in them, and where data sets are looked for."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from crawler import strategies
from crawler.scoring.relevance import RelevanceError, relevance
from crawler.strategies.importing import UnknownStrategyError
from ontocrawl.base.config import checked
from ontocrawl.base.options import CrawlOptions, CrawlSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError, nearest
from ontocrawl.lab import definition, lab_ontologies
from ontocrawl.lab.definition import AXES, DATA, DATA_FOLDERS, TOPICS, ClassifierSource, Lab, LabWorld, Value
from ontocrawl.lab.lab_ontologies import CURATED, NONE, LabField, name_and_settings
from ontocrawl.lab.printed import printed
from ontocrawl.runs import plan
from ontocrawl.runs.crawl_setup import PUBLISHED
from ontocrawl.runs.training import PARAMETER
from ontocrawl.topics import topic_files
from ontology.errors import Message
from ontology.files import read_text

FIELDS = "fields.json"
"""File of a folder of fields."""
_DEFAULT_WEB = "../wikispeedia"
"""Web of fields that name none, from their folder."""


def shipped() -> dict[str, str]:
    """Return name -> TOML of the labs of the package."""
    folder = resources.files("ontocrawl.lab") / "labs"
    found = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return {f.name.removesuffix(".toml"): f.read_text("utf-8") for f in found if f.name.endswith(".toml")}


def load(name: str, data: Path | None = None, fields: Sequence[Path] = ()) -> tuple[Lab, str]:
    """Read a lab.

    Args:
        name: name of a shipped lab, or the path of a TOML file. Paths in a file are relative to its folder.
        data: folder of data sets, for ``{data}`` in a lab; None to look for it in `DATA_FOLDERS`.
        fields: folders of fields in place of those of the lab; () for its own.

    Returns:
        The lab, with absolute paths and a world for each field, and its text as written.

    Raises:
        UsageError: an unknown lab, invalid TOML or JSON, an unknown key or axis, data that are missing, or fields for a
            lab without any.
    """
    labs = shipped()
    if name in labs:
        text, folder = labs[name], Path.cwd()
    elif name.endswith(".toml") and Path(name).is_file():
        text, folder = Path(name).read_text(encoding="utf-8-sig"), Path(name).resolve().parent
    else:
        raise UsageError("lab.no_lab_labs_file", name=name, nearest=nearest(name, labs), labs=", ".join(labs))
    lab = parsed(text, name)
    _check(lab, name)
    place = _Places(name, folder, data)
    given = _with_fields(lab, fields, name) if fields else lab.worlds
    worlds = tuple(one for world in given for one in place.worlds(world))
    if len({world.name for world in worlds}) < len(worlds):
        raise UsageError("lab.two_fields_worlds_same", name=name)
    ontologies = {
        key: one.model_copy(
            update={
                "abstracts": place.optional(one.abstracts),
                "topic": one.topic and place.topic(one.topic),
                "file": place.optional(one.file),
            }
        )
        for key, one in lab.ontologies.items()
    }
    found = {
        key: one.model_copy(update={"sources": tuple(place.source(source) for source in one.sources)})
        for key, one in lab.classifiers.items()
    }
    return lab.model_copy(update={"worlds": worlds, "ontologies": ontologies, "classifiers": found}), text


def parsed(text: str, name: str) -> Lab:
    """Return a lab with its paths as written. Raises UsageError for invalid TOML or a key that is unknown."""
    try:
        return checked(Lab, tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise UsageError("lab.not_toml", name=name, error=error) from error


@dataclass(frozen=True)
class _Places:
    """Where the files that a lab names are."""

    lab: str
    folder: Path
    data: Path | None

    def worlds(self, world: LabWorld) -> Iterator[LabWorld]:
        """Yield a world with its paths, or the worlds of its fields."""
        if world.fields is not None:
            yield from self._of_fields(world, Path(self.path(world.fields, of_the_labs=True)))
            return
        places = {"world": self.world(world.world), "labels": self.optional(world.labels)}
        yield world.model_copy(update={**places, "topic": self.topic(world.topic)})

    def _of_fields(self, world: LabWorld, file: Path) -> Iterator[LabWorld]:
        file = file / FIELDS if file.is_dir() else file
        place = _Places(str(file), file.parent, self.data)
        for name, field in _fields(file).items():
            topic_files.require_name(name)
            beside = (file.parent / f"{name}.jsonl.xz", file.parent / f"{name}.jsonl")
            default = next((path.name for path in beside if path.exists()), beside[0].name)
            labels = field.labels if "#" in field.labels or not field.labels else f"labels.json#{field.labels}"
            found = field.model_copy(update={"abstracts": place.path(field.abstracts or default)})
            update = {
                "name": name, "topic": name, "fields": None, "field": found, "group": world.name,
                "world": place.world(field.web if ":" in field.web else f"corpus:{field.web}"),
                "labels": place.path(labels) if labels else None, "starts": field.starts,
            }  # fmt: skip
            yield world.model_copy(update=update)

    def world(self, spec: str) -> str:
        kind, colon, rest = spec.partition(":")
        return f"{kind}:{self.path(rest)}" if kind in ("corpus", "archive") else f"{kind}{colon}{rest}"

    def topic(self, name: str) -> str:
        if name.startswith(f"{TOPICS}/"):
            return str(Path(str(resources.files("ontocrawl.lab") / "topics")) / name.removeprefix(f"{TOPICS}/"))
        return self.path(name) if name.endswith(".toml") else name

    def optional(self, text: str | None) -> str | None:
        return None if text is None else self.path(text)

    def source(self, source: ClassifierSource) -> ClassifierSource:
        """Return a source with its path. A data set may be absent: the cells that need it then fail, no others."""
        if source.world:
            return source
        if DATA not in source.file:
            return source.model_copy(update={"file": self.path(source.file)})
        folder = self.data or _data_folder()
        filled = source.file if folder is None else source.file.replace(DATA, str(folder.resolve()))
        return source.model_copy(update={"file": filled})

    def path(self, text: str, *, of_the_labs: bool = False) -> str:
        """Return an absolute path; ``of_the_labs`` for one that may begin with `TOPICS`."""
        file, sign, part = text.partition("#")
        if of_the_labs:
            file = self.topic(file) if file.startswith(f"{TOPICS}/") else file
        filled = file.replace(DATA, str(self._data())) if DATA in file else file
        found = self.folder / Path(filled).expanduser()
        if not found.exists():
            raise UsageError("lab.does_not_exist_correct", lab=self.lab, found=found)
        return f"{found.resolve()}{sign}{part}"

    def _data(self) -> Path:
        if self.data is not None:
            return self.data.resolve()
        found = _data_folder()
        if found is None:
            raise UsageError("lab.lab_needs_data_sets", lab=self.lab)
        return found


def _with_fields(lab: Lab, folders: Sequence[Path], name: str) -> tuple[LabWorld, ...]:
    """Return the worlds of a lab with folders of fields in place of its own."""
    template = next((world for world in lab.worlds if world.fields is not None), None)
    if template is None:
        raise UsageError("lab.lab_compares_no_fields", name=name)
    given = (
        template.model_copy(update={"name": folder.resolve().stem, "fields": str(folder.resolve())})
        for folder in folders
    )
    return (*(world for world in lab.worlds if world.fields is None), *given)


def _fields(file: Path) -> dict[str, LabField]:
    """Read the fields of a ``fields.json``, each with the web of the file where it names none.

    Raises:
        UsageError: the file cannot be read or is invalid.
    """
    try:
        data: Any = json.loads(read_text(file, UsageError))
    except ValueError as error:
        raise UsageError("lab.cannot_read_json", file=file, error=error) from error
    if not isinstance(data, dict):
        raise UsageError("lab.expected_object_field_under", file=file)
    web = data.pop("web", _DEFAULT_WEB)
    found = {name: checked(LabField, field, f"{file}: field {name}") for name, field in data.items()}
    if not found:
        raise UsageError("lab.no_field_add_docs", file=file)
    return {name: field.model_copy(update={"web": field.web or web}) for name, field in found.items()}


def _data_folder() -> Path | None:
    return next((Path(name).resolve() for name in DATA_FOLDERS if Path(name).is_dir()), None)


# ---- checks of a lab before anything is crawled: names of axes, settings, strategies, guides, ontologies and tables


SETTINGS = frozenset(CrawlSettings.model_fields) - {"topic", "limit_pages", "limit_time", "seed", *AXES}
"""Crawl settings that can be axes of a lab, or be set for a world; the others are those of the lab or of a cell."""


def _check(lab: Lab, where: str) -> None:
    """Check the names that a lab uses.

    Args:
        lab: the lab.
        where: its file or name, for the messages.

    Raises:
        UsageError: an axis, setting, strategy, parameter, guide, ontology or table of a paper that is unknown, a value
            that is not valid, or a number of pages above ``fetches``.
    """
    _check_axes(lab, where)
    _check_settings(lab, where)
    _check_numbers(lab, where)


def _check_axes(lab: Lab, where: str) -> None:
    known = {*AXES, *SETTINGS}
    for axes in (lab.axes, *(world.axes for world in lab.worlds)):
        for axis in axes:
            if axis not in known:
                told = f"{nearest(axis, known)}; axes are settings of a crawl"
                raise UsageError("lab.no_axis", where=where, axis=axis, told=told)
        for ontology in axes.get("ontology", ()):
            lab_ontologies.check(str(ontology), {CURATED, NONE, *lab.ontologies}, axes, where)
        for strategy in axes.get("strategy", ()):
            _check_strategy(lab, strategy, where)
        for guide in axes.get("guide", ()):
            _check_guide(guide, where)
    for one in lab.ontologies.values():
        _check_guide(one.guide or PUBLISHED, where)


def _check_settings(lab: Lab, where: str) -> None:
    known_tables = {item.id for item in printed().items}
    for world in lab.worlds:
        for name in world.printed:
            if name not in known_tables:
                told = f"{nearest(name, known_tables)}; printed.toml has them"
                raise UsageError("lab.world_no_paper_prints", where=where, world=world.name, name=name, told=told)
        for key in world.settings:
            if key not in SETTINGS:
                known = f"{nearest(key, SETTINGS)}; settings of a world are settings of a crawl"
                raise UsageError("lab.world_no_setting", where=where, world=world.name, key=key, known=known)
            if key in lab.axes_of(world.name):
                raise UsageError("lab.axis_setting_world_remove", where=where, key=key, world=world.name)
        checked(CrawlSettings, world.settings, f"{where}: settings of world {world.name}")


def _check_numbers(lab: Lab, where: str) -> None:
    written = [(lab.at, lab.fetches), *((world.at, lab.fetches_of(world.name)) for world in lab.worlds)]
    for at, last in written:
        if (most := max(at, default=0)) > last:
            raise UsageError("lab.above_fetches", where=where, most=most, last=last)


def _check_strategy(lab: Lab, strategy: Value, where: str) -> None:
    name, given = name_and_settings(str(strategy))
    if definition.named(lab.classifiers, given):
        del given[PARAMETER]
    try:
        strategies.get(name).parameters_from(plan.parameters(given))
    except (UnknownStrategyError, TypeError, ValueError) as error:
        raise UsageError("lab.axis_strategy", where=where, strategy=strategy, error=error) from error


def _check_guide(guide: Value, where: str) -> None:
    if guide == PUBLISHED:
        return
    try:
        relevance(str(guide))
    except RelevanceError as error:
        raise UsageError("lab.axis_guide", where=where, error=error) from error


# ---- the set-up of a paper as the options of a crawl: that of a cell of the lab of the papers


PAPERS = "papers"
"""The lab that has the set-ups."""


def as_printed(
    paper: str, options: CrawlOptions, topic: str | None, space: Workspace
) -> tuple[CrawlOptions, str, tuple[str, ...]]:
    """Return the options of a crawl with the set-up of a paper: what a user gave goes before it.

    The set-up is that of the world of the lab with the same web, else the same topic, else of the first one: judge,
    threshold, guide, number and kind of seeds, look-ahead, page limit, filter, strategy and its parameters.

    Args:
        paper: number of the paper, 000 to 004.
        options: the user's options.
        topic: the user's topic; None for that of the set-up.
        space: the workspace, in which a classifier is trained where the paper has one.

    Returns:
        The options, the topic, and what is taken from where, in lines for the user; what the paper does not print is
        marked [R].

    Raises:
        UsageError: the lab has no such paper, or the paper no such strategy.
    """
    lab, _ = load(PAPERS)
    of_papers = {world.paper: world for world in lab.worlds if world.paper}
    if paper not in of_papers:
        raise UsageError("lab.no_paper_papers", paper=paper, of_papers=", ".join(sorted(of_papers)))
    world = _set_up(lab, paper, options, topic)
    seed = int(options.settings.get("seed", CrawlSettings().seed))
    strategy = world.own if options.strategy is None else _crawled(lab, world, options.strategy)
    name, given = name_and_settings(strategy)
    settings = {"guide": PUBLISHED, **lab.settings_of(world, seed)}
    printed = options.model_copy(update={
        "strategy": name, "world": world.model_copy(update={"world": options.world}).spec(seed),
        "labels": options.labels or world.labels, "settings": {**settings, **options.settings},
        "parameters": {
            **plan.parameters(definition.with_file(lab.classifiers, given, space)), **options.parameters,
        },
    })  # fmt: skip
    return printed, topic or world.topic, _lines_of(world, strategy, printed, options)


def _set_up(lab: Lab, paper: str, options: CrawlOptions, topic: str | None) -> LabWorld:
    """Return the world of a paper that fits a crawl best: by its web, its topic and its look-ahead, in this order."""

    def fit(world: LabWorld) -> tuple[bool, bool, bool]:
        ahead = world.settings.get("target", "predict") == options.settings.get("target", "predict")
        return world.world.partition("?")[0] == options.world.partition("?")[0], world.topic == topic, ahead

    return max((world for world in lab.worlds if world.paper == paper), key=fit)


def _crawled(lab: Lab, world: LabWorld, strategy: str) -> str:
    """Return a strategy as it is crawled on a world. Raises UsageError for one that the paper does not compare."""
    names = {str(one).partition("?")[0]: str(one) for one in reversed(lab.axes_of(world.name)["strategy"])}
    if strategy not in names:
        known = ", ".join(reversed(names))
        raise UsageError(
            "lab.paper_does_not_compare",
            paper=world.paper,
            strategy=strategy,
            nearest=nearest(strategy, names),
            known=known,
        )
    return names[strategy]


def _lines_of(world: LabWorld, strategy: str, printed: CrawlOptions, given: CrawlOptions) -> tuple[str, ...]:
    settings = printed.settings
    of_topic = Message("lab.of_topic")
    give = Message("lab.give_seeds") if not printed.world.startswith("synthetic:") else ""
    return (
        Message(
            "lab.as_printed", paper=world.paper, world=world.name, lab=PAPERS, strategy=strategy,
            judge=settings.get("judge", of_topic), threshold=settings.get("threshold", of_topic),
            guide=settings["guide"], seeds=world.seeds, kind=world.seed_kind, give=give,
            target=settings.get("target", "predict"), pages=settings["limit_pages"],
        ),
        *(f"[R] {name}: {why}" for name, why in world.reconstructed.items() if name not in given.settings),
    )  # fmt: skip
