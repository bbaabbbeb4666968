"""Cell-like membrane system that evolves weight vectors: a skin, elementary membranes, objects and two kinds of rules.

Source: Gh. Paun, Computing with membranes, J. Comput. Syst. Sci. 61 (2000), for the form; Liu, Du 2014 (CMCFC) and Liu,
Gan et al. 2022 (SVSM-MCOA), of which abstracts were read, for its use: an object is the vector of the weights of a
priority; evolution rules and a communication rule search for the object of the smallest root mean square error. The
rules themselves are reconstructed [R]. At each step, in every elementary membrane of n objects:
    evolution 1, crossover  n times: u x + (1 - u) y from two of its objects x, y, u random in [0, 1)
    evolution 2, mutation   normal noise of standard deviation s on each, projected onto the simplex
    evolution 3, selection  the n best of the old and the new objects are kept
    communication           the best object of all goes to the skin, and replaces the worst object of every membrane
So the error of the object in the skin never grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.kernels.swarm import Error, onto_simplex
from crawler.model import Floats


class MembraneSystem:
    """The objects of all elementary membranes. Mutable: ``evolve`` changes it.

    >>> rng, target = np.random.default_rng(0), np.array([0.2, 0.8])
    >>> cells = MembraneSystem(s=0.1)
    >>> cells.begin(rng, membranes=2, n=5, first=np.array([0.5, 0.5]))
    >>> cells.evolve(rng, lambda X: np.square(X - target).sum(axis=1), 50).round(2).tolist()
    [0.2, 0.8]
    """

    def __init__(self, s: float) -> None:
        """Create an empty system; ``s`` >= 0 is the standard deviation of mutation."""
        self._s = s
        self.objects: Floats = np.empty((0, 0, 0))
        """Shape (membranes, n, d); each object on the simplex."""

    def begin(self, rng: np.random.Generator, membranes: int, n: int, first: Floats) -> None:
        """Draw the initial objects uniformly on the simplex.

        Args:
            rng: the random number generator.
            membranes: number of elementary membranes, at least 1.
            n: objects in each, at least 1.
            first: an object that every membrane gets, shape (d,), on the simplex.
        """
        self.objects = rng.dirichlet(np.ones(len(first)), (membranes, n))
        self.objects[:, 0] = first

    def evolve(self, rng: np.random.Generator, error: Error, steps: int) -> Floats:
        """Apply all rules ``steps`` times.

        Args:
            rng: the random number generator.
            error: function to minimise.
            steps: number of applications, at least 0.

        Returns:
            The object in the skin, shape (d,).
        """
        membranes, n, d = self.objects.shape
        for _ in range(steps):
            x, y = rng.integers(0, n, (2, membranes, n))
            u = rng.random((membranes, n, 1))
            membrane = np.arange(membranes)[:, np.newaxis]
            crossed = u * self.objects[membrane, x] + (1.0 - u) * self.objects[membrane, y]  # evolution 1
            noise = self._s * rng.standard_normal(crossed.shape)
            mutated = onto_simplex((crossed + noise).reshape(-1, d)).reshape(crossed.shape)  # evolution 2
            self._select(np.concatenate([self.objects, mutated], axis=1), error)
        errors = error(self.objects[:, 0])
        best: Floats = self.objects[int(np.argmin(errors)), 0].copy()
        return best

    def _select(self, objects: Floats, error: Error) -> None:
        """Apply evolution 3 and communication; afterwards the objects of each membrane are sorted, best first."""
        membranes, n, d = self.objects.shape
        errors = error(objects.reshape(-1, d)).reshape(membranes, -1)
        order = np.argsort(errors, axis=1, kind="stable")[:, :n]
        rows = np.arange(membranes)[:, np.newaxis]
        kept, kept_errors = objects[rows, order], errors[rows, order]
        skin = kept[int(np.argmin(kept_errors[:, 0])), 0].copy()
        with_skin = np.concatenate([np.broadcast_to(skin, (membranes, 1, d)), kept[:, : n - 1]], axis=1)
        has_it = (kept[:, 0] == skin).all(axis=1)  # one copy per membrane, or copies would fill it
        self.objects = np.where(has_it[:, np.newaxis, np.newaxis], kept, with_skin)

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs, as arrays."""
        return {"objects": self.objects.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self.objects = np.array(state["objects"], dtype=np.float64)
