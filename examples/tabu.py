"""Tabu search: how many links should be looked at before one is chosen?

python -m examples.tabu
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "its", "k"
VALUES = (1, 5, 10, 40)


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
