"""Events in time: three systems that read dates.

python -m examples.temporal_intent
"""

from __future__ import annotations

from statistics import mean

from crawler.strategies import create
from crawler.testing import PlantedWeb, Rehearsal

STRATEGIES = ("temporal_intent", "event_model", "date_segments")


def main(webs: int = 5) -> dict[str, float]:
    """Strategy -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {name: harvest(name, webs) for name in STRATEGIES}


def harvest(name: str, webs: int) -> float:
    """Mean number of relevant pages for one strategy."""
    crawls = (Rehearsal(create(name), PlantedWeb.plant(seed), seed, 120) for seed in range(webs))
    return mean(crawl.run().harvest() for crawl in crawls)


if __name__ == "__main__":
    for asked, found in main().items():
        print(f"{asked:16} {found:6.1f}")
