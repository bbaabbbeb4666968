"""The registry of strategies: a new one is one file and one import here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from crawler.strategies.adaptive_genetic import AdaptiveGa
from crawler.strategies.ant_colony import Moaco, Olmoaco
from crawler.strategies.base import Strategy, parameters_from
from crawler.strategies.best_first import BestFirst
from crawler.strategies.breadth_first import BreadthFirst
from crawler.strategies.fcits_oh import FcitsOh
from crawler.strategies.fcosa import FcosaG, FcosaLg, Fcsa
from crawler.strategies.fcsa_host import FcsaHost
from crawler.strategies.fish_shark import Fish, Shark
from crawler.strategies.genetic import Gafc
from crawler.strategies.hits import Hits
from crawler.strategies.ielp import Ielp
from crawler.strategies.membrane import Cmcfc
from crawler.strategies.particle_swarm import Fcpso
from crawler.strategies.sa_2009 import Sa2009
from crawler.strategies.semantic_first import Ma2016, SsvsmGuide
from crawler.strategies.tabu import Its, OnIts
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
        )
    }
)
"""Name of each strategy -> its class."""


class UnknownStrategyError(LookupError):
    """No strategy has this name; the message names the nearest."""


def get(name: str) -> type[Strategy]:
    """The strategy of a name.

    Raises:
        UnknownStrategyError: there is none.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    near = get_close_matches(name.replace("-", "_").lower(), STRATEGIES, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise UnknownStrategyError(f"no strategy is called {name!r}{hint} There are: {', '.join(STRATEGIES)}")


def create(name: str, given: Mapping[str, Any] = MappingProxyType({})) -> Strategy:
    """A new strategy, some of its parameters replaced by name.

    Raises:
        UnknownStrategyError: no strategy has this name.
        ValueError: a parameter that it does not have, or a value that it refuses.
    """
    cls = get(name)
    return cls(parameters_from(cls, given))


def describe() -> list[dict[str, Any]]:
    """All strategies as plain values: name, title, paper, parameters with their defaults, readings by trap."""
    return [
        {
            "name": cls.name,
            "title": cls.title,
            "paper": cls.paper,
            "parameters": asdict(cls.Parameters()),
            "readings": dict(cls.readings),
        }
        for cls in STRATEGIES.values()
    ]
