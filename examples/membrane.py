"""Membrane computing: how often should the weights evolve?

python -m examples.membrane
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "cmcfc", "every"
VALUES = (10, 25, 100)
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
