"""Registry of strategies: name -> class, imported on first use.

Mixtures look their members up here, too; so it names the modules instead of importing them, which would be circular.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final

from crawler.strategies.base import Strategy
from ontology.errors import OntocrawlError

_CLASSES: Final = {
    "breadth_first": "breadth_first:BreadthFirst",
    "best_first": "best_first:BestFirst",
    "hits": "hits:Hits",
    "fish": "fish_shark:Fish",
    "shark": "fish_shark:Shark",
    "sa_2009": "sa_2009:Sa2009",
    "fcsa": "fcosa:Fcsa",
    "fcosa_g": "fcosa:FcosaG",
    "fcosa_lg": "fcosa:FcosaLg",
    "fcsa_host": "fcsa_host:FcsaHost",
    "ielp": "ielp:Ielp",
    "its": "tabu:Its",
    "on_its": "tabu:OnIts",
    "fcits_oh": "fcits_oh:FcitsOh",
    "wse": "web_space_evolution:Wse",
    "fcwseo": "web_space_evolution:Fcwseo",
    "moaco": "ant_colony:Moaco",
    "olmoaco": "ant_colony:Olmoaco",
    "fcpso": "particle_swarm:Fcpso",
    "gafc": "genetic:Gafc",
    "adaptive_ga": "adaptive_genetic:AdaptiveGa",
    "cmcfc": "membrane:Cmcfc",
    "ssvsm_guide": "semantic_first:SsvsmGuide",
    "ma_2016": "semantic_first:Ma2016",
    "wang_landau": "wang_landau:WangLandau",
    "bcw_cc": "bayes_blocks:BcwCc",
    "fcbcw": "bayes_blocks:Fcbcw",
    "fccbs": "bayes_blocks:Fccbs",
    "temporal_intent": "temporal_intent:TemporalIntentCrawler",
    "event_model": "temporal_intent:EventModel",
    "date_segments": "date_segments:DateSegments",
    "mixture": "mixture:Mixture",
    "switching": "mixture:Switching",
}
"""Name -> MODULE:CLASS in this package."""


class _Registry(Mapping[str, type[Strategy]]):
    """Name -> class, in the order of ``_CLASSES``; imports modules on access."""

    def __getitem__(self, name: str) -> type[Strategy]:
        module, class_ = _CLASSES[name].split(":")
        cls: type[Strategy] = getattr(import_module(f"crawler.strategies.{module}"), class_)
        return cls

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


STRATEGIES: Final[Mapping[str, type[Strategy]]] = _Registry()
"""Name of each strategy -> its class."""


class UnknownStrategyError(OntocrawlError, LookupError):
    """There is no strategy of this name; the message suggests the nearest one."""


def get(name: str) -> type[Strategy]:
    """Return the class of a strategy.

    Args:
        name: a registered name, or another class as ``package.module:Class`` or ``path/to/file.py:Class``.

    Raises:
        UnknownStrategyError: there is none.

    >>> get("best_first").title
    'Best-first search (optimal priority search)'
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    if ":" in name:
        return _import_class(*name.rsplit(":", 1))
    near = get_close_matches(name.replace("-", "_").lower(), STRATEGIES, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise UnknownStrategyError(f"no strategy is called {name!r}{hint} There are: {', '.join(STRATEGIES)}")


def _import_class(place: str, class_: str) -> type[Strategy]:
    """Import a class from a module or from a file, which is run once."""
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
        raise ImportError("it is not a Python file")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def create(name: str, overrides: Mapping[str, Any] = MappingProxyType({})) -> Strategy:
    """Create a strategy.

    Args:
        name: as for ``get``.
        overrides: parameter -> value, in place of the default.

    Raises:
        UnknownStrategyError: there is no such strategy.
        ValueError: an unknown parameter, or a value that the strategy rejects.
    """
    cls = get(name)
    return cls(cls.parameters_from(overrides))
