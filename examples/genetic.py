"""Genetic algorithms: whose links are bred, those of relevant pages or of hubs only?

python -m examples.genetic
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "gafc", "breeders"
VALUES = ("relevant", "hubs")


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
