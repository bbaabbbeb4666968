"""Checks of a lab before anything is crawled: names of axes, settings, strategies, guides, ontologies and tables."""

from __future__ import annotations

from crawler import strategies
from crawler.scoring.relevance import RelevanceError, relevance
from crawler.strategies.importing import UnknownStrategyError
from ontocrawl.base.config import CrawlSettings, checked
from ontocrawl.errors import UsageError, nearest
from ontocrawl.lab import classifiers, lab_ontologies
from ontocrawl.lab.definition import AXES, Lab, Value
from ontocrawl.lab.lab_ontologies import CURATED, NONE, name_and_settings
from ontocrawl.lab.printed import printed
from ontocrawl.runs import plan
from ontocrawl.runs.crawl_setup import PUBLISHED
from ontocrawl.runs.training import PARAMETER

SETTINGS = frozenset(CrawlSettings.model_fields) - {"topic", "limit_pages", "limit_time", "seed", *AXES}
"""Crawl settings that can be axes of a lab, or be set for a world; the others are those of the lab or of a cell."""


def check(lab: Lab, where: str) -> None:
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
                raise UsageError(f"{where}: there is no axis {axis!r}{told}")
        for ontology in axes.get("ontology", ()):
            lab_ontologies.check(str(ontology), {CURATED, NONE, *lab.ontologies}, axes, where)
        for strategy in axes.get("strategy", ()):
            _check_strategy(lab, strategy, where)
        for guide in axes.get("guide", ()):
            _check_guide(guide, where)


def _check_settings(lab: Lab, where: str) -> None:
    known_tables = {item.id for item in printed().items}
    for world in lab.worlds:
        for name in world.printed:
            if name not in known_tables:
                told = f"{nearest(name, known_tables)}; printed.toml has them"
                raise UsageError(f"{where}: world {world.name}: no paper prints {name!r}{told}")
        for key in world.settings:
            if key not in SETTINGS:
                known = f"{nearest(key, SETTINGS)}; settings of a world are settings of a crawl"
                raise UsageError(f"{where}: world {world.name}: there is no setting {key!r}{known}")
            if key in lab.axes_of(world.name):
                raise UsageError(f"{where}: {key!r} is an axis and a setting of world {world.name}: remove one of them")
        checked(CrawlSettings, world.settings, f"{where}: settings of world {world.name}")


def _check_numbers(lab: Lab, where: str) -> None:
    written = [(lab.at, lab.fetches), *((world.at, lab.fetches_of(world.name)) for world in lab.worlds)]
    for at, last in written:
        if (most := max(at, default=0)) > last:
            raise UsageError(f"{where}: at = {most} is above fetches = {last}")


def _check_strategy(lab: Lab, strategy: Value, where: str) -> None:
    name, given = name_and_settings(str(strategy))
    if classifiers.named(lab.classifiers, given):
        del given[PARAMETER]
    try:
        strategies.get(name).parameters_from(plan.parameters(given))
    except (UnknownStrategyError, TypeError, ValueError) as error:
        raise UsageError(f"{where}: axis strategy: {strategy!r}: {error}") from error


def _check_guide(guide: Value, where: str) -> None:
    if guide == PUBLISHED:
        return
    try:
        relevance(str(guide))
    except RelevanceError as error:
        raise UsageError(f"{where}: axis guide: {error}") from error
