"""Annealing: does the cooling schedule matter?

python -m examples.annealing
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "fcosa_g", "cooling"
VALUES = ("geometric", "linear", "logarithmic", "adaptive", "constant")
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
