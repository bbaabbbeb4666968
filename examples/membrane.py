"""Membrane computing: how often should the weights evolve?

python -m examples.membrane
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "cmcfc", "every"
VALUES = (10, 25, 100)


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
