"""Where the points of a line diagram stand: layers, their order, their horizontal places. No drawing.

Source: Sugiyama, Tagawa and Toda 1981 (layers, barycentres); layers are longest paths from the top, as usual for
concept lattices. Deterministic: ties keep the lattice's order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SWEEPS = 12


def layers(size: int, covers: Ints) -> Ints:
    """Layer of each concept: edges on the longest path from a concept without upper neighbour. Shape (size,).

    ``covers`` holds (upper, lower) pairs in which the upper index is the smaller one.
    """
    layer = np.zeros(size, dtype=np.int64)
    for upper, lower in covers.tolist():  # sorted by upper: a concept is final before its edges are looked at
        layer[lower] = max(layer[lower], layer[upper] + 1)
    return layer


def places(layer: Ints, covers: Ints, widths: Floats, gap: float) -> Floats:
    """Horizontal centres: few crossings, labels of a layer at least ``gap`` apart. Shapes (size,)."""
    rows = [np.flatnonzero(layer == level) for level in range(int(layer.max(initial=0)) + 1)]
    x = np.zeros(len(layer))
    for row in rows:
        x[row] = _spread(np.arange(len(row), dtype=np.float64), widths[row], gap)
    near = _neighbours(len(layer), covers)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wish = np.array([x[near[i]].mean() if len(near[i]) else x[i] for i in row.tolist()])
            order = np.argsort(wish, kind="stable")
            x[row[order]] = _spread(wish[order], widths[row[order]], gap)
    left = float((x - widths / 2).min())
    return np.asarray(x - left, dtype=np.float64)


def _neighbours(size: int, covers: Ints) -> list[Ints]:
    found: list[list[int]] = [[] for _ in range(size)]
    for upper, lower in covers.tolist():
        found[upper].append(lower)
        found[lower].append(upper)
    return [np.array(f, dtype=np.int64) for f in found]


def _spread(wish: Floats, widths: Floats, gap: float) -> Floats:
    """Places in the given order, as near to the wishes as the widths allow (isotonic regression by pooling)."""
    if not len(wish):
        return wish
    step = np.concatenate(([0.0], np.cumsum((widths[1:] + widths[:-1]) / 2 + gap)))
    blocks: list[tuple[float, int]] = []
    for value in (wish - step).tolist():
        mean, count = value, 1
        while blocks and blocks[-1][0] >= mean:
            before, number = blocks.pop()
            mean, count = (before * number + mean * count) / (number + count), number + count
        blocks.append((mean, count))
    return np.repeat([mean for mean, _ in blocks], [count for _, count in blocks]) + step
