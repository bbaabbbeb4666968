"""Wang-Landau sampling: the printed flatness rule, and the one of the text.

python -m examples.wang_landau
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "wang_landau", "flatness"
VALUES = ("box", "mean")


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
