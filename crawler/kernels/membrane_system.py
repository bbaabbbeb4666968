"""Cell-like membranes that evolve weight vectors: a skin around elementary membranes, objects, and two kinds of rules.

Source: Gh. Paun, Computing with membranes, J. Comput. Syst. Sci. 61 (2000), for the form; Liu, Du 2014 (CMCFC) and Liu,
Gan et al. 2022 (SVSM-MCOA), of which abstracts were read, for its use: an object is the vector of the weights of a
priority; evolution rules and a communication rule look for the object of the smallest root mean square error. The
rules themselves are reconstructed [R]. At each step, in every elementary membrane of n objects:
    evolution 1, crossover  n times two of its objects x, y give u x + (1 - u) y, u random in [0, 1)
    evolution 2, mutation   normal noise of standard deviation s on each, back onto the simplex
    evolution 3, selection  the n best of the old and the new objects stay
    communication           the best object of all goes out to the skin, and into every membrane for its worst object
So the object in the skin is never worse than before, for the same error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.kernels.swarm import Error, onto_simplex
from crawler.model import Floats


class MembraneSystem:
    """The objects of all elementary membranes. A handle: ``evolve`` changes it."""

    def __init__(self, s: float) -> None:
        """``s`` >= 0, the standard deviation of mutation."""
        self._s = s
        self.objects: Floats = np.empty((0, 0, 0))
        """Shape (membranes, n, d); each object on the simplex."""

    def begin(self, rng: np.random.Generator, membranes: int, n: int, first: Floats) -> None:
        """Objects uniform on the simplex, but ``first``, shape (d,), is one of each membrane."""
        self.objects = rng.dirichlet(np.ones(len(first)), (membranes, n))
        self.objects[:, 0] = first

    def evolve(self, rng: np.random.Generator, error: Error, steps: int) -> Floats:
        """Apply all rules so many times; answers the object in the skin, shape (d,)."""
        membranes, n, d = self.objects.shape
        for _ in range(steps):
            x, y = rng.integers(0, n, (2, membranes, n))
            u = rng.random((membranes, n, 1))
            inside = np.arange(membranes)[:, np.newaxis]
            crossed = u * self.objects[inside, x] + (1.0 - u) * self.objects[inside, y]  # evolution 1
            noise = self._s * rng.standard_normal(crossed.shape)
            mutated = onto_simplex((crossed + noise).reshape(-1, d)).reshape(crossed.shape)  # evolution 2
            self._select(np.concatenate([self.objects, mutated], axis=1), error)
        of_best = error(self.objects[:, 0])
        best: Floats = self.objects[int(np.argmin(of_best)), 0].copy()
        return best

    def _select(self, objects: Floats, error: Error) -> None:
        """Evolution 3 and communication; afterwards each membrane's objects stand best first."""
        membranes, n, d = self.objects.shape
        of_objects = error(objects.reshape(-1, d)).reshape(membranes, -1)
        order = np.argsort(of_objects, axis=1, kind="stable")[:, :n]
        rows = np.arange(membranes)[:, np.newaxis]
        kept, of_kept = objects[rows, order], of_objects[rows, order]
        skin = kept[int(np.argmin(of_kept[:, 0])), 0].copy()
        with_skin = np.concatenate([np.broadcast_to(skin, (membranes, 1, d)), kept[:, : n - 1]], axis=1)
        has_it = (kept[:, 0] == skin).all(axis=1)  # once is enough, or copies would take all the room
        self.objects = np.where(has_it[:, np.newaxis, np.newaxis], kept, with_skin)

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs, as arrays."""
        return {"objects": self.objects.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back."""
        self.objects = np.array(state["objects"], dtype=np.float64)
