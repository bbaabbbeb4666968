"""Annealing: does the cooling schedule matter?

python -m examples.annealing
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "fcosa_g", "cooling"
VALUES = ("geometric", "linear", "logarithmic", "adaptive", "constant")


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
