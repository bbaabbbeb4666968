"""Best-first search: which of the three published priorities?

python -m examples.best_first
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "best_first", "formula"
VALUES = ("paper_000", "paper_001", "paper_004")
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
