"""A short example for each family of strategies, and a strategy of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal


def harvest(strategy: str, webs: int, **parameters: object) -> float:
    """Return relevant pages of 120 fetched, mean of so many planted webs."""
    crawls = (Rehearsal(create(strategy, parameters), PlantedWeb.plant(seed), seed, 120) for seed in range(webs))
    return mean(crawl.run().harvest() for crawl in crawls)


def compare_values(strategy: str, parameter: str, values: Sequence[object], webs: int = 5) -> dict[str, float]:
    """Return value of a parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(strategy, webs, **{parameter: value}) for value in values}


def compare_strategies(strategies: Sequence[str], webs: int = 5) -> dict[str, float]:
    """Return strategy -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {name: harvest(name, webs) for name in strategies}


def show(harvests: Mapping[str, float]) -> None:
    """Print what was compared, a line each."""
    for compared, relevant in harvests.items():
        print(f"{compared:16} {relevant:6.1f}")
