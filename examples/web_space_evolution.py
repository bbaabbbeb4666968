"""Web space evolution: how large should the library of links be?

python -m examples.web_space_evolution
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "wse", "size"
VALUES = (5, 20, 50)
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
