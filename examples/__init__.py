"""A short example for each family of strategies, and a strategy of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal


def harvest(strategy: str, webs: int, **parameters: object) -> float:
    """Relevant pages of 120 fetched, mean of so many planted webs."""
    crawls = (Rehearsal(create(strategy, parameters), PlantedWeb.plant(seed), seed, 120) for seed in range(webs))
    return mean(crawl.run().harvest() for crawl in crawls)


def show(found: Mapping[str, float]) -> None:
    """What was compared, a line each."""
    for asked, relevant in found.items():
        print(f"{asked:16} {relevant:6.1f}")
