"""HITS, Fish-Search and Shark-Search, compared with breadth-first search.

python -m examples.hits_fish_shark
"""

from functools import partial

from examples import compare_strategies, show

STRATEGIES = ("breadth_first", "hits", "fish", "shark")
main = partial(compare_strategies, STRATEGIES)

if __name__ == "__main__":
    show(main())
