"""The registry of strategies: a new one is one file and one import here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from crawler import parameters
from crawler.strategies.adaptive_genetic import AdaptiveGa
from crawler.strategies.ant_colony import Moaco, Olmoaco
from crawler.strategies.base import Strategy
from crawler.strategies.bayes_blocks import BcwCc, Fcbcw, Fccbs
from crawler.strategies.best_first import BestFirst
from crawler.strategies.breadth_first import BreadthFirst
from crawler.strategies.date_segments import DateSegments
from crawler.strategies.fcits_oh import FcitsOh
from crawler.strategies.fcosa import FcosaG, FcosaLg, Fcsa
from crawler.strategies.fcsa_host import FcsaHost
from crawler.strategies.fish_shark import Fish, Shark
from crawler.strategies.genetic import Gafc
from crawler.strategies.hits import Hits
from crawler.strategies.ielp import Ielp
from crawler.strategies.membrane import Cmcfc
from crawler.strategies.mixture import Mixture, Switching
from crawler.strategies.particle_swarm import Fcpso
from crawler.strategies.sa_2009 import Sa2009
from crawler.strategies.semantic_first import Ma2016, SsvsmGuide
from crawler.strategies.tabu import Its, OnIts
from crawler.strategies.temporal_intent import EventModel, TemporalIntentCrawler
from crawler.strategies.wang_landau import WangLandau
from crawler.strategies.web_space_evolution import Fcwseo, Wse

STRATEGIES: Mapping[str, type[Strategy]] = MappingProxyType(
    {
        cls.name: cls
        for cls in (
            *(BreadthFirst, BestFirst, Hits, Fish, Shark),
            *(Sa2009, Fcsa, FcosaG, FcosaLg, FcsaHost, Ielp),
            *(Its, OnIts, FcitsOh),
            *(Wse, Fcwseo, Moaco, Olmoaco, Fcpso),
            *(Gafc, AdaptiveGa),
            *(Cmcfc, SsvsmGuide, Ma2016),
            WangLandau,
            *(BcwCc, Fcbcw, Fccbs),
            *(TemporalIntentCrawler, EventModel, DateSegments),
            *(Mixture, Switching),
        )
    }
)
"""Name of each strategy -> its class."""


class UnknownStrategyError(LookupError):
    """No strategy has this name; the message names the nearest."""


def get(name: str) -> type[Strategy]:
    """The strategy of a name, or of a class elsewhere: ``package.module:Class`` or ``path/to/file.py:Class``.

    Raises:
        UnknownStrategyError: there is none.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    if ":" in name:
        return _of_elsewhere(*name.rsplit(":", 1))
    near = get_close_matches(name.replace("-", "_").lower(), STRATEGIES, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise UnknownStrategyError(f"no strategy is called {name!r}{hint} There are: {', '.join(STRATEGIES)}")


def _of_elsewhere(place: str, class_: str) -> type[Strategy]:
    """A class of a module, or of a file; the file is run, once."""
    try:
        module = _run(Path(place).resolve()) if place.endswith(".py") else import_module(place)
    except (ImportError, OSError, SyntaxError) as error:
        raise UnknownStrategyError(f"{place} cannot be imported: {error}") from error
    candidate = getattr(module, class_, None)
    if not (isinstance(candidate, type) and issubclass(candidate, Strategy)):
        raise UnknownStrategyError(f"{place} has no class {class_!r} that is a crawler.strategies.base.Strategy")
    return candidate


def _run(path: Path) -> ModuleType:
    known = sys.modules.get(path.stem)
    if known is not None and known.__file__ == str(path):
        return known
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError("no Python file")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def create(name: str, overrides: Mapping[str, Any] = MappingProxyType({})) -> Strategy:
    """A new strategy, some of its parameters replaced by name.

    Raises:
        UnknownStrategyError: no strategy has this name.
        ValueError: a parameter that it does not have, or a value that it refuses.
    """
    cls = get(name)
    return cls(cls.parameters_from(overrides))


def about(cls: type[Strategy]) -> dict[str, dict[str, str]]:
    """Return the meaning and the allowed values of each parameter, by its name."""
    return parameters.about(cls.Parameters)


def describe(classes: Iterable[type[Strategy]] = STRATEGIES.values()) -> list[dict[str, Any]]:
    """Strategies as plain values, by default all that are registered.

    Each has name, title, paper, guides, parameters with their defaults, about (what each parameter means, and what it
    may be), and readings by trap.
    """
    return [
        {
            "name": cls.name,
            "title": cls.title,
            "paper": cls.paper,
            "guides": list(made.guides or (made.guide,)),
            "parameters": asdict(cls.Parameters()),
            "about": about(cls),
            "readings": dict(cls.readings),
        }
        for cls, made in ((cls, cls()) for cls in classes)
    ]
