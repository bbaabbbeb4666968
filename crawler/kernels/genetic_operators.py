"""Crossover and mutation of links, as the niche genetic algorithm has them: both bring new links in.

Source: Fan, Zeng, Li (paper 004), section III.C, steps 5 and 6. There is no exchange of genes: crossover takes the best
links of good pages (search in depth), mutation takes some links beside good pages (search in breadth).
"""

from __future__ import annotations

import numpy as np

from crawler.kernels.niches import share
from crawler.model import Floats, Ids


def crossover(S: Floats, pc: float) -> Ids:
    """Step 5: the rows of the best c = floor(m pc) of m links by fitness ``S``, shape (m,), best first."""
    return np.argsort(-S, kind="stable")[: share(len(S), pc)]


def mutation(rng: np.random.Generator, links: Ids, pm: float) -> Ids:
    """Step 6: a random sample, without replacement, of floor(m pm) of m different links."""
    return np.sort(rng.choice(links, share(len(links), pm), replace=False))
