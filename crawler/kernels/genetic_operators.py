"""Crossover and mutation of links in the niche genetic algorithm.

Source: Fan, Zeng, Li (paper 004), section III.C, steps 5 and 6. No genes are exchanged: crossover selects the best
links of good pages (depth), mutation samples links near good pages (breadth).
"""

from __future__ import annotations

import numpy as np

from crawler.kernels.niches import share
from crawler.model import Floats, Ids


def crossover(S: Floats, pc: float) -> Ids:
    """Return the rows of the best c = floor(m pc) of m links, best first (step 5).

    Args:
        S: fitness of the links, shape (m,).
        pc: crossover probability, in [0, 1].

    >>> crossover(np.array([0.2, 0.9, 0.5, 0.1]), 0.5).tolist()
    [1, 2]
    """
    return np.argsort(-S, kind="stable")[: share(len(S), pc)]


def mutation(rng: np.random.Generator, links: Ids, pm: float) -> Ids:
    """Draw floor(m pm) of m distinct links without replacement (step 6).

    Args:
        rng: the random number generator.
        links: distinct link ids, shape (m,).
        pm: mutation probability, in [0, 1].

    Returns:
        The sample in ascending order.

    >>> len(mutation(np.random.default_rng(0), np.array([3, 5, 8, 13]), 0.5))
    2
    """
    return np.sort(rng.choice(links, share(len(links), pm), replace=False))
