"""Genetic algorithm: crossover of the links of all relevant pages, or of hubs only?

python -m examples.genetic
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "gafc", "breeders"
VALUES = ("relevant", "hubs")
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
