"""Tabu search: how large should the neighbourhood be?

python -m examples.tabu
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "its", "k"
VALUES = (1, 5, 10, 40)
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
