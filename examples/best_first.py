"""Best-first search: three papers mean three priorities by the name.

python -m examples.best_first
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "best_first", "formula"
VALUES = ("paper_000", "paper_001", "paper_004")


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
