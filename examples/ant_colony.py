"""Ant colony: how fast should pheromone evaporate?

python -m examples.ant_colony
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "moaco", "rho"
VALUES = (0.0, 0.1, 0.5)
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
