"""Genetic algorithms: whose links are bred, those of relevant pages or of hubs only?

python -m examples.genetic
"""

from __future__ import annotations

from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal

STRATEGY, PARAMETER = "gafc", "breeders"
VALUES = ("relevant", "hubs")


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(value, webs) for value in VALUES}


def harvest(value: str, webs: int) -> float:
    """Mean number of relevant pages for one value."""
    crawls = (
        Rehearsal(create(STRATEGY, {PARAMETER: value}), PlantedWeb.plant(seed), seed, 120) for seed in range(webs)
    )
    return mean(crawl.run().harvest() for crawl in crawls)


if __name__ == "__main__":
    for asked, found in main().items():
        print(f"{asked:16} {found:6.1f}")
