"""Tabu search: how many links should be looked at before one is chosen?

python -m examples.tabu
"""

from __future__ import annotations

from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal

STRATEGY, PARAMETER = "its", "k"
VALUES = (1, 5, 10, 40)


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(value, webs) for value in VALUES}


def harvest(value: float, webs: int) -> float:
    """Mean number of relevant pages for one value."""
    crawls = (
        Rehearsal(create(STRATEGY, {PARAMETER: value}), PlantedWeb.plant(seed), seed, 120) for seed in range(webs)
    )
    return mean(crawl.run().harvest() for crawl in crawls)


if __name__ == "__main__":
    for asked, found in main().items():
        print(f"{asked:16} {found:6.1f}")
