"""Hubs, fish and sharks: three classics beside breadth-first search.

python -m examples.hits_fish_shark
"""

from __future__ import annotations

from examples import harvest, show

STRATEGIES = ("breadth_first", "hits", "fish", "shark")


def main(webs: int = 5) -> dict[str, float]:
    """Strategy -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {name: harvest(name, webs) for name in STRATEGIES}


if __name__ == "__main__":
    show(main())
