"""Web space evolution: how large should the library of links be?

python -m examples.web_space_evolution
"""

from __future__ import annotations

from examples import harvest, show

STRATEGY, PARAMETER = "wse", "size"
VALUES = (5, 20, 50)


def main(webs: int = 5) -> dict[str, float]:
    """Value of the parameter -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {str(value): harvest(STRATEGY, webs, **{PARAMETER: value}) for value in VALUES}


if __name__ == "__main__":
    show(main())
