"""Layout of a layered picture: rows, their order, positions along them, bends of long edges. No drawing.

Source: Sugiyama, Tagawa and Toda 1981 (layers, dummy points for long edges, barycentres); crossings are counted as by
Barth, Juenger and Mutzel 2002 (inversions). Rows are longest paths from the top, and a row that would be wider than
the page is split into several: a level of a lattice is an antichain, so its points may be in any of them. Positions
along a row are the nearest to the neighbours' mean that keep order and distance (isotonic regression). Deterministic:
ties keep the input order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SWEEPS = 16
"""Number of passes down and up that order the rows; the order with the fewest crossings is kept."""
_SETTLING = 24
"""Number of passes that move the points along their rows."""
_STRAIGHT = 6.0
"""Weight of the straightness of a long edge, relative to a point's distance from its neighbours' mean."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Rows and positions of points, and of the bends of edges that pass other rows.

    Attributes:
        row: shape (points,), 0 is the top.
        x: centres along the row, shape (points,), in pixels; the leftmost border is 0.
        bends: for each edge, in the input order, (row, x) of its bends from top to bottom.
        breadth: distance from the leftmost to the rightmost border, in pixels.
        crossings: number of edge crossings.
    """

    row: Ints
    x: Floats
    bends: tuple[tuple[tuple[int, float], ...], ...]
    breadth: float
    crossings: int


def layers(size: int, edges: Ints) -> Ints:
    """Return the level of each point: the number of edges on the longest path from a point without upper neighbour.

    Args:
        size: number of points.
        edges: (upper, lower) pairs without cycles, shape (edges, 2).

    Returns:
        Shape (size,).

    Raises:
        ValueError: there is a cycle.

    >>> layers(3, np.array([[0, 1], [1, 2], [0, 2]])).tolist()
    [0, 1, 2]
    """
    level = np.zeros(size, dtype=np.int64)
    waiting = np.bincount(edges[:, 1], minlength=size) if len(edges) else np.zeros(size, dtype=np.int64)
    lower = _neighbours(size, edges)[0]
    ready = [i for i in range(size) if not waiting[i]]
    for i in ready:  # grows during the iteration
        for j in lower[i]:
            level[j] = max(level[j], level[i] + 1)
            waiting[j] -= 1
            if not waiting[j]:
                ready.append(j)
    if len(ready) < size:
        raise ValueError(f"layers: expected edges without cycles, found {size - len(ready)} points on or below one")
    return level


def _neighbours(size: int, edges: Ints) -> tuple[list[list[int]], list[list[int]]]:
    """Return lower and upper neighbours of each point.

    Args:
        size: number of points.
        edges: (upper, lower) pairs, shape (edges, 2).

    >>> _neighbours(3, np.array([[0, 1], [0, 2]]))
    ([[1, 2], [], []], [[], [0], [0]])
    """
    lower: list[list[int]] = [[] for _ in range(size)]
    upper: list[list[int]] = [[] for _ in range(size)]
    for u, v in edges.tolist():
        lower[u].append(v)
        upper[v].append(u)
    return lower, upper


def rows_within(level: Ints, widths: Floats, rank: Floats, limit: float) -> Ints:
    """Cut levels that are wider than a limit into rows, points of low rank first.

    Args:
        level: level of each point, shape (points,).
        widths: room for each point, shape (points,), in pixels.
        rank: order within a level, shape (points,).
        limit: maximum width of a row, in pixels; exceeded only by a single wide point.

    Returns:
        Row of each point, shape (points,).
    """
    row = np.zeros(len(level), dtype=np.int64)
    first = 0
    for value in range(int(level.max(initial=-1)) + 1):
        members = np.flatnonzero(level == value)
        members = members[np.argsort(rank[members], kind="stable")]
        parts = max(1, int(np.ceil(widths[members].sum() / limit)))
        share = np.cumsum(widths[members]) - widths[members] / 2
        part_of = np.minimum((share / max(share[-1], 1e-9) * parts).astype(np.int64), parts - 1)
        row[members] = first + np.unique(part_of, return_inverse=True)[1]  # without rows that stayed empty
        first = int(row[members].max()) + 1
    return row


def most_passing(row: Ints, edges: Ints) -> int:
    """Return the largest number of edges that pass one row.

    Args:
        row: shape (points,).
        edges: (upper, lower), shape (edges, 2).
    """
    if not len(edges):
        return 0
    change = np.zeros(int(row.max()) + 2, dtype=np.int64)
    np.add.at(change, row[edges[:, 0]] + 1, 1)
    np.add.at(change, row[edges[:, 1]], -1)
    return int(np.cumsum(change).max())


def lay_out(row: Ints, edges: Ints, widths: Floats, *, gap: float, bend: float) -> Layout:
    """Compute order and positions of points in given rows.

    Args:
        row: shape (points,); the upper end of each edge has the smaller row.
        edges: (upper, lower), shape (edges, 2).
        widths: room for each point along its row, in pixels.
        gap: room between two points.
        bend: room for an edge that passes a row.
    """
    size = len(row)
    chains, all_rows, pairs = _with_bends(row, edges)
    room = np.concatenate([widths + gap, np.full(len(all_rows) - size, bend)])
    order, crossings = _ordered(all_rows, pairs)
    x = _settled(order, pairs, room, size)
    left = float((x - room / 2).min(initial=0.0))
    x -= left
    bends = tuple(tuple((int(all_rows[d]), float(x[d])) for d in chain) for chain in chains)
    return Layout(row, x[:size], bends, float((x + room / 2).max(initial=0.0)), crossings)


def _with_bends(row: Ints, edges: Ints) -> tuple[list[range], Ints, Ints]:
    """Return the bends of each edge as new points, the rows of all points, and the edges between neighbouring rows."""
    rows = row.tolist()
    chains: list[range] = []
    pairs: list[tuple[int, int]] = []
    for u, v in edges.tolist():
        chain = range(len(rows), len(rows) + int(row[v] - row[u]) - 1)
        rows += range(int(row[u]) + 1, int(row[v]))
        chains.append(chain)
        pairs += zip([u, *chain], [*chain, v], strict=True)
    return chains, np.array(rows, dtype=np.int64), np.array(pairs, dtype=np.int64).reshape(-1, 2)


class _Rows:
    """Points by row, and for each row the edges to the row above and to the row below, as arrays of ends."""

    def __init__(self, row: Ints, pairs: Ints) -> None:
        self.number = int(row.max(initial=-1)) + 1
        self.points = [np.flatnonzero(row == r) for r in range(self.number)]
        self.local = np.zeros(len(row), dtype=np.int64)
        for points in self.points:
            self.local[points] = np.arange(len(points))
        upper_row = row[pairs[:, 0]] if len(pairs) else np.zeros(0, dtype=np.int64)
        self.down = [pairs[upper_row == r] for r in range(self.number)]
        self.up = [pairs[:0], *(d[:, ::-1] for d in self.down[:-1])]

    def pull(self, r: int, values: Floats, ends: Sequence[Ints], force: Sequence[Floats]) -> tuple[Floats, Floats]:
        """Return the sums of the forces on the points of a row, and of force times value at the other ends."""
        total, moment = np.zeros(len(self.points[r])), np.zeros(len(self.points[r]))
        for pairs, weight in zip(ends, force, strict=True):
            ends_here = self.local[pairs[:, 0]]
            total += np.bincount(ends_here, weights=weight, minlength=len(total))
            moment += np.bincount(ends_here, weights=weight * values[pairs[:, 1]], minlength=len(total))
        return total, moment


def _ordered(row: Ints, pairs: Ints) -> tuple[list[Ints], int]:
    """Return the points of each row in an order with few crossings, and the number of crossings."""
    rows = _Rows(row, pairs)
    order = [points.copy() for points in rows.points]
    rank = np.zeros(len(row))
    for points in order:
        rank[points] = np.arange(len(points)) / max(1, len(points) - 1)
    best, fewest = [o.copy() for o in order], _crossings(order, rows)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for r in range(rows.number) if downwards else range(rows.number - 1, -1, -1):
            ends = rows.up[r] if downwards else rows.down[r]
            total, moment = rows.pull(r, rank, [ends], [np.ones(len(ends))])
            wish = np.where(total > 0, moment / np.maximum(total, 1e-9), rank[rows.points[r]])
            wish = wish[rows.local[order[r]]]  # in the present order, so that ties keep it
            order[r] = order[r][np.argsort(wish, kind="stable")]
            rank[order[r]] = np.arange(len(order[r])) / max(1, len(order[r]) - 1)
        crossings = _crossings(order, rows)
        if crossings < fewest:
            best, fewest = [o.copy() for o in order], crossings
        if not fewest:
            break
    return best, fewest


def _crossings(order: Sequence[Ints], rows: _Rows) -> int:
    """Count pairs of edges between neighbouring rows that cross: inversions of their lower ends."""
    total = 0
    place = np.zeros(len(rows.local), dtype=np.int64)
    for points in order:
        place[points] = np.arange(len(points))
    for pairs in rows.down:
        upper, lower = place[pairs[:, 0]], place[pairs[:, 1]]
        by = np.lexsort((lower, upper))
        seen: list[int] = []
        for end in lower[by].tolist():
            position = bisect_right(seen, end)
            total += len(seen) - position
            seen.insert(position, end)
    # edges from one point are in rising order of their lower ends, so that they count no inversion among themselves
    return total


def _settled(order: Sequence[Ints], pairs: Ints, room: Floats, size: int) -> Floats:
    """Return centres along the rows: every point near the mean of its neighbours, long edges straight.

    No row extends beyond the borders of the widest one when that is packed.
    """
    half = max((float(room[points].sum()) for points in order), default=0.0) / 2
    x = np.zeros(len(room))
    row = np.zeros(len(room), dtype=np.int64)
    for r, points in enumerate(order):
        packed = np.cumsum(room[points])
        x[points] = packed - room[points] / 2 - packed[-1] / 2
        row[points] = r
    rows = _Rows(row, pairs)

    def forces(ends: Ints) -> Floats:
        bends = (ends >= size).sum(axis=1)
        return np.where(bends == 2, _STRAIGHT, np.where(bends == 1, 2.0, 1.0))

    up, down = [forces(e) for e in rows.up], [forces(e) for e in rows.down]
    for turn in range(_SETTLING):
        downwards, both = turn % 2 == 0, turn >= _SETTLING // 2
        for r in range(len(order)) if downwards else range(len(order) - 1, -1, -1):
            sides = [(rows.up[r], up[r]), (rows.down[r], down[r])]
            if not both:
                sides = sides[:1] if downwards else sides[1:]
            total, moment = rows.pull(r, x, [ends for ends, _ in sides], [force for _, force in sides])
            wish = np.where(total > 0, moment / np.maximum(total, 1e-9), x[rows.points[r]])
            at = rows.local[order[r]]
            x[order[r]] = _spread(wish[at], room[order[r]], np.maximum(total[at], 0.1), half)
    return x


def _spread(wish: Floats, room: Floats, force: Floats, half: float) -> Floats:
    """Return ordered positions within [-half, half], as near to the preferred ones as the widths allow.

    Weighted isotonic regression by pooling neighbours (Barlow et al. 1972); with bounds its solution is clipped.

    Args:
        wish: preferred positions, shape (n,).
        room: width of each point, shape (n,).
        force: weight of each point, shape (n,).
        half: half the width of the row.

    >>> _spread(np.array([0.0, 0.0]), np.array([2.0, 2.0]), np.array([1.0, 1.0]), 5.0).tolist()
    [-1.0, 1.0]
    """
    if not len(wish):
        return wish
    step = np.concatenate(([0.0], np.cumsum((room[1:] + room[:-1]) / 2)))
    blocks: list[tuple[float, float, int]] = []
    for preferred, weight in zip((wish - step).tolist(), force.tolist(), strict=True):
        mean, mass, count = preferred, weight, 1
        while blocks and blocks[-1][0] >= mean:
            before, more, number = blocks.pop()
            mean, mass, count = (before * more + mean * mass) / (more + mass), more + mass, number + count
        blocks.append((mean, mass, count))
    place = np.repeat([mean for mean, _, _ in blocks], [count for _, _, count in blocks])
    low, high = room[0] / 2 - half, half - room[-1] / 2 - step[-1]
    return np.asarray(np.clip(place, low, max(low, high)) + step, dtype=np.float64)
