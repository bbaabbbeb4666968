"""A short example for each family of strategies, and a user-defined strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal


def harvest(strategy: str, webs: int, **parameters: object) -> float:
    """Return the number of relevant pages among 120 fetched, as the mean over planted webs.

    Args:
        strategy: its name.
        webs: number of planted webs.
        parameters: values in place of the defaults.
    """
    crawls = (Rehearsal(create(strategy, parameters), PlantedWeb.plant(seed), seed, 120) for seed in range(webs))
    return mean(crawl.run().harvest() for crawl in crawls)


def compare_values(strategy: str, parameter: str, values: Sequence[object], webs: int = 5) -> dict[str, float]:
    """Compare values of a parameter.

    Args:
        strategy: its name.
        parameter: name of the parameter.
        values: its values.
        webs: number of planted webs.

    Returns:
        Value -> number of relevant pages among 120 fetched, as the mean over the webs.
    """
    return {str(value): harvest(strategy, webs, **{parameter: value}) for value in values}


def compare_strategies(strategies: Sequence[str], webs: int = 5) -> dict[str, float]:
    """Compare strategies with their default parameters.

    Args:
        strategies: their names.
        webs: number of planted webs.

    Returns:
        Strategy -> number of relevant pages among 120 fetched, as the mean over the webs.
    """
    return {name: harvest(name, webs) for name in strategies}


def show(harvests: Mapping[str, float]) -> None:
    """Print one line for each value or strategy."""
    for compared, relevant in harvests.items():
        print(f"{compared:16} {relevant:6.1f}")
