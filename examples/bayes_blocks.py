"""Classes and content blocks: the three systems of paper 003.

python -m examples.bayes_blocks
"""

from __future__ import annotations

from examples import harvest, show

STRATEGIES = ("bcw_cc", "fcbcw", "fccbs")


def main(webs: int = 5) -> dict[str, float]:
    """Strategy -> relevant pages of 120 fetched, mean of so many planted webs."""
    return {name: harvest(name, webs) for name in STRATEGIES}


if __name__ == "__main__":
    show(main())
