"""Registry of strategies: name -> class, imported on first use.

Mixtures look their members up here, too; so it names the modules instead of importing them, which would be circular.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from crawler.strategies import importing
from crawler.strategies.base import Strategy
from crawler.strategies.importing import UnknownStrategyError, require_complete
from ontology.errors import Message

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
    "evidence_sum": "evidence_sum:EvidenceSum",
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


def get(name: str) -> type[Strategy]:
    """Return the class of a strategy.

    Args:
        name: a registered name, or another class as ``package.module:Class`` or ``path/to/file.py:Class``.

    Raises:
        UnknownStrategyError: there is none.
        StrategyError: the class is no complete strategy.

    >>> get("best_first").title
    'Best-first search (optimal priority search)'
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    if ":" in name:
        return importing.import_class(*name.rsplit(":", 1))
    near = get_close_matches(name.replace("-", "_").lower(), STRATEGIES, n=1, cutoff=0.4)
    hint = Message("hints.near_name", near=near[0]) if near else Message("hints.stop")
    raise UnknownStrategyError("strategies.no_strategy_called", name=name, hint=hint, strategies=", ".join(STRATEGIES))


def place_of(cls: type[Strategy]) -> str:
    """Return the name under which ``get`` finds a class, in this process and in a later one.

    Raises:
        StrategyError: the class is no strategy, not complete, or not at the top level of a file.

    >>> place_of(get("best_first"))
    'best_first'
    """
    require_complete(cls)
    return cls.name if cls.name in STRATEGIES and STRATEGIES[cls.name] is cls else importing.place_of(cls)


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
