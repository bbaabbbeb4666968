"""Classifier and content blocks: the three systems of paper 003.

python -m examples.bayes_blocks
"""

from functools import partial

from examples import compare_strategies, show

STRATEGIES = ("bcw_cc", "fcbcw", "fccbs")
main = partial(compare_strategies, STRATEGIES)

if __name__ == "__main__":
    show(main())
