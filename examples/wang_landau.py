"""Wang-Landau sampling: the flatness rule of the algorithm, or that of the text?

python -m examples.wang_landau
"""

from functools import partial

from examples import compare_values, show

STRATEGY, PARAMETER = "wang_landau", "flatness"
VALUES = ("box", "mean")
main = partial(compare_values, STRATEGY, PARAMETER, VALUES)

if __name__ == "__main__":
    show(main())
