"""Ant colony: how fast should pheromone evaporate?

python -m examples.ant_colony
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "moaco", "rho"
VALUES = (0.0, 0.1, 0.5)


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
